/* SPDX-License-Identifier: MIT
 *
 * ledger.h: what the visitors of a daemon were told, in memory that outlives its crashes; and what
 * a daemon that nothing disturbs says of everything that they may ask for.
 */
#ifndef LOAM_TESTS_DISASTER_LEDGER_H
#define LOAM_TESTS_DISASTER_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

enum { VISITORS = 3, NAME_BYTES = 80 };
/* Worlds differ by seed and by terrain; each has 4 x 4 cells. */
enum { WORLD_SEEDS = 3, TERRAINS = 2, WORLD_KINDS = WORLD_SEEDS * TERRAINS, SIDE = 4 };
enum { DUNGEONS = 3, JOBS_EACH = 8, BACKUPS_EACH = 4 };

typedef struct reference {
    bool known;
    char terrain[TERRAINS][NAME_BYTES]; /* digests */
    char revision[WORLD_KINDS][NAME_BYTES];
    char cell[WORLD_KINDS][SIDE * SIDE][NAME_BYTES];
    char dungeon_key[DUNGEONS][NAME_BYTES];
    char dungeon[DUNGEONS][NAME_BYTES];
} reference;

/* What a name stands for: what was acknowledged last, and what else was asked for since without a
 * word of its fate, as bits. 0 is nothing at all. */
typedef struct name_note {
    uint32_t acknowledged;
    uint32_t maybe;
} name_note;

typedef struct job_note {
    char id[NAME_BYTES];
    uint32_t kind; /* of the world */
    uint32_t total;
    bool cancel_asked;
    bool cancelled;
    bool succeeded;
    bool disturbed; /* retried or resumed after its end */
} job_note;

/* One visitor's: he alone changes what he names. */
typedef struct visitor_note {
    name_note terrain; /* 1 + which */
    name_note world;   /* 1 + which kind */
    uint32_t job_count;
    job_note jobs[JOBS_EACH];
    uint32_t backups_asked;
    uint32_t backups_made; /* as bits */
    bool dungeon[DUNGEONS];
} visitor_note;

typedef struct tally {
    uint64_t lives;
    uint64_t cuts;
    uint64_t kills;
    uint64_t failed_starts;
    uint64_t answers;
    uint64_t own_faults; /* answers of 500 and above */
    uint64_t failures;   /* of the disk */
    uint64_t steps;
} tally;

typedef struct ledger {
    reference reference;
    visitor_note visitors[VISITORS];
    tally tally;
    bool cache_is_small;
    uint64_t now_ns; /* when the last life ended */
    uint64_t trace;
} ledger;

#endif
