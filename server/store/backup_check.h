/* SPDX-License-Identifier: MIT
 *
 * backup_check.h: whether a copy of control.db is one: its pages and references hold, and it has as
 * many rows as the original, where nothing was committed there meanwhile.
 */
#ifndef LOAM_SERVER_STORE_BACKUP_CHECK_H
#define LOAM_SERVER_STORE_BACKUP_CHECK_H

#include "server/store/database.h"

/* How many rows each table has, and when that was: data_version changes with every commit of
 * another connection. */
typedef struct row_census {
    int64_t data_version;
    int64_t worlds;
    int64_t revisions;
    int64_t assets;
    int64_t documents;
    int64_t jobs;
    int64_t tasks;
} row_census;

LOAM_MUST_USE loam_status row_census_take(sqlite3 *db, row_census *census, loam_error *error);
/* LOAM_DAMAGED, unless the copy at `path` is sound and has the rows that the original had `before`,
 * which is not asked where it had changed `after`. */
LOAM_MUST_USE loam_status backup_check(const char *path, const row_census *before,
                                       const row_census *after, row_census *copied,
                                       loam_error *error);

#endif
