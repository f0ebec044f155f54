/* SPDX-License-Identifier: MIT
 *
 * graph_reader.h: the two passes of reading a graph document. Internal to api/wire.
 */
#ifndef LOAM_API_WIRE_GRAPH_READER_H
#define LOAM_API_WIRE_GRAPH_READER_H

#include "api/wire/document.h"
#include "api/wire/graph_document.h"

/* The document's sections and the graph that they become. */
typedef struct graph_reader {
    item slots;
    item nodes;
    item parameters;
    item outputs;
    loam_graph *graph;
    loam_arena *arena;
} graph_reader;

/* Notes core's verdict at a place that is known better here. */
void graph_refuse_part(const item *at, loam_status status, const loam_error *error);

/* The first pass: slots, and nodes with their parameters. */
void graph_read_slot(const graph_reader *reader, const item *at);
void graph_read_node(const graph_reader *reader, const item *at);
/* The second: what names a node. */
void graph_read_inputs(const graph_reader *reader, const item *node);
void graph_read_exposed(const graph_reader *reader, const item *at);
void graph_read_output(const graph_reader *reader, const item *at);

#endif
