/* SPDX-License-Identifier: MIT
 *
 * test_plan.c: reach is the farthest path; what a query must have; the first errors of a plan.
 */
#include "core/base/limits.h"
#include "core/graph/plan.h"
#include "tests/unit/core/graph/graph_text.h"

enum { SAMPLE_AREA = 4096 };

Test(plan, reach_is_the_sum_along_the_farthest_branch) {
    const char *const lines[] = {"g grid.sample spacing_m=100",
                                 "near self.prune radius_m=101 rounds=1 points<g",
                                 "far self.prune radius_m=201 rounds=3 points<g",
                                 "farther self.prune radius_m=51 rounds=2 points<far",
                                 "both merge a<near b<farther",
                                 "last self.prune radius_m=11 rounds=6 points<both",
                                 "=near near",
                                 "=far far",
                                 "=both both",
                                 "=last last",
                                 "=g g",
                                 NULL};
    graph_scene *scene = scene_of_lines(lines, 1);
    static const struct {
        const char *name;
        int64_t reach;
    } want[] = {
        {"g", 0}, {"near", 100}, {"far", 1000}, {"both", 1000 + 150}, {"last", 1000 + 150 + 110}};
    for (int i = 0; i < 5; i++) {
        int32_t output = loam_graph_find_output(&scene->graph, loam_text_of(want[i].name));
        cr_expect_eq(loam_plan_reach(scene->query.plan, (uint32_t)output), want[i].reach, "%s",
                     want[i].name);
    }
    cr_expect_eq(loam_plan_reach(scene->query.plan, 99), 0);
}

Test(plan, the_conflict_of_a_sum_is_twice_the_radius) {
    const char *const lines[] = {"g grid.sample spacing_m=100",
                                 "p self.prune radius_m=50 mode=2 points<g", "=o p", NULL};
    graph_scene *scene = scene_of_lines(lines, 1);
    cr_expect_eq(loam_plan_reach(scene->query.plan, 0), 5 * 99);
}

Test(plan, a_node_is_asked_for_the_union_of_what_its_users_ask) {
    const char *const lines[] = {"g grid.sample spacing_m=100",
                                 "p self.prune radius_m=101 rounds=2 points<g", "m merge a<g b<p",
                                 "=o m", NULL};
    graph_scene *scene = scene_of_lines(lines, 1);
    plan_demand demand;
    loam_rect cell = {10, 20, 1010, 520};
    cr_assert_eq(demand_of(scene->query.plan, 0, cell, NULL, &demand, NULL), LOAM_OK);
    cr_expect_eq(demand.rect[1].x0, 10);
    cr_expect_eq(demand.rect[0].x0, 10 - 300);
    cr_expect_eq(demand.rect[0].z1, 520 + 300);
}

static loam_status plan_of(const char *const *lines, loam_error *error) {
    loam_graph graph;
    loam_arena arena = arena_of(1 << 24);
    const loam_plan *plan;
    graph_of_lines(&graph, &arena, lines);
    return loam_plan_build(&graph, 1, &arena, &plan, error);
}

/* 8 km are 2,097,152 units; a prune of the largest radius reaches 262,143 a round and its return.
 */
Test(plan, a_reach_beyond_8_km_is_refused_at_the_node_that_passes_it) {
    loam_error error = {0};
    const char *const legal[] = {"g grid.sample spacing_m=100",
                                 "a self.prune radius_m=262144 rounds=4 points<g",
                                 "b self.prune radius_m=262144 rounds=1 points<a", "=o b", NULL};
    cr_expect_eq(plan_of(legal, &error), LOAM_OK, "8 * 262143: %s", error.text);
    const char *const beyond[] = {"g grid.sample spacing_m=100",
                                  "a self.prune radius_m=262144 rounds=5 points<g", "=o a", NULL};
    cr_expect_eq(plan_of(beyond, &error), LOAM_BUDGET_EXCEEDED);
    cr_expect_str_eq(error.pointer, "/nodes/a");
}

static loam_status check(graph_scene *scene, loam_rect rect, uint32_t output, loam_error *error) {
    byte_buffer key = {0};
    loam_points points;
    loam_error again = {0};
    loam_run run = {.arena = &scene->arena};
    scene->query.rect = rect;
    scene->query.output = output;
    loam_status status = loam_cell_key(&scene->query, buffer_sink(&key), &scene->arena, error);
    cr_expect_eq(loam_cell_build(&scene->query, &run, &points, &again), status,
                 "a cell is refused as its key is");
    cr_expect_str_eq(again.pointer, error->pointer);
    cr_expect_eq(error->status, status, "what fails is noted");
    buffer_fini(&key);
    return status;
}

Test(plan, queries_are_refused_with_the_place_of_the_fault) {
    const char *const lines[] = {"$t heightfield", "$other areas",
                                 "s surface.sample spacing_m=512 surface<$t", "=o s", NULL};
    graph_scene *scene = scene_of_lines(lines, 1);
    const loam_rect good = {0, 0, SAMPLE_AREA, SAMPLE_AREA};
    loam_error error = {0};
    cr_expect_eq(check(scene, good, 0, &error), LOAM_SLOT_UNBOUND);
    cr_expect_str_eq(error.pointer, "/slots/t");
    error = (loam_error){0};
    scene->slots[0] =
        (loam_asset){.kind = LOAM_PORT_AREAS, .areas = square_zone(&scene->arena, 0, 0, 9, 9)};
    cr_expect_eq(check(scene, good, 0, &error), LOAM_SLOT_MISMATCH);
    cr_expect_str_eq(error.pointer, "/slots/t");
    error = (loam_error){0};
    scene->query.slots = NULL;
    cr_expect_eq(check(scene, good, 0, &error), LOAM_SLOT_UNBOUND);
    error = (loam_error){0};
    cr_expect_eq(check(scene, good, 1, &error), LOAM_UNKNOWN_OUTPUT);
    scene->slots[0] = (loam_asset){.kind = LOAM_PORT_HEIGHTFIELD,
                                   .heightfield = terrain_hills(9, (int64_t)1024 << 16, 0, 0)};
    scene->query.slots = scene->slots;
    error = (loam_error){0};
    cr_expect_eq(check(scene, good, 0, &error), LOAM_OK, "the other slot is not used: %s",
                 error.text);
}

static void expect_rect(graph_scene *scene, loam_rect rect, loam_status want) {
    loam_error error = {0};
    cr_expect_eq(check(scene, rect, 0, &error), want, "%lld %lld %lld %lld: %s", (long long)rect.x0,
                 (long long)rect.z0, (long long)rect.x1, (long long)rect.z1,
                 loam_status_code(error.status));
}

Test(plan, rectangles_are_within_the_world_and_1_unit_to_8_km_wide) {
    const char *const lines[] = {"s grid.sample spacing_m=1048576", "=o s", NULL};
    graph_scene *scene = scene_of_lines(lines, 1);
    const int64_t far = POSITION_UNITS_MAX, side = RECT_SIDE_UNITS_MAX;
    expect_rect(scene, (loam_rect){0, 0, 1, 1}, LOAM_OK);
    expect_rect(scene, (loam_rect){0, 0, side, side}, LOAM_OK);
    expect_rect(scene, (loam_rect){0, 0, side + 1, 1}, LOAM_OUT_OF_RANGE);
    expect_rect(scene, (loam_rect){0, 0, 1, side + 1}, LOAM_OUT_OF_RANGE);
    expect_rect(scene, (loam_rect){0, 0, 0, 1}, LOAM_OUT_OF_RANGE);
    expect_rect(scene, (loam_rect){0, 5, 1, 4}, LOAM_OUT_OF_RANGE);
    expect_rect(scene, (loam_rect){far - 1, -far, far, -far + 1}, LOAM_OK);
    expect_rect(scene, (loam_rect){far, 0, far + 1, 1}, LOAM_COORDINATE_RANGE);
    expect_rect(scene, (loam_rect){0, -far - 1, 1, -far}, LOAM_COORDINATE_RANGE);
    expect_rect(scene, (loam_rect){INT64_MIN, 0, INT64_MAX, 1}, LOAM_COORDINATE_RANGE);
}

Test(plan, seeds_come_of_names_or_are_pinned) {
    const char *const lines[] = {"a grid.sample spacing_m=100", "=o a", NULL};
    graph_scene *scene = scene_of_lines(lines, 42), *pinned = scene_of_lines(lines, 42);
    loam_error error = {0};
    uint64_t seed = loam_name_seed(loam_text_of("a"));
    cr_assert_eq(loam_graph_pin_seed(&pinned->graph, loam_text_of("a"), seed, &error), LOAM_OK);
    cr_assert_eq(loam_plan_build(&pinned->graph, 42, &pinned->arena, &pinned->query.plan, &error),
                 LOAM_OK);
    cr_expect_eq(pinned->query.plan->seeds[0], scene->query.plan->seeds[0]);
    cr_assert_eq(loam_graph_pin_seed(&pinned->graph, loam_text_of("a"), 5, &error), LOAM_OK);
    cr_assert_eq(loam_plan_build(&pinned->graph, 42, &pinned->arena, &pinned->query.plan, &error),
                 LOAM_OK);
    cr_expect_neq(pinned->query.plan->seeds[0], scene->query.plan->seeds[0]);
}

Test(plan, a_full_arena_is_an_error_that_is_noted_at_every_size) {
    loam_graph graph;
    loam_arena own = arena_of(1 << 22);
    forest_options options = forest_default();
    forest_build(&graph, &own, options);
    for (size_t size = 0;; size += 64) {
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        const loam_plan *plan;
        loam_error error = {0};
        loam_arena_init(&arena, exact, size);
        loam_status status = loam_plan_build(&graph, 1, &arena, &plan, &error);
        free(exact);
        cr_assert_eq(error.status, status);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
        cr_assert_str_neq(error.text, "");
    }
}
