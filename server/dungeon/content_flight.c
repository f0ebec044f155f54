/* SPDX-License-Identifier: MIT
 *
 * content_flight.c: see content_flight.h.
 */
#include "server/dungeon/content_flight.h"

#include "server/dungeon/content_work.h"
#include "server/flight/flight_state.h"

typedef struct content_flight {
    result_flight base;
    dungeon_wish dungeon; /* its request: lent by the buffer */
    text_buffer request;
    text_buffer kept;
    blob *bytes; /* of the dungeon */
} content_flight;

static step_result content_get_dungeon(void *subject);

static const flow_step content_flight_steps[] = {
    FLIGHT_LOOK_UP, {"dungeon", content_get_dungeon, false}, FLIGHT_BUILD, FLIGHT_LAND, FLIGHT_END,
};

static void content_end(result_flight *base) {
    content_flight *flight = (content_flight *)base;
    buffer_fini(&flight->request);
    buffer_fini(&flight->kept);
    blob_release(flight->bytes);
}

static bool content_begin(result_flight *base, const void *wished) {
    content_flight *flight = (content_flight *)base;
    const content_wish *wish = wished;
    base->key = key_of_content_bytes(&wish->content_key);
    flight->dungeon = wish->dungeon;
    if (buffer_init_copy(&flight->request, wish->dungeon.request) != LOAM_OK ||
        buffer_init_copy(&flight->kept, wish->kept) != LOAM_OK) {
        content_end(base);
        return false;
    }
    flight->dungeon.request = buffer_view(&flight->request);
    return true;
}

static loam_status content_build(result_flight *base, pool_worker *worker, loam_error *error) {
    const content_flight *flight = (const content_flight *)base;
    const content_job job = {
        .dungeon = {.request = flight->dungeon.request, .key = flight->dungeon.key},
        .secret = &base->flow->secret,
        .kept = buffer_view(&flight->kept)};
    const loam_run run = flight_run(base, worker);
    return content_job_build(&job, flight->bytes, &run, &base->blob, error);
}

static const flight_kind content_kind = {
    .steps = content_flight_steps,
    .bytes = sizeof(content_flight),
    .missed = METRIC_CONTENTS_MISSED,
    .built = METRIC_CONTENTS_BUILT,
    .failed = METRIC_CONTENTS_FAILED,
    .begin = content_begin,
    .end = content_end,
    .build = content_build,
};

void content_join(flow_state *flow, const content_wish *wish, flight_waiter *waiter) {
    const result_name name = result_of_key(&wish->content_key);
    flight_join(flow, &content_kind, &name, wish, waiter);
}

/* ---- Its dungeon ---------------------------------------------------------------------------- */

static void dungeon_landed(flight_waiter *waiter, const flight_landing *landing) {
    content_flight *flight = (content_flight *)flight_of_ride(waiter);
    if (landing->error->status == LOAM_OK) {
        flight->bytes = blob_retain(landing->blob);
    } else {
        flight_fail(&flight->base, landing->error);
    }
    walk_resume(&flight->base.walk, flight->base.error.status != LOAM_OK);
}

static void dungeon_missed(flight_waiter *waiter) {
    flight_tell_missed(flight_of_ride(waiter));
}

static step_result content_get_dungeon(void *subject) {
    content_flight *flight = subject;
    if (flight->base.blob != NULL) {
        return STEP_NEXT;
    }
    flight->base.ride = (flight_waiter){.batch = flight_wants_batch(&flight->base),
                                        .missed = dungeon_missed,
                                        .landed = dungeon_landed};
    dungeon_join(flight->base.flow, &flight->dungeon, &flight->base.ride);
    return STEP_PARKED;
}
