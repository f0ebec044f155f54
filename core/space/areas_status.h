/* SPDX-License-Identifier: MIT
 *
 * areas_status.h: the edges that a sweep line cuts, from left to right, in a balanced tree that is
 * split and joined by points. The height, so the depth of recursion, is at most 1.44 log2 of the
 * number of edges (30), for any input.
 *
 * Source: Blelloch, Ferizovic, Sun, "Just Join for Parallel Ordered Sets", 2016, section 4 (AVL).
 */
#ifndef LOAM_SPACE_AREAS_STATUS_H
#define LOAM_SPACE_AREAS_STATUS_H

#include "core/space/areas_parts.h"

#define STATUS_NONE UINT32_MAX

/* An edge, its lower end by (z, x) first, and its place in the tree. */
typedef struct sweep_edge {
    int64_t x0, z0, x1, z1;
    uint32_t vertex0; /* numbers of its ends */
    uint32_t vertex1;
    uint32_t left;
    uint32_t right;
    uint32_t height;
} sweep_edge;

typedef struct sweep_status {
    sweep_edge *edges;
    uint64_t steps; /* edges compared with a point */
} sweep_status;

typedef struct status_pair {
    uint32_t left;
    uint32_t right;
} status_pair;

/* -1, 0, 1: the edge passes left of the point, through it, right of it. */
int sweep_edge_side(const sweep_edge *edge, const int64_t *xz);

/* Trees are named by their root, STATUS_NONE is empty. `side_max` is the greatest side that goes
 * into the left part: -1 or 0. */
status_pair status_split(sweep_status *status, uint32_t root, const int64_t *xz, int side_max);
/* All of `left`, then `edge`, then all of `right`. */
uint32_t status_join(sweep_status *status, uint32_t left, uint32_t edge, uint32_t right);
uint32_t status_append(sweep_status *status, uint32_t left, uint32_t right);
/* The outermost edges, STATUS_NONE of an empty tree. */
uint32_t status_first(const sweep_status *status, uint32_t root);
uint32_t status_last(const sweep_status *status, uint32_t root);
/* Writes the edges from left to right; returns one past the last written. */
uint32_t *status_list(const sweep_status *status, uint32_t root, uint32_t *list);

#endif
