/* SPDX-License-Identifier: MIT
 *
 * graph_added.h: what the canonical form of a graph says that a document leaves out: the version of
 * an operation, the defaults of parameters. By these an older document is brought up to date, one
 * from before an operation had a parameter or a second version; this is the note of what was added.
 */
#ifndef LOAM_API_WIRE_GRAPH_ADDED_H
#define LOAM_API_WIRE_GRAPH_ADDED_H

#include "api/wire/document.h"
#include "api/wire/graph_warnings.h"

/* Says each value that was added to the document that a graph was read from: code "added", its
 * place, and the value as JSON. Of a graph that only a digest names there is nothing to say. */
void graph_added(const item *document, const loam_graph *graph, const warning_sink *sink);

/* The same for a text that was read before. */
LOAM_MUST_USE loam_status graph_added_in(loam_text json, const loam_graph *graph,
                                         const warning_sink *sink, fault_list *faults);

#endif
