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
    bool staged; /* a node asks a source as a whole */
};

/* The part of a plan that one output over one rectangle needs. What a staged port asks is apart
 * from what cells ask, for it may be far away: a node may be evaluated for both. */
typedef struct plan_demand {
    bool needed[NODES_MAX];
    loam_rect rect[NODES_MAX]; /* asked of each needed node: the union of all that its users ask */
    bool staged[NODES_MAX];    /* asked by a staged port, or for one that is */
    loam_rect stage[NODES_MAX];
} plan_demand;

/* What one evaluation takes of its arena before any node: a bound that estimates count in. */
enum { EVALUATION_BYTES = 1 << 18 };
/* And what one takes that has a stage. */
enum { STAGE_BYTES = 1 << 18 };

/* Fails when a rectangle leaves the world's range. `slots` may be NULL: then what only their assets
 * tell of a stage is taken as nothing. */
LOAM_MUST_USE loam_status demand_of(const loam_plan *plan, uint32_t output, loam_rect rect,
                                    const loam_asset *slots, plan_demand *demand,
                                    loam_error *error);

/* loam_plan_estimate with the assets that tell of a stage; `slots` may be NULL. */
LOAM_MUST_USE loam_status estimate_of(const loam_plan *plan, uint32_t output, loam_rect rect,
                                      const loam_asset *slots, loam_estimate *estimate,
                                      loam_error *error);

/* Where the points of every node are; `order` as graph_order gives it, `slots` may be NULL. */
void graph_domains(const loam_graph *graph, const uint32_t *order, const loam_asset *slots,
                   node_domain *domains);
/* The domains at a node's inputs; of slots none. */
void domains_of_inputs(const loam_node *node, const node_domain *domains, node_domain *inputs);
/* Whether a port asks its source as a whole. */
bool port_is_staged(const loam_node *node, uint32_t port);

/* The same for any node as if it were an output. */
LOAM_MUST_USE loam_status demand_of_node(const loam_plan *plan, uint32_t node, loam_rect rect,
                                         const loam_asset *slots, plan_demand *demand,
                                         loam_error *error);

/* Ancestors of a node, itself first, each once: by first visit in depth-first port order. Keys and
 * traces use it. Returns how many. */
uint32_t key_order(const loam_plan *plan, uint32_t root, uint32_t *nodes);

/* The key of a node's points as a stage, in the rectangle of its own demand (loam_stages). Of the
 * query only plan and slots are looked at. */
LOAM_MUST_USE loam_status stage_key_write(const loam_query *query, const plan_demand *demand,
                                          uint32_t node, loam_sink sink, loam_arena *scratch);

/* Checks that a query names an output, a legal rectangle and an asset for every slot it uses. */
LOAM_MUST_USE loam_status query_check(const loam_query *query, const plan_demand *demand,
                                      loam_error *error);

#endif
