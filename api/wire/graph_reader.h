/* SPDX-License-Identifier: MIT
 *
 * graph_reader.h: the two passes of reading a graph document. Internal to api/wire.
 */
#ifndef LOAM_API_WIRE_GRAPH_READER_H
#define LOAM_API_WIRE_GRAPH_READER_H

#include "api/wire/document.h"
#include "api/wire/graph_document.h"
#include "api/wire/subgraph.h"
#include "core/base/limits.h"

/* What the readers of a document and of all graphs in it share. */
typedef struct graph_shared {
    const graph_resolver *resolver;
    uint32_t graph_count; /* nested ones, so far */
} graph_shared;

/* Where a nested graph stands: the way up to the document, whose own is NULL. */
typedef struct graph_nesting {
    const struct graph_nesting *outer;
    bool stored; /* it came by its digest */
    digest id;
} graph_nesting;

/* The document's sections and the graph that they become. */
typedef struct graph_reader {
    item slots;
    item nodes;
    item parameters;
    item outputs;
    loam_graph *graph;
    graph_document *document;
    loam_arena *arena;
    graph_shared *shared;
    const graph_nesting *nesting;
} graph_reader;

/* "outer.inner". */
typedef struct subgraph_name {
    char text[NODE_PATH_BYTES_MAX + NAME_BYTES_MAX + 2];
} subgraph_name;

/* Notes core's verdict at a place that is known better here. */
void graph_refuse_part(const item *at, loam_status status, const loam_error *error);
/* Whether a source names a node that the document has but the first pass refused: its own fault is
 * noted already, and a second one would mislead. */
bool graph_names_refused(const graph_reader *reader, loam_text source);

/* A graph in the document that `outer` reads. */
LOAM_MUST_USE loam_status graph_parse_nested(const item *at, const graph_nesting *nesting,
                                             const graph_reader *outer, graph_document *to);
/* How many graphs are around the one that stands there. */
uint32_t graph_depth(const graph_nesting *nesting);
/* The name of a nested node in the graph around it; kept in `name`. */
loam_text subgraph_inner_name(const subgraph *of, uint32_t node, subgraph_name *name);

/* The first pass: slots, and nodes with their parameters. */
void graph_read_slot(const graph_reader *reader, const item *at);
void graph_read_node(const graph_reader *reader, const item *at);
/* The second: what names a node. */
void graph_read_inputs(const graph_reader *reader, const item *node);
void graph_read_exposed(const graph_reader *reader, const item *at);
void graph_read_output(const graph_reader *reader, const item *at);

#endif
