/* SPDX-License-Identifier: MIT
 *
 * graph_warnings.h: what is legal in a graph but seldom meant: parts that no output needs, and
 * points that are moved after distances between them, or to a zone, were settled.
 */
#ifndef LOAM_API_WIRE_GRAPH_WARNINGS_H
#define LOAM_API_WIRE_GRAPH_WARNINGS_H

#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* A fault or a warning as validation lists it: {code, pointer, detail}. */
void validation_note(text_buffer *buffer, const char *code, const char *pointer, const char *text);
/* The warnings of a graph that parsed, one note each, into an open array. */
void graph_warnings_write(text_buffer *buffer, const loam_graph *graph);

#endif
