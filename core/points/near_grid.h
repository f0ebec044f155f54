/* SPDX-License-Identifier: MIT
 *
 * near_grid.h: a grid over the points of one set, for the nearest of them to any place. Its cells
 * hold about one point each; a search goes outwards ring by ring and ends at the first ring that
 * cannot hold a nearer one.
 */
#ifndef LOAM_POINTS_NEAR_GRID_H
#define LOAM_POINTS_NEAR_GRID_H

#include "core/points/point_set.h"

typedef struct near_grid {
    int64_t origin_x, origin_z; /* of cell (0, 0), in the world */
    int64_t cell;               /* side, units */
    int64_t columns, rows;
    const uint32_t *starts; /* of the cells' points, row by row; one more at the end */
    const int64_t *xz;      /* from the origin, in order of cells */
} near_grid;

/* Memory of the grid of so many points, at most. */
enum { NEAR_GRID_BYTES_EACH = 48 };

/* Of a compact set. The grid is the arena's. */
LOAM_MUST_USE loam_status near_grid_build(const point_set *compact, loam_arena *arena,
                                          near_grid *grid);

/* The squared distance to the nearest point nearer than `limit`, or UINT64_MAX. Adds the cells and
 * points that were looked at to `tests`. */
uint64_t near_grid_find(const near_grid *grid, int64_t x, int64_t z, int64_t limit,
                        uint64_t *tests);

#endif
