/* SPDX-License-Identifier: MIT
 *
 * dungeon_view.h: what the views of dungeons share. Internal to api/view.
 */
#ifndef LOAM_VIEW_DUNGEON_VIEW_H
#define LOAM_VIEW_DUNGEON_VIEW_H

#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"

/* Words of the contract. Static. */
const char *dungeon_room_word(loam_room_kind kind);
const char *dungeon_junction_word(loam_junction_kind kind);
const char *dungeon_tile_word(loam_tile_kind kind);

/* The glyph of a cell: '#' wall, '.' floor, '+' door, '@' entrance, '>' exit and stairs down, '<'
 * stairs up. */
char dungeon_glyph(const loam_layout *layout, int32_t x, int32_t y);

static inline size_t dungeon_cell(const loam_layout *layout, int32_t x, int32_t y) {
    return (size_t)y * (size_t)layout->width + (size_t)x;
}

/* [x, y] as a JSON array. */
void dungeon_write_spot(text_buffer *to, loam_spot spot);

/* Fields of the two stages, of one floor, into the object that is open. */
void dungeon_write_layout(text_buffer *to, const loam_layout *layout);
void dungeon_write_assembly(text_buffer *to, const loam_layout *layout,
                            const loam_assembly *assembly);

#endif
