/* SPDX-License-Identifier: MIT
 *
 * cell_flight.c: the way of a cell, top to bottom: key, look up, admit, evaluate and encode, judge,
 * land, store, settle. What every flight does stands in server/flight, judging in cell_judge.c.
 */
#include "server/cell/cell_flight_state.h"

#include "api/key/stage_cache.h"
#include "api/wire/check_document.h"
#include "core/base/try.h"
#include "server/cell/key_cache.h"
#include "server/cell/verdict.h"

#include <stdlib.h>

static step_result cell_find_key(void *subject);
static step_result cell_get_assets(void *subject);
static step_result cell_make_key(void *subject);
static step_result cell_note_key(void *subject);
static step_result cell_trace(void *subject);

static const flow_step cell_flight_steps[] = {
    {"find key", cell_find_key, false}, /* remembered from an earlier question? */
    {"assets for key", cell_get_assets, false},
    {"make key", cell_make_key, false}, /* worker */
    {"note key", cell_note_key, false},
    {"meet", flight_meet, false}, /* the same key in the air already? */
    FLIGHT_LOOK_UP,
    {"assets", cell_get_assets, false},
    {"trace", cell_trace, false},
    FLIGHT_BUILD,                   /* worker: evaluate, encode, digest */
    {"recall", cell_recall, false}, /* its verdict: memory, store reader */
    {"assets for checks", cell_judge_assets, false},
    {"judge", cell_judge, false},       /* worker */
    {"conclude", cell_conclude, false}, /* served, served with a warning, refused */
    FLIGHT_LAND,
    {"keep verdict", cell_keep_verdict, false}, /* behind the cell that it is of */
    FLIGHT_END,
};

/* ---- Kind ----------------------------------------------------------------------------------- */

static bool cell_begin(result_flight *base, const void *wish) {
    cell_flight *flight = (cell_flight *)base;
    flight->wish = *(const cell_wish *)wish;
    flight->check = checks_of(&flight->wish.revision->world, flight->wish.place.output);
    revision_retain(flight->wish.revision);
    return true;
}

static void cell_end(result_flight *base) {
    cell_flight *flight = (cell_flight *)base;
    if (flight->assets_held) {
        asset_set_release(&flight->assets);
    }
    blob_release(flight->verdict);
    free(flight->trace.nodes);
    revision_release(base->flow->worlds, flight->wish.revision);
}

static bool cell_is_alike(const result_flight *a, const result_flight *b) {
    const cell_flight *cell = (const cell_flight *)a;
    const cell_flight *other = (const cell_flight *)b;
    if (cell->check == NULL || other->check == NULL) {
        return cell->check == other->check;
    }
    return digest_equal(&cell->check_key, &other->check_key) &&
           cell->wish.revision->world.check_warns == other->wish.revision->world.check_warns;
}

static void cell_tell(const result_flight *base, const flight_waiter *waiter,
                      flight_landing *landing) {
    const cell_flight *flight = (const cell_flight *)base;
    if (flight->verdict != NULL && !verdict_passed(flight->verdict)) {
        landing->verdict = flight->verdict;
        landing->reasons = verdict_reasons(flight->verdict);
    }
    landing->trace = waiter->traced && flight->trace.nodes != NULL ? &flight->trace : NULL;
}

static loam_status encode(result_flight *flight, const loam_points *points, loam_error *error) {
    size_t size = 0;
    blob *built = blob_allocate(loam_cell_bound(points));
    if (built == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a result");
    }
    loam_status status = loam_cell_encode(points, built->bytes, loam_cell_bound(points), &size);
    if (status != LOAM_OK) {
        blob_release(built);
        return status;
    }
    blob_seal(built, size);
    flight->blob = built;
    metric_add(METRIC_POINTS_BUILT, points->count);
    return LOAM_OK;
}

static loam_status cell_build(result_flight *base, pool_worker *worker, loam_error *error) {
    cell_flight *flight = (cell_flight *)base;
    uint64_t start_us = loop_now_us();
    loam_points points;
    loam_query query = cell_query(flight);
    loam_run run = flight_run(base, worker);
    run.trace = flight->trace.nodes == NULL ? NULL : &flight->trace;
    run.stages = stage_cache_stages(base->flow->stages);
    LOAM_TRY(loam_cell_build(&query, &run, &points, error));
    LOAM_TRY(encode(base, &points, error));
    metric_observe_cell(loop_now_us() - start_us);
    return LOAM_OK;
}

static const flight_kind cell_kind = {
    .steps = cell_flight_steps,
    .bytes = sizeof(cell_flight),
    .missed = METRIC_MISSES,
    .built = METRIC_CELLS_BUILT,
    .failed = METRIC_CELLS_FAILED,
    .begin = cell_begin,
    .end = cell_end,
    .build = cell_build,
    .tell = cell_tell,
    .is_alike = cell_is_alike,
};

void cell_join(flow_state *flow, const cell_wish *wish, flight_waiter *waiter) {
    const result_name name = result_of_address(&wish->place);
    flight_join(flow, &cell_kind, &name, wish, waiter);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

loam_query cell_query(const cell_flight *flight) {
    return (loam_query){.plan = flight->wish.revision->plan,
                        .output = flight->wish.place.output,
                        .rect = flight->wish.rect,
                        .slots = flight->assets.slots};
}

static step_result cell_find_key(void *subject) {
    cell_flight *flight = subject;
    cell_keys keys;
    flight->keyed = key_cache_find(flight->base.flow->keys, &flight->wish.place, &keys);
    if (flight->keyed) {
        flight->base.key = keys.build;
        flight->check_key = keys.check;
    }
    return STEP_NEXT;
}

static void assets_ready(void *context) {
    cell_flight *flight = context;
    if (flight->assets.error.status != LOAM_OK) {
        flight_fail(&flight->base, &flight->assets.error);
    }
    walk_resume(&flight->base.walk, flight->base.error.status != LOAM_OK);
}

step_result cell_hold_assets(cell_flight *flight) {
    const world *of = &flight->wish.revision->world;
    if (flight->assets_held) {
        return STEP_NEXT;
    }
    flight->assets_held = true;
    if (!asset_set_acquire(&flight->assets, flight->base.flow, of->slots, of->graph.slot_count,
                           assets_ready, flight)) {
        return STEP_PARKED;
    }
    return flight->assets.error.status == LOAM_OK
               ? STEP_NEXT
               : flight_fail(&flight->base, &flight->assets.error);
}

/* Twice in the table: before the key when that is not known, else before the evaluation. */
static step_result cell_get_assets(void *subject) {
    cell_flight *flight = subject;
    bool needed = (flight->base.missed || !flight->keyed) && flight->base.blob == NULL;
    return needed ? cell_hold_assets(flight) : STEP_NEXT;
}

static loam_status work_key(result_flight *base, pool_worker *worker, loam_error *error) {
    cell_flight *flight = (cell_flight *)base;
    loam_query query = cell_query(flight);
    loam_arena *arena = pool_worker_arena(worker);
    LOAM_TRY(key_of_cell(&query, arena, &base->key, error));
    return flight->check == NULL
               ? LOAM_OK
               : checks_key(flight->check, &query, arena, &flight->check_key, error);
}

static step_result cell_make_key(void *subject) {
    cell_flight *flight = subject;
    return flight->keyed ? STEP_NEXT : flight_work(&flight->base, work_key);
}

static step_result cell_note_key(void *subject) {
    cell_flight *flight = subject;
    if (!flight->keyed) {
        const cell_keys keys = {flight->base.key, flight->check_key};
        key_cache_add(flight->base.flow->keys, &flight->wish.place, &keys);
        flight->keyed = true;
    }
    return STEP_NEXT;
}

/* Room for what every node lets through, when somebody wants to know; without memory there is none.
 */
static step_result cell_trace(void *subject) {
    cell_flight *flight = subject;
    if (flight->base.blob == NULL && flight_wants_trace(&flight->base)) {
        flight->trace.nodes =
            calloc(flight->wish.revision->world.graph.node_count, sizeof *flight->trace.nodes);
    }
    return STEP_NEXT;
}
