/* SPDX-License-Identifier: MIT
 *
 * estimate.c: what a rectangle of an output costs at most, in saturating 64-bit arithmetic, before
 * anything is allocated. A plan that passes here cannot ask for more.
 */
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/graph/graph.h"
#include "core/graph/plan.h"
#include "core/ops/kept.h"

/* Per point that leaves: indices, sort keys, ids and the columns of the result. */
enum { OUTPUT_BYTES_EACH = 160 };
/* Alignment of every column of every node, and structs. */
enum { NODE_BYTES = 8192 };

static loam_status over_budget(const loam_plan *plan, uint32_t node, const char *what,
                               uint64_t count, uint64_t limit, loam_error *error) {
    loam_text name = plan->graph->nodes[node].name;
    return loam_fail(error, LOAM_BUDGET_EXCEEDED, pointer_to("nodes", name, NULL, NULL).text,
                     "%.*s would need %llu %s, more than %llu; use a larger spacing or smaller "
                     "cells",
                     TEXT_ARGS(name), (unsigned long long)count, what, (unsigned long long)limit);
}

/* Costs of nodes, as cells ask them and as stages do. */
typedef struct plan_costs {
    node_cost costs[EVALUATIONS_MAX];
    uint16_t cell[NODES_MAX], stage[NODES_MAX]; /* where a node's are */
    uint32_t count;
} plan_costs;

/* A staged port is told where its source's points are. */
static void tell_extent(loam_rect rect, node_cost *cost) {
    cost->extent.low[SPACE_X] = rect.x0;
    cost->extent.low[SPACE_Z] = rect.z0;
    cost->extent.high[SPACE_X] = rect.x1 - 1;
    cost->extent.high[SPACE_Z] = rect.z1 - 1;
}

static const node_cost *cost_of_node(const loam_plan *plan, const plan_demand *demand, uint32_t n,
                                     bool stage, plan_costs *costs) {
    const loam_node *node = &plan->graph->nodes[n];
    node_cost inputs[PORTS_MAX] = {{0}};
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        if (node->inputs[p].kind != LOAM_SOURCE_NODE) {
            continue;
        }
        const uint32_t source = node->inputs[p].index;
        const bool whole = port_is_staged(node, p);
        inputs[p] = costs->costs[stage || whole ? costs->stage[source] : costs->cell[source]];
        if (whole) {
            tell_extent(demand->stage[source], &inputs[p]);
        }
    }
    node_cost *cost = &costs->costs[costs->count];
    *cost = (node_cost){0};
    (stage ? costs->stage : costs->cell)[n] = (uint16_t)costs->count++;
    operation_code_of(node->operation)
        ->cost(node, stage ? demand->stage[n] : demand->rect[n], inputs, cost);
    return cost;
}

static loam_status check_budget(const loam_plan *plan, uint32_t n, const node_cost *cost,
                                const loam_estimate *sum, loam_error *error) {
    if (cost->candidates > CANDIDATES_PER_NODE_MAX) {
        return over_budget(plan, n, "candidates", cost->candidates, CANDIDATES_PER_NODE_MAX, error);
    }
    if (sum->candidates > CANDIDATES_PER_CELL_MAX) {
        return over_budget(plan, n, "candidates in the cell", sum->candidates,
                           CANDIDATES_PER_CELL_MAX, error);
    }
    if (sum->tests > TESTS_PER_CELL_MAX) {
        return over_budget(plan, n, "neighbour tests", sum->tests, TESTS_PER_CELL_MAX, error);
    }
    return LOAM_OK;
}

static loam_status add_node(const loam_plan *plan, uint32_t n, const node_cost *cost,
                            loam_estimate *estimate, loam_error *error) {
    estimate->candidates = add_saturated(estimate->candidates, cost->fresh);
    estimate->tests = add_saturated(estimate->tests, cost->tests);
    estimate->arena_bytes =
        add_saturated(estimate->arena_bytes, add_saturated(cost->bytes, NODE_BYTES));
    if (cost->candidates > estimate->candidates_node) {
        estimate->candidates_node = cost->candidates;
    }
    return check_budget(plan, n, cost, estimate, error);
}

static loam_status add_costs(const loam_plan *plan, uint32_t output, const plan_demand *demand,
                             loam_estimate *estimate, loam_error *error) {
    plan_costs costs;
    costs.count = 0;
    for (uint32_t i = 0; i < plan->graph->node_count; i++) {
        uint32_t n = plan->order[i];
        if (demand->staged[n]) {
            LOAM_TRY(
                add_node(plan, n, cost_of_node(plan, demand, n, true, &costs), estimate, error));
        }
        if (demand->needed[n]) {
            LOAM_TRY(
                add_node(plan, n, cost_of_node(plan, demand, n, false, &costs), estimate, error));
        }
    }
    const node_cost *last = &costs.costs[costs.cell[plan->graph->outputs[output].node]];
    estimate->arena_bytes = add_saturated(estimate->arena_bytes,
                                          multiply_saturated(last->candidates, OUTPUT_BYTES_EACH));
    return LOAM_OK;
}

/* What stages take beside their nodes: results, and a key for each staged port. */
static uint64_t stage_bytes(const loam_plan *plan) {
    uint64_t bytes = plan->staged ? STAGE_BYTES : 0;
    for (uint32_t n = 0; plan->staged && n < plan->graph->node_count; n++) {
        bytes += operation_code_of(plan->graph->nodes[n].operation)->staged != 0
                     ? STAGE_KEY_BYTES_MAX
                     : 0;
    }
    return bytes;
}

loam_status estimate_of(const loam_plan *plan, uint32_t output, loam_rect rect,
                        const loam_asset *slots, loam_estimate *estimate, loam_error *error) {
    plan_demand demand;
    *estimate = (loam_estimate){.arena_bytes = EVALUATION_BYTES + stage_bytes(plan)};
    LOAM_TRY(demand_of(plan, output, rect, slots, &demand, error));
    return add_costs(plan, output, &demand, estimate, error);
}

loam_status loam_plan_estimate(const loam_plan *plan, uint32_t output, loam_rect rect,
                               loam_estimate *estimate, loam_error *error) {
    return estimate_of(plan, output, rect, NULL, estimate, error);
}
