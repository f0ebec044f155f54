/* SPDX-License-Identifier: MIT
 *
 * subgraph_write.c: a subgraph as tools see it and as it stands in a canonical text; see
 * subgraph.h.
 */
#include "api/wire/subgraph.h"

#include "api/wire/value.h"

enum { SUBGRAPH_GRAPH, SUBGRAPH_OUTPUT, SUBGRAPH_PARAMETERS, SUBGRAPH_PARAMS };

static const loam_param_schema params[SUBGRAPH_PARAMS] = {
    [SUBGRAPH_GRAPH] = {.key = "graph",
                        .label = "Graph",
                        .description = "A graph document, or the digest of a stored one.",
                        .unit = "",
                        .kind = LOAM_PARAM_STRING,
                        .flags = LOAM_PARAM_REQUIRED},
    [SUBGRAPH_OUTPUT] = {.key = "output",
                         .label = "Output",
                         .description = "Which output of the graph the points are.",
                         .unit = "",
                         .kind = LOAM_PARAM_STRING,
                         .flags = LOAM_PARAM_REQUIRED},
    [SUBGRAPH_PARAMETERS] = {.key = "parameters",
                             .label = "Parameters",
                             .description = "Values for parameters that the graph exposes.",
                             .unit = "",
                             .kind = LOAM_PARAM_STRING},
};

static const loam_port_schema slot_port = {
    .name = "slot",
    .kind = LOAM_PORT_POINTS,
    .also = 1 << LOAM_PORT_POINTS | 1 << LOAM_PORT_HEIGHTFIELD | 1 << LOAM_PORT_LINES |
            1 << LOAM_PORT_AREAS | 1 << LOAM_PORT_RULES};

const loam_operation subgraph_operation = {
    .name = "subgraph",
    .version = 1,
    .category = "flow",
    .title = "Subgraph",
    .description = "Another graph in this one's place: its slots are the ports, a slot of points "
                   "may be fed by a node. Its nodes draw by the names of both.",
    .reach = "that of the nested output",
    .params = params,
    .param_count = SUBGRAPH_PARAMS,
    .seeded = true,
    .open_port = &slot_port,
};

const char *subgraph_param_kind(uint32_t param) {
    return param == SUBGRAPH_OUTPUT ? "string" : "document";
}

static void write_inputs(text_buffer *buffer, const subgraph *of) {
    const loam_graph *nested = &of->nested.graph;
    buffer_key(buffer, "in");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < nested->slot_count; i++) {
        if (of->inputs[i].size > 0) {
            buffer_key_text(buffer, nested->slots[i].name);
            buffer_string_text(buffer, of->inputs[i]);
        }
    }
    buffer_close_object(buffer);
}

void subgraph_write(text_buffer *buffer, const subgraph *of) {
    const loam_graph *nested = &of->nested.graph;
    buffer_key_text(buffer, of->name);
    buffer_open_object(buffer);
    write_inputs(buffer, of);
    buffer_key(buffer, "op");
    buffer_string(buffer, subgraph_operation.name);
    buffer_key(buffer, "params");
    buffer_open_object(buffer);
    buffer_key(buffer, "graph");
    buffer_json(buffer, of->graph_json);
    buffer_key(buffer, "output");
    buffer_string_text(buffer, nested->outputs[of->output].name);
    graph_write_parameters(buffer, nested);
    buffer_close_object(buffer);
    if (of->seed_pinned) {
        buffer_key(buffer, "seed");
        buffer_unsigned_string(buffer, of->seed);
    }
    buffer_key(buffer, "version");
    buffer_unsigned(buffer, subgraph_operation.version);
    buffer_close_object(buffer);
}
