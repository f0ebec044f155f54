/* SPDX-License-Identifier: MIT
 *
 * test_planar.c: plane graphs: an embedding has as many faces as Euler says, a graph that has none
 * is told, and names its first edge too many; ranks have neighbours on both sides.
 */
#include "core/grid/draw.h"
#include "core/grid/planar.h"

#include <criterion/criterion.h>

static planar_graph graph;

static void begin(int32_t nodes) {
    graph = (planar_graph){.node_count = nodes};
}

static void join(int32_t a, int32_t b) {
    graph.ends[2 * graph.edge_count] = a;
    graph.ends[2 * graph.edge_count + 1] = b;
    graph.edge_count++;
}

/* All half-edges of a node are in its ring, once; faces are as many as in a drawing. */
static void expect_drawn(void) {
    int32_t face[PLANAR_HALVES_MAX], around = 0;
    for (int32_t node = 0; node < graph.node_count; node++) {
        int32_t half = graph.first[node];
        do {
            cr_assert_eq(graph.ends[half], node);
            cr_assert_eq(graph.back[graph.next[half]], half);
            half = graph.next[half];
            around++;
        } while (half != graph.first[node]);
    }
    cr_assert_eq(around, 2 * graph.edge_count);
    cr_assert_eq(planar_faces(&graph, face), graph.edge_count - graph.node_count + 2);
}

static void expect_ranks(uint64_t seed) {
    uint64_t keys[PLANAR_EDGES_MAX];
    int32_t rank[PLANAR_NODES_MAX];
    for (int32_t i = 0; i < graph.edge_count; i++) {
        keys[i] = mix64(seed + (uint64_t)i);
    }
    int32_t half = (int32_t)(seed % (2 * (uint64_t)graph.edge_count));
    planar_rank(&graph, half, keys, rank);
    cr_assert_eq(rank[graph.ends[half]], 0);
    cr_assert_eq(rank[planar_to(&graph, half)], graph.node_count - 1);
    for (int32_t node = 0; node < graph.node_count; node++) {
        bool below = rank[node] == 0, above = rank[node] == graph.node_count - 1;
        for (int32_t h = 0; h < 2 * graph.edge_count; h++) {
            if (graph.ends[h] == node) {
                int32_t other = rank[planar_to(&graph, h)];
                cr_assert_neq(other, rank[node]);
                below |= other < rank[node];
                above |= other > rank[node];
            }
        }
        cr_assert(below && above, "node %d", node);
    }
}

/* A triangulation in random order, edges left out but for one of each node. */
static void random_plane(uint64_t seed, int32_t nodes, uint32_t keep_percent) {
    int32_t triangles[2 * PLANAR_NODES_MAX][3] = {{0, 1, 2}};
    uint32_t count = 1, draws = 0;
    begin(nodes);
    join(0, 1);
    join(1, 2);
    join(2, 0);
    for (int32_t node = 3; node < nodes; node++) {
        uint64_t bits = draw_at(seed, draws++);
        int32_t *in = triangles[draw_below(bits, count)];
        int32_t corners[3] = {in[0], in[1], in[2]};
        for (uint32_t i = 0; i < 3; i++) {
            int32_t *to = i == 0 ? in : triangles[count++];
            to[0] = corners[i];
            to[1] = corners[(i + 1) % 3];
            to[2] = node;
            uint64_t keep = draw_at(seed, draws++);
            if (i == 0 || draw_below(keep, 100) < keep_percent) {
                join(corners[i], node);
            }
        }
    }
}

Test(planar, random_plane_graphs_are_embedded_joined_and_ranked) {
    for (uint64_t seed = 0; seed < 600; seed++) {
        random_plane(mix64(seed), 3 + (int32_t)(seed % 62), (uint32_t)(seed * 7 % 101));
        cr_assert_eq(planar_first_fault(&graph), PLANAR_NONE);
        cr_assert(planar_embed(&graph));
        expect_drawn();
        planar_join_blocks(&graph);
        expect_drawn();
        for (uint64_t i = 0; i < 4; i++) {
            expect_ranks(mix64(seed) + i);
        }
    }
}

Test(planar, one_edge_too_many_in_a_full_triangulation_is_always_told) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        random_plane(mix64(seed), 6 + (int32_t)(seed % 50), 100);
        bool joined[PLANAR_NODES_MAX][PLANAR_NODES_MAX] = {{false}};
        for (int32_t i = 0; i < graph.edge_count; i++) {
            int32_t a = graph.ends[2 * i], b = graph.ends[2 * i + 1];
            joined[a][b] = joined[b][a] = true;
        }
        int32_t full = graph.edge_count;
        for (int32_t a = 0; a < graph.node_count && graph.edge_count == full; a++) {
            for (int32_t b = 0; b < a && graph.edge_count == full; b++) {
                if (!joined[a][b]) {
                    join(a, b);
                }
            }
        }
        cr_assert_eq(graph.edge_count, full + 1);
        cr_assert_eq(planar_first_fault(&graph), full);
        cr_assert_not(planar_embed(&graph));
    }
}

/* K5 or K3,3 with every edge made a path of `parts` edges. */
static void subdivided(bool five, int32_t parts) {
    begin(five ? 5 : 6);
    for (int32_t a = 0; a < graph.node_count && a < 6; a++) {
        for (int32_t b = 0; b < a; b++) {
            if (a > (five ? 4 : 5) || (!five && (a < 3 || b > 2))) {
                continue;
            }
            int32_t at = b;
            for (int32_t i = 1; i < parts; i++) {
                join(at, graph.node_count);
                at = graph.node_count++;
            }
            join(at, a);
        }
    }
}

Test(planar, both_of_kuratowskis_graphs_are_told_however_they_are_divided) {
    for (int32_t parts = 1; parts < 6; parts++) {
        subdivided(true, parts);
        cr_assert_eq(planar_first_fault(&graph), graph.edge_count - 1, "K5, %d", parts);
        subdivided(false, parts);
        cr_assert_eq(planar_first_fault(&graph), graph.edge_count - 1, "K3,3, %d", parts);
        graph.edge_count--;
        cr_assert_eq(planar_first_fault(&graph), PLANAR_NONE);
    }
}

Test(planar, petersens_graph_is_not_planar_and_a_cube_is) {
    begin(10);
    for (int32_t i = 0; i < 5; i++) {
        join(i, (i + 1) % 5);
        join(i, i + 5);
        join(i + 5, (i + 2) % 5 + 5);
    }
    cr_assert_not(planar_embed(&graph));
    begin(8);
    for (int32_t i = 0; i < 8; i++) {
        for (int32_t bit = 1; bit < 8; bit *= 2) {
            if ((i & bit) == 0) {
                join(i, i | bit);
            }
        }
    }
    cr_assert(planar_embed(&graph));
    expect_drawn();
}
