/* SPDX-License-Identifier: MIT
 *
 * dungeon_colors.c: see dungeon_colors.h.
 */
#include "api/view/dungeon_colors.h"

#include "api/view/dungeon_view.h"

uint32_t dungeon_room_color(loam_room_kind kind) {
    static const uint32_t colors[] = {0xe9dfc4, 0xdcd0ae, 0xcbbd97, 0xd9a79a, 0xb9d3a8};
    return colors[kind];
}

uint32_t dungeon_spawn_color(loam_spawn_kind kind) {
    static const uint32_t colors[] = {DUNGEON_PATROL, DUNGEON_AMBUSH, DUNGEON_NEST};
    return colors[kind];
}

static bool is_walkable(const loam_layout *layout, int32_t x, int32_t y) {
    return x >= 0 && y >= 0 && x < layout->width && y < layout->height &&
           layout->cells[dungeon_cell(layout, x, y)] != LOAM_CELL_WALL;
}

static bool beside_walkable(const loam_layout *layout, int32_t x, int32_t y) {
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (is_walkable(layout, x + dx, y + dy)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_at(loam_spot spot, int32_t x, int32_t y) {
    return spot.x == x && spot.y == y;
}

uint32_t dungeon_cell_color(const loam_layout *layout, const loam_room *room, int32_t x,
                            int32_t y) {
    if (is_at(layout->entrance, x, y)) {
        return DUNGEON_ENTRANCE;
    }
    if (is_at(layout->exit, x, y)) {
        return DUNGEON_EXIT;
    }
    if (is_at(layout->stairs_up, x, y) || is_at(layout->stairs_down, x, y)) {
        return DUNGEON_STAIRS;
    }
    switch ((loam_cell)layout->cells[dungeon_cell(layout, x, y)]) {
    case LOAM_CELL_WALL:
        return beside_walkable(layout, x, y) ? DUNGEON_WALL : DUNGEON_ROCK;
    case LOAM_CELL_DOOR:
        return DUNGEON_DOOR;
    case LOAM_CELL_FLOOR:
        break;
    }
    return room != NULL ? dungeon_room_color(room->kind) : DUNGEON_GROUND;
}
