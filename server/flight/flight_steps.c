/* SPDX-License-Identifier: MIT
 *
 * flight_steps.c: what every flight does, whatever it carries: meet, look up, admit, build, land,
 * store, settle. See flight_state.h.
 */
#include "core/base/assert.h"
#include "server/flight/flight_state.h"
#include "server/slot/shed.h"
#include "server/watch/log.h"

step_result flight_fail(result_flight *flight, const loam_error *error) {
    loam_fail(&flight->error, error->status, error->pointer, "%s", error->text);
    return STEP_FAILED;
}

step_result flight_fail_status(result_flight *flight, loam_status status) {
    loam_fail(&flight->error, status, NULL, "%s", loam_status_text(status));
    return STEP_FAILED;
}

static void log_flight(const result_flight *flight, log_level level, const char *event) {
    log_line line;
    char key[DIGEST_TEXT_BYTES];
    digest_text(&flight->key, key);
    log_begin(&line, level, event);
    log_string(&line, "build_key", key);
    if (flight->error.status != LOAM_OK) {
        log_error(&line, &flight->error);
    }
    log_end(&line);
}

/* ---- Elsewhere ------------------------------------------------------------------------------ */

static result_flight *flight_of_task(pool_task *task) {
    result_flight *flight = (result_flight *)((char *)task - offsetof(result_flight, task));
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC);
    return flight;
}

static void work_task(pool_task *task, pool_worker *worker) {
    result_flight *flight = flight_of_task(task);
    uint64_t start_us = loop_now_us();
    loam_status status = flight->work(flight, worker, &flight->error);
    flight->work_us = loop_now_us() - start_us;
    if (status != LOAM_OK) {
        flight_fail_status(flight, status);
    }
}

static void worked(pool_task *task) {
    result_flight *flight = flight_of_task(task);
    owner_charge_core(flight->payer, loop_now_us(), flight->work_us);
    flight->queued = false;
    walk_resume(&flight->walk, flight->error.status != LOAM_OK);
}

step_result flight_work(result_flight *flight,
                        loam_status (*work)(result_flight *flight, pool_worker *worker,
                                            loam_error *error)) {
    flight->work = work;
    flight->task =
        (pool_task){.work = work_task,
                    .done = worked,
                    .priority = flight_wants_batch(flight) ? POOL_BATCH : POOL_INTERACTIVE};
    loam_status status = pool_submit(flight->flow->workers, &flight->task);
    if (status != LOAM_OK) {
        if (status == LOAM_OVERLOADED && flight->task.priority == POOL_INTERACTIVE) {
            shed_count(SHED_SINGLE);
        }
        return flight_fail_status(flight, status);
    }
    flight->queued = true;
    return STEP_PARKED;
}

loam_run flight_run(result_flight *flight, pool_worker *worker) {
    return (loam_run){.arena = pool_worker_arena(worker),
                      .level = (loam_simd)flight->flow->settings->simd,
                      .cancel = &flight->cancel};
}

result_flight *flight_of_posted(loop_task *task) {
    result_flight *flight = (result_flight *)((char *)task - offsetof(result_flight, posted));
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC);
    return flight;
}

void flight_post(result_flight *flight, void (*run)(loop_task *task)) {
    flight->posted.run = run;
    loop_post(flight->flow->loop, &flight->posted);
}

/* ---- Meet, look up -------------------------------------------------------------------------- */

step_result flight_meet(void *subject) {
    result_flight *flight = subject;
    result_flight *other = flight_meet_other(flight);
    if (other == NULL) {
        return STEP_NEXT;
    }
    if (flight->kind->is_alike != NULL && !flight->kind->is_alike(flight, other)) {
        return flight_ride_on(flight, other);
    }
    flight_share(flight, other);
    flight_free(flight);
    return STEP_ENDED;
}

/* A store that cannot answer is a miss: what was not found can be built again. */
static void looked_up(loop_task *task) {
    result_flight *flight = flight_of_posted(task);
    if (flight->get.outcome == STORE_DAMAGED) {
        log_flight(flight, LOG_ERROR, "result-damaged");
    }
    if (flight->get.base.error.status == LOAM_OK && flight->get.outcome == STORE_HIT) {
        metric_add(METRIC_HITS_STORE, 1);
        flight->blob = flight->get.blob;
        flight->origin = ORIGIN_STORED;
    }
    walk_resume(&flight->walk, false);
}

static void get_done(void *context) {
    flight_post(context, looked_up);
}

step_result flight_look_up(void *subject) {
    result_flight *flight = subject;
    if (flight->blob != NULL) {
        return STEP_NEXT; /* from a flight that it rode on */
    }
    flight->get = (store_get){.base = {.done = get_done, .context = flight}, .key = flight->key};
    return store_result_get(flight->flow->store, &flight->get) == LOAM_OK ? STEP_PARKED : STEP_NEXT;
}

/* ---- Build ---------------------------------------------------------------------------------- */

step_result flight_admit(void *subject) {
    result_flight *flight = subject;
    if (flight->blob != NULL) {
        return STEP_NEXT;
    }
    if (!flight_is_wanted(flight)) {
        flight_unlist(flight);
        return flight_fail_status(flight, LOAM_NOT_GENERATED);
    }
    flight->missed = true;
    metric_add(flight->kind->missed, 1);
    return STEP_NEXT;
}

static loam_status work_build(result_flight *flight, pool_worker *worker, loam_error *error) {
    loam_status status = flight->kind->build(flight, worker, error);
    flight->origin = ORIGIN_BUILT;
    metric_add(flight->kind->built, status == LOAM_OK);
    metric_add(flight->kind->failed, status != LOAM_OK && status != LOAM_CANCELLED);
    return status;
}

step_result flight_build(void *subject) {
    result_flight *flight = subject;
    if (flight->blob != NULL) {
        return STEP_NEXT;
    }
    step_result result = flight_work(flight, work_build);
    if (result == STEP_PARKED) {
        flight_tell_missed(flight);
    }
    return result;
}

/* ---- Land, store ---------------------------------------------------------------------------- */

static bool waits_for_landing(const flight_waiter *waiter) {
    return !waiter->stored;
}

/* A stored result is on the disk already; a failure concerns all. */
step_result flight_land(void *subject) {
    result_flight *flight = subject;
    bool failed = flight->blob == NULL || flight->error.status != LOAM_OK;
    bool all = failed || flight->origin == ORIGIN_STORED;
    flight->landed = true;
    if (failed) {
        flight_unlist(flight); /* whoever comes now tries anew */
    }
    flight_tell(flight, all ? NULL : waits_for_landing);
    return STEP_NEXT;
}

static void log_alarm(const result_flight *flight) {
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

static void was_stored(loop_task *task) {
    result_flight *flight = flight_of_posted(task);
    const loam_error *error = &flight->put.base.error;
    if (flight->put.alarm) {
        metric_add(METRIC_ALARMS, 1);
        log_alarm(flight);
    }
    if (error->status != LOAM_OK) {
        flight->unstored = true;
        flight_fail(flight, error);
    }
    walk_resume(&flight->walk, flight->error.status != LOAM_OK);
}

static void put_done(void *context) {
    flight_post(context, was_stored);
}

step_result flight_store(void *subject) {
    result_flight *flight = subject;
    if (flight->origin == ORIGIN_STORED) {
        return STEP_NEXT;
    }
    flight->put = (store_put){.base = {.done = put_done, .context = flight},
                              .key = flight->key,
                              .blob = flight->blob,
                              .durable = flight->waiters != NULL};
    loam_status status = store_result_put(flight->flow->store, &flight->put);
    flight->unstored = status != LOAM_OK;
    return status == LOAM_OK ? STEP_PARKED : flight_fail_status(flight, status);
}

step_result flight_land_stored(void *subject) {
    result_flight *flight = subject;
    flight_unlist(flight);
    if (flight->unstored) {
        log_flight(flight, LOG_WARNING, "result-not-stored");
    }
    flight_tell(flight, NULL);
    return STEP_NEXT;
}

step_result flight_settle(void *subject) {
    flight_free(subject);
    return STEP_ENDED;
}
