/* SPDX-License-Identifier: MIT
 *
 * client_columns.c: canonical bytes as columns, in one piece of memory as large as their header
 * says. What core's codec reads is read where it came: nothing is copied before it.
 */
#include <stdlib.h>

#include "api/client/loam_client.h"

loam_status loam_client_columns_read(const void *bytes, size_t size, loam_client_columns *columns,
                                     loam_error *error) {
    size_t memory_size = loam_cell_memory(bytes, size);
    loam_arena arena;
    *columns = (loam_client_columns){0};
    if (memory_size == 0) {
        return loam_fail(error, LOAM_DAMAGED, NULL, "these are not the bytes of a cell");
    }
    columns->memory = malloc(memory_size);
    if (columns->memory == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for %zu bytes of columns",
                         memory_size);
    }
    loam_arena_init(&arena, columns->memory, memory_size);
    loam_status status = loam_cell_decode(bytes, size, &arena, &columns->points, error);
    if (status != LOAM_OK) {
        loam_client_columns_fini(columns);
    }
    return status;
}

void loam_client_columns_fini(loam_client_columns *columns) {
    free(columns->memory);
    *columns = (loam_client_columns){0};
}
