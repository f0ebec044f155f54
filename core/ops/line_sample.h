/* SPDX-License-Identifier: MIT
 *
 * line_sample.h: the parameters of line.sample, between its schema (line_sample.c) and its work
 * (line_walk.c).
 */
#ifndef LOAM_OPS_LINE_SAMPLE_H
#define LOAM_OPS_LINE_SAMPLE_H

#include "core/ops/operation.h"

enum { LINE_SPACING, LINE_ANCHOR, LINE_OFFSETS, LINE_KEEP, LINE_SIDES, LINE_JITTER, LINE_END };
enum { ANCHOR_CONTINUOUS, ANCHOR_VERTEX };
enum { SIDES_LEFT, SIDES_RIGHT, SIDES_BOTH };
enum { END_INCLUDE, END_EXCLUDE };

/* Numbers of a list parameter. */
uint32_t line_list_count(const loam_node *node, uint32_t param);
int64_t line_list_integer(const loam_node *node, uint32_t param, uint32_t index);
/* Candidates of one station. */
uint32_t line_row_count(const loam_node *node);
int64_t line_reach(const loam_node *node);

loam_status line_evaluate(node_call *call);

#endif
