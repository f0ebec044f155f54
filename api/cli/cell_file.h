/* SPDX-License-Identifier: MIT
 *
 * cell_file.h: a cell in a folder, as `loam bake` and `loam cells` write it: X_Z.cell has its
 * canonical bytes, X_Z.key two lines, build key and digest. The bytes are written first: a key file
 * never speaks of bytes that are not there.
 */
#ifndef API_CLI_CELL_FILE_H
#define API_CLI_CELL_FILE_H

#include "api/cli/shelf.h"
#include "core/loam.h"

/* A cell file is bounded by the points of the largest cell; a key file has two lines. */
#define CELL_FILE_BYTES_MAX ((size_t)4 << 30)
#define CELL_KEY_FILE_BYTES_MAX 1024

typedef struct cell_file {
    loam_text bytes;
    const char *key;
    const char *id;
} cell_file;

/* FOLDER/X_Z and the ending (".cell", ".key"). */
LOAM_MUST_USE loam_status cell_file_path(const char *folder, int64_t x, int64_t z,
                                         const char *ending, char path[SHELF_PATH_BYTES],
                                         loam_error *error);
LOAM_MUST_USE loam_status cell_file_write(const char *folder, int64_t x, int64_t z,
                                          const cell_file *file, loam_error *error);
/* False when the name is not that of a cell's bytes. */
bool cell_file_parse(const char *name, int64_t *x, int64_t *z);

#endif
