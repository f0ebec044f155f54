/* SPDX-License-Identifier: MIT
 *
 * graph_rename.h: a node by another name, and nothing else changes: the seed that its old name gave
 * is pinned, so that every point stays.
 */
#ifndef LOAM_API_WIRE_GRAPH_RENAME_H
#define LOAM_API_WIRE_GRAPH_RENAME_H

#include "api/wire/graph_document.h"

/* Writes the canonical text of the graph with the node `from` called `to`. A node is one of the
 * document's own; those of graphs in it have the names of their own documents. LOAM_UNKNOWN_NODE,
 * LOAM_DUPLICATE and LOAM_BAD_NAME stand in `faults`, as does all that is wrong with the graph. */
LOAM_MUST_USE loam_status graph_rename(loam_text json, const graph_resolver *resolver,
                                       loam_text from, loam_text to, loam_arena *arena,
                                       text_buffer *buffer, fault_list *faults);

#endif
