/* SPDX-License-Identifier: MIT
 *
 * mask.h: masks of neighbours, clockwise from north (N 1, NE 2, ... NW 128), one and by the grid.
 */
#ifndef LOAM_ASSEMBLY_MASK_H
#define LOAM_ASSEMBLY_MASK_H

#include "core/loam_dungeon.h"

enum { MASK_EDGES = 0x55, MASK_CORNERS = 0xaa, MASK_ALL = 0xff };

/* A mask turned clockwise by quarters: north becomes east. */
static inline uint8_t mask_turned(uint8_t mask, unsigned quarters) {
    unsigned bits = 2 * (quarters & 3);
    return (uint8_t)(mask << bits | mask >> (8 - bits));
}

typedef struct mask_frame {
    int32_t width, height;
    bool outside_open; /* what lies beyond the grid can be walked */
} mask_frame;

/* The mask of walkable neighbours of every cell. Scratch is given back. */
LOAM_MUST_USE loam_status mask_grid(const uint8_t *cells, mask_frame frame, uint8_t *mask,
                                    loam_arena *arena, loam_error *error);
/* Indices among the 47 for so many masks. */
void blob_grid(const uint8_t *mask, size_t count, uint8_t *blob);

#endif
