/* SPDX-License-Identifier: MIT
 *
 * test_prune_bounds.c: bounds.prune against every pair, its exact reach, and no seams.
 */
#include "tests/support/sketch.h"
#include "tests/unit/core/ops/operation_fixture.h"

#include <string.h>

enum { SIDE = 20000 };

static operation_fixture *bounds_of(int64_t distance, bool invert) {
    operation_fixture *fixture = fixture_of("bounds.prune");
    fixture_set(fixture, "distance_m", distance);
    fixture_set(fixture, "invert", invert);
    fixture->inputs[0] = random_points(1, 2000, SIDE);
    fixture->inputs[1] = random_points(2, 300, SIDE);
    return fixture;
}

static bool is_near(const point_set *set, uint32_t i, const point_set *against, int64_t distance) {
    for (uint32_t j = 0; j < against->count; j++) {
        int64_t dx = set->base_x + set->x[i] - against->base_x - against->x[j];
        int64_t dz = set->base_z + set->z[i] - against->base_z - against->z[j];
        if (dx * dx + dz * dz < distance * distance) {
            return true;
        }
    }
    return false;
}

Test(prune_bounds, drops_what_is_closer_to_any_of_the_others_at_every_level) {
    static const int64_t distances[] = {1, 2, 77, 900, 5000, 40000};
    for (uint32_t d = 0; d < 6; d++) {
        for (int invert = 0; invert < 2; invert++) {
            operation_fixture *fixture = bounds_of(distances[d], invert);
            for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
                fixture->run.level = level;
                point_set out = fixture_run(fixture);
                for (uint32_t i = 0; i < out.count; i++) {
                    bool near = is_near(fixture->inputs[0], i, fixture->inputs[1], distances[d]);
                    cr_assert_eq(is_live(&out, i), near == invert, "%lld", (long long)distances[d]);
                }
            }
        }
    }
}

Test(prune_bounds, each_point_may_have_a_distance_of_its_own) {
    operation_fixture *fixture = bounds_of(1, false);
    point_set set = *fixture->inputs[0];
    int32_t *metres = calloc(column_size(set.count), sizeof *metres);
    for (uint32_t i = 0; i < set.count; i++) {
        metres[i] = (int32_t)(i % 700 + 1) * 256;
    }
    const point_attribute attribute = {loam_text_of("room"), LOAM_ATTRIBUTE_FLOAT, metres};
    set.attributes = &attribute;
    set.attribute_count = 1;
    fixture->inputs[0] = &set;
    const loam_value ends[2] = {{.kind = LOAM_VALUE_INTEGER, .integer = 1},
                                {.kind = LOAM_VALUE_INTEGER, .integer = 700}};
    const loam_value room = {
        .kind = LOAM_VALUE_ATTRIBUTE, .text = loam_text_of("room"), .items = ends, .item_count = 2};
    loam_error error = {0};
    cr_assert_eq(loam_graph_set(&fixture->graph, loam_text_of("n"), loam_text_of("distance_m"),
                                &room, &error),
                 LOAM_OK, "%s", error.text);
    cr_expect_eq(bounds_prune_code.reach(&fixture->graph.nodes[0]), 699);
    point_set out = fixture_run(fixture);
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < set.count; i++) {
        bool near = is_near(&set, i, fixture->inputs[1], i % 700 + 1);
        cr_assert_eq(is_live(&out, i), !near);
        dropped += near;
    }
    cr_expect_gt(dropped, 10);
}

Test(prune_bounds, with_nothing_against_all_stay_and_nothing_stays_nothing) {
    operation_fixture *fixture = bounds_of(500, false);
    fixture->inputs[1] = random_points(2, 0, SIDE);
    point_set out = fixture_run(fixture);
    for (uint32_t i = 0; i < out.count; i++) {
        cr_assert(is_live(&out, i));
    }
    fixture->inputs[0] = random_points(2, 0, SIDE);
    cr_expect_eq(fixture_run(fixture).count, 0);
}

/* One point at the west end of the rectangle, one other `gap` units west of it. */
static bool survives(int64_t gap, int64_t shown) {
    operation_fixture *fixture = bounds_of(1000, false);
    point_set *one = random_points(1, 1, 1), *other = random_points(2, 1, 1);
    fixture->inputs[0] = one;
    fixture->inputs[1] = other;
    one->base_x = one->base_z = other->base_x = other->base_z = 0;
    ((int32_t *)one->x)[0] = 5000;
    ((int32_t *)one->z)[0] = ((int32_t *)other->z)[0] = 0;
    ((int32_t *)other->x)[0] = (int32_t)(5000 - gap);
    fixture->rect = (loam_rect){5000, 0, 5001, 1};
    if (gap > shown) {
        other->count = 0;
    }
    point_set out = fixture_run(fixture);
    return is_live(&out, 0);
}

Test(prune_bounds, the_reach_is_exact_and_belongs_to_the_other_set) {
    operation_fixture *fixture = bounds_of(1000, false);
    const loam_node *node = &fixture->graph.nodes[0];
    int64_t reach = bounds_prune_code.reach(node);
    cr_expect_eq(reach, 999);
    cr_expect(survives(1000, 1 << 20), "at the distance itself it stays");
    cr_expect(!survives(999, reach));
    cr_expect(survives(999, reach - 1), "a reach less one unit must show");
    loam_rect rect = {0, 0, 10, 10};
    cr_expect_eq(bounds_prune_code.ask(node, 0, rect).x0, 0);
    cr_expect_eq(bounds_prune_code.ask(node, 1, rect).x0, -999);
    cr_expect_eq(bounds_prune_code.ask(node, 1, rect).z1, 1009);
}

Test(prune_bounds, cells_of_any_size_give_the_same_points) {
    static const char *const lines[] = {
        "grass grid.sample spacing_m=400",
        "trees poisson.sample radius_m=2000",
        "bare bounds.prune distance_m=700 points<grass against<trees",
        "ring bounds.prune distance_m=1200 invert=1 points<bare "
        "against<trees",
        "=points ring",
        NULL};
    sketch *graph = sketch_of(lines, 42);
    point_union whole = {0};
    const char *difference = sketch_partition(graph, -500, 300, 400, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_gt(whole.count, 1000);
    union_fini(&whole);
}

Test(prune_bounds, a_distance_of_nothing_and_a_missing_port_are_faults) {
    sketch *made;
    loam_error error = {0};
    cr_expect_eq(sketch_read((const char *const[]){"a grid.sample spacing_m=400",
                                                   "b bounds.prune distance_m=0 points<a against<a",
                                                   "=o b", NULL},
                             &made, &error),
                 LOAM_OUT_OF_RANGE);
    error = (loam_error){0};
    cr_expect_eq(
        sketch_read((const char *const[]){"a grid.sample spacing_m=400",
                                          "b bounds.prune distance_m=9 points<a", "=o b", NULL},
                    &made, &error),
        LOAM_MISSING_INPUT);
}
