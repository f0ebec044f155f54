/* SPDX-License-Identifier: MIT
 *
 * walk_guard.h: whether blocking a cell cuts what can be walked in two. Exact, and near constant
 * time a question, with no flood: cells that are walked 4-connected are parted exactly by closed
 * rings of 8-connected walls, so a cell can be blocked unless two of the gaps between the ways out
 * of it belong to one piece of wall. Pieces are kept by union and find, and walls are only added.
 */
#ifndef LOAM_CONTENT_WALK_GUARD_H
#define LOAM_CONTENT_WALK_GUARD_H

#include "core/content/content_map.h"

typedef struct walk_guard {
    content_map *map;
    uint32_t *parents; /* of walls, locked doors included: each side of those stays whole */
} walk_guard;

/* From `arena`; the map is borrowed, and so are changes to its walk. */
LOAM_MUST_USE loam_status walk_guard_init(walk_guard *guard, content_map *map, loam_arena *arena,
                                          loam_error *error);

/* Whether a free cell can be blocked: its region stays whole, and every blocked cell keeps a free
 * one beside it, from which it can be reached. */
bool walk_guard_allows(const walk_guard *guard, uint32_t cell);

/* Makes a free cell a wall. */
void walk_guard_block(walk_guard *guard, uint32_t cell);

#endif
