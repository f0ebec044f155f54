/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_text.c: see view_dungeon_text.h.
 */
#include "api/view/view_dungeon_text.h"

#include "api/view/dungeon_view.h"

#include <stdio.h>

static void write_floor(text_buffer *to, const loam_layout *layout) {
    char row[LOAM_DUNGEON_SIDE_MAX + 1];
    for (int32_t y = 0; y < layout->height; y++) {
        for (int32_t x = 0; x < layout->width; x++) {
            row[x] = dungeon_glyph(layout, x, y);
        }
        row[layout->width] = '\n';
        buffer_add(to, row, (size_t)layout->width + 1);
    }
}

loam_status view_dungeon_text(const loam_dungeon *dungeon, text_buffer *to) {
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        if (dungeon->floor_count > 1) {
            char head[32];
            (void)snprintf(head, sizeof head, "floor %u\n", dungeon->floors[i].number);
            buffer_add_text(to, head);
        }
        write_floor(to, &dungeon->floors[i].layout);
    }
    return buffer_status(to);
}
