/* SPDX-License-Identifier: MIT
 *
 * backup_check.c: see backup_check.h.
 */
#include "server/store/backup_check.h"

#include "core/base/try.h"

loam_status row_census_take(sqlite3 *db, row_census *census, loam_error *error) {
    const struct {
        const char *sql;
        int64_t *number;
    } counts[] = {
        /* First: a commit between two of the counts is seen by the next census. */
        {"PRAGMA data_version", &census->data_version},
        {"SELECT count(*) FROM worlds", &census->worlds},
        {"SELECT count(*) FROM revisions", &census->revisions},
        {"SELECT count(*) FROM assets", &census->assets},
        {"SELECT count(*) FROM documents", &census->documents},
        {"SELECT count(*) FROM jobs", &census->jobs},
        {"SELECT count(*) FROM job_tasks", &census->tasks},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        LOAM_TRY(database_number(db, counts[i].sql, counts[i].number, error));
    }
    return LOAM_OK;
}

static bool has_same_rows(const row_census *a, const row_census *b) {
    return a->worlds == b->worlds && a->revisions == b->revisions && a->assets == b->assets &&
           a->documents == b->documents && a->jobs == b->jobs && a->tasks == b->tasks;
}

static loam_status check_open(sqlite3 *db, const char *path, row_census *copied,
                              loam_error *error) {
    bool sound;
    int64_t broken;
    LOAM_TRY(database_is_sound(db, "PRAGMA integrity_check(1)", &sound, error));
    LOAM_TRY(database_number(db, "SELECT count(*) FROM pragma_foreign_key_check", &broken, error));
    if (!sound || broken != 0) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "the copy %s is not sound", path);
    }
    return row_census_take(db, copied, error);
}

loam_status backup_check(const char *path, const row_census *before, const row_census *after,
                         row_census *copied, loam_error *error) {
    sqlite3 *db;
    LOAM_TRY(database_open_reader(path, &db, error));
    loam_status status = check_open(db, path, copied, error);
    database_close(db);
    LOAM_TRY(status);
    bool stood_still = before->data_version == after->data_version;
    return !stood_still || has_same_rows(copied, before)
               ? LOAM_OK
               : loam_fail(error, LOAM_DAMAGED, NULL, "the copy %s has other rows", path);
}
