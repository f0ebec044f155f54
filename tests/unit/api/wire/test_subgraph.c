/* SPDX-License-Identifier: MIT
 *
 * test_subgraph.c: graphs in graphs: what they become, what of them is written, and where their
 * faults point.
 */
#include "api/wire/document.h"
#include "api/wire/subgraph.h"
#include "core/base/limits.h"
#include "core/graph/graph.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A graph with a slot of points, one of areas, two outputs and a node that only one needs. */
#define THIN                                                                                       \
    "{ \"loam_graph\": 1, \"slots\": { \"from\": \"points\", \"zones\": \"areas\" },"              \
    " \"nodes\": {"                                                                                \
    " \"spaced\": { \"op\": \"self.prune\", \"in\": { \"points\": \"$from\" },"                    \
    " \"params\": { \"radius_m\": 3 } },"                                                          \
    " \"kept\": { \"op\": \"zone.exclude\", \"in\": { \"points\": \"spaced\","                     \
    " \"zones\": \"$zones\" } },"                                                                  \
    " \"few\": { \"op\": \"density.cull\", \"in\": { \"points\": \"kept\" } } },"                  \
    " \"parameters\": { \"apart_m\": { \"node\": \"spaced\", \"key\": \"radius_m\" },"             \
    " \"share\": { \"node\": \"few\", \"key\": \"multiplier\" } },"                                \
    " \"outputs\": { \"thin\": { \"node\": \"kept\" }, \"few\": { \"node\": \"few\" } } }"

#define AROUND(graph, more)                                                                        \
    "{ \"loam_graph\": 1, \"slots\": { \"village\": \"areas\" }, \"nodes\": {"                     \
    " \"sites\": { \"op\": \"grid.sample\", \"params\": { \"spacing_m\": 2 } },"                   \
    " \"thin\": { \"op\": \"subgraph\","                                                           \
    " \"in\": { \"from\": \"sites\", \"zones\": \"$village\" },"                                   \
    " \"params\": { \"graph\": " graph ", \"output\": \"thin\"" more " } },"                       \
    " \"out\": { \"op\": \"filter.height\", \"in\": { \"points\": \"thin\" },"                     \
    " \"params\": { \"min_m\": -9, \"max_m\": 9 } } },"                                            \
    " \"outputs\": { \"all\": { \"node\": \"out\" }, \"bare\": { \"node\": \"thin\" } },"          \
    " \"parameters\": { \"apart\": { \"node\": \"thin\", \"key\": \"apart_m\" } } }"

static const char around[] = AROUND(THIN, "");

static graph_document document;
static text_buffer first;
static text_buffer second;
/* Graphs that digests name, in the order of their numbers. */
static const char *stored[2];

static void init(void) {
    buffer_init(&first, 1 << 20);
    buffer_init(&second, 1 << 20);
    stored[0] = stored[1] = NULL;
}

static void fini(void) {
    buffer_fini(&first);
    buffer_fini(&second);
    forest_fini();
}

TestSuite(subgraph, .init = init, .fini = fini);

/* The digest of stored graph 0 is all zeros, of 1 all ones. */
static loam_status find_graph(void *context, const digest *id, loam_text *text) {
    (void)context;
    char name[DIGEST_TEXT_BYTES];
    digest_text(id, name);
    for (int i = 0; i < 2; i++) {
        if (name[sizeof "sha256-" - 1] == '0' + i && stored[i] != NULL) {
            *text = loam_text_of(stored[i]);
            return LOAM_OK;
        }
    }
    return LOAM_NOT_FOUND;
}

#define ZEROS "\"sha256-0000000000000000000000000000000000000000000000000000000000000000\""
#define ONES "\"sha256-1111111111111111111111111111111111111111111111111111111111111111\""

static const graph_resolver resolver = {.find_graph = find_graph};

static loam_status read(const char *json) {
    return graph_read(loam_text_of(json), &resolver, forest_arena(), &document, forest_faults());
}

static void assert_sound(const char *json) {
    loam_status status = read(json);
    cr_assert_eq(status, LOAM_OK, "%s at %s: %s", loam_status_code(status), forest_fault()->pointer,
                 forest_fault()->text);
}

static const loam_node *node(const char *name) {
    int32_t index = loam_graph_find_node(&document.graph, loam_text_of(name));
    cr_assert_geq(index, 0, "%s", name);
    return &document.graph.nodes[index];
}

static void canonical(const char *json, text_buffer *to) {
    assert_sound(json);
    buffer_clear(to);
    cr_assert_eq(graph_write(&document, to), LOAM_OK);
}

static const char *terminated(text_buffer *buffer) {
    buffer_add(buffer, "", 1);
    return buffer->bytes;
}

Test(subgraph, the_nodes_that_its_output_needs_are_inlined) {
    assert_sound(around);
    cr_assert_eq(document.graph.node_count, 4, "sites, out and two of three");
    cr_assert_lt(loam_graph_find_node(&document.graph, loam_text_of("thin.few")), 0);
    const loam_node *kept = node("thin.kept");
    const loam_source *points = &kept->inputs[0];
    cr_assert_eq(&document.graph.nodes[points->index], node("thin.spaced"));
    cr_assert_eq(kept->inputs[1].kind, LOAM_SOURCE_SLOT);
    cr_assert_eq(&document.graph.nodes[node("thin.spaced")->inputs[0].index], node("sites"));
    cr_assert_eq(&document.graph.nodes[node("out")->inputs[0].index], kept);
    int32_t bare = loam_graph_find_output(&document.graph, loam_text_of("bare"));
    cr_assert_eq(&document.graph.nodes[document.graph.outputs[bare].node], kept);
}

Test(subgraph, its_nodes_draw_by_both_names) {
    assert_sound(around);
    const loam_node *spaced = node("thin.spaced");
    uint64_t outer = loam_name_seed(loam_text_of("thin"));
    uint64_t inner = loam_name_seed(loam_text_of("spaced"));
    cr_assert(spaced->seed_pinned);
    cr_assert_eq(spaced->seed, loam_inlined_seed(outer, inner));
    cr_assert_neq(loam_inlined_seed(outer, inner), loam_inlined_seed(inner, outer));
    assert_sound(
        forest_with(around, "\"op\": \"subgraph\",", "\"op\": \"subgraph\", \"seed\": \"7\","));
    cr_assert_eq(node("thin.spaced")->seed, loam_inlined_seed(7, inner));
}

Test(subgraph, parameters_that_it_exposes_are_given_here) {
    assert_sound(AROUND(THIN, ", \"parameters\": { \"apart_m\": 5 }"));
    cr_assert_eq(node("thin.spaced")->params[0].integer, 5 * 256);
    cr_assert_eq(document.graph.exposed_count, 1);
    cr_assert_eq(&document.graph.nodes[document.graph.exposed[0].node], node("thin.spaced"));
}

Test(subgraph, the_canonical_text_has_the_form_of_the_document) {
    canonical(AROUND(THIN, ", \"parameters\": { \"apart_m\": 5 }"), &first);
    const char *text = terminated(&first);
    cr_assert_not_null(strstr(text, "\"thin\":{\"in\":{\"from\":\"sites\",\"zones\":\"$village\"},"
                                    "\"op\":\"subgraph\",\"params\":{\"graph\":{\"loam_graph\":1"),
                       "%s", text);
    cr_assert_not_null(strstr(text, "},\"output\":\"thin\","
                                    "\"parameters\":{\"apart_m\":5,\"share\":1}},\"version\":1}"),
                       "%s", text);
    cr_assert_not_null(strstr(text, "\"radius_m\":3"), "the graph is as it was sent");
    cr_assert_not_null(strstr(text, "\"apart\":{\"key\":\"apart_m\",\"node\":\"thin\"}"));
    cr_assert_not_null(strstr(text, "\"bare\":{\"level\":0,\"node\":\"thin\"}"));
    canonical(text, &second);
    cr_assert_str_eq(terminated(&second), text, "it is its own canonical text");
}

Test(subgraph, a_default_written_out_is_the_same_graph) {
    canonical(around, &first);
    canonical(AROUND(THIN, ", \"parameters\": { \"share\": 1, \"apart_m\": 3 }"), &second);
    cr_assert_str_eq(terminated(&first), terminated(&second));
}

Test(subgraph, a_digest_stays_a_digest_and_means_the_same_graph) {
    stored[0] = THIN;
    canonical(AROUND(ZEROS, ""), &first);
    cr_assert_not_null(strstr(terminated(&first), "\"graph\":" ZEROS));
    uint64_t seed = node("thin.kept")->seed;
    assert_sound(around);
    cr_assert_eq(node("thin.kept")->seed, seed);
}

Test(subgraph, graphs_nest) {
    stored[0] = THIN;
    assert_sound(
        AROUND("{ \"loam_graph\": 1, \"slots\": { \"from\": \"points\","
               " \"zones\": \"areas\" }, \"nodes\": { \"in\": { \"op\": \"subgraph\","
               " \"in\": { \"from\": \"$from\", \"zones\": \"$zones\" },"
               " \"params\": { \"graph\": " ZEROS ", \"output\": \"thin\" } } },"
               " \"parameters\": { \"apart_m\": { \"node\": \"in\","
               " \"key\": \"apart_m\" } }, \"outputs\": { \"thin\": { \"node\": \"in\" } } }",
               ", \"parameters\": { \"apart_m\": 4 }"));
    const loam_node *spaced = node("thin.in.spaced");
    cr_assert_eq(spaced->params[0].integer, 4 * 256);
    uint64_t seed = loam_inlined_seed(loam_name_seed(loam_text_of("in")),
                                      loam_name_seed(loam_text_of("spaced")));
    cr_assert_eq(spaced->seed, loam_inlined_seed(loam_name_seed(loam_text_of("thin")), seed));
    cr_assert_eq(&document.graph.nodes[spaced->inputs[0].index], node("sites"));
    buffer_clear(&first);
    cr_assert_eq(graph_write(&document, &first), LOAM_OK);
    canonical(terminated(&first), &second);
    cr_assert_str_eq(terminated(&second), first.bytes);
}

Test(subgraph, names_around_it_do_not_mislead_the_order) {
    const char *json = forest_with(around, "\"out\":", "\"thin-b\":");
    canonical(forest_with(json, "{ \"node\": \"out\" }", "{ \"node\": \"thin-b\" }"), &first);
    canonical(terminated(&first), &second);
    cr_assert_str_eq(terminated(&second), first.bytes);
}

/* A graph that stands alone: its points come in through points.input. */
#define ALONE                                                                                      \
    "{ \"loam_graph\": 1, \"slots\": { \"from\": \"points\" }, \"nodes\": {"                       \
    " \"given\": { \"op\": \"points.input\", \"in\": { \"points\": \"$from\" } },"                 \
    " \"spaced\": { \"op\": \"self.prune\", \"in\": { \"points\": \"given\" },"                    \
    " \"params\": { \"radius_m\": 3 } } }, \"outputs\": { \"o\": { \"node\": \"spaced\" } } }"

#define FED(source)                                                                                \
    "{ \"loam_graph\": 1, \"slots\": { \"places\": \"points\" }, \"nodes\": {"                     \
    " \"sites\": { \"op\": \"grid.sample\", \"params\": { \"spacing_m\": 2 } },"                   \
    " \"a\": { \"op\": \"subgraph\", \"in\": { \"from\": \"" source "\" },"                        \
    " \"params\": { \"graph\": " ALONE ", \"output\": \"o\" } } },"                                \
    " \"outputs\": { \"o\": { \"node\": \"a\" }, \"s\": { \"node\": \"sites\" } } }"

Test(subgraph, a_graph_that_stands_alone_takes_points_of_a_node_too) {
    assert_sound(ALONE);
    assert_sound(FED("$places"));
    cr_assert_eq(document.graph.node_count, 3, "sites, given, spaced");
    assert_sound(FED("sites"));
    cr_assert_eq(document.graph.node_count, 2, "points.input has nothing to do");
    cr_assert_eq(&document.graph.nodes[node("a.spaced")->inputs[0].index], node("sites"));
    canonical(FED("sites"), &first);
    canonical(terminated(&first), &second);
    cr_assert_str_eq(terminated(&second), first.bytes);
}

/* A branch beside a subgraph that takes one side of it and gives one side of another. */
Test(subgraph, sides_of_branches_go_in_and_come_out) {
#define SPLIT(from)                                                                                \
    "{ \"op\": \"branch\", \"in\": { \"points\": \"" from "\" }, \"params\": {"                    \
    " \"name\": \"$density\", \"op\": \"lt\", \"value\": 0.5 } }"
    assert_sound(
        "{ \"loam_graph\": 1, \"nodes\": {"
        " \"sites\": { \"op\": \"grid.sample\", \"params\": { \"spacing_m\": 2 } },"
        " \"b\": " SPLIT(
            "sites") ","
                     " \"a\": { \"op\": \"subgraph\", \"in\": { \"from\": \"b#false\" }, "
                     "\"params\": {"
                     " \"output\": \"o\", \"graph\": { \"loam_graph\": 1, \"slots\": { \"from\":"
                     " \"points\" }, \"nodes\": { \"c\": " SPLIT(
                         "$from") " },"
                                  " \"outputs\": { \"o\": { \"node\": \"c#true\" } } } } } },"
                                  " \"outputs\": { \"o\": { \"node\": \"a\" }, \"p\": { \"node\": "
                                  "\"b#true\" } } }");
    cr_assert_eq(node("a.c")->inputs[0].side, LOAM_SIDE_FALSE);
    int32_t output = loam_graph_find_output(&document.graph, loam_text_of("o"));
    cr_assert_eq(document.graph.outputs[output].side, LOAM_SIDE_TRUE);
    cr_assert_eq(graph_write(&document, &first), LOAM_OK);
    const char *text = terminated(&first);
    cr_assert_not_null(strstr(text, "\"in\":{\"from\":\"b#false\"}"), "%s", text);
    cr_assert_not_null(strstr(text, "\"o\":{\"level\":0,\"node\":\"a\"}"), "%s", text);
    cr_assert_not_null(strstr(text, "\"p\":{\"level\":0,\"node\":\"b#true\"}"), "%s", text);
    canonical(text, &second);
    cr_assert_str_eq(terminated(&second), text);
}

/* A change that makes a fault of a status at a place. */
static void assert_refused(const char *from, const char *to, loam_status status,
                           const char *pointer) {
    cr_assert_neq(read(forest_with(around, from, to)), LOAM_OK, "%s", to);
    cr_assert(forest_has_fault(status, pointer), "%s", to);
    cr_assert_eq(forest_fault_count(), 1, "%s", to);
}

Test(subgraph, faults_of_the_node_are_named) {
    assert_refused("\"output\": \"thin\"", "\"output\": \"thick\"", LOAM_UNKNOWN_OUTPUT,
                   "/nodes/thin/params/output");
    assert_refused(", \"output\": \"thin\"", "", LOAM_MISSING_FIELD, "/nodes/thin/params/output");
    assert_refused("\"output\": \"thin\"", "\"output\": \"thin\", \"more\": 1",
                   LOAM_UNKNOWN_PARAMETER, "/nodes/thin/params/more");
    assert_refused("\"op\": \"subgraph\"", "\"op\": \"subgraph\", \"version\": 2",
                   LOAM_VERSION_UNAVAILABLE, "/nodes/thin/version");
    assert_refused("\"op\": \"subgraph\"", "\"op\": \"subgraph\", \"seed\": 7",
                   LOAM_SEED_OUT_OF_RANGE, "/nodes/thin/seed");
    assert_refused("\"op\": \"subgraph\"", "\"op\": \"subgraph\", \"more\": 7", LOAM_UNKNOWN_FIELD,
                   "/nodes/thin/more");
    assert_refused("\"from\": \"sites\"", "\"form\": \"sites\", \"from\": \"sites\"",
                   LOAM_UNKNOWN_PORT, "/nodes/thin/in/form");
    assert_refused("\"from\": \"sites\"", "\"from\": \"sights\"", LOAM_UNKNOWN_NODE,
                   "/nodes/thin/in/from");
    assert_refused("\"from\": \"sites\"", "\"from\": \"$village\"", LOAM_PORT_MISMATCH,
                   "/nodes/thin/in/from");
    assert_refused("\"zones\": \"$village\"", "\"zones\": \"$town\"", LOAM_UNKNOWN_SLOT,
                   "/nodes/thin/in/zones");
    assert_refused("\"key\": \"apart_m\"", "\"key\": \"apart\"", LOAM_UNKNOWN_PARAMETER,
                   "/parameters/apart/key");
    assert_refused("\"key\": \"apart_m\"", "\"key\": \"share\"", LOAM_UNKNOWN_PARAMETER,
                   "/parameters/apart/key");
    assert_refused("{ \"points\": \"thin\" }", "{ \"points\": \"thin#true\" }", LOAM_PORT_MISMATCH,
                   "/nodes/out/in/points");
    assert_refused("{ \"node\": \"thin\" }", "{ \"node\": \"thin#false\" }", LOAM_PORT_MISMATCH,
                   "/outputs/bare/node");
}

Test(subgraph, faults_inside_point_into_the_nested_document) {
    assert_refused("\"radius_m\": 3", "\"radius_m\": -3", LOAM_OUT_OF_RANGE,
                   "/nodes/thin/params/graph/nodes/spaced/params/radius_m");
    assert_refused("\"density.cull\"", "\"density.cut\"", LOAM_UNKNOWN_OPERATION,
                   "/nodes/thin/params/graph/nodes/few/op");
    assert_refused("\"params\": { \"radius_m\": 3 }", "\"params\": {}", LOAM_MISSING_FIELD,
                   "/nodes/thin/params/graph/nodes/spaced/params/radius_m");
    assert_refused("\"points\": \"$from\"", "\"points\": \"kept\"", LOAM_CYCLE,
                   "/nodes/thin/params/graph/nodes/spaced/in");
    assert_refused("\"from\": \"sites\", ", "", LOAM_MISSING_INPUT,
                   "/nodes/thin/params/graph/nodes/spaced/in/points");
    cr_assert_neq(read(AROUND(THIN, ", \"parameters\": { \"apart_m\": -1 }")), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_OUT_OF_RANGE, "/nodes/thin/params/parameters/apart_m"));
    cr_assert_neq(read(AROUND("7", "")), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_WRONG_TYPE, "/nodes/thin/params/graph"));
}

Test(subgraph, names_of_nodes_still_have_no_dot) {
    assert_refused("\"sites\": {",
                   "\"thin.kept\": { \"op\": \"grid.sample\","
                   " \"params\": { \"spacing_m\": 2 } }, \"sites\": {",
                   LOAM_BAD_NAME, "/nodes/thin.kept");
    cr_assert_neq(read(forest_with(around, "\"thin\": { \"op\": \"subgraph\"",
                                   "\"th.n\": { \"op\": \"subgraph\"")),
                  LOAM_OK);
    cr_assert(forest_has_fault(LOAM_BAD_NAME, "/nodes/th.n"));
}

Test(subgraph, what_a_digest_names_must_be_there) {
    cr_assert_neq(read(AROUND(ZEROS, "")), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_NOT_FOUND, "/nodes/thin/params/graph"));
    cr_assert_eq(graph_read(loam_text_of(AROUND(ZEROS, "")), NULL, forest_arena(), &document,
                            forest_faults()),
                 LOAM_NOT_FOUND, "without a resolver none is known");
    cr_assert_neq(read(AROUND("\"sha256-0\"", "")), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_BAD_NAME, "/nodes/thin/params/graph"));
}

#define ONLY(graph)                                                                                \
    "{ \"loam_graph\": 1, \"nodes\": { \"a\": { \"op\": \"subgraph\", \"params\": { "              \
    "\"graph\": " graph ", \"output\": \"o\" } } }, \"outputs\": { \"o\": { \"node\": \"a\" } } }"

Test(subgraph, a_graph_in_itself_is_a_cycle) {
    stored[0] = ONLY(ZEROS);
    cr_assert_neq(read(ONLY(ZEROS)), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_CYCLE, "/nodes/a/params/graph/nodes/a/params/graph"));
    stored[0] = ONLY(ONES);
    stored[1] = ONLY(ZEROS);
    cr_assert_neq(read(ONLY(ZEROS)), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_CYCLE,
                               "/nodes/a/params/graph/nodes/a/params/graph/nodes/a/params/graph"));
}

/* Graphs in graphs, so many around one with a single sampler. */
static char *nested(uint32_t depth) {
    size_t room = 512 + 256 * (size_t)depth;
    char *text = malloc(room);
    char *larger = malloc(room);
    snprintf(
        text, room,
        "{ \"loam_graph\": 1, \"nodes\": { \"a\": { \"op\": \"grid.sample\","
        " \"params\": { \"spacing_m\": 2 } } }, \"outputs\": { \"o\": { \"node\": \"a\" } } }");
    for (uint32_t i = 0; i < depth; i++) {
        snprintf(larger, room,
                 "{ \"loam_graph\": 1, \"nodes\": { \"a\": { \"op\": \"subgraph\", \"params\": "
                 "{ \"graph\": %s, \"output\": \"o\" } } }, \"outputs\": { \"o\": { \"node\": "
                 "\"a\" } } }",
                 text);
        char *swap = text;
        text = larger;
        larger = swap;
    }
    free(larger);
    return text;
}

Test(subgraph, graphs_nest_eight_deep_and_no_deeper) {
    char *text = nested(SUBGRAPH_DEPTH_MAX);
    assert_sound(text);
    cr_assert_eq(document.graph.node_count, 1);
    cr_assert_str_eq(document.graph.nodes[0].name.bytes, "a.a.a.a.a.a.a.a.a");
    free(text);
    text = nested(SUBGRAPH_DEPTH_MAX + 1);
    cr_assert_neq(read(text), LOAM_OK);
    cr_assert_eq(forest_fault()->status, LOAM_TOO_MANY);
    free(text);
}

/* `uses` subgraphs of three nodes each. */
static char *many(uint32_t uses) {
    char *text = malloc(1 << 20);
    int size = sprintf(text, "{ \"loam_graph\": 1, \"nodes\": { ");
    for (uint32_t i = 0; i < uses; i++) {
        size += sprintf(text + size,
                        "\"n%03u\": { \"op\": \"subgraph\", \"params\": { \"graph\": " ZEROS
                        ", \"output\": \"o\" } }, ",
                        i);
    }
    sprintf(text + size,
            "\"last\": { \"op\": \"grid.sample\", \"params\": { \"spacing_m\": 2 } } },"
            " \"outputs\": { \"o\": { \"node\": \"last\" } } }");
    return text;
}

Test(subgraph, nodes_are_counted_after_inlining) {
    stored[0] = "{ \"loam_graph\": 1, \"nodes\": {"
                " \"a\": { \"op\": \"grid.sample\", \"params\": { \"spacing_m\": 2 } },"
                " \"b\": { \"op\": \"density.cull\", \"in\": { \"points\": \"a\" } },"
                " \"c\": { \"op\": \"density.cull\", \"in\": { \"points\": \"b\" } } },"
                " \"outputs\": { \"o\": { \"node\": \"c\" } } }";
    char *text = many(85);
    assert_sound(text);
    cr_assert_eq(document.graph.node_count, NODES_MAX);
    free(text);
    text = many(86);
    cr_assert_neq(read(text), LOAM_OK);
    cr_assert_eq(forest_fault()->status, LOAM_TOO_MANY);
    free(text);
}

Test(subgraph, a_world_may_set_what_a_nested_graph_exposes) {
    char world_text[8192];
    world got;
    snprintf(world_text, sizeof world_text,
             "{ \"seed\": \"1\", \"graph\": %s, \"slots\": { \"village\": \"houses\" },"
             " \"parameters\": { \"apart\": 6 },"
             " \"grid\": { \"levels\": [ { \"cell_size_m\": 64 } ] } }",
             around);
    forest_read_world(world_text, &got);
    int32_t index = loam_graph_find_node(&got.graph, loam_text_of("thin.spaced"));
    cr_assert_eq(got.graph.nodes[index].params[0].integer, 6 * 256);
    static char again[8192];
    snprintf(again, sizeof again, "%.*s", (int)got.canonical.size, got.canonical.bytes);
    digest revision = got.revision;
    forest_read_world(again, &got);
    cr_assert(digest_equal(&revision, &got.revision));
}

Test(subgraph, an_arena_that_is_too_small_is_an_error_and_no_crash) {
    static unsigned char small[1 << 18];
    for (size_t size = 0; size < 120000; size += 1013) {
        loam_arena arena;
        loam_arena_init(&arena, small, size);
        loam_status status =
            graph_read(loam_text_of(around), &resolver, &arena, &document, forest_faults());
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL, "%zu: %s", size,
                  loam_status_code(status));
    }
}

Test(subgraph, the_flat_graph_survives_its_binary_form) {
    static unsigned char memory[1 << 18];
    assert_sound(around);
    cr_assert_eq(loam_graph_encode(&document.graph, buffer_sink(&first)), LOAM_OK);
    loam_arena arena;
    loam_graph decoded;
    loam_error error = {0};
    loam_arena_init(&arena, memory, sizeof memory);
    cr_assert_eq(loam_graph_decode(first.bytes, first.size, &arena, &decoded, &error), LOAM_OK,
                 "%s", error.text);
    cr_assert_eq(loam_graph_encode(&decoded, buffer_sink(&second)), LOAM_OK);
    cr_assert(loam_text_equal(buffer_view(&first), buffer_view(&second)));
}
