/* SPDX-License-Identifier: MIT
 *
 * areas_status.c: see areas_status.h.
 */
#include "core/space/areas_status.h"

int sweep_edge_side(const sweep_edge *edge, const int64_t *xz) {
    area_wide cross = (area_wide)(edge->x1 - edge->x0) * (xz[1] - edge->z0) -
                      (area_wide)(edge->z1 - edge->z0) * (xz[0] - edge->x0);
    return (cross > 0) - (cross < 0);
}

static uint32_t tree_height(const sweep_status *status, uint32_t root) {
    return root == STATUS_NONE ? 0 : status->edges[root].height;
}

static uint32_t node_set(sweep_status *status, uint32_t left, uint32_t edge, uint32_t right) {
    uint32_t left_height = tree_height(status, left);
    uint32_t right_height = tree_height(status, right);
    sweep_edge *node = &status->edges[edge];
    node->left = left;
    node->right = right;
    node->height = 1 + (left_height > right_height ? left_height : right_height);
    return edge;
}

static uint32_t rotate_left(sweep_status *status, uint32_t root) {
    sweep_edge *node = &status->edges[root];
    uint32_t right = node->right;
    uint32_t low = node_set(status, node->left, root, status->edges[right].left);
    return node_set(status, low, right, status->edges[right].right);
}

static uint32_t rotate_right(sweep_status *status, uint32_t root) {
    sweep_edge *node = &status->edges[root];
    uint32_t left = node->left;
    uint32_t high = node_set(status, status->edges[left].right, root, node->right);
    return node_set(status, status->edges[left].left, left, high);
}

/* `left` is the higher one: goes down its right side to where the heights fit. */
static uint32_t join_right(sweep_status *status, uint32_t left, uint32_t edge, uint32_t right) {
    uint32_t kept = status->edges[left].left;
    uint32_t inner = status->edges[left].right;
    uint32_t kept_height = tree_height(status, kept);
    if (tree_height(status, inner) <= tree_height(status, right) + 1) {
        uint32_t joined = node_set(status, inner, edge, right);
        if (tree_height(status, joined) <= kept_height + 1) {
            return node_set(status, kept, left, joined);
        }
        joined = rotate_right(status, joined);
        return rotate_left(status, node_set(status, kept, left, joined));
    }
    uint32_t joined = join_right(status, inner, edge, right);
    uint32_t root = node_set(status, kept, left, joined);
    return tree_height(status, joined) <= kept_height + 1 ? root : rotate_left(status, root);
}

static uint32_t join_left(sweep_status *status, uint32_t left, uint32_t edge, uint32_t right) {
    uint32_t kept = status->edges[right].right;
    uint32_t inner = status->edges[right].left;
    uint32_t kept_height = tree_height(status, kept);
    if (tree_height(status, inner) <= tree_height(status, left) + 1) {
        uint32_t joined = node_set(status, left, edge, inner);
        if (tree_height(status, joined) <= kept_height + 1) {
            return node_set(status, joined, right, kept);
        }
        joined = rotate_left(status, joined);
        return rotate_right(status, node_set(status, joined, right, kept));
    }
    uint32_t joined = join_left(status, left, edge, inner);
    uint32_t root = node_set(status, joined, right, kept);
    return tree_height(status, joined) <= kept_height + 1 ? root : rotate_right(status, root);
}

uint32_t status_join(sweep_status *status, uint32_t left, uint32_t edge, uint32_t right) {
    uint32_t left_height = tree_height(status, left);
    uint32_t right_height = tree_height(status, right);
    if (left_height > right_height + 1) {
        return join_right(status, left, edge, right);
    }
    if (right_height > left_height + 1) {
        return join_left(status, left, edge, right);
    }
    return node_set(status, left, edge, right);
}

status_pair status_split(sweep_status *status, uint32_t root, const int64_t *xz, int side_max) {
    if (root == STATUS_NONE) {
        return (status_pair){STATUS_NONE, STATUS_NONE};
    }
    status->steps++;
    uint32_t left = status->edges[root].left;
    uint32_t right = status->edges[root].right;
    if (sweep_edge_side(&status->edges[root], xz) <= side_max) {
        status_pair parts = status_split(status, right, xz, side_max);
        return (status_pair){status_join(status, left, root, parts.left), parts.right};
    }
    status_pair parts = status_split(status, left, xz, side_max);
    return (status_pair){parts.left, status_join(status, parts.right, root, right)};
}

/* Takes the last edge off a tree. */
static status_pair last_take(sweep_status *status, uint32_t root) {
    uint32_t left = status->edges[root].left;
    uint32_t right = status->edges[root].right;
    if (right == STATUS_NONE) {
        return (status_pair){left, root};
    }
    status_pair rest = last_take(status, right);
    return (status_pair){status_join(status, left, root, rest.left), rest.right};
}

uint32_t status_append(sweep_status *status, uint32_t left, uint32_t right) {
    if (left == STATUS_NONE) {
        return right;
    }
    status_pair rest = last_take(status, left);
    return status_join(status, rest.left, rest.right, right);
}

uint32_t status_first(const sweep_status *status, uint32_t root) {
    while (root != STATUS_NONE && status->edges[root].left != STATUS_NONE) {
        root = status->edges[root].left;
    }
    return root;
}

uint32_t status_last(const sweep_status *status, uint32_t root) {
    while (root != STATUS_NONE && status->edges[root].right != STATUS_NONE) {
        root = status->edges[root].right;
    }
    return root;
}

uint32_t *status_list(const sweep_status *status, uint32_t root, uint32_t *list) {
    if (root == STATUS_NONE) {
        return list;
    }
    list = status_list(status, status->edges[root].left, list);
    *list++ = root;
    return status_list(status, status->edges[root].right, list);
}
