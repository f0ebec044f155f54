/* SPDX-License-Identifier: MIT
 *
 * graph_override.c: values for the parameters that a graph exposes, given by a world or by the
 * graph around it; see graph_document.h.
 */
#include "api/wire/document.h"
#include "api/wire/graph_document.h"
#include "api/wire/value.h"

const loam_exposed *graph_find_exposed(const loam_graph *graph, loam_text name) {
    for (uint32_t i = 0; i < graph->exposed_count; i++) {
        if (loam_text_equal(graph->exposed[i].name, name)) {
            return &graph->exposed[i];
        }
    }
    return NULL;
}

static void override(const item *at, loam_arena *arena, loam_graph *graph) {
    const loam_exposed *exposed = graph_find_exposed(graph, loam_text_of(at->key));
    if (exposed == NULL) {
        item_fail(at, LOAM_UNKNOWN_PARAMETER, "the graph exposes no parameter \"%.64s\"", at->key);
        return;
    }
    const loam_node *node = &graph->nodes[exposed->node];
    const loam_param_schema *schema = &node->operation->params[exposed->param];
    loam_value value;
    if (value_read(at, schema, arena, &value) != LOAM_OK) {
        return;
    }
    loam_error error = {0};
    loam_status status =
        loam_graph_set(graph, node->name, loam_text_of(schema->key), &value, &error);
    if (status != LOAM_OK) {
        item_fail(at, status, "%s", error.text[0] == 0 ? loam_status_text(status) : error.text);
    }
}

void graph_override(const item *parameters, loam_arena *arena, loam_graph *graph) {
    if (!item_present(parameters) || item_object(parameters) != LOAM_OK) {
        return;
    }
    item child;
    for (void *i = item_next(parameters, NULL, &child); i != NULL;
         i = item_next(parameters, i, &child)) {
        override(&child, arena, graph);
    }
}

void graph_write_parameters(text_buffer *buffer, const loam_graph *graph) {
    buffer_key(buffer, "parameters");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < graph->exposed_count; i++) {
        const loam_exposed *exposed = &graph->exposed[i];
        const loam_node *node = &graph->nodes[exposed->node];
        const loam_value *value = &node->params[exposed->param];
        if (value->kind != LOAM_VALUE_UNSET) {
            buffer_key_text(buffer, exposed->name);
            value_write(buffer, &node->operation->params[exposed->param], value);
        }
    }
    buffer_close_object(buffer);
}
