/* SPDX-License-Identifier: MIT
 *
 * planar_order.c: what drawings of plane graphs are made of: blocks joined inside faces, nodes in
 * an order with neighbours on both sides, and faces; see planar.h.
 */
#include "core/base/assert.h"
#include "core/grid/planar.h"

#include <string.h>

/* ---- Blocks -------------------------------------------------------------------------------- */

typedef struct block_search {
    const planar_graph *graph;
    int32_t number[PLANAR_NODES_MAX], low[PLANAR_NODES_MAX];
    int32_t count;
    int32_t stack[PLANAR_EDGES_MAX], stack_count; /* edges that are in no block yet */
    int32_t block[PLANAR_EDGES_MAX];              /* an edge of the same block, at last itself */
} block_search;

static int32_t block_of(block_search *search, int32_t edge) {
    while (search->block[edge] != edge) {
        search->block[edge] = search->block[search->block[edge]];
        edge = search->block[edge];
    }
    return edge;
}

/* All edges above `edge` on the stack, and it, are a block. */
static void close_block(block_search *search, int32_t edge) {
    int32_t top;
    do {
        top = search->stack[--search->stack_count];
        search->block[top] = edge;
    } while (top != edge);
}

/* Tarjan's lowpoints; as deep as there are nodes. */
static void find_blocks(block_search *search, int32_t node, int32_t arrival) {
    const planar_graph *graph = search->graph;
    int32_t half = graph->first[node];
    search->number[node] = search->low[node] = search->count++;
    do {
        int32_t to = planar_to(graph, half);
        if (half / 2 == arrival) {
            continue;
        }
        if (search->number[to] == PLANAR_NONE) {
            search->stack[search->stack_count++] = half / 2;
            find_blocks(search, to, half / 2);
            search->low[node] =
                search->low[to] < search->low[node] ? search->low[to] : search->low[node];
            if (search->low[to] >= search->number[node]) {
                close_block(search, half / 2);
            }
        } else if (search->number[to] < search->number[node]) {
            search->stack[search->stack_count++] = half / 2;
            search->low[node] =
                search->number[to] < search->low[node] ? search->number[to] : search->low[node];
        }
    } while (half = graph->next[half], half != graph->first[node]);
}

static void put_after(planar_graph *graph, int32_t half, int32_t before) {
    int32_t after = graph->next[before];
    graph->next[before] = half;
    graph->back[half] = before;
    graph->next[half] = after;
    graph->back[after] = half;
}

/* Joins where two neighbours of a node lead, in the corner between them. */
static void add_across(planar_graph *graph, int32_t one, int32_t two) {
    LOAM_ASSERT(graph->edge_count < PLANAR_EDGES_MAX);
    int32_t half = 2 * graph->edge_count++;
    graph->ends[half] = planar_to(graph, one);
    graph->ends[half + 1] = planar_to(graph, two);
    put_after(graph, half, graph->back[planar_twin(one)]);
    put_after(graph, half + 1, planar_twin(two));
}

void planar_join_blocks(planar_graph *graph) {
    block_search search = {.graph = graph};
    memset(search.number, 0xff, sizeof search.number);
    find_blocks(&search, 0, PLANAR_NONE);
    for (int32_t node = 0; node < graph->node_count; node++) {
        int32_t half = graph->first[node];
        do {
            int32_t after = graph->next[half];
            int32_t one = block_of(&search, half / 2), two = block_of(&search, after / 2);
            if (one != two) {
                int32_t edge = graph->edge_count;
                add_across(graph, half, after);
                search.block[two] = one;
                search.block[edge] = one;
            }
            half = after;
        } while (half != graph->first[node]);
    }
}

/* ---- Ranks --------------------------------------------------------------------------------- */

typedef struct rank_search {
    const planar_graph *graph;
    const uint64_t *keys;
    int32_t number[PLANAR_NODES_MAX], low[PLANAR_NODES_MAX], parent[PLANAR_NODES_MAX];
    int32_t order[PLANAR_NODES_MAX], count; /* nodes by number; low: a number */
} rank_search;

/* Half-edges of a node, by keys of their edges. */
static int32_t sort_halves(const rank_search *search, int32_t node, int32_t *halves) {
    const planar_graph *graph = search->graph;
    int32_t half = graph->first[node], count = 0;
    do {
        int32_t at = count++;
        for (; at > 0 && search->keys[half / 2] < search->keys[halves[at - 1] / 2]; at--) {
            halves[at] = halves[at - 1];
        }
        halves[at] = half;
        half = graph->next[half];
    } while (half != graph->first[node]);
    return count;
}

static void number_nodes(rank_search *search, int32_t node) {
    int32_t halves[PLANAR_NODES_MAX];
    int32_t count = sort_halves(search, node, halves);
    for (int32_t i = 0; i < count; i++) {
        int32_t to = planar_to(search->graph, halves[i]);
        int32_t low = search->number[to];
        if (low == PLANAR_NONE) {
            search->number[to] = search->low[to] = search->count;
            search->order[search->count++] = to;
            search->parent[to] = node;
            number_nodes(search, to);
            low = search->low[to];
        }
        search->low[node] = low < search->low[node] ? low : search->low[node];
    }
}

void planar_rank(const planar_graph *graph, int32_t half, const uint64_t *keys, int32_t *rank) {
    rank_search search = {.graph = graph, .keys = keys, .count = 2};
    int32_t from = graph->ends[half], to = planar_to(graph, half);
    int32_t before[PLANAR_NODES_MAX], after[PLANAR_NODES_MAX];
    bool is_before[PLANAR_NODES_MAX] = {false};
    memset(search.number, 0xff, sizeof search.number);
    search.number[from] = search.low[from] = 0;
    search.order[0] = from;
    search.number[to] = 1;
    search.low[to] = 0;
    search.order[1] = to;
    search.parent[to] = from;
    number_nodes(&search, to);
    after[from] = to;
    before[to] = from;
    before[from] = after[to] = PLANAR_NONE;
    is_before[from] = true;
    for (int32_t i = 2; i < search.count; i++) {
        int32_t node = search.order[i], parent = search.parent[node];
        bool ahead = is_before[search.order[search.low[node]]];
        int32_t left = ahead ? before[parent] : parent, right = ahead ? parent : after[parent];
        before[node] = left;
        after[node] = right;
        if (left != PLANAR_NONE) {
            after[left] = node;
        }
        if (right != PLANAR_NONE) {
            before[right] = node;
        }
        is_before[parent] = !ahead;
    }
    int32_t at = from;
    for (int32_t i = 0; i < graph->node_count && at != PLANAR_NONE; i++, at = after[at]) {
        rank[at] = i;
    }
}

/* ---- Faces --------------------------------------------------------------------------------- */

int32_t planar_faces(const planar_graph *graph, int32_t *face) {
    int32_t halves = 2 * graph->edge_count, count = 0;
    for (int32_t half = 0; half < halves; half++) {
        face[half] = PLANAR_NONE;
    }
    for (int32_t half = 0; half < halves; half++) {
        if (face[half] != PLANAR_NONE) {
            continue;
        }
        for (int32_t at = half; face[at] == PLANAR_NONE; at = graph->next[planar_twin(at)]) {
            face[at] = count;
        }
        count++;
    }
    return count;
}
