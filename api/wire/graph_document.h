/* SPDX-License-Identifier: MIT
 *
 * graph_document.h: the graph document of the contract, from JSON and back. Reading goes twice
 * over the nodes, since an input may name a node that comes later, and notes every fault it can.
 * The canonical text writes defaults and versions out, sorts names and prints exact numbers: it can
 * be sent again, and equal graphs have equal texts.
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

/* Reads and checks; the graph is sorted, and owned by `arena`. LOAM_OK, or the status of the first
 * fault in `faults`. */
LOAM_MUST_USE loam_status graph_read(loam_text json, loam_arena *arena, loam_graph *graph,
                                     fault_list *faults);
/* The canonical text, and its digest. `graph` is sorted. LOAM_TOO_LARGE when the text could not be
 * sent again. */
LOAM_MUST_USE loam_status graph_write(const loam_graph *graph, text_buffer *buffer);
digest graph_digest(loam_text canonical);

/* The halves of graph_read, for graphs inside of other documents (api/wire only). Parsing leaves
 * the whole unchecked: required parameters may still come from a world. */
LOAM_MUST_USE loam_status graph_parse(const struct item *document, loam_arena *arena,
                                      loam_graph *graph);
LOAM_MUST_USE loam_status graph_check(const struct item *document, const loam_graph *graph);
/* Notes core's error at `place`, its pointer continued from there. */
loam_status graph_refuse(const struct item *place, const loam_error *error);

#endif
