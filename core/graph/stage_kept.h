/* SPDX-License-Identifier: MIT
 *
 * stage_kept.h: the points of a node as a stage that a caller keeps: its key, its bytes, and what a
 * trace tells of the nodes behind it, so that a stage that is found tells the same as one that is
 * computed.
 */
#ifndef LOAM_GRAPH_STAGE_KEPT_H
#define LOAM_GRAPH_STAGE_KEPT_H

#include "core/graph/plan.h"

/* A node whose points are wanted as a whole. */
typedef struct kept_node {
    const loam_query *query; /* plan and slots are looked at */
    const loam_run *run;
    uint32_t node;
    loam_rect rect;
    name_table *names;
    point_set *out, *out_false; /* the second of a node with sides */
    loam_trace_node *notes;     /* by node of the graph; NULL: none are kept */
} kept_node;

/* Makes the key; empty when nothing can be kept. `whole`, when not NULL, is what an evaluation
 * demands: a stage is kept only when what it asks of other nodes is asked by nobody else, for then
 * it is the same in every evaluation, notes included. */
loam_text stage_key(const kept_node *of, const plan_demand *whole);
/* Fills in points and notes when they were kept; else neither is touched. */
bool stage_find(const kept_node *of, loam_text key);
/* Keeps points and notes. */
void stage_keep(const kept_node *of, loam_text key);

#endif
