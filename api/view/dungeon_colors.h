/* SPDX-License-Identifier: MIT
 *
 * dungeon_colors.h: what the pictures of dungeons are painted with, PNG and SVG alike. Internal to
 * api/view.
 */
#ifndef LOAM_VIEW_DUNGEON_COLORS_H
#define LOAM_VIEW_DUNGEON_COLORS_H

#include "core/loam_dungeon.h"

/* 0xRRGGBB. */
enum {
    DUNGEON_ROCK = 0x23262e,
    DUNGEON_WALL = 0x4a5060, /* rock beside what can be walked */
    DUNGEON_GROUND = 0xcfc4a8,
    DUNGEON_DOOR = 0x9c5a2d,
    DUNGEON_LOCKED = 0xd23b3b,
    DUNGEON_ENTRANCE = 0x2f9e57,
    DUNGEON_EXIT = 0x7c4dd1,
    DUNGEON_STAIRS = 0x3a7fc4,
    DUNGEON_TREE = 0x2f6fb5,
    DUNGEON_LOOP = 0xe0812a,
    DUNGEON_PATROL = 0xd6336c,
    DUNGEON_AMBUSH = 0xb02a1f,
    DUNGEON_NEST = 0x7a2fb0,
    DUNGEON_OBJECT = 0xc99a1c
};

uint32_t dungeon_room_color(loam_room_kind kind);
uint32_t dungeon_spawn_color(loam_spawn_kind kind);
/* Of a cell: what it is, and which room it is in (NULL: none). */
uint32_t dungeon_cell_color(const loam_layout *layout, const loam_room *room, int32_t x, int32_t y);

#endif
