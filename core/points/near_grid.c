/* SPDX-License-Identifier: MIT
 *
 * near_grid.c: see near_grid.h.
 */
#include "core/points/near_grid.h"

#include "core/base/fixed_math.h"
#include "core/base/try.h"

/* The closed box of a set's columns. */
typedef struct column_box {
    int64_t x0, z0, x1, z1;
} column_box;

static column_box box_of(const point_set *set) {
    column_box box = {set->x[0], set->z[0], set->x[0], set->z[0]};
    for (uint32_t i = 1; i < set->count; i++) {
        box.x0 = set->x[i] < box.x0 ? set->x[i] : box.x0;
        box.z0 = set->z[i] < box.z0 ? set->z[i] : box.z0;
        box.x1 = set->x[i] > box.x1 ? set->x[i] : box.x1;
        box.z1 = set->z[i] > box.z1 ? set->z[i] : box.z1;
    }
    return box;
}

/* A side for which there are at most 3 n + 2 cells, however thin the box is. */
static int64_t cell_side(const column_box *box, int64_t count) {
    int64_t width = box->x1 - box->x0 + 1, depth = box->z1 - box->z0 + 1;
    int64_t longer = width > depth ? width : depth;
    int64_t square = (int64_t)integer_root((uint64_t)(width * depth / count)) + 1;
    int64_t strip = longer / count + 1;
    return square > strip ? square : strip;
}

static uint64_t cell_of(const near_grid *grid, int64_t x, int64_t z) {
    return (uint64_t)(z / grid->cell * grid->columns + x / grid->cell);
}

/* A counting sort: how many are in each cell, where each cell begins, each point to its place. */
static loam_status sort_points(const point_set *set, const column_box *box, loam_arena *arena,
                               near_grid *grid) {
    uint64_t cells = (uint64_t)(grid->columns * grid->rows);
    uint32_t *starts = loam_arena_take_zero(arena, (size_t)cells + 2, sizeof *starts);
    int64_t *xz = loam_arena_take(arena, (size_t)set->count * 2 + 2, sizeof *xz);
    LOAM_TRY_MEMORY(starts, NULL);
    LOAM_TRY_MEMORY(xz, NULL);
    for (uint32_t i = 0; i < set->count; i++) {
        starts[cell_of(grid, set->x[i] - box->x0, set->z[i] - box->z0) + 2]++;
    }
    for (uint64_t cell = 2; cell < cells + 2; cell++) {
        starts[cell] += starts[cell - 1];
    }
    for (uint32_t i = 0; i < set->count; i++) {
        int64_t x = set->x[i] - box->x0, z = set->z[i] - box->z0;
        uint32_t at = starts[cell_of(grid, x, z) + 1]++;
        xz[2 * (size_t)at] = x;
        xz[2 * (size_t)at + 1] = z;
    }
    grid->starts = starts;
    grid->xz = xz;
    return LOAM_OK;
}

loam_status near_grid_build(const point_set *compact, loam_arena *arena, near_grid *grid) {
    *grid = (near_grid){.cell = 1};
    if (compact->count == 0) {
        return LOAM_OK;
    }
    column_box box = box_of(compact);
    grid->cell = cell_side(&box, compact->count);
    grid->columns = (box.x1 - box.x0) / grid->cell + 1;
    grid->rows = (box.z1 - box.z0) / grid->cell + 1;
    grid->origin_x = compact->base_x + box.x0;
    grid->origin_z = compact->base_z + box.z0;
    return sort_points(compact, &box, arena, grid);
}

/* One search: where it starts and the best so far. */
typedef struct near_search {
    const near_grid *grid;
    int64_t x, z;        /* from the origin */
    int64_t column, row; /* of its cell, which may lie outside the grid */
    uint64_t best;
    uint64_t tests;
} near_search;

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

/* Cells [first, last] of a row, cut to the grid. */
static void search_row(near_search *search, int64_t row, int64_t first, int64_t last) {
    const near_grid *grid = search->grid;
    search->tests++;
    if (row < 0 || row >= grid->rows || last < 0 || first >= grid->columns) {
        return;
    }
    first = clamp(first, 0, grid->columns - 1);
    last = clamp(last, 0, grid->columns - 1);
    uint32_t begin = grid->starts[row * grid->columns + first];
    uint32_t end = grid->starts[row * grid->columns + last + 1];
    for (uint32_t i = begin; i < end; i++) {
        int64_t dx = grid->xz[2 * (size_t)i] - search->x;
        int64_t dz = grid->xz[2 * (size_t)i + 1] - search->z;
        uint64_t squared = (uint64_t)(dx * dx + dz * dz);
        search->best = squared < search->best ? squared : search->best;
    }
    search->tests += end - begin;
}

/* Cells at a distance of exactly `ring` cells. */
static void search_ring(near_search *search, int64_t ring) {
    int64_t low = search->row - ring, high = search->row + ring;
    search_row(search, low, search->column - ring, search->column + ring);
    if (ring == 0) {
        return;
    }
    search_row(search, high, search->column - ring, search->column + ring);
    if (search->column - ring < 0 && search->column + ring >= search->grid->columns) {
        return;
    }
    int64_t from = low + 1 > 0 ? low + 1 : 0;
    int64_t end = high < search->grid->rows ? high : search->grid->rows;
    for (int64_t row = from; row < end; row++) {
        search_row(search, row, search->column - ring, search->column - ring);
        search_row(search, row, search->column + ring, search->column + ring);
    }
}

static int64_t outside_by(int64_t cell, int64_t count) {
    return cell < 0 ? -cell : cell >= count ? cell - count + 1 : 0;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

uint64_t near_grid_find(const near_grid *grid, int64_t x, int64_t z, int64_t limit,
                        uint64_t *tests) {
    if (grid->columns == 0) {
        return UINT64_MAX;
    }
    near_search search = {.grid = grid, .x = x - grid->origin_x, .z = z - grid->origin_z};
    search.column = floor_divide(search.x, grid->cell);
    search.row = floor_divide(search.z, grid->cell);
    search.best = (uint64_t)(limit * limit);
    const uint64_t none = search.best;
    int64_t first =
        larger(outside_by(search.column, grid->columns), outside_by(search.row, grid->rows));
    int64_t last = larger(larger(search.column, grid->columns - 1 - search.column),
                          larger(search.row, grid->rows - 1 - search.row));
    for (int64_t ring = first; ring <= last; ring++) {
        int64_t near = ring > 0 ? (ring - 1) * grid->cell : 0;
        if (near >= limit || (uint64_t)(near * near) >= search.best) {
            break;
        }
        search_ring(&search, ring);
    }
    *tests += search.tests;
    return search.best < none ? search.best : UINT64_MAX;
}
