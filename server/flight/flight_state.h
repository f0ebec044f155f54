/* SPDX-License-Identifier: MIT
 *
 * flight_state.h: a flight from within, for its kinds: what they begin with, and the steps that
 * their tables are made of. A step that finds its part done passes; a failure goes straight to
 * landing.
 */
#ifndef LOAM_SERVER_FLIGHT_FLIGHT_STATE_H
#define LOAM_SERVER_FLIGHT_FLIGHT_STATE_H

#include "server/flight/flight.h"

enum { FLIGHT_MAGIC = 0xf11647 };

struct result_flight {
    uint32_t magic;
    const flight_kind *kind;
    flow_state *flow;
    result_name name;
    result_flight *name_chain;
    result_flight *key_chain;
    step_walk walk;
    /* Who waits. */
    flight_waiter *waiters;
    bool keep_going;    /* somebody left who will ask again */
    bool listed;        /* can be joined */
    bool shared;        /* is in the table of keys */
    bool missed;        /* was not in the store: is being built */
    bool telling;       /* so, those who wait */
    bool queued;        /* its task is with the workers */
    bool landed;        /* the blob is there for all who join */
    bool unstored;      /* `error` is of the store, which did not take the blob */
    flight_waiter ride; /* on another flight with the same key (flight_ride.c) */
    int cancel;         /* read by the worker between blocks */
    digest key;
    token_owner *payer; /* held; NULL: nobody's */
    uint64_t work_us;   /* of a worker */
    pool_task task;
    loam_status (*work)(result_flight *flight, pool_worker *worker, loam_error *error);
    loop_task posted;
    store_get get;
    store_put put;
    blob *blob;
    flight_origin origin;
    loam_error error;
    loam_error objection; /* what waiters hear who do not want the bytes whatever they are */
};

/* ---- Steps, in this order ------------------------------------------------------------------- */

step_result flight_meet(void *subject);        /* the same key in the air already? */
step_result flight_look_up(void *subject);     /* store reader */
step_result flight_admit(void *subject);       /* somebody wants it built? */
step_result flight_build(void *subject);       /* worker */
step_result flight_land(void *subject);        /* to all who wait; always */
step_result flight_store(void *subject);       /* store writer */
step_result flight_land_stored(void *subject); /* to those who wait for the disk; always */
step_result flight_settle(void *subject);      /* always */

/* clang-format off */
#define FLIGHT_LOOK_UP {"look up", flight_look_up, false}, {"admit", flight_admit, false}
#define FLIGHT_BUILD {"build", flight_build, false}
#define FLIGHT_LAND                                                                                \
    {"land", flight_land, true}, {"store", flight_store, false},                                   \
    {"land stored", flight_land_stored, true}
#define FLIGHT_END {"settle", flight_settle, true}, {NULL, NULL, false}
/* clang-format on */

/* ---- For the steps of a kind ---------------------------------------------------------------- */

step_result flight_fail(result_flight *flight, const loam_error *error);
step_result flight_fail_status(result_flight *flight, loam_status status);
/* Parks at a worker, whose failure is the flight's. */
step_result flight_work(result_flight *flight,
                        loam_status (*work)(result_flight *flight, pool_worker *worker,
                                            loam_error *error));
/* What a worker runs with. */
loam_run flight_run(result_flight *flight, pool_worker *worker);
/* Resumes the walk on the network thread by `run`: a store request's `done`, given the flight. */
result_flight *flight_of_posted(loop_task *task);
void flight_post(result_flight *flight, void (*run)(loop_task *task));
bool flight_wants_trace(const result_flight *flight);

/* ---- Between the files of this room --------------------------------------------------------- */

/* Tells every waiter that `filter` takes (NULL: all). */
void flight_tell(result_flight *flight, bool (*filter)(const flight_waiter *waiter));
/* Ends waiters that take only what is there, and the flight when nobody else is left. */
void flight_tell_missed(result_flight *flight);
/* Another flight with the same key; when there is none, this one is the first for those who come.
 */
result_flight *flight_meet_other(result_flight *flight);
/* Hands its waiters to another flight. */
void flight_share(result_flight *flight, result_flight *other);
bool flight_is_wanted(const result_flight *flight);
bool flight_wants_batch(const result_flight *flight);
/* No one can join any more. */
void flight_unlist(result_flight *flight);
void flight_free(result_flight *flight);
/* Ends the work that nobody wants. */
void flight_cancel(result_flight *flight);
/* Waits on a flight that is in the air already, as those do who join it. */
void flight_join_other(result_flight *other, flight_waiter *waiter);
/* Whose `ride` that is. */
result_flight *flight_of_ride(flight_waiter *waiter);
/* In flight_ride.c: the bytes from a flight of the same key that ends in other answers. */
step_result flight_ride_on(result_flight *flight, result_flight *other);
void flight_ride_end(result_flight *flight);

#endif
