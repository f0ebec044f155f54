/* SPDX-License-Identifier: MIT
 *
 * walk_field.c: see walk_field.h. A front moves through a block of 8 x 8 cells in a few operations
 * on its word: fronts run across, so that a block holds up to eight of their cells.
 */
#include "core/grid/walk_field.h"

#include "core/base/try.h"
#include "core/grid/bit_rows.h"

#include <string.h>

enum { BLOCK_SIDE = 8 };
#define BLOCK_WEST 0x0101010101010101u
#define BLOCK_EAST 0x8080808080808080u

static uint32_t blocks_along(int32_t side) {
    return ((uint32_t)side + BLOCK_SIDE - 1) / BLOCK_SIDE + 2;
}

static uint64_t block_total(int32_t width, int32_t height) {
    return (uint64_t)blocks_along(width) * blocks_along(height);
}

uint64_t walk_field_bytes(int32_t width, int32_t height, uint64_t asked) {
    enum { ALIGNMENTS = 256 };
    return block_total(width, height) *
               (sizeof(walk_block) + sizeof(uint64_t) + 3 * sizeof(uint32_t)) +
           asked * sizeof(uint32_t) + ALIGNMENTS;
}

loam_status walk_field_take(const cell_grid *cells, uint32_t asked_capacity, loam_arena *arena,
                            walk_field *field, loam_error *error) {
    *field = (walk_field){.width = cells->width, .height = cells->height};
    field->stride = blocks_along(cells->width);
    field->block_count = (uint32_t)block_total(cells->width, cells->height);
    field->asked_capacity = asked_capacity;
    field->blocks = loam_arena_take(arena, field->block_count, sizeof *field->blocks);
    field->lists[0] = loam_arena_take(arena, field->block_count, sizeof **field->lists);
    field->lists[1] = loam_arena_take(arena, field->block_count, sizeof **field->lists);
    field->fronts = loam_arena_take(arena, field->block_count, sizeof *field->fronts);
    field->firsts = loam_arena_take(arena, field->block_count, sizeof *field->firsts);
    field->asked_steps = loam_arena_take(arena, asked_capacity, sizeof *field->asked_steps);
    LOAM_TRY_MEMORY(field->blocks, error);
    LOAM_TRY_MEMORY(field->lists[0], error);
    LOAM_TRY_MEMORY(field->lists[1], error);
    LOAM_TRY_MEMORY(field->fronts, error);
    LOAM_TRY_MEMORY(field->firsts, error);
    LOAM_TRY_MEMORY(field->asked_steps, error);
    return LOAM_OK;
}

static uint32_t block_of(const walk_field *field, loam_spot at) {
    return ((uint32_t)at.y / BLOCK_SIDE + 1) * field->stride + (uint32_t)at.x / BLOCK_SIDE + 1;
}

static uint64_t bit_of(loam_spot at) {
    return (uint64_t)1 << (at.y % BLOCK_SIDE * BLOCK_SIDE + at.x % BLOCK_SIDE);
}

/* The bits of up to eight cells of a row. */
static uint64_t row_bits(const uint8_t *row, int32_t count) {
    uint64_t bits = 0;
    if (count >= BLOCK_SIDE) {
        return bits_of_cells(row);
    }
    for (int32_t i = 0; i < count; i++) {
        bits |= (uint64_t)(row[i] != 0) << i;
    }
    return bits;
}

static int64_t count_open(const walk_field *field) {
    int64_t count = 0;
    for (uint32_t i = 0; i < field->block_count; i++) {
        count += bits_count(field->blocks[i].open);
    }
    return count;
}

void walk_field_open(walk_field *field, const cell_grid *cells) {
    memset(field->blocks, 0, field->block_count * sizeof *field->blocks);
    for (int32_t y = 0; y < cells->height; y++) {
        const uint8_t *row = &cells->cells[grid_index(cells, 0, y)];
        walk_block *block = &field->blocks[block_of(field, (loam_spot){0, y})];
        for (int32_t x = 0; x < cells->width; x += BLOCK_SIDE, block++) {
            uint64_t bits = row_bits(row + x, cells->width - x);
            block->open |= bits << (y % BLOCK_SIDE * BLOCK_SIDE);
        }
    }
    field->asked_count = 0;
    field->walkable = count_open(field);
}

void walk_field_ask(walk_field *field, loam_spot at) {
    if (at.x < 0 || at.y < 0 || at.x >= field->width || at.y >= field->height) {
        return;
    }
    walk_block *block = &field->blocks[block_of(field, at)];
    uint64_t bit = bit_of(at) & block->open & ~block->asked;
    block->asked |= bit;
    field->asked_count += bit != 0;
    LOAM_ASSERT(field->asked_count <= field->asked_capacity);
}

/* Where the steps of each block's asked cells are. */
static void number_asked(walk_field *field) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < field->block_count; i++) {
        field->firsts[i] = count;
        count += bits_count(field->blocks[i].asked);
    }
    for (uint32_t i = 0; i < count; i++) {
        field->asked_steps[i] = WALK_UNREACHED;
    }
}

static uint32_t *asked_place(const walk_field *field, uint32_t at, uint64_t bit) {
    return &field->asked_steps[field->firsts[at] + bits_count(field->blocks[at].asked & (bit - 1))];
}

static void note_steps(walk_field *field, uint32_t at, uint64_t asked, uint32_t steps) {
    for (; asked != 0; asked &= asked - 1) {
        *asked_place(field, at, asked & (0 - asked)) = steps;
    }
}

/* One step of all fronts: what is reached by it, and the blocks that hold any of that. */
typedef struct walk_step {
    walk_field *field;
    walk_block *blocks;
    uint32_t *list;
    uint32_t count, steps;
} walk_step;

static walk_step step_begin(walk_field *field, uint32_t steps) {
    return (walk_step){field, field->blocks, field->lists[steps & 1], 0, steps};
}

/* The cells of a block that are reached now, of those that may be: mostly none, but no processor
 * guesses when, so that nothing branches on it. */
static inline void reach(walk_step *step, uint32_t at, uint64_t bits) {
    walk_block *block = &step->blocks[at];
    bits &= block->open;
    step->list[step->count] = at;
    step->count += (block->front == 0) & (bits != 0);
    block->open ^= bits;
    block->front |= bits;
    if ((bits & block->asked) != 0) {
        note_steps(step->field, at, bits & block->asked, step->steps);
    }
}

/* A step on from all cells of a block's front. */
static inline void spread(walk_step *step, uint32_t at, uint64_t front, uint32_t stride) {
    uint64_t east = front & BLOCK_EAST, west = front & BLOCK_WEST;
    reach(step, at, front << 8 | front >> 8 | (front ^ east) << 1 | (front ^ west) >> 1);
    reach(step, at - stride, front << 56);
    reach(step, at + stride, front >> 56);
    reach(step, at + 1, east >> 7);
    reach(step, at - 1, west << 7);
}

/* From the blocks that were reached last. Returns how many blocks were reached. */
static uint32_t spread_all(walk_field *field, uint32_t count, uint32_t steps) {
    const uint32_t *list = field->lists[(steps & 1) ^ 1];
    walk_step step = step_begin(field, steps);
    for (uint32_t i = 0; i < count; i++) {
        field->fronts[i] = field->blocks[list[i]].front;
        field->blocks[list[i]].front = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        spread(&step, list[i], field->fronts[i], field->stride);
    }
    return step.count;
}

/* The first cell of the last fronts, row by row; from those no step went on. */
static loam_spot first_of(const walk_field *field, uint32_t count, uint32_t steps) {
    loam_spot first = {field->width, field->height};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = field->lists[steps & 1][i];
        int32_t bit = (int32_t)__builtin_ctzll(field->fronts[i]);
        int32_t x = (int32_t)(at % field->stride - 1) * BLOCK_SIDE + bit % BLOCK_SIDE;
        int32_t y = (int32_t)(at / field->stride - 1) * BLOCK_SIDE + bit / BLOCK_SIDE;
        if (y < first.y || (y == first.y && x < first.x)) {
            first = (loam_spot){x, y};
        }
    }
    return first;
}

void walk_field_fill(walk_field *field, loam_spot from) {
    walk_step begin = step_begin(field, 0);
    field->from = from;
    number_asked(field);
    reach(&begin, block_of(field, from), bit_of(from));
    uint32_t steps = 0, count = begin.count, next;
    while ((next = spread_all(field, count, steps + 1)) > 0) {
        count = next;
        steps++;
    }
    field->farthest = first_of(field, count, steps);
    field->farthest_steps = steps;
    field->reached = field->walkable - count_open(field);
}

uint32_t walk_field_at(const walk_field *field, loam_spot at) {
    if (at.x == field->farthest.x && at.y == field->farthest.y) {
        return field->farthest_steps;
    }
    if (at.x < 0 || at.y < 0 || at.x >= field->width || at.y >= field->height) {
        return WALK_CLOSED;
    }
    uint32_t block = block_of(field, at);
    bool asked = (field->blocks[block].asked & bit_of(at)) != 0;
    return asked ? *asked_place(field, block, bit_of(at)) : WALK_CLOSED;
}
