/* SPDX-License-Identifier: MIT
 *
 * text.h: names and their rules. A name is [a-z0-9][a-z0-9._-]{0,63}; a node's has no dot,
 * unless it comes from a graph in the graph: "outer.inner".
 */
#ifndef LOAM_BASE_TEXT_H
#define LOAM_BASE_TEXT_H

#include "core/base/limits.h"
#include "core/loam.h"

/* How to print a text with printf: "%.*s" with TEXT_ARGS(text). */
#define TEXT_ARGS(text) (int)(text).size, (text).bytes

/* Copies into the arena, terminated. */
LOAM_MUST_USE loam_status text_copy(loam_text text, loam_arena *arena, loam_text *copy);
bool text_is_name(loam_text text);
bool text_is_node_name(loam_text text);
/* Names of nodes with dots between: where a node of an inlined graph comes from. */
bool text_is_node_path(loam_text text);

#endif
