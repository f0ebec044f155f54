/* SPDX-License-Identifier: MIT
 *
 * siege.h: clients that mean harm: many sockets driven by one thread, which open with some bytes,
 * then send one now and then, read as slowly as they like, or flood. What the daemon cuts comes
 * back at once. Sockets come from 127.0.0.2 on, one address for every few thousand of them.
 */
#ifndef LOAM_TESTS_SUPPORT_SIEGE_H
#define LOAM_TESTS_SUPPORT_SIEGE_H

#include "core/loam.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct siege_plan {
    uint16_t port;
    const char *address; /* NULL: the loopback, from many addresses */
    uint32_t sockets;    /* at one time */
    unsigned tick_ms;
    const loam_text *openings; /* sent at once, one of them by each socket in turn; borrowed */
    size_t opening_count;      /* until the end; 0: nothing is sent */
    bool flood;                /* the opening again and again, as fast as it is taken */
    const char *drip;          /* then one byte of this each tick, over and over; NULL: silence */
    bool hold_answers;         /* reads only... */
    uint32_t sip_bytes;        /* ...so much each tick */
} siege_plan;

typedef struct siege_tally {
    uint64_t connected;
    uint64_t cut; /* by the daemon */
    uint64_t sent_bytes;
    uint64_t received_bytes;
    uint32_t standing_max; /* at one time */
    uint32_t standing;     /* at the end */
} siege_tally;

typedef struct siege siege;

/* Ends the program when there is no memory, no thread, or no descriptors for so many. */
siege *siege_begin(const siege_plan *plan);
/* How many the daemon has cut so far. */
uint64_t siege_cut(const siege *of);
siege_tally siege_end(siege *of);

#endif
