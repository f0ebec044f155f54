/* SPDX-License-Identifier: MIT
 *
 * test_graph_read.c: graph documents that are wrong, each with the place that is said to be wrong.
 */
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(graph_read, .fini = forest_fini);

static loam_graph graph;

static loam_status read(const char *json) {
    graph_document document;
    loam_status status =
        graph_read(loam_text_of(json), NULL, forest_arena(), &document, forest_faults());
    graph = document.graph;
    return status;
}

/* The forest with one change has a fault there, and is refused for it. */
static void assert_refused(const char *from, const char *to, loam_status status,
                           const char *pointer) {
    const char *json = forest_with(forest_graph, from, to);
    cr_assert_neq(read(json), LOAM_OK, "%s", to);
    cr_assert(forest_has_fault(status, pointer), "%s: %s at %s", to, loam_status_code(status),
              pointer);
}

Test(graph_read, the_forest_of_the_contract_is_sound) {
    cr_assert_eq(read(forest_graph), LOAM_OK);
    cr_assert_eq(graph.node_count, 8);
    cr_assert_eq(graph.slot_count, 2);
    cr_assert_eq(graph.output_count, 1);
    cr_assert_eq(graph.exposed_count, 1);
    int32_t sites = loam_graph_find_node(&graph, loam_text_of("sites"));
    cr_assert_geq(sites, 0);
    cr_assert_eq(graph.nodes[sites].params[0].integer, 154, "0.6 m up to units");
}

Test(graph_read, unknown_names_are_named) {
    assert_refused("filter.slope", "filter.slop", LOAM_UNKNOWN_OPERATION, "/nodes/gentle/op");
    assert_refused("max_deg", "max_dgr", LOAM_UNKNOWN_PARAMETER, "/nodes/gentle/params/max_dgr");
    assert_refused("\"loam_graph\"", "\"extra\": 1, \"loam_graph\"", LOAM_UNKNOWN_FIELD, "/extra");
    assert_refused("\"op\": \"filter.slope\"", "\"op\": \"filter.slope\", \"prams\": {}",
                   LOAM_UNKNOWN_FIELD, "/nodes/gentle/prams");
    assert_refused("\"points\": \"sites\"", "\"ponts\": \"sites\"", LOAM_UNKNOWN_PORT,
                   "/nodes/gentle/in/ponts");
    assert_refused("\"points\": \"sites\"", "\"points\": \"sits\"", LOAM_UNKNOWN_NODE,
                   "/nodes/gentle/in/points");
    assert_refused("\"$terrain\"", "\"$terain\"", LOAM_UNKNOWN_SLOT, "/nodes/sites/in/surface");
    assert_refused("\"node\": \"sites\"", "\"node\": \"sits\"", LOAM_UNKNOWN_NODE,
                   "/parameters/spacing_m/node");
    assert_refused("\"key\": \"spacing_m\"", "\"key\": \"spacing\"", LOAM_UNKNOWN_PARAMETER,
                   "/parameters/spacing_m/key");
    assert_refused("{ \"node\": \"trees\"", "{ \"node\": \"tres\"", LOAM_UNKNOWN_NODE,
                   "/outputs/trees/node");
    assert_refused("\"areas\"", "\"area\"", LOAM_OUT_OF_RANGE, "/slots/village");
}

Test(graph_read, wrong_types_are_named) {
    assert_refused("\"max_deg\": 25", "\"max_deg\": \"25\"", LOAM_WRONG_TYPE,
                   "/nodes/gentle/params/max_deg");
    assert_refused("\"octaves\": 2", "\"octaves\": 2.5", LOAM_WRONG_TYPE,
                   "/nodes/field/params/octaves");
    assert_refused("\"asset\": \"pine\"", "\"asset\": 1", LOAM_WRONG_TYPE,
                   "/nodes/trees/params/asset");
    assert_refused("{ \"points\": \"sites\" }", "\"sites\"", LOAM_WRONG_TYPE, "/nodes/gentle/in");
    assert_refused("{ \"max_deg\": 25 }", "[25]", LOAM_WRONG_TYPE, "/nodes/gentle/params");
    assert_refused("\"loam_graph\": 1", "\"loam_graph\": \"1\"", LOAM_WRONG_TYPE, "/loam_graph");
    assert_refused("\"loam_graph\": 1", "\"loam_graph\": 2", LOAM_OUT_OF_RANGE, "/loam_graph");
    assert_refused("\"level\": 0", "\"level\": 16", LOAM_OUT_OF_RANGE, "/outputs/trees/level");
    cr_assert_eq(read("[]"), LOAM_WRONG_TYPE);
    cr_assert_eq(read("{}"), LOAM_MISSING_FIELD);
    cr_assert(forest_has_fault(LOAM_MISSING_FIELD, "/loam_graph"));
    cr_assert_eq(read("{\"loam_graph\":1}"), LOAM_MISSING_FIELD);
    cr_assert(forest_has_fault(LOAM_MISSING_FIELD, "/nodes"));
}

Test(graph_read, numbers_out_of_range_are_named) {
    assert_refused("\"max_deg\": 25", "\"max_deg\": 91", LOAM_OUT_OF_RANGE,
                   "/nodes/gentle/params/max_deg");
    assert_refused("\"spacing_m\": 0.6", "\"spacing_m\": 0", LOAM_OUT_OF_RANGE,
                   "/nodes/sites/params/spacing_m");
    assert_refused("\"spacing_m\": 0.6", "\"spacing_m\": -1", LOAM_OUT_OF_RANGE,
                   "/nodes/sites/params/spacing_m");
    assert_refused("\"octaves\": 2", "\"octaves\": 9", LOAM_OUT_OF_RANGE,
                   "/nodes/field/params/octaves");
    assert_refused("\"yaw\": \"random\"", "\"yaw\": \"up\"", LOAM_OUT_OF_RANGE,
                   "/nodes/trees/params/yaw");
}

Test(graph_read, cycles_and_missing_inputs_are_named) {
    const char *json = forest_with(forest_graph, "\"points\": \"sites\"", "\"points\": \"kept\"");
    cr_assert_eq(read(json), LOAM_CYCLE);
    json = forest_with(forest_graph, "{ \"points\": \"sites\" }", "{ }");
    cr_assert_eq(read(json), LOAM_MISSING_INPUT);
    cr_assert_eq(strncmp(forest_fault()->pointer, "/nodes/gentle", 13), 0);
}

Test(graph_read, a_missing_parameter_is_named) {
    assert_refused("{ \"radius_m\": 1.2 }", "{ }", LOAM_MISSING_FIELD,
                   "/nodes/spaced/params/radius_m");
}

Test(graph_read, ports_take_only_their_kind) {
    assert_refused("\"zones\": \"$village\"", "\"zones\": \"$terrain\"", LOAM_PORT_MISMATCH,
                   "/nodes/kept/in/zones");
}

Test(graph_read, sides_belong_to_branches_alone) {
    assert_refused("\"points\": \"sites\"", "\"points\": \"sites#true\"", LOAM_PORT_MISMATCH,
                   "/nodes/gentle/in/points");
    assert_refused("\"points\": \"sites\"", "\"points\": \"sites#maybe\"", LOAM_UNKNOWN_NODE,
                   "/nodes/gentle/in/points");
    assert_refused("{ \"node\": \"trees\"", "{ \"node\": \"trees#false\"", LOAM_PORT_MISMATCH,
                   "/outputs/trees/node");
    const char *json = forest_with(forest_graph, "{ \"op\": \"density.cull\",",
                                   "{ \"op\": \"branch\", \"params\": { \"name\": \"$density\","
                                   " \"op\": \"lt\", \"value\": 0.5 },");
    cr_assert_neq(read(json), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_PORT_MISMATCH, "/nodes/spaced/in/points"), "a side is missing");
    cr_assert_eq(read(forest_with(json, "\"drawn\" }", "\"drawn#false\" }")), LOAM_OK);
}

Test(graph_read, a_document_of_another_version_is_told_which_this_build_reads) {
    assert_refused("\"loam_graph\": 1", "\"loam_graph\": 0", LOAM_OUT_OF_RANGE, "/loam_graph");
    cr_assert_not_null(strstr(forest_fault()->text, "reads graph documents of version 1, not 0"));
    assert_refused("\"loam_graph\": 1", "\"loam_graph\": 2", LOAM_OUT_OF_RANGE, "/loam_graph");
}

Test(graph_read, versions_and_seeds_are_judged) {
    assert_refused("\"op\": \"density.cull\"", "\"op\": \"density.cull\", \"version\": 99",
                   LOAM_VERSION_UNAVAILABLE, "/nodes/drawn/version");
    assert_refused("\"op\": \"density.cull\"", "\"op\": \"density.cull\", \"version\": 0",
                   LOAM_OUT_OF_RANGE, "/nodes/drawn/version");
    assert_refused("\"op\": \"density.cull\"", "\"op\": \"density.cull\", \"seed\": 7",
                   LOAM_SEED_OUT_OF_RANGE, "/nodes/drawn/seed");
    cr_assert_eq(read(forest_with(forest_graph, "\"op\": \"density.cull\"",
                                  "\"op\": \"density.cull\", \"seed\": \"7\", \"version\": 1")),
                 LOAM_OK);
    int32_t drawn = loam_graph_find_node(&graph, loam_text_of("drawn"));
    cr_assert(graph.nodes[drawn].seed_pinned);
    cr_assert_eq(graph.nodes[drawn].seed, 7);
}

Test(graph_read, names_must_be_legal) {
    assert_refused("\"gentle\":", "\"Gentle\":", LOAM_BAD_NAME, "/nodes/Gentle");
    assert_refused("\"gentle\":", "\"gen.tle\":", LOAM_BAD_NAME, "/nodes/gen.tle");
    assert_refused("\"village\": \"areas\"", "\"vil~lage/\": \"areas\"", LOAM_BAD_NAME,
                   "/slots/vil~0lage~1");
}

Test(graph_read, a_refused_node_causes_no_second_fault) {
    const char *json = forest_with(forest_graph, "surface.sample", "surface.smple");
    cr_assert_eq(read(json), LOAM_UNKNOWN_OPERATION);
    cr_assert(forest_has_fault(LOAM_UNKNOWN_OPERATION, "/nodes/sites/op"));
    cr_assert_eq(forest_fault_count(), 1);
}

Test(graph_read, many_mistakes_are_all_found) {
    const char *json = forest_with(forest_graph, "\"max_deg\": 25", "\"max_deg\": 91");
    json = forest_with(json, "\"octaves\": 2", "\"octave\": 2");
    json = forest_with(json, "\"points\": \"drawn\"", "\"points\": \"nobody\"");
    cr_assert_neq(read(json), LOAM_OK);
    cr_assert(forest_has_fault(LOAM_OUT_OF_RANGE, "/nodes/gentle/params/max_deg"));
    cr_assert(forest_has_fault(LOAM_UNKNOWN_PARAMETER, "/nodes/field/params/octave"));
    cr_assert(forest_has_fault(LOAM_UNKNOWN_NODE, "/nodes/spaced/in/points"));
}

/* A chain of `count` nodes: a sampler and filters. */
static char *chain(int count) {
    char *json = malloc(200 + (size_t)count * 100);
    int size = sprintf(json, "{\"loam_graph\":1,\"nodes\":{\"n0\":{\"op\":\"grid.sample\","
                             "\"params\":{\"spacing_m\":8}}");
    for (int i = 1; i < count; i++) {
        size += sprintf(json + size,
                        ",\"n%d\":{\"op\":\"filter.density\",\"in\":"
                        "{\"points\":\"n%d\"}}",
                        i, i - 1);
    }
    sprintf(json + size, "},\"outputs\":{\"all\":{\"node\":\"n%d\"}}}", count - 1);
    return json;
}

Test(graph_read, nodes_are_allowed_to_256_and_refused_at_300) {
    char *most = chain(256);
    cr_assert_eq(read(most), LOAM_OK);
    free(most);
    char *many = chain(300);
    cr_assert_eq(read(many), LOAM_TOO_MANY);
    cr_assert(forest_has_fault(LOAM_TOO_MANY, "/nodes"));
    free(many);
}

Test(graph_read, an_arena_that_is_too_small_is_an_error_and_no_crash) {
    static unsigned char small[1 << 16];
    for (size_t size = 0; size < 40000; size += 517) {
        loam_arena arena;
        graph_document document;
        loam_arena_init(&arena, small, size);
        loam_status status =
            graph_read(loam_text_of(forest_graph), NULL, &arena, &document, forest_faults());
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL, "%zu: %s", size,
                  loam_status_code(status));
    }
}
