/* SPDX-License-Identifier: MIT
 *
 * test_view_graph_dot.c: the text that Graphviz gets, with frames around inlined nodes.
 */
#include "api/view/view_graph_dot.h"

#include "api/wire/graph_document.h"

#include <criterion/criterion.h>
#include <string.h>

static unsigned char memory[1 << 18];
static fault_list faults;

static void assert_drawn(const char *json, const char *want) {
    loam_arena arena;
    graph_document document;
    text_buffer buffer;
    loam_arena_init(&arena, memory, sizeof memory);
    cr_assert_eq(graph_read(loam_text_of(json), NULL, &arena, &document, &faults), LOAM_OK,
                 "%s: %s", faults.items[0].pointer, faults.items[0].text);
    buffer_init(&buffer, 1 << 16);
    view_graph_dot(&document.graph, &buffer);
    buffer_add(&buffer, "", 1);
    cr_assert_str_eq(buffer.bytes, want);
    buffer_fini(&buffer);
}

Test(view_graph_dot, slots_nodes_inputs_and_outputs) {
    assert_drawn("{ \"loam_graph\": 1, \"slots\": { \"town\": \"areas\" }, \"nodes\": {"
                 " \"sites\": { \"op\": \"grid.sample\", \"params\": { \"spacing_m\": 2 } },"
                 " \"kept\": { \"op\": \"zone.exclude\", \"in\": { \"points\": \"sites\","
                 " \"zones\": \"$town\" } } }, \"outputs\": { \"all\": { \"node\": \"kept\" } } }",
                 "digraph loam {\n"
                 "  node [shape=box];\n"
                 "  \"$town\" [shape=cylinder, label=\"town\\nareas\"];\n"
                 "  \"kept\" [label=\"kept\\nzone.exclude\"];\n"
                 "  \"sites\" [label=\"sites\\ngrid.sample\"];\n"
                 "  \"sites\" -> \"kept\" [label=\"points\"];\n"
                 "  \"$town\" -> \"kept\" [label=\"zones\"];\n"
                 "  \">all\" [shape=ellipse, label=\"all\"];\n"
                 "  \"kept\" -> \">all\" [label=\"\"];\n"
                 "}\n");
}

#define CULL "{ \"op\": \"density.cull\", \"in\": { \"points\": \"s\" } }"
#define SITES "\"s\": { \"op\": \"grid.sample\", \"params\": { \"spacing_m\": 2 } }"
#define OUTPUT(node) "\"outputs\": { \"o\": { \"node\": \"" node "\" } }"
#define NEST(graph)                                                                                \
    "{ \"op\": \"subgraph\", \"params\": { \"output\": \"o\", \"graph\": " graph " } }"

Test(view_graph_dot, frames_hold_what_came_from_graphs_in_the_graph) {
    assert_drawn(
        "{ \"loam_graph\": 1, \"nodes\": {"
        " \"a\": " NEST("{ \"loam_graph\": 1, \"nodes\": { \"b\": " NEST(
            "{ \"loam_graph\": 1, \"nodes\": { " SITES ", \"t\": " CULL " }, " OUTPUT(
                "t") " }") " }, " OUTPUT("b") " }") ","
                                                    " \"c\": " NEST(
                                                        "{ \"loam_graph\": 1, \"nodes\": { " SITES
                                                        " }, " OUTPUT(
                                                            "s") " }") ", \"d\": { \"op\": "
                                                                       "\"merge\", \"in\": { "
                                                                       "\"a\": \"a\", \"b\": \"c\" "
                                                                       "} } }," OUTPUT("d") " }",
        "digraph loam {\n"
        "  node [shape=box];\n"
        "  subgraph \"cluster_a\" {\n"
        "    label=\"a\";\n"
        "    subgraph \"cluster_a.b\" {\n"
        "      label=\"b\";\n"
        "      \"a.b.s\" [label=\"s\\ngrid.sample\"];\n"
        "      \"a.b.t\" [label=\"t\\ndensity.cull\"];\n"
        "    }\n"
        "  }\n"
        "  subgraph \"cluster_c\" {\n"
        "    label=\"c\";\n"
        "    \"c.s\" [label=\"s\\ngrid.sample\"];\n"
        "  }\n"
        "  \"d\" [label=\"d\\nmerge\"];\n"
        "  \"a.b.s\" -> \"a.b.t\" [label=\"points\"];\n"
        "  \"a.b.t\" -> \"d\" [label=\"a\"];\n"
        "  \"c.s\" -> \"d\" [label=\"b\"];\n"
        "  \">o\" [shape=ellipse, label=\"o\"];\n"
        "  \"d\" -> \">o\" [label=\"\"];\n"
        "}\n");
}
