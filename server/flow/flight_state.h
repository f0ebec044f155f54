/* SPDX-License-Identifier: MIT
 *
 * flight_state.h: a flight from within: shared by flight.c (who waits) and flight_steps.c (what is
 * done), and by no one else.
 */
#ifndef LOAM_SERVER_FLOW_FLIGHT_STATE_H
#define LOAM_SERVER_FLOW_FLIGHT_STATE_H

#include "server/flow/asset_table.h"
#include "server/flow/flight.h"
#include "server/flow/step.h"

enum { FLIGHT_MAGIC = 0xf11647 };

struct cell_flight {
    uint32_t magic;
    flow_state *flow;
    cell_flight *place_chain;
    cell_flight *key_chain;
    flight_request request;
    step_walk walk;
    /* Who waits. */
    flight_waiter *waiters;
    bool keep_going; /* somebody left who will ask again */
    bool listed;     /* can be joined */
    bool keyed;      /* key is known */
    bool shared;     /* is in the table of keys */
    bool missed;     /* was not in the store: is being built */
    bool assets_held;
    bool queued; /* its task is with the workers */
    bool landed; /* the blob is there for all who join */
    int cancel;  /* read by the worker between blocks */
    digest key;
    asset_set assets;
    pool_task task;
    loop_task posted;
    store_get get;
    store_put put;
    blob *blob;
    flight_origin origin;
    uint32_t points;
    loam_trace trace; /* nodes: owned; NULL when no one wants it */
    loam_error error;
};

/* The table of steps. */
extern const flow_step flight_steps[];

/* In flight.c, for the steps. */
/* Tells every waiter that `filter` takes (NULL: all). */
void flight_tell(cell_flight *flight, bool (*filter)(const flight_waiter *waiter));
/* Ends waiters that take only what is there. */
void flight_tell_missed(cell_flight *flight);
/* Hands its waiters to another flight with the same key; true when there is one. */
bool flight_share(cell_flight *flight);
bool flight_wants_batch(const cell_flight *flight);
bool flight_is_wanted(const cell_flight *flight);
bool flight_wants_trace(const cell_flight *flight);
/* No one can join any more. */
void flight_unlist(cell_flight *flight);
void flight_free(cell_flight *flight);

#endif
