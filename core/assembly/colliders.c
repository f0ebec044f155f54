/* SPDX-License-Identifier: MIT
 *
 * colliders.c: walls as few boxes, greedily: row by row from the west, a run of walls that no box
 * covers yet becomes one, as far south as the whole run is wall. A row that ends a box is looked at
 * as far as the box is wide, so all of it is linear in cells.
 */
#include "core/assembly/assembly.h"
#include "core/base/try.h"

#include <string.h>

enum { OPEN = 1 }; /* no wall, or covered */

/* How far a run of walls goes east from x. */
static int32_t run_of(const uint8_t *row, int32_t x, int32_t width) {
    const uint8_t *end = memchr(row + x, OPEN, (size_t)(width - x));
    return end == NULL ? width - x : (int32_t)(end - row) - x;
}

/* The box that begins at a wall; its cells are covered after. */
static loam_box take_box(uint8_t *open, const loam_layout *layout, int32_t x, int32_t y) {
    size_t stride = (size_t)layout->width;
    int32_t width = run_of(open + (size_t)y * stride, x, layout->width), height = 0;
    for (int32_t row = y; row < layout->height; row++, height++) {
        uint8_t *at = open + (size_t)row * stride + x;
        if (memchr(at, OPEN, (size_t)width) != NULL) {
            break;
        }
        memset(at, OPEN, (size_t)width);
    }
    return (loam_box){x, y, width, height};
}

/* Calls for every box, row by row; with `boxes` NULL they are only counted. */
static uint32_t take_boxes(uint8_t *open, const loam_layout *layout, loam_box *boxes) {
    uint32_t count = 0;
    for (int32_t y = 0; y < layout->height; y++) {
        const uint8_t *row = open + (size_t)y * (size_t)layout->width;
        const uint8_t *wall = row, *end = row + layout->width;
        while (wall < end && (wall = memchr(wall, 0, (size_t)(end - wall))) != NULL) {
            loam_box box = take_box(open, layout, (int32_t)(wall - row), y);
            if (boxes != NULL) {
                boxes[count] = box;
            }
            count++;
            wall += box.width;
        }
    }
    return count;
}

static void mark_open(const loam_layout *layout, uint8_t *open) {
    size_t cells = (size_t)layout->width * (size_t)layout->height;
    for (size_t i = 0; i < cells; i++) {
        open[i] = layout->cells[i] != LOAM_CELL_WALL;
    }
}

loam_status colliders_make(const loam_layout *layout, loam_arena *arena, loam_assembly *assembly,
                           loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    uint8_t *open = loam_arena_take(arena, (size_t)layout->width, (size_t)layout->height);
    LOAM_TRY_MEMORY(open, error);
    mark_open(layout, open);
    uint32_t count = take_boxes(open, layout, NULL);
    loam_arena_reset(arena, mark);
    loam_box *boxes = loam_arena_take(arena, count, sizeof *boxes);
    open = loam_arena_take(arena, (size_t)layout->width, (size_t)layout->height);
    LOAM_TRY_MEMORY(boxes, error);
    LOAM_TRY_MEMORY(open, error);
    mark_open(layout, open);
    assembly->collider_count = take_boxes(open, layout, boxes);
    assembly->colliders = boxes;
    return LOAM_OK;
}
