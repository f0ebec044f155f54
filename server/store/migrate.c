/* SPDX-License-Identifier: MIT
 *
 * migrate.c: recognises, makes and migrates the two databases. Inspection comes before any setting,
 * so that a file which is not ours is left byte for byte as it was.
 */
#include "server/store/migrate.h"

#include "core/base/try.h"
#include "server/store/folder.h"
#include "server/store/schema_window.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STATEMENT_BYTES = FOLDER_PATH_BYTES + 64, MARK_MODE = 0600 };

static const unsigned char CONTROL_0001[] = {
#include "migrations/control/0001_start.sql.inc"
};

static const unsigned char CONTROL_0002[] = {
#include "migrations/control/0002_job_dungeons.sql.inc"
};

static const unsigned char CONTROL_0003[] = {
#include "migrations/control/0003_schema_info.sql.inc"
};

static const unsigned char CONTROL_0004[] = {
#include "migrations/control/0004_job_owners.sql.inc"
};

static const unsigned char CACHE_0001[] = {
#include "migrations/cache/0001_start.sql.inc"
};

static const unsigned char CACHE_0002[] = {
#include "migrations/cache/0002_verdicts.sql.inc"
};

static const migration CONTROL_MIGRATIONS[] = {{CONTROL_0001, sizeof CONTROL_0001},
                                               {CONTROL_0002, sizeof CONTROL_0002},
                                               {CONTROL_0003, sizeof CONTROL_0003},
                                               {CONTROL_0004, sizeof CONTROL_0004}};
static const migration CACHE_MIGRATIONS[] = {{CACHE_0001, sizeof CACHE_0001},
                                             {CACHE_0002, sizeof CACHE_0002}};

/* "loaC" and "loaB" as file(1) would show them. */
const schema control_schema = {.application_id = 0x6c6f6143,
                               .page_bytes = CONTROL_PAGE_BYTES,
                               .migrations = CONTROL_MIGRATIONS,
                               .version = sizeof CONTROL_MIGRATIONS / sizeof(migration)};
const schema cache_schema = {.application_id = 0x6c6f6142,
                             .page_bytes = CACHE_PAGE_BYTES,
                             .migrations = CACHE_MIGRATIONS,
                             .version = sizeof CACHE_MIGRATIONS / sizeof(migration)};

loam_status schema_fail_foreign(const char *path, loam_error *error) {
    return loam_fail(error, LOAM_IO, NULL,
                     "%s is not a database of loam: move it away or choose another data folder",
                     path);
}

loam_status schema_inspect(sqlite3 *db, const schema *expected, schema_state *state, int *version,
                           loam_error *error) {
    int64_t application_id;
    int64_t user_version;
    int64_t tables;
    loam_error seen = {0};
    *version = 0;
    *state = SCHEMA_FOREIGN;
    if (database_number(db, "PRAGMA application_id", &application_id, &seen) != LOAM_OK) {
        bool foreign = (sqlite3_extended_errcode(db) & 0xff) == SQLITE_NOTADB;
        return foreign ? LOAM_OK : loam_fail(error, seen.status, NULL, "%s", seen.text);
    }
    LOAM_TRY(database_number(db, "PRAGMA user_version", &user_version, error));
    LOAM_TRY(database_number(db, "SELECT count(*) FROM sqlite_schema", &tables, error));
    *version = (int)user_version;
    if (application_id == 0 && user_version == 0 && tables == 0) {
        *state = SCHEMA_EMPTY;
    } else if (application_id != expected->application_id) {
        *state = SCHEMA_FOREIGN;
    } else {
        *state = user_version < expected->version    ? SCHEMA_OLDER
                 : user_version == expected->version ? SCHEMA_CURRENT
                                                     : SCHEMA_NEWER;
    }
    return LOAM_OK;
}

/* The embedded SQL is not terminated: it is run statement by statement. */
static loam_status run_migration(sqlite3 *db, const migration *step, loam_error *error) {
    const char *sql = (const char *)step->sql;
    const char *end = sql + step->size;
    while (sql < end) {
        sqlite3_stmt *statement;
        if (sqlite3_prepare_v2(db, sql, (int)(end - sql), &statement, &sql) != SQLITE_OK) {
            return database_fail(db, error);
        }
        if (statement != NULL) {
            loam_status status = database_step_done(statement, error);
            sqlite3_finalize(statement);
            LOAM_TRY(status);
        }
    }
    return LOAM_OK;
}

static loam_status migrate_one(sqlite3 *db, const schema *to, int version, loam_error *error) {
    LOAM_TRY(database_run(db, "BEGIN IMMEDIATE", error));
    loam_status status = run_migration(db, &to->migrations[version], error);
    if (status == LOAM_OK) {
        status = database_set(db, "application_id", to->application_id, error);
    }
    if (status == LOAM_OK) {
        status = database_set(db, "user_version", version + 1, error);
    }
    if (status == LOAM_OK) {
        status = database_run(db, "COMMIT", error);
    }
    if (status != LOAM_OK && sqlite3_get_autocommit(db) == 0) {
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

loam_status schema_migrate(sqlite3 *db, const schema *to, int version, loam_error *error) {
    for (int next = version; next < to->version; next++) {
        LOAM_TRY(migrate_one(db, to, next, error));
    }
    return LOAM_OK;
}

/* SQLite answers with the old mode, not with an error, where it cannot have a log. */
static loam_status use_log(sqlite3 *db, loam_error *error) {
    sqlite3_stmt *statement;
    bool row;
    LOAM_TRY(database_prepare(db, "PRAGMA journal_mode = WAL", &statement, error));
    loam_status status = database_step_row(statement, &row, error);
    if (status == LOAM_OK) {
        const unsigned char *mode = row ? sqlite3_column_text(statement, 0) : NULL;
        if (mode == NULL || strcmp((const char *)mode, "wal") != 0) {
            status = loam_fail(error, LOAM_IO, NULL,
                               "%s: this file system does not let SQLite keep a write-ahead log",
                               sqlite3_db_filename(db, "main"));
        }
    }
    sqlite3_finalize(statement);
    return status;
}

static bool log_exists(const char *path) {
    char log[STATEMENT_BYTES];
    snprintf(log, sizeof log, "%s-wal", path);
    return access(log, F_OK) == 0;
}

/* Page size and vacuum only take in an empty file; the rest is per connection. */
static loam_status configure(sqlite3 *db, const schema *of, int memory_kb, loam_error *error) {
    LOAM_TRY(database_set(db, "page_size", of->page_bytes, error));
    LOAM_TRY(database_set(db, "auto_vacuum", 0, error));
    LOAM_TRY(use_log(db, error));
    LOAM_TRY(database_set(db, "secure_delete", 0, error));
    LOAM_TRY(database_set(db, "cache_size", -memory_kb, error));
    LOAM_TRY(database_set(db, "journal_size_limit", LOG_BYTES_KEPT, error));
    LOAM_TRY(database_set(db, "temp_store", 2, error));
    return database_set(db, "foreign_keys", 1, error);
}

void schema_copy_path(const char *path, int version, char copy[SCHEMA_COPY_PATH_BYTES]) {
    snprintf(copy, SCHEMA_COPY_PATH_BYTES, "%s.before-%d", path, version + 1);
}

/* A whole copy, log included, on the disk before the first change. */
static loam_status copy_before(sqlite3 *db, const char *path, int version, loam_error *error) {
    char copy[SCHEMA_COPY_PATH_BYTES];
    schema_copy_path(path, version, copy);
    if (unlink(copy) != 0 && errno != ENOENT) {
        return folder_fail(error, errno, "cannot replace", copy);
    }
    sqlite3_stmt *statement;
    LOAM_TRY(database_prepare(db, "VACUUM INTO ?1", &statement, error));
    database_bind_text(statement, 1, loam_text_of(copy));
    loam_status status = database_step_done(statement, error);
    sqlite3_finalize(statement);
    LOAM_TRY(status);
    int fd = open(copy, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return folder_fail(error, errno, "cannot open", copy);
    }
    int failed = fsync(fd) != 0 ? errno : 0;
    close(fd);
    return failed == 0 ? LOAM_OK : folder_fail(error, failed, "cannot sync", copy);
}

/* Whether this program may have the file. */
static loam_status judge_control(sqlite3 *db, const char *path, schema_state *state, int *version,
                                 loam_error *error) {
    schema_window window;
    LOAM_TRY(schema_inspect(db, &control_schema, state, version, error));
    if (*state == SCHEMA_FOREIGN) {
        return schema_fail_foreign(path, error);
    }
    if (*state != SCHEMA_NEWER) {
        return LOAM_OK;
    }
    LOAM_TRY(schema_window_read(db, *version, &window, error));
    return schema_window_check(&window, path, *version, control_schema.version, error);
}

/* What is refused is closed without bringing its log in: it is left byte for byte as it was. */
static loam_status prepare_control(sqlite3 *db, const char *path, loam_error *error) {
    schema_state state;
    int version;
    database_keep_log(db, log_exists(path));
    LOAM_TRY(judge_control(db, path, &state, &version, error));
    database_keep_log(db, false);
    if (state == SCHEMA_OLDER) {
        LOAM_TRY(copy_before(db, path, version, error));
    }
    LOAM_TRY(configure(db, &control_schema, CONTROL_MEMORY_KB, error));
    LOAM_TRY(database_run(db, "PRAGMA synchronous = FULL", error));
    return schema_migrate(db, &control_schema, version, error);
}

loam_status control_database_open(const char *path, sqlite3 **db, loam_error *error) {
    LOAM_TRY(database_open(path, db, error));
    loam_status status = prepare_control(*db, path, error);
    if (status != LOAM_OK) {
        database_close(*db);
        *db = NULL;
    }
    return status;
}

static void damage_mark(const char *path, char mark[STATEMENT_BYTES]) {
    snprintf(mark, STATEMENT_BYTES, "%s.damaged", path);
}

void cache_database_note_damage(const char *path) {
    char mark[STATEMENT_BYTES];
    damage_mark(path, mark);
    int fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, MARK_MODE);
    if (fd >= 0) {
        close(fd);
    }
}

/* The file and its log, under one name: a cache that was set aside before is replaced. */
static loam_status set_aside(const char *path, loam_error *error) {
    static const char *const PARTS[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        char from[STATEMENT_BYTES];
        char to[STATEMENT_BYTES];
        snprintf(from, sizeof from, "%s%s", path, PARTS[i]);
        snprintf(to, sizeof to, "%s.aside%s", path, PARTS[i]);
        if ((unlink(to) != 0 && errno != ENOENT) || (rename(from, to) != 0 && errno != ENOENT)) {
            return folder_fail(error, errno, "cannot set aside", from);
        }
    }
    char mark[STATEMENT_BYTES];
    damage_mark(path, mark);
    unlink(mark);
    return LOAM_OK;
}

static loam_status judge_cache(sqlite3 *db, const char *path, bool *usable, loam_error *error) {
    schema_state state;
    int version;
    char mark[STATEMENT_BYTES];
    damage_mark(path, mark);
    loam_error seen = {0};
    loam_status status = schema_inspect(db, &cache_schema, &state, &version, &seen);
    if (status == LOAM_DAMAGED) {
        *usable = false;
        return LOAM_OK;
    }
    if (status != LOAM_OK) {
        return loam_fail(error, status, NULL, "%s", seen.text);
    }
    if (state == SCHEMA_FOREIGN) {
        return schema_fail_foreign(path, error);
    }
    bool marked = access(mark, F_OK) == 0;
    *usable = !marked && (state == SCHEMA_EMPTY || state == SCHEMA_CURRENT);
    return LOAM_OK;
}

static loam_status prepare_cache(sqlite3 *db, loam_error *error) {
    schema_state state;
    int version;
    LOAM_TRY(configure(db, &cache_schema, CACHE_WRITER_MEMORY_KB, error));
    LOAM_TRY(database_set(db, "mmap_size", CACHE_MAP_BYTES, error));
    LOAM_TRY(database_run(db, "PRAGMA synchronous = NORMAL", error));
    LOAM_TRY(schema_inspect(db, &cache_schema, &state, &version, error));
    return schema_migrate(db, &cache_schema, version, error);
}

loam_status cache_database_open(const char *path, sqlite3 **db, loam_error *error) {
    bool usable = false;
    LOAM_TRY(database_open(path, db, error));
    loam_status status = judge_cache(*db, path, &usable, error);
    if (status == LOAM_OK && !usable) {
        database_close(*db);
        *db = NULL;
        LOAM_TRY(set_aside(path, error));
        LOAM_TRY(database_open(path, db, error));
    }
    if (status == LOAM_OK) {
        status = prepare_cache(*db, error);
    }
    if (status != LOAM_OK) {
        database_close(*db);
        *db = NULL;
    }
    return status;
}
