/* SPDX-License-Identifier: MIT
 *
 * lock_bridges.c: which doors have no way around: nodes of a graph whose loss cuts others off, by
 * depth-first search with low points (Tarjan 1972), its stack in the caller's memory.
 */
#include "core/base/try.h"
#include "core/content/lock_graph.h"

/* A node on the way down. */
typedef struct bridge_visit {
    uint32_t number; /* order of arrival, from 1; 0: not seen */
    uint32_t low;    /* least number that its subtree has a link to */
    uint32_t next;   /* link to look at */
    uint32_t parent;
} bridge_visit;

static void enter(bridge_visit *visits, const lock_graph *graph, uint32_t node, uint32_t parent,
                  uint32_t number) {
    visits[node] = (bridge_visit){number, number, graph->first[node], parent};
}

/* The subtree of `node` is done: what it says about the node above it. */
static void leave(bridge_visit *visits, const lock_graph *graph, uint32_t node, uint8_t *cut) {
    uint32_t parent = visits[node].parent;
    if (parent == LOCK_NONE) {
        return;
    }
    if (visits[node].low < visits[parent].low) {
        visits[parent].low = visits[node].low;
    }
    if (visits[node].low >= visits[parent].number && parent != graph->start) {
        cut[parent] = 1;
    }
}

loam_status lock_bridges(const lock_graph *graph, loam_arena *arena, uint8_t *cut,
                         loam_error *error) {
    size_t mark = loam_arena_mark(arena);
    bridge_visit *visits = loam_arena_take_zero(arena, graph->node_count, sizeof *visits);
    LOAM_TRY_MEMORY(visits, error);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        cut[i] = 0;
    }
    uint32_t number = 1, node = graph->start;
    enter(visits, graph, node, LOCK_NONE, number++);
    while (node != LOCK_NONE) {
        bridge_visit *visit = &visits[node];
        if (visit->next == graph->first[node + 1]) {
            leave(visits, graph, node, cut);
            node = visit->parent;
            continue;
        }
        uint32_t next = graph->links[visit->next++];
        if (visits[next].number == 0) {
            enter(visits, graph, next, node, number++);
            node = next;
        } else if (next != visit->parent && visits[next].number < visit->low) {
            visit->low = visits[next].number;
        }
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}
