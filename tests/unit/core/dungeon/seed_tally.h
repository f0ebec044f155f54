/* SPDX-License-Identifier: MIT
 *
 * seed_tally.h: what many dungeons of one recipe showed: how they ended and for which reasons, how
 * many attempts and how much time they took.
 */
#ifndef LOAM_TESTS_SEED_TALLY_H
#define LOAM_TESTS_SEED_TALLY_H

#include "core/layout/layout.h"
#include "tests/support/dungeon_text.h"

typedef enum seed_end {
    SEED_OK,
    SEED_DEGRADED,
    SEED_FALLBACK,
    SEED_GAVE_UP, /* it ran, and none of its attempts can be played */
    SEED_REFUSED, /* before it ran */
    SEED_ENDS
} seed_end;

/* How often one reason was given for one end. */
typedef struct seed_reason {
    seed_end end;
    uint32_t count;
    char text[80];
} seed_reason;

enum { SEED_REASONS = 48 };

typedef struct seed_tally {
    uint32_t seeds;
    uint32_t ends[SEED_ENDS];
    uint32_t attempts[LAYOUT_ATTEMPTS_LIMIT + 1]; /* of those that were built */
    seed_reason reasons[SEED_REASONS];            /* the last one: all others */
    uint32_t reason_count;
    double slowest_s;
    uint64_t slowest_seed;
} seed_tally;

void tally_add(seed_tally *tally, const dungeon_made *made, uint64_t seed, double took_s);
/* A line of the whole, and one for each reason. */
void tally_print(const seed_tally *tally, const char *recipe, const char *what);

#endif
