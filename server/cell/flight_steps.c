/* SPDX-License-Identifier: MIT
 *
 * flight_steps.c: the way of a cell, top to bottom: key, look up, admit, evaluate and encode,
 * judge, land, store, settle. What is found on the way makes later steps pass; a failure goes
 * straight to land.
 */
#include "server/cell/flight_state.h"

#include "api/key/stage_cache.h"
#include "api/wire/check_document.h"
#include "core/base/assert.h"
#include "server/cell/key_cache.h"
#include "server/watch/log.h"
#include "server/watch/metrics.h"

#include <stdlib.h>

static step_result flight_find_key(void *subject);
static step_result flight_get_assets(void *subject);
static step_result flight_make_key(void *subject);
static step_result flight_meet(void *subject);
static step_result flight_look_up(void *subject);
static step_result flight_admit(void *subject);
static step_result flight_evaluate(void *subject);
static step_result flight_land(void *subject);
static step_result flight_store(void *subject);
static step_result flight_land_stored(void *subject);
static step_result flight_settle(void *subject);

const flow_step flight_steps[] = {
    {"find key", flight_find_key, false}, /* remembered from an earlier question? */
    {"assets for key", flight_get_assets, false},
    {"make key", flight_make_key, false}, /* worker */
    {"meet", flight_meet, false},         /* the same key in the air already? */
    {"look up", flight_look_up, false},   /* store reader */
    {"admit", flight_admit, false},       /* somebody wants it built? */
    {"assets", flight_get_assets, false},
    {"evaluate", flight_evaluate, false}, /* worker: evaluate, encode, digest */
    {"recall", flight_recall, false},     /* its verdict: memory, store reader */
    {"assets for checks", flight_judge_assets, false},
    {"judge", flight_judge, false},            /* worker */
    {"conclude", flight_conclude, false},      /* served, served with a warning, refused */
    {"land", flight_land, true},               /* to all who wait */
    {"store", flight_store, false},            /* store writer */
    {"land stored", flight_land_stored, true}, /* to those who wait for the disk */
    {"settle", flight_settle, true},
    {NULL, NULL, false},
};

static step_result flight_fail(cell_flight *flight, const loam_error *error) {
    loam_fail(&flight->error, error->status, error->pointer, "%s", error->text);
    return STEP_FAILED;
}

static step_result flight_fail_status(cell_flight *flight, loam_status status) {
    loam_fail(&flight->error, status, NULL, "%s", loam_status_text(status));
    return STEP_FAILED;
}

/* ---- Workers -------------------------------------------------------------------------------- */

cell_flight *flight_of_task(pool_task *task) {
    cell_flight *flight = (cell_flight *)((char *)task - offsetof(cell_flight, task));
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC);
    return flight;
}

static void flight_worked(pool_task *task) {
    cell_flight *flight = flight_of_task(task);
    flight->queued = false;
    walk_resume(&flight->walk, flight->error.status != LOAM_OK);
}

step_result flight_submit(cell_flight *flight, void (*work)(pool_task *task, pool_worker *worker)) {
    flight->task =
        (pool_task){.work = work,
                    .done = flight_worked,
                    .priority = flight_wants_batch(flight) ? POOL_BATCH : POOL_INTERACTIVE};
    loam_status status = pool_submit(flight->flow->workers, &flight->task);
    if (status != LOAM_OK) {
        metric_add(METRIC_OVERLOADED, 1);
        return flight_fail_status(flight, status);
    }
    flight->queued = true;
    return STEP_PARKED;
}

loam_query flight_query(const cell_flight *flight) {
    return (loam_query){.plan = flight->request.revision->plan,
                        .output = flight->request.place.output,
                        .rect = flight->request.rect,
                        .slots = flight->assets.slots};
}

/* ---- Key ------------------------------------------------------------------------------------ */

static step_result flight_find_key(void *subject) {
    cell_flight *flight = subject;
    cell_keys keys;
    flight->keyed = key_cache_find(flight->flow->keys, &flight->request.place, &keys);
    if (flight->keyed) {
        flight->key = keys.build;
        flight->check_key = keys.check;
    }
    return STEP_NEXT;
}

static void flight_assets_ready(void *context) {
    cell_flight *flight = context;
    if (flight->assets.error.status != LOAM_OK) {
        flight_fail(flight, &flight->assets.error);
    }
    walk_resume(&flight->walk, flight->error.status != LOAM_OK);
}

step_result flight_hold_assets(cell_flight *flight) {
    const world *of = &flight->request.revision->world;
    if (flight->assets_held) {
        return STEP_NEXT;
    }
    flight->assets_held = true;
    if (!asset_set_acquire(&flight->assets, flight->flow, of->slots, of->graph.slot_count,
                           flight_assets_ready, flight)) {
        return STEP_PARKED;
    }
    return flight->assets.error.status == LOAM_OK ? STEP_NEXT
                                                  : flight_fail(flight, &flight->assets.error);
}

/* Twice in the table: before the key when that is not known, else before the evaluation. */
static step_result flight_get_assets(void *subject) {
    cell_flight *flight = subject;
    bool needed = (flight->missed || !flight->keyed) && flight->blob == NULL;
    return needed ? flight_hold_assets(flight) : STEP_NEXT;
}

static void work_key(pool_task *task, pool_worker *worker) {
    cell_flight *flight = flight_of_task(task);
    loam_query query = flight_query(flight);
    loam_arena *arena = pool_worker_arena(worker);
    loam_status status = key_of_cell(&query, arena, &flight->key, &flight->error);
    if (status == LOAM_OK && flight->check != NULL) {
        status = checks_key(flight->check, &query, arena, &flight->check_key, &flight->error);
    }
    if (status != LOAM_OK) {
        flight_fail_status(flight, status);
    }
}

static step_result flight_make_key(void *subject) {
    cell_flight *flight = subject;
    return flight->keyed ? STEP_NEXT : flight_submit(flight, work_key);
}

static step_result flight_meet(void *subject) {
    cell_flight *flight = subject;
    if (!flight->keyed) {
        const cell_keys keys = {flight->key, flight->check_key};
        key_cache_add(flight->flow->keys, &flight->request.place, &keys);
        flight->keyed = true;
    }
    cell_flight *other = flight_meet_other(flight);
    if (other == NULL) {
        return STEP_NEXT;
    }
    if (!flight_answers_alike(flight, other)) {
        return flight_ride_on(flight, other);
    }
    flight_share(flight, other);
    flight_free(flight);
    return STEP_ENDED;
}

/* ---- Look up -------------------------------------------------------------------------------- */

cell_flight *flight_of_posted(loop_task *task) {
    cell_flight *flight = (cell_flight *)((char *)task - offsetof(cell_flight, posted));
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC);
    return flight;
}

static void log_damage(const cell_flight *flight) {
    log_line line;
    char key[DIGEST_TEXT_BYTES];
    digest_text(&flight->key, key);
    log_begin(&line, LOG_ERROR, "result-damaged");
    log_string(&line, "build_key", key);
    log_end(&line);
}

/* A store that cannot answer is a miss: the cell can be built again. */
static void flight_looked_up(loop_task *task) {
    cell_flight *flight = flight_of_posted(task);
    if (flight->get.outcome == STORE_DAMAGED) {
        metric_add(METRIC_DAMAGED, 1);
        log_damage(flight);
    }
    if (flight->get.base.error.status == LOAM_OK && flight->get.outcome == STORE_HIT) {
        metric_add(METRIC_HITS_STORE, 1);
        flight->blob = flight->get.blob;
        flight->origin = ORIGIN_STORED;
    }
    walk_resume(&flight->walk, false);
}

static void get_done(void *context) {
    cell_flight *flight = context;
    flight->posted.run = flight_looked_up;
    loop_post(flight->flow->loop, &flight->posted);
}

static step_result flight_look_up(void *subject) {
    cell_flight *flight = subject;
    if (flight->blob != NULL) {
        return STEP_NEXT; /* from a flight that it rode on */
    }
    flight->get = (store_get){.base = {.done = get_done, .context = flight}, .key = flight->key};
    return store_result_get(flight->flow->store, &flight->get) == LOAM_OK ? STEP_PARKED : STEP_NEXT;
}

/* ---- Build ---------------------------------------------------------------------------------- */

static step_result flight_admit(void *subject) {
    cell_flight *flight = subject;
    if (flight->blob != NULL) {
        return STEP_NEXT;
    }
    if (!flight_is_wanted(flight)) {
        flight_unlist(flight);
        return flight_fail_status(flight, LOAM_NOT_GENERATED);
    }
    flight->missed = true;
    metric_add(METRIC_MISSES, 1);
    return STEP_NEXT;
}

static loam_status encode(cell_flight *flight, const loam_points *points) {
    size_t size = 0;
    blob *built = blob_allocate(loam_cell_bound(points));
    if (built == NULL) {
        return loam_fail(&flight->error, LOAM_ARENA_FULL, NULL, "no memory for a result");
    }
    loam_status status = loam_cell_encode(points, built->bytes, loam_cell_bound(points), &size);
    if (status != LOAM_OK) {
        blob_release(built);
        return status;
    }
    blob_seal(built, size);
    flight->blob = built;
    flight->origin = ORIGIN_BUILT;
    metric_add(METRIC_POINTS_BUILT, points->count);
    return LOAM_OK;
}

static void work_evaluate(pool_task *task, pool_worker *worker) {
    cell_flight *flight = flight_of_task(task);
    uint64_t start_us = loop_now_us();
    loam_points points;
    loam_query query = flight_query(flight);
    loam_run run = {.arena = pool_worker_arena(worker),
                    .level = (loam_simd)flight->flow->settings->simd,
                    .cancel = &flight->cancel,
                    .trace = flight->trace.nodes == NULL ? NULL : &flight->trace,
                    .stages = stage_cache_stages(flight->flow->stages)};
    loam_status status = loam_cell_build(&query, &run, &points, &flight->error);
    if (status == LOAM_OK) {
        status = encode(flight, &points);
    }
    if (status != LOAM_OK) {
        flight_fail_status(flight, status);
        metric_add(METRIC_CELLS_FAILED, status != LOAM_CANCELLED);
        return;
    }
    metric_add(METRIC_CELLS_BUILT, 1);
    metric_observe_cell(loop_now_us() - start_us);
}

static step_result flight_evaluate(void *subject) {
    cell_flight *flight = subject;
    if (flight->blob != NULL) {
        return STEP_NEXT;
    }
    if (flight_wants_trace(flight)) { /* without memory there is none */
        flight->trace.nodes =
            calloc(flight->request.revision->world.graph.node_count, sizeof *flight->trace.nodes);
    }
    step_result result = flight_submit(flight, work_evaluate);
    if (result == STEP_PARKED) {
        flight_tell_missed(flight);
    }
    return result;
}

/* ---- Land ----------------------------------------------------------------------------------- */

static bool waits_for_landing(const flight_waiter *waiter) {
    return !waiter->stored;
}

/* A stored result is on the disk already; a failure concerns all. */
static step_result flight_land(void *subject) {
    cell_flight *flight = subject;
    bool all = flight->blob == NULL || flight->origin == ORIGIN_STORED;
    flight->landed = true;
    if (flight->blob == NULL || flight->error.status != LOAM_OK) {
        flight_unlist(flight); /* whoever comes now tries anew */
    }
    flight_tell(flight, all ? NULL : waits_for_landing);
    return STEP_NEXT;
}

static void log_alarm(const cell_flight *flight) {
    log_line line;
    char key[DIGEST_TEXT_BYTES];
    char kept[DIGEST_TEXT_BYTES];
    char made[DIGEST_TEXT_BYTES];
    digest_text(&flight->key, key);
    digest_text(&flight->put.kept, kept);
    digest_text(&flight->blob->digest, made);
    log_begin(&line, LOG_ERROR, "determinism-alarm");
    log_string(&line, "build_key", key);
    log_string(&line, "kept", kept);
    log_string(&line, "made", made);
    log_end(&line);
}

void flight_stored_one(cell_flight *flight) {
    if (--flight->stores == 0) {
        walk_resume(&flight->walk, flight->error.status != LOAM_OK);
    }
}

static void flight_was_stored(loop_task *task) {
    cell_flight *flight = flight_of_posted(task);
    const loam_error *error = &flight->put.base.error;
    if (flight->put.alarm) {
        metric_add(METRIC_ALARMS, 1);
        log_alarm(flight);
    }
    if (error->status != LOAM_OK) {
        flight_fail(flight, error);
    }
    flight_stored_one(flight);
}

static void put_done(void *context) {
    cell_flight *flight = context;
    flight->posted.run = flight_was_stored;
    loop_post(flight->flow->loop, &flight->posted);
}

static step_result flight_store(void *subject) {
    cell_flight *flight = subject;
    if (flight->origin == ORIGIN_STORED) {
        flight->stores = flight_keep_verdict(flight);
        return flight->stores > 0 ? STEP_PARKED : STEP_NEXT;
    }
    flight->put = (store_put){.base = {.done = put_done, .context = flight},
                              .key = flight->key,
                              .blob = flight->blob,
                              .durable = flight->waiters != NULL};
    loam_status status = store_result_put(flight->flow->store, &flight->put);
    if (status != LOAM_OK) {
        return flight_fail_status(flight, status);
    }
    flight->stores = 1;
    flight->stores += flight_keep_verdict(flight); /* behind the artifact that it is of */
    return STEP_PARKED;
}

static void log_unstored(const cell_flight *flight) {
    log_line line;
    log_begin(&line, LOG_WARNING, "result-not-stored");
    log_error(&line, &flight->error);
    log_end(&line);
}

static step_result flight_land_stored(void *subject) {
    cell_flight *flight = subject;
    flight_unlist(flight);
    if (flight->blob != NULL && flight->error.status != LOAM_OK) {
        log_unstored(flight);
    }
    flight_tell(flight, NULL);
    return STEP_NEXT;
}

static step_result flight_settle(void *subject) {
    flight_free(subject);
    return STEP_ENDED;
}
