/* SPDX-License-Identifier: MIT
 *
 * flight.h: a result under way, once, however many wait for it: looked up, else built, told to all,
 * stored. What is built is told by a table, the flight's kind (cells, dungeons, content). Requests
 * and jobs join; whoever comes while it is in the air shares it. Found by its name (where it is
 * asked for) and, once that is known, by its key. Network thread only.
 *
 * Invariant: a waiter hears `landed` exactly once, unless it leaves before.
 */
#ifndef LOAM_SERVER_FLIGHT_FLIGHT_H
#define LOAM_SERVER_FLIGHT_FLIGHT_H

#include "api/key/key.h"
#include "server/slot/flow_state.h"
#include "server/slot/result_name.h"
#include "server/slot/step.h"
#include "server/store/blob.h"
#include "server/token/token_owner.h"
#include "server/watch/metrics.h"

typedef struct result_flight result_flight;

typedef enum flight_origin { ORIGIN_STORED, ORIGIN_BUILT } flight_origin;

/* What came of a flight; borrowed during the call. */
typedef struct flight_landing {
    const loam_error *error; /* status LOAM_OK: there is a blob. LOAM_CHECK_FAILED: see verdict */
    blob *blob;
    digest key;
    flight_origin origin;
    bool collapsed;          /* the waiter joined what another had begun */
    bool created;            /* its request was not known before */
    bool unstored;           /* there is a blob, and `error` is why it could not be kept */
    blob *verdict;           /* of a cell's checks that it did not pass; else NULL */
    loam_text reasons;       /* the JSON array in it */
    const loam_trace *trace; /* of a cell that was built, for a waiter that wants one; else NULL */
} flight_landing;

typedef struct flight_waiter {
    struct flight_waiter *next; /* the flight's own */
    struct flight_waiter *previous;
    result_flight *flight; /* NULL when it waits for nothing */
    bool collapsed;        /* it joined what another had begun... */
    bool after;            /* ...and found it done: as good as stored */
    bool cached_only;      /* takes what is there, builds nothing: else LOAM_NOT_GENERATED */
    bool batch;            /* may wait behind those who do not say so */
    bool traced;           /* wants to know what every node let through, when it is built */
    bool raw;              /* wants the bytes, whatever is objected to them */
    bool stored;           /* hears only when the result is committed, on the disk */
    token_owner *payer;    /* whose core time it takes when this one begins the flight; NULL */
    /* It was not there and is being built; may be NULL. */
    void (*missed)(struct flight_waiter *waiter);
    void (*landed)(struct flight_waiter *waiter, const flight_landing *landing);
} flight_waiter;

/* What flies. */
typedef struct flight_kind {
    const flow_step *steps;       /* flight_steps.h */
    size_t bytes;                 /* of a flight of this kind, which begins with one */
    metric missed, built, failed; /* what counts them */
    bool (*begin)(result_flight *flight,
                  const void *wish); /* keeps what the wish lends; false: no memory */
    void (*end)(result_flight *flight);
    /* On a worker: flight->blob, by whoever is the first to ask. */
    loam_status (*build)(result_flight *flight, pool_worker *worker, loam_error *error);
    /* Adds what this kind has to say; may be NULL. */
    void (*tell)(const result_flight *flight, const flight_waiter *waiter, flight_landing *landing);
    /* Whether two flights of one key end in the same answers; NULL: always. */
    bool (*is_alike)(const result_flight *a, const result_flight *b);
} flight_kind;

LOAM_MUST_USE flight_table *flight_table_create(void);
/* Nothing may fly. */
void flight_table_destroy(flight_table *table);
uint32_t flight_count(const flight_table *table);

/* Joins or begins what is found by this name; names of different kinds are never the same. `missed`
 * or `landed` may be called before it returns: the last thing a step does. */
void flight_join(flow_state *flow, const flight_kind *kind, const result_name *name,
                 const void *wish, flight_waiter *waiter);
/* Hears no more. The last one to leave ends the work, unless somebody left with `keep_going`. */
void flight_leave(flight_waiter *waiter, bool keep_going);
/* What it waits for is made, and on its way to the disk. */
bool flight_is_storing(const flight_waiter *waiter);

/* Lets everything in the air end as soon as it can. */
void flight_cancel_all(flight_table *table);

#endif
