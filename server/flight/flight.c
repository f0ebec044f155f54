/* SPDX-License-Identifier: MIT
 *
 * flight.c: who waits for what. See flight.h; what a flight does is in flight_steps.c.
 */
#include "core/base/assert.h"
#include "server/flight/flight_state.h"

#include <stdlib.h>

enum { FLIGHT_BUCKETS = 4096 };

struct flight_table {
    uint32_t count;
    result_flight *names[FLIGHT_BUCKETS];
    result_flight *keys[FLIGHT_BUCKETS];
};

flight_table *flight_table_create(void) {
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

static result_flight **name_bucket(flow_state *flow, const result_name *name) {
    return &flow->flights->names[result_hash(name) % FLIGHT_BUCKETS];
}

static result_flight **key_bucket(flow_state *flow, const digest *key) {
    uint32_t start = 0;
    memcpy(&start, key->bytes, sizeof start);
    return &flow->flights->keys[start % FLIGHT_BUCKETS];
}

static result_flight *find_name(flow_state *flow, const result_name *name) {
    result_flight *flight = *name_bucket(flow, name);
    while (flight != NULL && !result_equal(&flight->name, name)) {
        flight = flight->name_chain;
    }
    return flight;
}

static result_flight *find_key(flow_state *flow, const digest *key) {
    result_flight *flight = *key_bucket(flow, key);
    while (flight != NULL && !digest_equal(&flight->key, key)) {
        flight = flight->key_chain;
    }
    return flight;
}

void flight_unlist(result_flight *flight) {
    if (flight->listed) {
        result_flight **link = name_bucket(flight->flow, &flight->name);
        while (*link != flight) {
            link = &(*link)->name_chain;
        }
        *link = flight->name_chain;
        flight->listed = false;
    }
    if (flight->shared) {
        result_flight **link = key_bucket(flight->flow, &flight->key);
        while (*link != flight) {
            link = &(*link)->key_chain;
        }
        *link = flight->key_chain;
        flight->shared = false;
    }
}

void flight_free(result_flight *flight) {
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC && flight->waiters == NULL);
    flight_unlist(flight);
    flight->kind->end(flight);
    blob_release(flight->blob);
    owner_let_go(flight->payer);
    metric_set(METRIC_FLIGHTS, --flight->flow->flights->count);
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

static void waiter_link(result_flight *flight, flight_waiter *waiter) {
    waiter->flight = flight;
    waiter->previous = NULL;
    waiter->next = flight->waiters;
    if (waiter->next != NULL) {
        waiter->next->previous = waiter;
    }
    flight->waiters = waiter;
}

/* What a waiter hears: that the flight failed, or what is objected to its bytes. */
static const loam_error *outcome_for(const result_flight *flight, const flight_waiter *waiter) {
    bool objects = flight->error.status == LOAM_OK && !waiter->raw;
    return objects ? &flight->objection : &flight->error;
}

static void waiter_land(result_flight *flight, flight_waiter *waiter, const loam_error *error) {
    flight_landing landing = {.error = error,
                              .blob = flight->blob,
                              .key = flight->key,
                              .origin = waiter->after ? ORIGIN_STORED : flight->origin,
                              .collapsed = waiter->collapsed && !waiter->after,
                              .unstored = flight->unstored};
    if (flight->kind->tell != NULL) {
        flight->kind->tell(flight, waiter, &landing);
    }
    waiter_unlink(waiter);
    waiter->landed(waiter, &landing);
}

/* The list is walked from the start again after each call, for a waiter that lands may make others
 * leave or join. */
void flight_tell(result_flight *flight, bool (*filter)(const flight_waiter *waiter)) {
    for (flight_waiter *waiter = flight->waiters; waiter != NULL;) {
        if (filter == NULL || filter(waiter)) {
            waiter_land(flight, waiter, outcome_for(flight, waiter));
            waiter = flight->waiters;
        } else {
            waiter = waiter->next;
        }
    }
}

static void waiter_refuse(result_flight *flight, flight_waiter *waiter) {
    loam_error error = {0};
    loam_fail(&error, LOAM_NOT_GENERATED, NULL, "%s", loam_status_text(LOAM_NOT_GENERATED));
    waiter_land(flight, waiter, &error);
}

/* Nobody is left to go on for. Not while it tells: who hears may leave, and it would be gone. */
static bool is_forsaken(const result_flight *flight) {
    return !flight_is_wanted(flight) && flight->waiters == NULL && !flight->landed &&
           !flight->telling;
}

void flight_tell_missed(result_flight *flight) {
    flight->missed = true;
    flight->telling = true;
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
    flight->telling = false;
    if (is_forsaken(flight)) {
        flight_cancel(flight);
    }
}

bool flight_wants_batch(const result_flight *flight) {
    for (const flight_waiter *waiter = flight->waiters; waiter != NULL; waiter = waiter->next) {
        if (!waiter->batch) {
            return false;
        }
    }
    return !flight->keep_going;
}

bool flight_wants_trace(const result_flight *flight) {
    const flight_waiter *waiter = flight->waiters;
    while (waiter != NULL && !waiter->traced) {
        waiter = waiter->next;
    }
    return waiter != NULL;
}

bool flight_is_wanted(const result_flight *flight) {
    for (const flight_waiter *waiter = flight->waiters; waiter != NULL; waiter = waiter->next) {
        if (!waiter->cached_only) {
            return true;
        }
    }
    return flight->keep_going;
}

result_flight *flight_meet_other(result_flight *flight) {
    result_flight *other = find_key(flight->flow, &flight->key);
    if (other == NULL && flight->listed) {
        result_flight **bucket = key_bucket(flight->flow, &flight->key);
        flight->key_chain = *bucket;
        *bucket = flight;
        flight->shared = true;
    }
    return other;
}

void flight_share(result_flight *flight, result_flight *other) {
    other->keep_going = other->keep_going || flight->keep_going;
    flight_unlist(flight);
    while (flight->waiters != NULL) {
        flight_waiter *waiter = flight->waiters;
        waiter_unlink(waiter);
        waiter->traced = false; /* the other's graph may number its nodes otherwise */
        flight_join_other(other, waiter);
    }
}

/* ---- Joining and leaving -------------------------------------------------------------------- */

static result_flight *flight_create(flow_state *flow, const flight_kind *kind,
                                    const result_name *name, const void *wish) {
    result_flight *flight = calloc(1, kind->bytes);
    if (flight == NULL) {
        return NULL;
    }
    flight->magic = FLIGHT_MAGIC;
    flight->kind = kind;
    flight->flow = flow;
    flight->name = *name;
    if (!kind->begin(flight, wish)) {
        free(flight);
        return NULL;
    }
    result_flight **bucket = name_bucket(flow, name);
    flight->name_chain = *bucket;
    *bucket = flight;
    flight->listed = true;
    metric_set(METRIC_FLIGHTS, ++flow->flights->count);
    return flight;
}

/* Work that only jobs wanted goes to the front when a request wants it too. */
static void flight_promote(result_flight *flight) {
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

void flight_join_other(result_flight *flight, flight_waiter *waiter) {
    waiter->collapsed = true;
    metric_add(METRIC_COLLAPSED, 1);
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

void flight_join(flow_state *flow, const flight_kind *kind, const result_name *name,
                 const void *wish, flight_waiter *waiter) {
    result_flight *flight = find_name(flow, name);
    if (flight != NULL) {
        flight_join_other(flight, waiter);
        return;
    }
    flight = flight_create(flow, kind, name, wish);
    if (flight != NULL) {
        flight->payer = owner_hold(waiter->payer);
    }
    if (flight == NULL) {
        loam_error error = {0};
        loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for another request");
        waiter->landed(waiter, &(flight_landing){.error = &error});
        return;
    }
    waiter_link(flight, waiter);
    walk_begin(&flight->walk, kind->steps, flight);
}

void flight_cancel(result_flight *flight) {
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
    result_flight *flight = waiter->flight;
    if (flight == NULL) {
        return;
    }
    waiter_unlink(waiter);
    flight->keep_going = flight->keep_going || keep_going;
    if (is_forsaken(flight)) {
        flight_cancel(flight);
    }
}

bool flight_is_storing(const flight_waiter *waiter) {
    return waiter->flight != NULL && waiter->flight->landed;
}

static result_flight *first_in_the_air(result_flight *flight) {
    while (flight != NULL && flight->landed) {
        flight = flight->name_chain;
    }
    return flight;
}

/* From the start again after each: a flight that ends may end another one that rides on it. */
void flight_cancel_all(flight_table *table) {
    for (uint32_t i = 0; i < FLIGHT_BUCKETS; i++) {
        for (result_flight *flight = first_in_the_air(table->names[i]); flight != NULL;
             flight = first_in_the_air(table->names[i])) {
            flight_cancel(flight);
        }
    }
}
