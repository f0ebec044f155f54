/* SPDX-License-Identifier: MIT
 *
 * test_areas_check.c: which rings are refused, with what words, and at what cost.
 */
#include "core/space/areas_parts.h"
#include "core/space/areas_sweep.h"
#include "tests/unit/core/space/areas_naive.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 4 << 20 };

static unsigned char memory[ARENA_BYTES];

static loam_status build(const naive_areas *areas, loam_error *error) {
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_areas_source source = naive_source(areas);
    const loam_areas *built;
    *error = (loam_error){0};
    loam_status status = loam_areas_build(&source, &arena, &built, error);
    cr_assert_eq(status, error->status);
    cr_assert(status == LOAM_OK || arena.used == 0, "a failure gives everything back");
    return status;
}

/* One polygon of one ring. */
static loam_status build_ring(const int64_t *xz, uint32_t count, loam_error *error) {
    static naive_areas areas;
    areas = (naive_areas){0};
    naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_ring(&areas, xz, count);
    return build(&areas, error);
}

#define RING(...) (int64_t[]){__VA_ARGS__}, sizeof((int64_t[]){__VA_ARGS__}) / 16

Test(areas_check, a_square_is_a_ring) {
    loam_error error;
    cr_assert_eq(build_ring(RING(0, 0, 9, 0, 9, 9, 0, 9), &error), LOAM_OK);
}

Test(areas_check, repeated_vertices_are_dropped) {
    loam_error error;
    cr_assert_eq(build_ring(RING(0, 0, 0, 0, 9, 0, 9, 9, 9, 9, 9, 9, 0, 0), &error), LOAM_OK);
}

Test(areas_check, a_bow_tie_crosses_at_its_middle) {
    loam_error error;
    cr_assert_eq(build_ring(RING(0, 0, 1024, 1024, 1024, 0, 0, 1024), &error), LOAM_RING_CROSSES);
    cr_assert_str_eq(error.pointer, "/features/0");
    cr_assert_str_eq(error.text, "rings cross at x 2 m, z 2 m");
}

Test(areas_check, the_place_is_exact_and_may_be_negative) {
    loam_error error;
    cr_assert_eq(build_ring(RING(-1, -1, -5, -3, -1, -3, -5, -1), &error), LOAM_RING_CROSSES);
    cr_assert_str_eq(error.text, "rings cross at x -0.01171875 m, z -0.0078125 m");
}

Test(areas_check, an_open_ring_is_refused) {
    int64_t xz[] = {0, 0, 256, 0, 256, 256, 0, 256};
    loam_ring ring = {xz, 4};
    loam_polygon polygon = {&ring, 1, 2};
    loam_area_feature features[3] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    loam_areas_source source = {&polygon, 1, features, 3};
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_error error = {0};
    const loam_areas *areas;
    cr_assert_eq(loam_areas_build(&source, &arena, &areas, &error), LOAM_RING_OPEN);
    cr_assert_str_eq(error.pointer, "/features/2");
    ring.count = 0;
    cr_assert_eq(loam_areas_build(&source, &arena, &areas, NULL), LOAM_RING_OPEN);
    xz[6] = xz[7] = 0;
    ring.count = 3;
    cr_assert_eq(loam_areas_build(&source, &arena, &areas, NULL), LOAM_RING_OPEN);
}

Test(areas_check, a_ring_without_area_is_refused) {
    loam_error error;
    cr_assert_eq(build_ring(RING(3, 3, 3, 3, 3, 3, 3, 3), &error), LOAM_RING_DEGENERATE);
    cr_assert_eq(build_ring(RING(3, 3, 5, 5, 3, 3), &error), LOAM_RING_DEGENERATE);
    cr_assert_eq(build_ring(RING(0, 0, 2, 4, 3, 6, 1, 2), &error), LOAM_RING_DEGENERATE);
    cr_assert_eq(build_ring(RING(0, 0, 1, 1, 1, 0), &error), LOAM_OK);
}

Test(areas_check, a_spike_and_a_common_stretch_cross) {
    loam_error error;
    cr_assert_eq(build_ring(RING(0, 0, 9, 0, 9, 9, 9, 20, 9, 9, 0, 9), &error), LOAM_RING_CROSSES);
    cr_assert_eq(build_ring(RING(0, 0, 9, 0, 9, 5, 4, 5, 4, 0, 4, -5, 0, -5), &error),
                 LOAM_RING_CROSSES);
}

Test(areas_check, touching_at_a_point_is_no_crossing) {
    loam_error error;
    /* Two triangles over each other, joined at (5, 5) without changing sides. */
    cr_assert_eq(build_ring(RING(0, 0, 10, 0, 5, 5, 10, 10, 0, 10, 5, 5), &error), LOAM_OK);
    /* The same points, so that the border runs straight through: both ways cross there. */
    cr_assert_eq(build_ring(RING(0, 0, 10, 0, 5, 5, 0, 10, 10, 10, 5, 5), &error),
                 LOAM_RING_CROSSES);
    /* A corner on the middle of an edge. */
    cr_assert_eq(build_ring(RING(0, 0, 10, 0, 10, 10, 5, 0, 0, 10), &error), LOAM_OK);
    cr_assert_eq(build_ring(RING(0, 0, 10, 0, 10, 10, 5, -1, 0, 10), &error), LOAM_RING_CROSSES);
}

Test(areas_check, a_hole_may_touch_but_not_cross_its_outer_ring) {
    static naive_areas areas;
    for (int64_t shift = 0; shift <= 1; shift++) {
        areas = (naive_areas){0};
        naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
        naive_add_polygon(&areas);
        naive_add_box(&areas, 0, 0, 20, 20);
        naive_add_ring(&areas, (int64_t[]){0 - shift, 10, 10, 5, 10, 15}, 3);
        loam_error error;
        cr_assert_eq(build(&areas, &error), shift == 0 ? LOAM_OK : LOAM_RING_CROSSES);
    }
}

Test(areas_check, polygons_may_overlap_each_other) {
    static naive_areas areas;
    naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_box(&areas, 0, 0, 20, 20);
    naive_add_polygon(&areas);
    naive_add_box(&areas, 10, 10, 30, 30);
    loam_error error;
    cr_assert_eq(build(&areas, &error), LOAM_OK);
}

Test(areas_check, coordinates_end_at_the_worlds_end) {
    int64_t most = POSITION_UNITS_MAX;
    loam_error error;
    cr_assert_eq(build_ring(RING(-most, -most, most, -most, most, most, -most, most), &error),
                 LOAM_OK);
    cr_assert_eq(build_ring(RING(-most, -most, most, most, most, -most, -most, most), &error),
                 LOAM_RING_CROSSES);
    cr_assert_str_eq(error.text, "rings cross at x 0 m, z 0 m");
    cr_assert_eq(build_ring(RING(0, 0, most + 1, 0, 0, 5), &error), LOAM_COORDINATE_RANGE);
    cr_assert_eq(build_ring(RING(0, 0, 5, 0, 0, INT64_MIN), &error), LOAM_COORDINATE_RANGE);
}

/* Random closed ways, mostly tangled: the sweep must say what all pairs say. */
Test(areas_check, the_sweep_agrees_with_all_pairs) {
    naive_random random = {7};
    uint32_t good = 0;
    for (int round = 0; round < 60000; round++) {
        static naive_areas areas;
        areas.vertex_count = areas.ring_count = areas.polygon_count = areas.feature_count = 0;
        naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
        naive_add_polygon(&areas);
        uint32_t rings = 1 + naive_draw(&random, 3);
        uint32_t side = 3 + naive_draw(&random, 6);
        for (uint32_t i = 0; i < rings; i++) {
            int64_t xz[2 * 8];
            uint32_t count = 3 + naive_draw(&random, rings == 1 ? 5 : 2);
            for (uint32_t j = 0; j < 2 * count; j++) {
                xz[j] = naive_draw(&random, side);
            }
            naive_add_ring(&areas, xz, count);
        }
        loam_error error;
        loam_status status = build(&areas, &error);
        if (status == LOAM_RING_DEGENERATE) {
            continue;
        }
        bool crosses = naive_polygon_crosses(&areas.polygons[0]);
        cr_assert_eq(status, crosses ? LOAM_RING_CROSSES : LOAM_OK, "round %d", round);
        good += !crosses;
    }
    cr_assert_gt(good, 5000);
}

typedef void (*shape)(int64_t *xz, uint32_t count);

/* Teeth up and down, side by side. */
static void shape_comb(int64_t *xz, uint32_t count) {
    for (uint32_t i = 0; i + 1 < count; i++) {
        xz[2 * i] = (int64_t)i * 4;
        xz[2 * i + 1] = i % 2 == 0 ? 1000 : 2000000;
    }
    xz[2 * count - 2] = (int64_t)count * 2;
    xz[2 * count - 1] = -1000000000;
}

/* The same lying down: each tooth is long in x and all share their columns. */
static void shape_comb_lying(int64_t *xz, uint32_t count) {
    shape_comb(xz, count);
    for (uint32_t i = 0; i < count; i++) {
        int64_t kept = xz[2 * i];
        xz[2 * i] = xz[2 * i + 1];
        xz[2 * i + 1] = kept;
    }
}

/* Long slanted teeth: every box meets every other. */
static void shape_comb_slanted(int64_t *xz, uint32_t count) {
    shape_comb(xz, count);
    for (uint32_t i = 0; i < count; i++) {
        xz[2 * i] += xz[2 * i + 1];
    }
}

static uint64_t steps_of(shape draw, uint32_t count, bool *crosses) {
    int64_t *xz = malloc(2 * sizeof *xz * count);
    size_t size = (size_t)count * 128 + 4096;
    void *room = malloc(size);
    cr_assert(xz != NULL && room != NULL);
    draw(xz, count);
    area_ring ring = {.xz = xz, .count = count};
    loam_arena arena;
    loam_arena_init(&arena, room, size);
    sweep_result result;
    cr_assert_eq(sweep_rings(&ring, 1, &arena, &result), LOAM_OK);
    *crosses = result.crosses;
    free(room);
    free(xz);
    return result.steps;
}

Test(areas_check, combs_of_a_hundred_thousand_teeth_cost_n_log_n) {
    shape shapes[] = {shape_comb, shape_comb_lying, shape_comb_slanted};
    for (size_t i = 0; i < 3; i++) {
        bool crosses;
        uint64_t few = steps_of(shapes[i], 20002, &crosses);
        cr_assert(!crosses);
        uint64_t many = steps_of(shapes[i], 200002, &crosses);
        cr_assert(!crosses);
        cr_assert_lt(many, few * 14, "%zu: %llu after %llu", i, (unsigned long long)many,
                     (unsigned long long)few);
        cr_assert_lt(many, (uint64_t)200002 * 80);
    }
}

static void shape_comb_bent(int64_t *xz, uint32_t count) {
    shape_comb(xz, count);
    xz[2 * (count / 2)] += 9;
}

Test(areas_check, one_bent_tooth_among_many_is_found) {
    bool crosses;
    steps_of(shape_comb_bent, 20002, &crosses);
    cr_assert(crosses);
}

/* Many triangles that meet in one point. */
static void shape_star(int64_t *xz, uint32_t count) {
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        int64_t column = (int64_t)i * 2;
        memcpy(xz + 2 * (size_t)i, (int64_t[]){0, 0, column, 1000000, column + 3, 1000000},
               6 * sizeof *xz);
    }
}

Test(areas_check, many_touches_in_one_point_cost_n_log_n) {
    bool crosses;
    uint64_t steps = steps_of(shape_star, 150000, &crosses);
    cr_assert(!crosses);
    cr_assert_lt(steps, (uint64_t)150000 * 80);
}

Test(areas_check, every_arena_that_is_too_small_is_said_to_be) {
    static naive_areas areas;
    naive_random random = {3};
    naive_random_areas(&areas, &random, 12, 40, 0, 0, 10);
    loam_areas_source source = naive_source(&areas);
    loam_status status = LOAM_ARENA_FULL;
    size_t size = 0;
    for (; status != LOAM_OK; size += 64) {
        loam_arena arena;
        loam_arena_init(&arena, memory, size);
        loam_error error = {0};
        const loam_areas *built;
        status = loam_areas_build(&source, &arena, &built, &error);
        cr_assert(status == LOAM_OK || (status == LOAM_ARENA_FULL && arena.used == 0));
        cr_assert_eq(error.status, status);
    }
    cr_assert_gt(size, 4096);
}
