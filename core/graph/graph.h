/* SPDX-License-Identifier: MIT
 *
 * graph.h: helpers of the graph room. Errors point into the JSON document of the graph, whoever
 * built it.
 */
#ifndef LOAM_GRAPH_GRAPH_H
#define LOAM_GRAPH_GRAPH_H

#include "core/schema/pointer.h"
#include "core/schema/schema.h"

/* The same as loam_graph_add_node, for a name that may be a path: "outer.inner". */
LOAM_MUST_USE loam_status graph_add_inlined(loam_graph *graph, loam_text name, loam_text operation,
                                            uint16_t version, loam_error *error);
/* The seed that a node of an inlined graph is pinned to, of its own and that of the node around it:
 * so that two uses of one graph draw differently. */
uint64_t inlined_seed(uint64_t outer, uint64_t inner);

/* Binds an input at an open port: a new one, in its place by name, or the one that is there. */
LOAM_MUST_USE loam_status node_open_port(loam_node *node, loam_text name, const loam_source *source,
                                         loam_arena *arena, const char *pointer, loam_error *error);

/* Nodes in an order in which every node comes after its sources. `order` holds node_count; false
 * when there is a cycle, and `cyclic` is a node of it. */
bool graph_order(const loam_graph *graph, uint32_t *order, uint32_t *cyclic);

#endif
