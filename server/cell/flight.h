/* SPDX-License-Identifier: MIT
 *
 * flight.h: a cell under way, once, however many wait for it. Requests and jobs join; whoever comes
 * while it is in the air shares it, whichever world it was asked through. Found by its place until
 * its key is known, then by key too. Network thread only.
 *
 * Invariant: a waiter hears `landed` exactly once, unless it leaves before.
 */
#ifndef LOAM_SERVER_CELL_FLIGHT_H
#define LOAM_SERVER_CELL_FLIGHT_H

#include "server/cell/cell_address.h"
#include "server/slot/flow_state.h"
#include "server/store/blob.h"
#include "server/world/world_table.h"

typedef struct cell_flight cell_flight;

typedef enum flight_origin { ORIGIN_STORED, ORIGIN_BUILT } flight_origin;

/* What came of a flight; borrowed during the call. */
typedef struct flight_landing {
    const loam_error *error; /* status LOAM_OK: there is a blob. LOAM_CHECK_FAILED: see verdict */
    blob *blob;
    digest key;
    flight_origin origin;
    bool collapsed;          /* the waiter joined what another had begun */
    blob *verdict;           /* of its checks (verdict.h); NULL: it has none, or failed before */
    const loam_trace *trace; /* of what was built for a waiter that wants one; else NULL */
} flight_landing;

typedef struct flight_waiter {
    struct flight_waiter *next; /* the flight's own */
    struct flight_waiter *previous;
    cell_flight *flight; /* NULL when it waits for nothing */
    bool collapsed;      /* it joined what another had begun... */
    bool after;          /* ...and found it done: as good as stored */
    bool cached_only;    /* takes what is there, builds nothing: else LOAM_NOT_GENERATED */
    bool batch;          /* may wait behind those who do not say so */
    bool traced;         /* wants to know what every node let through, when it is built */
    bool raw;            /* wants the bytes, whatever checks say of them */
    bool stored;         /* hears only when the result is committed, on the disk */
    /* It was not there and is being built; may be NULL. */
    void (*missed)(struct flight_waiter *waiter);
    void (*landed)(struct flight_waiter *waiter, const flight_landing *landing);
} flight_waiter;

/* One cell of a revision; `rect` is its place in units. */
typedef struct flight_request {
    revision_entry *revision; /* retained as long as it flies */
    cell_address place;
    loam_rect rect;
} flight_request;

LOAM_MUST_USE flight_table *flight_table_create(flow_state *flow);
/* Nothing may fly. */
void flight_table_destroy(flight_table *table);
uint32_t flight_count(const flight_table *table);

/* Joins or begins. `missed` or `landed` may be called before it returns: the last thing a step
 * does. */
void flight_join(flow_state *flow, const flight_request *request, flight_waiter *waiter);
/* Hears no more. The last one to leave ends the work, unless somebody left with `keep_going`. */
void flight_leave(flight_waiter *waiter, bool keep_going);

/* Lets everything in the air end as soon as it can. */
void flight_cancel_all(flight_table *table);

#endif
