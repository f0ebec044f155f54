/* SPDX-License-Identifier: MIT
 *
 * graph_links.c: the second pass over a graph document: inputs, exposed parameters and outputs,
 * which name nodes that may come later.
 */
#include "api/wire/graph_reader.h"

#include "core/base/limits.h"

#include <string.h>

bool graph_names_refused(const graph_reader *reader, loam_text source) {
    char name[NAME_BYTES_MAX + 1];
    const char *end = source.size == 0 ? NULL : memchr(source.bytes, '#', source.size);
    size_t size = end == NULL ? source.size : (size_t)(end - source.bytes);
    if (size > NAME_BYTES_MAX) {
        return false;
    }
    memcpy(name, source.bytes, size);
    name[size] = 0;
    item node = item_field(&reader->nodes, name);
    return item_present(&node) &&
           loam_graph_find_node(reader->graph, (loam_text){name, size}) < 0 &&
           subgraph_find(reader->document, (loam_text){name, size}) == NULL;
}

static void read_input(const graph_reader *reader, loam_text node, const item *at) {
    loam_text source;
    if (item_text(at, &source) != LOAM_OK || graph_names_refused(reader, source) ||
        subgraph_map_source(reader, at, source, &source) != LOAM_OK) {
        return;
    }
    loam_error error = {0};
    loam_status status =
        loam_graph_connect(reader->graph, node, loam_text_of(at->key), source, &error);
    if (status != LOAM_OK) {
        graph_refuse_part(at, status, &error);
    }
}

void graph_read_inputs(const graph_reader *reader, const item *node) {
    loam_text name = loam_text_of(node->key);
    item inputs = item_field(node, "in");
    const subgraph *of = subgraph_find(reader->document, name);
    if (of != NULL) {
        subgraph_read_inputs(reader, of, &inputs);
        return;
    }
    if (!item_present(&inputs) || loam_graph_find_node(reader->graph, name) < 0 ||
        item_object(&inputs) != LOAM_OK) {
        return;
    }
    item child;
    for (void *i = item_next(&inputs, NULL, &child); i != NULL; i = item_next(&inputs, i, &child)) {
        read_input(reader, name, &child);
    }
}

void graph_read_exposed(const graph_reader *reader, const item *at) {
    static const char *const fields[] = {"node", "key", NULL};
    if (item_fields(at, fields) != LOAM_OK) {
        return;
    }
    item node_item = item_field(at, "node");
    item key_item = item_field(at, "key");
    loam_text name;
    loam_text node;
    loam_text key;
    if (item_key_name(at, &name) != LOAM_OK || item_text(&node_item, &node) != LOAM_OK ||
        item_text(&key_item, &key) != LOAM_OK || graph_names_refused(reader, node)) {
        return;
    }
    const subgraph *of = subgraph_find(reader->document, node);
    if (of != NULL) {
        subgraph_expose(reader, of, name, &key_item);
        return;
    }
    loam_error error = {0};
    loam_status status = loam_graph_expose(reader->graph, name, node, key, &error);
    if (status != LOAM_OK) {
        const item *place = status == LOAM_UNKNOWN_NODE ? &node_item : at;
        graph_refuse_part(status == LOAM_UNKNOWN_PARAMETER ? &key_item : place, status, &error);
    }
}

void graph_read_output(const graph_reader *reader, const item *at) {
    static const char *const fields[] = {"node", "level", NULL};
    if (item_fields(at, fields) != LOAM_OK) {
        return;
    }
    item source_item = item_field(at, "node");
    item level_item = item_field(at, "level");
    loam_text name;
    loam_text source;
    int64_t level = 0;
    if (item_key_name(at, &name) != LOAM_OK || item_text(&source_item, &source) != LOAM_OK ||
        (item_present(&level_item) &&
         item_integer(&level_item, 0, LEVELS_MAX - 1, &level) != LOAM_OK) ||
        graph_names_refused(reader, source) ||
        subgraph_map_source(reader, &source_item, source, &source) != LOAM_OK) {
        return;
    }
    loam_error error = {0};
    loam_status status = loam_graph_add_output(reader->graph, name, source, (uint8_t)level, &error);
    if (status != LOAM_OK) {
        bool in_source = status == LOAM_UNKNOWN_NODE || status == LOAM_PORT_MISMATCH ||
                         status == LOAM_UNKNOWN_SLOT;
        graph_refuse_part(in_source ? &source_item : at, status, &error);
    }
}
