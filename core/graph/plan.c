/* SPDX-License-Identifier: MIT
 *
 * plan.c: building a plan, and what follows from it: demands, reach, estimates.
 */
#include "core/graph/plan.h"

#include "core/base/mix.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/graph/graph.h"

/* Part of every name's hash; pinned. */
#define NAME_KEY 0x6c6f616d2f6e616du

uint64_t loam_name_seed(loam_text name) {
    return mix_bytes(NAME_KEY, name.bytes, name.size);
}

/* The index of a text among the plan's names; adds it when it is new. */
static uint32_t intern(loam_plan *plan, loam_text text) {
    for (uint32_t i = 0; i < plan->name_count; i++) {
        if (loam_text_equal(plan->names[i], text)) {
            return i;
        }
    }
    plan->names[plan->name_count] = text;
    return plan->name_count++;
}

static loam_status intern_texts(loam_plan *plan, loam_arena *arena, loam_error *error) {
    const loam_graph *graph = plan->graph;
    uint32_t most = 1;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        most += graph->nodes[n].operation->param_count;
    }
    plan->names = loam_arena_take(arena, most, sizeof *plan->names);
    plan->texts = loam_arena_take(arena, graph->node_count + 1u, sizeof *plan->texts);
    LOAM_TRY_MEMORY(plan->names, error);
    LOAM_TRY_MEMORY(plan->texts, error);
    intern(plan, (loam_text){"", 0});
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const loam_node *node = &graph->nodes[n];
        uint32_t *texts =
            loam_arena_take_zero(arena, node->operation->param_count + 1u, sizeof *texts);
        LOAM_TRY_MEMORY(texts, error);
        for (uint32_t p = 0; p < node->operation->param_count; p++) {
            if (node->params[p].kind == LOAM_VALUE_TEXT) {
                texts[p] = intern(plan, node->params[p].text);
            }
        }
        plan->texts[n] = texts;
    }
    return LOAM_OK;
}

static loam_status reach_passed(const loam_plan *plan, uint32_t n, uint32_t output,
                                loam_error *error) {
    const loam_graph *graph = plan->graph;
    return loam_fail(
        error, LOAM_BUDGET_EXCEEDED, pointer_to("nodes", graph->nodes[n].name, NULL, NULL).text,
        "the reach of output %.*s passes 8 km here", TEXT_ARGS(graph->outputs[output].name));
}

/* What is asked of nodes beyond the cell, and beyond what a staged port asks; -1: nothing. */
typedef struct reach_beyond {
    int64_t cell[NODES_MAX], stage[NODES_MAX];
} reach_beyond;

static void raise(int64_t *beyond, int64_t far) {
    *beyond = far > *beyond ? far : *beyond;
}

static int64_t reach_of(const loam_node *node, const node_domain *domains) {
    const operation_code *code = operation_code_of(node->operation);
    node_domain inputs[PORTS_MAX];
    if (code->reach_from != NULL) {
        domains_of_inputs(node, domains, inputs);
        return code->reach_from(node, inputs);
    }
    return code->reach == NULL ? 0 : code->reach(node);
}

/* How far the farthest path from an output to a sampler or a slot looks. A staged port looks at the
 * whole of its source: what that one looks at beyond is no part of the output's reach. */
static loam_status sum_reach(const loam_plan *plan, uint32_t root, uint32_t output,
                             const node_domain *domains, int64_t *most, loam_error *error) {
    const loam_graph *graph = plan->graph;
    reach_beyond beyond;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        beyond.cell[n] = beyond.stage[n] = -1;
    }
    beyond.cell[root] = 0;
    *most = 0;
    for (uint32_t i = graph->node_count; i-- > 0;) {
        const uint32_t n = plan->order[i];
        const loam_node *node = &graph->nodes[n];
        if (beyond.cell[n] < 0 && beyond.stage[n] < 0) {
            continue;
        }
        const int64_t reach = domains == NULL ? plan->reach[n] : reach_of(node, domains);
        const int64_t cell = beyond.cell[n] < 0 ? -1 : beyond.cell[n] + reach;
        const int64_t stage = beyond.stage[n] < 0 ? -1 : beyond.stage[n] + reach;
        if (cell > REACH_UNITS_MAX || stage > REACH_UNITS_MAX) {
            return reach_passed(plan, n, output, error);
        }
        raise(most, cell);
        for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
            const loam_source *source = &node->inputs[p];
            if (source->kind != LOAM_SOURCE_NODE) {
                continue;
            }
            if (port_is_staged(node, p)) {
                raise(&beyond.stage[source->index], 0);
                continue;
            }
            raise(&beyond.cell[source->index], cell);
            raise(&beyond.stage[source->index], stage);
        }
    }
    return LOAM_OK;
}

static loam_status fill_plan(loam_plan *plan, uint64_t seed, loam_arena *arena, loam_error *error) {
    const loam_graph *graph = plan->graph;
    uint32_t cyclic;
    if (!graph_order(graph, plan->order, &cyclic)) {
        return loam_fail(error, LOAM_CYCLE, "/nodes", "%s", loam_status_text(LOAM_CYCLE));
    }
    node_domain domains[NODES_MAX];
    graph_domains(graph, plan->order, NULL, domains);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const loam_node *node = &graph->nodes[n];
        plan->seeds[n] =
            mix_pair(seed, node->seed_pinned ? node->seed : loam_name_seed(node->name));
        plan->reach[n] = reach_of(node, domains);
        plan->staged = plan->staged || operation_code_of(node->operation)->staged != 0;
    }
    for (uint32_t i = 0; i < graph->output_count; i++) {
        LOAM_TRY(sum_reach(plan, graph->outputs[i].node, i, NULL, &plan->output_reach[i], error));
    }
    return intern_texts(plan, arena, error);
}

loam_status loam_plan_build(const loam_graph *graph, uint64_t seed, loam_arena *arena,
                            const loam_plan **plan, loam_error *error) {
    LOAM_TRY(loam_self_test(error));
    loam_error fault;
    if (loam_graph_faults(graph, &fault, 1) > 0) {
        return loam_fail(error, fault.status, fault.pointer, "%s", fault.text);
    }
    uint32_t nodes = graph->node_count + 1;
    loam_plan *made = loam_arena_take_zero(arena, 1, sizeof *made);
    LOAM_TRY_MEMORY(made, error);
    made->graph = graph;
    made->order = loam_arena_take(arena, nodes, sizeof *made->order);
    made->seeds = loam_arena_take(arena, nodes, sizeof *made->seeds);
    made->reach = loam_arena_take(arena, nodes, sizeof *made->reach);
    made->output_reach =
        loam_arena_take(arena, graph->output_count + 1u, sizeof *made->output_reach);
    LOAM_TRY_MEMORY(made->order, error);
    LOAM_TRY_MEMORY(made->seeds, error);
    LOAM_TRY_MEMORY(made->reach, error);
    LOAM_TRY_MEMORY(made->output_reach, error);
    LOAM_TRY(fill_plan(made, seed, arena, error));
    *plan = made;
    return LOAM_OK;
}

int64_t loam_plan_reach(const loam_plan *plan, uint32_t output) {
    return output < plan->graph->output_count ? plan->output_reach[output] : 0;
}

static void ask(bool *needed, loam_rect *have, loam_rect rect) {
    if (!*needed) {
        *needed = true;
        *have = rect;
        return;
    }
    have->x0 = rect.x0 < have->x0 ? rect.x0 : have->x0;
    have->z0 = rect.z0 < have->z0 ? rect.z0 : have->z0;
    have->x1 = rect.x1 > have->x1 ? rect.x1 : have->x1;
    have->z1 = rect.z1 > have->z1 ? rect.z1 : have->z1;
}

static loam_status check_rect(loam_rect rect, loam_error *error) {
    int64_t far = POSITION_UNITS_MAX;
    if (rect.x0 < -far || rect.z0 < -far || rect.x1 > far || rect.z1 > far) {
        return loam_fail(error, LOAM_COORDINATE_RANGE, NULL,
                         "the rectangle leaves the world: 4,294,967 km from the origin");
    }
    if (rect.x0 >= rect.x1 || rect.z0 >= rect.z1 || rect.x1 - rect.x0 > RECT_SIDE_UNITS_MAX ||
        rect.z1 - rect.z0 > RECT_SIDE_UNITS_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "a rectangle's sides are 1/256 m to 8 km");
    }
    return LOAM_OK;
}

/* What nodes ask, while a demand is made. */
typedef struct demand_state {
    const loam_plan *plan;
    const node_domain *domains; /* NULL where no port is staged */
    plan_demand *demand;
    loam_error *error;
} demand_state;

static loam_rect rect_asked(const demand_state *state, uint32_t n, uint32_t port, loam_rect own,
                            int64_t reach) {
    const loam_node *node = &state->plan->graph->nodes[n];
    const operation_code *code = operation_code_of(node->operation);
    if (code->ask != NULL) {
        return code->ask(node, port, own);
    }
    return (loam_rect){own.x0 - reach, own.z0 - reach, own.x1 + reach, own.z1 + reach};
}

/* All of a bounded source; of one that has no points a single unit, for there is always something
 * to ask. */
static loam_status ask_whole(const demand_state *state, uint32_t n, uint32_t source) {
    const loam_graph *graph = state->plan->graph;
    loam_rect rect = state->domains[source].rect;
    if (rect_is_empty(rect)) {
        rect = (loam_rect){0, 0, 1, 1};
    }
    if (rect.x1 - rect.x0 > RECT_SIDE_UNITS_MAX || rect.z1 - rect.z0 > RECT_SIDE_UNITS_MAX) {
        return loam_fail(state->error, LOAM_BUDGET_EXCEEDED,
                         pointer_to("nodes", graph->nodes[n].name, NULL, NULL).text,
                         "the points of %.*s are spread over more than 8 km",
                         TEXT_ARGS(graph->nodes[source].name));
    }
    ask(&state->demand->staged[source], &state->demand->stage[source], rect);
    return LOAM_OK;
}

static loam_status ask_inputs(const demand_state *state, uint32_t n) {
    const loam_node *node = &state->plan->graph->nodes[n];
    plan_demand *demand = state->demand;
    const int64_t reach =
        state->domains == NULL ? state->plan->reach[n] : reach_of(node, state->domains);
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        const loam_source *source = &node->inputs[p];
        if (source->kind != LOAM_SOURCE_NODE) {
            continue;
        }
        if (port_is_staged(node, p)) {
            LOAM_TRY(ask_whole(state, n, source->index));
            continue;
        }
        if (demand->needed[n]) {
            ask(&demand->needed[source->index], &demand->rect[source->index],
                rect_asked(state, n, p, demand->rect[n], reach));
        }
        if (demand->staged[n]) {
            ask(&demand->staged[source->index], &demand->stage[source->index],
                rect_asked(state, n, p, demand->stage[n], reach));
        }
    }
    return LOAM_OK;
}

static loam_status check_count(const plan_demand *demand, uint32_t nodes, loam_error *error) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        count += (uint32_t)demand->needed[n] + (uint32_t)demand->staged[n];
    }
    return count <= EVALUATIONS_MAX
               ? LOAM_OK
               : loam_fail(error, LOAM_TOO_MANY, "/nodes",
                           "%u evaluations of nodes are more than %d: too many nodes serve cells "
                           "and sources of copies too",
                           count, EVALUATIONS_MAX);
}

/* For errors; the first one where a node is none. */
static uint32_t output_at(const loam_graph *graph, uint32_t node) {
    uint32_t output = 0;
    while (output < graph->output_count && graph->outputs[output].node != node) {
        output++;
    }
    return output < graph->output_count ? output : 0;
}

loam_status demand_of_node(const loam_plan *plan, uint32_t node, loam_rect rect,
                           const loam_asset *slots, plan_demand *demand, loam_error *error) {
    const loam_graph *graph = plan->graph;
    LOAM_TRY(check_rect(rect, error));
    for (uint32_t n = 0; n < graph->node_count; n++) {
        demand->needed[n] = demand->staged[n] = false;
    }
    node_domain domains[NODES_MAX];
    if (plan->staged) {
        int64_t most; /* what is asked of points that are given is known only now */
        graph_domains(graph, plan->order, slots, domains);
        LOAM_TRY(sum_reach(plan, node, output_at(graph, node), domains, &most, error));
    }
    const demand_state state = {plan, plan->staged ? domains : NULL, demand, error};
    ask(&demand->needed[node], &demand->rect[node], rect);
    for (uint32_t i = graph->node_count; i-- > 0;) {
        uint32_t n = plan->order[i];
        if (demand->needed[n] || demand->staged[n]) {
            LOAM_TRY(ask_inputs(&state, n));
        }
    }
    return check_count(demand, graph->node_count, error);
}

loam_status demand_of(const loam_plan *plan, uint32_t output, loam_rect rect,
                      const loam_asset *slots, plan_demand *demand, loam_error *error) {
    const loam_graph *graph = plan->graph;
    if (output >= graph->output_count) {
        return loam_fail(error, LOAM_UNKNOWN_OUTPUT, NULL, "%s",
                         loam_status_text(LOAM_UNKNOWN_OUTPUT));
    }
    return demand_of_node(plan, graph->outputs[output].node, rect, slots, demand, error);
}

/* Iterative depth-first walk: a graph may be a chain of 256 nodes. */
uint32_t key_order(const loam_plan *plan, uint32_t root, uint32_t *nodes) {
    const loam_graph *graph = plan->graph;
    bool seen[NODES_MAX] = {false};
    uint32_t stack[NODES_MAX];
    uint32_t next_port[NODES_MAX];
    uint32_t depth = 0, count = 0;
    seen[root] = true;
    nodes[count++] = root;
    stack[depth] = root;
    next_port[depth++] = 0;
    while (depth > 0) {
        const loam_node *node = &graph->nodes[stack[depth - 1]];
        if (next_port[depth - 1] == loam_node_input_count(node)) {
            depth--;
            continue;
        }
        const loam_source *source = &node->inputs[next_port[depth - 1]++];
        if (source->kind == LOAM_SOURCE_NODE && !seen[source->index]) {
            seen[source->index] = true;
            nodes[count++] = source->index;
            stack[depth] = source->index;
            next_port[depth++] = 0;
        }
    }
    return count;
}

loam_status query_check(const loam_query *query, const plan_demand *demand, loam_error *error) {
    const loam_graph *graph = query->plan->graph;
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const loam_node *node = &graph->nodes[n];
        const bool used = demand->needed[n] || demand->staged[n];
        for (uint32_t p = 0; used && p < loam_node_input_count(node); p++) {
            const loam_source *source = &node->inputs[p];
            if (source->kind != LOAM_SOURCE_SLOT) {
                continue;
            }
            const loam_slot *slot = &graph->slots[source->index];
            loam_port_kind bound =
                query->slots == NULL ? LOAM_PORT_NONE : query->slots[source->index].kind;
            pointer_text pointer = pointer_to("slots", slot->name, NULL, NULL);
            if (bound == LOAM_PORT_NONE) {
                return loam_fail(error, LOAM_SLOT_UNBOUND, pointer.text,
                                 "slot %.*s has no asset and node %.*s needs it",
                                 TEXT_ARGS(slot->name), TEXT_ARGS(graph->nodes[n].name));
            }
            if (bound != slot->kind) {
                return loam_fail(error, LOAM_SLOT_MISMATCH, pointer.text,
                                 "slot %.*s takes %s, not %s", TEXT_ARGS(slot->name),
                                 loam_port_kind_name(slot->kind), loam_port_kind_name(bound));
            }
        }
    }
    return LOAM_OK;
}
