/* SPDX-License-Identifier: MIT
 *
 * planar_sides.c: the second search of the left-right test: on which side of the tree each return
 * edge is drawn. Those that must be on one side are kept as an interval, those that must be apart
 * as a pair of them.
 */
#include "core/grid/planar_test.h"

static const return_range nothing = {PLANAR_NONE, PLANAR_NONE};

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

bool planar_find_sides(planar_test *test, int32_t node) {
    int32_t parent = test->parent[node], first = test->starts[node];
    for (int32_t i = first; i < first + test->out_count[node]; i++) {
        int32_t half = test->around[i], to = planar_to(test->graph, half);
        test->bottom[half] = test->stack_count;
        if (test->parent[to] == half) {
            if (!planar_find_sides(test, to)) {
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
