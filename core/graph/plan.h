/* SPDX-License-Identifier: MIT
 *
 * plan.h: a graph made ready for one seed. What an evaluation, a key and an estimate share: the
 * order of the nodes, their seeds, the names they use, and which rectangle of each node an output
 * needs.
 *
 * Invariant: a plan's graph has no faults, so its code need not check again.
 */
#ifndef LOAM_GRAPH_PLAN_H
#define LOAM_GRAPH_PLAN_H

#include "core/ops/operation.h"

struct loam_plan {
    const loam_graph *graph;
    uint32_t *order;        /* every node after its sources */
    uint64_t *seeds;        /* per node */
    int64_t *reach;         /* per node: its own */
    int64_t *output_reach;  /* per output: summed */
    const uint32_t **texts; /* per node, per parameter: index into names */
    loam_text *names;       /* names[0] is empty */
    uint32_t name_count;
};

/* The part of a plan that one output over one rectangle needs. */
typedef struct plan_demand {
    bool needed[NODES_MAX];
    loam_rect rect[NODES_MAX]; /* asked of each needed node: the union of all that its users ask */
} plan_demand;

/* What one evaluation takes of its arena before any node: a bound that estimates count in. */
enum { EVALUATION_BYTES = 1 << 18 };

/* Fails when a rectangle leaves the world's range. */
LOAM_MUST_USE loam_status demand_of(const loam_plan *plan, uint32_t output, loam_rect rect,
                                    plan_demand *demand, loam_error *error);

/* Ancestors of an output, itself first, each once: by first visit in depth-first port order. Keys
 * and traces use it. Returns how many. */
uint32_t key_order(const loam_plan *plan, uint32_t output, uint32_t *nodes);

/* Checks that a query names an output, a legal rectangle and an asset for every slot it uses. */
LOAM_MUST_USE loam_status query_check(const loam_query *query, const plan_demand *demand,
                                      loam_error *error);

#endif
