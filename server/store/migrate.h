/* SPDX-License-Identifier: MIT
 *
 * migrate.h: what is in a database file and how it becomes what this program knows. A file is ours
 * by its application_id; user_version is the number of migrations that it has had. Forward only.
 */
#ifndef LOAM_SERVER_STORE_MIGRATE_H
#define LOAM_SERVER_STORE_MIGRATE_H

#include "server/store/database.h"
#include "server/store/store_limits.h"

/* The SQL of one step from migrations/, embedded by the build. */
typedef struct migration {
    const unsigned char *sql;
    size_t size;
} migration;

typedef struct schema {
    int32_t application_id;
    int page_bytes;
    const migration *migrations;
    int version; /* their count: what user_version becomes */
} schema;

extern const schema control_schema;
extern const schema cache_schema;

typedef enum schema_state {
    SCHEMA_EMPTY, /* nothing in it yet */
    SCHEMA_CURRENT,
    SCHEMA_OLDER,
    SCHEMA_NEWER,
    SCHEMA_FOREIGN, /* another program's, or no database */
} schema_state;

/* Looks without changing anything. */
LOAM_MUST_USE loam_status schema_inspect(sqlite3 *db, const schema *expected, schema_state *state,
                                         int *version, loam_error *error);
/* Runs what is missing after `version`, each step in a transaction with its new version. */
LOAM_MUST_USE loam_status schema_migrate(sqlite3 *db, const schema *to, int version,
                                         loam_error *error);
/* Where a file of `version` is copied before it is migrated. */
enum { SCHEMA_COPY_PATH_BYTES = FOLDER_PATH_BYTES + 32 };
void schema_copy_path(const char *path, int version, char copy[SCHEMA_COPY_PATH_BYTES]);
/* LOAM_IO: a sentence about a file that is not ours. */
loam_status schema_fail_foreign(const char *path, loam_error *error);

/* Opens control.db: refuses a foreign one and one of a schema that this program may not write
 * (schema_window.h), copies an older one to control.db.before-<n>
 * and migrates it; synchronous FULL. */
LOAM_MUST_USE loam_status control_database_open(const char *path, sqlite3 **db, loam_error *error);
/* Opens cache.db: refuses a foreign one, sets one of another schema or one noted as damaged aside
 * as cache.db.aside and begins anew; synchronous NORMAL. */
LOAM_MUST_USE loam_status cache_database_open(const char *path, sqlite3 **db, loam_error *error);
/* Notes beside cache.db that its pages are damaged: the next open sets it aside. */
void cache_database_note_damage(const char *path);

#endif
