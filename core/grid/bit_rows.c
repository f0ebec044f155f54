/* SPDX-License-Identifier: MIT
 *
 * bit_rows.c: see bit_rows.h. Neighbours are counted for 64 cells at once: three bits of a row are
 * added to a number of two bits, three such numbers to one of four, each bit in a word of its own.
 */
#include "core/grid/bit_rows.h"

#include "core/base/try.h"

static uint32_t words_of(int32_t width) {
    return ((uint32_t)width + BITS_A_WORD - 1) / BITS_A_WORD;
}

uint64_t bit_rows_bytes(int32_t width, int32_t height) {
    return (uint64_t)words_of(width) * (uint64_t)height * sizeof(uint64_t) + BITS_A_WORD;
}

loam_status bit_rows_take(int32_t width, int32_t height, loam_arena *arena, bit_rows *rows,
                          loam_error *error) {
    *rows = (bit_rows){.width = width, .height = height, .words = words_of(width)};
    rows->bits = loam_arena_take_zero(arena, (size_t)height * rows->words, sizeof *rows->bits);
    LOAM_TRY_MEMORY(rows->bits, error);
    return LOAM_OK;
}

void bit_rows_put(bit_rows *rows, int32_t y, int32_t x0, int32_t x1, bool value) {
    uint64_t *row = bit_rows_row(rows, y);
    for (int32_t x = x0; x < x1;) {
        int32_t at = x % BITS_A_WORD;
        int32_t count = x1 - x < BITS_A_WORD - at ? x1 - x : BITS_A_WORD - at;
        uint64_t mask = (count == BITS_A_WORD ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << at;
        uint64_t *word = &row[x / BITS_A_WORD];
        *word = value ? *word | mask : *word & ~mask;
        x += count;
    }
}

uint64_t bit_rows_count(const bit_rows *rows) {
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)rows->height * rows->words; i++) {
        count += bits_count(rows->bits[i]);
    }
    return count;
}

/* Two words that hold, bit by bit, the sum of three: `one` counts once, `two` twice. */
typedef struct word_sum {
    uint64_t one, two;
} word_sum;

static word_sum add_three(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t both = a ^ b;
    return (word_sum){both ^ c, (a & b) | (both & c)};
}

/* Of each cell in a word: itself, west and east. */
static word_sum sum_across(const uint64_t *row, uint32_t word, uint32_t words) {
    if (row == NULL) {
        return (word_sum){0, 0};
    }
    uint64_t self = row[word];
    uint64_t before = word == 0 ? 0 : row[word - 1] >> (BITS_A_WORD - 1);
    uint64_t after = word + 1 == words ? 0 : row[word + 1] << (BITS_A_WORD - 1);
    return add_three(self << 1 | before, self, self >> 1 | after);
}

static uint64_t five_of_nine(word_sum above, word_sum here, word_sum below) {
    word_sum ones = add_three(above.one, here.one, below.one);
    word_sum twos = add_three(above.two, here.two, below.two);
    uint64_t two = ones.two ^ twos.one, carry = ones.two & twos.one;
    uint64_t four = twos.two ^ carry, eight = twos.two & carry;
    return eight | (four & (two | ones.one));
}

void bit_rows_majority(const bit_rows *from, bit_rows *to) {
    for (int32_t y = 0; y < from->height; y++) {
        const uint64_t *above = y == 0 ? NULL : bit_rows_row(from, y - 1);
        const uint64_t *here = bit_rows_row(from, y);
        const uint64_t *below = y + 1 == from->height ? NULL : bit_rows_row(from, y + 1);
        uint64_t *row = bit_rows_row(to, y);
        for (uint32_t word = 0; word < from->words; word++) {
            row[word] = five_of_nine(sum_across(above, word, from->words),
                                     sum_across(here, word, from->words),
                                     sum_across(below, word, from->words));
        }
    }
}

void bit_rows_of_cells(const cell_grid *cells, bit_rows *rows) {
    for (int32_t y = 0; y < rows->height; y++) {
        const uint8_t *row = &cells->cells[grid_index(cells, 0, y)];
        for (int32_t x0 = 0; x0 < rows->width; x0 += BITS_A_WORD) {
            int32_t count = rows->width - x0 < BITS_A_WORD ? rows->width - x0 : BITS_A_WORD;
            uint64_t word = 0;
            int32_t i = 0;
            for (; i + 8 <= count; i += 8) {
                word |= (uint64_t)bits_of_cells(row + x0 + i) << i;
            }
            for (; i < count; i++) {
                word |= (uint64_t)(row[x0 + i] != 0) << i;
            }
            bit_rows_row(rows, y)[x0 / BITS_A_WORD] = word;
        }
    }
}

void bit_rows_to_cells(const bit_rows *rows, uint8_t one, cell_grid *cells) {
    for (int32_t y = 0; y < rows->height; y++) {
        const uint64_t *row = bit_rows_row(rows, y);
        uint8_t *to = &cells->cells[grid_index(cells, 0, y)];
        int32_t x = 0;
        for (; x + 8 <= rows->width; x += 8) {
            uint64_t cells8 = cells_of_bits((uint8_t)(row[x / BITS_A_WORD] >> x % BITS_A_WORD));
            put_u64(to + x, cells8 * one);
        }
        for (; x < rows->width; x++) {
            to[x] = bit_rows_get(rows, x, y) ? one : 0;
        }
    }
}
