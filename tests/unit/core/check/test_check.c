/* SPDX-License-Identifier: MIT
 *
 * test_check.c: count, ring and floating, each passing, failing and on its limit.
 */
#include "tests/unit/core/check/check_fixture.h"

/* 25 instances on 10 x 10 m: 250,000 a km2. */
static const char *const lattice[] = {"$zones areas", "$ground heightfield",
                                      "s grid.sample spacing_m=512 jitter=0 y_m=2560", "=o s",
                                      NULL};

static graph_world *lattice_world(const box_metres *boxes, uint32_t count) {
    graph_world *world = world_of(lattice, 1);
    world_bind(world, "zones", areas_of_boxes(boxes, count));
    world_bind(world, "ground", plane_of(65, 0, 0, 0, 0, 10 * LOAM_HEIGHT_STEPS_PER_METRE));
    return world;
}

static graph_world *lattice_alone(void) {
    static const box_metres far = {1000, 1000, 1010, 1010, LOAM_UNSET, LOAM_UNSET};
    return lattice_world(&far, 1);
}

static const loam_rect square = {0, 0, 10 * METRE, 10 * METRE};

/* ---- Count ---------------------------------------------------------------------------------- */

static loam_check count_check(int64_t min, int64_t max) {
    return (loam_check){.kinds = 1u << LOAM_CHECK_COUNT, .count_min = min, .count_max = max};
}

Test(check, nothing_asked_is_passed) {
    loam_check check = {0};
    cr_expect_eq(verdict_of(lattice_alone(), &check, square).reason_count, 0);
}

Test(check, a_count_is_in_its_band_with_both_ends) {
    const int64_t exact = 250000 * 256;
    graph_world *world = lattice_alone();
    loam_check equal = count_check(exact, exact);
    cr_expect_eq(verdict_of(world, &equal, square).reason_count, 0);
    loam_check more = count_check(exact + 1, LOAM_CHECK_COUNT_MAX);
    loam_verdict few = verdict_of(world, &more, square);
    cr_assert_eq(few.reason_count, 1);
    cr_expect_eq(few.reasons[0].kind, LOAM_CHECK_COUNT);
    cr_expect_eq(few.reasons[0].value, exact);
    cr_expect_eq(few.reasons[0].limit, exact + 1);
    cr_expect_eq(few.reasons[0].id_count, 0);
    loam_check less = count_check(0, exact - 1);
    loam_verdict many = verdict_of(world, &less, square);
    cr_assert_eq(many.reason_count, 1);
    cr_expect_eq(many.reasons[0].limit, exact - 1);
}

Test(check, a_count_is_of_the_cell_s_area) {
    graph_world *world = lattice_alone();
    loam_check check = count_check(250000 * 256, 250000 * 256);
    cr_expect_eq(verdict_of(world, &check, rect_of_metres(-400, 200, 100)).reason_count, 0);
    cr_expect_eq(verdict_of(world, &check, (loam_rect){0, 0, 1, 1}).reason_count, 1,
                 "one instance on a squared unit is many");
    loam_check widest = count_check(0, LOAM_CHECK_COUNT_MAX);
    cr_expect_eq(verdict_of(world, &widest, rect_of_metres(0, 0, 512)).reason_count, 0);
}

/* ---- Ring ----------------------------------------------------------------------------------- */

static loam_check ring_check(graph_world *world, int64_t width) {
    return (loam_check){.kinds = 1u << LOAM_CHECK_RING,
                        .zones =
                            (uint32_t)loam_graph_find_slot(&world->graph, loam_text_of("zones")),
                        .ring = width};
}

Test(check, a_ring_is_empty_up_to_its_width_and_no_further) {
    static const box_metres box = {3, 3, 3 + 2, 3 + 2, LOAM_UNSET, LOAM_UNSET};
    graph_world *world = lattice_world(&box, 1);
    loam_check inside = ring_check(world, 0);
    loam_verdict verdict = verdict_of(world, &inside, square);
    cr_assert_eq(verdict.reason_count, 1);
    cr_expect_eq(verdict.reasons[0].failures, 1, "the one at (4, 4)");
    cr_expect(verdict.reasons[0].inside);
    cr_expect_eq(verdict.reasons[0].x, 4 * METRE);
    cr_expect_eq(verdict.reasons[0].z, 4 * METRE);
    cr_expect_eq(verdict.reasons[0].y, 10 * METRE);
    loam_check metre = ring_check(world, METRE);
    cr_expect_eq(verdict_of(world, &metre, square).reasons[0].failures, 1,
                 "those 1 m away are out");
    loam_check more = ring_check(world, METRE + 1);
    cr_expect_eq(verdict_of(world, &more, square).reasons[0].failures, 5);
}

Test(check, a_ring_s_reason_says_how_near_the_first_one_is) {
    static const box_metres box = {1, 1, 1 + 2, 5, LOAM_UNSET, LOAM_UNSET};
    graph_world *world = lattice_world(&box, 1);
    loam_check check = ring_check(world, 2 * METRE);
    loam_verdict verdict = verdict_of(world, &check, square);
    cr_assert_eq(verdict.reason_count, 1);
    cr_expect_not(verdict.reasons[0].inside);
    cr_expect_eq(verdict.reasons[0].x, 0, "at the corner, 1.41 m from (1, 1)");
    cr_expect_eq(verdict.reasons[0].value, 92681, "floor(sqrt(2) * 65,536)");
    cr_expect_eq(verdict.reasons[0].limit, 2 * 65536);
}

Test(check, a_zone_s_own_margin_and_zones_elsewhere_do_not_count) {
    static const box_metres other = {500, 500, 600, 600, LOAM_UNSET, LOAM_UNSET};
    static const box_metres own = {21, 21, 23, 23, 100 * METRE, LOAM_UNSET};
    graph_world *world = lattice_world(&other, 1);
    loam_check check = ring_check(world, METRE);
    cr_expect_eq(verdict_of(world, &check, square).reason_count, 0);
    world = lattice_world(&own, 1);
    check = ring_check(world, METRE);
    cr_expect_eq(verdict_of(world, &check, square).reason_count, 0);
}

Test(check, a_slot_of_another_kind_is_refused) {
    graph_world *world = lattice_alone();
    loam_check check = ring_check(world, METRE);
    loam_arena arena = arena_of((size_t)1 << 20);
    loam_points points = world_points(world, "o", square);
    loam_query query = cell_query(world, square);
    loam_run run = {.arena = &arena};
    loam_verdict verdict;
    loam_error error = {0};
    check.zones = (uint32_t)loam_graph_find_slot(&world->graph, loam_text_of("ground"));
    cr_expect_eq(loam_check_cell(&check, &query, &points, &run, &verdict, &error),
                 LOAM_SLOT_MISMATCH);
}

Test(check, points_of_another_rectangle_are_refused) {
    graph_world *world = lattice_alone();
    loam_check check = {0};
    loam_arena arena = arena_of((size_t)1 << 20);
    loam_points points = world_points(world, "o", square);
    loam_query query = cell_query(world, square);
    loam_run run = {.arena = &arena};
    loam_verdict verdict;
    loam_error error = {0};
    query.rect.x1++;
    cr_expect_eq(loam_check_cell(&check, &query, &points, &run, &verdict, &error),
                 LOAM_SIZE_MISMATCH);
}

/* ---- Floating ------------------------------------------------------------------------------- */

static loam_check floating_check(graph_world *world, int64_t floating, uint32_t samples) {
    return (loam_check){.kinds = 1u << LOAM_CHECK_FLOATING,
                        .surface =
                            (uint32_t)loam_graph_find_slot(&world->graph, loam_text_of("ground")),
                        .floating = floating,
                        .samples = samples};
}

Test(check, instances_stand_on_the_ground_up_to_the_limit) {
    graph_world *world = lattice_alone();
    loam_check exact = floating_check(world, 0, 1000);
    cr_expect_eq(verdict_of(world, &exact, square).reason_count, 0);
    world_bind(world, "ground", plane_of(65, 0, 0, 0, 0, 9 * LOAM_HEIGHT_STEPS_PER_METRE));
    loam_check metre = floating_check(world, METRE, 1000);
    cr_expect_eq(verdict_of(world, &metre, square).reason_count, 0, "as far as allowed");
    loam_check less = floating_check(world, METRE - 1, 1000);
    loam_verdict verdict = verdict_of(world, &less, square);
    cr_assert_eq(verdict.reason_count, 1);
    cr_expect_eq(verdict.reasons[0].failures, 25, "all of them are looked at, none twice");
    cr_expect_eq(verdict.reasons[0].value, 65536);
    cr_expect_eq(verdict.reasons[0].limit, 255 * 256);
    world_bind(world, "ground", plane_of(65, 0, 0, 0, 0, 11 * LOAM_HEIGHT_STEPS_PER_METRE));
    cr_expect_eq(verdict_of(world, &less, square).reason_count, 1, "sunk is as bad");
}

Test(check, a_height_is_rounded_as_generation_rounds_it) {
    static const char *const projected[] = {"$ground heightfield", "$zones areas",
                                            "s surface.sample spacing_m=512 surface<$ground",
                                            "=o s", NULL};
    static const box_metres far = {1000, 1000, 1010, 1010, LOAM_UNSET, LOAM_UNSET};
    graph_world *world = world_of(projected, 3);
    world_bind(world, "zones", areas_of_boxes(&far, 1));
    world_bind(world, "ground", plane_of(65, 0, 0, 31415, -2718, -77777));
    loam_check exact = floating_check(world, 0, 1000);
    cr_expect_eq(verdict_of(world, &exact, rect_of_metres(0, 0, 32)).reason_count, 0);
}

Test(check, where_there_is_no_ground_an_instance_floats) {
    graph_world *world = lattice_alone();
    loam_check check = floating_check(world, 100 * METRE, 1000);
    loam_verdict verdict = verdict_of(world, &check, rect_of_metres(100, 100, 10));
    cr_assert_eq(verdict.reason_count, 1);
    cr_expect_not(verdict.reasons[0].measured);
    cr_expect_eq(verdict.reasons[0].id_count, 1);
}

Test(check, samples_are_spread_and_the_same_each_time) {
    graph_world *world = lattice_alone();
    /* Half of the ground is too low: of 4 samples, each of a quarter of the rows, some fail. */
    world_bind(world, "ground", plane_of(65, 0, 0, 0, 65536, 0));
    loam_check check = floating_check(world, 5 * METRE, 4);
    loam_verdict one = verdict_of(world, &check, rect_of_metres(0, 0, 40));
    loam_verdict two = verdict_of(world, &check, rect_of_metres(0, 0, 40));
    cr_assert_eq(one.reason_count, 1);
    cr_expect(one.reasons[0].failures >= 2 && one.reasons[0].failures <= 4, "%u",
              one.reasons[0].failures);
    cr_expect_eq(one.reasons[0].ids[0], two.reasons[0].ids[0]);
}

Test(check, every_check_that_fails_is_named_once) {
    static const box_metres box = {0, 0, 10, 10, LOAM_UNSET, LOAM_UNSET};
    graph_world *world = lattice_world(&box, 1);
    loam_check check = floating_check(world, 0, 20);
    world_bind(world, "ground", plane_of(65, 0, 0, 0, 0, 0));
    check.kinds = (1u << LOAM_CHECK_KINDS) - 1;
    check.count_min = check.count_max = 0;
    check.spacing = 513;
    check.zones = (uint32_t)loam_graph_find_slot(&world->graph, loam_text_of("zones"));
    loam_verdict verdict = verdict_of(world, &check, square);
    cr_assert_eq(verdict.reason_count, LOAM_CHECK_KINDS);
    for (uint32_t i = 0; i < verdict.reason_count; i++) {
        cr_expect_eq(verdict.reasons[i].kind, i);
    }
    cr_expect_eq(verdict.reasons[LOAM_CHECK_RING].failures, 25);
    cr_expect_eq(verdict.reasons[LOAM_CHECK_FLOATING].failures, 20);
    cr_expect_str_eq(loam_check_name(LOAM_CHECK_RING), "ring");
}
