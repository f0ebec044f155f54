/* SPDX-License-Identifier: MIT
 *
 * maze.c: a maze on a lattice, drawn with corridors and walls of any width.
 */
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/grid/lattice.h"
#include "core/layout/open_layout.h"

enum { MAZE_ALGORITHM = LAYOUT_PARAMS, MAZE_BRAID, MAZE_CORRIDOR, MAZE_WALL, MAZE_PARAMS };
enum { MAZE_WIDTH_MAX = 9, MAZE_PLACES_MIN = 2 };

/* In the order of lattice_algorithm. */
static const char *const algorithms[] = {"backtracker", "growing", "prim", "division", NULL};

static const loam_param_schema maze_params[MAZE_PARAMS] = {
    LAYOUT_PARAM_ROWS(LAYOUT_SIDE_MAX),
    PARAM_CHOICE("algorithm", "Algorithm", LATTICE_BACKTRACKER, algorithms, 4,
                 "Long ways, a mixture, short dead ends, or straight walls."),
    PARAM("braid_percent", "Braid", "%", INT, 0, 0, 0, 0, 100, 1,
          "Dead ends that get a second way; 100 leaves none."),
    PARAM("corridor_width", "Width of corridors", "", INT, 0, 0, 1, 1, MAZE_WIDTH_MAX, 1,
          "In cells."),
    PARAM("wall_width", "Width of walls", "", INT, 0, 0, 1, 1, MAZE_WIDTH_MAX, 1, "In cells."),
};

const loam_recipe maze_recipe = {
    .name = "maze",
    .version = 1,
    .title = "Maze",
    .description = "A maze in which all can be reached; without braiding in one way alone.",
    .params = maze_params,
    .param_count = MAZE_PARAMS,
};

/* Where the lattice lies: in the middle of the inside, as large as fits. */
typedef struct maze_frame {
    int32_t corridor, wall;
    int32_t columns, rows;
    int32_t x, y;
} maze_frame;

static maze_frame frame_of(const loam_value *params, layout_size size) {
    loam_box inside = layout_inside(size);
    maze_frame frame = {.corridor = (int32_t)layout_integer(params, MAZE_CORRIDOR),
                        .wall = (int32_t)layout_integer(params, MAZE_WALL)};
    int32_t pitch = frame.corridor + frame.wall;
    frame.columns = (inside.width + frame.wall) / pitch;
    frame.rows = (inside.height + frame.wall) / pitch;
    frame.x = inside.x + (inside.width + frame.wall - frame.columns * pitch) / 2;
    frame.y = inside.y + (inside.height + frame.wall - frame.rows * pitch) / 2;
    return frame;
}

static loam_status maze_check(const loam_value *params, layout_size size, loam_error *error) {
    maze_frame frame = frame_of(params, size);
    if (frame.columns * frame.rows < MAZE_PLACES_MIN) {
        loam_box inside = layout_inside(size);
        return loam_fail(error, LOAM_INFEASIBLE, "/params/corridor_width",
                         "%d x %d cells inside the border hold %d x %d places of a corridor of %d, "
                         "a maze has at least %d",
                         inside.width, inside.height, frame.columns, frame.rows, frame.corridor,
                         MAZE_PLACES_MIN);
    }
    return LOAM_OK;
}

static uint64_t maze_steps(const loam_value *params, layout_size size) {
    maze_frame frame = frame_of(params, size);
    uint64_t places = (uint64_t)frame.columns * (uint64_t)frame.rows;
    return places * 2 + open_layout_steps(size);
}

static uint64_t maze_bytes(const loam_value *params, layout_size size) {
    maze_frame frame = frame_of(params, size);
    return lattice_bytes(frame.columns, frame.rows) + open_layout_bytes(size);
}

/* A place, and the way east or south of it where it is open. */
static void draw_place(const lattice_grid *lattice, const maze_frame *frame, loam_spot at,
                       cell_grid *cells) {
    size_t place = (size_t)at.y * (size_t)lattice->columns + (size_t)at.x;
    int32_t pitch = frame->corridor + frame->wall;
    loam_box box = {frame->x + at.x * pitch, frame->y + at.y * pitch, frame->corridor,
                    frame->corridor};
    loam_box east = box, south = box;
    east.width = south.height = pitch;
    grid_fill(cells, box, LOAM_CELL_FLOOR);
    if (lattice_is_open(lattice, place, WAY_EAST)) {
        grid_fill(cells, east, LOAM_CELL_FLOOR);
    }
    if (lattice_is_open(lattice, place, WAY_SOUTH)) {
        grid_fill(cells, south, LOAM_CELL_FLOOR);
    }
}

static loam_status maze_make(layout_call *call) {
    maze_frame frame = frame_of(call->params, call->size);
    lattice_grid lattice;
    cell_grid cells;
    LOAM_TRY(
        open_layout_begin(call, (loam_box){0, 0, call->size.width, call->size.height}, &cells));
    LOAM_TRY(lattice_take(frame.columns, frame.rows, call->arena, &lattice, call->error));
    lattice_algorithm algorithm = (lattice_algorithm)layout_integer(call->params, MAZE_ALGORITHM);
    uint64_t key = draw_for(call->seed, STAGE_MAZE, 0, 0);
    LOAM_TRY(lattice_maze(&lattice, algorithm, key, call->arena, call->error));
    uint64_t braid = draw_for(call->seed, STAGE_BRAID, 0, 0);
    lattice_braid(&lattice, layout_integer(call->params, MAZE_BRAID), braid);
    (void)layout_count(call, 2 * lattice_count(&lattice));
    LOAM_TRY(layout_poll(call));
    for (int32_t row = 0; row < frame.rows; row++) {
        for (int32_t column = 0; column < frame.columns; column++) {
            draw_place(&lattice, &frame, (loam_spot){column, row}, &cells);
        }
    }
    for (uint32_t i = 0; i < call->reserved_count; i++) {
        grid_set(&cells, call->reserved[i].x, call->reserved[i].y, LOAM_CELL_FLOOR);
    }
    return open_layout_end(call, &cells, 1);
}

const recipe_code maze_code = {
    .check = maze_check,
    .steps = maze_steps,
    .bytes = maze_bytes,
    .make = maze_make,
};
