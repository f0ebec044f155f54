/* SPDX-License-Identifier: MIT
 *
 * graph.h: helpers of the graph room. Errors point into the JSON document of the graph, whoever
 * built it.
 */
#ifndef LOAM_GRAPH_GRAPH_H
#define LOAM_GRAPH_GRAPH_H

#include "core/base/pointer.h"
#include "core/schema/schema.h"

/* Binds an input at an open port: a new one, in its place by name, or the one that is there. */
LOAM_MUST_USE loam_status node_open_port(loam_node *node, loam_text name, const loam_source *source,
                                         loam_arena *arena, const char *pointer, loam_error *error);

/* Nodes in an order in which every node comes after its sources. `order` holds node_count; false
 * when there is a cycle, and `cyclic` is a node of it. */
bool graph_order(const loam_graph *graph, uint32_t *order, uint32_t *cyclic);

#endif
