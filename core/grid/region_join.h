/* SPDX-License-Identifier: MIT
 *
 * region_join.h: joins regions of open cells through the rock between them, in linear time. One
 * breadth-first search starts from all regions at once; where the fronts of two meet is a possible
 * passage, as long as both ways back. Kruskal's tree over those takes the shortest first (ties: the
 * cell met first, row by row), and the ways back are dug out.
 */
#ifndef LOAM_GRID_REGION_JOIN_H
#define LOAM_GRID_REGION_JOIN_H

#include "core/grid/regions.h"

typedef struct join_options {
    loam_box within; /* where one may dig; every region is inside */
    int32_t width;   /* of a passage; an even one is a cell more to the east and the south */
    uint8_t value;   /* of what is dug out */
} join_options;

/* Memory of joining so many cells, at most; it is given back. */
uint64_t region_join_bytes(int32_t width, int32_t height);

/* `cells` holds `value` or another open value exactly where the regions are. Afterwards all hangs
 * together. Adds the cells it looked at to `steps`. */
LOAM_MUST_USE loam_status region_join(cell_grid *cells, const grid_regions *regions,
                                      join_options options, loam_arena *arena, uint64_t *steps,
                                      loam_error *error);

/* Sets the cells around a spot as a passage of a width does, inside `within` alone. */
void passage_dig(cell_grid *cells, loam_box within, loam_spot at, int32_t width, uint8_t value);

#endif
