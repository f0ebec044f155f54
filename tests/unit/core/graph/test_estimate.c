/* SPDX-License-Identifier: MIT
 *
 * test_estimate.c: budgets are enforced before anything is allocated, and an estimate is a bound of
 * what an evaluation takes.
 */
#include "core/base/limits.h"
#include "tests/unit/core/graph/graph_text.h"

enum { METRE = LOAM_UNITS_PER_METRE };

static loam_status build_in(graph_scene *scene, size_t arena_bytes, size_t *peak,
                            loam_error *error) {
    unsigned char *exact = aligned_alloc(64, (arena_bytes + 127) / 64 * 64);
    loam_arena arena;
    loam_arena_init(&arena, exact, arena_bytes);
    loam_run run = {.arena = &arena};
    loam_points points;
    loam_status status = loam_cell_build(&scene->query, &run, &points, error);
    *peak = arena.peak;
    free(exact);
    return status;
}

/* The estimate is refused, and so is the cell, which has not touched its arena. */
static void expect_over_budget(const char *const *lines, int64_t side, const char *pointer) {
    graph_scene *scene = scene_of_lines(lines, 1);
    loam_estimate estimate;
    loam_error error = {0}, again = {0};
    size_t peak;
    scene->query.rect = (loam_rect){0, 0, side, side};
    cr_expect_eq(loam_plan_estimate(scene->query.plan, 0, scene->query.rect, &estimate, &error),
                 LOAM_BUDGET_EXCEEDED);
    cr_expect_str_eq(error.pointer, pointer);
    cr_expect_not_null(strstr(error.text, "more than"), "%s", error.text);
    cr_expect_eq(build_in(scene, 1 << 20, &peak, &again), LOAM_BUDGET_EXCEEDED);
    cr_expect_eq(peak, 0, "before anything is allocated");
    cr_expect_str_eq(again.text, error.text);
}

Test(estimate, a_spacing_too_small_is_refused_before_anything_is_allocated) {
    const char *const lines[] = {"s grid.sample spacing_m=1", "=o s", NULL};
    expect_over_budget(lines, 256 * METRE, "/nodes/s");
    expect_over_budget(lines, RECT_SIDE_UNITS_MAX, "/nodes/s");
}

Test(estimate, many_samplers_together_pass_the_budget_of_a_cell) {
    const char *const lines[] = {"a grid.sample spacing_m=24",
                                 "b grid.sample spacing_m=24",
                                 "c grid.sample spacing_m=24",
                                 "d grid.sample spacing_m=24",
                                 "e grid.sample spacing_m=24",
                                 "m merge a<a b<b c<c d<d",
                                 "n merge a<m b<e",
                                 "=o n",
                                 NULL};
    expect_over_budget(lines, 256 * METRE, "/nodes/e");
}

Test(estimate, a_radius_far_above_the_spacing_is_too_many_tests) {
    const char *const lines[] = {"s grid.sample spacing_m=154",
                                 "p self.prune radius_m=76800 rounds=1 points<s", "=o p", NULL};
    expect_over_budget(lines, 256 * METRE, "/nodes/p");
}

Test(estimate, forty_merges_that_double_are_refused_and_not_computed) {
    enum { DEPTH = 40 };
    static char text[DEPTH][64];
    const char *lines[DEPTH + 3];
    lines[0] = "m0 grid.sample spacing_m=4096";
    for (int i = 1; i <= DEPTH; i++) {
        snprintf(text[i - 1], sizeof text[0], "m%d merge a<m%d b<m%d", i, i - 1, i - 1);
        lines[i] = text[i - 1];
    }
    lines[DEPTH + 1] = "=o m40";
    lines[DEPTH + 2] = NULL;
    graph_scene *scene = scene_of_lines(lines, 1);
    loam_estimate estimate;
    loam_error error = {0};
    loam_rect rect = {0, 0, 256 * METRE, 256 * METRE};
    cr_expect_eq(loam_plan_estimate(scene->query.plan, 0, rect, &estimate, &error),
                 LOAM_BUDGET_EXCEEDED);
}

Test(estimate, a_chain_of_256_nodes_is_legal_and_runs) {
    static char text[256][64];
    const char *lines[258];
    lines[0] = "n0 grid.sample spacing_m=2048";
    for (int i = 1; i < 256; i++) {
        snprintf(text[i], sizeof text[0], "n%d filter.slope points<n%d", i, i - 1);
        lines[i] = text[i];
    }
    lines[256] = "=o n255";
    lines[257] = NULL;
    graph_scene *scene = scene_of_lines(lines, 1);
    scene->query.rect = (loam_rect){0, 0, 128 * METRE, 128 * METRE};
    byte_buffer bytes = scene_bytes(scene), key = scene_key(scene);
    cr_expect_eq(loam_cell_count(bytes.bytes, bytes.size), 256);
    cr_expect_gt(key.size, 256 * 20);
}

/* An arena of the size of the estimate is enough, whatever the cell. */
static void expect_bound(graph_scene *scene, loam_rect rect) {
    loam_estimate estimate;
    loam_error error = {0};
    size_t peak;
    scene->query.rect = rect;
    cr_assert_eq(loam_plan_estimate(scene->query.plan, 0, rect, &estimate, &error), LOAM_OK);
    cr_expect_eq(build_in(scene, (size_t)estimate.arena_bytes, &peak, &error), LOAM_OK, "%s: %llu",
                 error.text, (unsigned long long)estimate.arena_bytes);
}

static void expect_bounds(const char *const *lines) {
    graph_scene *scene = scene_of_lines(lines, 3);
    for (uint32_t i = 0; i < scene->graph.slot_count; i++) {
        scene->slots[i].kind = scene->graph.slots[i].kind;
        scene->slots[i].heightfield = terrain_hills(65, (int64_t)1024 << 16, -40000, -40000);
        scene->slots[i].areas = square_zone(&scene->arena, -3000, -2000, 3000, 2000);
    }
    for (int64_t side = 1; side <= 1 << 15; side = side * 5 + 1) {
        expect_bound(scene, (loam_rect){-side / 2, 7, side - side / 2, 7 + side});
    }
}

Test(estimate, an_arena_of_the_estimated_size_is_enough) {
    const char *const grid[] = {"s grid.sample spacing_m=200", "=o s", NULL};
    expect_bounds(grid);
    const char *const forest[] = {"$t heightfield",
                                  "$z areas",
                                  "s surface.sample spacing_m=154 surface<$t",
                                  "h filter.height min_m=0 max_m=999999 points<s",
                                  "n density.noise wavelength_m=5000 points<h",
                                  "c density.cull points<n",
                                  "p self.prune radius_m=308 points<c",
                                  "z zone.exclude points<p zones<$z",
                                  "t transform.scatter tilt_max_deg=65536 sink_m=5 points<z",
                                  "=o t",
                                  NULL};
    expect_bounds(forest);
    const char *const merged[] = {"a grid.sample spacing_m=301",
                                  "b grid.sample spacing_m=500",
                                  "m merge a<a b<b c<a d<a",
                                  "p self.prune radius_m=400 points<m",
                                  "=o p",
                                  NULL};
    expect_bounds(merged);
    const char *const wide[] = {"a grid.sample spacing_m=2000",
                                "p self.prune radius_m=9000 priority=1 points<a", "=o p", NULL};
    expect_bounds(wide);
}

Test(estimate, an_estimate_counts_what_it_says) {
    const char *const lines[] = {"s grid.sample spacing_m=256", "c density.cull points<s",
                                 "m merge a<c b<s", "=o m", NULL};
    graph_scene *scene = scene_of_lines(lines, 1);
    loam_estimate estimate;
    loam_rect rect = {0, 0, 256 * METRE, 256 * METRE};
    cr_assert_eq(loam_plan_estimate(scene->query.plan, 0, rect, &estimate, NULL), LOAM_OK);
    uint64_t sites = (256 + 2 + 4 + 16) * (256 + 2 + 4);
    cr_expect_eq(estimate.candidates_node, 2 * sites, "the merge is the largest");
    cr_expect_eq(estimate.candidates, 3 * sites, "a filter offers none of its own");
    cr_expect_eq(estimate.tests, 0);
    cr_expect_eq(loam_plan_estimate(scene->query.plan, 1, rect, &estimate, NULL),
                 LOAM_UNKNOWN_OUTPUT);
}
