/* SPDX-License-Identifier: MIT
 *
 * test_graph_order.c: sorted graphs are equal when they were built in any order; sources come
 * first.
 */
#include "core/base/limits.h"
#include "core/graph/graph.h"
#include "tests/unit/core/graph/graph_text.h"

static const char *const lines[] = {"$zone areas",
                                    "$terrain heightfield",
                                    "sites surface.sample spacing_m=512 surface<$terrain",
                                    "low filter.height min_m=0 max_m=9 points<sites",
                                    "both merge a<sites b<low c<kept",
                                    "kept zone.exclude points<low zones<$zone",
                                    "=b both",
                                    "=a low",
                                    NULL};
enum { LINES = 8 };

static byte_buffer sorted_bytes(const char *const *text) {
    loam_graph graph;
    loam_arena arena = arena_of(1 << 22);
    byte_buffer got = {0};
    graph_of_lines(&graph, &arena, text);
    size_t used = arena.used;
    cr_assert_eq(loam_graph_sort(&graph), LOAM_OK);
    cr_expect_eq(arena.used, used, "scratch is given back");
    cr_assert_eq(loam_graph_encode(&graph, buffer_sink(&got)), LOAM_OK);
    return got;
}

Test(graph_order, graphs_built_in_any_order_are_equal_when_sorted) {
    byte_buffer want = sorted_bytes(lines);
    test_random random = {5};
    for (int k = 0; k < 20; k++) {
        const char *shuffled[LINES + 1];
        memcpy(shuffled, lines, sizeof shuffled);
        for (int i = LINES - 1; i > 0; i--) {
            int64_t j = random_between(&random, 0, i);
            const char *swap = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = swap;
        }
        byte_buffer got = sorted_bytes(shuffled);
        cr_assert(buffer_equal(&got, &want));
        buffer_fini(&got);
    }
    buffer_fini(&want);
}

Test(graph_order, every_node_comes_after_its_sources) {
    loam_graph graph;
    loam_arena arena = arena_of(1 << 22);
    uint32_t order[NODES_MAX], place[NODES_MAX], cyclic;
    graph_of_lines(&graph, &arena, lines);
    cr_assert(graph_order(&graph, order, &cyclic));
    for (uint32_t i = 0; i < graph.node_count; i++) {
        place[order[i]] = i;
    }
    for (uint32_t n = 0; n < graph.node_count; n++) {
        for (uint32_t p = 0; p < graph.nodes[n].operation->port_count; p++) {
            const loam_source *source = &graph.nodes[n].inputs[p];
            cr_expect(source->kind != LOAM_SOURCE_NODE || place[source->index] < place[n]);
        }
    }
}

/* The order of the document is the worst there is. */
Test(graph_order, a_chain_of_256_nodes_in_reverse_is_put_in_order) {
    static char text[NODES_MAX][64];
    const char *chain[NODES_MAX + 2];
    for (int i = 0; i < NODES_MAX; i++) {
        int written =
            i < NODES_MAX - 1
                ? snprintf(text[i], sizeof text[i], "n%d filter.slope points<n%d", i, i + 1)
                : snprintf(text[i], sizeof text[i], "n%d grid.sample spacing_m=9", i);
        cr_assert(written > 0);
        chain[i] = text[i];
    }
    chain[NODES_MAX] = "=o n0";
    chain[NODES_MAX + 1] = NULL;
    loam_graph graph;
    loam_arena arena = arena_of(1 << 24);
    uint32_t order[NODES_MAX], cyclic;
    graph_of_lines(&graph, &arena, chain);
    cr_assert(graph_order(&graph, order, &cyclic));
    for (uint32_t i = 0; i < NODES_MAX; i++) {
        cr_assert_eq(order[i], NODES_MAX - 1 - i);
    }
}
