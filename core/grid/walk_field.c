/* SPDX-License-Identifier: MIT
 *
 * walk_field.c: see walk_field.h.
 */
#include "core/grid/walk_field.h"

#include "core/base/try.h"

#include <string.h>

static size_t field_cells(int32_t width, int32_t height) {
    return ((size_t)width + 2) * ((size_t)height + 2);
}

uint64_t walk_field_bytes(int32_t width, int32_t height) {
    enum { ALIGNMENTS = 128 };
    return (uint64_t)field_cells(width, height) * 2 * sizeof(uint32_t) + ALIGNMENTS;
}

loam_status walk_field_take(const cell_grid *cells, loam_arena *arena, walk_field *field,
                            loam_error *error) {
    size_t count = field_cells(cells->width, cells->height);
    *field = (walk_field){.stride = (size_t)cells->width + 2};
    field->steps = loam_arena_take(arena, count, sizeof *field->steps);
    field->queue = loam_arena_take(arena, count, sizeof *field->queue);
    LOAM_TRY_MEMORY(field->steps, error);
    LOAM_TRY_MEMORY(field->queue, error);
    return LOAM_OK;
}

/* As they are kept, one more than they say. */
enum { KEPT_CLOSED = 0 };
#define KEPT_UNREACHED (WALK_UNREACHED + 1)

static void clear_steps(walk_field *field, const cell_grid *cells) {
    size_t count = field_cells(cells->width, cells->height);
    memset(field->steps, KEPT_CLOSED, field->stride * sizeof *field->steps);
    memset(field->steps + count - field->stride, KEPT_CLOSED, field->stride * sizeof *field->steps);
    for (int32_t y = 0; y < cells->height; y++) {
        const uint8_t *restrict row = &cells->cells[grid_index(cells, 0, y)];
        uint32_t *restrict steps = &field->steps[((size_t)y + 1) * field->stride];
        steps[0] = KEPT_CLOSED;
        for (int32_t x = 0; x < cells->width; x++) {
            steps[x + 1] = row[x] == 0 ? KEPT_CLOSED : KEPT_UNREACHED;
        }
        steps[cells->width + 1] = KEPT_CLOSED;
    }
}

/* Without a branch, which would be a coin's toss: what was reached before has no more steps, and a
 * place that does not count is written over by the next. The queue has room for one too many, since
 * the ring is never reached. */
static inline size_t reach(walk_field *field, size_t reached, size_t place, uint32_t steps) {
    uint32_t before = field->steps[place];
    field->queue[reached] = (uint32_t)place;
    field->steps[place] = before < steps ? before : steps;
    return reached + (before == KEPT_UNREACHED);
}

void walk_field_fill(walk_field *field, const cell_grid *cells, loam_spot from) {
    clear_steps(field, cells);
    size_t stride = field->stride;
    size_t reached = reach(field, 0, ((size_t)from.y + 1) * stride + (size_t)from.x + 1, 1);
    for (size_t at = 0; at < reached; at++) {
        size_t place = field->queue[at];
        uint32_t steps = field->steps[place] + 1;
        reached = reach(field, reached, place - stride, steps);
        reached = reach(field, reached, place + 1, steps);
        reached = reach(field, reached, place + stride, steps);
        reached = reach(field, reached, place - 1, steps);
    }
    field->reached = reached;
}

loam_spot walk_field_farthest(const walk_field *field) {
    size_t best = field->queue[field->reached - 1];
    for (size_t at = field->reached; at > 0; at--) {
        size_t place = field->queue[at - 1];
        if (field->steps[place] != field->steps[best]) {
            break;
        }
        best = place < best ? place : best;
    }
    return (loam_spot){(int32_t)(best % field->stride) - 1, (int32_t)(best / field->stride) - 1};
}
