/* SPDX-License-Identifier: MIT
 *
 * loam_layout.h: the layout of a dungeon: which cells are walls, floors and doors, its rooms, and
 * how corridors join them, whatever recipe made it.
 *
 * Cells have x to the east and y to the south; row 0 is the northernmost. Grids are row-major,
 * width bytes a row. Everything is taken from the caller's arena unless said otherwise.
 */
#ifndef LOAM_LAYOUT_H
#define LOAM_LAYOUT_H

#include "core/loam.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Cells to a side at most: 4 M cells are 4 MB a grid. */
enum { LOAM_DUNGEON_SIDE_MAX = 2048 };

typedef struct loam_spot {
    int32_t x, y;
} loam_spot;

/* Cells left of x + width and above y + height. */
typedef struct loam_box {
    int32_t x, y, width, height;
} loam_box;

/* What a cell of a layout is. A door can be walked through. */
typedef enum loam_cell { LOAM_CELL_WALL, LOAM_CELL_FLOOR, LOAM_CELL_DOOR } loam_cell;

typedef enum loam_room_kind {
    LOAM_ROOM_SMALL,  /* at most 36 cells */
    LOAM_ROOM_MEDIUM, /* at most 100 */
    LOAM_ROOM_LARGE,
    LOAM_ROOM_BOSS,
    LOAM_ROOM_ENTRANCE,
} loam_room_kind;

typedef struct loam_room {
    uint32_t id; /* its index */
    loam_room_kind kind;
    loam_box box;
    loam_text name; /* of a mission or a template; empty */
} loam_room;

typedef enum loam_edge_role { LOAM_EDGE_TREE, LOAM_EDGE_LOOP } loam_edge_role;

/* Two rooms that a corridor joins, a < b. */
typedef struct loam_room_edge {
    uint32_t a, b;
    loam_edge_role role;
    int64_t length2; /* squared, between doubled centres */
    loam_text lock;  /* of a mission's edge; empty */
} loam_room_edge;

typedef struct loam_corridor {
    uint32_t a, b; /* rooms */
    int32_t width;
    const loam_spot *path; /* the middle line, one cell after another */
    uint32_t path_count;
} loam_corridor;

typedef enum loam_junction_kind {
    LOAM_JUNCTION_END,
    LOAM_JUNCTION_STRAIGHT,
    LOAM_JUNCTION_BEND,
    LOAM_JUNCTION_TEE,
    LOAM_JUNCTION_CROSS,
} loam_junction_kind;

typedef struct loam_junction {
    loam_spot at;
    int32_t width;
    loam_junction_kind kind;
    uint8_t ways; /* where corridors go on: north 1, east 2, south 4, west 8 */
} loam_junction;

typedef enum loam_axis { LOAM_AXIS_X, LOAM_AXIS_Y } loam_axis;

/* A run of `width` door cells from `at` along its axis; one walks across it. */
typedef struct loam_door {
    uint32_t id; /* its index */
    loam_spot at;
    int32_t width;
    loam_axis axis;
    loam_text lock; /* empty: a plain door */
} loam_door;

/* Detail of a level: what the floor looks like (variant 1 and up; 100 and up: decoration). */
typedef struct loam_layout {
    int32_t width, height;
    uint8_t *cells;         /* loam_cell */
    uint8_t *detail;        /* of level.roguelike and wfc.simple (the tile's index); else NULL */
    const loam_text *tiles; /* names of tiles of wfc.simple, "name turn"; else NULL */
    uint32_t tile_count;
    loam_room *rooms;
    uint32_t room_count;
    uint32_t rooms_wanted; /* 0 where none are asked for by number */
    loam_room_edge *edges;
    uint32_t edge_count;
    loam_corridor *corridors;
    uint32_t corridor_count;
    loam_junction *junctions;
    uint32_t junction_count;
    loam_door *doors;
    uint32_t door_count;
    loam_box *leaves; /* of dungeon.bsp */
    uint32_t leaf_count;
    loam_spot entrance, exit;         /* x is -1 where the recipe does not say */
    loam_spot stairs_up, stairs_down; /* of floors; x is -1 where there are none */
} loam_layout;

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
