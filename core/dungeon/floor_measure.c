/* SPDX-License-Identifier: MIT
 *
 * floor_measure.c: the numbers of LOAM_METRICS, on the final grid that is walked on: after doors,
 * whatever the graph of rooms says. Bits of rows wherever that will do; one breadth-first search,
 * from the entrance, serves floor_finish too.
 */
#include "core/base/try.h"
#include "core/dungeon/floor_build.h"
#include "core/grid/bit_reach.h"
#include "core/grid/bit_squares.h"
#include "core/grid/regions.h"

/* Sides of squares that clearance asks about: larger agents than that are no longer walkers. */
enum { CLEARANCE_MAX = 3 };

/* Grids of bits that are alive at once, and takes of scratch of rooms. */
enum { GRIDS = 5, ROOM_BYTES = 64 };

uint64_t floor_measure_bytes(layout_size size) {
    uint64_t rooms = (uint64_t)size.width * (uint64_t)size.height / 4 + 1;
    return walk_field_bytes(size.width, size.height, rooms + 2) +
           GRIDS * bit_rows_bytes(size.width, size.height) +
           regions_bytes(size.width, size.height) + bit_reach_bytes(size.width, size.height) +
           rooms * ROOM_BYTES + 1024;
}

/* What the measures of one layout share. */
typedef struct measuring {
    floor_state *state;
    loam_arena *arena;
    loam_error *error;
    bit_rows rows, scratch[2];
} measuring;

static loam_status measure_regions(measuring *at) {
    loam_metrics *metrics = &at->state->metrics;
    const loam_layout *layout = at->state->layout;
    metrics->walkable = (int64_t)bit_rows_count(&at->rows);
    metrics->unreachable =
        metrics->walkable - (at->state->has_floor ? at->state->field.reached : 0);
    metrics->regions = 1;
    if (metrics->unreachable > 0 || !at->state->has_floor) {
        grid_regions regions;
        LOAM_TRY(regions_find(&at->rows, at->arena, &regions, at->error));
        metrics->regions = regions.count;
    }
    metrics->floor_percent = metrics->walkable * 100 / ((int64_t)layout->width * layout->height);
    metrics->dead_ends = (int64_t)bit_ends_count(&at->rows);
    if (layout->room_count == 0) {
        metrics->loops = metrics->regions - bit_euler(&at->rows);
    }
    return LOAM_OK;
}

static void measure_path(measuring *at) {
    loam_metrics *metrics = &at->state->metrics;
    uint32_t steps = walk_field_at(&at->state->field, at->state->layout->exit);
    metrics->path_steps = steps < WALK_UNREACHED ? (int64_t)steps : -1;
    metrics->path_permille =
        steps < WALK_UNREACHED ? (metrics->path_steps + 1) * 1000 / metrics->walkable : 0;
}

/* A cell is covered by a square of a side; `squares` are their north-western cells. */
static bool is_covered(const bit_rows *squares, loam_spot at, int32_t side) {
    for (int32_t i = 0; i < side * side; i++) {
        loam_spot from = {at.x - i % side, at.y - i / side};
        if (from.x >= 0 && from.y >= 0 && bit_rows_get(squares, from.x, from.y)) {
            return true;
        }
    }
    return false;
}

/* A walker of a side goes from the entrance to the exit: squares that cover the one hang together
 * with some that cover the other. */
static loam_status meets_exit(measuring *at, const bit_rows *squares, int32_t side, bool *meets) {
    bit_reach reach;
    loam_spot from = at->state->layout->entrance;
    size_t mark = loam_arena_mark(at->arena);
    LOAM_TRY(bit_reach_take(squares, at->arena, &reach, at->error));
    for (int32_t i = 0; i < side * side; i++) {
        bit_reach_start(&reach, (loam_spot){from.x - i % side, from.y - i / side});
    }
    bit_reach_run(&reach);
    *meets = is_covered(&reach.reached, at->state->layout->exit, side);
    loam_arena_reset(at->arena, mark);
    return LOAM_OK;
}

/* Squares of the next side are four of this one's, one apart. */
static loam_status measure_clearance(measuring *at) {
    const loam_layout *layout = at->state->layout;
    const bit_rows *squares = &at->rows;
    at->state->metrics.clearance = at->state->metrics.path_steps >= 0;
    for (int32_t side = 2; side <= CLEARANCE_MAX; side++) {
        bool meets;
        bit_rows *grown = &at->scratch[side % 2];
        if (at->state->metrics.clearance < side - 1 || !bit_squares_grow(squares, 1, grown) ||
            !is_covered(grown, layout->entrance, side) || !is_covered(grown, layout->exit, side)) {
            break;
        }
        LOAM_TRY(meets_exit(at, grown, side, &meets));
        at->state->metrics.clearance += meets;
        squares = grown;
    }
    return LOAM_OK;
}

static void measure_corridors(floor_state *state) {
    for (uint32_t i = 0; i < state->layout->corridor_count; i++) {
        int64_t length = state->layout->corridors[i].path_count;
        state->metrics.corridor_total += length;
        if (length > state->metrics.corridor_longest) {
            state->metrics.corridor_longest = length;
        }
    }
}

/* The kinds of the cells on both sides of a door's cell: across it, or along its run. */
static bool is_door_cell_good(const cell_grid *grid, loam_spot at, loam_axis axis) {
    int32_t dx = axis == LOAM_AXIS_X ? 0 : 1, dy = axis == LOAM_AXIS_X ? 1 : 0;
    return grid_get(grid, at.x, at.y, LOAM_CELL_WALL) == LOAM_CELL_DOOR &&
           grid_get(grid, at.x - dx, at.y - dy, LOAM_CELL_WALL) == LOAM_CELL_FLOOR &&
           grid_get(grid, at.x + dx, at.y + dy, LOAM_CELL_WALL) == LOAM_CELL_FLOOR;
}

static bool is_door_good(const cell_grid *grid, const loam_door *door) {
    int32_t dx = door->axis == LOAM_AXIS_X ? 1 : 0, dy = 1 - dx;
    for (int32_t i = 0; i < door->width; i++) {
        loam_spot at = {door->at.x + i * dx, door->at.y + i * dy};
        if (!is_door_cell_good(grid, at, door->axis)) {
            return false;
        }
    }
    int32_t end_x = door->at.x + door->width * dx, end_y = door->at.y + door->width * dy;
    return grid_get(grid, door->at.x - dx, door->at.y - dy, LOAM_CELL_WALL) == LOAM_CELL_WALL &&
           grid_get(grid, end_x, end_y, LOAM_CELL_WALL) == LOAM_CELL_WALL;
}

static void measure_doors(floor_state *state) {
    const loam_layout *layout = state->layout;
    cell_grid grid = {layout->width, layout->height, layout->cells};
    state->metrics.doors = layout->door_count;
    for (uint32_t i = 0; i < layout->door_count; i++) {
        state->metrics.door_faults += !is_door_good(&grid, &layout->doors[i]);
    }
}

static loam_status measure_all(measuring *at) {
    const loam_layout *layout = at->state->layout;
    cell_grid grid = {layout->width, layout->height, layout->cells};
    LOAM_TRY(bit_rows_take(layout->width, layout->height, at->arena, &at->rows, at->error));
    LOAM_TRY(bit_rows_take(layout->width, layout->height, at->arena, &at->scratch[0], at->error));
    LOAM_TRY(bit_rows_take(layout->width, layout->height, at->arena, &at->scratch[1], at->error));
    bit_rows_of_cells(&grid, &at->rows);
    LOAM_TRY(measure_regions(at));
    int32_t open = bit_squares_largest(&at->rows, at->scratch);
    at->state->metrics.largest_open = (int64_t)open * open;
    at->state->metrics.path_steps = -1;
    if (at->state->has_floor) {
        measure_path(at);
        LOAM_TRY(measure_clearance(at));
    }
    measure_corridors(at->state);
    measure_doors(at->state);
    return floor_measure_rooms(at->state, at->arena, at->error);
}

loam_status floor_measure(floor_state *state, loam_arena *arena, loam_error *error) {
    measuring at = {.state = state, .arena = arena, .error = error};
    size_t mark = loam_arena_mark(arena);
    LOAM_TRY(measure_all(&at));
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}
