/* SPDX-License-Identifier: MIT
 *
 * weighted.h: one of several, by weight and 32 drawn bits. A draw falls into [0, total) and the
 * first whose running sum lies above it is it; the sums are turned into limits of the bits, so that
 * a choice is a few comparisons.
 */
#ifndef LOAM_OPS_WEIGHTED_H
#define LOAM_OPS_WEIGHTED_H

#include <stdint.h>

/* Choices at most: sizes of fixed arrays. */
enum { WEIGHTED_MAX = 64 };

typedef struct weighted_table {
    uint64_t limits[WEIGHTED_MAX]; /* choice k is for bits below limits[k] */
    uint32_t count;
} weighted_table;

/* Weights below 2^31, not all 0. */
static inline void weighted_init(weighted_table *table, const int64_t *weights, uint32_t count) {
    __extension__ typedef unsigned __int128 wide;
    uint64_t total = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += (uint64_t)weights[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        sum += (uint64_t)weights[i];
        table->limits[i] = (uint64_t)((((wide)sum << 32) + total - 1) / total);
    }
    table->count = count;
}

static inline uint32_t weighted_choose(const weighted_table *table, uint32_t bits) {
    uint32_t choice = 0;
    while (bits >= table->limits[choice]) {
        choice++;
    }
    return choice;
}

#endif
