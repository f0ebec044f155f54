/* SPDX-License-Identifier: MIT
 *
 * cell_file.c: see cell_file.h.
 */
#include "api/cli/cell_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/output.h"
#include "api/wire/seed.h"
#include "core/base/try.h"

loam_status cell_file_path(const char *folder, int64_t x, int64_t z, const char *ending,
                           char path[SHELF_PATH_BYTES], loam_error *error) {
    int length =
        snprintf(path, SHELF_PATH_BYTES, "%s/%" PRId64 "_%" PRId64 "%s", folder, x, z, ending);
    return length > 0 && length < SHELF_PATH_BYTES
               ? LOAM_OK
               : loam_fail(error, LOAM_IO, NULL, "the folder's name is too long");
}

loam_status cell_file_write(const char *folder, int64_t x, int64_t z, const cell_file *file,
                            loam_error *error) {
    char path[SHELF_PATH_BYTES];
    char lines[2 * DIGEST_TEXT_BYTES + 1];
    LOAM_TRY(cell_file_path(folder, x, z, ".cell", path, error));
    LOAM_TRY(output_write(path, file->bytes.bytes, file->bytes.size, error));
    LOAM_TRY(cell_file_path(folder, x, z, ".key", path, error));
    int size = snprintf(lines, sizeof lines, "%s\n%s\n", file->key, file->id);
    return output_write(path, lines, (size_t)size, error);
}

bool cell_file_parse(const char *name, int64_t *x, int64_t *z) {
    const char *line = strchr(name, '_');
    const char *end = strrchr(name, '.');
    return line != NULL && end != NULL && line < end && strcmp(end, ".cell") == 0 &&
           coordinate_parse((loam_text){name, (size_t)(line - name)}, x) &&
           coordinate_parse((loam_text){line + 1, (size_t)(end - line - 1)}, z);
}
