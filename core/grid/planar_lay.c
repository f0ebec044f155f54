/* SPDX-License-Identifier: MIT
 *
 * planar_lay.c: the third search of the left-right test: lays edges around nodes by the sides that
 * came out.
 */
#include "core/grid/planar_test.h"

/* The side of an edge, told by the chain below it; the chain is cut as it is read. */
static int8_t side_of(planar_test *test, int32_t half) {
    if (test->below[half] != PLANAR_NONE) {
        test->side[half] = (int8_t)(test->side[half] * side_of(test, test->below[half]));
        test->below[half] = PLANAR_NONE;
    }
    return test->side[half];
}

void planar_turn_depths(planar_test *test) {
    for (int32_t node = 0; node < test->graph->node_count; node++) {
        for (int32_t i = 0; i < test->out_count[node]; i++) {
            int32_t half = test->around[test->starts[node] + i];
            test->depth[half] *= side_of(test, half);
        }
    }
}

/* Puts a half-edge clockwise after another one of its node, or alone. */
static void put_after(planar_graph *graph, int32_t half, int32_t before) {
    int32_t node = graph->ends[half];
    if (before == PLANAR_NONE) {
        graph->first[node] = graph->next[half] = graph->back[half] = half;
        return;
    }
    int32_t after = graph->next[before];
    graph->next[before] = half;
    graph->back[half] = before;
    graph->next[half] = after;
    graph->back[after] = half;
}

static void lay_outgoing(planar_test *test) {
    for (int32_t node = 0; node < test->graph->node_count; node++) {
        int32_t before = PLANAR_NONE;
        test->graph->first[node] = PLANAR_NONE;
        for (int32_t i = 0; i < test->out_count[node]; i++) {
            int32_t half = test->around[test->starts[node] + i];
            put_after(test->graph, half, before);
            before = half;
        }
    }
}

/* The half-edge by which a tree edge arrives comes first of all. */
static void lay_arrival(planar_graph *graph, int32_t half) {
    int32_t node = graph->ends[half], first = graph->first[node];
    put_after(graph, half, first == PLANAR_NONE ? PLANAR_NONE : graph->back[first]);
    graph->first[node] = half;
}

static void lay_returns(planar_test *test, int32_t node) {
    planar_graph *graph = test->graph;
    for (int32_t i = 0; i < test->out_count[node]; i++) {
        int32_t half = test->around[test->starts[node] + i];
        int32_t twin = planar_twin(half), to = graph->ends[twin];
        if (test->parent[to] == half) {
            lay_arrival(graph, twin);
            test->left_end[node] = test->right_end[node] = half;
            lay_returns(test, to);
        } else if (test->side[half] == 1) {
            put_after(graph, twin, test->right_end[to]);
        } else {
            put_after(graph, twin, graph->back[test->left_end[to]]);
            test->left_end[to] = twin;
        }
    }
}

void planar_lay(planar_test *test) {
    lay_outgoing(test);
    for (int32_t node = 0; node < test->graph->node_count; node++) {
        if (test->height[node] == 0) {
            lay_returns(test, node);
        }
    }
}
