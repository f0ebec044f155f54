/* SPDX-License-Identifier: MIT
 *
 * schema_window.c: see schema_window.h.
 */
#include "server/store/schema_window.h"

#include "core/base/try.h"
#include "server/store/migrate.h"

#include <string.h>
#include <unistd.h>

static const char THERE_SQL[] = "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_info'";
static const char READER_SQL[] = "SELECT min_reader FROM schema_info";
static const char WRITER_SQL[] = "SELECT min_writer FROM schema_info";

loam_status schema_window_read(sqlite3 *db, int version, schema_window *window, loam_error *error) {
    int64_t there;
    int64_t reader = version;
    int64_t writer = version;
    LOAM_TRY(database_number(db, THERE_SQL, &there, error));
    if (there != 0) {
        LOAM_TRY(database_number(db, READER_SQL, &reader, error));
        LOAM_TRY(database_number(db, WRITER_SQL, &writer, error));
    }
    *window = (schema_window){(int)reader, (int)writer};
    return LOAM_OK;
}

/* The name of the copy that the newer program made of the file as this one knows it; NULL when
 * there is none. Points into `copy`. */
static const char *find_copy(const char *path, int known, char copy[SCHEMA_COPY_PATH_BYTES]) {
    schema_copy_path(path, known, copy);
    const char *slash = strrchr(copy, '/');
    return access(copy, F_OK) != 0 ? NULL : slash == NULL ? copy : slash + 1;
}

loam_status schema_window_check(const schema_window *window, const char *path, int version,
                                int known, loam_error *error) {
    char buffer[SCHEMA_COPY_PATH_BYTES];
    int needed = window->min_writer > window->min_reader ? window->min_writer : window->min_reader;
    if (known >= needed) {
        return LOAM_OK;
    }
    const char *copy = find_copy(path, known, buffer);
    return loam_fail(error, LOAM_VERSION_UNAVAILABLE, NULL,
                     "%s has schema %d, this loamd knows %d and may %s: upgrade loamd to one that "
                     "knows schema %d, or put %s in its place",
                     path, version, known,
                     known >= window->min_reader ? "read but not write it" : "not read it", needed,
                     copy == NULL ? "a backup from before" : copy);
}
