/* SPDX-License-Identifier: MIT
 *
 * view_graph_dot.h: a graph as Graphviz draws it: slots at the top, nodes with their operations,
 * one arrow an input, outputs at the bottom, a frame around what came from a graph in the graph.
 */
#ifndef LOAM_API_VIEW_VIEW_GRAPH_DOT_H
#define LOAM_API_VIEW_VIEW_GRAPH_DOT_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* `graph` is sorted. Names need no escaping: their alphabet has no quotes. */
void view_graph_dot(const loam_graph *graph, text_buffer *to);

#endif
