/* SPDX-License-Identifier: MIT
 *
 * dungeon_flight.c: see dungeon_flight.h. Who waits stands in the first half; the way of a dungeon,
 * top to bottom, in the second.
 */
#include "server/dungeon/dungeon_flight.h"

#include "api/wire/dungeon_document.h"
#include "core/base/assert.h"
#include "core/base/try.h"
#include "server/dungeon/dungeon_work.h"
#include "server/slot/reply.h"
#include "server/slot/step.h"
#include "server/watch/log.h"
#include "server/watch/metrics.h"

#include <stdlib.h>
#include <string.h>

enum { DUNGEON_FLIGHT_MAGIC = 0x0d0f1164, DUNGEON_BUCKETS = 1024 };

struct dungeon_flight {
    uint32_t magic;
    flow_state *flow;
    dungeon_flight *chain;
    digest key;
    text_buffer request;
    step_walk walk;
    dungeon_waiter *waiters;
    bool kept;       /* the request, before this flight */
    bool keep_going; /* somebody left who will ask again */
    bool listed;     /* can be joined */
    bool missed;     /* was not in the store: is being built */
    bool landed;
    bool stored;
    bool queued; /* its task is with the workers */
    int cancel;  /* read by the worker between blocks */
    pool_task task;
    loop_task posted;
    store_get get;
    store_put put;
    control_request control;
    blob *blob;
    loam_error error;
};

struct dungeon_flights {
    uint32_t count;
    dungeon_flight *buckets[DUNGEON_BUCKETS];
};

static step_result dungeon_look_up(void *subject);
static step_result dungeon_build(void *subject);
static step_result dungeon_keep(void *subject);
static step_result dungeon_land(void *subject);
static step_result dungeon_store(void *subject);
static step_result dungeon_settle(void *subject);

static const flow_step dungeon_flight_steps[] = {
    {"look up", dungeon_look_up, false}, /* store reader */
    {"build", dungeon_build, false},     /* worker */
    {"keep", dungeon_keep, false},       /* its request: control writer */
    {"land", dungeon_land, true},        /* to all who wait */
    {"store", dungeon_store, false},     /* store writer */
    {"settle", dungeon_settle, true},    {NULL, NULL, false},
};

dungeon_flights *dungeon_flights_create(void) {
    return calloc(1, sizeof(dungeon_flights));
}

void dungeon_flights_destroy(dungeon_flights *flights) {
    LOAM_ASSERT(flights == NULL || flights->count == 0);
    free(flights);
}

uint32_t dungeon_flights_count(const dungeon_flights *flights) {
    return flights->count;
}

/* ---- Table ---------------------------------------------------------------------------------- */

static dungeon_flight **find_bucket(flow_state *flow, const digest *key) {
    uint32_t start = 0;
    memcpy(&start, key->bytes, sizeof start);
    return &flow->dungeons->buckets[start % DUNGEON_BUCKETS];
}

static dungeon_flight *find_flight(flow_state *flow, const digest *key) {
    dungeon_flight *flight = *find_bucket(flow, key);
    while (flight != NULL && !digest_equal(&flight->key, key)) {
        flight = flight->chain;
    }
    return flight;
}

static void unlist(dungeon_flight *flight) {
    dungeon_flight **link = find_bucket(flight->flow, &flight->key);
    while (flight->listed && *link != flight) {
        link = &(*link)->chain;
    }
    if (flight->listed) {
        *link = flight->chain;
        flight->listed = false;
    }
}

static dungeon_flight *create(flow_state *flow, const dungeon_wish *wish) {
    dungeon_flight *flight = calloc(1, sizeof *flight);
    if (flight == NULL) {
        return NULL;
    }
    flight->magic = DUNGEON_FLIGHT_MAGIC;
    flight->flow = flow;
    flight->key = wish->key;
    flight->kept = wish->kept;
    buffer_init(&flight->request, wish->request.size);
    buffer_add(&flight->request, wish->request.bytes, wish->request.size);
    if (flight->request.failed) {
        free(flight);
        return NULL;
    }
    dungeon_flight **bucket = find_bucket(flow, &wish->key);
    flight->chain = *bucket;
    *bucket = flight;
    flight->listed = true;
    flow->dungeons->count++;
    return flight;
}

/* ---- Waiters -------------------------------------------------------------------------------- */

static void waiter_unlink(dungeon_waiter *waiter) {
    *(waiter->previous == NULL ? &waiter->flight->waiters : &waiter->previous->next) = waiter->next;
    if (waiter->next != NULL) {
        waiter->next->previous = waiter->previous;
    }
    waiter->flight = NULL;
}

static void waiter_link(dungeon_flight *flight, dungeon_waiter *waiter) {
    waiter->flight = flight;
    waiter->previous = NULL;
    waiter->next = flight->waiters;
    if (waiter->next != NULL) {
        waiter->next->previous = waiter;
    }
    flight->waiters = waiter;
}

static void waiter_land(dungeon_flight *flight, dungeon_waiter *waiter) {
    bool stored = flight->stored || waiter->after;
    dungeon_landing landing = {.error = &flight->error,
                               .blob = flight->blob,
                               .stored = stored,
                               .created = flight->control.result.created && !waiter->collapsed,
                               .collapsed = waiter->collapsed && !stored};
    waiter_unlink(waiter);
    waiter->landed(waiter, &landing);
}

/* Heard once. */
static void waiter_miss(dungeon_waiter *waiter) {
    void (*missed)(dungeon_waiter *) = waiter->missed;
    waiter->missed = NULL;
    if (missed != NULL) {
        missed(waiter);
    }
}

void dungeon_join(flow_state *flow, const dungeon_wish *wish, dungeon_waiter *waiter) {
    dungeon_flight *flight = find_flight(flow, &wish->key);
    waiter->collapsed = flight != NULL;
    waiter->after = flight != NULL && flight->landed;
    if (flight != NULL) {
        metric_add(METRIC_COLLAPSED, 1);
        waiter_link(flight, waiter);
        if (flight->landed) {
            waiter_land(flight, waiter);
        } else if (flight->missed) {
            waiter_miss(waiter);
        }
        return;
    }
    flight = create(flow, wish);
    if (flight == NULL) {
        loam_error error = {0};
        loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for another request");
        waiter->landed(waiter, &(dungeon_landing){.error = &error});
        return;
    }
    waiter_link(flight, waiter);
    walk_begin(&flight->walk, dungeon_flight_steps, flight);
}

static void cancel(dungeon_flight *flight) {
    unlist(flight);
    __atomic_store_n(&flight->cancel, 1, __ATOMIC_RELAXED);
    if (flight->queued && pool_cancel(flight->flow->workers, &flight->task)) {
        flight->queued = false;
        loam_fail(&flight->error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED));
        walk_resume(&flight->walk, true);
    }
}

void dungeon_leave(dungeon_waiter *waiter, bool keep_going) {
    dungeon_flight *flight = waiter->flight;
    if (flight == NULL) {
        return;
    }
    waiter_unlink(waiter);
    flight->keep_going = flight->keep_going || keep_going;
    if (!flight->keep_going && flight->waiters == NULL && !flight->landed) {
        cancel(flight);
    }
}

void dungeon_flights_cancel(dungeon_flights *flights) {
    for (uint32_t i = 0; i < DUNGEON_BUCKETS; i++) {
        for (dungeon_flight *flight = flights->buckets[i], *next = NULL; flight != NULL;
             flight = next) {
            next = flight->chain;
            if (!flight->landed) {
                cancel(flight);
            }
        }
    }
}

/* ---- Look up -------------------------------------------------------------------------------- */

static dungeon_flight *flight_of_posted(loop_task *task) {
    dungeon_flight *flight = (dungeon_flight *)((char *)task - offsetof(dungeon_flight, posted));
    LOAM_ASSERT(flight->magic == DUNGEON_FLIGHT_MAGIC);
    return flight;
}

static step_result fail_status(dungeon_flight *flight, loam_status status) {
    loam_fail(&flight->error, status, NULL, "%s", loam_status_text(status));
    return STEP_FAILED;
}

/* A store that cannot answer is a miss: the dungeon can be built again. */
static void looked_up(loop_task *task) {
    dungeon_flight *flight = flight_of_posted(task);
    metric_add(METRIC_DAMAGED, flight->get.outcome == STORE_DAMAGED);
    if (flight->get.base.error.status == LOAM_OK && flight->get.outcome == STORE_HIT) {
        metric_add(METRIC_HITS_STORE, 1);
        flight->blob = flight->get.blob;
        flight->stored = true;
    }
    walk_resume(&flight->walk, false);
}

static void get_done(void *context) {
    dungeon_flight *flight = context;
    flight->posted.run = looked_up;
    loop_post(flight->flow->loop, &flight->posted);
}

static step_result dungeon_look_up(void *subject) {
    dungeon_flight *flight = subject;
    flight->get = (store_get){.base = {.done = get_done, .context = flight}, .key = flight->key};
    return store_result_get(flight->flow->store, &flight->get) == LOAM_OK ? STEP_PARKED : STEP_NEXT;
}

/* ---- Build ---------------------------------------------------------------------------------- */

static void work_build(pool_task *task, pool_worker *worker) {
    dungeon_flight *flight = (dungeon_flight *)((char *)task - offsetof(dungeon_flight, task));
    const dungeon_job job = {.request = buffer_view(&flight->request), .key = flight->key};
    const loam_run run = {.arena = pool_worker_arena(worker),
                          .level = (loam_simd)flight->flow->settings->simd,
                          .cancel = &flight->cancel};
    loam_status status = dungeon_job_build(&job, &run, &flight->blob, &flight->error);
    if (status != LOAM_OK) {
        fail_status(flight, status);
    }
    metric_add(METRIC_DUNGEONS_FAILED, status != LOAM_OK && status != LOAM_CANCELLED);
    metric_add(METRIC_DUNGEONS_BUILT, status == LOAM_OK);
}

static void worked(pool_task *task) {
    dungeon_flight *flight = (dungeon_flight *)((char *)task - offsetof(dungeon_flight, task));
    flight->queued = false;
    walk_resume(&flight->walk, flight->error.status != LOAM_OK);
}

/* The list is walked from the start again after each call, for a waiter may leave in it. */
static void tell_missed(dungeon_flight *flight) {
    flight->missed = true;
    for (dungeon_waiter *waiter = flight->waiters; waiter != NULL;) {
        bool tell = waiter->missed != NULL;
        waiter_miss(waiter);
        waiter = tell ? flight->waiters : waiter->next;
    }
}

static step_result dungeon_build(void *subject) {
    dungeon_flight *flight = subject;
    if (flight->blob != NULL) {
        return STEP_NEXT;
    }
    if (flight->cancel != 0) {
        return fail_status(flight, LOAM_CANCELLED);
    }
    metric_add(METRIC_DUNGEONS_MISSED, 1);
    flight->task = (pool_task){.work = work_build, .done = worked, .priority = POOL_INTERACTIVE};
    loam_status status = pool_submit(flight->flow->workers, &flight->task);
    if (status != LOAM_OK) {
        metric_add(METRIC_OVERLOADED, 1);
        return fail_status(flight, status);
    }
    flight->queued = true;
    tell_missed(flight);
    return STEP_PARKED;
}

/* ---- Keep, land, store ---------------------------------------------------------------------- */

static void was_kept(loop_task *task) {
    dungeon_flight *flight = flight_of_posted(task);
    const loam_error *error = &flight->control.base.error;
    if (error->status != LOAM_OK) {
        loam_fail(&flight->error, error->status, NULL, "%s", error->text);
    }
    walk_resume(&flight->walk, error->status != LOAM_OK);
}

static void keep_done(void *context) {
    dungeon_flight *flight = context;
    flight->posted.run = was_kept;
    loop_post(flight->flow->loop, &flight->posted);
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
                                                     .digest = flight->key,
                                                     .document = buffer_view(&flight->request),
                                                     .created_ms = time_now_ms()}};
    loam_status status = store_control(flight->flow->store, &flight->control);
    return status == LOAM_OK ? STEP_PARKED : fail_status(flight, status);
}

static step_result dungeon_land(void *subject) {
    dungeon_flight *flight = subject;
    flight->landed = true;
    if (flight->error.status != LOAM_OK || flight->stored) {
        unlist(flight); /* whoever comes now asks the store, or tries anew */
    }
    while (flight->waiters != NULL) {
        waiter_land(flight, flight->waiters);
    }
    return STEP_NEXT;
}

static void log_store(const dungeon_flight *flight, log_level level, const char *event) {
    log_line line;
    char key[DIGEST_TEXT_BYTES];
    digest_text(&flight->key, key);
    log_begin(&line, level, event);
    log_string(&line, "build_key", key);
    log_end(&line);
}

static void was_stored(loop_task *task) {
    dungeon_flight *flight = flight_of_posted(task);
    if (flight->put.alarm) {
        metric_add(METRIC_ALARMS, 1);
        log_store(flight, LOG_ERROR, "determinism-alarm");
    }
    if (flight->put.base.error.status != LOAM_OK) {
        log_store(flight, LOG_WARNING, "result-not-stored");
    }
    walk_resume(&flight->walk, false);
}

static void put_done(void *context) {
    dungeon_flight *flight = context;
    flight->posted.run = was_stored;
    loop_post(flight->flow->loop, &flight->posted);
}

static step_result dungeon_store(void *subject) {
    dungeon_flight *flight = subject;
    if (flight->stored) {
        return STEP_NEXT;
    }
    flight->put = (store_put){
        .base = {.done = put_done, .context = flight}, .key = flight->key, .blob = flight->blob};
    if (store_result_put(flight->flow->store, &flight->put) != LOAM_OK) {
        log_store(flight, LOG_WARNING, "result-not-stored");
        return STEP_NEXT;
    }
    return STEP_PARKED;
}

static step_result dungeon_settle(void *subject) {
    dungeon_flight *flight = subject;
    LOAM_ASSERT(flight->magic == DUNGEON_FLIGHT_MAGIC && flight->waiters == NULL);
    unlist(flight);
    control_result_fini(&flight->control.result);
    blob_release(flight->blob);
    buffer_fini(&flight->request);
    flight->flow->dungeons->count--;
    flight->magic = 0;
    free(flight);
    return STEP_ENDED;
}
