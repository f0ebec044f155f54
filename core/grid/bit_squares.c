/* SPDX-License-Identifier: MIT
 *
 * bit_squares.c: see bit_squares.h. Rows are looked at a word at a time; all is linear in words,
 * times the logarithm of the largest side.
 */
#include "core/grid/bit_squares.h"

/* A word of the row, shifted west by up to a row's length: bit x is what bit x + by was. */
static uint64_t word_from_east(const uint64_t *row, uint32_t words, uint32_t word, uint32_t by) {
    uint32_t first = word + by / BITS_A_WORD, bits = by % BITS_A_WORD;
    uint64_t low = first < words ? row[first] >> bits : 0;
    uint64_t high = bits != 0 && first + 1 < words ? row[first + 1] << (BITS_A_WORD - bits) : 0;
    return low | high;
}

bool bit_squares_grow(const bit_rows *from, int32_t by, bit_rows *to) {
    uint64_t any = 0;
    for (int32_t y = 0; y < from->height; y++) {
        const uint64_t *north = bit_rows_row(from, y);
        const uint64_t *south = y + by < from->height ? bit_rows_row(from, y + by) : NULL;
        uint64_t *row = bit_rows_row(to, y);
        for (uint32_t word = 0; word < from->words; word++) {
            uint64_t made = 0;
            if (south != NULL && (north[word] & south[word]) != 0) {
                made = north[word] & south[word] &
                       word_from_east(north, from->words, word, (uint32_t)by) &
                       word_from_east(south, from->words, word, (uint32_t)by);
            }
            row[word] = made;
            any |= made;
        }
    }
    return any != 0;
}

static bool has_any(const bit_rows *rows) {
    uint64_t any = 0;
    for (size_t i = 0; i < (size_t)rows->height * rows->words; i++) {
        any |= rows->bits[i];
    }
    return any != 0;
}

int32_t bit_squares_largest(const bit_rows *squares, bit_rows scratch[2]) {
    const bit_rows *held = squares;
    uint32_t next = 0;
    int32_t side = 1, by = 1;
    if (!has_any(squares)) {
        return 0;
    }
    for (; bit_squares_grow(held, by, &scratch[next]); by = side) {
        held = &scratch[next];
        next ^= 1;
        side += by;
    }
    for (by /= 2; by > 0; by /= 2) {
        if (bit_squares_grow(held, by, &scratch[next])) {
            held = &scratch[next];
            next ^= 1;
            side += by;
        }
    }
    return side;
}

/* A cell's four neighbours, for a word of cells. */
typedef struct word_sides {
    uint64_t north, east, south, west;
} word_sides;

static word_sides sides_of(const bit_rows *rows, int32_t y, uint32_t word) {
    const uint64_t *row = bit_rows_row(rows, y);
    word_sides sides = {0};
    sides.north = y > 0 ? bit_rows_row(rows, y - 1)[word] : 0;
    sides.south = y + 1 < rows->height ? bit_rows_row(rows, y + 1)[word] : 0;
    sides.east = word_from_east(row, rows->words, word, 1);
    sides.west = row[word] << 1 | (word > 0 ? row[word - 1] >> (BITS_A_WORD - 1) : 0);
    return sides;
}

uint64_t bit_ends_count(const bit_rows *rows) {
    uint64_t count = 0;
    for (int32_t y = 0; y < rows->height; y++) {
        for (uint32_t word = 0; word < rows->words; word++) {
            word_sides at = sides_of(rows, y, word);
            uint64_t odd = at.north ^ at.east ^ at.south ^ at.west;
            uint64_t two = (at.north & at.east) | (at.south & at.west) |
                           ((at.north ^ at.east) & (at.south ^ at.west));
            count += bits_count(bit_rows_row(rows, y)[word] & odd & ~two);
        }
    }
    return count;
}

int64_t bit_euler(const bit_rows *rows) {
    int64_t sum = 0;
    for (int32_t y = 0; y < rows->height; y++) {
        for (uint32_t word = 0; word < rows->words; word++) {
            word_sides at = sides_of(rows, y, word);
            uint64_t here = bit_rows_row(rows, y)[word], pair = here & at.east;
            uint64_t below = y + 1 < rows->height ? sides_of(rows, y + 1, word).east : 0;
            sum += (int64_t)bits_count(here) - bits_count(pair);
            sum -= bits_count(here & at.south);
            sum += bits_count(pair & at.south & below);
        }
    }
    return sum;
}
