/* SPDX-License-Identifier: MIT
 *
 * evaluate.c: a rectangle pulled through a plan. Demands go from the output up to the samplers,
 * points come back down; every needed node is evaluated once, over the union of what is asked of
 * it.
 */
#include "core/base/portable.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/graph/evaluation_state.h"
#include "core/graph/graph.h"
#include "core/graph/stage_kept.h"
#include "core/ops/kept.h"

/* Where a node's part of the trace is; NULL when there is no trace. */
static loam_trace_node *trace_of(const cell_evaluation *evaluation, uint32_t node) {
    loam_trace *trace = evaluation->run->trace;
    for (uint32_t i = 0; trace != NULL && i < trace->node_count; i++) {
        if (trace->nodes[i].node == node) {
            return &trace->nodes[i];
        }
    }
    return NULL;
}

static void trace_begin(const cell_evaluation *evaluation) {
    loam_trace *trace = evaluation->run->trace;
    if (trace == NULL) {
        return;
    }
    uint32_t nodes[NODES_MAX];
    const uint32_t root = evaluation->plan->graph->outputs[evaluation->query->output].node;
    trace->node_count = key_order(evaluation->plan, root, nodes);
    for (uint32_t i = 0; i < trace->node_count; i++) {
        trace->nodes[i] = (loam_trace_node){.node = nodes[i], .path = ""};
    }
}

void trace_note(const node_call *call, loam_rect cell, uint64_t ticks, loam_trace_node *note) {
    for (uint32_t p = 0; p < loam_node_input_count(call->node); p++) {
        if (call->inputs[p] != NULL && !port_is_staged(call->node, p)) {
            point_tally in = point_set_tally(call->inputs[p], cell);
            note->points_in += in.inside;
            note->window_in += in.live;
        }
    }
    point_tally out = call->node->operation->gives == LOAM_PORT_SPATIAL
                          ? (point_tally){0}
                          : point_set_tally(call->out, cell);
    note->points_out = out.inside;
    note->window_out = out.live;
    note->density_sum = out.density_sum;
    for (int axis = 0; axis < 6; axis++) {
        note->bounds[axis] = out.bounds[axis];
    }
    note->ticks += ticks;
    note->path = call->path;
}

static uint64_t ticks_now(const loam_run *run) {
    return run->trace != NULL && run->tick != NULL ? run->tick(run->tick_context) : 0;
}

/* A node's result at a port: a spatial value, or the side of its points that is asked for. */
static void bind_node(const cell_evaluation *evaluation, const loam_source *source, bool stage,
                      uint32_t port, node_call *call) {
    const loam_node *from = &evaluation->plan->graph->nodes[source->index];
    const uint32_t n = source->index;
    if (from->operation->gives == LOAM_PORT_SPATIAL) {
        call->volumes[port] = stage ? evaluation->stage->volumes[n] : evaluation->volumes[n];
    } else if (source->side == LOAM_SIDE_FALSE) {
        call->inputs[port] =
            stage ? &evaluation->stage->results_false[n] : &evaluation->results_false[n];
    } else {
        call->inputs[port] = stage ? &evaluation->stage->results[n] : &evaluation->results[n];
    }
}

/* Where a node's results go. */
static void bind_results(cell_evaluation *evaluation, uint32_t n, bool stage, node_call *call) {
    stage_results *staged = evaluation->stage;
    call->rect = stage ? evaluation->demand.stage[n] : evaluation->demand.rect[n];
    call->out = stage ? &staged->results[n] : &evaluation->results[n];
    call->out_false = stage ? &staged->results_false[n] : &evaluation->results_false[n];
    call->out_volume = stage ? &staged->volumes[n] : &evaluation->volumes[n];
}

static kept_node kept_of(cell_evaluation *evaluation, uint32_t n, node_call *call) {
    return (kept_node){.query = evaluation->query,
                       .run = evaluation->run,
                       .node = n,
                       .rect = call->rect,
                       .names = &evaluation->names,
                       .out = call->out,
                       .out_false = call->out_false};
}

/* A node that is filled as a whole, whoever asks, and then clipped to what is asked. */
static loam_status evaluate_whole(cell_evaluation *evaluation, uint32_t n, node_call *call) {
    const operation_code *code = operation_code_of(call->node->operation);
    const loam_rect asked = call->rect;
    call->rect = code->whole(call->node);
    const kept_node kept = kept_of(evaluation, n, call);
    const loam_text key =
        evaluation->run->stages != NULL ? stage_key(&kept, NULL) : (loam_text){"", 0};
    if (stage_find(&kept, key)) {
        call->path = PATH_KEPT;
    } else {
        LOAM_TRY(code->evaluate(call));
        stage_keep(&kept, key);
    }
    call->rect = asked;
    const point_set all = *call->out;
    uint32_t *rows, count = 0;
    loam_status status = point_set_select(&all, asked, call->arena, &rows, &count);
    if (status == LOAM_OK && count < all.count) {
        status = point_set_gather(&all, rows, count, call->arena, call->out);
    }
    return status == LOAM_OK ? LOAM_OK
                             : loam_fail(call->error, status, NULL, "%s", loam_status_text(status));
}

static loam_status run_operation(cell_evaluation *evaluation, uint32_t n, node_call *call) {
    const operation_code *code = operation_code_of(call->node->operation);
    bool whole = code->whole != NULL && rects_meet(code->whole(call->node), call->rect);
    return whole ? evaluate_whole(evaluation, n, call) : code->evaluate(call);
}

static loam_status evaluate_node(cell_evaluation *evaluation, uint32_t n, bool stage) {
    const loam_node *node = &evaluation->plan->graph->nodes[n];
    pointer_text pointer = pointer_to("nodes", node->name, NULL, NULL);
    node_call call = {
        .node = node,
        .pointer = pointer.text,
        .seed = evaluation->plan->seeds[n],
        .text_params = evaluation->plan->texts[n],
        .run = evaluation->run,
        .arena = evaluation->run->arena,
        .error = evaluation->error,
        .names = &evaluation->names,
        .path = "",
    };
    bind_results(evaluation, n, stage, &call);
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        const loam_source *source = &node->inputs[p];
        if (source->kind == LOAM_SOURCE_NODE) {
            bind_node(evaluation, source, stage || port_is_staged(node, p), p, &call);
        } else if (source->kind == LOAM_SOURCE_SLOT) {
            call.assets[p] = &evaluation->query->slots[source->index];
        }
    }
    uint64_t before = ticks_now(evaluation->run);
    LOAM_TRY(run_operation(evaluation, n, &call));
    uint64_t after = ticks_now(evaluation->run);
    if (stage) {
        stages_note(evaluation, &call, n, after - before);
    } else if (trace_of(evaluation, n) != NULL) {
        trace_note(&call, evaluation->query->rect, after - before, trace_of(evaluation, n));
    }
    const node_observer *observer = evaluation->observer;
    return observer == NULL || stage ? LOAM_OK : observer->note(observer->context, &call, n);
}

/* In an environment that rounds another way every float differs: refuse to compute in it. Without
 * <fenv.h>, which not every target has: 1 + 2^-24 is a tie that only rounding to nearest-even puts
 * down, and 1 + 3 * 2^-25 lies above one that only it puts up. */
static bool rounds_to_nearest(void) {
    volatile float one = 1.0f;
    volatile float tie = 5.9604644775390625e-8f;
    volatile float above = 8.94069671630859375e-8f;
    volatile float down = one + tie;
    volatile float up = one + above;
    volatile float minus = -one - tie;
    return down == 1.0f && up > 1.0f && minus == -1.0f;
}

static loam_status evaluate_stage(cell_evaluation *evaluation, uint32_t n) {
    const stage_results *staged = evaluation->stage;
    if (!staged->wanted[n] || staged->found[n]) {
        return LOAM_OK;
    }
    LOAM_TRY(evaluate_node(evaluation, n, true));
    stages_keep(evaluation, n);
    return LOAM_OK;
}

static loam_status evaluate_plan(cell_evaluation *evaluation) {
    const bool staged = evaluation->stage != NULL;
    if (staged) {
        stages_find(evaluation);
    }
    for (uint32_t i = 0; i < evaluation->plan->graph->node_count; i++) {
        uint32_t n = evaluation->plan->order[i];
        if (staged) {
            LOAM_TRY(evaluate_stage(evaluation, n));
        }
        if (evaluation->demand.needed[n]) {
            LOAM_TRY(evaluate_node(evaluation, n, false));
        }
    }
    if (staged) {
        stages_trace(evaluation);
    }
    return LOAM_OK;
}

loam_status evaluate_output(const loam_query *query, const loam_run *run,
                            const node_observer *observer, const point_set **last,
                            point_names *names, loam_error *error) {
    if (!rounds_to_nearest()) {
        return loam_fail(error, LOAM_ROUNDING_MODE, NULL, "%s",
                         loam_status_text(LOAM_ROUNDING_MODE));
    }
    loam_estimate estimate;
    LOAM_TRY(estimate_of(query->plan, query->output, query->rect, query->slots, &estimate, error));
    cell_evaluation *evaluation = loam_arena_take(run->arena, 1, sizeof *evaluation);
    LOAM_TRY_MEMORY(evaluation, error);
    evaluation->query = query;
    evaluation->run = run;
    evaluation->plan = query->plan;
    evaluation->error = error;
    evaluation->observer = observer;
    LOAM_TRY(demand_of(query->plan, query->output, query->rect, query->slots, &evaluation->demand,
                       error));
    evaluation->stage = NULL;
    if (query->plan->staged) {
        evaluation->stage = loam_arena_take_zero(run->arena, 1, sizeof *evaluation->stage);
        LOAM_TRY_MEMORY(evaluation->stage, error);
    }
    LOAM_TRY(query_check(query, &evaluation->demand, error));
    LOAM_TRY(name_table_init(&evaluation->names, query->plan->names, query->plan->name_count,
                             run->arena, error));
    trace_begin(evaluation);
    LOAM_TRY(evaluate_plan(evaluation));
    const loam_output *output = &query->plan->graph->outputs[query->output];
    *last = output->side == LOAM_SIDE_FALSE ? &evaluation->results_false[output->node]
                                            : &evaluation->results[output->node];
    *names = (point_names){evaluation->names.names, evaluation->names.count};
    return LOAM_OK;
}

loam_status loam_cell_build(const loam_query *query, const loam_run *run, loam_points *points,
                            loam_error *error) {
    const point_set *last = NULL;
    point_names names;
    LOAM_TRY(evaluate_output(query, run, NULL, &last, &names, error));
    loam_status status = points_of_cell(last, query->rect, names, run->arena, points);
    return status == LOAM_OK ? LOAM_OK
                             : loam_fail(error, status, NULL, "%s", loam_status_text(status));
}
