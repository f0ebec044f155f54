/* SPDX-License-Identifier: MIT
 *
 * hall.c: see floor_build.h: what is there when nothing else could be made.
 */
#include "core/base/try.h"
#include "core/dungeon/floor_build.h"

loam_status hall_make(layout_call *call) {
    loam_layout *out = call->out;
    size_t cells = (size_t)call->size.width * (size_t)call->size.height;
    out->width = call->size.width;
    out->height = call->size.height;
    out->cells = loam_arena_take_zero(call->arena, cells, 1);
    out->rooms = loam_arena_take_zero(call->arena, 1, sizeof *out->rooms);
    LOAM_TRY_MEMORY(out->cells, call->error);
    LOAM_TRY_MEMORY(out->rooms, call->error);
    cell_grid grid = {out->width, out->height, out->cells};
    grid_fill(&grid, layout_inside(call->size), LOAM_CELL_FLOOR);
    out->rooms[0].box = layout_inside(call->size);
    out->room_count = 1;
    call->steps += cells;
    return LOAM_OK;
}
