/* SPDX-License-Identifier: MIT
 *
 * flight_state.h: a flight from within: shared by flight.c (who waits) and flight_steps.c (what is
 * done), and by no one else.
 */
#ifndef LOAM_SERVER_CELL_FLIGHT_STATE_H
#define LOAM_SERVER_CELL_FLIGHT_STATE_H

#include "server/cell/flight.h"
#include "server/slot/step.h"
#include "server/world/asset_table.h"

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
    bool queued;        /* its task is with the workers */
    bool landed;        /* the blob is there for all who join */
    flight_waiter ride; /* on the flight of another world with the same key (flight_ride.c) */
    int cancel;         /* read by the worker between blocks */
    digest key;
    asset_set assets;
    pool_task task;
    loop_task posted;
    store_get get;
    store_put put;
    blob *blob;
    flight_origin origin;
    /* The checks of its world; NULL: there are none. */
    const loam_check *check;
    digest check_key;
    blob *verdict;          /* verdict.h */
    bool judged;            /* the verdict is new */
    loam_error check_error; /* what waiters hear who do not want the bytes whatever they are */
    store_verdict recall;
    store_verdict keep;
    loop_task kept;
    uint32_t stores;  /* puts under way */
    loam_trace trace; /* nodes: owned; NULL when no one wants it */
    loam_error error;
};

/* The table of steps. */
extern const flow_step flight_steps[];

/* In flight_steps.c, for the other steps. */
cell_flight *flight_of_task(pool_task *task);
cell_flight *flight_of_posted(loop_task *task);
loam_query flight_query(const cell_flight *flight);
step_result flight_submit(cell_flight *flight, void (*work)(pool_task *task, pool_worker *worker));
step_result flight_hold_assets(cell_flight *flight);
void flight_stored_one(cell_flight *flight);

/* In flight_judge.c. */
step_result flight_recall(void *subject);
step_result flight_judge_assets(void *subject);
step_result flight_judge(void *subject);
step_result flight_conclude(void *subject);
/* Gives a new verdict to the store; flight_stored_one follows when it says so. */
bool flight_keep_verdict(cell_flight *flight);

/* In flight_ride.c: the bytes from a flight of another world with the same key and other checks. */
step_result flight_ride_on(cell_flight *flight, cell_flight *other);
void flight_ride_end(cell_flight *flight);

/* In flight.c, for the steps. */
/* Tells every waiter that `filter` takes (NULL: all). */
void flight_tell(cell_flight *flight, bool (*filter)(const flight_waiter *waiter));
/* Ends waiters that take only what is there. */
void flight_tell_missed(cell_flight *flight);
/* Another flight with the same key; when there is none, this one is the first for those who come.
 */
cell_flight *flight_meet_other(cell_flight *flight);
/* Whether two flights of one key end in the same answers. */
bool flight_answers_alike(const cell_flight *flight, const cell_flight *other);
/* Hands its waiters to another flight. */
void flight_share(cell_flight *flight, cell_flight *other);
/* Ends the work that nobody wants. */
void flight_cancel(cell_flight *flight);
/* It goes to the front, for a request wants it too. */
void flight_promote(cell_flight *flight);
bool flight_wants_batch(const cell_flight *flight);
bool flight_is_wanted(const cell_flight *flight);
bool flight_wants_trace(const cell_flight *flight);
/* No one can join any more. */
void flight_unlist(cell_flight *flight);
void flight_free(cell_flight *flight);

#endif
