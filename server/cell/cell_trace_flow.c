/* SPDX-License-Identifier: MIT
 *
 * cell_trace_flow.c: see cell_trace_flow.h. A trace tells times, so it is never kept.
 */
#include "server/cell/cell_trace_flow.h"

#include "api/key/stage_cache.h"
#include "api/view/view_trace_json.h"
#include "core/base/try.h"
#include "server/slot/reply.h"

#include <time.h>

/* 256 nodes of some hundred bytes. */
#define TRACE_BYTES_MAX ((size_t)1 << 20)

static step_result trace_parse(void *subject);
static step_result trace_place(void *subject);
static step_result trace_assets(void *subject);
static step_result trace_evaluate(void *subject);
static step_result trace_answer(void *subject);

const flow_step trace_steps[] = {
    {"parse", trace_parse, false},       REVISION_STEPS,
    {"place", trace_place, false},       {"assets", trace_assets, false},
    {"evaluate", trace_evaluate, false}, /* worker */
    {"answer", trace_answer, false},     SLOT_END,
};

static step_result trace_parse(void *subject) {
    trace_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    static const char *const types[] = {MEDIA_JSON, NULL};
    if (negotiate_media(http_header(base->request, "Accept"), types) < 0) {
        return slot_fail(base, LOAM_NOT_ACCEPTABLE, NULL, "a trace is %s", MEDIA_JSON);
    }
    return slot_result(
        base, question_read_address(base->request, base->route, &slot->question, &base->error));
}

static step_result trace_place(void *subject) {
    trace_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    return slot_result(base, question_place(&slot->question, slot->base.revision, &slot->address,
                                            &slot->rect, &base->error));
}

static step_result trace_assets(void *subject) {
    trace_slot *slot = subject;
    return asset_hold_world(&slot->assets, &slot->base.base, &slot->base.revision->world);
}

static uint64_t tick_ns(void *context) {
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static loam_status work_trace(flow_slot *base, pool_worker *worker) {
    trace_slot *slot = (trace_slot *)base;
    loam_arena *arena = pool_worker_arena(worker);
    const loam_graph *graph = &slot->base.revision->world.graph;
    loam_trace trace = {
        .nodes = loam_arena_take_zero(arena, graph->node_count, sizeof(loam_trace_node))};
    LOAM_TRY_MEMORY(trace.nodes, &base->error);
    loam_query query = {.plan = slot->base.revision->plan,
                        .output = slot->address.output,
                        .rect = slot->rect,
                        .slots = slot->assets.set.slots};
    loam_run run = {.arena = arena,
                    .level = (loam_simd)base->flow->settings->simd,
                    .cancel = &slot->cancel,
                    .tick = tick_ns,
                    .trace = &trace,
                    .stages = stage_cache_stages(base->flow->stages)};
    loam_points points;
    LOAM_TRY(loam_cell_build(&query, &run, &points, &base->error));
    buffer_init(&slot->text, TRACE_BYTES_MAX);
    return view_trace_json(&trace, graph, 1000, &slot->text);
}

/* The client has left: the worker stops at the next block, and the walk ends as usual. */
static void trace_leave(flow_slot *base) {
    __atomic_store_n(&((trace_slot *)base)->cancel, 1, __ATOMIC_RELAXED);
}

static step_result trace_evaluate(void *subject) {
    trace_slot *slot = subject;
    slot->base.base.leave = trace_leave;
    return slot_work(&slot->base.base, work_trace);
}

static step_result trace_answer(void *subject) {
    trace_slot *slot = subject;
    slot->base.base.leave = NULL;
    return slot_answer_document(&slot->base.base, &slot->text, (reply_form){.cache = CACHE_NONE});
}

void trace_fini(flow_slot *base) {
    trace_slot *slot = (trace_slot *)base;
    asset_hold_end(&slot->assets);
    buffer_fini(&slot->text);
    revision_slot_fini(base);
}
