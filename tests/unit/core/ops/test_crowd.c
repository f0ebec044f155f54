/* SPDX-License-Identifier: MIT
 *
 * test_crowd.c: tens of thousands of given points in one place, which no plan can know of. What
 * would look at more of them than a cell's budget of tests ends with an error that names the node
 * and the count, in seconds.
 */
#include "core/base/limits.h"
#include "core/ops/prune_grid.h"
#include "tests/support/graph_world.h"
#include "tests/unit/core/ops/operation_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { CROWD = 60000, METRE = LOAM_UNITS_PER_METRE };

/* A crowd at random in a square, and one point far away from it. */
typedef struct crowd_options {
    int64_t x_m, z_m, spread_m;
    int32_t y;
    bool together; /* the last one too */
} crowd_options;

static loam_asset crowd_of(crowd_options options) {
    loam_site *sites = calloc(CROWD + 1, sizeof *sites);
    loam_arena *arena = malloc(sizeof *arena);
    loam_asset asset = {.kind = LOAM_PORT_POINTS};
    loam_error error = {0};
    uint64_t random = 1;
    const int64_t spread = options.spread_m * METRE;
    loam_arena_init(arena, malloc((size_t)64 << 20), (size_t)64 << 20);
    for (uint32_t i = 0; i < CROWD; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        sites[i] =
            (loam_site){.x = options.x_m * METRE + (int64_t)(random >> 40) % spread,
                        .z = options.z_m * METRE + (int64_t)(random >> 10 & 0xffffff) % spread,
                        .y = options.y,
                        .feature = i,
                        .key = i + 1};
    }
    sites[CROWD] = options.together
                       ? sites[0]
                       : (loam_site){.x = 900 * METRE, .z = 900 * METRE, .y = options.y};
    sites[CROWD].key = CROWD + 1;
    const loam_sites_source source = {sites, CROWD + 1, NULL, 0};
    cr_assert_eq(loam_sites_build(&source, arena, &asset.sites, &error), LOAM_OK, "%s", error.text);
    free(sites);
    return asset;
}

/* A graph of slots `one` and `two`, and a node `last` over points `a` and `b`. */
static graph_world *world_with(const char *last, crowd_options one, crowd_options two) {
    const char *const lines[] = {"$one points",
                                 "$two points",
                                 "a points.input points<$one",
                                 "b points.input points<$two",
                                 "balls spatial.points radius_m=7680 points<b",
                                 last,
                                 "=out last",
                                 NULL};
    graph_world *world = world_of(lines, 1);
    world_bind(world, "one", crowd_of(one));
    world_bind(world, "two", crowd_of(two));
    return world;
}

static void expect_over_budget(const char *last, crowd_options one, crowd_options two,
                               const char *count) {
    graph_world *world = world_with(last, one, two);
    loam_rect rect = one.together ? rect_of_metres(-90, -90, 190) : rect_of_metres(-90, -90, 1100);
    loam_error error = world_failure(world, "out", rect);
    cr_expect_eq(error.status, LOAM_BUDGET_EXCEEDED, "%s: %s", last, error.text);
    cr_expect_str_eq(error.pointer, "/nodes/last", "%s", last);
    cr_expect(strstr(error.text, count) != NULL, "%s: %s", last, error.text);
    world_free(world);
}

/* 12 m away on both axes is nearer than 15 m on each, and farther in all. */
Test(crowd, of_points_that_stand_in_the_way_of_others) {
    const crowd_options one = {0, 0, 1, 0, false}, two = {12, 12, 1, 0, false};
    expect_over_budget("last bounds.prune distance_m=3840 points<a against<b", one, two,
                       "among 60001 points");
}

Test(crowd, of_points_that_distances_are_to) {
    const crowd_options one = {0, 0, 1, 0, false}, two = {3, 0, 1, 0, false};
    expect_over_budget("last density.distance near_m=0 far_m=99999 points<a to<b", one, two,
                       "tests are more than 2147483648");
}

Test(crowd, of_centers_that_all_lie_too_high) {
    const crowd_options one = {0, 0, 1, 0, false}, two = {3, 0, 1, 99999, false};
    expect_over_budget("last filter.spatial points<a domain<balls", one, two, "60001 points");
}

Test(crowd, of_copies) {
    const crowd_options here = {0, 0, 9, 0, true};
    expect_over_budget("last copy.points max_points=99999 source<a target<b", here, here,
                       "copies are more than 8388608");
}

/* Turns of points that are all in conflict, with the budget almost spent before, so that a test
 * need not spend it: in one round who loses to the dead is never decided, and looks at all others.
 */
Test(crowd, of_points_that_prune_each_other) {
    enum { POINTS = 4000, RADIUS = 3000 };
    operation_fixture *fixture = fixture_of("self.prune");
    const point_set *set = random_points(5, POINTS, 2 * RADIUS);
    const prune_terms terms = {.radius_all = RADIUS, .asked_max = RADIUS};
    loam_error error = {0};
    node_call call = {.node = &fixture->graph.nodes[0],
                      .pointer = "/nodes/last",
                      .run = &fixture->run,
                      .arena = &fixture->arena,
                      .error = &error};
    uint32_t order[POINTS], hits[POINTS];
    uint8_t fate[POINTS + COLUMN_ALIGNMENT] = {0}, accepted[POINTS] = {0};
    prune_turns turns = {.order = order,
                         .rounds = 1,
                         .fate = fate,
                         .accepted = accepted,
                         .hits = hits,
                         .tests = TESTS_PER_CELL_MAX - POINTS};
    cr_assert_eq(prune_grid_build(&call, set, &terms, &turns.grid), LOAM_OK);
    for (uint32_t i = 0; i < POINTS; i++) {
        order[i] = i;
    }
    SIMD_SELECT(prune_scan_kernels, LOAM_SIMD_BEST)->decide(&turns, 0, POINTS);
    cr_expect_gt(turns.tests, TESTS_PER_CELL_MAX);
    cr_expect_lt(turns.tests, TESTS_PER_CELL_MAX + (uint64_t)PRUNE_BATCH * POINTS);
    cr_expect_eq(fate[POINTS - 1] & FATE_OVER, 0, "the last had its turn");
    cr_expect_eq(prune_check_tests(&call, turns.tests, POINTS), LOAM_BUDGET_EXCEEDED);
    cr_expect_str_eq(error.pointer, "/nodes/last");
    cr_expect(strstr(error.text, "4000 points") != NULL, "%s", error.text);
    cr_expect_eq(prune_check_tests(&call, TESTS_PER_CELL_MAX, POINTS), LOAM_OK);
}
