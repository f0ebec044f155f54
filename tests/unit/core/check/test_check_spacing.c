/* SPDX-License-Identifier: MIT
 *
 * test_check_spacing.c: spacing against brute force over the cell and the window around it,
 * computed as one piece: also where only a neighbour's instance is too close.
 */
#include "core/check/check.h"

#include "core/base/fixed_math.h"
#include "tests/unit/core/check/check_fixture.h"

static const char *const scattered[] = {"s grid.sample spacing_m=512", "=o s", NULL};
/* A third of the sites, so that distances differ much. */
static const char *const thinned[] = {"s grid.sample spacing_m=256",
                                      "d density.cull points<s multiplier=5592405", "=o d", NULL};

static loam_check spacing_check(int64_t spacing) {
    return (loam_check){.kinds = 1u << LOAM_CHECK_SPACING, .spacing = spacing};
}

static loam_rect grown(loam_rect rect, int64_t by) {
    return (loam_rect){rect.x0 - by, rect.z0 - by, rect.x1 + by, rect.z1 + by};
}

static bool holds(loam_rect rect, int64_t x, int64_t z) {
    return x >= rect.x0 && x < rect.x1 && z >= rect.z0 && z < rect.z1;
}

/* The least squared distance of an instance of the cell to any other within `limit` of the cell;
 * `across`: it is to one outside. */
static int64_t least_distance(graph_world *world, loam_rect rect, int64_t limit, bool *across) {
    loam_points all = world_points(world, "o", grown(rect, limit));
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < all.count; i++) {
        for (uint32_t j = 0; j < all.count; j++) {
            bool i_in = holds(rect, all.rect.x0 + all.x[i], all.rect.z0 + all.z[i]);
            bool j_in = holds(rect, all.rect.x0 + all.x[j], all.rect.z0 + all.z[j]);
            int64_t dx = all.x[i] - all.x[j], dz = all.z[i] - all.z[j];
            if (i != j && i_in && dx * dx + dz * dz < least) {
                least = dx * dx + dz * dz;
                *across = !j_in;
            }
        }
    }
    return least;
}

/* The pair that a reason names is there, and as close as it says. */
static void expect_pair(graph_world *world, loam_rect rect, int64_t spacing,
                        const loam_verdict *verdict) {
    const loam_check_reason *reason = &verdict->reasons[0];
    loam_points all = world_points(world, "o", grown(rect, spacing));
    cr_assert_eq(reason->kind, LOAM_CHECK_SPACING);
    cr_assert_eq(reason->id_count, 2);
    int64_t a = point_row(&all, reason->ids[0]), b = point_row(&all, reason->ids[1]);
    cr_assert(a >= 0 && b >= 0 && a != b);
    cr_expect_eq(reason->x, all.rect.x0 + all.x[a]);
    cr_expect_eq(reason->z, all.rect.z0 + all.z[a]);
    cr_expect(holds(rect, reason->x, reason->z));
    int64_t dx = all.x[a] - all.x[b], dz = all.z[a] - all.z[b];
    cr_expect_eq(reason->value, integer_root((uint64_t)(dx * dx + dz * dz) << 16));
    cr_expect_eq(reason->limit, spacing * 256);
    cr_expect_lt(reason->value, reason->limit);
}

/* At the least distance a cell passes, one unit above it fails. */
static uint32_t compare(const char *const *lines, uint64_t seed, int64_t side_m) {
    graph_world *world = world_of(lines, seed);
    uint32_t crossing = 0;
    for (int64_t at = -3; at <= 3; at++) {
        loam_rect rect = rect_of_metres(at * side_m, -at * side_m, side_m);
        bool across = false;
        int64_t least = least_distance(world, rect, side_m * METRE, &across);
        cr_assert_lt(least, INT64_MAX);
        int64_t root = (int64_t)integer_root((uint64_t)least);
        loam_check fits = spacing_check(root), fails = spacing_check(root + 1);
        cr_assert_leq(root + 1, side_m * METRE);
        if (root > 0) {
            cr_expect_eq(verdict_of(world, &fits, rect).reason_count, 0);
        }
        loam_verdict verdict = verdict_of(world, &fails, rect);
        cr_assert_eq(verdict.reason_count, 1);
        expect_pair(world, rect, root + 1, &verdict);
        crossing += across;
    }
    return crossing;
}

Test(check_spacing, the_least_distance_decides_as_brute_force_does) {
    uint32_t crossing = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        crossing += compare(scattered, seed, 8);
        crossing += compare(thinned, seed, 12);
    }
    cr_expect_gt(crossing, 20, "%u least pairs lie across a border", crossing);
}

Test(check_spacing, a_spacing_wider_than_the_cell_sees_all_around_it) {
    graph_world *world =
        world_of((const char *const[]){"s grid.sample spacing_m=2560 jitter=0", "=o s", NULL}, 1);
    loam_rect rect = rect_of_metres(0, 0, 1);
    loam_check fits = spacing_check(2560), fails = spacing_check(2561);
    cr_expect_eq(verdict_of(world, &fits, rect).reason_count, 0, "equal is kept");
    loam_verdict verdict = verdict_of(world, &fails, rect);
    cr_assert_eq(verdict.reason_count, 1);
    cr_expect_eq(verdict.reasons[0].value, 2560 * 256);
}

Test(check_spacing, beyond_the_bounds_of_a_world_there_are_no_neighbours) {
    graph_world *world =
        world_of((const char *const[]){"s grid.sample spacing_m=2560 jitter=0", "=o s", NULL}, 1);
    loam_check check = spacing_check(5000);
    loam_rect rect = rect_of_metres(0, 0, 10);
    cr_expect_eq(verdict_of(world, &check, rect).reason_count, 1);
    check.bounded = true;
    check.bounds = rect;
    cr_expect_eq(verdict_of(world, &check, rect).reason_count, 0);
    check.bounds.x1 += 10 * METRE;
    cr_expect_eq(verdict_of(world, &check, rect).reason_count, 1);
}

Test(check_spacing, an_empty_cell_and_a_single_instance_pass) {
    graph_world *world =
        world_of((const char *const[]){"s grid.sample spacing_m=256000 jitter=0", "=o s", NULL}, 1);
    loam_check check = spacing_check(1000);
    cr_expect_eq(verdict_of(world, &check, rect_of_metres(0, 0, 8)).reason_count, 0);
    cr_expect_eq(verdict_of(world, &check, rect_of_metres(8, 8, 8)).reason_count, 0);
}

Test(check_spacing, strips_cover_the_window_around_a_cell_once) {
    loam_check check = spacing_check(7);
    loam_rect cell = {100, 200, 130, 220};
    loam_rect strips[LOAM_CHECK_STRIPS];
    cr_assert_eq(loam_check_strips(&check, cell, strips), LOAM_CHECK_STRIPS);
    for (int64_t z = cell.z0 - 9; z < cell.z1 + 9; z++) {
        for (int64_t x = cell.x0 - 9; x < cell.x1 + 9; x++) {
            uint32_t covered = 0;
            for (uint32_t i = 0; i < LOAM_CHECK_STRIPS; i++) {
                covered += holds(strips[i], x, z);
            }
            bool wanted = holds(grown(cell, 7), x, z) && !holds(cell, x, z);
            cr_assert_eq(covered, wanted, "%lld %lld", (long long)x, (long long)z);
        }
    }
}

Test(check_spacing, a_check_ends_when_it_is_cancelled) {
    graph_world *world = world_of(scattered, 1);
    loam_rect rect = rect_of_metres(0, 0, 8);
    loam_points points = world_points(world, "o", rect);
    loam_arena arena = arena_of((size_t)64 << 20);
    int cancel = 1;
    loam_run run = {.arena = &arena, .cancel = &cancel};
    loam_query query = cell_query(world, rect);
    loam_check check = spacing_check(1);
    loam_verdict verdict;
    loam_error error = {0};
    cr_expect_eq(loam_check_cell(&check, &query, &points, &run, &verdict, &error), LOAM_CANCELLED);
}

Test(check_spacing, without_memory_there_is_no_verdict) {
    graph_world *world = world_of(scattered, 1);
    loam_rect rect = rect_of_metres(0, 0, 8);
    loam_points points = world_points(world, "o", rect);
    static unsigned char memory[1 << 16];
    loam_query query = cell_query(world, rect);
    loam_check check = spacing_check(1);
    for (size_t size = 0; size < sizeof memory; size += 1024) {
        loam_arena arena;
        loam_verdict verdict;
        loam_error error = {0};
        loam_arena_init(&arena, memory, size);
        loam_run run = {.arena = &arena};
        cr_assert_eq(loam_check_cell(&check, &query, &points, &run, &verdict, &error),
                     LOAM_ARENA_FULL, "%zu", size);
        cr_assert_eq(loam_arena_mark(&arena), 0);
    }
}
