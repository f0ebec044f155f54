/* SPDX-License-Identifier: MIT
 *
 * test_validation_write.c: the verdict on a graph, sound and unsound.
 */
#include "api/wire/validation_write.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static text_buffer buffer;
static unsigned char *memory;
static json_t *root;

static void init(void) {
    buffer_init(&buffer, 1 << 20);
    memory = malloc(VALIDATION_ARENA_BYTES);
}

static void fini(void) {
    buffer_fini(&buffer);
    free(memory);
    json_decref(root);
    forest_fini();
}

TestSuite(validation_write, .init = init, .fini = fini);

static loam_status find_graph(void *context, const digest *id, loam_text *document) {
    (void)context;
    return forest_resolver.find_graph(forest_resolver.context, id, document);
}

static const graph_resolver stored_graphs = {.find_graph = find_graph};

static loam_status judge(const char *json, uint32_t cell_size_m) {
    loam_arena arena;
    loam_arena_init(&arena, memory, VALIDATION_ARENA_BYTES);
    buffer_clear(&buffer);
    return validation_write(loam_text_of(json), &stored_graphs, cell_size_m, &arena, &buffer,
                            forest_faults());
}

static json_t *verdict(const char *json, uint32_t cell_size_m) {
    cr_assert_eq(judge(json, cell_size_m), LOAM_OK);
    json_decref(root);
    root = json_loadb(buffer.bytes, buffer.size, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(root, "%.*s", (int)buffer.size, buffer.bytes);
    return root;
}

static json_t *at(json_t *value, const char *a, const char *b) {
    return json_object_get(json_object_get(value, a), b);
}

Test(validation_write, a_sound_graph_is_valid_with_reach_and_cost) {
    json_t *got = verdict(forest_graph, 256);
    cr_assert(json_is_true(json_object_get(got, "valid")));
    cr_assert_eq(json_array_size(json_object_get(got, "faults")), 0);
    cr_assert_eq(json_array_size(json_object_get(got, "warnings")), 0);
    /* (2*3 - 1) * (308 - 1) units */
    cr_assert_eq(json_real_value(at(got, "reach_m", "trees")), 5 * 307 / 256.0);
    cr_assert_eq(json_real_value(at(json_object_get(got, "effective"), "sites", "spacing_m")),
                 0.6015625);
    json_t *cost = at(got, "estimate", "trees");
    cr_assert_gt(json_integer_value(json_object_get(cost, "candidates_per_cell")), 181000);
    cr_assert_gt(json_integer_value(json_object_get(cost, "arena_bytes")), 0);
}

static const char *added_value(const json_t *got, const char *pointer) {
    size_t i;
    json_t *note;
    json_array_foreach(json_object_get(got, "added"), i, note) {
        if (strcmp(json_string_value(json_object_get(note, "pointer")), pointer) == 0) {
            return json_string_value(json_object_get(note, "detail"));
        }
    }
    return NULL;
}

Test(validation_write, what_the_document_leaves_out_is_noted_and_nothing_else) {
    json_t *got = verdict(forest_graph, 256);
    cr_assert_str_eq(added_value(got, "/nodes/sites/version"), "1");
    cr_assert_str_eq(added_value(got, "/nodes/sites/params/jitter"), "1");
    cr_assert_null(added_value(got, "/nodes/sites/params/spacing_m"));
}

Test(validation_write, nothing_is_added_to_a_canonical_graph) {
    static char memory_[GRAPH_ARENA_BYTES];
    loam_arena arena;
    graph_document document;
    text_buffer canonical;
    loam_arena_init(&arena, memory_, sizeof memory_);
    buffer_init(&canonical, 1 << 20);
    cr_assert_eq(graph_read(loam_text_of(forest_graph), NULL, &arena, &document, forest_faults()),
                 LOAM_OK);
    cr_assert_eq(graph_write(&document, &canonical), LOAM_OK);
    buffer_add(&canonical, "", 1);
    json_t *got = verdict(canonical.bytes, 256);
    cr_assert_eq(json_array_size(json_object_get(got, "added")), 0);
    buffer_fini(&canonical);
}

Test(validation_write, faults_are_listed_with_their_places) {
    const char *json = forest_with(forest_graph, "\"max_deg\": 25", "\"max_deg\": 91");
    json_t *got = verdict(forest_with(json, "filter.height", "filter.hight"), 256);
    cr_assert(json_is_false(json_object_get(got, "valid")));
    json_t *faults = json_object_get(got, "faults");
    cr_assert_eq(json_array_size(faults), 2);
    json_t *first = json_array_get(faults, 0);
    cr_assert_str_eq(json_string_value(json_object_get(first, "code")), "out-of-range");
    cr_assert_str_eq(json_string_value(json_object_get(first, "pointer")),
                     "/nodes/gentle/params/max_deg");
    cr_assert_gt(json_string_length(json_object_get(first, "detail")), 0);
}

Test(validation_write, a_cycle_is_a_fault_and_no_endless_loop) {
    json_t *got =
        verdict(forest_with(forest_graph, "\"points\": \"sites\"", "\"points\": \"kept\""), 256);
    cr_assert(json_is_false(json_object_get(got, "valid")));
    json_t *first = json_array_get(json_object_get(got, "faults"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(first, "code")), "cycle");
}

Test(validation_write, what_no_output_needs_is_a_warning) {
    const char *json = forest_with(forest_graph, "\"village\": \"areas\"",
                                   "\"village\": \"areas\", \"roads\": \"lines\"");
    json = forest_with(json, "\"sites\": ",
                       "\"spare\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 9}}, "
                       "\"sites\": ");
    json_t *got = verdict(json, 256);
    cr_assert(json_is_true(json_object_get(got, "valid")));
    json_t *warnings = json_object_get(got, "warnings");
    cr_assert_eq(json_array_size(warnings), 2);
    json_t *first = json_array_get(warnings, 0);
    cr_assert_str_eq(json_string_value(json_object_get(first, "pointer")), "/nodes/spare");
}

static const char *warning(json_t *got, size_t index, const char *key) {
    json_t *warnings = json_object_get(got, "warnings");
    return json_string_value(json_object_get(json_array_get(warnings, index), key));
}

Test(validation_write, a_parameter_of_a_node_that_no_output_needs_is_a_warning) {
    const char *json = forest_with(forest_graph, "\"sites\": ",
                                   "\"spare\": {\"op\": \"grid.sample\", \"params\":"
                                   " {\"spacing_m\": 9}}, \"sites\": ");
    json = forest_with(json, "\"parameters\": {",
                       "\"parameters\": { \"other\": { \"node\": \"spare\","
                       " \"key\": \"spacing_m\" },");
    json_t *got = verdict(json, 256);
    cr_assert_eq(json_array_size(json_object_get(got, "warnings")), 2);
    cr_assert_str_eq(warning(got, 1, "code"), "unused-parameter");
    cr_assert_str_eq(warning(got, 1, "pointer"), "/parameters/other");
}

#define NESTED                                                                                     \
    "\"nested\": { \"op\": \"subgraph\", \"params\": { \"output\": \"o\", \"graph\":"              \
    " { \"loam_graph\": 1, \"nodes\": { \"a\": { \"op\": \"grid.sample\","                         \
    " \"params\": { \"spacing_m\": 2 } }, \"b\": { \"op\": \"density.cull\","                      \
    " \"in\": { \"points\": \"a\" } } }, \"outputs\": { \"o\": { \"node\": \"b\" } } } } }, "

Test(validation_write, a_subgraph_that_no_output_needs_is_one_warning) {
    json_t *got = verdict(forest_with(forest_graph, "\"sites\": ", NESTED "\"sites\": "), 256);
    cr_assert(json_is_true(json_object_get(got, "valid")));
    cr_assert_eq(json_array_size(json_object_get(got, "warnings")), 1);
    cr_assert_str_eq(warning(got, 0, "pointer"), "/nodes/nested");
    cr_assert_not_null(at(json_object_get(got, "effective"), "nested.a", "spacing_m"));
}

/* The forest with a node behind its veto; `out` stands for the output's node. */
static json_t *verdict_behind_veto(const char *node) {
    char with[256];
    snprintf(with, sizeof with, "%s, \"trees\": ", node);
    const char *json = forest_with(forest_graph, "\"trees\": ", with);
    return verdict(forest_with(json, "{ \"node\": \"trees\"", "{ \"node\": \"late\""), 256);
}

#define LATE(op, from, params)                                                                     \
    "\"late\": { \"op\": \"" op "\", \"in\": { \"points\": \"" from "\" }, \"params\": { " params  \
    " } }"

static uint32_t count_moved_late(json_t *got) {
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(got, "warnings")); i++) {
        bool moved = strcmp(warning(got, i, "code"), "moved-late") == 0;
        cr_expect(!moved || strcmp(warning(got, i, "pointer"), "/nodes/late") == 0);
        count += moved;
    }
    cr_expect(json_is_true(json_object_get(got, "valid")));
    return count;
}

Test(validation_write, points_that_are_moved_behind_a_prune_or_a_veto_are_a_warning) {
    cr_expect_eq(
        count_moved_late(verdict_behind_veto(LATE("jitter", "kept", "\"x_m\": 1, \"z_m\": 1"))), 1,
        "behind a veto");
    cr_expect_eq(
        count_moved_late(verdict_behind_veto(LATE("jitter", "trees", "\"x_m\": 1, \"z_m\": 1"))), 1,
        "with a node between");
    cr_expect_eq(
        count_moved_late(verdict_behind_veto(LATE("jitter", "spaced", "\"x_m\": 1, \"z_m\": 1"))),
        1, "behind a prune");
    cr_expect_eq(
        count_moved_late(verdict_behind_veto(LATE("transform", "kept", "\"offset_m\": [0, 0, 1]"))),
        1);
    cr_expect_eq(
        count_moved_late(verdict_behind_veto(LATE("transform", "kept", "\"scale\": [2, 2, 2]"))), 0,
        "it turns and scales in place");
    cr_expect_eq(
        count_moved_late(verdict_behind_veto(LATE("jitter", "band", "\"x_m\": 1, \"z_m\": 1"))), 0,
        "before them");
}

Test(validation_write, a_cell_beyond_the_budget_is_a_fault) {
    const char *json = forest_with(forest_graph, "\"spacing_m\": 0.6", "\"spacing_m\": 0.01");
    json_t *got = verdict(json, 256);
    cr_assert(json_is_false(json_object_get(got, "valid")));
    json_t *first = json_array_get(json_object_get(got, "faults"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(first, "code")), "budget-exceeded");
    cr_assert_null(at(got, "estimate", "trees"));
}

Test(validation_write, diamonds_do_not_blow_up) {
    char *json = malloc(1 << 16);
    int size = sprintf(json, "{\"loam_graph\":1,\"nodes\":{\"n0\":{\"op\":\"grid.sample\","
                             "\"params\":{\"spacing_m\":64}}");
    for (int i = 1; i < 200; i++) {
        size += sprintf(json + size,
                        ",\"n%d\":{\"op\":\"merge\",\"in\":{\"a\":\"n%d\","
                        "\"b\":\"n%d\",\"c\":\"n%d\",\"d\":\"n%d\"}}",
                        i, i - 1, i - 1, i - 1, i - 1);
    }
    sprintf(json + size, "},\"outputs\":{\"all\":{\"node\":\"n199\"}}}");
    json_t *got = verdict(json, 256);
    cr_assert(json_is_false(json_object_get(got, "valid")));
    json_t *first = json_array_get(json_object_get(got, "faults"), 0);
    cr_assert_str_eq(json_string_value(json_object_get(first, "code")), "budget-exceeded");
    free(json);
}

Test(validation_write, what_does_not_parse_is_an_error_and_writes_nothing) {
    cr_assert_eq(judge("{\"loam_graph\":", 256), LOAM_MALFORMED);
    cr_assert_eq(buffer.size, 0);
}
