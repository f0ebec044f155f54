/* SPDX-License-Identifier: MIT
 *
 * kept_files.h: which files of assets/ have a row, for the sweep at the start: all digests that
 * control.db names, read once and sorted, as a look-up in the database for each file would make the
 * start as slow as there are assets.
 */
#ifndef LOAM_SERVER_STORE_KEPT_FILES_H
#define LOAM_SERVER_STORE_KEPT_FILES_H

#include "server/store/database.h"

/* First 64 bits of each digest: that another file has the same only lets it stay. */
typedef struct kept_files {
    uint64_t *prefixes; /* owned, sorted */
    size_t count;
    size_t capacity;
} kept_files;

/* Begins as zeros; fini also after a failure. */
LOAM_MUST_USE loam_status kept_files_read(kept_files *kept, sqlite3 *db, loam_error *error);
bool kept_files_has(const kept_files *kept, const digest *of);
void kept_files_fini(kept_files *kept);

#endif
