/* SPDX-License-Identifier: MIT
 *
 * planar_test.h: the left-right test at work, between its three searches: planar.c (orientation,
 * and what the test is asked), planar_sides.c (conflicts), planar_lay.c (the order around nodes).
 */
#ifndef LOAM_GRID_PLANAR_TEST_H
#define LOAM_GRID_PLANAR_TEST_H

#include "core/grid/planar.h"

/* Return edges from `high` down to `low`, linked by `below`. */
typedef struct return_range {
    int32_t low, high;
} return_range;

typedef struct return_pair {
    return_range left, right;
} return_pair;

typedef struct planar_test {
    planar_graph *graph;
    int32_t starts[PLANAR_NODES_MAX + 1]; /* of a node's half-edges in `around` */
    int32_t around[PLANAR_HALVES_MAX];    /* half-edges by node; oriented ones by depth */
    int32_t out_count[PLANAR_NODES_MAX];  /* oriented away from the node */
    int32_t height[PLANAR_NODES_MAX];     /* or PLANAR_NONE */
    int32_t parent[PLANAR_NODES_MAX];     /* the half-edge that led here */
    bool oriented[PLANAR_EDGES_MAX];
    int32_t low[PLANAR_HALVES_MAX];   /* height of the lowest node it returns to */
    int32_t low2[PLANAR_HALVES_MAX];  /* and the next lowest */
    int32_t depth[PLANAR_HALVES_MAX]; /* what edges around a node are sorted by */
    int32_t below[PLANAR_HALVES_MAX]; /* the edge whose side this one's is told by */
    int8_t side[PLANAR_HALVES_MAX];   /* 1 right, -1 left: of itself, or of `below` */
    int32_t low_edge[PLANAR_HALVES_MAX];
    int32_t bottom[PLANAR_HALVES_MAX]; /* pairs on the stack before the edge */
    return_pair stack[PLANAR_EDGES_MAX];
    int32_t stack_count;
    int32_t left_end[PLANAR_NODES_MAX], right_end[PLANAR_NODES_MAX];
} planar_test;

static inline int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Finds the sides of all edges below a root; false where an edge belongs to both. */
bool planar_find_sides(planar_test *test, int32_t root);
/* Turns the depths of edges by their sides. */
void planar_turn_depths(planar_test *test);
/* Lays the edges around all nodes below the roots, whose lists are sorted by turned depth. */
void planar_lay(planar_test *test);

#endif
