/* SPDX-License-Identifier: MIT
 *
 * subgraph_links.c: how the nodes of a subgraph are tied to each other and to the graph around
 * them; see subgraph.h.
 */
#include "api/wire/subgraph.h"

#include "api/wire/graph_reader.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <stdio.h>
#include <string.h>

loam_status subgraph_map_source(const graph_reader *reader, const item *at, loam_text source,
                                loam_text *mapped) {
    const char *hash = source.size == 0 ? NULL : memchr(source.bytes, '#', source.size);
    loam_text name = {source.bytes, hash == NULL ? source.size : (size_t)(hash - source.bytes)};
    const subgraph *of = subgraph_find(reader->document, name);
    *mapped = source;
    if (of == NULL) {
        return LOAM_OK;
    }
    if (hash != NULL) {
        return item_fail(at, LOAM_PORT_MISMATCH, "%.64s is no branch and has no sides",
                         of->name.bytes);
    }
    *mapped = of->result;
    return LOAM_OK;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* What a source of the graph around gives; LOAM_PORT_NONE when there is no such source, which then
 * is noted. */
static loam_port_kind source_kind(const graph_reader *reader, const item *at, loam_text source) {
    const loam_graph *graph = reader->graph;
    if (source.size > 0 && source.bytes[0] == '$') {
        int32_t slot = loam_graph_find_slot(graph, (loam_text){source.bytes + 1, source.size - 1});
        if (slot >= 0) {
            return graph->slots[slot].kind;
        }
        item_fail(at, LOAM_UNKNOWN_SLOT, "no slot is called %.64s", source.bytes);
        return LOAM_PORT_NONE;
    }
    const char *hash = source.size == 0 ? NULL : memchr(source.bytes, '#', source.size);
    source.size = hash == NULL ? source.size : (size_t)(hash - source.bytes);
    int32_t node = loam_graph_find_node(graph, source);
    if (node >= 0) {
        loam_port_kind gives = graph->nodes[node].operation->gives;
        return gives == LOAM_PORT_NONE ? LOAM_PORT_POINTS : gives;
    }
    item_fail(at, LOAM_UNKNOWN_NODE, "no node is called %.*s",
              source.size > NAME_BYTES_MAX ? NAME_BYTES_MAX : (int)source.size, source.bytes);
    return LOAM_PORT_NONE;
}

/* The source of one slot: as it was written into `of`, as the flat graph knows it into `mapped`. */
static void read_input(const graph_reader *reader, const subgraph *of, const item *at,
                       loam_text *mapped) {
    const loam_graph *nested = &of->nested.graph;
    int32_t slot = loam_graph_find_slot(nested, loam_text_of(at->key));
    loam_text source;
    if (slot < 0) {
        item_fail(at, LOAM_UNKNOWN_PORT, "the graph of %.64s has no slot \"%.64s\"", of->name.bytes,
                  at->key);
        return;
    }
    if (item_text(at, &source) != LOAM_OK || graph_names_refused(reader, source) ||
        subgraph_map_source(reader, at, source, &mapped[slot]) != LOAM_OK) {
        return;
    }
    loam_port_kind wanted = nested->slots[slot].kind;
    loam_port_kind given = source_kind(reader, at, mapped[slot]);
    if (given != wanted && given != LOAM_PORT_NONE) {
        item_fail(at, LOAM_PORT_MISMATCH, "the slot takes %s, not %s", loam_port_kind_name(wanted),
                  loam_port_kind_name(given));
    }
    if (text_copy(source, reader->arena, &of->inputs[slot]) != LOAM_OK) {
        item_fail_memory(at);
    }
}

/* ---- Links ----------------------------------------------------------------------------------- */

static loam_status connect(const graph_reader *reader, const subgraph *of, loam_text node,
                           loam_text port, const loam_source *source, const loam_text *mapped) {
    static const char *const sides[] = {"", "#true", "#false"};
    char text[sizeof(subgraph_name) + sizeof "#false"];
    loam_error error = {0};
    loam_text from;
    if (source->kind == LOAM_SOURCE_SLOT) {
        from = mapped[source->index];
    } else if (subgraph_is_bypassed(of, source->index)) {
        from = mapped[of->nested.graph.nodes[source->index].inputs[0].index];
    } else {
        subgraph_name name;
        loam_text inner = subgraph_inner_name(of, source->index, &name);
        snprintf(text, sizeof text, "%.*s%s", TEXT_ARGS(inner), sides[source->side]);
        from = loam_text_of(text);
    }
    /* A slot that nobody feeds leaves its ports without input: core judges whether they need one.
     */
    return from.size == 0 ? LOAM_OK : loam_graph_connect(reader->graph, node, port, from, &error);
}

static loam_status link_node(const graph_reader *reader, const subgraph *of, uint32_t index,
                             const loam_text *mapped) {
    const loam_node *node = &of->nested.graph.nodes[index];
    subgraph_name storage;
    loam_text name = subgraph_inner_name(of, index, &storage);
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        if (node->inputs[p].kind != LOAM_SOURCE_UNBOUND) {
            LOAM_TRY(
                connect(reader, of, name, loam_node_input_name(node, p), &node->inputs[p], mapped));
        }
    }
    return LOAM_OK;
}

void subgraph_read_inputs(const graph_reader *reader, const subgraph *of, const item *inputs) {
    loam_text mapped[SLOTS_MAX] = {{NULL, 0}};
    uint32_t before = inputs->faults->count;
    if (item_present(inputs) && item_object(inputs) != LOAM_OK) {
        return;
    }
    item child;
    for (void *i = item_next(inputs, NULL, &child); i != NULL; i = item_next(inputs, i, &child)) {
        read_input(reader, of, &child, mapped);
    }
    for (uint32_t i = 0; i < of->nested.graph.node_count && inputs->faults->count == before; i++) {
        loam_status status = of->needed[i] ? link_node(reader, of, i, mapped) : LOAM_OK;
        if (status != LOAM_OK) {
            item_fail(inputs, status, "%s", loam_status_text(status));
        }
    }
}

/* ---- Exposed parameters ---------------------------------------------------------------------- */

void subgraph_expose(const graph_reader *reader, const subgraph *of, loam_text name,
                     const item *key) {
    const loam_graph *nested = &of->nested.graph;
    const loam_exposed *found =
        graph_find_exposed(nested, loam_text_of(json_string_value(key->value)));
    if (found == NULL) {
        item_fail(key, LOAM_UNKNOWN_PARAMETER, "the graph exposes no parameter \"%.64s\"",
                  json_string_value(key->value));
        return;
    }
    const loam_node *node = &nested->nodes[found->node];
    if (!of->needed[found->node]) {
        item_fail(key, LOAM_UNKNOWN_PARAMETER, "the output of the graph does not need it");
        return;
    }
    subgraph_name storage;
    loam_error error = {0};
    loam_status status =
        loam_graph_expose(reader->graph, name, subgraph_inner_name(of, found->node, &storage),
                          loam_text_of(node->operation->params[found->param].key), &error);
    if (status != LOAM_OK) {
        graph_refuse_part(key->parent, status, &error);
    }
}

loam_text subgraph_exposed_key(const subgraph *of, const loam_node *inlined, uint32_t param) {
    const loam_graph *nested = &of->nested.graph;
    loam_text inner = {inlined->name.bytes + of->name.size + 1,
                       inlined->name.size - of->name.size - 1};
    for (uint32_t i = 0; i < nested->exposed_count; i++) {
        const loam_exposed *exposed = &nested->exposed[i];
        if (exposed->param == param && loam_text_equal(nested->nodes[exposed->node].name, inner)) {
            return exposed->name;
        }
    }
    return (loam_text){"", 0};
}
