/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_text.h: a dungeon for people and for text clients: rows of '#' wall, '.' floor, '+'
 * door, '@' entrance, '>' exit and stairs down, '<' stairs up; row 0 is north. Of several floors
 * each begins with a line "floor N".
 */
#ifndef LOAM_VIEW_DUNGEON_TEXT_H
#define LOAM_VIEW_DUNGEON_TEXT_H

#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"

LOAM_MUST_USE loam_status view_dungeon_text(const loam_dungeon *dungeon, text_buffer *to);

#endif
