/* SPDX-License-Identifier: MIT
 *
 * content_map.h: what each cell of a layout is to the rules of content: its room, its classes, how
 * far it is from the entrance, and what stands on it. Grids have a border of one cell of wall, so
 * that neighbours need no check; a cell is its index in them.
 */
#ifndef LOAM_CONTENT_CONTENT_MAP_H
#define LOAM_CONTENT_CONTENT_MAP_H

#include "core/content/content_rules.h"
#include "core/grid/grid.h"

/* Whether a cell can be walked. */
enum { WALK_NOT, WALK_FREE, WALK_LOCKED };

/* What holds of a cell, beside its classes (1 << content_where). */
enum {
    CELL_TAKEN = 1,       /* something stands there, or it is kept free */
    CELL_DOOR = 2,        /* of a door */
    CELL_BEFORE_DOOR = 4, /* beside one: not to be blocked */
    CELL_BLOCKED = 8,     /* by an object */
    CELL_STAIRS = 16,
};

#define STEPS_FAR UINT32_MAX

typedef struct content_map {
    const loam_layout *layout;
    int32_t width, height;
    uint32_t stride, cell_count; /* with the border */
    uint8_t *walk;               /* WALK_... */
    uint8_t *flags;              /* CELL_... */
    uint16_t *classes;
    uint32_t *room;  /* LOAM_ROOM_NONE outside of rooms and on doors */
    uint32_t *steps; /* from the entrance, or STEPS_FAR */
    uint32_t *queue; /* room for every cell: scratch of floods */
    uint32_t start;  /* the entrance; without one the first cell that can be walked */
    uint32_t reached;
} content_map;

static inline uint32_t map_cell(const content_map *map, loam_spot at) {
    return (uint32_t)(at.y + 1) * map->stride + (uint32_t)(at.x + 1);
}

static inline loam_spot map_spot(const content_map *map, uint32_t cell) {
    return (loam_spot){(int32_t)(cell % map->stride) - 1, (int32_t)(cell / map->stride) - 1};
}

/* The number of a cell in the layout's grid, which draws go by. */
static inline uint32_t map_number(const content_map *map, uint32_t cell) {
    loam_spot at = map_spot(map, cell);
    return (uint32_t)at.y * (uint32_t)map->width + (uint32_t)at.x;
}

/* The neighbour of a cell: clockwise from north, corners at odd numbers. */
static inline uint32_t map_around(const content_map *map, uint32_t cell, uint32_t way8) {
    static const int8_t dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    int32_t step = dy[way8 & 7] * (int32_t)map->stride + dx[way8 & 7];
    return cell + (uint32_t)step;
}

static inline uint32_t map_next(const content_map *map, uint32_t cell, uint32_t way) {
    return map_around(map, cell, way * 2);
}

/* Which of the eight neighbours are free: bit 0 is north, clockwise. */
static inline uint32_t map_mask(const content_map *map, uint32_t cell) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 8; i++) {
        mask |= (uint32_t)(map->walk[map_around(map, cell, i)] == WALK_FREE) << i;
    }
    return mask;
}

/* Everything from `arena`; the layout is borrowed. No door is locked yet. */
LOAM_MUST_USE loam_status content_map_build(const loam_layout *layout, loam_arena *arena,
                                            content_map *map, loam_error *error);

/* Steps from a cell over cells whose walk is FREE, and LOCKED where `open` (a byte a cell) is set;
 * NULL: all of them. `steps` has room for every cell. Returns how many cells were reached. */
uint32_t map_flood(const content_map *map, uint32_t from, const uint8_t *open, uint32_t *steps);

#endif
