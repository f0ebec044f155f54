/* SPDX-License-Identifier: MIT
 *
 * wave_path.c: see wave_path.h. Joints stand in the middle part of the fields of a coarse lattice,
 * and a path between two of them turns on the border of their fields: so no two paths run side by
 * side, which few tile sets allow.
 */
#include "core/layout/wave_path.h"

#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/grid/lattice.h"

/* Sides of a field, and what of it stays free at each side. */
enum { FIELD_SIDE = 12, FIELD_MARGIN = 4, HALL_SIDE = 3 };
/* A region apart is cut as a whole, or, a large one, in pieces; with a little around it, or more.
 */
enum { CUT_SIDE = 56, CUT_MARGIN = 2, CUT_MARGIN_MORE = 8, CUT_RESTARTS = 3 };
_Static_assert(CUT_SIDE + 2 * CUT_MARGIN_MORE <= WAVE_BLOCK_SIDE + WAVE_BLOCK_MORE,
               "a piece with all that is around it is a block");

typedef struct path_plan {
    wave_grid *grid;
    const wave_paths *paths;
    lattice_grid lattice;
} path_plan;

uint64_t wave_path_bytes(int32_t width, int32_t height) {
    return lattice_bytes(width / FIELD_SIDE + 1, height / FIELD_SIDE + 1) +
           bit_rows_bytes(width, height) + regions_bytes(width, height) +
           ((uint64_t)width * (uint64_t)height / 2 + 5) * sizeof(loam_box);
}

static void wish_box(wave_grid *grid, loam_box box, loam_box within, wave_wish wish) {
    cell_grid wishes = {grid->width, grid->height, grid->wishes};
    grid_fill(&wishes, box_common(box, within), (uint8_t)wish);
}

/* A straight line of walkable cells, both ends in it, as far as it lies in a box. */
static void wish_line_in(const path_plan *plan, loam_spot a, loam_spot b, loam_box within) {
    loam_box box = {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, 1, 1};
    box.width += a.x < b.x ? b.x - a.x : a.x - b.x;
    box.height += a.y < b.y ? b.y - a.y : a.y - b.y;
    wish_box(plan->grid, box, within, WAVE_WALK);
}

static void wish_line(const path_plan *plan, loam_spot a, loam_spot b) {
    wish_line_in(plan, a, b, plan->paths->inside);
}

static loam_box field_box(const path_plan *plan, int32_t column, int32_t row) {
    loam_box in = plan->paths->inside;
    int32_t x0 = in.width * column / plan->lattice.columns;
    int32_t x1 = in.width * (column + 1) / plan->lattice.columns;
    int32_t y0 = in.height * row / plan->lattice.rows;
    int32_t y1 = in.height * (row + 1) / plan->lattice.rows;
    return (loam_box){in.x + x0, in.y + y0, x1 - x0, y1 - y0};
}

/* A joint's place along one side of its field. */
static int32_t joint_along(uint64_t bits, int32_t from, int32_t side) {
    return side <= 2 * FIELD_MARGIN
               ? from + side / 2
               : draw_between(bits, from + FIELD_MARGIN, from + side - FIELD_MARGIN - 1);
}

static loam_spot joint_of(const path_plan *plan, int32_t column, int32_t row) {
    loam_box field = field_box(plan, column, row);
    uint32_t number = (uint32_t)(row * plan->lattice.columns + column);
    uint64_t across = draw_at(plan->paths->key, 2 * number);
    uint64_t down = draw_at(plan->paths->key, 2 * number + 1);
    return (loam_spot){joint_along(across, field.x, field.width),
                       joint_along(down, field.y, field.height)};
}

static void lay_east(const path_plan *plan, int32_t column, int32_t row) {
    loam_spot a = joint_of(plan, column, row), b = joint_of(plan, column + 1, row);
    int32_t x = field_box(plan, column + 1, row).x;
    wish_line(plan, a, (loam_spot){x, a.y});
    wish_line(plan, (loam_spot){x, a.y}, (loam_spot){x, b.y});
    wish_line(plan, (loam_spot){x, b.y}, b);
}

static void lay_south(const path_plan *plan, int32_t column, int32_t row) {
    loam_spot a = joint_of(plan, column, row), b = joint_of(plan, column, row + 1);
    int32_t y = field_box(plan, column, row + 1).y;
    wish_line(plan, a, (loam_spot){a.x, y});
    wish_line(plan, (loam_spot){a.x, y}, (loam_spot){b.x, y});
    wish_line(plan, (loam_spot){b.x, y}, b);
}

static void lay_joint(const path_plan *plan, int32_t column, int32_t row) {
    loam_spot at = joint_of(plan, column, row);
    size_t place = (size_t)row * (size_t)plan->lattice.columns + (size_t)column;
    int32_t side = plan->paths->style == WAVE_PATH_HALLS ? HALL_SIDE : 1;
    wish_box(plan->grid, (loam_box){at.x - side / 2, at.y - side / 2, side, side},
             plan->paths->inside, WAVE_WALK);
    if (lattice_is_open(&plan->lattice, place, WAY_EAST)) {
        lay_east(plan, column, row);
    }
    if (lattice_is_open(&plan->lattice, place, WAY_SOUTH)) {
        lay_south(plan, column, row);
    }
}

static loam_status lay_tree(path_plan *plan, loam_arena *arena, loam_error *error) {
    loam_box in = plan->paths->inside;
    bool line = plan->paths->style == WAVE_PATH_LINE;
    int32_t columns = in.width < FIELD_SIDE ? 1 : in.width / FIELD_SIDE;
    int32_t rows = in.height < FIELD_SIDE || line ? 1 : in.height / FIELD_SIDE;
    LOAM_TRY(lattice_take(columns, rows, arena, &plan->lattice, error));
    uint64_t key = mix64(plan->paths->key);
    LOAM_TRY(lattice_maze(&plan->lattice, LATTICE_GROWING, key, arena, error));
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            lay_joint(plan, column, row);
        }
    }
    return LOAM_OK;
}

static int32_t into(int32_t at, int32_t from, int32_t side) {
    return at < from ? from : at >= from + side ? from + side - 1 : at;
}

/* From a reserved cell, which may lie on the edge, to the joint of its field. */
static void join_reserved(const path_plan *plan, loam_spot at) {
    loam_box in = plan->paths->inside;
    const loam_box whole = {0, 0, plan->grid->width, plan->grid->height};
    loam_spot inner = {into(at.x, in.x, in.width), into(at.y, in.y, in.height)};
    int32_t column = 0, row = 0;
    while (column + 1 < plan->lattice.columns && field_box(plan, column + 1, row).x <= inner.x) {
        column++;
    }
    while (row + 1 < plan->lattice.rows && field_box(plan, column, row + 1).y <= inner.y) {
        row++;
    }
    loam_spot joint = joint_of(plan, column, row);
    wish_line_in(plan, at, (loam_spot){inner.x, at.y}, whole);
    wish_line_in(plan, (loam_spot){inner.x, at.y}, inner, whole);
    wish_line(plan, inner, (loam_spot){joint.x, inner.y});
    wish_line(plan, (loam_spot){joint.x, inner.y}, joint);
}

loam_status wave_path_lay(wave_grid *grid, wave_paths paths, loam_arena *arena, loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    path_plan plan = {.grid = grid, .paths = &paths};
    const loam_box whole = {0, 0, grid->width, grid->height};
    memset(grid->wishes, WAVE_ROCK, (size_t)grid->width * (size_t)grid->height);
    wish_box(grid, paths.inside, whole, WAVE_ANY);
    if (paths.style != WAVE_PATH_NONE) {
        LOAM_TRY(lay_tree(&plan, arena, error));
    }
    for (uint32_t i = 0; i < paths.reserved_count; i++) {
        loam_spot at = paths.reserved[i];
        wish_box(grid, (loam_box){at.x, at.y, 1, 1}, whole, WAVE_WALK);
        if (paths.style != WAVE_PATH_NONE) {
            join_reserved(&plan, at);
        }
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

loam_status wave_path_regions(wave_work *work, grid_regions *regions) {
    const wave_grid *grid = work->grid;
    bit_rows rows;
    LOAM_TRY(bit_rows_take(grid->width, grid->height, work->arena, &rows, work->error));
    for (int32_t y = 0; y < grid->height; y++) {
        for (int32_t x = 0; x < grid->width; x++) {
            uint16_t tile = grid->tiles[(size_t)y * (size_t)grid->width + (size_t)x];
            if (work->model->tiles[tile].walkable) {
                bit_rows_set(&rows, x, y);
            }
        }
    }
    return regions_find(&rows, work->arena, regions, work->error);
}

/* Pre-sets every cell as it is. */
static void wish_present(const wave_work *work) {
    size_t cells = (size_t)work->grid->width * (size_t)work->grid->height;
    for (size_t i = 0; i < cells; i++) {
        bool walkable = work->model->tiles[work->grid->tiles[i]].walkable;
        work->grid->wishes[i] = walkable ? WAVE_WALK : WAVE_ROCK;
    }
}

/* The least boxes around the regions. */
static loam_status find_boxes(const wave_work *work, const grid_regions *regions,
                              loam_box **boxes) {
    loam_box *box = loam_arena_take_zero(work->arena, regions->count, sizeof *box);
    LOAM_TRY_MEMORY(box, work->error);
    for (int32_t y = 0; y < regions->height; y++) {
        for (uint32_t i = regions->row_starts[y]; i < regions->row_starts[y + 1]; i++) {
            const region_run *run = &regions->runs[i];
            loam_box *own = &box[run->region];
            int32_t x0 = own->height == 0 || run->x0 < own->x ? run->x0 : own->x;
            int32_t x1 = own->x + own->width > run->x1 ? own->x + own->width : run->x1;
            int32_t y0 = own->height == 0 ? y : own->y;
            *own = (loam_box){x0, y0, x1 - x0, y + 1 - y0};
        }
    }
    *boxes = box;
    return LOAM_OK;
}

/* Pre-sets the cells of a region as rock. */
static void wish_region(wave_grid *grid, const grid_regions *regions, uint32_t region,
                        loam_box box) {
    for (int32_t y = box.y; y < box.y + box.height; y++) {
        for (uint32_t i = regions->row_starts[y]; i < regions->row_starts[y + 1]; i++) {
            const region_run *run = &regions->runs[i];
            if (run->region == region) {
                memset(&grid->wishes[(size_t)y * (size_t)grid->width + (size_t)run->x0], WAVE_ROCK,
                       (size_t)(run->x1 - run->x0));
            }
        }
    }
}

static bool has_walk_apart(const wave_work *work, loam_box box) {
    const wave_grid *grid = work->grid;
    for (int32_t y = box.y; y < box.y + box.height; y++) {
        for (int32_t x = box.x; x < box.x + box.width; x++) {
            size_t at = (size_t)y * (size_t)grid->width + (size_t)x;
            if (grid->wishes[at] == WAVE_ROCK && work->model->tiles[grid->tiles[at]].walkable) {
                return true;
            }
        }
    }
    return false;
}

static wave_verdict cut_piece(wave_work *work, loam_box box, uint64_t key) {
    static const int32_t margins[] = {CUT_MARGIN, CUT_MARGIN_MORE};
    const loam_box whole = {0, 0, work->grid->width, work->grid->height};
    wave_verdict verdict = WAVE_NONE;
    for (uint32_t i = 0; i < 2 && (verdict == WAVE_NONE || verdict == WAVE_SPENT); i++) {
        loam_box grown = box_common(box_grown(box, margins[i]), whole);
        verdict = wave_block_solve(work, grown, mix_pair(key, i), CUT_RESTARTS);
    }
    return verdict;
}

static wave_verdict cut_region(wave_work *work, loam_box box, uint64_t key) {
    for (int32_t y = box.y; y < box.y + box.height; y += CUT_SIDE) {
        for (int32_t x = box.x; x < box.x + box.width; x += CUT_SIDE) {
            loam_box piece = box_common((loam_box){x, y, CUT_SIDE, CUT_SIDE}, box);
            if (!has_walk_apart(work, piece)) {
                continue;
            }
            uint64_t place = (uint64_t)y << 32 | (uint64_t)x;
            wave_verdict verdict = cut_piece(work, piece, mix_pair(key, place));
            if (verdict != WAVE_DONE) {
                return verdict;
            }
        }
    }
    return WAVE_DONE;
}

/* One region after another, the others as they are. */
static loam_status cut_regions(wave_work *work, const grid_regions *regions, uint32_t kept,
                               uint64_t key, wave_verdict *verdict) {
    loam_box *boxes = NULL;
    LOAM_TRY(find_boxes(work, regions, &boxes));
    wish_present(work);
    *verdict = WAVE_DONE;
    for (uint32_t region = 0; region < regions->count && *verdict == WAVE_DONE; region++) {
        if (region != kept) {
            wish_region(work->grid, regions, region, boxes[region]);
            *verdict = cut_region(work, boxes[region], mix_pair(key, region));
        }
    }
    return LOAM_OK;
}

static bool are_reserved_in(const wave_paths *paths, const grid_regions *regions, uint32_t region) {
    for (uint32_t i = 0; i < paths->reserved_count; i++) {
        if (regions_at(regions, paths->reserved[i]) != region) {
            return false;
        }
    }
    return true;
}

loam_status wave_path_cut(wave_work *work, wave_paths paths, wave_verdict *verdict) {
    size_t mark = loam_arena_mark(work->arena);
    grid_regions regions;
    LOAM_TRY(wave_path_regions(work, &regions));
    *verdict = WAVE_NONE;
    uint32_t largest = regions.count == 0 ? 0 : regions_largest(&regions);
    if (regions.count > 0 && are_reserved_in(&paths, &regions, largest)) {
        uint64_t key = mix_pair(paths.key, 1);
        LOAM_TRY(cut_regions(work, &regions, largest, key, verdict));
    }
    loam_arena_reset(work->arena, mark);
    return LOAM_OK;
}
