/* SPDX-License-Identifier: MIT
 *
 * graph_warnings.h: what is legal in a graph but seldom meant: parts that no output needs, and
 * points that are moved after distances between them, or to a zone, were settled.
 */
#ifndef LOAM_API_WIRE_GRAPH_WARNINGS_H
#define LOAM_API_WIRE_GRAPH_WARNINGS_H

#include "core/loam.h"

/* Takes warnings: a code, a place in the document, a sentence. */
typedef struct warning_sink {
    void (*note)(void *context, const char *code, const char *pointer, const char *text);
    void *context;
} warning_sink;

/* Says all warnings of a graph that parsed; it may have faults beside. */
void graph_warn(const loam_graph *graph, const warning_sink *sink);

#endif
