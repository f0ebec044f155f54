/* SPDX-License-Identifier: MIT
 *
 * evaluate_stage.c: what nodes give to staged ports. A source whose points a caller has kept is
 * taken from there, and then nothing behind it is evaluated; what is computed is given to the
 * caller to keep.
 */
#include "core/graph/evaluation_state.h"
#include "core/graph/stage_kept.h"

/* What a node, for cells or as a stage, wants of stages. */
static void want_sources(const cell_evaluation *evaluation, uint32_t n, bool stage) {
    const loam_node *node = &evaluation->plan->graph->nodes[n];
    stage_results *staged = evaluation->stage;
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        const loam_source *source = &node->inputs[p];
        if (source->kind == LOAM_SOURCE_NODE && (stage || port_is_staged(node, p))) {
            staged->wanted[source->index] = true;
            staged->source[source->index] =
                staged->source[source->index] || port_is_staged(node, p);
        }
    }
}

static kept_node kept_source_of(cell_evaluation *evaluation, uint32_t n) {
    stage_results *staged = evaluation->stage;
    return (kept_node){.query = evaluation->query,
                       .run = evaluation->run,
                       .node = n,
                       .rect = evaluation->demand.stage[n],
                       .names = &evaluation->names,
                       .out = &staged->results[n],
                       .out_false = &staged->results_false[n],
                       .notes = staged->notes};
}

/* Sources of staged ports, but for those that keep what they give themselves. */
static bool find_source(cell_evaluation *evaluation, uint32_t n) {
    stage_results *staged = evaluation->stage;
    const loam_node *node = &evaluation->plan->graph->nodes[n];
    if (evaluation->run->stages == NULL || !staged->source[n] ||
        operation_code_of(node->operation)->whole != NULL) {
        return false;
    }
    const kept_node kept = kept_source_of(evaluation, n);
    staged->keys[n] = stage_key(&kept, &evaluation->demand);
    staged->found[n] = stage_find(&kept, staged->keys[n]);
    return staged->found[n];
}

/* Users before what they use: behind a stage that is found nothing is wanted for it. */
void stages_find(cell_evaluation *evaluation) {
    stage_results *staged = evaluation->stage;
    for (uint32_t i = evaluation->plan->graph->node_count; i-- > 0;) {
        const uint32_t n = evaluation->plan->order[i];
        if (evaluation->demand.needed[n]) {
            want_sources(evaluation, n, false);
        }
        if (staged->wanted[n] && !find_source(evaluation, n)) {
            want_sources(evaluation, n, true);
        }
    }
}

void stages_keep(cell_evaluation *evaluation, uint32_t n) {
    if (evaluation->stage->keys[n].size > 0) {
        const kept_node kept = kept_source_of(evaluation, n);
        stage_keep(&kept, evaluation->stage->keys[n]);
    }
}

/* A trace tells of a stage where there is no part of the cell to tell of; notes are kept with it.
 */
void stages_note(cell_evaluation *evaluation, const node_call *call, uint32_t n, uint64_t ticks) {
    if (evaluation->run->trace == NULL && evaluation->run->stages == NULL) {
        return;
    }
    loam_trace_node *note = &evaluation->stage->notes[n];
    *note = (loam_trace_node){.node = n};
    trace_note(call, call->rect, ticks, note);
}

void stages_trace(const cell_evaluation *evaluation) {
    const loam_trace *trace = evaluation->run->trace;
    for (uint32_t i = 0; trace != NULL && i < trace->node_count; i++) {
        const uint32_t n = trace->nodes[i].node;
        if (evaluation->demand.staged[n] && !evaluation->demand.needed[n]) {
            trace->nodes[i] = evaluation->stage->notes[n];
        }
    }
}
