/* SPDX-License-Identifier: MIT
 *
 * test_graph_inlined.c: nodes that come from a graph in the graph: their names, seeds and places.
 */
#include "core/graph/graph.h"

#include <criterion/criterion.h>
#include <string.h>

static unsigned char memory[1 << 18];
static loam_arena arena;
static loam_graph graph;
static loam_error error;

static void init(void) {
    loam_graph_sizes sizes = {.nodes = 4, .slots = 1, .outputs = 1};
    error = (loam_error){0};
    loam_arena_init(&arena, memory, sizeof memory);
    cr_assert_eq(loam_graph_init(&graph, sizes, &arena, &error), LOAM_OK);
}

TestSuite(graph_inlined, .init = init);

static loam_status add(const char *name) {
    return loam_graph_add_inlined(&graph, loam_text_of(name), loam_text_of("grid.sample"), 1,
                                  &error);
}

Test(graph_inlined, only_inlined_nodes_have_dots_in_their_names) {
    cr_expect_eq(add("outer.inner"), LOAM_OK);
    cr_expect_eq(add("alone"), LOAM_OK);
    cr_expect_eq(loam_graph_add_node(&graph, loam_text_of("outer.other"),
                                     loam_text_of("grid.sample"), 1, &error),
                 LOAM_BAD_NAME);
    cr_expect_str_eq(error.pointer, "/nodes/outer.other");
    error = (loam_error){0};
    cr_expect_eq(add("outer."), LOAM_BAD_NAME);
    cr_expect_eq(add("a.b.c.d.e.f.g.h.i.j"), LOAM_BAD_NAME);
    cr_expect_eq(add("outer.inner"), LOAM_DUPLICATE);
}

Test(graph_inlined, faults_point_into_the_document_of_the_inner_graph) {
    cr_assert_eq(add("a.b.c"), LOAM_OK);
    cr_assert_eq(loam_graph_add_output(&graph, loam_text_of("o"), loam_text_of("a.b.c"), 0, &error),
                 LOAM_OK);
    loam_error faults[4] = {{0}};
    cr_assert_eq(loam_graph_faults(&graph, faults, 4), 1, "no spacing");
    cr_expect_str_eq(faults[0].pointer,
                     "/nodes/a/params/graph/nodes/b/params/graph/nodes/c/params/spacing_m");
}

Test(graph_inlined, a_slot_with_a_dot_in_its_name_is_no_path) {
    cr_expect_str_eq(pointer_to("slots", loam_text_of("a.b"), NULL, NULL).text, "/slots/a.b");
}

Test(graph_inlined, seeds_of_two_uses_differ_and_are_pinned_for_good) {
    uint64_t inner = loam_name_seed(loam_text_of("sites"));
    uint64_t one = loam_inlined_seed(loam_name_seed(loam_text_of("oaks")), inner);
    uint64_t two = loam_inlined_seed(loam_name_seed(loam_text_of("firs")), inner);
    cr_expect_neq(one, two);
    cr_expect_neq(one, inner);
    cr_expect_eq(loam_inlined_seed(1, 2), UINT64_C(8786322214148033676), "got %llu",
                 (unsigned long long)loam_inlined_seed(1, 2));
}

/* Counts bytes into a fixed place. */
typedef struct bytes {
    unsigned char text[4096];
    size_t size;
} bytes;

static void take(void *context, const void *from, size_t size) {
    bytes *to = context;
    cr_assert_leq(to->size + size, sizeof to->text);
    memcpy(to->text + to->size, from, size);
    to->size += size;
}

Test(graph_inlined, the_binary_form_keeps_the_names) {
    static bytes first, second;
    static unsigned char other[1 << 18];
    cr_assert_eq(add("outer.inner"), LOAM_OK);
    cr_assert_eq(
        loam_graph_add_output(&graph, loam_text_of("o"), loam_text_of("outer.inner"), 0, &error),
        LOAM_OK);
    cr_assert_eq(loam_graph_encode(&graph, (loam_sink){take, &first}), LOAM_OK);
    loam_arena apart;
    loam_graph back;
    loam_arena_init(&apart, other, sizeof other);
    cr_assert_eq(loam_graph_decode(first.text, first.size, &apart, &back, &error), LOAM_OK, "%s",
                 error.text);
    cr_expect_eq(loam_graph_find_node(&back, loam_text_of("outer.inner")), 0);
    cr_assert_eq(loam_graph_encode(&back, (loam_sink){take, &second}), LOAM_OK);
    cr_expect_eq(first.size, second.size);
    cr_expect_eq(memcmp(first.text, second.text, first.size), 0);
}
