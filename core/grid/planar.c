/* SPDX-License-Identifier: MIT
 *
 * planar.c: the left-right test, see planar.h. A first search turns edges away from its root and
 * notes how far back each leads (lowpoints); a second keeps the return edges of what it has seen in
 * two intervals for each conflict, left and right, and fails where an edge belongs to both; a third
 * lays edges around nodes by the sides that came out. Searches go as deep as there are nodes.
 */
#include "core/grid/planar_test.h"

#include <string.h>

/* ---- First search: orientation ------------------------------------------------------------- */

static void list_halves(planar_test *test) {
    const planar_graph *graph = test->graph;
    int32_t halves = 2 * graph->edge_count, at = 0;
    for (int32_t node = 0; node < graph->node_count; node++) {
        test->starts[node] = at;
        for (int32_t half = 0; half < halves; half++) {
            if (graph->ends[half] == node) {
                test->around[at++] = half;
            }
        }
    }
    test->starts[graph->node_count] = at;
}

/* What an edge says of the one that led to its node. */
static void pass_lowpoints(planar_test *test, int32_t half, int32_t parent) {
    if (parent == PLANAR_NONE) {
        return;
    }
    if (test->low[half] < test->low[parent]) {
        test->low2[parent] = smaller(test->low[parent], test->low2[half]);
        test->low[parent] = test->low[half];
    } else if (test->low[half] > test->low[parent]) {
        test->low2[parent] = smaller(test->low2[parent], test->low[half]);
    } else {
        test->low2[parent] = smaller(test->low2[parent], test->low2[half]);
    }
}

static void orient(planar_test *test, int32_t node) {
    for (int32_t i = test->starts[node]; i < test->starts[node + 1]; i++) {
        int32_t half = test->around[i], to = planar_to(test->graph, half);
        if (test->oriented[half / 2]) {
            continue;
        }
        test->oriented[half / 2] = true;
        test->out_count[node]++;
        test->low[half] = test->low2[half] = test->height[node];
        if (test->height[to] == PLANAR_NONE) {
            test->parent[to] = half;
            test->height[to] = test->height[node] + 1;
            orient(test, to);
        } else {
            test->low[half] = test->height[to];
        }
        test->depth[half] = 2 * test->low[half] + (test->low2[half] < test->height[node]);
        pass_lowpoints(test, half, test->parent[node]);
    }
}

/* Half-edges that are oriented away from their node come first, by depth; stable. */
static void sort_around(planar_test *test) {
    for (int32_t node = 0; node < test->graph->node_count; node++) {
        int32_t *list = &test->around[test->starts[node]];
        int32_t count = test->starts[node + 1] - test->starts[node];
        for (int32_t i = 1; i < count; i++) {
            int32_t half = list[i], at = i;
            for (; at > 0 && test->depth[half] < test->depth[list[at - 1]]; at--) {
                list[at] = list[at - 1];
            }
            list[at] = half;
        }
    }
}

/* ---- The whole test -------------------------------------------------------------------------- */

static void init_test(planar_test *test, planar_graph *graph) {
    memset(test, 0, sizeof *test);
    test->graph = graph;
    memset(test->height, 0xff, sizeof test->height);
    memset(test->parent, 0xff, sizeof test->parent);
    memset(test->below, 0xff, sizeof test->below);
    memset(test->side, 1, sizeof test->side);
    for (int32_t half = 0; half < PLANAR_HALVES_MAX; half++) {
        test->depth[half] = INT32_MAX;
    }
    list_halves(test);
}

static bool test_all(planar_test *test) {
    int32_t nodes = test->graph->node_count;
    for (int32_t node = 0; node < nodes; node++) {
        if (test->height[node] == PLANAR_NONE) {
            test->height[node] = 0;
            orient(test, node);
        }
    }
    sort_around(test);
    for (int32_t node = 0; node < nodes; node++) {
        if (test->height[node] == 0 && !planar_find_sides(test, node)) {
            return false;
        }
    }
    return true;
}

bool planar_embed(planar_graph *graph) {
    planar_test test;
    init_test(&test, graph);
    if (!test_all(&test)) {
        return false;
    }
    planar_turn_depths(&test);
    sort_around(&test);
    planar_lay(&test);
    return true;
}

static bool is_planar(const planar_graph *graph, int32_t edges) {
    planar_graph part = *graph;
    planar_test test;
    part.edge_count = edges;
    init_test(&test, &part);
    return test_all(&test);
}

int32_t planar_first_fault(const planar_graph *graph) {
    int32_t planar = 0, least = graph->edge_count;
    if (is_planar(graph, graph->edge_count)) {
        return PLANAR_NONE;
    }
    while (least - planar > 1) {
        int32_t middle = planar + (least - planar) / 2;
        if (is_planar(graph, middle)) {
            planar = middle;
        } else {
            least = middle;
        }
    }
    return least - 1;
}
