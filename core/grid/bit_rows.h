/* SPDX-License-Identifier: MIT
 *
 * bit_rows.h: a grid of one bit a cell, 64 cells of a row in a word, for what looks at every cell
 * and its neighbours. Bits past the width are always 0, and so is all that lies outside.
 */
#ifndef LOAM_GRID_BIT_ROWS_H
#define LOAM_GRID_BIT_ROWS_H

#include "core/base/bytes.h"
#include "core/grid/grid.h"

enum { BITS_A_WORD = 64 };

typedef struct bit_rows {
    int32_t width, height;
    uint32_t words; /* of a row */
    uint64_t *bits;
} bit_rows;

/* Memory of a grid of so many cells, at most. */
uint64_t bit_rows_bytes(int32_t width, int32_t height);

/* All 0, from the arena. */
LOAM_MUST_USE loam_status bit_rows_take(int32_t width, int32_t height, loam_arena *arena,
                                        bit_rows *rows, loam_error *error);

/* Eight cells as bits, the first one lowest: 0 is 0, all else 1. */
static inline uint8_t bits_of_cells(const uint8_t *cells) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t word = get_u64(cells);
    uint64_t ones = (((word & low) + low) | word) >> 7 & 0x0101010101010101u;
    return (uint8_t)(ones * 0x0102040810204080u >> 56);
}

/* And back: eight cells of 0 and 1, the first one the lowest byte. */
static inline uint64_t cells_of_bits(uint8_t bits) {
    uint64_t spread = (uint64_t)bits * 0x0101010101010101u & 0x8040201008040201u;
    return (spread + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

static inline uint64_t *bit_rows_row(const bit_rows *rows, int32_t y) {
    return rows->bits + (size_t)y * rows->words;
}

static inline bool bit_rows_get(const bit_rows *rows, int32_t x, int32_t y) {
    return bit_rows_row(rows, y)[x / BITS_A_WORD] >> (x % BITS_A_WORD) & 1;
}

static inline void bit_rows_set(bit_rows *rows, int32_t x, int32_t y) {
    bit_rows_row(rows, y)[x / BITS_A_WORD] |= (uint64_t)1 << (x % BITS_A_WORD);
}

/* How many bits of a word are 1: a processor's own instruction would be a call where it has none.
 */
static inline uint32_t bits_count(uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

/* Cells [x0, x1) of a row become 0 or 1. */
void bit_rows_put(bit_rows *rows, int32_t y, int32_t x0, int32_t x1, bool value);

/* How many bits are 1. */
uint64_t bit_rows_count(const bit_rows *rows);

/* Each cell of `to` is what at least 5 of the 9 cells around it, itself among them, are in `from`;
 * two grids of one size. */
void bit_rows_majority(const bit_rows *from, bit_rows *to);

/* 1 where a cell is anything but 0; and back: `one` where a bit is 1, else 0. Grids of one size. */
void bit_rows_of_cells(const cell_grid *cells, bit_rows *rows);
void bit_rows_to_cells(const bit_rows *rows, uint8_t one, cell_grid *cells);

#endif
