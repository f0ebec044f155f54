/* SPDX-License-Identifier: MIT
 *
 * test_graph_rename.c: a node changes its name and nothing else.
 */
#include "api/wire/graph_rename.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static text_buffer buffer;

static void init(void) {
    buffer_init(&buffer, 1 << 20);
}

static void fini(void) {
    buffer_fini(&buffer);
    forest_fini();
}

TestSuite(graph_rename, .init = init, .fini = fini);

static loam_status rename_node(const char *json, const char *from, const char *to) {
    buffer_clear(&buffer);
    return graph_rename(loam_text_of(json), NULL, loam_text_of(from), loam_text_of(to),
                        forest_arena(), &buffer, forest_faults());
}

/* What was written, read again. */
static const loam_graph *renamed(void) {
    static graph_document document;
    cr_assert_eq(graph_read(buffer_view(&buffer), NULL, forest_arena(), &document, forest_faults()),
                 LOAM_OK);
    return &document.graph;
}

Test(graph_rename, the_old_seed_is_pinned) {
    cr_assert_eq(rename_node(forest_graph, "drawn", "thinned"), LOAM_OK);
    const loam_graph *graph = renamed();
    cr_assert_eq(graph->node_count, 8);
    cr_assert_lt(loam_graph_find_node(graph, loam_text_of("drawn")), 0);
    int32_t index = loam_graph_find_node(graph, loam_text_of("thinned"));
    cr_assert_geq(index, 0);
    cr_assert(graph->nodes[index].seed_pinned);
    cr_assert_eq(graph->nodes[index].seed, loam_name_seed(loam_text_of("drawn")));
    int32_t spaced = loam_graph_find_node(graph, loam_text_of("spaced"));
    cr_assert_eq(graph->nodes[spaced].inputs[0].index, (uint32_t)index);
    cr_assert_not(graph->nodes[spaced].seed_pinned, "no other node is pinned");
}

Test(graph_rename, a_seed_that_was_pinned_stays) {
    const char *json = forest_with(forest_graph, "\"op\": \"density.cull\"",
                                   "\"op\": \"density.cull\", \"seed\": \"7\"");
    cr_assert_eq(rename_node(json, "drawn", "thinned"), LOAM_OK);
    const loam_graph *graph = renamed();
    cr_assert_eq(graph->nodes[loam_graph_find_node(graph, loam_text_of("thinned"))].seed, 7);
}

Test(graph_rename, outputs_and_parameters_follow) {
    cr_assert_eq(rename_node(forest_graph, "trees", "firs"), LOAM_OK);
    const loam_graph *graph = renamed();
    cr_assert_eq(graph->outputs[0].node,
                 (uint32_t)loam_graph_find_node(graph, loam_text_of("firs")));
    cr_assert_str_eq(graph->outputs[0].name.bytes, "trees", "the output keeps its own name");
    cr_assert_eq(rename_node(forest_graph, "sites", "places"), LOAM_OK);
    graph = renamed();
    cr_assert_eq(graph->exposed[0].node,
                 (uint32_t)loam_graph_find_node(graph, loam_text_of("places")));
}

Test(graph_rename, a_subgraph_is_renamed_as_any_node) {
    static const char json[] =
        "{ \"loam_graph\": 1, \"nodes\": { \"a\": { \"op\": \"subgraph\", \"params\": {"
        " \"output\": \"o\", \"graph\": { \"loam_graph\": 1, \"nodes\": { \"s\": { \"op\":"
        " \"grid.sample\", \"params\": { \"spacing_m\": 2 } } },"
        " \"outputs\": { \"o\": { \"node\": \"s\" } } } } } },"
        " \"outputs\": { \"all\": { \"node\": \"a\" } } }";
    graph_document before;
    cr_assert_eq(graph_read(loam_text_of(json), NULL, forest_arena(), &before, forest_faults()),
                 LOAM_OK);
    uint64_t seed = before.graph.nodes[0].seed;
    cr_assert_eq(rename_node(json, "a", "b"), LOAM_OK);
    cr_assert_str_eq(renamed()->nodes[0].name.bytes, "b.s");
    cr_assert_eq(renamed()->nodes[0].seed, seed);
}

Test(graph_rename, names_that_cannot_be_are_refused) {
    cr_assert_eq(rename_node(forest_graph, "none", "new"), LOAM_UNKNOWN_NODE);
    cr_assert(forest_has_fault(LOAM_UNKNOWN_NODE, "/nodes"));
    cr_assert_eq(rename_node(forest_graph, "drawn", "band"), LOAM_DUPLICATE);
    cr_assert_eq(rename_node(forest_graph, "drawn", "drawn"), LOAM_DUPLICATE);
    cr_assert_eq(rename_node(forest_graph, "drawn", "a.b"), LOAM_BAD_NAME);
    cr_assert_eq(rename_node(forest_graph, "drawn", ""), LOAM_BAD_NAME);
    cr_assert_eq(buffer.size, 0);
}

Test(graph_rename, a_graph_with_faults_is_refused_with_them) {
    const char *json = forest_with(forest_graph, "density.cull", "density.cut");
    cr_assert_eq(rename_node(json, "drawn", "thinned"), LOAM_UNKNOWN_OPERATION);
    cr_assert(forest_has_fault(LOAM_UNKNOWN_OPERATION, "/nodes/drawn/op"));
}
