/* SPDX-License-Identifier: MIT
 *
 * dice.h: numbers at random from a seed (splitmix64), the same on every machine, so that a failure
 * is one number to keep.
 */
#ifndef LOAM_SIM_DICE_H
#define LOAM_SIM_DICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t dice_roll(dice *from) {
    uint64_t z = from->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number of [low, high]. */
static inline int64_t dice_between(dice *from, int64_t low, int64_t high) {
    return low + (int64_t)(dice_roll(from) % ((uint64_t)(high - low) + 1));
}

static inline uint32_t dice_below(dice *from, uint32_t count) {
    return (uint32_t)(dice_roll(from) % count);
}

static inline bool dice_percent(dice *from, uint32_t percent) {
    return dice_below(from, 100) < percent;
}

#endif
