/* SPDX-License-Identifier: MIT
 *
 * colliders.c: walls as few boxes, greedily: row by row from the west, a run of walls that no box
 * covers yet becomes one, as far south as the whole run is wall. Walls are bits of rows, so that
 * a run is found, compared and covered 64 cells at once.
 */
#include "core/assembly/assembly.h"
#include "core/base/try.h"
#include "core/grid/bit_rows.h"

/* Bits of a word from `x0` up to `x1`, both in cells of the row; some are in it. */
static uint64_t bits_between(uint32_t word, int32_t x0, int32_t x1) {
    int32_t base = (int32_t)(word * BITS_A_WORD);
    uint64_t from = x0 > base ? ~(uint64_t)0 << (x0 - base) : ~(uint64_t)0;
    uint64_t to = x1 - base < BITS_A_WORD ? ((uint64_t)1 << (x1 - base)) - 1 : ~(uint64_t)0;
    return from & to;
}

/* Where a run of walls that begins at x ends. Bits beyond the width are 0. */
static int32_t run_end(const bit_rows *walls, const uint64_t *row, int32_t x) {
    uint32_t word = (uint32_t)x / BITS_A_WORD;
    uint64_t open = ~row[word] & ~(uint64_t)0 << (x % BITS_A_WORD);
    while (open == 0 && word + 1 < walls->words) {
        open = ~row[++word];
    }
    return (int32_t)(word * BITS_A_WORD) +
           (open == 0 ? BITS_A_WORD : (int32_t)__builtin_ctzll(open));
}

static bool is_all_wall(const uint64_t *row, int32_t x0, int32_t x1) {
    for (uint32_t word = (uint32_t)x0 / BITS_A_WORD; (int32_t)(word * BITS_A_WORD) < x1; word++) {
        if ((~row[word] & bits_between(word, x0, x1)) != 0) {
            return false;
        }
    }
    return true;
}

/* The box that begins at a wall; its cells are covered after. */
static loam_box take_box(bit_rows *walls, int32_t x, int32_t y) {
    int32_t end = run_end(walls, bit_rows_row(walls, y), x), row = y;
    do {
        bit_rows_put(walls, row, x, end, false);
        row++;
    } while (row < walls->height && is_all_wall(bit_rows_row(walls, row), x, end));
    return (loam_box){x, y, end - x, row - y};
}

/* Every box, row by row; returns how many there are. */
static uint32_t take_boxes(bit_rows *walls, loam_box *boxes) {
    uint32_t count = 0;
    for (int32_t y = 0; y < walls->height; y++) {
        const uint64_t *row = bit_rows_row(walls, y);
        for (uint32_t word = 0; word < walls->words;) {
            if (row[word] == 0) {
                word++;
                continue;
            }
            int32_t x = (int32_t)(word * BITS_A_WORD) + (int32_t)__builtin_ctzll(row[word]);
            boxes[count++] = take_box(walls, x, y);
        }
    }
    return count;
}

static loam_status take_walls(const loam_layout *layout, loam_arena *arena, bit_rows *walls,
                              loam_error *error) {
    cell_grid grid = {layout->width, layout->height, layout->cells};
    LOAM_TRY(bit_rows_take(layout->width, layout->height, arena, walls, error));
    bit_rows_of_cells(&grid, walls);
    for (int32_t y = 0; y < layout->height; y++) {
        uint64_t *row = bit_rows_row(walls, y);
        for (uint32_t word = 0; word < walls->words; word++) {
            row[word] = ~row[word] & bits_between(word, 0, layout->width);
        }
    }
    return LOAM_OK;
}

/* There is room for a box of every other cell of a row; what is not used is given back. */
loam_status colliders_make(const loam_layout *layout, loam_arena *arena, loam_assembly *assembly,
                           loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    size_t most = ((size_t)layout->width + 1) / 2 * (size_t)layout->height;
    bit_rows walls;
    loam_box *boxes = loam_arena_take(arena, most, sizeof *boxes);
    LOAM_TRY_MEMORY(boxes, error);
    LOAM_TRY(take_walls(layout, arena, &walls, error));
    assembly->collider_count = take_boxes(&walls, boxes);
    loam_arena_reset(arena, mark);
    assembly->colliders = loam_arena_take(arena, assembly->collider_count, sizeof *boxes);
    return LOAM_OK;
}
