/* SPDX-License-Identifier: MIT
 *
 * stairs.c: see floor_build.h. Stairs keep a cell's distance from the border where there is room,
 * so that a room can stand around them.
 */
#include "core/dungeon/floor_build.h"
#include "core/grid/draw.h"

enum { ROOM_AROUND = 6 };

loam_spot stairs_between(uint64_t seed, uint32_t k, layout_size size) {
    loam_box in = layout_inside(size);
    if (in.width >= ROOM_AROUND && in.height >= ROOM_AROUND) {
        in = box_grown(in, -1);
    }
    int32_t half = in.width / 2;
    int32_t west = k % 2 == 0 ? in.x : in.x + half;
    int32_t wide = k % 2 == 0 ? half : in.width - half;
    uint64_t key = draw_for(seed, STAGE_STAIRS, k, 0);
    uint64_t column = draw_at(key, 0), row = draw_at(key, 1);
    int32_t x = draw_between(column, west, west + wide - 1);
    int32_t y = draw_between(row, in.y, in.y + in.height - 1);
    return (loam_spot){x, y};
}
