/* SPDX-License-Identifier: MIT
 *
 * view_trace_json.c: see view_trace_json.h.
 */
#include "api/view/view_trace_json.h"

enum { DENSITY_BITS = 24 };
_Static_assert(1 << DENSITY_BITS == LOAM_DENSITY_ONE, "steps of a density");

static void write_bounds(text_buffer *to, const loam_trace_node *node) {
    buffer_key(to, "bounds_m");
    if (node->points_out == 0) {
        buffer_null(to);
        return;
    }
    buffer_open_object(to);
    buffer_field_place(to, "min", node->bounds, 3);
    buffer_field_place(to, "max", node->bounds + 3, 3);
    buffer_close_object(to);
}

/* The mean, rounded to the steps of a density. */
static void write_density(text_buffer *to, const loam_trace_node *node) {
    buffer_key(to, "mean_density");
    if (node->points_out == 0) {
        buffer_null(to);
        return;
    }
    uint64_t half = node->points_out / 2;
    uint64_t mean = ((uint64_t)node->density_sum + half) / node->points_out;
    buffer_decimal(to, (int64_t)mean, DENSITY_BITS);
}

static void write_count(text_buffer *to, const char *key, uint64_t count) {
    buffer_key(to, key);
    buffer_unsigned(to, count);
}

static void write_node(text_buffer *to, const loam_trace_node *node, const loam_node *made,
                       uint64_t ticks_per_microsecond) {
    buffer_open_object(to);
    buffer_key(to, "node");
    buffer_string_text(to, made->name);
    buffer_key(to, "op");
    buffer_string(to, made->operation->name);
    write_count(to, "points_in", node->points_in);
    write_count(to, "points_out", node->points_out);
    write_count(to, "window_in", node->window_in);
    write_count(to, "window_out", node->window_out);
    write_bounds(to, node);
    write_density(to, node);
    write_count(to, "microseconds",
                ticks_per_microsecond == 0 ? 0 : node->ticks / ticks_per_microsecond);
    buffer_key(to, "path");
    buffer_string(to, node->path == NULL ? "" : node->path);
    buffer_close_object(to);
}

/* Whether the trace has the node of the graph, without points out. */
static bool is_empty(const loam_trace *trace, uint32_t node) {
    for (uint32_t i = 0; i < trace->node_count; i++) {
        if (trace->nodes[i].node == node) {
            return trace->nodes[i].points_out == 0;
        }
    }
    return false;
}

/* A value in space has no points to lose. */
static bool gives_points(const loam_node *node) {
    return node->operation->gives != LOAM_PORT_SPATIAL;
}

static bool is_fed(const loam_trace *trace, const loam_graph *graph, const loam_node *node) {
    for (uint32_t port = 0; port < loam_node_input_count(node); port++) {
        const loam_source *source = &node->inputs[port];
        if (source->kind == LOAM_SOURCE_NODE && gives_points(&graph->nodes[source->index]) &&
            is_empty(trace, source->index)) {
            return false;
        }
    }
    return true;
}

bool trace_ran_dry(const loam_trace *trace, const loam_graph *graph, uint32_t row) {
    const loam_node *node = &graph->nodes[trace->nodes[row].node];
    return trace->nodes[row].points_out == 0 && gives_points(node) && is_fed(trace, graph, node);
}

static void write_first_empty(text_buffer *to, const loam_trace *trace, const loam_graph *graph) {
    buffer_key(to, "first_empty");
    for (uint32_t i = 0; i < trace->node_count; i++) {
        if (trace_ran_dry(trace, graph, i)) {
            buffer_string_text(to, graph->nodes[trace->nodes[i].node].name);
            return;
        }
    }
    buffer_null(to);
}

/* Whether the first lets a smaller share through. Counts of a cell are below 2^32. */
static bool is_steeper(const loam_trace_node *one, const loam_trace_node *other) {
    return one->points_out * other->points_in < other->points_out * one->points_in;
}

/* Suspicious is the node that lets the least through, of those that let less than a twentieth. */
static void write_suspicious(text_buffer *to, const loam_trace *trace, const loam_graph *graph) {
    const loam_trace_node *steepest = NULL;
    for (uint32_t i = 0; i < trace->node_count; i++) {
        const loam_trace_node *node = &trace->nodes[i];
        if (node->points_out * TRACE_SUSPICIOUS_SHARE < node->points_in &&
            (steepest == NULL || is_steeper(node, steepest))) {
            steepest = node;
        }
    }
    buffer_key(to, "suspicious");
    if (steepest == NULL) {
        buffer_null(to);
    } else {
        buffer_string_text(to, graph->nodes[steepest->node].name);
    }
}

loam_status view_trace_json(const loam_trace *trace, const loam_graph *graph,
                            uint64_t ticks_per_microsecond, text_buffer *to) {
    buffer_open_object(to);
    buffer_key(to, "nodes");
    buffer_open_array(to);
    for (uint32_t i = 0; i < trace->node_count; i++) {
        const loam_trace_node *node = &trace->nodes[i];
        write_node(to, node, &graph->nodes[node->node], ticks_per_microsecond);
    }
    buffer_close_array(to);
    write_first_empty(to, trace, graph);
    write_suspicious(to, trace, graph);
    buffer_close_object(to);
    return buffer_status(to);
}
