/* SPDX-License-Identifier: MIT
 *
 * layout_rows.h: layouts drawn by hand, for tests: rows of '#', '.' and '+', a line each; '@' is
 * the entrance and '>' the exit.
 */
#ifndef LOAM_TESTS_SUPPORT_LAYOUT_ROWS_H
#define LOAM_TESTS_SUPPORT_LAYOUT_ROWS_H

#include "core/loam_dungeon.h"

#include <stdlib.h>
#include <string.h>

/* The grid from the arena; nothing but cells, entrance and exit. */
static inline loam_layout layout_of_rows(const char *rows, loam_arena *arena) {
    loam_layout layout = {
        .entrance = {-1, -1}, .exit = {-1, -1}, .stairs_up = {-1, -1}, .stairs_down = {-1, -1}};
    layout.width = (int32_t)strcspn(rows, "\n");
    layout.height = (int32_t)(strlen(rows) / ((size_t)layout.width + 1));
    layout.cells = loam_arena_take(arena, (size_t)layout.width, (size_t)layout.height);
    for (int32_t y = 0; y < layout.height; y++) {
        for (int32_t x = 0; x < layout.width; x++) {
            char cell = rows[y * (layout.width + 1) + x];
            layout.cells[y * layout.width + x] = cell == '#'   ? LOAM_CELL_WALL
                                                 : cell == '+' ? LOAM_CELL_DOOR
                                                               : LOAM_CELL_FLOOR;
            layout.entrance = cell == '@' ? (loam_spot){x, y} : layout.entrance;
            layout.exit = cell == '>' ? (loam_spot){x, y} : layout.exit;
        }
    }
    return layout;
}

#endif
