/* SPDX-License-Identifier: MIT
 *
 * spawn_sight.c: lines of sight, and which way in an ambush watches.
 */
#include "core/content/spawn_places.h"

static bool is_wall(const content_map *map, loam_spot at) {
    return map->layout->cells[(size_t)at.y * (size_t)map->width + (size_t)at.x] == LOAM_CELL_WALL;
}

static int32_t sign_of(int32_t value) {
    return (value > 0) - (value < 0);
}

/* Whether the line meets no wall between its ends; halves are rounded up, or down. */
static bool is_clear(const content_map *map, loam_spot from, loam_spot to, bool up) {
    int32_t dx = to.x - from.x, dy = to.y - from.y;
    int32_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
    int32_t length = ax > ay ? ax : ay, less = ax > ay ? ay : ax;
    for (int32_t i = 1; i < length; i++) {
        int32_t side = (2 * i * less + length - !up) / (2 * length);
        loam_spot at = ax > ay ? (loam_spot){from.x + i * sign_of(dx), from.y + side * sign_of(dy)}
                               : (loam_spot){from.x + side * sign_of(dx), from.y + i * sign_of(dy)};
        if (is_wall(map, at)) {
            return false;
        }
    }
    return true;
}

bool sight_is_hidden(const content_map *map, loam_spot from, loam_spot to) {
    return !is_clear(map, from, to, true) && !is_clear(map, from, to, false);
}

/* What is nearest so far. */
typedef struct nearest_way {
    loam_spot cell;
    int64_t distance2;
} nearest_way;

static void consider_way(const content_map *map, loam_spot at, uint32_t outward, loam_spot from,
                         nearest_way *best) {
    if (at.x < 0 || at.y < 0 || at.x >= map->width || at.y >= map->height || is_wall(map, at)) {
        return;
    }
    loam_spot before = spot_step(at, outward);
    bool outside =
        before.x < 0 || before.y < 0 || before.x >= map->width || before.y >= map->height;
    loam_spot cell = outside || is_wall(map, before) ? at : before;
    int64_t dx = at.x - from.x, dy = at.y - from.y, distance2 = dx * dx + dy * dy;
    if (best->distance2 < 0 || distance2 < best->distance2) {
        *best = (nearest_way){cell, distance2};
    }
}

loam_spot ambush_guards(const content_map *map, uint32_t cell) {
    nearest_way best = {map_spot(map, map->start), -1};
    if (map->room[cell] == LOAM_ROOM_NONE) {
        return best.cell;
    }
    loam_box box = map->layout->rooms[map->room[cell]].box;
    loam_spot from = map_spot(map, cell);
    for (int32_t x = box.x; x < box.x + box.width; x++) {
        consider_way(map, (loam_spot){x, box.y - 1}, WAY_NORTH, from, &best);
        consider_way(map, (loam_spot){x, box.y + box.height}, WAY_SOUTH, from, &best);
    }
    for (int32_t y = box.y; y < box.y + box.height; y++) {
        consider_way(map, (loam_spot){box.x + box.width, y}, WAY_EAST, from, &best);
        consider_way(map, (loam_spot){box.x - 1, y}, WAY_WEST, from, &best);
    }
    return best.cell;
}
