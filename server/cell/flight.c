/* SPDX-License-Identifier: MIT
 *
 * flight.c: who waits for what. See flight.h; what a flight does is in flight_steps.c.
 */
#include "server/cell/flight.h"

#include "api/wire/check_document.h"
#include "core/base/assert.h"
#include "server/cell/flight_state.h"
#include "server/watch/metrics.h"

#include <stdlib.h>

enum { FLIGHT_BUCKETS = 4096 };

struct flight_table {
    uint32_t count;
    cell_flight *places[FLIGHT_BUCKETS];
    cell_flight *keys[FLIGHT_BUCKETS];
};

flight_table *flight_table_create(flow_state *flow) {
    (void)flow;
    return calloc(1, sizeof(flight_table));
}

void flight_table_destroy(flight_table *table) {
    LOAM_ASSERT(table == NULL || table->count == 0);
    free(table);
}

uint32_t flight_count(const flight_table *table) {
    return table->count;
}

/* ---- Tables --------------------------------------------------------------------------------- */

static cell_flight **place_bucket(flow_state *flow, const cell_address *place) {
    const result_name name = result_of_address(place);
    return &flow->flights->places[result_hash(&name) % FLIGHT_BUCKETS];
}

static cell_flight **key_bucket(flow_state *flow, const digest *key) {
    uint32_t start = 0;
    memcpy(&start, key->bytes, sizeof start);
    return &flow->flights->keys[start % FLIGHT_BUCKETS];
}

static cell_flight *find_place(flow_state *flow, const cell_address *place) {
    cell_flight *flight = *place_bucket(flow, place);
    while (flight != NULL && memcmp(&flight->request.place, place, sizeof *place) != 0) {
        flight = flight->place_chain;
    }
    return flight;
}

static cell_flight *find_key(flow_state *flow, const digest *key) {
    cell_flight *flight = *key_bucket(flow, key);
    while (flight != NULL && !digest_equal(&flight->key, key)) {
        flight = flight->key_chain;
    }
    return flight;
}

void flight_unlist(cell_flight *flight) {
    if (flight->listed) {
        cell_flight **link = place_bucket(flight->flow, &flight->request.place);
        while (*link != flight) {
            link = &(*link)->place_chain;
        }
        *link = flight->place_chain;
        flight->listed = false;
    }
    if (flight->shared) {
        cell_flight **link = key_bucket(flight->flow, &flight->key);
        while (*link != flight) {
            link = &(*link)->key_chain;
        }
        *link = flight->key_chain;
        flight->shared = false;
    }
}

void flight_free(cell_flight *flight) {
    flow_state *flow = flight->flow;
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC && flight->waiters == NULL);
    flight_unlist(flight);
    if (flight->assets_held) {
        asset_set_release(&flight->assets);
    }
    blob_release(flight->blob);
    blob_release(flight->verdict);
    free(flight->trace.nodes);
    revision_release(flow->worlds, flight->request.revision);
    metric_set(METRIC_FLIGHTS, --flow->flights->count);
    flight->magic = 0;
    free(flight);
}

/* ---- Waiters -------------------------------------------------------------------------------- */

static void waiter_unlink(flight_waiter *waiter) {
    *(waiter->previous == NULL ? &waiter->flight->waiters : &waiter->previous->next) = waiter->next;
    if (waiter->next != NULL) {
        waiter->next->previous = waiter->previous;
    }
    waiter->flight = NULL;
}

static void waiter_link(cell_flight *flight, flight_waiter *waiter) {
    waiter->flight = flight;
    waiter->previous = NULL;
    waiter->next = flight->waiters;
    if (waiter->next != NULL) {
        waiter->next->previous = waiter;
    }
    flight->waiters = waiter;
}

/* What a waiter hears: that the flight failed, or that the cell failed its checks. */
static const loam_error *outcome_for(const cell_flight *flight, const flight_waiter *waiter) {
    bool judged = flight->error.status == LOAM_OK && !waiter->raw;
    return judged ? &flight->check_error : &flight->error;
}

static void waiter_land(cell_flight *flight, flight_waiter *waiter, const loam_error *error) {
    flight_landing landing = {
        .error = error,
        .verdict = flight->verdict,
        .blob = flight->blob,
        .key = flight->key,
        .origin = waiter->after ? ORIGIN_STORED : flight->origin,
        .collapsed = waiter->collapsed && !waiter->after,
        .trace = waiter->traced && flight->trace.nodes != NULL ? &flight->trace : NULL};
    waiter_unlink(waiter);
    waiter->landed(waiter, &landing);
}

/* The list is walked from the start again after each call, for a waiter that lands may make others
 * leave or join. */
void flight_tell(cell_flight *flight, bool (*filter)(const flight_waiter *waiter)) {
    for (flight_waiter *waiter = flight->waiters; waiter != NULL;) {
        if (filter == NULL || filter(waiter)) {
            waiter_land(flight, waiter, outcome_for(flight, waiter));
            waiter = flight->waiters;
        } else {
            waiter = waiter->next;
        }
    }
}

static void waiter_refuse(cell_flight *flight, flight_waiter *waiter) {
    loam_error error = {0};
    loam_fail(&error, LOAM_NOT_GENERATED, NULL, "%s", loam_status_text(LOAM_NOT_GENERATED));
    waiter_land(flight, waiter, &error);
}

void flight_tell_missed(cell_flight *flight) {
    flight->missed = true;
    for (flight_waiter *waiter = flight->waiters; waiter != NULL;) {
        if (waiter->cached_only) {
            waiter_refuse(flight, waiter);
            waiter = flight->waiters;
            continue;
        }
        void (*missed)(flight_waiter *) = waiter->missed;
        waiter->missed = NULL; /* heard once */
        if (missed != NULL) {
            missed(waiter);
            waiter = flight->waiters;
            continue;
        }
        waiter = waiter->next;
    }
}

bool flight_wants_batch(const cell_flight *flight) {
    for (const flight_waiter *waiter = flight->waiters; waiter != NULL; waiter = waiter->next) {
        if (!waiter->batch) {
            return false;
        }
    }
    return !flight->keep_going;
}

bool flight_wants_trace(const cell_flight *flight) {
    const flight_waiter *waiter = flight->waiters;
    while (waiter != NULL && !waiter->traced) {
        waiter = waiter->next;
    }
    return waiter != NULL;
}

bool flight_is_wanted(const cell_flight *flight) {
    for (const flight_waiter *waiter = flight->waiters; waiter != NULL; waiter = waiter->next) {
        if (!waiter->cached_only) {
            return true;
        }
    }
    return flight->keep_going;
}

cell_flight *flight_meet_other(cell_flight *flight) {
    cell_flight *other = find_key(flight->flow, &flight->key);
    if (other == NULL && flight->listed) {
        cell_flight **bucket = key_bucket(flight->flow, &flight->key);
        flight->key_chain = *bucket;
        *bucket = flight;
        flight->shared = true;
    }
    return other;
}

bool flight_answers_alike(const cell_flight *flight, const cell_flight *other) {
    if (flight->check == NULL || other->check == NULL) {
        return flight->check == other->check;
    }
    return digest_equal(&flight->check_key, &other->check_key) &&
           flight->request.revision->world.check_warns ==
               other->request.revision->world.check_warns;
}

void flight_share(cell_flight *flight, cell_flight *other) {
    other->keep_going = other->keep_going || flight->keep_going;
    flight_unlist(flight);
    while (flight->waiters != NULL) {
        flight_waiter *waiter = flight->waiters;
        waiter_unlink(waiter);
        waiter->collapsed = true;
        waiter->traced = false; /* the other's graph may number its nodes otherwise */
        flight_join(flight->flow, &other->request, waiter);
    }
}

/* ---- Joining and leaving -------------------------------------------------------------------- */

static cell_flight *flight_create(flow_state *flow, const flight_request *request) {
    cell_flight *flight = calloc(1, sizeof *flight);
    if (flight == NULL) {
        return NULL;
    }
    flight->magic = FLIGHT_MAGIC;
    flight->flow = flow;
    flight->request = *request;
    flight->check = checks_of(&request->revision->world, request->place.output);
    revision_retain(request->revision);
    cell_flight **bucket = place_bucket(flow, &request->place);
    flight->place_chain = *bucket;
    *bucket = flight;
    flight->listed = true;
    metric_set(METRIC_FLIGHTS, ++flow->flights->count);
    return flight;
}

/* Work that only jobs wanted goes to the front when a request wants it too. */
void flight_promote(cell_flight *flight) {
    if (flight->ride.flight != NULL) {
        flight->ride.batch = false;
        flight_promote(flight->ride.flight);
    }
    if (!flight->queued || flight->task.priority == POOL_INTERACTIVE ||
        !pool_cancel(flight->flow->workers, &flight->task)) {
        return;
    }
    flight->task.priority = POOL_INTERACTIVE;
    if (pool_submit(flight->flow->workers, &flight->task) != LOAM_OK) {
        flight->task.priority = POOL_BATCH;
        loam_status status = pool_submit(flight->flow->workers, &flight->task);
        LOAM_ASSERT(status == LOAM_OK); /* its own place has just become free */
    }
}

static void waiter_join(cell_flight *flight, flight_waiter *waiter) {
    waiter_link(flight, waiter);
    waiter->after = flight->landed;
    if (flight->landed && !waiter->stored) {
        waiter_land(flight, waiter, outcome_for(flight, waiter));
        return;
    }
    if (!waiter->batch) {
        flight_promote(flight);
    }
    if (flight->missed && waiter->cached_only && !flight->landed) {
        waiter_refuse(flight, waiter);
    } else if (flight->missed && waiter->missed != NULL) {
        void (*missed)(flight_waiter *) = waiter->missed;
        waiter->missed = NULL;
        missed(waiter);
    }
}

void flight_join(flow_state *flow, const flight_request *request, flight_waiter *waiter) {
    cell_flight *flight = find_place(flow, &request->place);
    if (flight != NULL) {
        waiter->collapsed = true;
        metric_add(METRIC_COLLAPSED, 1);
        waiter_join(flight, waiter);
        return;
    }
    flight = flight_create(flow, request);
    if (flight == NULL) {
        loam_error error = {0};
        loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for another request");
        waiter->landed(waiter, &(flight_landing){.error = &error});
        return;
    }
    waiter_link(flight, waiter);
    walk_begin(&flight->walk, flight_steps, flight);
}

void flight_cancel(cell_flight *flight) {
    flight_unlist(flight);
    if (flight->ride.flight != NULL) {
        flight_ride_end(flight);
        return;
    }
    __atomic_store_n(&flight->cancel, 1, __ATOMIC_RELAXED);
    if (flight->queued && pool_cancel(flight->flow->workers, &flight->task)) {
        flight->queued = false;
        loam_fail(&flight->error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED));
        walk_resume(&flight->walk, true);
    }
}

void flight_leave(flight_waiter *waiter, bool keep_going) {
    cell_flight *flight = waiter->flight;
    if (flight == NULL) {
        return;
    }
    waiter_unlink(waiter);
    flight->keep_going = flight->keep_going || keep_going;
    if (!flight_is_wanted(flight) && flight->waiters == NULL && !flight->landed) {
        flight_cancel(flight);
    }
}

static cell_flight *first_in_the_air(cell_flight *flight) {
    while (flight != NULL && flight->landed) {
        flight = flight->place_chain;
    }
    return flight;
}

/* From the start again after each: a flight that ends may end another one that rides on it. */
void flight_cancel_all(flight_table *table) {
    for (uint32_t i = 0; i < FLIGHT_BUCKETS; i++) {
        for (cell_flight *flight = first_in_the_air(table->places[i]); flight != NULL;
             flight = first_in_the_air(table->places[i])) {
            flight_cancel(flight);
        }
    }
}
