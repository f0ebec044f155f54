/* SPDX-License-Identifier: MIT
 *
 * room_plan.h: rooms and corridors under construction, for every recipe that has them. In order:
 * room_plan_begin, room_plan_add for each room, room_plan_open, corridor_join for each pair, and
 * room_plan_end, which closes diagonal gaps, hangs doors, lists junctions and fills in the layout.
 *
 * A room is its box; the ring of cells around it is its wall, which a corridor crosses straight, in
 * a gate, and never runs along (save as a last way out). A corridor is a middle line, one cell
 * after another, and a square brush: `low` cells before the middle and `high` after it.
 */
#ifndef LOAM_LAYOUT_ROOM_PLAN_H
#define LOAM_LAYOUT_ROOM_PLAN_H

#include "core/grid/grid.h"
#include "core/layout/layout.h"

/* Rooms of a layout: two bytes hold one, and triangulation stays below 10 ms. */
enum { PLAN_ROOMS_MAX = 4096 };
/* Agents of any size that games have fit through; a brush of 81 cells. */
enum { CORRIDOR_WIDTH_MAX = 9 };

/* What a cell is to rooms. */
enum { ZONE_ROCK, ZONE_WALL, ZONE_ROOM };

/* What the brush touches when the middle of a corridor is here; BESIDE: it passes along a wall;
 * SHAPE: a room that is not just its box. */
enum { LANE_ROCK, LANE_BESIDE, LANE_WALL, LANE_ROOM, LANE_SHAPE, LANE_EDGE };

/* The cells of a room that is not just a box: its box and the ring around it, row by row; '#', '.',
 * and '+' where a gate may be. */
typedef struct room_shape {
    int32_t width, height;
    const char *cells;
} room_shape;

struct lane_search;

typedef struct room_plan {
    layout_call *call;
    loam_box inside;
    cell_grid cells; /* of the layout */
    cell_grid zones;
    cell_grid lanes; /* made when first asked for: straight corridors ask zones alone */
    cell_grid ways;  /* of middle lines: a bit for each way on, 1 << WAY_... */
    int32_t width, low, high;
    loam_room *rooms;
    const room_shape **shapes; /* NULL where a room is its box */
    uint32_t room_count, room_capacity;
    loam_room_edge *edges;
    loam_corridor *corridors; /* one an edge */
    uint32_t edge_count, edge_capacity;
    loam_spot *path; /* of all corridors, one after another */
    uint32_t path_count, path_capacity;
    uint32_t draft_count; /* of the one that is tried, after path_count */
    struct lane_search *search;
    bool lanes_open, bends; /* bends: there may be junctions */
} room_plan;

typedef struct room_plan_sizes {
    uint32_t rooms, edges;
    int32_t corridor_width;
} room_plan_sizes;

/* Memory of a plan, of searching and of finishing it, at most; and steps of so many tries to join.
 */
uint64_t room_plan_bytes(layout_size size, room_plan_sizes sizes);
uint64_t room_plan_steps(layout_size size, uint64_t joins);

LOAM_MUST_USE loam_status room_plan_begin(room_plan *plan, layout_call *call,
                                          room_plan_sizes sizes);

/* The next room; `shape` may be NULL and is borrowed. Its floor is laid. */
loam_room *room_plan_add(room_plan *plan, loam_box box, const room_shape *shape);

/* All rooms are there: what is a wall. */
void room_plan_open(room_plan *plan);

/* Makes the lanes unless they are there. */
void room_plan_open_lanes(room_plan *plan);

/* Lays the corridor of the draft between two rooms. */
void room_plan_lay(room_plan *plan, loam_room_edge edge);

/* The floor of all corridors anew, from their middle lines; what else is open outside rooms is not
 * any more. */
void room_plan_lay_again(room_plan *plan);

/* Everything into the layout. */
LOAM_MUST_USE loam_status room_plan_end(room_plan *plan);

/* Parts of room_plan_end. */
void passage_close_gaps(room_plan *plan);
LOAM_MUST_USE loam_status passage_list_junctions(room_plan *plan);
LOAM_MUST_USE loam_status passage_hang_doors(room_plan *plan);

#endif
