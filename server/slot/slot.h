/* SPDX-License-Identifier: MIT
 *
 * slot.h: one request on its way. A route gives the table of steps it walks; each step fills its
 * own fields and rewrites no earlier one. Work leaves the network thread through slot_work, slot_io
 * and slot_control, each of which parks the walk and resumes it with what came of it.
 *
 * Invariant: a slot has one owner at a time: the network thread, or the worker, I/O or store thread
 * that it is parked at.
 */
#ifndef LOAM_SERVER_SLOT_SLOT_H
#define LOAM_SERVER_SLOT_SLOT_H

#include "api/wire/text_buffer.h"
#include "server/slot/flow_state.h"
#include "server/slot/route.h"
#include "server/slot/step.h"

/* Found at the start of every living slot: a stray pointer stops here. */
enum { SLOT_MAGIC = 0x510f10a3 };

typedef struct flow_slot {
    uint32_t magic;
    flow_state *flow;
    http_request *request;
    const flow_route *route;
    step_walk walk;
    loam_error error;
    struct flow_slot *next; /* all slots, for the end */
    struct flow_slot *previous;
    bool gone; /* the client has left */
    /* While parked at something that can be left when the client does: leaves, and resumes. */
    void (*leave)(struct flow_slot *slot);
    http_response *answer; /* owned; what reply sends */
    int32_t retry_after_s; /* with an error */
    blob *verdict;         /* owned: of a cell's checks, when it did not pass... */
    loam_text reasons;     /* ...and the array in it that a problem tells */
    /* Where it is parked. */
    pool_task task;
    loam_status (*work)(struct flow_slot *slot, pool_worker *worker);
    uint64_t work_us; /* that it took */
    control_request control;
    bool control_filled;   /* control.result is to be freed */
    write_premise premise; /* what a write's conditions were judged on */
    loam_status fine;      /* what store_control may end with and be an answer: no rows */
    loop_task posted;
} flow_slot;

/* Every table ends with these. */
/* clang-format off */
#define SLOT_END {"reply", slot_reply, true}, {"settle", slot_settle, true}, {NULL, NULL, false}
/* clang-format on */

/* Makes a slot of the route's size and sends it on its way. */
void slot_begin(flow_state *flow, http_request *request, const flow_route *route);

/* The client of a waiting request has left. */
void slot_gone(flow_slot *slot);

/* The last two steps of every table: answers, with the error when there is one; then frees. */
step_result slot_reply(void *subject);
step_result slot_settle(void *subject);

/* ---- For steps; each returns what the step returns ------------------------------------------ */

/* Runs `work` on a worker, in the core time of who asks; where none is left the step fails, and the
 * work does not begin. Its failure is in slot->error. */
step_result slot_work(flow_slot *slot, loam_status (*work)(flow_slot *slot, pool_worker *worker));
/* The same, and the time is taken, but work that begins with none left is done: that which finds,
 * or gives, what is there; and that which only tells what is wanted, with the gate behind it. */
step_result slot_work_anyway(flow_slot *slot,
                             loam_status (*work)(flow_slot *slot, pool_worker *worker));
/* On the I/O thread, which is no worker: nobody's core time, and there is no arena. */
step_result slot_io(flow_slot *slot, loam_status (*work)(flow_slot *slot, pool_worker *worker));
/* Commits or reads; then slot->control.result has the rows, until the next call. */
step_result slot_control(flow_slot *slot, control_request request);
/* Notes an error and fails. */
step_result slot_fail(flow_slot *slot, loam_status status, const char *pointer, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
/* STEP_NEXT for LOAM_OK, else STEP_FAILED: the callee has noted the error. */
step_result slot_result(flow_slot *slot, loam_status status);

/* ---- What was asked ------------------------------------------------------------------------- */

/* The part of the path that stands for `{name}` in the route's template. */
loam_text slot_capture(const flow_slot *slot, const char *name);
/* The same as a legal name; an illegal one cannot exist, so it is LOAM_NOT_FOUND. */
LOAM_MUST_USE loam_status slot_name(flow_slot *slot, const char *capture, loam_text *name);
LOAM_MUST_USE loam_status slot_digest(flow_slot *slot, const char *capture, digest *value);
/* A query parameter as a count; `value` stays when it is absent. */
LOAM_MUST_USE loam_status slot_query_count(flow_slot *slot, const char *name, uint64_t max,
                                           uint64_t *value);

#endif
