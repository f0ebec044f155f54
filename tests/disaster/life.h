/* SPDX-License-Identifier: MIT
 *
 * life.h: one life of a whole daemon on the simulated machine, in a process of its own, from its
 * start to its end, however that comes.
 */
#ifndef LOAM_TESTS_DISASTER_LIFE_H
#define LOAM_TESTS_DISASTER_LIFE_H

#include "tests/disaster/ledger.h"

typedef enum life_end {
    LIFE_CLOSED,  /* SIGTERM, drained */
    LIFE_CUT,     /* the power went */
    LIFE_KILLED,  /* kill -9: what was written stays */
    LIFE_STILL,   /* it did not start, since the disk failed */
    LIFE_FINDING, /* something that must not be; it was said */
} life_end;

typedef enum life_kind { LIFE_REFERENCE, LIFE_DISTURBED, LIFE_CONCLUDING } life_kind;

typedef struct life {
    const char *folder; /* holds root/, grave/, socket, log */
    uint64_t seed;      /* of all lives together: it is told with a finding */
    uint64_t order;     /* of this one */
    life_kind kind;
    bool storms;    /* the disk fails now and then */
    life_end end;   /* how it is to end; the first three */
    uint64_t steps; /* before the power goes, or the process is killed */
    uint64_t cache_bytes;
} life;

life_end life_run(const life *of, ledger *shared);

#endif
