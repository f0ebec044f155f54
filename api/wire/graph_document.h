/* SPDX-License-Identifier: MIT
 *
 * graph_document.h: the graph document of the contract, from JSON and back. Reading goes twice
 * over the nodes, since an input may name a node that comes later, and notes every fault it can.
 * Graphs in the graph are inlined: what is read is flat. The canonical text writes defaults and
 * versions out, sorts names and prints exact numbers: it can be sent again, and equal graphs have
 * equal texts.
 */
#ifndef LOAM_API_WIRE_GRAPH_DOCUMENT_H
#define LOAM_API_WIRE_GRAPH_DOCUMENT_H

#include "api/key/key.h"
#include "api/wire/fault.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* An arena for the largest graph a document can hold: 256 nodes of 24 parameters are 0.5 MB; 20,000
 * list items or texts of one cache line each are 2.5 MB. */
#define GRAPH_ARENA_BYTES ((size_t)4 << 20)

/* Levels of a grid: cells from 1 m to 4,096 m are 13 halvings. */
#define LEVELS_MAX 16

struct item;
struct subgraph;

/* What graphs in a graph are that only a digest names. */
typedef struct graph_resolver {
    /* The canonical text of a stored graph, borrowed until the next is asked for; LOAM_NOT_FOUND
     * when there is none. */
    loam_status (*find_graph)(void *context, const digest *graph, loam_text *document);
    void *context;
} graph_resolver;

/* A graph as it was read. */
typedef struct graph_document {
    loam_graph graph;           /* flat and sorted */
    struct subgraph *subgraphs; /* what of it came from graphs in the document, by name */
    uint32_t subgraph_count;
} graph_document;

/* Reads and checks; owned by `arena`. `resolver` may be NULL: then no digest is known. LOAM_OK, or
 * the status of the first fault in `faults`. */
LOAM_MUST_USE loam_status graph_read(loam_text json, const graph_resolver *resolver,
                                     loam_arena *arena, graph_document *document,
                                     fault_list *faults);
/* The canonical text, and its digest. LOAM_TOO_LARGE when the text could not be sent again. */
LOAM_MUST_USE loam_status graph_write(const graph_document *document, text_buffer *buffer);
digest graph_digest(loam_text canonical);

/* The parameter that a graph exposes under a name, or NULL. */
const loam_exposed *graph_find_exposed(const loam_graph *graph, loam_text name);
/* Values for exposed parameters, from an object that may be absent; faults are noted at them. */
void graph_override(const struct item *parameters, loam_arena *arena, loam_graph *graph);
/* The field "parameters": the effective value of each exposed parameter, given or not, so that
 * giving the value that holds anyway is the same text. */
void graph_write_parameters(text_buffer *buffer, const loam_graph *graph);

/* The canonical text in `arena`, of a graph that stands at `at`, where a failure is noted. */
LOAM_MUST_USE loam_status graph_write_copy(const graph_document *document, const struct item *at,
                                           loam_arena *arena, loam_text *text);

/* The halves of graph_read, for graphs inside of other documents (api/wire only). Parsing leaves
 * the whole unchecked: required parameters may still come from a world. */
LOAM_MUST_USE loam_status graph_parse(const struct item *at, const graph_resolver *resolver,
                                      loam_arena *arena, graph_document *document);
LOAM_MUST_USE loam_status graph_check(const struct item *document, const loam_graph *graph);
/* Notes core's error at `place`, its pointer continued from there. */
loam_status graph_refuse(const struct item *place, const loam_error *error);

#endif
