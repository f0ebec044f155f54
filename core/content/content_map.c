/* SPDX-License-Identifier: MIT
 *
 * content_map.c: see content_map.h.
 */
#include "core/content/content_map.h"

#include "core/base/try.h"

#include <string.h>

static loam_status take_grids(content_map *map, loam_arena *arena, loam_error *error) {
    map->walk = loam_arena_take_zero(arena, map->cell_count, sizeof *map->walk);
    LOAM_TRY_MEMORY(map->walk, error);
    map->flags = loam_arena_take_zero(arena, map->cell_count, sizeof *map->flags);
    LOAM_TRY_MEMORY(map->flags, error);
    map->classes = loam_arena_take_zero(arena, map->cell_count, sizeof *map->classes);
    LOAM_TRY_MEMORY(map->classes, error);
    map->room = loam_arena_take(arena, map->cell_count, sizeof *map->room);
    LOAM_TRY_MEMORY(map->room, error);
    memset(map->room, 0xff, map->cell_count * sizeof *map->room);
    map->steps = loam_arena_take(arena, map->cell_count, sizeof *map->steps);
    LOAM_TRY_MEMORY(map->steps, error);
    map->queue = loam_arena_take(arena, map->cell_count, sizeof *map->queue);
    LOAM_TRY_MEMORY(map->queue, error);
    return LOAM_OK;
}

static void copy_cells(content_map *map) {
    const uint8_t *from = map->layout->cells;
    for (int32_t y = 0; y < map->height; y++) {
        uint32_t cell = map_cell(map, (loam_spot){0, y});
        for (int32_t x = 0; x < map->width; x++, cell++, from++) {
            map->walk[cell] = *from == LOAM_CELL_WALL ? WALK_NOT : WALK_FREE;
            map->flags[cell] = *from == LOAM_CELL_DOOR ? CELL_DOOR | CELL_TAKEN : 0;
        }
    }
}

/* Where boxes overlap, as those of templates do, the first room has the cell. */
static void mark_rooms(content_map *map) {
    loam_box all = {0, 0, map->width, map->height};
    for (uint32_t r = map->layout->room_count; r-- > 0;) {
        loam_box box = box_common(map->layout->rooms[r].box, all);
        for (int32_t y = box.y; y < box.y + box.height; y++) {
            uint32_t cell = map_cell(map, (loam_spot){box.x, y});
            for (int32_t x = 0; x < box.width; x++, cell++) {
                bool inside = map->walk[cell] == WALK_FREE && (map->flags[cell] & CELL_DOOR) == 0;
                map->room[cell] = inside ? r : map->room[cell];
            }
        }
    }
}

/* Stairs and ends are kept free for what leads out of them. */
static void keep_free(content_map *map, loam_spot at) {
    if (at.x >= 0) {
        map->flags[map_cell(map, at)] |= CELL_TAKEN;
    }
}

static bool is_in_room(const content_map *map, uint32_t cell) {
    return map->layout->room_count == 0 || map->room[cell] != LOAM_ROOM_NONE;
}

/* The two cells along the wall, from beside a door away from it, on one side of the wall. */
static void mark_door_side(content_map *map, uint32_t cell, uint32_t along, uint32_t across) {
    uint32_t wall = cell, beside = map_next(map, cell, across);
    for (uint32_t i = 0; i < 2; i++) {
        wall = map_next(map, wall, along);
        beside = map_next(map, beside, along);
        if (map->walk[wall] != WALK_NOT || map->walk[beside] != WALK_FREE ||
            !is_in_room(map, beside)) {
            return;
        }
        map->classes[beside] |= 1u << WHERE_DOOR_SIDE;
    }
}

static void mark_doors(content_map *map) {
    for (uint32_t d = 0; d < map->layout->door_count; d++) {
        const loam_door *door = &map->layout->doors[d];
        uint32_t along = door->axis == LOAM_AXIS_X ? WAY_EAST : WAY_SOUTH;
        uint32_t across = door->axis == LOAM_AXIS_X ? WAY_SOUTH : WAY_EAST;
        uint32_t first = map_cell(map, door->at), cell = first, last = first;
        for (int32_t i = 0; i < door->width; i++) {
            map->flags[cell] |= CELL_DOOR | CELL_TAKEN;
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                map->flags[map_next(map, cell, way)] |= CELL_BEFORE_DOOR;
            }
            last = cell;
            cell = map_next(map, cell, along);
        }
        for (uint32_t side = across; side < across + 4; side += 2) {
            mark_door_side(map, first, along + 2, side);
            mark_door_side(map, last, along, side);
        }
    }
}

/* Of the ways that are free, clockwise from north. */
static uint32_t classes_of(const content_map *map, uint32_t cell) {
    uint32_t mask = map_mask(map, cell);
    uint32_t ways = (mask & 1) | (mask >> 1 & 2) | (mask >> 2 & 4) | (mask >> 3 & 8);
    bool one = ways != 0 && (ways & (ways - 1)) == 0;
    bool corner = ways == 3 || ways == 6 || ways == 12 || ways == 9;
    bool narrow = (ways & 5) == 0 || (ways & 10) == 0;
    bool room = is_in_room(map, cell);
    bool corridor = map->layout->room_count == 0 ? narrow : !room;
    return (uint32_t)one << WHERE_DEAD_END | (uint32_t)(corner && room) << WHERE_CORNER |
           (uint32_t)corridor << WHERE_CORRIDOR | (uint32_t)(mask == 0xff) << WHERE_OPEN |
           1u << WHERE_ANY;
}

/* Cells that nobody reaches have no class: nothing is put there. */
static void classify(content_map *map) {
    for (uint32_t cell = 0; cell < map->cell_count; cell++) {
        if (map->steps[cell] == STEPS_FAR || (map->flags[cell] & CELL_DOOR) != 0) {
            map->classes[cell] = 0;
        } else {
            map->classes[cell] |= (uint16_t)classes_of(map, cell);
        }
    }
}

static uint32_t find_start(const content_map *map) {
    loam_spot at = map->layout->entrance;
    uint32_t start = at.x >= 0 ? map_cell(map, at) : 0;
    for (uint32_t cell = 0; cell < map->cell_count && map->walk[start] == WALK_NOT; cell++) {
        start = map->walk[cell] != WALK_NOT ? cell : start;
    }
    return start;
}

loam_status content_map_build(const loam_layout *layout, loam_arena *arena, content_map *map,
                              loam_error *error) {
    uint32_t stride = (uint32_t)layout->width + 2;
    *map = (content_map){.layout = layout,
                         .width = layout->width,
                         .height = layout->height,
                         .stride = stride,
                         .cell_count = stride * ((uint32_t)layout->height + 2)};
    LOAM_TRY(take_grids(map, arena, error));
    copy_cells(map);
    mark_rooms(map);
    mark_doors(map);
    keep_free(map, layout->entrance);
    keep_free(map, layout->exit);
    keep_free(map, layout->stairs_up);
    keep_free(map, layout->stairs_down);
    map->start = find_start(map);
    map->reached = map_flood(map, map->start, NULL, map->steps);
    classify(map);
    return LOAM_OK;
}

uint32_t map_flood(const content_map *map, uint32_t from, const uint8_t *open, uint32_t *steps) {
    memset(steps, 0xff, map->cell_count * sizeof *steps);
    if (map->walk[from] == WALK_NOT) {
        return 0;
    }
    uint32_t head = 0, tail = 0;
    steps[from] = 0;
    map->queue[tail++] = from;
    while (head < tail) {
        uint32_t cell = map->queue[head++];
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            uint32_t next = map_next(map, cell, way);
            uint8_t walk = map->walk[next];
            bool enters =
                walk == WALK_FREE || (walk == WALK_LOCKED && (open == NULL || open[next]));
            if (enters && steps[next] == STEPS_FAR) {
                steps[next] = steps[cell] + 1;
                map->queue[tail++] = next;
            }
        }
    }
    return tail;
}
