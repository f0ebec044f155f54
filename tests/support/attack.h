/* SPDX-License-Identifier: MIT
 *
 * attack.h: attacks on a daemon by name, as plans of a siege: clients that drip, clients that hold
 * connections or answers, floods, and requests larger than anything that is taken.
 */
#ifndef LOAM_TESTS_SUPPORT_ATTACK_H
#define LOAM_TESTS_SUPPORT_ATTACK_H

#include "tests/support/siege.h"

typedef enum attack_kind {
    ATTACK_NONE,           /* nobody: what others are held against */
    ATTACK_SLOW_HEADERS,   /* a byte of a header at a time */
    ATTACK_SLOW_BODIES,    /* a byte of a body at a time */
    ATTACK_SLOW_READERS,   /* a byte of a large answer at a time */
    ATTACK_HALF_OPEN,      /* connected and silent */
    ATTACK_PIPELINES,      /* requests without end on each connection */
    ATTACK_DEAF_PIPELINES, /* the same, and no answer is read */
    ATTACK_OVERSIZED,      /* lines, headers, bodies, chunks, batches beyond every limit */
    ATTACK_KINDS
} attack_kind;

const char *attack_name(attack_kind kind);

typedef struct attack attack;

/* `path` is what pipelines ask for, `large_path` what slow readers do. Ends the program when
 * memory is short. */
attack *attack_begin(attack_kind kind, uint16_t port, uint32_t sockets, const char *path,
                     const char *large_path);
/* How many the daemon has cut so far. */
uint64_t attack_cut(const attack *of);
siege_tally attack_end(attack *of);

#endif
