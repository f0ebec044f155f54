/* SPDX-License-Identifier: MIT
 *
 * view_graph_dot.c: see view_graph_dot.h. Nodes are in order of their names, so those of one frame
 * stand beside each other: frames open and close as names pass by.
 */
#include "api/view/view_graph_dot.h"

#include <string.h>

static void add_text(text_buffer *to, loam_text text) {
    buffer_add(to, text.bytes, text.size);
}

/* How many bytes of a name say where the node is framed: all up to its last dot. */
static size_t frame_size(loam_text name) {
    size_t size = name.size;
    while (size > 0 && name.bytes[size - 1] != '.') {
        size--;
    }
    return size > 0 ? size - 1 : 0;
}

/* Two spaces for the graph and two for each frame around. */
static void indent(text_buffer *to, loam_text frame) {
    buffer_add_text(to, frame.size > 0 ? "    " : "  ");
    for (size_t i = 0; i < frame.size; i++) {
        buffer_add_text(to, frame.bytes[i] == '.' ? "  " : "");
    }
}

static void open_frame(text_buffer *to, loam_text frame) {
    size_t outer = frame_size(frame);
    indent(to, (loam_text){frame.bytes, outer});
    buffer_add_text(to, "subgraph \"cluster_");
    add_text(to, frame);
    buffer_add_text(to, "\" {\n");
    indent(to, frame);
    buffer_add_text(to, "label=\"");
    size_t skip = outer > 0 ? outer + 1 : 0;
    add_text(to, (loam_text){frame.bytes + skip, frame.size - skip});
    buffer_add_text(to, "\";\n");
}

static void close_frame(text_buffer *to, loam_text frame) {
    indent(to, (loam_text){frame.bytes, frame_size(frame)});
    buffer_add_text(to, "}\n");
}

static bool holds(loam_text frame, loam_text name) {
    return frame.size == 0 || (frame.size < name.size && name.bytes[frame.size] == '.' &&
                               memcmp(frame.bytes, name.bytes, frame.size) == 0);
}

/* From the frame that is open to that of `name`: closes what does not hold it, opens what does. */
static loam_text move_frame(text_buffer *to, loam_text open, loam_text name) {
    while (!holds(open, name)) {
        close_frame(to, open);
        open.size = frame_size(open);
    }
    size_t wanted = frame_size(name);
    open.bytes = name.bytes;
    while (open.size < wanted) {
        size_t next = open.size > 0 ? open.size + 1 : 0;
        while (next < wanted && name.bytes[next] != '.') {
            next++;
        }
        open.size = next;
        open_frame(to, open);
    }
    return open;
}

static void write_nodes(const loam_graph *graph, text_buffer *to) {
    loam_text open = {"", 0};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const loam_node *node = &graph->nodes[i];
        open = move_frame(to, open, node->name);
        size_t skip = open.size > 0 ? open.size + 1 : 0;
        indent(to, open);
        buffer_add_text(to, "\"");
        add_text(to, node->name);
        buffer_add_text(to, "\" [label=\"");
        add_text(to, (loam_text){node->name.bytes + skip, node->name.size - skip});
        buffer_add_text(to, "\\n");
        buffer_add_text(to, node->operation->name);
        buffer_add_text(to, "\"];\n");
    }
    while (open.size > 0) {
        close_frame(to, open);
        open.size = frame_size(open);
    }
}

static void write_slots(const loam_graph *graph, text_buffer *to) {
    for (uint32_t i = 0; i < graph->slot_count; i++) {
        const loam_slot *slot = &graph->slots[i];
        buffer_add_text(to, "  \"$");
        add_text(to, slot->name);
        buffer_add_text(to, "\" [shape=cylinder, label=\"");
        add_text(to, slot->name);
        buffer_add_text(to, "\\n");
        buffer_add_text(to, loam_port_kind_name(slot->kind));
        buffer_add_text(to, "\"];\n");
    }
}

static void write_edge(text_buffer *to, const loam_graph *graph, const loam_node *node,
                       uint32_t input) {
    static const char *const sides[] = {
        [LOAM_SIDE_ALL] = "", [LOAM_SIDE_TRUE] = " (true)", [LOAM_SIDE_FALSE] = " (false)"};
    const loam_source *source = &node->inputs[input];
    bool slot = source->kind == LOAM_SOURCE_SLOT;
    buffer_add_text(to, slot ? "  \"$" : "  \"");
    add_text(to, slot ? graph->slots[source->index].name : graph->nodes[source->index].name);
    buffer_add_text(to, "\" -> \"");
    add_text(to, node->name);
    buffer_add_text(to, "\" [label=\"");
    add_text(to, loam_node_input_name(node, input));
    buffer_add_text(to, sides[source->side]);
    buffer_add_text(to, "\"];\n");
}

static void write_edges(const loam_graph *graph, text_buffer *to) {
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const loam_node *node = &graph->nodes[i];
        for (uint32_t p = 0; p < loam_node_input_count(node); p++) {
            if (node->inputs[p].kind != LOAM_SOURCE_UNBOUND) {
                write_edge(to, graph, node, p);
            }
        }
    }
}

/* An output is called ">name", which no node can be. */
static void write_outputs(const loam_graph *graph, text_buffer *to) {
    static const char *const sides[] = {
        [LOAM_SIDE_ALL] = "", [LOAM_SIDE_TRUE] = "true", [LOAM_SIDE_FALSE] = "false"};
    for (uint32_t i = 0; i < graph->output_count; i++) {
        const loam_output *output = &graph->outputs[i];
        buffer_add_text(to, "  \">");
        add_text(to, output->name);
        buffer_add_text(to, "\" [shape=ellipse, label=\"");
        add_text(to, output->name);
        buffer_add_text(to, "\"];\n  \"");
        add_text(to, graph->nodes[output->node].name);
        buffer_add_text(to, "\" -> \">");
        add_text(to, output->name);
        buffer_add_text(to, "\" [label=\"");
        buffer_add_text(to, sides[output->side]);
        buffer_add_text(to, "\"];\n");
    }
}

void view_graph_dot(const loam_graph *graph, text_buffer *to) {
    buffer_add_text(to, "digraph loam {\n  node [shape=box];\n");
    write_slots(graph, to);
    write_nodes(graph, to);
    write_edges(graph, to);
    write_outputs(graph, to);
    buffer_add_text(to, "}\n");
}
