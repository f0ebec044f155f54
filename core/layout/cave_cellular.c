/* SPDX-License-Identifier: MIT
 *
 * cave_cellular.c: caves by a cellular automaton. Each cell is rock or open by its own draw; then a
 * few rounds make it what most of the nine cells around it are. Both depend on no more than
 * `rounds` cells around, so any window is the same part of the whole. Then small regions are filled
 * and the rest is joined, in linear time.
 */
#include "core/base/try.h"
#include "core/grid/bit_rows.h"
#include "core/grid/draw.h"
#include "core/grid/regions.h"
#include "core/layout/open_layout.h"

enum {
    CAVE_WALL_PERCENT = LAYOUT_PARAMS,
    CAVE_ROUNDS,
    CAVE_MIN_REGION,
    CAVE_JOIN_WIDTH,
    CAVE_CONNECT,
    CAVE_WINDOW,
    CAVE_PARAMS
};
enum { CONNECT_JOIN, CONNECT_NONE };
enum { WINDOW_X, WINDOW_Y, WINDOW_WIDTH, WINDOW_HEIGHT, WINDOW_FIELDS };

/* After eight rounds nothing changes that one would see. */
enum { ROUNDS_MAX = 8, MIN_REGION_MAX = 65536, JOIN_WIDTH_MAX = 9 };

/* Stairs stand in an open patch, so that no round and no filling takes it away. */
enum { PATCH_WIDTH = 3 };

static const char *const connects[] = {"join", "none", NULL};

static const loam_param_schema window_fields[WINDOW_FIELDS] = {
    PARAM("x", "West", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 0, LAYOUT_SIDE_MAX - 1, 1,
          "Its westernmost column."),
    PARAM("y", "North", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 0, LAYOUT_SIDE_MAX - 1, 1,
          "Its northernmost row."),
    PARAM("width", "Width", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 1, LAYOUT_SIDE_MAX, 1,
          "Cells from west to east."),
    PARAM("height", "Height", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 1, LAYOUT_SIDE_MAX, 1,
          "Cells from north to south."),
};

static const loam_param_schema cave_params[CAVE_PARAMS] = {
    LAYOUT_PARAM_ROWS(LAYOUT_SIDE_MAX),
    PARAM("wall_percent", "Rock", "%", INT, 0, 0, 45, 0, 100, 1,
          "Cells that begin as rock; above 50 caves fall apart into many small ones."),
    PARAM("rounds", "Rounds", "", INT, 0, 0, 5, 0, ROUNDS_MAX, 1,
          "So often each cell becomes what most of the nine around it are."),
    PARAM("min_region", "Least region", "", INT, 0, 0, 16, 0, MIN_REGION_MAX, 1,
          "Regions of fewer cells are filled, but the largest."),
    PARAM("join_width", "Width of passages", "", INT, 0, 0, 1, 1, JOIN_WIDTH_MAX, 1,
          "Of what joins regions."),
    PARAM_CHOICE("connect", "Connect", CONNECT_JOIN, connects, 2,
                 "Join all regions, or leave them apart."),
    {.key = "window",
     .label = "Window",
     .description = "A part of the whole alone; with one floor, connect none and min_region 0.",
     .unit = "",
     .kind = LOAM_PARAM_RECORD,
     .initial = LOAM_UNSET,
     .fields = window_fields,
     .field_count = WINDOW_FIELDS},
};

const loam_recipe cave_cellular_recipe = {
    .name = "cave.cellular",
    .version = 1,
    .title = "Cellular cave",
    .description = "A cave of round halls: random rock, smoothed, small regions filled, the others "
                   "joined by the shortest passages.",
    .params = cave_params,
    .param_count = CAVE_PARAMS,
};

static bool has_window(const loam_value *params) {
    return params[CAVE_WINDOW].kind == LOAM_VALUE_LIST;
}

/* What the layout shows of the whole. */
static loam_box shown_box(const loam_value *params, layout_size size) {
    if (!has_window(params)) {
        return (loam_box){0, 0, size.width, size.height};
    }
    const loam_value *fields = params[CAVE_WINDOW].items;
    return (loam_box){(int32_t)fields[WINDOW_X].integer, (int32_t)fields[WINDOW_Y].integer,
                      (int32_t)fields[WINDOW_WIDTH].integer,
                      (int32_t)fields[WINDOW_HEIGHT].integer};
}

/* What has to be computed for that. */
static loam_box computed_box(const loam_value *params, layout_size size) {
    loam_box halo = box_grown(shown_box(params, size), (int32_t)params[CAVE_ROUNDS].integer);
    return box_common(halo, (loam_box){0, 0, size.width, size.height});
}

static loam_status check_window(const loam_value *params, layout_size size, loam_error *error) {
    loam_box window = shown_box(params, size);
    if (layout_integer(params, LAYOUT_FLOORS) != 1) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/floors",
                         "a window is of a cave of one floor: stairs may lie outside of it");
    }
    if (layout_integer(params, CAVE_CONNECT) != CONNECT_NONE ||
        layout_integer(params, CAVE_MIN_REGION) != 0) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/window",
                         "a window needs connect none and min_region 0");
    }
    if (window.x + window.width > size.width) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/window/width",
                         "the window ends at %d, the cave at %d", window.x + window.width,
                         size.width);
    }
    if (window.y + window.height > size.height) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/window/height",
                         "the window ends at %d, the cave at %d", window.y + window.height,
                         size.height);
    }
    return LOAM_OK;
}

/* Stairs are open whatever begins as rock. */
static loam_status cave_check(const loam_value *params, layout_size size, loam_error *error) {
    if (has_window(params)) {
        return check_window(params, size, error);
    }
    bool all_rock = layout_integer(params, CAVE_WALL_PERCENT) == 100;
    return all_rock && layout_integer(params, LAYOUT_FLOORS) == 1
               ? loam_fail(error, LOAM_INFEASIBLE, "/params/wall_percent",
                           "a cave that is all rock has no floor: at most 99 percent may be")
               : LOAM_OK;
}

static uint64_t cave_steps(const loam_value *params, layout_size size) {
    uint64_t cells = (uint64_t)size.width * (uint64_t)size.height;
    return cells * (1 + (uint64_t)params[CAVE_ROUNDS].integer) + open_layout_steps(size);
}

static uint64_t cave_bytes(const loam_value *params, layout_size size) {
    (void)params;
    return 2 * bit_rows_bytes(size.width, size.height) + regions_bytes(size.width, size.height) +
           open_layout_bytes(size);
}

/* Open cells are ones, so that rock outside is what zeros outside are. */
static void draw_cells(const layout_call *call, loam_box box, bit_rows *open) {
    uint64_t wall = (uint64_t)layout_integer(call->params, CAVE_WALL_PERCENT);
    uint64_t limit = (wall << 32) / 100;
    loam_box inside = box_common(box, layout_inside(call->size));
    for (int32_t y = inside.y; y < inside.y + inside.height; y++) {
        uint64_t key = draw_for(call->seed, STAGE_CELL, (uint64_t)y, 0);
        uint64_t *row = bit_rows_row(open, y - box.y);
        for (int32_t x = inside.x; x < inside.x + inside.width; x++) {
            uint64_t is_open = draw_at(key, (uint32_t)x) >> 32 >= limit;
            int32_t at = x - box.x;
            row[at / BITS_A_WORD] |= is_open << (at % BITS_A_WORD);
        }
    }
}

static void open_patches(const layout_call *call, loam_box box, bit_rows *open) {
    loam_box inside = box_common(box, layout_inside(call->size));
    for (uint32_t i = 0; i < call->reserved_count; i++) {
        loam_spot at = call->reserved[i];
        loam_box patch = {at.x - PATCH_WIDTH / 2, at.y - PATCH_WIDTH / 2, PATCH_WIDTH, PATCH_WIDTH};
        loam_box in = box_common(patch, inside);
        for (int32_t y = in.y; y < in.y + in.height; y++) {
            bit_rows_put(open, y - box.y, in.x - box.x, in.x - box.x + in.width, true);
        }
    }
}

static bool joins(const loam_value *params) {
    return layout_integer(params, CAVE_CONNECT) == CONNECT_JOIN;
}

/* Windows know nothing of the whole, so what is not joined is never less than it was asked to be.
 */
static bool does_less(const layout_call *call) {
    return call->last_resort && joins(call->params);
}

/* Not even an entrance and an exit. */
static bool is_bare(const bit_rows *open) {
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)open->height * open->words && count < 2; i++) {
        count += bits_count(open->bits[i]);
    }
    return count < 2;
}

/* Fills regions that are too small, but for the largest, and those that hold stairs. */
static loam_status fill_small(layout_call *call, bit_rows *open) {
    uint32_t least = does_less(call) ? 0 : (uint32_t)layout_integer(call->params, CAVE_MIN_REGION);
    grid_regions regions;
    LOAM_TRY(regions_find(open, call->arena, &regions, call->error));
    uint32_t largest = regions.count == 0 ? 0 : regions_largest(&regions);
    for (int32_t y = 0; y < open->height; y++) {
        for (uint32_t i = regions.row_starts[y]; i < regions.row_starts[y + 1]; i++) {
            const region_run *run = &regions.runs[i];
            if (regions.areas[run->region] < least && run->region != largest) {
                bit_rows_put(open, y, run->x0, run->x1, false);
            }
        }
    }
    open_patches(call, (loam_box){0, 0, open->width, open->height}, open);
    return LOAM_OK;
}

/* The open cells of a box of the whole, after all rounds; exact but for `rounds` cells at sides
 * that are not those of the whole. As a last resort no round is done that leaves nothing. */
static loam_status smooth_cells(layout_call *call, loam_box box, bit_rows *open) {
    bit_rows other;
    int64_t rounds = layout_integer(call->params, CAVE_ROUNDS), done = 0;
    LOAM_TRY(bit_rows_take(box.width, box.height, call->arena, open, call->error));
    LOAM_TRY(bit_rows_take(box.width, box.height, call->arena, &other, call->error));
    draw_cells(call, box, open);
    LOAM_TRY(layout_poll(call));
    for (; done < rounds; done++) {
        bit_rows_majority(open, &other);
        if (does_less(call) && is_bare(&other)) {
            layout_give_up(call, "no-floor", "%d rounds leave no two cells open: %d are done",
                           (int)rounds, (int)done);
            break;
        }
        bit_rows swap = *open;
        *open = other;
        other = swap;
        LOAM_TRY(layout_poll(call));
    }
    open_patches(call, box, open);
    uint64_t cells = (uint64_t)box_area(box);
    (void)layout_count(call, cells * (1 + (uint64_t)done));
    return LOAM_OK;
}

static void show_window(const bit_rows *open, loam_box computed, loam_box shown, cell_grid *cells) {
    for (int32_t y = 0; y < shown.height; y++) {
        for (int32_t x = 0; x < shown.width; x++) {
            bool is_open = bit_rows_get(open, x + shown.x - computed.x, y + shown.y - computed.y);
            cells->cells[grid_index(cells, x, y)] = is_open ? LOAM_CELL_FLOOR : LOAM_CELL_WALL;
        }
    }
}

static loam_status cave_make(layout_call *call) {
    loam_box shown = shown_box(call->params, call->size);
    loam_box computed = computed_box(call->params, call->size);
    cell_grid cells;
    bit_rows open;
    LOAM_TRY(open_layout_begin(call, shown, &cells));
    LOAM_TRY(smooth_cells(call, computed, &open));
    if (has_window(call->params)) {
        show_window(&open, computed, shown, &cells);
    } else {
        LOAM_TRY(fill_small(call, &open));
        bit_rows_to_cells(&open, LOAM_CELL_FLOOR, &cells);
    }
    LOAM_TRY(layout_poll(call));
    int32_t width = (int32_t)layout_integer(call->params, CAVE_JOIN_WIDTH);
    return open_layout_end(call, &cells, joins(call->params) ? width : 0);
}

static bool cave_apart(const loam_value *params) {
    return !joins(params);
}

const recipe_code cave_cellular_code = {
    .check = cave_check,
    .steps = cave_steps,
    .bytes = cave_bytes,
    .make = cave_make,
    .apart = cave_apart,
    .can_do_less = true,
};
