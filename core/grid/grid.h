/* SPDX-License-Identifier: MIT
 *
 * grid.h: cells and boxes: what every tool on grids of cells stands on. x runs east, y south;
 * grids are row-major. Knows no recipe.
 */
#ifndef LOAM_GRID_GRID_H
#define LOAM_GRID_GRID_H

#include "core/base/assert.h"
#include "core/loam_dungeon.h"

#include <string.h>

/* One byte a cell, of `width` times `height`. */
typedef struct cell_grid {
    int32_t width, height;
    uint8_t *cells;
} cell_grid;

/* North, east, south, west; opposite is (d + 2) & 3. */
enum { WAY_NORTH, WAY_EAST, WAY_SOUTH, WAY_WEST, WAY_COUNT };

static inline loam_spot spot_step(loam_spot at, uint32_t way) {
    static const int8_t dx[WAY_COUNT] = {0, 1, 0, -1}, dy[WAY_COUNT] = {-1, 0, 1, 0};
    return (loam_spot){at.x + dx[way], at.y + dy[way]};
}

static inline size_t grid_count(const cell_grid *grid) {
    return (size_t)grid->width * (size_t)grid->height;
}

static inline bool grid_has(const cell_grid *grid, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height;
}

static inline size_t grid_index(const cell_grid *grid, int32_t x, int32_t y) {
    return (size_t)y * (size_t)grid->width + (size_t)x;
}

/* The cell, or `outside` where there is none. */
static inline uint8_t grid_get(const cell_grid *grid, int32_t x, int32_t y, uint8_t outside) {
    return grid_has(grid, x, y) ? grid->cells[grid_index(grid, x, y)] : outside;
}

static inline void grid_set(cell_grid *grid, int32_t x, int32_t y, uint8_t value) {
    if (grid_has(grid, x, y)) {
        grid->cells[grid_index(grid, x, y)] = value;
    }
}

static inline bool box_has(loam_box box, int32_t x, int32_t y) {
    return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
}

static inline int64_t box_area(loam_box box) {
    return (int64_t)box.width * box.height;
}

/* Grown by `by` cells at each side. */
static inline loam_box box_grown(loam_box box, int32_t by) {
    return (loam_box){box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by};
}

/* What is in both; width or height is 0 where nothing is. */
static inline loam_box box_common(loam_box a, loam_box b) {
    int32_t x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int32_t ax = a.x + a.width, bx = b.x + b.width, ay = a.y + a.height, by = b.y + b.height;
    int32_t x1 = ax < bx ? ax : bx, y1 = ay < by ? ay : by;
    return (loam_box){x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

static inline bool box_meets(loam_box a, loam_box b) {
    loam_box common = box_common(a, b);
    return common.width > 0 && common.height > 0;
}

/* Twice the centre: no rounding. */
static inline loam_spot box_center2(loam_box box) {
    return (loam_spot){2 * box.x + box.width, 2 * box.y + box.height};
}

/* Sets every cell of a box, what is outside the grid left out. */
static inline void grid_fill(cell_grid *grid, loam_box box, uint8_t value) {
    loam_box in = box_common(box, (loam_box){0, 0, grid->width, grid->height});
    for (int32_t y = in.y; y < in.y + in.height && in.width > 0; y++) {
        memset(&grid->cells[grid_index(grid, in.x, y)], value, (size_t)in.width);
    }
}

#endif
