/* SPDX-License-Identifier: MIT
 *
 * test_graph_check.c: faults of whole graphs: all of them, each with its place.
 */
#include "tests/unit/core/graph/graph_text.h"

enum { FAULTS = 16 };

static uint32_t faults_of(const char *const *lines, loam_error *faults) {
    loam_graph graph;
    loam_arena arena = arena_of(1 << 22);
    graph_of_lines(&graph, &arena, lines);
    uint32_t count = loam_graph_faults(&graph, faults, FAULTS);
    const loam_plan *plan = NULL;
    loam_error error = {0};
    loam_status status = loam_plan_build(&graph, 1, &arena, &plan, &error);
    cr_expect_eq(status, count == 0 ? LOAM_OK : faults[0].status);
    cr_expect_str_eq(error.pointer, count == 0 ? "" : faults[0].pointer);
    return count;
}

static void expect_fault(const char *const *lines, loam_status status, const char *pointer) {
    loam_error faults[FAULTS];
    uint32_t count = faults_of(lines, faults);
    cr_expect_eq(count, 1, "%u faults", count);
    cr_expect_eq(faults[0].status, status, "%s", loam_status_code(faults[0].status));
    cr_expect_str_eq(faults[0].pointer, pointer);
    cr_expect_str_neq(faults[0].text, "");
}

Test(graph_check, a_whole_graph_has_no_faults) {
    loam_error faults[FAULTS];
    const char *const lines[] = {"$t heightfield",
                                 "$z areas",
                                 "s surface.sample spacing_m=9 surface<$t",
                                 "x zone.exclude points<s zones<$z",
                                 "=o x",
                                 NULL};
    cr_expect_eq(faults_of(lines, faults), 0);
}

Test(graph_check, a_missing_input_is_named) {
    const char *const lines[] = {"s surface.sample spacing_m=9", "=o s", NULL};
    expect_fault(lines, LOAM_MISSING_INPUT, "/nodes/s/in/surface");
    const char *const merge[] = {"s grid.sample spacing_m=9", "m merge a<s", "=o m", NULL};
    expect_fault(merge, LOAM_MISSING_INPUT, "/nodes/m/in/b");
}

Test(graph_check, a_missing_parameter_is_named) {
    const char *const lines[] = {"s grid.sample", "=o s", NULL};
    expect_fault(lines, LOAM_MISSING_FIELD, "/nodes/s/params/spacing_m");
}

Test(graph_check, a_graph_without_outputs_is_faulty) {
    const char *const lines[] = {"s grid.sample spacing_m=9", NULL};
    expect_fault(lines, LOAM_MISSING_FIELD, "/outputs");
}

Test(graph_check, an_empty_graph_lacks_an_output_only) {
    const char *const lines[] = {NULL};
    expect_fault(lines, LOAM_MISSING_FIELD, "/outputs");
}

Test(graph_check, slots_of_another_kind_do_not_fit) {
    const char *const lines[] = {"$z areas", "s surface.sample spacing_m=9 surface<$z", "=o s",
                                 NULL};
    expect_fault(lines, LOAM_PORT_MISMATCH, "/nodes/s/in/surface");
    const char *const points[] = {"$z areas", "f filter.slope points<$z", "=o f", NULL};
    expect_fault(points, LOAM_PORT_MISMATCH, "/nodes/f/in/points");
    const char *const node[] = {"g grid.sample spacing_m=9",
                                "s surface.sample spacing_m=9 surface<g", "=o s", NULL};
    expect_fault(node, LOAM_PORT_MISMATCH, "/nodes/s/in/surface");
}

Test(graph_check, points_of_a_slot_do_not_go_into_a_filter) {
    const char *const lines[] = {"$p points", "f filter.slope points<$p", "=o f", NULL};
    expect_fault(lines, LOAM_PORT_MISMATCH, "/nodes/f/in/points");
}

Test(graph_check, sides_of_what_is_no_branch_are_faulty) {
    const char *const lines[] = {"g grid.sample spacing_m=9", "f filter.slope points<g#true",
                                 "=o f", NULL};
    expect_fault(lines, LOAM_PORT_MISMATCH, "/nodes/f/in/points");
    const char *const output[] = {"g grid.sample spacing_m=9", "=o g#false", NULL};
    expect_fault(output, LOAM_PORT_MISMATCH, "/outputs/o/node");
}

Test(graph_check, parameters_that_contradict_each_other_are_named) {
    const char *const band[] = {"g grid.sample spacing_m=9",
                                "f filter.height min_m=3 max_m=2 points<g", "=o f", NULL};
    expect_fault(band, LOAM_OUT_OF_RANGE, "/nodes/f/params");
    const char *const scales[] = {"g grid.sample spacing_m=9",
                                  "f transform.scatter scale_min=5000 points<g", "=o f", NULL};
    expect_fault(scales, LOAM_OUT_OF_RANGE, "/nodes/f/params");
    const char *const priority[] = {"g grid.sample spacing_m=9",
                                    "f self.prune radius_m=9 priority=2 points<g", "=o f", NULL};
    expect_fault(priority, LOAM_MISSING_FIELD, "/nodes/f/params");
}

/* "before" leads into the cycle b -> c -> d -> b, and "after" hangs from it: neither is of it. */
Test(graph_check, a_cycle_names_a_node_of_the_cycle) {
    const char *const lines[] = {"after filter.slope points<b",
                                 "before grid.sample spacing_m=9",
                                 "b merge a<before b<d",
                                 "c filter.slope points<b",
                                 "d filter.slope points<c",
                                 "end filter.slope points<after",
                                 "=o end",
                                 NULL};
    loam_error faults[FAULTS];
    cr_assert_eq(faults_of(lines, faults), 1);
    cr_expect_eq(faults[0].status, LOAM_CYCLE);
    cr_expect(strcmp(faults[0].pointer, "/nodes/b/in") == 0 ||
                  strcmp(faults[0].pointer, "/nodes/c/in") == 0 ||
                  strcmp(faults[0].pointer, "/nodes/d/in") == 0,
              "%s", faults[0].pointer);
}

Test(graph_check, a_node_that_is_its_own_source_is_a_cycle) {
    const char *const lines[] = {"f filter.slope points<f", "=o f", NULL};
    expect_fault(lines, LOAM_CYCLE, "/nodes/f/in");
}

Test(graph_check, all_faults_are_found_and_counted_beyond_the_room_for_them) {
    const char *const lines[] = {"a surface.sample", "b filter.height points<c", "c merge a<b b<b",
                                 NULL};
    loam_error faults[FAULTS];
    uint32_t count = faults_of(lines, faults);
    /* an input and a spacing; two ends; no output; a cycle */
    cr_expect_eq(count, 6);
    loam_graph graph;
    loam_arena arena = arena_of(1 << 22);
    graph_of_lines(&graph, &arena, lines);
    loam_error two[3] = {{0}, {0}, {.status = LOAM_IO}};
    cr_expect_eq(loam_graph_faults(&graph, two, 2), 6);
    cr_expect_str_eq(two[1].pointer, faults[1].pointer);
    cr_expect_eq(two[2].status, LOAM_IO, "beyond the room nothing is written");
    cr_expect_eq(loam_graph_faults(&graph, NULL, 0), 6);
}
