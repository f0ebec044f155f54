/* SPDX-License-Identifier: MIT
 *
 * cell_judge.c: the steps in which a cell meets the checks of its world: recall the verdict, else
 * judge on a worker, and conclude what those who wait hear. A verdict belongs to artifact and
 * checks, not to the build key: under other checks the same bytes are judged again, not built.
 */
#include "server/cell/cell_flight_state.h"

#include "core/base/try.h"
#include "server/cell/verdict.h"
#include "server/watch/metrics.h"

#include <stdlib.h>

static bool is_open(const cell_flight *flight) {
    return flight->check != NULL && flight->base.blob != NULL && flight->verdict == NULL;
}

/* ---- Recall --------------------------------------------------------------------------------- */

/* A store that cannot answer knows no verdict: the cell is judged. */
static void recalled(loop_task *task) {
    cell_flight *flight = (cell_flight *)flight_of_posted(task);
    flight->verdict = flight->recall.text;
    if (flight->verdict != NULL) {
        verdict_cache_add(flight->base.flow->verdicts, &flight->base.blob->digest,
                          &flight->check_key, flight->verdict);
    }
    walk_resume(&flight->base.walk, false);
}

static void recall_done(void *context) {
    flight_post(context, recalled);
}

/* What was just built was hardly judged before: only memory is asked. */
step_result cell_recall(void *subject) {
    cell_flight *flight = subject;
    if (!is_open(flight)) {
        return STEP_NEXT;
    }
    flight->verdict = verdict_cache_find(flight->base.flow->verdicts, &flight->base.blob->digest,
                                         &flight->check_key);
    if (flight->verdict != NULL || flight->base.origin == ORIGIN_BUILT) {
        return STEP_NEXT;
    }
    flight->recall = (store_verdict){.base = {.done = recall_done, .context = flight},
                                     .artifact = flight->base.blob->digest,
                                     .checks = flight->check_key};
    return store_verdict_get(flight->base.flow->store, &flight->recall) == LOAM_OK ? STEP_PARKED
                                                                                   : STEP_NEXT;
}

/* ---- Judge ---------------------------------------------------------------------------------- */

step_result cell_judge_assets(void *subject) {
    cell_flight *flight = subject;
    return is_open(flight) ? cell_hold_assets(flight) : STEP_NEXT;
}

static loam_status judge(cell_flight *flight, pool_worker *worker, loam_error *error) {
    loam_points points;
    loam_verdict verdict;
    const blob *bytes = flight->base.blob;
    loam_query query = cell_query(flight);
    loam_run run = flight_run(&flight->base, worker);
    LOAM_TRY(loam_cell_decode(bytes->bytes, bytes->size, run.arena, &points, error));
    LOAM_TRY(loam_check_cell(flight->check, &query, &points, &run, &verdict, error));
    flight->verdict = verdict_make(&verdict);
    return flight->verdict != NULL
               ? LOAM_OK
               : loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a verdict");
}

/* What stops the judging stops nobody who wants the bytes alone: the walk goes on, unless nobody
 * wants anything any more. */
static loam_status work_judge(result_flight *base, pool_worker *worker, loam_error *error) {
    cell_flight *flight = (cell_flight *)base;
    loam_error fault = {0};
    loam_status status = judge(flight, worker, &fault);
    flight->judged = status == LOAM_OK;
    if (status == LOAM_OK || status == LOAM_CANCELLED) {
        return status == LOAM_OK ? LOAM_OK : loam_fail(error, status, NULL, "%s", fault.text);
    }
    loam_fail(&base->objection, status, fault.pointer, "%s",
              fault.text[0] == 0 ? loam_status_text(status) : fault.text);
    return LOAM_OK;
}

step_result cell_judge(void *subject) {
    cell_flight *flight = subject;
    return is_open(flight) ? flight_work(&flight->base, work_judge) : STEP_NEXT;
}

/* ---- Conclude ------------------------------------------------------------------------------- */

step_result cell_conclude(void *subject) {
    cell_flight *flight = subject;
    if (flight->judged) {
        metric_add(METRIC_CELLS_JUDGED, 1);
        verdict_cache_add(flight->base.flow->verdicts, &flight->base.blob->digest,
                          &flight->check_key, flight->verdict);
    }
    bool failed = flight->verdict != NULL && !verdict_passed(flight->verdict);
    metric_add(METRIC_CHECKS_FAILED, failed && flight->judged);
    if (failed && !flight->wish.revision->world.check_warns) {
        loam_text detail = verdict_detail(flight->verdict);
        loam_fail(&flight->base.objection, LOAM_CHECK_FAILED, NULL, "%.*s", (int)detail.size,
                  detail.bytes);
    }
    return STEP_NEXT;
}

/* ---- Keep ----------------------------------------------------------------------------------- */

static void kept(loop_task *task) {
    walk_resume(&flight_of_posted(task)->walk, false);
}

static void keep_done(void *context) {
    flight_post(context, kept);
}

/* What is not kept is judged again another time. */
step_result cell_keep_verdict(void *subject) {
    cell_flight *flight = subject;
    if (!flight->judged) {
        return STEP_NEXT;
    }
    flight->keep = (store_verdict){.base = {.done = keep_done, .context = flight},
                                   .artifact = flight->base.blob->digest,
                                   .checks = flight->check_key,
                                   .text = flight->verdict};
    return store_verdict_put(flight->base.flow->store, &flight->keep) == LOAM_OK ? STEP_PARKED
                                                                                 : STEP_NEXT;
}
