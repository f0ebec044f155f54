/* SPDX-License-Identifier: MIT
 *
 * estimate.c: what a rectangle of an output costs at most, in saturating 64-bit arithmetic, before
 * anything is allocated. A plan that passes here cannot ask for more.
 */
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/graph/graph.h"
#include "core/graph/plan.h"

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

static void cost_of_node(const loam_plan *plan, const plan_demand *demand, uint32_t n,
                         node_cost *costs) {
    const loam_node *node = &plan->graph->nodes[n];
    node_cost inputs[PORTS_MAX] = {{0}};
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        if (node->inputs[p].kind == LOAM_SOURCE_NODE) {
            inputs[p] = costs[node->inputs[p].index];
        }
    }
    costs[n] = (node_cost){0};
    operation_code_of(node->operation)->cost(node, demand->rect[n], inputs, &costs[n]);
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

loam_status loam_plan_estimate(const loam_plan *plan, uint32_t output, loam_rect rect,
                               loam_estimate *estimate, loam_error *error) {
    plan_demand demand;
    node_cost costs[NODES_MAX];
    *estimate = (loam_estimate){.arena_bytes = EVALUATION_BYTES};
    LOAM_TRY(demand_of(plan, output, rect, &demand, error));
    for (uint32_t i = 0; i < plan->graph->node_count; i++) {
        uint32_t n = plan->order[i];
        if (!demand.needed[n]) {
            continue;
        }
        cost_of_node(plan, &demand, n, costs);
        estimate->candidates = add_saturated(estimate->candidates, costs[n].fresh);
        estimate->tests = add_saturated(estimate->tests, costs[n].tests);
        estimate->arena_bytes =
            add_saturated(estimate->arena_bytes, add_saturated(costs[n].bytes, NODE_BYTES));
        if (costs[n].candidates > estimate->candidates_node) {
            estimate->candidates_node = costs[n].candidates;
        }
        LOAM_TRY(check_budget(plan, n, &costs[n], estimate, error));
    }
    uint64_t last = costs[plan->graph->outputs[output].node].candidates;
    estimate->arena_bytes =
        add_saturated(estimate->arena_bytes, multiply_saturated(last, OUTPUT_BYTES_EACH));
    return LOAM_OK;
}
