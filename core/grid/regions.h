/* SPDX-License-Identifier: MIT
 *
 * regions.h: which cells hang together by their sides. A row is cut into runs of set bits, and
 * runs that touch are one region (union by the first run, in one pass). Regions are numbered in
 * the order in which one meets them, row by row.
 */
#ifndef LOAM_GRID_REGIONS_H
#define LOAM_GRID_REGIONS_H

#include "core/grid/bit_rows.h"

/* Cells [x0, x1) of a row. */
typedef struct region_run {
    int32_t x0, x1;
    uint32_t region;
} region_run;

typedef struct grid_regions {
    int32_t width, height;
    const region_run *runs;
    const uint32_t *row_starts; /* of the rows' runs; one more at the end */
    const uint32_t *areas;      /* cells, by region */
    uint32_t count;
} grid_regions;

/* Memory of the regions of so many cells, at most. */
uint64_t regions_bytes(int32_t width, int32_t height);

LOAM_MUST_USE loam_status regions_find(const bit_rows *rows, loam_arena *arena,
                                       grid_regions *regions, loam_error *error);

/* The first one of the largest area; `count` must not be 0. */
uint32_t regions_largest(const grid_regions *regions);
/* Its first cell. */
loam_spot regions_first_cell(const grid_regions *regions, uint32_t region);
/* Of a cell; UINT32_MAX where the bit is 0. */
uint32_t regions_at(const grid_regions *regions, loam_spot at);

#endif
