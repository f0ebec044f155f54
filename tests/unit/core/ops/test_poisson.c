/* SPDX-License-Identifier: MIT
 *
 * test_poisson.c: poisson.sample and poisson.disk: distances by brute force over all cells, no
 * seams, how densely they fill, what a key sees, what is refused.
 */
#include "core/ops/operation.h"
#include "core/ops/prune.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { METRE = LOAM_UNITS_PER_METRE, SQUARE_M = 400 };

/* The same points from every cell size, none closer than the radius; how many. */
static uint32_t check_spread(sketch *graph, int64_t x_m, int64_t z_m, int64_t radius) {
    point_union whole = {0};
    const char *difference = sketch_partition(graph, x_m, z_m, SQUARE_M, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_geq(union_distance_squared(&whole, radius), radius * radius);
    uint32_t count = whole.count;
    union_fini(&whole);
    return count;
}

Test(poisson, blue_noise_has_no_seams_and_is_never_closer_than_the_radius) {
    static const int64_t radii[] = {1, 2, 3, 4, 5};
    for (uint32_t i = 0; i < 5; i++) {
        char node[64];
        int64_t radius = radii[i] * METRE;
        snprintf(node, sizeof node, "sites poisson.sample radius_m=%lld", (long long)radius);
        sketch *graph = sketch_of((const char *const[]){node, "=points sites", NULL}, 42);
        uint32_t count = check_spread(graph, -150, 700, radius);
        /* Discs of half the radius cover 0.547 when they come one by one until none fits. */
        double share = (double)count * 3.14159265 * (double)(radius * radius) / 4.0 /
                       ((double)SQUARE_M * METRE * SQUARE_M * METRE);
        cr_expect_gt(share, 0.42, "%lld m: %f", (long long)radii[i], share);
        cr_expect_lt(share, 0.547, "%lld m: %f", (long long)radii[i], share);
    }
}

Test(poisson, a_surface_gives_heights_and_ends_the_points) {
    static const char *const lines[] = {"$terrain heightfield",
                                        "sites poisson.sample radius_m=700 surface<$terrain",
                                        "=points sites", NULL};
    sketch *graph = sketch_of(lines, 42);
    graph->slots[0].heightfield = terrain_hills(65, (int64_t)4 * METRE << 16, 0, 0);
    uint32_t count = check_spread(graph, -100, -100, 700);
    cr_expect_gt(count, 4000);
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, (loam_rect){-65536, 0, 65536, 65536}, &points, &error),
                 LOAM_OK);
    for (uint32_t i = 0; i < points.count; i++) {
        cr_assert_geq(points.x[i], 65536, "nothing stands west of the terrain");
        cr_assert_gt(points.y[i], 500 * METRE);
    }
}

/* Its sites are those of a lattice of half the radius, its rounds those of self.prune. */
Test(poisson, it_is_the_lattice_of_half_the_radius_pruned_with_the_same_seed) {
    sketch *one = sketch_of(
        (const char *const[]){"p poisson.sample radius_m=601 rounds=3", "=points p", NULL}, 9);
    sketch *two = sketch_of((const char *const[]){"sites grid.sample spacing_m=301",
                                                  "kept self.prune radius_m=601 points<sites",
                                                  "=points kept", NULL},
                            9);
    /* The same draws need the same seeds of nodes. */
    loam_error error = {0};
    cr_assert_eq(loam_graph_pin_seed(&two->graph, loam_text_of("sites"),
                                     loam_name_seed(loam_text_of("p")), &error),
                 LOAM_OK);
    cr_assert_eq(loam_graph_pin_seed(&two->graph, loam_text_of("kept"),
                                     loam_name_seed(loam_text_of("p")), &error),
                 LOAM_OK);
    cr_assert_eq(loam_plan_build(&two->graph, 9, &two->arena, &two->plan, &error), LOAM_OK);
    point_union first = {0}, second = {0};
    cr_expect_null(sketch_partition(one, 0, 0, 200, &first));
    cr_expect_null(sketch_partition(two, 0, 0, 200, &second));
    cr_expect_gt(first.count, 1000);
    cr_expect_eq(union_difference(&first, &second), -1);
    union_fini(&first);
    union_fini(&second);
}

static bool equal_points(const loam_points *a, const loam_points *b) {
    bool equal = a->count == b->count;
    for (uint32_t i = 0; equal && i < a->count; i++) {
        equal = a->id[i] == b->id[i] && a->x[i] == b->x[i] && a->z[i] == b->z[i];
    }
    return equal;
}

/* Ground that ends so far west of a cell: what lies beyond the reach changes neither key nor
 * points, what lies within it can. */
Test(poisson, ground_beyond_the_reach_is_not_seen) {
    static const char *const lines[] = {
        "$terrain heightfield", "sites poisson.sample radius_m=500 rounds=2 surface<$terrain",
        "=points sites", NULL};
    const loam_rect cell = {0, 0, 8192, 8192};
    sketch *graph = sketch_of(lines, 3);
    int64_t reach = loam_plan_reach(graph->plan, 0);
    cr_expect_eq(reach, 3 * 499);
    loam_points whole, cut;
    loam_error error = {0};
    graph->slots[0].heightfield = terrain_hills(129, (int64_t)256 << 16, -16384, -8192);
    uint64_t key = sketch_key(graph, cell);
    cr_assert_eq(sketch_build(graph, cell, &whole, &error), LOAM_OK);
    uint32_t changed = 0;
    for (int64_t step = 1; step < 40; step++) {
        int64_t west = -step * 256;
        graph->slots[0].heightfield = terrain_hills(129, (int64_t)256 << 16, west, -8192);
        cr_assert_eq(sketch_build(graph, cell, &cut, &error), LOAM_OK);
        bool same = equal_points(&whole, &cut);
        changed += !same;
        cr_expect(same || west > -reach, "ground that ends at %lld shows", (long long)west);
        cr_expect(same || sketch_key(graph, cell) != key);
    }
    cr_expect_gt(changed, 0);
}

static const char *const disk[] = {
    "field poisson.disk origin_x_m=-20000 origin_z_m=30000 width_m=60000 depth_m=45000 "
    "radius_m=600",
    "=points field", NULL};

Test(poisson, a_disk_is_the_same_from_every_cell_and_fills_its_rectangle) {
    sketch *graph = sketch_of(disk, 42);
    uint32_t count = check_spread(graph, -100, 100, 600);
    double share = count * 3.14159265 * 600 * 600 / 4.0 / (60000.0 * 45000.0);
    cr_expect_gt(share, 0.47, "%f", share);
    cr_expect_lt(share, 0.6, "%f", share);
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(
        sketch_build(graph, (loam_rect){-200000, -200000, 200000, 200000}, &points, &error),
        LOAM_OK);
    cr_expect_eq(points.count, count);
    for (uint32_t i = 0; i < points.count; i++) {
        int64_t x = points.x[i] - 200000, z = points.z[i] - 200000;
        cr_assert(x >= -20000 && x < 40000 && z >= 30000 && z < 75000);
        for (uint32_t j = i + 1; j < points.count; j++) {
            cr_assert_neq(points.id[i], points.id[j]);
        }
    }
    cr_assert_eq(sketch_build(graph, (loam_rect){40000, 0, 50000, 75000}, &points, &error),
                 LOAM_OK);
    cr_expect_eq(points.count, 0, "east of it");
}

Test(poisson, a_disk_has_no_more_points_than_asked) {
    static const char *const few[] = {
        "field poisson.disk origin_x_m=0 origin_z_m=0 width_m=60000 depth_m=45000 radius_m=600 "
        "max_points=77",
        "=points field", NULL};
    sketch *graph = sketch_of(few, 42);
    cr_expect_eq(check_spread(graph, -50, -50, 600), 77);
}

Test(poisson, a_disk_of_one_unit_has_a_point_and_one_of_radius_one_all_of_them) {
    loam_points points;
    loam_error error = {0};
    sketch *one = sketch_of((const char *const[]){"d poisson.disk origin_x_m=7 origin_z_m=-7 "
                                                  "width_m=1 depth_m=1 radius_m=262144",
                                                  "=points d", NULL},
                            1);
    cr_assert_eq(sketch_build(one, (loam_rect){0, -100, 100, 100}, &points, &error), LOAM_OK);
    cr_assert_eq(points.count, 1);
    cr_expect_eq(points.x[0], 7);
    cr_expect_eq(points.z[0], 93);
    sketch *dense = sketch_of((const char *const[]){"d poisson.disk origin_x_m=0 origin_z_m=0 "
                                                    "width_m=20 depth_m=20 radius_m=1 attempts=256",
                                                    "=points d", NULL},
                              1);
    cr_assert_eq(sketch_build(dense, (loam_rect){0, 0, 100, 100}, &points, &error), LOAM_OK);
    cr_expect_eq(points.count, 400);
}

Test(poisson, a_disk_with_room_for_too_many_is_a_fault) {
    sketch *graph;
    loam_error error = {0};
    cr_expect_eq(sketch_read((const char *const[]){"d poisson.disk origin_x_m=0 origin_z_m=0 "
                                                   "width_m=2097152 depth_m=2097152 radius_m=200",
                                                   "=points d", NULL},
                             &graph, &error),
                 LOAM_BUDGET_EXCEEDED);
    cr_expect_str_eq(error.pointer, "/nodes/d/params");
}

Test(poisson, a_disk_that_would_try_too_often_is_over_the_budget_of_cells_that_meet_it) {
    sketch *graph = sketch_of((const char *const[]){"d poisson.disk origin_x_m=0 origin_z_m=0 "
                                                    "width_m=1000000 depth_m=1000000 radius_m=700 "
                                                    "attempts=256 max_points=2000000",
                                                    "=points d", NULL},
                              1);
    loam_points points;
    loam_error error = {0};
    cr_expect_eq(sketch_build(graph, (loam_rect){0, 0, 100, 100}, &points, &error),
                 LOAM_BUDGET_EXCEEDED);
    error = (loam_error){0};
    cr_expect_eq(sketch_build(graph, (loam_rect){-100, 0, 0, 100}, &points, &error), LOAM_OK);
}
