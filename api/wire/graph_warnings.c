/* SPDX-License-Identifier: MIT
 *
 * graph_warnings.c: see graph_warnings.h. A graph may have faults beside, even a cycle: every walk
 * marks where it has been.
 */
#include "api/wire/graph_warnings.h"

#include "api/wire/value.h"
#include "core/base/limits.h"
#include "core/base/pointer.h"
#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

static void note(const warning_sink *sink, const char *code, const char *pointer,
                 const char *text) {
    sink->note(sink->context, code, pointer, text);
}

/* ---- What no output needs -------------------------------------------------------------------- */

typedef struct usage {
    bool nodes[NODES_MAX];
    bool slots[SLOTS_MAX];
} usage;

/* Marks a node and all above it; at most NODES_MAX deep, since a marked node is not entered. */
static void mark_used(const loam_graph *graph, uint32_t index, usage *used) {
    if (used->nodes[index]) {
        return;
    }
    used->nodes[index] = true;
    const loam_node *node = &graph->nodes[index];
    for (uint32_t i = 0; i < loam_node_input_count(node); i++) {
        if (node->inputs[i].kind == LOAM_SOURCE_NODE) {
            mark_used(graph, node->inputs[i].index, used);
        } else if (node->inputs[i].kind == LOAM_SOURCE_SLOT) {
            used->slots[node->inputs[i].index] = true;
        }
    }
}

/* The name in the document: nodes that came from one subgraph are one there. */
static loam_text outermost(loam_text name) {
    const char *dot = memchr(name.bytes, '.', name.size);
    return dot == NULL ? name : (loam_text){name.bytes, (size_t)(dot - name.bytes)};
}

static void warn_nodes(const warning_sink *sink, const loam_graph *graph, const usage *used) {
    loam_text last = {"", 0};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        loam_text name = outermost(graph->nodes[i].name);
        if (!used->nodes[i] && !loam_text_equal(name, last)) {
            last = name;
            note(sink, "unused-node", pointer_to("nodes", name, NULL, NULL).text,
                 "no output needs this node");
        }
    }
}

static void warn_slots(const warning_sink *sink, const loam_graph *graph, const usage *used) {
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        if (!used->slots[i]) {
            note(sink, "unused-slot", pointer_to("slots", graph->slots[i].name, NULL, NULL).text,
                 "no output needs this slot");
        }
    }
}

static void warn_exposed(const warning_sink *sink, const loam_graph *graph, const usage *used) {
    for (uint32_t i = 0; i < graph->exposed_count; i++) {
        if (!used->nodes[graph->exposed[i].node]) {
            note(sink, "unused-parameter",
                 pointer_to("parameters", graph->exposed[i].name, NULL, NULL).text,
                 "no output needs the node of this parameter");
        }
    }
}

/* ---- What is moved too late ------------------------------------------------------------------ */

static bool is_one_of(const loam_node *node, const char *const *names) {
    for (; *names != NULL; names++) {
        if (strcmp(node->operation->name, *names) == 0) {
            return true;
        }
    }
    return false;
}

/* A list of numbers that are not all 0. */
static bool has_offset(const loam_node *node) {
    const loam_param_schema *all = node->operation->params;
    const loam_param_schema *own = value_schema(all, node->operation->param_count, "offset_m");
    const loam_value *value = own == NULL ? NULL : &node->params[own - all];
    for (uint32_t i = 0; value != NULL && i < value->item_count; i++) {
        if (value->items[i].integer != 0) {
            return true;
        }
    }
    return false;
}

static bool moves_points(const loam_node *node) {
    static const char *const always[] = {"jitter", NULL};
    static const char *const by_offset[] = {"transform", NULL};
    return is_one_of(node, always) || (is_one_of(node, by_offset) && has_offset(node));
}

/* The nearest node above that settles where points may stand, following those that come out, not
 * those that are only looked at; NULL when there is none. */
static const loam_node *find_settled(const loam_graph *graph, uint32_t index,
                                     bool seen[NODES_MAX]) {
    static const char *const settling[] = {"self.prune", "bounds.prune", "zone.exclude", NULL};
    const loam_node *node = &graph->nodes[index];
    const loam_node *found = NULL;
    seen[index] = true;
    for (uint32_t i = 0; i < loam_node_input_count(node) && found == NULL; i++) {
        const loam_source *source = &node->inputs[i];
        if (source->kind != LOAM_SOURCE_NODE || loam_node_input_port(node, i)->aside ||
            seen[source->index]) {
            continue;
        }
        found = is_one_of(&graph->nodes[source->index], settling)
                    ? &graph->nodes[source->index]
                    : find_settled(graph, source->index, seen);
    }
    return found;
}

static void warn_moves(const warning_sink *sink, const loam_graph *graph) {
    for (uint32_t i = 0; i < graph->node_count; i++) {
        bool seen[NODES_MAX] = {false};
        const loam_node *node = &graph->nodes[i];
        const loam_node *settled = moves_points(node) ? find_settled(graph, i, seen) : NULL;
        if (settled != NULL) {
            char text[LOAM_ERROR_TEXT_BYTES];
            snprintf(text, sizeof text,
                     "points are moved after %s (%.*s), which then need not hold any more",
                     settled->operation->name, TEXT_ARGS(settled->name));
            note(sink, "moved-late", pointer_to("nodes", node->name, NULL, NULL).text, text);
        }
    }
}

void graph_warn(const loam_graph *graph, const warning_sink *sink) {
    usage used = {{false}, {false}};
    for (uint32_t i = 0; i < graph->output_count; i++) {
        mark_used(graph, graph->outputs[i].node, &used);
    }
    warn_nodes(sink, graph, &used);
    warn_slots(sink, graph, &used);
    warn_exposed(sink, graph, &used);
    warn_moves(sink, graph);
}
