/* SPDX-License-Identifier: MIT
 *
 * flight_judge.c: the steps in which a cell meets the checks of its world: recall the verdict, else
 * judge on a worker, and conclude what those who wait hear. A verdict belongs to artifact and
 * checks, not to the build key: under other checks the same bytes are judged again, not built.
 */
#include "server/cell/flight_state.h"

#include "api/wire/check_document.h"
#include "core/base/assert.h"
#include "server/cell/verdict.h"
#include "server/watch/metrics.h"

#include <stdlib.h>

static bool is_open(const cell_flight *flight) {
    return flight->check != NULL && flight->blob != NULL && flight->verdict == NULL;
}

/* ---- Recall --------------------------------------------------------------------------------- */

/* A store that cannot answer knows no verdict: the cell is judged. */
static void flight_recalled(loop_task *task) {
    cell_flight *flight = flight_of_posted(task);
    flight->verdict = flight->recall.text;
    if (flight->verdict != NULL) {
        verdict_cache_add(flight->flow->verdicts, &flight->blob->digest, &flight->check_key,
                          flight->verdict);
    }
    walk_resume(&flight->walk, false);
}

static void recall_done(void *context) {
    cell_flight *flight = context;
    flight->posted.run = flight_recalled;
    loop_post(flight->flow->loop, &flight->posted);
}

/* What was just built was hardly judged before: only memory is asked. */
step_result flight_recall(void *subject) {
    cell_flight *flight = subject;
    if (!is_open(flight)) {
        return STEP_NEXT;
    }
    flight->verdict =
        verdict_cache_find(flight->flow->verdicts, &flight->blob->digest, &flight->check_key);
    if (flight->verdict != NULL || flight->origin == ORIGIN_BUILT) {
        return STEP_NEXT;
    }
    flight->recall = (store_verdict){.base = {.done = recall_done, .context = flight},
                                     .artifact = flight->blob->digest,
                                     .checks = flight->check_key};
    return store_verdict_get(flight->flow->store, &flight->recall) == LOAM_OK ? STEP_PARKED
                                                                              : STEP_NEXT;
}

/* ---- Judge ---------------------------------------------------------------------------------- */

step_result flight_judge_assets(void *subject) {
    cell_flight *flight = subject;
    return is_open(flight) ? flight_hold_assets(flight) : STEP_NEXT;
}

static loam_status judge(cell_flight *flight, loam_arena *arena, loam_error *error) {
    loam_points points;
    loam_verdict verdict;
    loam_query query = flight_query(flight);
    loam_run run = {.arena = arena,
                    .level = (loam_simd)flight->flow->settings->simd,
                    .cancel = &flight->cancel};
    loam_status status =
        loam_cell_decode(flight->blob->bytes, flight->blob->size, arena, &points, error);
    if (status == LOAM_OK) {
        status = loam_check_cell(flight->check, &query, &points, &run, &verdict, error);
    }
    if (status == LOAM_OK) {
        flight->verdict = verdict_make(&verdict);
        status = flight->verdict != NULL
                     ? LOAM_OK
                     : loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a verdict");
    }
    return status;
}

/* What stops the judging stops nobody who wants the bytes alone: the walk goes on, unless nobody
 * wants anything any more. */
static void work_judge(pool_task *task, pool_worker *worker) {
    cell_flight *flight = flight_of_task(task);
    loam_error error = {0};
    loam_status status = judge(flight, pool_worker_arena(worker), &error);
    if (status != LOAM_OK) {
        loam_fail(status == LOAM_CANCELLED ? &flight->error : &flight->check_error, status,
                  error.pointer, "%s", error.text[0] == 0 ? loam_status_text(status) : error.text);
    }
    flight->judged = status == LOAM_OK;
}

step_result flight_judge(void *subject) {
    cell_flight *flight = subject;
    return is_open(flight) ? flight_submit(flight, work_judge) : STEP_NEXT;
}

/* ---- Conclude ------------------------------------------------------------------------------- */

step_result flight_conclude(void *subject) {
    cell_flight *flight = subject;
    if (flight->judged) {
        metric_add(METRIC_CELLS_JUDGED, 1);
        verdict_cache_add(flight->flow->verdicts, &flight->blob->digest, &flight->check_key,
                          flight->verdict);
    }
    bool failed = flight->verdict != NULL && !verdict_passed(flight->verdict);
    metric_add(METRIC_CHECKS_FAILED, failed && flight->judged);
    if (failed && !flight->request.revision->world.check_warns) {
        loam_text detail = verdict_detail(flight->verdict);
        loam_fail(&flight->check_error, LOAM_CHECK_FAILED, NULL, "%.*s", (int)detail.size,
                  detail.bytes);
    }
    return STEP_NEXT;
}

/* ---- Keep ----------------------------------------------------------------------------------- */

/* What is not kept is judged again another time. */
static void flight_kept(loop_task *task) {
    cell_flight *flight = (cell_flight *)((char *)task - offsetof(cell_flight, kept));
    LOAM_ASSERT(flight->magic == FLIGHT_MAGIC);
    flight_stored_one(flight);
}

static void keep_done(void *context) {
    cell_flight *flight = context;
    flight->kept.run = flight_kept;
    loop_post(flight->flow->loop, &flight->kept);
}

bool flight_keep_verdict(cell_flight *flight) {
    if (!flight->judged) {
        return false;
    }
    flight->keep = (store_verdict){.base = {.done = keep_done, .context = flight},
                                   .artifact = flight->blob->digest,
                                   .checks = flight->check_key,
                                   .text = flight->verdict};
    return store_verdict_put(flight->flow->store, &flight->keep) == LOAM_OK;
}
