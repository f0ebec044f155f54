/* SPDX-License-Identifier: MIT
 *
 * test_areas_query.c: what points are told: vetoed, faded, how far, in which feature; against the
 * plainest answers, near the origin, far away and at the world's end.
 */
#include "core/base/fixed_math.h"
#include "tests/unit/core/space/areas_naive.h"

#include <criterion/criterion.h>

enum { ARENA_BYTES = 4 << 20, POINTS = 400 };

static unsigned char memory[2][ARENA_BYTES];
static int32_t column_x[POINTS];
static int32_t column_z[POINTS];

static const loam_areas *build_in(int which, const naive_areas *areas) {
    loam_arena arena;
    loam_arena_init(&arena, memory[which], ARENA_BYTES / 2);
    loam_areas_source source = naive_source(areas);
    const loam_areas *built = NULL;
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&source, &arena, &built, &error), LOAM_OK, "%s", error.text);
    return built;
}

/* The half of a test's memory that the areas do not use. */
static loam_arena scratch_of(int which) {
    loam_arena arena;
    loam_arena_init(&arena, memory[which] + ARENA_BYTES / 2, ARENA_BYTES / 2);
    return arena;
}

/* Points in a square of `side` at (x, z), given from another base. */
static areas_points random_points(naive_random *random, uint32_t count, int64_t side, int64_t x,
                                  int64_t z) {
    int32_t shift = (int32_t)naive_draw(random, 2000) - 1000;
    for (uint32_t i = 0; i < count; i++) {
        column_x[i] = (int32_t)naive_draw(random, (uint32_t)side) + shift;
        column_z[i] = (int32_t)naive_draw(random, (uint32_t)side) + shift;
    }
    return (areas_points){x - shift, z - shift, column_x, column_z, count};
}

/* Every question, every point, against naive answers. */
static void assert_like_naive(const naive_areas *areas, const areas_points *points,
                              const areas_view *view, int64_t edge) {
    static uint8_t inside[POINTS], held[POINTS];
    static uint32_t fraction[POINTS], feature[POINTS];
    static uint64_t distance2[POINTS];
    const loam_areas *built = build_in(0, areas);
    loam_arena scratch = scratch_of(0);
    int64_t limit = view->width_units;
    cr_assert_eq(areas_veto(built, view, points, inside, &scratch), LOAM_OK);
    cr_assert_eq(areas_fade(built, view, points, fraction, &scratch), LOAM_OK);
    cr_assert_eq(areas_nearest(built, limit, points, held, distance2, &scratch), LOAM_OK);
    cr_assert_eq(areas_cover(built, edge, points, feature, &scratch), LOAM_OK);
    cr_assert_eq(scratch.used, 0, "scratch is given back");
    for (uint32_t i = 0; i < points->count; i++) {
        int64_t x = points->base_x + points->x[i];
        int64_t z = points->base_z + points->z[i];
        bool vetoed = false;
        bool holds = false;
        uint64_t nearest = AREA_DISTANCE2_NONE;
        uint64_t smallest_key = UINT64_MAX;
        uint32_t least = LOAM_DENSITY_ONE;
        for (uint32_t j = 0; j < areas->polygon_count; j++) {
            const loam_polygon *polygon = &areas->polygons[j];
            const loam_area_feature *own = &areas->features[polygon->feature];
            bool has_margin = view->feature_margin && own->margin != LOAM_UNSET;
            bool has_buffer = view->feature_buffer && own->buffer != LOAM_UNSET;
            int64_t margin = view->margin_units + (has_margin ? own->margin : 0);
            int64_t width = has_buffer ? own->buffer : view->width_units;
            bool in = naive_inside(polygon, x, z);
            uint64_t far = naive_distance2(polygon, x, z);
            holds |= in;
            vetoed |= in || naive_near(polygon, x, z, margin);
            if (far < (uint64_t)(limit * limit) * 65536 && far < nearest) {
                nearest = far;
            }
            if (in && (edge == 0 || !naive_near(polygon, x, z, edge)) && own->key < smallest_key) {
                smallest_key = own->key;
            }
            int64_t past = (int64_t)integer_root(far) - margin * 256;
            int64_t part = in || past <= 0 ? 0
                           : width == 0 || past >= width * 256
                               ? LOAM_DENSITY_ONE
                               : past * LOAM_DENSITY_ONE / (width * 256);
            part = width == 0 && !in ? (naive_near(polygon, x, z, margin) ? 0 : LOAM_DENSITY_ONE)
                                     : part;
            least = (uint32_t)part < least ? (uint32_t)part : least;
        }
        cr_assert_eq(inside[i], vetoed, "veto of %lld %lld", (long long)x, (long long)z);
        cr_assert_eq(held[i], holds);
        cr_assert_eq(distance2[i], nearest);
        cr_assert_eq(fraction[i], least, "fade of %lld %lld: %u for %u", (long long)x, (long long)z,
                     fraction[i], least);
        cr_assert_eq(feature[i] == AREA_FEATURE_NONE, smallest_key == UINT64_MAX);
        if (feature[i] != AREA_FEATURE_NONE) {
            cr_assert_eq(loam_areas_normal_form(built)->features[feature[i]].key, smallest_key);
        }
    }
}

/* `scale` stretches everything: small ones put many points on borders. */
static void compare_random(uint64_t seed, int rounds, int64_t side, int64_t x, int64_t z) {
    static naive_areas areas;
    naive_random random = {seed};
    for (int round = 0; round < rounds; round++) {
        naive_random_areas(&areas, &random, 1 + naive_draw(&random, 6), side, x, z, side / 4);
        areas_view view = {.margin_units = naive_draw(&random, (uint32_t)side / 4 + 1),
                           .width_units = naive_draw(&random, (uint32_t)side + 1),
                           .feature_margin = naive_draw(&random, 2) == 0,
                           .feature_buffer = naive_draw(&random, 2) == 0};
        int64_t window = 1 + naive_draw(&random, (uint32_t)side * 2);
        areas_points points = random_points(&random, POINTS / 2, window,
                                            x - side / 2 + naive_draw(&random, (uint32_t)side * 2),
                                            z - side / 2 + naive_draw(&random, (uint32_t)side * 2));
        assert_like_naive(&areas, &points, &view, naive_draw(&random, (uint32_t)side / 3));
    }
}

Test(areas_query, answers_are_the_naive_ones_on_a_small_lattice) {
    compare_random(1, 400, 14, -7, -7);
}

Test(areas_query, answers_are_the_naive_ones_in_a_cell_of_real_size) {
    compare_random(2, 200, 65536, -70000, -10000);
}

Test(areas_query, answers_are_the_naive_ones_a_million_metres_away) {
    compare_random(3, 150, 1000, -256000000, 256000001);
    compare_random(4, 50, 65536, 256000123, -255999000);
}

Test(areas_query, answers_are_the_naive_ones_at_the_worlds_end) {
    compare_random(5, 100, 5000, POSITION_UNITS_MAX - 5000, -POSITION_UNITS_MAX);
}

Test(areas_query, a_border_is_inside_and_a_margin_is_exclusive) {
    static naive_areas areas;
    naive_add_feature(&areas, 1, 5, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_box(&areas, 100, 100, 200, 200);
    const loam_areas *built = build_in(0, &areas);
    loam_arena scratch = scratch_of(0);
    int32_t x[] = {100, 200, 99, 201, 95, 96, 90, 91, 86};
    int32_t z[] = {150, 200, 150, 150, 150, 150, 150, 150, 98};
    areas_points points = {0, 0, x, z, 9};
    struct {
        areas_view view;
        const char *expected;
    } cases[] = {{{0}, "110000000"},
                 {{.feature_margin = true}, "111101000"},
                 {{.margin_units = 5, .feature_margin = true}, "111111010"},
                 {{.margin_units = 10, .feature_margin = true}, "111111111"}};
    for (size_t i = 0; i < 4; i++) {
        uint8_t inside[9];
        cr_assert_eq(areas_veto(built, &cases[i].view, &points, inside, &scratch), LOAM_OK);
        for (int j = 0; j < 9; j++) {
            cr_assert_eq(inside[j], cases[i].expected[j] - '0', "case %zu point %d", i, j);
        }
    }
}

/* |x| + |z| = 2^40: a border a distance of (2^40 - |x| - |z|) / sqrt 2 away, at any size. */
Test(areas_query, a_diamond_as_large_as_the_world_is_exact) {
    static naive_areas areas;
    int64_t most = POSITION_UNITS_MAX;
    naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_ring(&areas, (int64_t[]){most, 0, 0, most, -most, 0, 0, -most}, 4);
    const loam_areas *built = build_in(0, &areas);
    loam_arena scratch = scratch_of(0);
    naive_random random = {9};
    for (int round = 0; round < 200; round++) {
        int64_t along = (int64_t)naive_draw(&random, 1 << 30) << 9;
        int64_t margin = 1 + naive_draw(&random, REACH_UNITS_MAX);
        int64_t outward = margin * 99 / 70 + (int64_t)naive_draw(&random, 5) - 2;
        areas_points points = random_points(&random, 1, 1, along, most - along + outward);
        uint8_t inside;
        cr_assert_eq(
            areas_veto(built, &(areas_view){.margin_units = margin}, &points, &inside, &scratch),
            LOAM_OK);
        bool expected = outward <= 0 || outward * outward < 2 * margin * margin;
        cr_assert_eq(inside, expected, "%lld of %lld", (long long)outward, (long long)margin);
        uint64_t distance2;
        cr_assert_eq(
            areas_nearest(built, AREA_REACH_UNITS_MAX, &points, &inside, &distance2, &scratch),
            LOAM_OK);
        cr_assert_eq(inside, outward <= 0);
        uint64_t twice = (uint64_t)(outward * outward) * 65536 / 2;
        bool far = outward * outward >= 2 * AREA_REACH_UNITS_MAX * AREA_REACH_UNITS_MAX;
        cr_assert_eq(distance2, far ? AREA_DISTANCE2_NONE : twice);
    }
}

/* Inside the box of an edge and still millions of kilometres from it: squares wrap at 128 bits. */
Test(areas_query, a_border_beyond_any_reach_is_not_near) {
    static naive_areas areas;
    int64_t most = POSITION_UNITS_MAX;
    naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_ring(&areas, (int64_t[]){most, 0, 0, most, -most, 0, 0, -most}, 4);
    const loam_areas *built = build_in(0, &areas);
    loam_arena scratch = scratch_of(0);
    naive_random random = {10};
    for (int round = 0; round < 2000; round++) {
        int64_t x = most / 4 + ((int64_t)naive_draw(&random, 1 << 30) << (round % 10));
        int64_t outward = AREA_REACH_UNITS_MAX * 2 + (int64_t)naive_draw(&random, 1 << 30) * 57;
        int64_t z = round % 2 == 0 ? most - x + outward : most - x - outward;
        areas_points points = random_points(&random, 1, 1, x, z);
        uint8_t inside;
        uint64_t distance2;
        cr_assert_eq(
            areas_nearest(built, AREA_REACH_UNITS_MAX, &points, &inside, &distance2, &scratch),
            LOAM_OK);
        cr_assert_eq(inside, round % 2);
        cr_assert_eq(distance2, AREA_DISTANCE2_NONE);
    }
}

Test(areas_query, answers_do_not_depend_on_winding_start_and_order) {
    static naive_areas areas, other;
    naive_random random = {21};
    for (int round = 0; round < 200; round++) {
        naive_random_areas(&areas, &random, 1 + naive_draw(&random, 6), 30, 0, 0, 9);
        naive_shuffle(&areas, &other, &random);
        areas_points points = random_points(&random, POINTS, 50, -10, -10);
        areas_view view = {.margin_units = naive_draw(&random, 4), .feature_margin = true};
        static uint8_t inside[2][POINTS];
        loam_arena scratch = scratch_of(0);
        cr_assert_eq(areas_veto(build_in(0, &areas), &view, &points, inside[0], &scratch), LOAM_OK);
        cr_assert_eq(areas_veto(build_in(1, &other), &view, &points, inside[1], &scratch), LOAM_OK);
        cr_assert_arr_eq(inside[0], inside[1], POINTS);
    }
}

/* A single point asks with another window than all points together. */
Test(areas_query, points_do_not_depend_on_their_company) {
    static naive_areas areas;
    naive_random random = {22};
    naive_random_areas(&areas, &random, 30, 400, 0, 0, 30);
    const loam_areas *built = build_in(0, &areas);
    loam_arena scratch = scratch_of(0);
    areas_points points = random_points(&random, POINTS, 600, -100, -100);
    areas_view view = {.margin_units = 3, .width_units = 40, .feature_margin = true};
    static uint8_t together[POINTS];
    static uint32_t fraction[POINTS];
    cr_assert_eq(areas_veto(built, &view, &points, together, &scratch), LOAM_OK);
    cr_assert_eq(areas_fade(built, &view, &points, fraction, &scratch), LOAM_OK);
    for (uint32_t i = 0; i < POINTS; i++) {
        areas_points one = {points.base_x, points.base_z, points.x + i, points.z + i, 1};
        uint8_t alone;
        uint32_t alone_fraction;
        cr_assert_eq(areas_veto(built, &view, &one, &alone, &scratch), LOAM_OK);
        cr_assert_eq(areas_fade(built, &view, &one, &alone_fraction, &scratch), LOAM_OK);
        cr_assert_eq(alone, together[i]);
        cr_assert_eq(alone_fraction, fraction[i]);
    }
}

Test(areas_query, an_arena_that_is_too_small_is_said_to_be) {
    static naive_areas areas;
    naive_random random = {23};
    naive_random_areas(&areas, &random, 30, 400, 0, 0, 30);
    const loam_areas *built = build_in(0, &areas);
    areas_points points = random_points(&random, POINTS, 400, 0, 0);
    static uint8_t inside[POINTS];
    loam_status status = LOAM_ARENA_FULL;
    size_t size = 64;
    for (; status != LOAM_OK; size += 64) {
        loam_arena scratch;
        loam_arena_init(&scratch, memory[1], size);
        status = areas_veto(built, &(areas_view){0}, &points, inside, &scratch);
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL);
        cr_assert_eq(scratch.used, 0);
    }
    cr_assert_gt(size, 1024);
}
