/* SPDX-License-Identifier: MIT
 *
 * evaluation_state.h: one evaluation while it runs, for the files that it is made of: evaluate.c
 * goes through the nodes, evaluate_stage.c sees to what they give to staged ports.
 */
#ifndef LOAM_GRAPH_EVALUATION_STATE_H
#define LOAM_GRAPH_EVALUATION_STATE_H

#include "core/graph/evaluation.h"
#include "core/graph/plan.h"

/* What nodes give to staged ports, and of which of them a stage is kept. */
typedef struct stage_results {
    point_set results[NODES_MAX];
    point_set results_false[NODES_MAX];
    const volume *volumes[NODES_MAX];
    bool wanted[NODES_MAX]; /* not, where a stage is found that it would only serve */
    bool source[NODES_MAX]; /* at a staged port */
    bool found[NODES_MAX];
    loam_text keys[NODES_MAX];
    loam_trace_node notes[NODES_MAX]; /* by node, of those that only stages need */
} stage_results;

/* The state of one evaluation. */
typedef struct cell_evaluation {
    const loam_query *query;
    const loam_run *run;
    const loam_plan *plan;
    plan_demand demand;
    point_set results[NODES_MAX];
    point_set results_false[NODES_MAX]; /* the other side of branches */
    const volume *volumes[NODES_MAX];
    stage_results *stage; /* NULL where nothing is staged */
    name_table names;
    const node_observer *observer; /* may be NULL */
    loam_error *error;
} cell_evaluation;

_Static_assert(sizeof(cell_evaluation) <= EVALUATION_BYTES, "estimates count an evaluation in");
_Static_assert(sizeof(stage_results) <= STAGE_BYTES, "and a stage");

/* What a trace tells of a call that is done: points of a cell add up over cells, those of a stage
 * are the same for all. */
void trace_note(const node_call *call, loam_rect cell, uint64_t ticks, loam_trace_node *note);

/* Before any node: which stages are wanted, and what is found of them. */
void stages_find(cell_evaluation *evaluation);
/* After a node was evaluated for a stage: notes it, and keeps it where it is the source of one. */
void stages_note(cell_evaluation *evaluation, const node_call *call, uint32_t n, uint64_t ticks);
void stages_keep(cell_evaluation *evaluation, uint32_t n);
/* After all nodes: a trace tells of a stage where there is no part of the cell to tell of. */
void stages_trace(const cell_evaluation *evaluation);

#endif
