/* SPDX-License-Identifier: MIT
 *
 * mask.c: masks of neighbours: two orders of their bits, the 47 that are left when a corner counts
 * only between two edges, and the masks of a whole grid. Sources: Walker's CR31 (order of bits);
 * blob sets of 47 tiles.
 */
#include "core/assembly/mask.h"

#include "core/base/assert.h"
#include "core/base/try.h"

#include <string.h>

const char *loam_mask_order_name(loam_mask_order order) {
    return order == LOAM_MASK_EDGES_FIRST ? "edges-first" : "clockwise";
}

/* Where a bit of the clockwise order stands in the other: N, NE, E, SE, S, SW, W, NW. */
static const uint8_t edges_first_place[8] = {0, 4, 1, 5, 2, 6, 3, 7};

uint8_t loam_mask_convert(uint8_t mask, loam_mask_order from, loam_mask_order to) {
    unsigned made = 0;
    if (from == to) {
        return mask;
    }
    for (unsigned bit = 0; bit < 8; bit++) {
        unsigned other = edges_first_place[bit];
        bool set = from == LOAM_MASK_CLOCKWISE ? mask >> bit & 1 : mask >> other & 1;
        made |= (unsigned)set << (to == LOAM_MASK_CLOCKWISE ? bit : other);
    }
    return (uint8_t)made;
}

uint8_t loam_mask_reduce(uint8_t mask) {
    unsigned before = (unsigned)mask << 1 | mask >> 7, after = (unsigned)mask << 7 | mask >> 1;
    unsigned corners = mask & before & after & MASK_CORNERS;
    return (uint8_t)((mask & MASK_EDGES) | corners);
}

static const uint8_t blob_masks[LOAM_BLOB_COUNT] = {
    0,   1,   4,   5,   7,   16,  17,  20,  21,  23,  28,  29,  31,  64,  65,  68,
    69,  71,  80,  81,  84,  85,  87,  92,  93,  95,  112, 113, 116, 117, 119, 124,
    125, 127, 193, 197, 199, 209, 213, 215, 221, 223, 241, 245, 247, 253, 255};

uint8_t loam_blob_index(uint8_t mask) {
    uint8_t reduced = loam_mask_reduce(mask);
    uint8_t low = 0, high = LOAM_BLOB_COUNT - 1;
    while (low < high) {
        uint8_t middle = (uint8_t)((low + high) / 2);
        if (blob_masks[middle] < reduced) {
            low = (uint8_t)(middle + 1);
        } else {
            high = middle;
        }
    }
    return low;
}

uint8_t loam_blob_mask(uint8_t index) {
    return index < LOAM_BLOB_COUNT ? blob_masks[index] : 0;
}

/* One row of masks from three rows of 0 and 1, each with a cell more at both ends. */
static void mask_row(const uint8_t *restrict north, const uint8_t *restrict here,
                     const uint8_t *restrict south, int32_t width, uint8_t *restrict mask) {
    for (int32_t x = 0; x < width; x++) {
        int up = north[x + 1] | north[x + 2] << 1 | north[x] << 7;
        int down = south[x + 2] << 3 | south[x + 1] << 4 | south[x] << 5;
        mask[x] = (uint8_t)(up | down | here[x + 2] << 2 | here[x] << 6);
    }
}

loam_status mask_grid(const uint8_t *cells, mask_frame frame, uint8_t *mask, loam_arena *arena,
                      loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    size_t stride = (size_t)frame.width + 2, rows = (size_t)frame.height + 2;
    uint8_t *open = loam_arena_take(arena, rows, stride);
    LOAM_TRY_MEMORY(open, error);
    memset(open, frame.outside_open, rows * stride);
    for (int32_t y = 0; y < frame.height; y++) {
        const uint8_t *restrict row = cells + (size_t)y * (size_t)frame.width;
        uint8_t *restrict to = open + ((size_t)y + 1) * stride + 1;
        for (int32_t x = 0; x < frame.width; x++) {
            to[x] = row[x] != LOAM_CELL_WALL;
        }
    }
    for (int32_t y = 0; y < frame.height; y++) {
        const uint8_t *north = open + (size_t)y * stride;
        mask_row(north, north + stride, north + 2 * stride, frame.width,
                 mask + (size_t)y * (size_t)frame.width);
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}

void blob_grid(const uint8_t *mask, size_t count, uint8_t *blob) {
    uint8_t index[256];
    for (unsigned i = 0; i < sizeof index; i++) {
        index[i] = loam_blob_index((uint8_t)i);
    }
    for (size_t i = 0; i < count; i++) {
        blob[i] = index[mask[i]];
    }
}
