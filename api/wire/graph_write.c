/* SPDX-License-Identifier: MIT
 *
 * graph_write.c: the canonical text of a graph; see graph_document.h.
 */
#include "api/wire/graph_document.h"

#include "api/wire/document.h"
#include "api/wire/subgraph.h"
#include "api/wire/value.h"
#include "core/base/limits.h"
#include "core/base/try.h"

#include <string.h>

/* The index of the smallest key above `last` (NULL: of all), or -1: names of one table are few, so
 * that looking for each is cheaper than sorting. */
static int next_param(const loam_operation *operation, const char *last) {
    int best = -1;
    for (int i = 0; i < operation->param_count; i++) {
        const char *key = operation->params[i].key;
        if ((last == NULL || strcmp(key, last) > 0) &&
            (best < 0 || strcmp(key, operation->params[best].key) < 0)) {
            best = i;
        }
    }
    return best;
}

static int next_input(const loam_node *node, int last) {
    int best = -1;
    loam_text best_name = {"", 0};
    for (int i = 0; i < (int)loam_node_input_count(node); i++) {
        loam_text name = loam_node_input_name(node, (uint32_t)i);
        bool above =
            last < 0 || loam_text_compare(name, loam_node_input_name(node, (uint32_t)last)) > 0;
        if (above && (best < 0 || loam_text_compare(name, best_name) < 0)) {
            best = i;
            best_name = name;
        }
    }
    return best;
}

/* The name that a node has in the document: that of the subgraph which it came from, when it did.
 */
static loam_text document_name(loam_text name, bool *inlined) {
    const char *dot = memchr(name.bytes, '.', name.size);
    *inlined = dot != NULL;
    return dot == NULL ? name : (loam_text){name.bytes, (size_t)(dot - name.bytes)};
}

/* "node", "node#true", "node#false" or "$slot". */
static void write_source(text_buffer *buffer, const loam_graph *graph, loam_source source) {
    char text[1 + NAME_BYTES_MAX + 8];
    bool slot = source.kind == LOAM_SOURCE_SLOT;
    bool inlined = false;
    loam_text name = slot ? graph->slots[source.index].name
                          : document_name(graph->nodes[source.index].name, &inlined);
    static const char *const sides[] = {
        [LOAM_SIDE_ALL] = "", [LOAM_SIDE_TRUE] = "#true", [LOAM_SIDE_FALSE] = "#false"};
    const char *side = inlined ? "" : sides[source.side];
    size_t size = 0;
    if (slot) {
        text[size++] = '$';
    }
    memcpy(text + size, name.bytes, name.size);
    size += name.size;
    memcpy(text + size, side, strlen(side));
    buffer_string_text(buffer, (loam_text){text, size + strlen(side)});
}

static void write_inputs(text_buffer *buffer, const loam_graph *graph, const loam_node *node) {
    buffer_key(buffer, "in");
    buffer_open_object(buffer);
    for (int i = next_input(node, -1); i >= 0; i = next_input(node, i)) {
        if (node->inputs[i].kind != LOAM_SOURCE_UNBOUND) {
            buffer_key_text(buffer, loam_node_input_name(node, (uint32_t)i));
            write_source(buffer, graph, node->inputs[i]);
        }
    }
    buffer_close_object(buffer);
}

static void write_params(text_buffer *buffer, const loam_node *node) {
    const loam_operation *operation = node->operation;
    buffer_key(buffer, "params");
    buffer_open_object(buffer);
    for (int i = next_param(operation, NULL); i >= 0;
         i = next_param(operation, operation->params[i].key)) {
        if (node->params[i].kind != LOAM_VALUE_UNSET) {
            buffer_key(buffer, operation->params[i].key);
            value_write(buffer, &operation->params[i], &node->params[i]);
        }
    }
    buffer_close_object(buffer);
}

static void write_node(text_buffer *buffer, const loam_graph *graph, const loam_node *node) {
    buffer_key_text(buffer, node->name);
    buffer_open_object(buffer);
    write_inputs(buffer, graph, node);
    buffer_key(buffer, "op");
    buffer_string(buffer, node->operation->name);
    write_params(buffer, node);
    if (node->seed_pinned) {
        buffer_key(buffer, "seed");
        buffer_unsigned_string(buffer, node->seed);
    }
    buffer_key(buffer, "version");
    buffer_unsigned(buffer, node->operation->version);
    buffer_close_object(buffer);
}

static void write_outputs(text_buffer *buffer, const loam_graph *graph) {
    buffer_key(buffer, "outputs");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < graph->output_count; i++) {
        const loam_output *output = &graph->outputs[i];
        buffer_key_text(buffer, output->name);
        buffer_open_object(buffer);
        buffer_key(buffer, "level");
        buffer_unsigned(buffer, output->level);
        buffer_key(buffer, "node");
        write_source(buffer, graph, (loam_source){LOAM_SOURCE_NODE, output->side, output->node});
        buffer_close_object(buffer);
    }
    buffer_close_object(buffer);
}

static void write_exposed(text_buffer *buffer, const graph_document *document) {
    const loam_graph *graph = &document->graph;
    buffer_key(buffer, "parameters");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < graph->exposed_count; i++) {
        const loam_exposed *exposed = &graph->exposed[i];
        const loam_node *node = &graph->nodes[exposed->node];
        bool inlined;
        loam_text name = document_name(node->name, &inlined);
        loam_text key = loam_text_of(node->operation->params[exposed->param].key);
        if (inlined) {
            key = subgraph_exposed_key(subgraph_find(document, name), node, exposed->param);
        }
        buffer_key_text(buffer, exposed->name);
        buffer_open_object(buffer);
        buffer_key(buffer, "key");
        buffer_string_text(buffer, key);
        buffer_key(buffer, "node");
        buffer_string_text(buffer, name);
        buffer_close_object(buffer);
    }
    buffer_close_object(buffer);
}

static void write_slots(text_buffer *buffer, const loam_graph *graph) {
    buffer_key(buffer, "slots");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        buffer_key_text(buffer, graph->slots[i].name);
        buffer_string(buffer, loam_port_kind_name(graph->slots[i].kind));
    }
    buffer_close_object(buffer);
}

/* Nodes and subgraphs, both in order of their names, in one order. */
static void write_nodes(text_buffer *buffer, const graph_document *document) {
    const loam_graph *graph = &document->graph;
    uint32_t next = 0;
    buffer_key(buffer, "nodes");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        bool inlined;
        loam_text name = document_name(graph->nodes[i].name, &inlined);
        while (next < document->subgraph_count &&
               loam_text_compare(document->subgraphs[next].name, name) <= 0) {
            subgraph_write(buffer, &document->subgraphs[next++]);
        }
        if (!inlined) {
            write_node(buffer, graph, &graph->nodes[i]);
        }
    }
    buffer_close_object(buffer);
}

loam_status graph_write(const graph_document *document, text_buffer *buffer) {
    const loam_graph *graph = &document->graph;
    size_t start = buffer->size;
    buffer_open_object(buffer);
    buffer_key(buffer, "loam_graph");
    buffer_unsigned(buffer, 1);
    write_nodes(buffer, document);
    write_outputs(buffer, graph);
    write_exposed(buffer, document);
    write_slots(buffer, graph);
    buffer_close_object(buffer);
    LOAM_TRY(buffer_status(buffer));
    return document_fits((loam_text){buffer->bytes + start, buffer->size - start}) ? LOAM_OK
                                                                                   : LOAM_TOO_LARGE;
}

digest graph_digest(loam_text canonical) {
    return digest_of_domain(DIGEST_DOMAIN_GRAPH, canonical.bytes, canonical.size);
}

loam_status graph_write_copy(const graph_document *document, const item *at, loam_arena *arena,
                             loam_text *text) {
    text_buffer buffer;
    buffer_init(&buffer, JSON_BYTES_MAX);
    loam_status status = graph_write(document, &buffer);
    if (status != LOAM_OK) {
        item_fail(at, status,
                  status == LOAM_TOO_LARGE ? "the graph is too large with its defaults written out"
                                           : "no memory to write the graph out");
    } else if (buffer_copy(&buffer, arena, text) != LOAM_OK) {
        status = item_fail_memory(at);
    }
    buffer_fini(&buffer);
    return status;
}
