/* SPDX-License-Identifier: MIT
 *
 * dungeon_flight.c: see dungeon_flight.h.
 */
#include "server/dungeon/dungeon_flight.h"

#include "server/dungeon/dungeon_work.h"
#include "server/flight/flight_state.h"
#include "server/slot/reply.h"

typedef struct dungeon_flight {
    result_flight base;
    text_buffer request;
    bool kept; /* the request, before this flight */
    control_request control;
} dungeon_flight;

static step_result dungeon_keep(void *subject);

static const flow_step dungeon_flight_steps[] = {
    FLIGHT_LOOK_UP, FLIGHT_BUILD, {"keep", dungeon_keep, false}, /* its request: control writer */
    FLIGHT_LAND,    FLIGHT_END,
};

static bool dungeon_begin(result_flight *base, const void *wished) {
    dungeon_flight *flight = (dungeon_flight *)base;
    const dungeon_wish *wish = wished;
    base->key = wish->key;
    flight->kept = wish->kept;
    return buffer_init_copy(&flight->request, wish->request) == LOAM_OK;
}

static void dungeon_end(result_flight *base) {
    dungeon_flight *flight = (dungeon_flight *)base;
    control_result_fini(&flight->control.result);
    buffer_fini(&flight->request);
}

static loam_status dungeon_build(result_flight *base, pool_worker *worker, loam_error *error) {
    const dungeon_flight *flight = (const dungeon_flight *)base;
    const dungeon_job job = {.request = buffer_view(&flight->request), .key = base->key};
    const loam_run run = flight_run(base, worker);
    return dungeon_job_build(&job, &run, &base->blob, error);
}

static void dungeon_tell(const result_flight *base, const flight_waiter *waiter,
                         flight_landing *landing) {
    const dungeon_flight *flight = (const dungeon_flight *)base;
    landing->created = flight->control.result.created && !waiter->collapsed;
}

static const flight_kind dungeon_kind = {
    .steps = dungeon_flight_steps,
    .bytes = sizeof(dungeon_flight),
    .missed = METRIC_DUNGEONS_MISSED,
    .built = METRIC_DUNGEONS_BUILT,
    .failed = METRIC_DUNGEONS_FAILED,
    .begin = dungeon_begin,
    .end = dungeon_end,
    .build = dungeon_build,
    .tell = dungeon_tell,
};

void dungeon_join(flow_state *flow, const dungeon_wish *wish, flight_waiter *waiter) {
    const result_name name = result_of_key(&wish->key);
    flight_join(flow, &dungeon_kind, &name, wish, waiter);
}

/* ---- Keep ----------------------------------------------------------------------------------- */

static void kept(loop_task *task) {
    dungeon_flight *flight = (dungeon_flight *)flight_of_posted(task);
    const loam_error *error = &flight->control.base.error;
    if (error->status != LOAM_OK) {
        flight_fail(&flight->base, error);
    }
    walk_resume(&flight->base.walk, error->status != LOAM_OK);
}

static void keep_done(void *context) {
    flight_post(context, kept);
}

/* Before anyone is told its address: whoever has that finds the dungeon for ever. */
static step_result dungeon_keep(void *subject) {
    dungeon_flight *flight = subject;
    if (flight->kept) {
        return STEP_NEXT;
    }
    flight->control = (control_request){.base = {.done = keep_done, .context = flight},
                                        .operation = CONTROL_DOCUMENT_PUT,
                                        .document = {.kind = DOCUMENT_DUNGEON,
                                                     .digest = flight->base.key,
                                                     .document = buffer_view(&flight->request),
                                                     .created_ms = time_now_ms()}};
    loam_status status = store_control(flight->base.flow->store, &flight->control);
    return status == LOAM_OK ? STEP_PARKED : flight_fail_status(&flight->base, status);
}
