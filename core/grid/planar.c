/* SPDX-License-Identifier: MIT
 *
 * planar.c: the left-right test, see planar.h. A first search turns edges away from its root and
 * notes how far back each leads (lowpoints); a second keeps the return edges of what it has seen in
 * two intervals for each conflict, left and right, and fails where an edge belongs to both; a third
 * lays edges around nodes by the sides that came out. Searches go as deep as there are nodes.
 */
#include "core/grid/planar.h"

#include <string.h>

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

static const return_range nothing = {PLANAR_NONE, PLANAR_NONE};

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

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

/* ---- Second search: conflicts -------------------------------------------------------------- */

static bool is_empty(return_range range) {
    return range.high == PLANAR_NONE && range.low == PLANAR_NONE;
}

static void swap_sides(return_pair *pair) {
    return_range left = pair->left;
    pair->left = pair->right;
    pair->right = left;
}

static bool is_conflict(const planar_test *test, return_range range, int32_t half) {
    return range.high != PLANAR_NONE && test->low[range.high] > test->low[half];
}

static int32_t lowest_of(const planar_test *test, const return_pair *pair) {
    if (is_empty(pair->left)) {
        return test->low[pair->right.low];
    }
    if (is_empty(pair->right)) {
        return test->low[pair->left.low];
    }
    return smaller(test->low[pair->left.low], test->low[pair->right.low]);
}

static void set_below(planar_test *test, int32_t half, int32_t below) {
    if (half != PLANAR_NONE) {
        test->below[half] = below;
    }
}

/* Return edges of `half` that end above where `parent` returns to go to the right together. */
static bool merge_own(planar_test *test, int32_t half, int32_t parent, return_pair *merged) {
    while (test->stack_count > test->bottom[half]) {
        return_pair pair = test->stack[--test->stack_count];
        if (!is_empty(pair.left)) {
            swap_sides(&pair);
        }
        if (!is_empty(pair.left)) {
            return false;
        }
        if (test->low[pair.right.low] > test->low[parent]) {
            if (is_empty(merged->right)) {
                merged->right.high = pair.right.high;
            } else {
                set_below(test, merged->right.low, pair.right.high);
            }
            merged->right.low = pair.right.low;
        } else {
            test->below[pair.right.low] = test->low_edge[parent];
        }
    }
    return true;
}

/* Earlier ones that conflict with them go to the left. */
static bool merge_earlier(planar_test *test, int32_t half, return_pair *merged) {
    while (test->stack_count > 0) {
        return_pair pair = test->stack[test->stack_count - 1];
        if (!is_conflict(test, pair.left, half) && !is_conflict(test, pair.right, half)) {
            break;
        }
        test->stack_count--;
        if (is_conflict(test, pair.right, half)) {
            swap_sides(&pair);
        }
        if (is_conflict(test, pair.right, half)) {
            return false;
        }
        set_below(test, merged->right.low, pair.right.high);
        if (pair.right.low != PLANAR_NONE) {
            merged->right.low = pair.right.low;
        }
        if (is_empty(merged->left)) {
            merged->left.high = pair.left.high;
        } else {
            set_below(test, merged->left.low, pair.left.high);
        }
        merged->left.low = pair.left.low;
    }
    return true;
}

static bool add_constraints(planar_test *test, int32_t half, int32_t parent) {
    return_pair merged = {nothing, nothing};
    if (!merge_own(test, half, parent, &merged) || !merge_earlier(test, half, &merged)) {
        return false;
    }
    if (!is_empty(merged.left) || !is_empty(merged.right)) {
        test->stack[test->stack_count++] = merged;
    }
    return true;
}

/* Takes edges that end at `node` out of one side. */
static void trim_side(planar_test *test, int32_t node, return_range *side,
                      const return_range *other) {
    while (side->high != PLANAR_NONE && planar_to(test->graph, side->high) == node) {
        side->high = test->below[side->high];
    }
    if (side->high == PLANAR_NONE && side->low != PLANAR_NONE) {
        test->below[side->low] = other->low;
        test->side[side->low] = -1;
        side->low = PLANAR_NONE;
    }
}

/* The search goes back over `parent`, from below its first node: what returned there is done. */
static void drop_returned(planar_test *test, int32_t parent) {
    int32_t node = test->graph->ends[parent];
    while (test->stack_count > 0 &&
           lowest_of(test, &test->stack[test->stack_count - 1]) == test->height[node]) {
        return_pair pair = test->stack[--test->stack_count];
        if (pair.left.low != PLANAR_NONE) {
            test->side[pair.left.low] = -1;
        }
    }
    if (test->stack_count == 0) {
        return;
    }
    return_pair *top = &test->stack[test->stack_count - 1];
    trim_side(test, node, &top->left, &top->right);
    trim_side(test, node, &top->right, &top->left);
    if (test->low[parent] < test->height[node]) {
        int32_t left = top->left.high, right = top->right.high;
        bool by_left =
            left != PLANAR_NONE && (right == PLANAR_NONE || test->low[left] > test->low[right]);
        test->below[parent] = by_left ? left : right;
    }
}

static bool find_sides(planar_test *test, int32_t node) {
    int32_t parent = test->parent[node], first = test->starts[node];
    for (int32_t i = first; i < first + test->out_count[node]; i++) {
        int32_t half = test->around[i], to = planar_to(test->graph, half);
        test->bottom[half] = test->stack_count;
        if (test->parent[to] == half) {
            if (!find_sides(test, to)) {
                return false;
            }
        } else {
            test->low_edge[half] = half;
            test->stack[test->stack_count++] = (return_pair){nothing, {half, half}};
        }
        if (test->low[half] >= test->height[node]) {
            continue;
        }
        if (i == first) {
            test->low_edge[parent] = test->low_edge[half];
        } else if (!add_constraints(test, half, parent)) {
            return false;
        }
    }
    if (parent != PLANAR_NONE) {
        drop_returned(test, parent);
    }
    return true;
}

/* ---- Third search: the order around nodes -------------------------------------------------- */

/* The side of an edge, told by the chain below it; the chain is cut as it is read. */
static int8_t side_of(planar_test *test, int32_t half) {
    if (test->below[half] != PLANAR_NONE) {
        test->side[half] = (int8_t)(test->side[half] * side_of(test, test->below[half]));
        test->below[half] = PLANAR_NONE;
    }
    return test->side[half];
}

static void turn_depths(planar_test *test) {
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
        if (test->height[node] == 0 && !find_sides(test, node)) {
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
    turn_depths(&test);
    sort_around(&test);
    lay_outgoing(&test);
    for (int32_t node = 0; node < graph->node_count; node++) {
        if (test.height[node] == 0) {
            lay_returns(&test, node);
        }
    }
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
