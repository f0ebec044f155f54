/* SPDX-License-Identifier: MIT
 *
 * bit_reach.c: see bit_reach.h. A word of a row is gone on from as a whole: along the row by
 * shifts, then to the words at its four sides. Each time it has a new cell, so that all is linear
 * in the cells that are reached.
 */
#include "core/grid/bit_reach.h"

#include "core/base/try.h"

static size_t words_of(const bit_rows *rows) {
    return (size_t)rows->height * rows->words;
}

uint64_t bit_reach_bytes(int32_t width, int32_t height) {
    uint64_t grid = bit_rows_bytes(width, height);
    return 2 * grid + grid / sizeof(uint64_t) * sizeof(uint32_t) + BITS_A_WORD;
}

loam_status bit_reach_take(const bit_rows *open, loam_arena *arena, bit_reach *reach,
                           loam_error *error) {
    *reach = (bit_reach){.open = open};
    LOAM_TRY(bit_rows_take(open->width, open->height, arena, &reach->reached, error));
    LOAM_TRY(bit_rows_take(open->width, open->height, arena, &reach->fresh, error));
    reach->words = loam_arena_take(arena, words_of(open), sizeof *reach->words);
    LOAM_TRY_MEMORY(reach->words, error);
    return LOAM_OK;
}

/* The cells of a word that are reached now, of those that may be. */
static void reach_word(bit_reach *reach, size_t word, uint64_t bits) {
    bits &= reach->open->bits[word] & ~reach->reached.bits[word];
    if (bits == 0) {
        return;
    }
    if (reach->fresh.bits[word] == 0) {
        reach->words[reach->word_count++] = (uint32_t)word;
    }
    reach->fresh.bits[word] |= bits;
    reach->reached.bits[word] |= bits;
}

void bit_reach_start(bit_reach *reach, loam_spot at) {
    const bit_rows *open = reach->open;
    if (at.x >= 0 && at.y >= 0 && at.x < open->width && at.y < open->height) {
        size_t word = (size_t)at.y * open->words + (uint32_t)at.x / BITS_A_WORD;
        reach_word(reach, word, (uint64_t)1 << (at.x % BITS_A_WORD));
    }
}

/* All of the runs of a word that some of its bits are in: twice as far with each shift. */
static uint64_t fill_runs(uint64_t bits, uint64_t open) {
    uint64_t east = open, west = open, up = bits, down = bits;
    for (uint32_t by = 1; by < BITS_A_WORD; by *= 2) {
        up |= east & up << by;
        down |= west & down >> by;
        east &= east << by;
        west &= west >> by;
    }
    return up | down;
}

/* From the new cells of a word to all that touch them. */
static void spread_word(bit_reach *reach, size_t word) {
    const bit_rows *open = reach->open;
    uint32_t across = (uint32_t)(word % open->words);
    uint64_t bits = fill_runs(reach->fresh.bits[word], open->bits[word]);
    bits &= ~reach->reached.bits[word] | reach->fresh.bits[word];
    reach->fresh.bits[word] = 0;
    reach->reached.bits[word] |= bits;
    if (word >= open->words) {
        reach_word(reach, word - open->words, bits);
    }
    if (word + open->words < words_of(open)) {
        reach_word(reach, word + open->words, bits);
    }
    if (across + 1 < open->words) {
        reach_word(reach, word + 1, bits >> (BITS_A_WORD - 1));
    }
    if (across > 0) {
        reach_word(reach, word - 1, bits << (BITS_A_WORD - 1));
    }
}

void bit_reach_run(bit_reach *reach) {
    while (reach->word_count > 0) {
        spread_word(reach, reach->words[--reach->word_count]);
    }
}
