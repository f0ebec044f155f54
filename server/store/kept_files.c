/* SPDX-License-Identifier: MIT
 *
 * kept_files.c: see kept_files.h.
 */
#include "server/store/kept_files.h"

#include "core/base/bytes.h"
#include "core/base/try.h"

#include <stdlib.h>

enum { CAPACITY_FIRST = 256 };

/* Both stand in the index of content digests: no row itself is read. */
static const char DIGESTS_SQL[] = "SELECT digest, content_digest FROM assets";

static int compare(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a;
    uint64_t two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

/* Room for two more. */
static loam_status grow(kept_files *kept, loam_error *error) {
    if (kept->count + 2 <= kept->capacity) {
        return LOAM_OK;
    }
    size_t capacity = kept->capacity == 0 ? CAPACITY_FIRST : kept->capacity * 2;
    uint64_t *prefixes = realloc(kept->prefixes, capacity * sizeof *prefixes);
    if (prefixes == NULL) {
        return loam_fail(error, LOAM_INTERNAL, NULL, "no memory for the names of assets");
    }
    kept->prefixes = prefixes;
    kept->capacity = capacity;
    return LOAM_OK;
}

static loam_status read_rows(kept_files *kept, sqlite3_stmt *rows, loam_error *error) {
    for (;;) {
        bool row;
        LOAM_TRY(database_step_row(rows, &row, error));
        if (!row) {
            return LOAM_OK;
        }
        LOAM_TRY(grow(kept, error));
        for (int column = 0; column < 2; column++) {
            digest of = database_column_digest(rows, column);
            kept->prefixes[kept->count++] = get_u64(of.bytes);
        }
    }
}

loam_status kept_files_read(kept_files *kept, sqlite3 *db, loam_error *error) {
    sqlite3_stmt *rows;
    LOAM_TRY(database_prepare(db, DIGESTS_SQL, &rows, error));
    loam_status status = read_rows(kept, rows, error);
    sqlite3_finalize(rows);
    if (kept->count > 0) {
        qsort(kept->prefixes, kept->count, sizeof kept->prefixes[0], compare);
    }
    return status;
}

bool kept_files_has(const kept_files *kept, const digest *of) {
    uint64_t prefix = get_u64(of->bytes);
    return kept->count > 0 &&
           bsearch(&prefix, kept->prefixes, kept->count, sizeof kept->prefixes[0], compare) != NULL;
}

void kept_files_fini(kept_files *kept) {
    free(kept->prefixes);
    *kept = (kept_files){0};
}
