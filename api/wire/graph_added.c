/* SPDX-License-Identifier: MIT
 *
 * graph_added.c: see graph_added.h. A node's part of the document is found by its path: a dot leads
 * into a graph in the graph.
 */
#include "api/wire/graph_added.h"

#include "api/wire/value.h"
#include "core/base/limits.h"
#include "core/base/pointer.h"
#include "core/base/try.h"

#include <stdio.h>
#include <string.h>

/* A value as JSON: a list of 256 numbers is the longest that is worth a line. */
enum { ADDED_TEXT_BYTES = 8192 };

/* The node in the JSON, or NULL where a digest stands for the graph that it is in. */
static json_t *find_node(json_t *graph, loam_text path) {
    for (;;) {
        const char *dot = memchr(path.bytes, '.', path.size);
        size_t size = dot == NULL ? path.size : (size_t)(dot - path.bytes);
        char name[NAME_BYTES_MAX + 1];
        if (size >= sizeof name) {
            return NULL;
        }
        memcpy(name, path.bytes, size);
        name[size] = 0;
        json_t *node = json_object_get(json_object_get(graph, "nodes"), name);
        if (dot == NULL) {
            return node;
        }
        graph = json_object_get(json_object_get(node, "params"), "graph");
        path = (loam_text){dot + 1, path.size - size - 1};
    }
}

static void say(const warning_sink *sink, loam_text node, const char *part, const char *key,
                const char *value) {
    sink->note(sink->context, "added", pointer_to("nodes", node, part, key).text, value);
}

static void say_value(const warning_sink *sink, const loam_node *node, uint32_t param) {
    const loam_param_schema *schema = &node->operation->params[param];
    text_buffer text;
    buffer_init(&text, ADDED_TEXT_BYTES);
    value_write(&text, schema, &node->params[param]);
    buffer_add(&text, "", 1);
    if (buffer_status(&text) == LOAM_OK) {
        say(sink, node->name, "params", schema->key, text.bytes);
    }
    buffer_fini(&text);
}

static void say_node(const warning_sink *sink, const loam_node *node, const json_t *written) {
    if (json_object_get(written, "version") == NULL) {
        char version[16];
        snprintf(version, sizeof version, "%u", node->operation->version);
        say(sink, node->name, "version", NULL, version);
    }
    const json_t *params = json_object_get(written, "params");
    for (uint32_t i = 0; i < node->operation->param_count; i++) {
        const char *key = node->operation->params[i].key;
        if (node->params[i].kind != LOAM_VALUE_UNSET && json_object_get(params, key) == NULL) {
            say_value(sink, node, i);
        }
    }
}

void graph_added(const item *document, const loam_graph *graph, const warning_sink *sink) {
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const json_t *written = find_node(document->value, graph->nodes[i].name);
        if (json_is_object(written)) {
            say_node(sink, &graph->nodes[i], written);
        }
    }
}

loam_status graph_added_in(loam_text json, const loam_graph *graph, const warning_sink *sink,
                           fault_list *faults) {
    json_t *root = NULL;
    LOAM_TRY(document_read(json, &root, faults));
    const item document = document_item(root, faults);
    graph_added(&document, graph, sink);
    json_decref(root);
    return LOAM_OK;
}
