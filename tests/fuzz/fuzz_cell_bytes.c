/* SPDX-License-Identifier: MIT
 *
 * fuzz_cell_bytes.c: bytes of a cell are refused with an error, or decode to points that encode to
 * the same bytes.
 */
#include "tests/fuzz/property.h"

#include <stdlib.h>

enum { ARENA_POINTS };

/* Columns of an input of some 100 KB at less than a byte each; larger ones may be refused. */
#define POINTS_BYTES ((size_t)32 << 20)

static void require_same_bytes(const loam_points *points, loam_text input) {
    size_t bound = loam_cell_bound(points);
    size_t size = 0;
    require(bound >= input.size, "the bound holds every form");
    char *buffer = malloc(bound);
    require(loam_cell_encode(points, buffer, bound, &size) == LOAM_OK, "points can be encoded");
    require_equal((loam_text){buffer, size}, input, "a cell has one spelling");
    require(loam_cell_encode(points, buffer, bound - 1, &size) == LOAM_BUFFER_TOO_SMALL,
            "a buffer below the bound is refused");
    free(buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    loam_points points;
    loam_error error = {0};
    loam_status status =
        loam_cell_decode(bytes, size, empty_arena(ARENA_POINTS, POINTS_BYTES), &points, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
        (void)loam_cell_count(bytes, size);
        return 0;
    }
    require(loam_cell_count(bytes, size) == points.count, "the header counts the points");
    require_same_bytes(&points, input_text(bytes, size));
    return 0;
}
