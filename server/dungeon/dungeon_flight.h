/* SPDX-License-Identifier: MIT
 *
 * dungeon_flight.h: a dungeon under way, once, however many wait for it: looked up, else built from
 * its request, which is kept before anyone hears of it. Found by its build key. Network thread
 * only.
 *
 * Invariant: a waiter hears `landed` exactly once, unless it leaves before.
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_FLIGHT_H
#define LOAM_SERVER_DUNGEON_DUNGEON_FLIGHT_H

#include "api/key/key.h"
#include "server/slot/flow_state.h"
#include "server/store/blob.h"

typedef struct dungeon_flight dungeon_flight;

/* What came of a flight; borrowed during the call. */
typedef struct dungeon_landing {
    const loam_error *error; /* status LOAM_OK: there is a blob */
    blob *blob;              /* canonical bytes */
    bool stored;             /* they were there */
    bool created;            /* the request was not kept before */
    bool collapsed;          /* the waiter joined what another had begun */
} dungeon_landing;

typedef struct dungeon_waiter {
    struct dungeon_waiter *next; /* the flight's own */
    struct dungeon_waiter *previous;
    dungeon_flight *flight; /* NULL when it waits for nothing */
    bool collapsed;         /* it joined what another had begun... */
    bool after;             /* ...and found it done: as good as stored */
    /* It was not there and is being built; may be NULL. */
    void (*missed)(struct dungeon_waiter *waiter);
    void (*landed)(struct dungeon_waiter *waiter, const dungeon_landing *landing);
} dungeon_waiter;

typedef struct dungeon_wish {
    digest key;
    loam_text request; /* its document, as it is kept; copied */
    bool kept;         /* it is kept already */
} dungeon_wish;

LOAM_MUST_USE dungeon_flights *dungeon_flights_create(void);
/* Nothing may fly. */
void dungeon_flights_destroy(dungeon_flights *flights);
uint32_t dungeon_flights_count(const dungeon_flights *flights);
/* Lets everything in the air end as soon as it can. */
void dungeon_flights_cancel(dungeon_flights *flights);

/* Joins or begins. `missed` or `landed` may be called before it returns: the last thing a step
 * does. */
void dungeon_join(flow_state *flow, const dungeon_wish *wish, dungeon_waiter *waiter);
/* Hears no more. The last one to leave ends the work, unless somebody left with `keep_going`. */
void dungeon_leave(dungeon_waiter *waiter, bool keep_going);

#endif
