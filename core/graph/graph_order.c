/* SPDX-License-Identifier: MIT
 *
 * graph_order.c: the order of a graph: by name, for equal graphs to be equal structures, and by
 * dependence, for evaluation.
 */
#include "core/graph/graph.h"

#include "core/base/limits.h"
#include "core/base/try.h"

/* Insertion sort of indices by name: graphs are small, and names never tie. */
#define SORT_BY_NAME(array, count, index)                                                          \
    do {                                                                                           \
        for (uint32_t i = 0; i < (count); i++) {                                                   \
            uint32_t at = i;                                                                       \
            while (at > 0 &&                                                                       \
                   loam_text_compare((array)[i].name, (array)[(index)[at - 1]].name) < 0) {        \
                (index)[at] = (index)[at - 1];                                                     \
                at--;                                                                              \
            }                                                                                      \
            (index)[at] = i;                                                                       \
        }                                                                                          \
    } while (0)

/* Puts array[i] = old[index[i]]. */
#define REORDER(type, array, count, index, scratch)                                                \
    do {                                                                                           \
        type *old = loam_arena_take(scratch, (count) + 1u, sizeof *old);                           \
        LOAM_TRY_MEMORY(old, NULL);                                                                \
        for (uint32_t i = 0; i < (count); i++) {                                                   \
            old[i] = (array)[i];                                                                   \
        }                                                                                          \
        for (uint32_t i = 0; i < (count); i++) {                                                   \
            (array)[i] = old[(index)[i]];                                                          \
        }                                                                                          \
    } while (0)

static void renumber(loam_graph *graph, const uint32_t *new_node, const uint32_t *new_slot) {
    for (uint32_t n = 0; n < graph->node_count; n++) {
        for (uint32_t p = 0; p < loam_node_input_count(&graph->nodes[n]); p++) {
            loam_source *source = &graph->nodes[n].inputs[p];
            if (source->kind == LOAM_SOURCE_NODE) {
                source->index = new_node[source->index];
            } else if (source->kind == LOAM_SOURCE_SLOT) {
                source->index = new_slot[source->index];
            }
        }
    }
    for (uint32_t i = 0; i < graph->output_count; i++) {
        graph->outputs[i].node = new_node[graph->outputs[i].node];
    }
    for (uint32_t i = 0; i < graph->exposed_count; i++) {
        graph->exposed[i].node = new_node[graph->exposed[i].node];
    }
}

static void invert(const uint32_t *index, uint32_t count, uint32_t *inverse) {
    for (uint32_t i = 0; i < count; i++) {
        inverse[index[i]] = i;
    }
}

static loam_status sort_parts(loam_graph *graph) {
    uint32_t nodes[NODES_MAX], slots[SLOTS_MAX], outputs[OUTPUTS_MAX], exposed[EXPOSED_MAX];
    uint32_t new_node[NODES_MAX], new_slot[SLOTS_MAX];
    SORT_BY_NAME(graph->nodes, graph->node_count, nodes);
    SORT_BY_NAME(graph->slots, graph->slot_count, slots);
    SORT_BY_NAME(graph->outputs, graph->output_count, outputs);
    SORT_BY_NAME(graph->exposed, graph->exposed_count, exposed);
    invert(nodes, graph->node_count, new_node);
    invert(slots, graph->slot_count, new_slot);
    renumber(graph, new_node, new_slot);
    REORDER(loam_node, graph->nodes, graph->node_count, nodes, graph->arena);
    REORDER(loam_slot, graph->slots, graph->slot_count, slots, graph->arena);
    REORDER(loam_output, graph->outputs, graph->output_count, outputs, graph->arena);
    REORDER(loam_exposed, graph->exposed, graph->exposed_count, exposed, graph->arena);
    return LOAM_OK;
}

loam_status loam_graph_sort(loam_graph *graph) {
    size_t mark = loam_arena_mark(graph->arena);
    loam_status status = sort_parts(graph);
    loam_arena_reset(graph->arena, mark);
    return status;
}

/* A node of a cycle: from any node that could not be placed, going to sources that could not be
 * placed either ends in one. */
static uint32_t find_cyclic(const loam_graph *graph, const bool *placed) {
    uint32_t node = 0;
    while (placed[node]) {
        node++;
    }
    for (uint32_t step = 0; step < graph->node_count; step++) {
        for (uint32_t p = 0; p < loam_node_input_count(&graph->nodes[node]); p++) {
            const loam_source *source = &graph->nodes[node].inputs[p];
            if (source->kind == LOAM_SOURCE_NODE && !placed[source->index]) {
                node = source->index;
                break;
            }
        }
    }
    return node;
}

bool graph_order(const loam_graph *graph, uint32_t *order, uint32_t *cyclic) {
    bool placed[NODES_MAX] = {false};
    uint32_t count = 0;
    bool moved = true;
    while (moved) {
        moved = false;
        for (uint32_t n = 0; n < graph->node_count; n++) {
            bool ready = !placed[n];
            for (uint32_t p = 0; ready && p < loam_node_input_count(&graph->nodes[n]); p++) {
                const loam_source *source = &graph->nodes[n].inputs[p];
                ready = source->kind != LOAM_SOURCE_NODE || placed[source->index];
            }
            if (ready) {
                placed[n] = moved = true;
                order[count++] = n;
            }
        }
    }
    if (count < graph->node_count) {
        *cyclic = find_cyclic(graph, placed);
        return false;
    }
    return true;
}
