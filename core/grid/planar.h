/* SPDX-License-Identifier: MIT
 *
 * planar.h: graphs that can be drawn without crossings. An embedding is the clockwise order of
 * edges around each node; half-edge 2e leaves the first end of edge e, 2e + 1 the second. Found by
 * the left-right test in time linear in edges, sorting aside: de Fraysseix, Ossona de Mendez,
 * Rosenstiehl, "Tremaux trees and planarity" (2006), as told by Brandes, "The left-right planarity
 * test" (2009).
 */
#ifndef LOAM_GRID_PLANAR_H
#define LOAM_GRID_PLANAR_H

#include "core/loam.h"

/* Nodes at most: searches go as deep as there are nodes, on small stacks too. A plane graph has
 * fewer than three edges a node. */
enum { PLANAR_NODES_MAX = 64, PLANAR_EDGES_MAX = 3 * PLANAR_NODES_MAX };
enum { PLANAR_HALVES_MAX = 2 * PLANAR_EDGES_MAX, PLANAR_NONE = -1 };

typedef struct planar_graph {
    int32_t node_count, edge_count;
    int32_t ends[PLANAR_HALVES_MAX]; /* ends[h] is where half-edge h begins */
    int32_t next[PLANAR_HALVES_MAX]; /* the next one clockwise around the same node */
    int32_t back[PLANAR_HALVES_MAX]; /* and the one before */
    int32_t first[PLANAR_NODES_MAX]; /* any half-edge of a node, or PLANAR_NONE */
} planar_graph;

static inline int32_t planar_twin(int32_t half) {
    return half ^ 1;
}

/* Where a half-edge leads. */
static inline int32_t planar_to(const planar_graph *graph, int32_t half) {
    return graph->ends[half ^ 1];
}

/* Fills in next, back and first of a connected graph without loops and double edges; false when it
 * cannot be drawn without crossings. */
bool planar_embed(planar_graph *graph);

/* The first edge that, with those before it, cannot be drawn without crossings; PLANAR_NONE when
 * all can. The graph need not be connected and is left as it was. */
int32_t planar_first_fault(const planar_graph *graph);

/* Adds edges, inside faces, until no single node holds the graph together. Embedded, connected, of
 * two nodes or more. */
void planar_join_blocks(planar_graph *graph);

/* A rank for each node, from 0 at one end of the half-edge to the last at the other, so that every
 * other node has neighbours before and after it (Tarjan, "Two streamlined depth-first search
 * algorithms", 1986). The graph is one block; `keys` order the search: any numbers. */
void planar_rank(const planar_graph *graph, int32_t half, const uint64_t *keys, int32_t *rank);

/* Numbers faces: face[h] is the one to the left of half-edge h. Returns how many there are. */
int32_t planar_faces(const planar_graph *graph, int32_t *face);

#endif
