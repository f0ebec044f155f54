/* SPDX-License-Identifier: MIT
 *
 * graph_check.c: what can be wrong with a whole graph. All faults are found, not only the first, so
 * that an artist can mend them in one go.
 */
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/graph/graph.h"
#include "core/graph/plan.h"
#include "core/ops/operation.h"

#include <stdio.h>

/* Where faults go; counts on when full. */
typedef struct fault_list {
    loam_error *faults;
    uint32_t capacity;
    uint32_t count;
} fault_list;

/* Room for one more fault: beyond the capacity it falls into `spare`. */
static loam_error *next_fault(fault_list *list, loam_error *spare) {
    loam_error *fault = list->count < list->capacity ? &list->faults[list->count] : spare;
    *fault = (loam_error){0};
    list->count++;
    return fault;
}

#define FAULT(list, status, pointer, ...)                                                          \
    do {                                                                                           \
        loam_error spare;                                                                          \
        (void)loam_fail(next_fault((list), &spare), (status), (pointer), __VA_ARGS__);             \
    } while (0)

/* What a source gives. All operations give points; a slot gives what it holds. */
static loam_port_kind kind_given(const loam_graph *graph, const loam_source *source) {
    if (source->kind == LOAM_SOURCE_SLOT) {
        return graph->slots[source->index].kind;
    }
    loam_port_kind gives = graph->nodes[source->index].operation->gives;
    return gives == LOAM_PORT_NONE ? LOAM_PORT_POINTS : gives;
}

static bool port_takes(const loam_port_schema *port, loam_port_kind kind) {
    return port->kind == kind || (port->also >> kind & 1) != 0;
}

/* Sides belong to branches, and to every use of one. */
static bool side_fits(const loam_graph *graph, uint32_t node, loam_side side) {
    return graph->nodes[node].operation->sided == (side != LOAM_SIDE_ALL);
}

static void fault_side(const loam_graph *graph, uint32_t node, const char *pointer,
                       fault_list *list) {
    const loam_node *named = &graph->nodes[node];
    FAULT(list, LOAM_PORT_MISMATCH, pointer,
          named->operation->sided ? "%.*s is a branch: take its side #true or #false"
                                  : "%.*s is no branch and has no sides",
          TEXT_ARGS(named->name));
}

static void check_ports(const loam_graph *graph, const loam_node *node, fault_list *list) {
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        const loam_port_schema *port = loam_node_input_port(node, p);
        const loam_source *source = &node->inputs[p];
        char name[NAME_BYTES_MAX + 1];
        snprintf(name, sizeof name, "%.*s", TEXT_ARGS(loam_node_input_name(node, p)));
        pointer_text pointer = pointer_to("nodes", node->name, "in", name);
        if (source->kind == LOAM_SOURCE_UNBOUND) {
            if (port->required) {
                FAULT(list, LOAM_MISSING_INPUT, pointer.text,
                      "port %s of %s takes %s and has no "
                      "input",
                      name, node->operation->name, loam_port_kind_name(port->kind));
            }
            continue;
        }
        loam_port_kind given = kind_given(graph, source);
        if (!port_takes(port, given)) {
            FAULT(list, LOAM_PORT_MISMATCH, pointer.text, "port %s of %s takes %s, not %s", name,
                  node->operation->name, loam_port_kind_name(port->kind),
                  loam_port_kind_name(given));
        } else if (source->kind == LOAM_SOURCE_SLOT && given == LOAM_PORT_POINTS &&
                   (port->also >> LOAM_PORT_POINTS & 1) == 0) {
            FAULT(list, LOAM_PORT_MISMATCH, pointer.text,
                  "points of a slot come in through points.input");
        } else if (source->kind == LOAM_SOURCE_NODE &&
                   !side_fits(graph, source->index, source->side)) {
            fault_side(graph, source->index, pointer.text, list);
        }
    }
}

static void check_params(const loam_node *node, fault_list *list) {
    bool complete = true;
    for (uint32_t p = 0; p < node->operation->param_count; p++) {
        const loam_param_schema *schema = &node->operation->params[p];
        if (node->params[p].kind == LOAM_VALUE_UNSET &&
            (schema->flags & LOAM_PARAM_REQUIRED) != 0) {
            complete = false;
            FAULT(list, LOAM_MISSING_FIELD,
                  pointer_to("nodes", node->name, "params", schema->key).text,
                  "%s of %s is required", schema->key, node->operation->name);
        }
    }
    const operation_code *code = operation_code_of(node->operation);
    if (complete && code->check != NULL) {
        loam_error spare = {0};
        pointer_text pointer = pointer_to("nodes", node->name, "params", NULL);
        if (code->check(node, pointer.text, &spare) != LOAM_OK) {
            loam_error dropped;
            *next_fault(list, &dropped) = spare;
        }
    }
}

/* What spatial values say of themselves, whatever the rectangle; then who is not content with it.
 */
static void check_spatial(const loam_graph *graph, const uint32_t *order, fault_list *list) {
    node_cost costs[NODES_MAX] = {{0}};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const loam_node *node = &graph->nodes[order[i]];
        const operation_code *code = operation_code_of(node->operation);
        node_cost inputs[PORTS_MAX] = {{0}};
        for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
            if (node->inputs[p].kind == LOAM_SOURCE_NODE) {
                inputs[p] = costs[node->inputs[p].index];
            }
        }
        loam_error fault = {0};
        pointer_text pointer = pointer_to("nodes", node->name, "params", NULL);
        if (node->operation->gives == LOAM_PORT_SPATIAL) {
            code->cost(node, (loam_rect){0, 0, 1, 1}, inputs, &costs[order[i]]);
        } else if (code->check_inputs != NULL &&
                   code->check_inputs(node, inputs, pointer.text, &fault) != LOAM_OK) {
            loam_error dropped;
            *next_fault(list, &dropped) = fault;
        }
    }
}

/* What a staged port asks for must be somewhere. */
static void check_staged(const loam_graph *graph, const uint32_t *order, fault_list *list) {
    node_domain domains[NODES_MAX];
    graph_domains(graph, order, NULL, domains);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        const loam_node *node = &graph->nodes[n];
        for (uint32_t p = 0; p < node->operation->port_count; p++) {
            const loam_source *source = &node->inputs[p];
            if (port_is_staged(node, p) && source->kind == LOAM_SOURCE_NODE &&
                !domains[source->index].bounded) {
                const char *port = node->operation->ports[p].name;
                FAULT(list, LOAM_UNBOUNDED_SOURCE, pointer_to("nodes", node->name, "in", port).text,
                      "port %s of %s takes points that have bounds: points.input, poisson.disk, or "
                      "a sampler behind filter.box",
                      port, node->operation->name);
            }
        }
    }
}

static void check_outputs(const loam_graph *graph, fault_list *list) {
    if (graph->output_count == 0) {
        FAULT(list, LOAM_MISSING_FIELD, "/outputs", "a graph has at least one output");
    }
    for (uint32_t i = 0; i < graph->output_count; i++) {
        const loam_output *output = &graph->outputs[i];
        pointer_text pointer = pointer_to("outputs", output->name, "node", NULL);
        loam_source source = {LOAM_SOURCE_NODE, output->side, output->node};
        if (!side_fits(graph, output->node, output->side)) {
            fault_side(graph, output->node, pointer.text, list);
        } else if (kind_given(graph, &source) != LOAM_PORT_POINTS) {
            FAULT(list, LOAM_PORT_MISMATCH, pointer.text, "an output is points");
        }
    }
}

uint32_t loam_graph_faults(const loam_graph *graph, loam_error *faults, uint32_t capacity) {
    fault_list list = {.faults = faults, .capacity = capacity};
    for (uint32_t n = 0; n < graph->node_count; n++) {
        check_ports(graph, &graph->nodes[n], &list);
        check_params(&graph->nodes[n], &list);
    }
    check_outputs(graph, &list);
    uint32_t order[NODES_MAX];
    uint32_t cyclic = 0;
    if (!graph_order(graph, order, &cyclic)) {
        loam_text name = graph->nodes[cyclic].name;
        FAULT(&list, LOAM_CYCLE, pointer_to("nodes", name, "in", NULL).text,
              "%.*s is its own source", TEXT_ARGS(name));
    } else if (list.count == 0) {
        check_spatial(graph, order, &list);
        check_staged(graph, order, &list);
    }
    return list.count;
}
