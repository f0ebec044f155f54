/* SPDX-License-Identifier: MIT
 *
 * test_line_filter.c: filter.line_distance by hand: both ends of its band, its exact reach, and
 * what is a fault.
 */
#include "core/graph/graph.h"
#include "core/space/lines.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { METRE = LOAM_UNITS_PER_METRE };

static const loam_lines *line_at(loam_arena *arena, int64_t x) {
    const int64_t xz[] = {x, -100000, x, 100000};
    const loam_line line = {.xz = xz, .count = 2, .key = 1};
    const loam_lines_source source = {&line, 1};
    const loam_lines *lines = NULL;
    cr_assert_eq(loam_lines_build(&source, arena, &lines, NULL), LOAM_OK);
    return lines;
}

/* Sites at 0, 10, 20 ... m along x and z, against a line at x. */
static sketch *filtered(const char *band, int64_t x) {
    char node[128];
    snprintf(node, sizeof node, "near filter.line_distance %s points<sites lines<$way", band);
    const char *const text[] = {"$way lines", "sites grid.sample spacing_m=2560 jitter=0", node,
                                "=points near", NULL};
    sketch *graph = sketch_of(text, 1);
    graph->slots[0].lines = line_at(&graph->arena, x);
    return graph;
}

static const loam_rect cell = {0, 0, 100 * METRE, 10 * METRE};

static uint32_t count_of(const char *band, int64_t x) {
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(filtered(band, x), cell, &points, &error), LOAM_OK, "%s", error.text);
    return points.count;
}

Test(line_filter, both_ends_of_the_band_belong_to_it) {
    cr_expect_eq(count_of("max_m=2560", 5120), 3, "10, 20 and 30 m");
    cr_expect_eq(count_of("max_m=2559", 5120), 1);
    cr_expect_eq(count_of("min_m=2560 max_m=5120", 5120), 4, "0, 10, 30 and 40 m");
    cr_expect_eq(count_of("min_m=2561 max_m=5120", 5120), 2);
    cr_expect_eq(count_of("max_m=0", 5120), 1, "on the line");
    cr_expect_eq(count_of("max_m=0", 5121), 0);
}

Test(line_filter, inverted_it_keeps_the_others_and_those_far_from_every_line) {
    cr_expect_eq(count_of("max_m=2560 invert=1", 5120), 7);
    cr_expect_eq(count_of("min_m=2561 max_m=5120 invert=1", 5120), 8);
    cr_expect_eq(count_of("max_m=2560 invert=1", -90000), 10);
    cr_expect_eq(count_of("max_m=2560", -90000), 0);
}

Test(line_filter, the_reach_is_the_largest_distance_and_no_unit_more) {
    /* The first site is at x = 0. */
    cr_expect_eq(count_of("max_m=771", -771), 1);
    cr_expect_eq(count_of("max_m=771", -772), 0);
    sketch *seen = filtered("max_m=771", -771), *unseen = filtered("max_m=771", -772);
    sketch *nothing = filtered("max_m=771", -99999);
    cr_expect_eq(loam_plan_reach(seen->plan, 0), 771);
    cr_expect_neq(sketch_key(seen, cell), sketch_key(nothing, cell));
    cr_expect_eq(sketch_key(unseen, cell), sketch_key(nothing, cell));
    cr_expect_eq(lines_segment_count(seen->slots[0].lines, cell, 770), 0,
                 "a reach less one unit sees nothing");
}

Test(line_filter, a_band_the_wrong_way_round_is_a_fault) {
    const char *const text[] = {"$way lines", "sites grid.sample spacing_m=2560",
                                "near filter.line_distance min_m=2 max_m=1 points<sites "
                                "lines<$way",
                                "=points near", NULL};
    sketch *graph = NULL;
    loam_error error = {0};
    loam_status status = sketch_read(text, &graph, &error);
    if (status == LOAM_OK) {
        cr_assert_eq(loam_graph_faults(&graph->graph, &error, 1), 1);
    }
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, "/nodes/near/params");
}
