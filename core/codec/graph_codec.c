/* SPDX-License-Identifier: MIT
 *
 * graph_codec.c: the binary form of a graph, for hosts without JSON (FORMAT.md, "Graphs"). Parts
 * are written in the order of their names, so equal graphs give equal bytes.
 */
#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/codec/format.h"
#include "core/graph/graph.h"

#include <stdio.h>
#include <string.h>

/* "", "$slot", "node" or "node#true", as loam_graph_connect reads it. */
static void write_source(byte_writer *writer, const loam_graph *graph, const loam_source *source) {
    static const char *const sides[] = {"", "#true", "#false"};
    char text[NODE_PATH_BYTES_MAX + 16] = "";
    if (source->kind == LOAM_SOURCE_SLOT) {
        snprintf(text, sizeof text, "$%.*s", TEXT_ARGS(graph->slots[source->index].name));
    } else if (source->kind == LOAM_SOURCE_NODE) {
        snprintf(text, sizeof text, "%.*s%s", TEXT_ARGS(graph->nodes[source->index].name),
                 sides[source->side]);
    }
    write_text(writer, loam_text_of(text));
}

static void write_node(byte_writer *writer, const loam_graph *graph, const loam_node *node) {
    write_text(writer, node->name);
    write_text(writer, loam_text_of(node->operation->name));
    write_u16(writer, node->operation->version);
    write_u8(writer, node->seed_pinned);
    write_u64(writer, node->seed_pinned ? node->seed : 0);
    write_u32(writer, node->operation->param_count);
    for (uint32_t p = 0; p < node->operation->param_count; p++) {
        write_text(writer, loam_text_of(node->operation->params[p].key));
        value_bytes_write(writer, &node->params[p]);
    }
    write_u32(writer, loam_node_input_count(node));
    for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
        write_text(writer, loam_node_input_name(node, p));
        write_source(writer, graph, &node->inputs[p]);
    }
}

static void write_ends(byte_writer *writer, const loam_graph *graph) {
    for (uint32_t i = 0; i < graph->output_count; i++) {
        const loam_output *output = &graph->outputs[i];
        loam_source source = {LOAM_SOURCE_NODE, output->side, output->node};
        write_text(writer, output->name);
        write_source(writer, graph, &source);
        write_u8(writer, output->level);
    }
    for (uint32_t i = 0; i < graph->exposed_count; i++) {
        const loam_node *node = &graph->nodes[graph->exposed[i].node];
        write_text(writer, graph->exposed[i].name);
        write_text(writer, node->name);
        write_text(writer, loam_text_of(node->operation->params[graph->exposed[i].param].key));
    }
}

loam_status loam_graph_encode(const loam_graph *graph, loam_sink sink) {
    byte_writer writer;
    writer_init(&writer, sink);
    write_bytes(&writer, GRAPH_MAGIC, MAGIC_BYTES);
    write_u16(&writer, GRAPH_FORMAT_VERSION);
    write_u32(&writer, graph->slot_count);
    write_u32(&writer, graph->node_count);
    write_u32(&writer, graph->output_count);
    write_u32(&writer, graph->exposed_count);
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        write_text(&writer, graph->slots[i].name);
        write_u8(&writer, (uint8_t)graph->slots[i].kind);
    }
    for (uint32_t i = 0; i < graph->node_count; i++) {
        write_node(&writer, graph, &graph->nodes[i]);
    }
    write_ends(&writer, graph);
    writer_flush(&writer);
    return LOAM_OK;
}

static loam_status damaged(loam_error *error) {
    return loam_fail(error, LOAM_DAMAGED, NULL, "not the binary form of a graph");
}

static loam_status read_value(byte_reader *reader, loam_arena *arena, int depth,
                              loam_value *value) {
    value->kind = (loam_value_kind)read_u8(reader);
    value->integer = read_i64(reader);
    value->text = read_text(reader);
    value->item_count = read_u32(reader);
    value->items = NULL;
    if (reader->failed || value->kind > LOAM_VALUE_ATTRIBUTE || depth > VALUE_DEPTH_MAX ||
        value->item_count > LIST_ITEMS_MAX) {
        return LOAM_DAMAGED;
    }
    if (value->item_count > 0) {
        loam_value *items = loam_arena_take(arena, value->item_count, sizeof *items);
        LOAM_TRY_MEMORY(items, NULL);
        for (uint32_t i = 0; i < value->item_count; i++) {
            LOAM_TRY(read_value(reader, arena, depth + 1, &items[i]));
        }
        value->items = items;
    }
    return LOAM_OK;
}

static loam_status read_params(byte_reader *reader, loam_graph *graph, loam_text name,
                               loam_error *error) {
    uint32_t params = read_u32(reader);
    for (uint32_t p = 0; p < params; p++) {
        loam_text key = read_text(reader);
        loam_value value;
        loam_status status = read_value(reader, graph->arena, 0, &value);
        if (status != LOAM_OK) {
            return status == LOAM_ARENA_FULL
                       ? loam_fail(error, status, NULL, "%s", loam_status_text(status))
                       : damaged(error);
        }
        if (value.kind != LOAM_VALUE_UNSET) {
            LOAM_TRY(loam_graph_set(graph, name, key, &value, error));
        }
    }
    return reader->failed ? damaged(error) : LOAM_OK;
}

/* A node without its inputs; they wait in `reader`'s copy until every node is there. */
static loam_status read_node(byte_reader *reader, loam_graph *graph, loam_error *error) {
    loam_text name = read_text(reader);
    loam_text operation = read_text(reader);
    uint16_t version = read_u16(reader);
    uint8_t pinned = read_u8(reader);
    uint64_t seed = read_u64(reader);
    if (reader->failed || version == 0) {
        return damaged(error);
    }
    LOAM_TRY(loam_graph_add_inlined(graph, name, operation, version, error));
    if (pinned != 0) {
        LOAM_TRY(loam_graph_pin_seed(graph, name, seed, error));
    }
    return read_params(reader, graph, name, error);
}

static loam_status skip_inputs(byte_reader *reader, loam_error *error) {
    uint32_t ports = read_u32(reader);
    for (uint32_t p = 0; p < ports && !reader->failed; p++) {
        (void)read_text(reader);
        (void)read_text(reader);
    }
    return reader->failed ? damaged(error) : LOAM_OK;
}

static loam_status read_inputs(byte_reader *reader, loam_graph *graph, loam_text name,
                               loam_error *error) {
    uint32_t ports = read_u32(reader);
    for (uint32_t p = 0; p < ports; p++) {
        loam_text port = read_text(reader);
        loam_text source = read_text(reader);
        if (source.size > 0) {
            LOAM_TRY(loam_graph_connect(graph, name, port, source, error));
        }
    }
    return LOAM_OK;
}

static loam_status read_nodes(byte_reader *reader, loam_graph *graph, uint32_t count,
                              loam_error *error) {
    byte_reader inputs[NODES_MAX];
    for (uint32_t i = 0; i < count; i++) {
        LOAM_TRY(read_node(reader, graph, error));
        inputs[i] = *reader;
        LOAM_TRY(skip_inputs(reader, error));
    }
    for (uint32_t i = 0; i < count; i++) {
        LOAM_TRY(read_inputs(&inputs[i], graph, graph->nodes[i].name, error));
    }
    return LOAM_OK;
}

static loam_status read_ends(byte_reader *reader, loam_graph *graph, loam_graph_sizes sizes,
                             loam_error *error) {
    for (uint32_t i = 0; i < sizes.outputs; i++) {
        loam_text name = read_text(reader);
        loam_text source = read_text(reader);
        LOAM_TRY(loam_graph_add_output(graph, name, source, read_u8(reader), error));
    }
    for (uint32_t i = 0; i < sizes.exposed; i++) {
        loam_text name = read_text(reader);
        loam_text node = read_text(reader);
        loam_text key = read_text(reader);
        LOAM_TRY(loam_graph_expose(graph, name, node, key, error));
    }
    return reader->failed || reader->left != 0 ? damaged(error) : LOAM_OK;
}

loam_status loam_graph_decode(const void *bytes, size_t size, loam_arena *arena, loam_graph *graph,
                              loam_error *error) {
    byte_reader reader;
    reader_init(&reader, bytes, size);
    const unsigned char *magic = read_bytes(&reader, MAGIC_BYTES);
    if (magic == NULL || memcmp(magic, GRAPH_MAGIC, MAGIC_BYTES) != 0 ||
        read_u16(&reader) != GRAPH_FORMAT_VERSION) {
        return damaged(error);
    }
    loam_graph_sizes sizes = {0};
    sizes.slots = read_u32(&reader);
    sizes.nodes = read_u32(&reader);
    sizes.outputs = read_u32(&reader);
    sizes.exposed = read_u32(&reader);
    LOAM_TRY(loam_graph_init(graph, sizes, arena, error));
    for (uint32_t i = 0; i < sizes.slots; i++) {
        loam_text name = read_text(&reader);
        loam_port_kind kind = (loam_port_kind)read_u8(&reader);
        if (reader.failed || kind > LOAM_PORT_RULES) {
            return damaged(error);
        }
        LOAM_TRY(loam_graph_add_slot(graph, name, kind, error));
    }
    LOAM_TRY(read_nodes(&reader, graph, sizes.nodes, error));
    return read_ends(&reader, graph, sizes, error);
}
