/* SPDX-License-Identifier: MIT
 *
 * test_filter.c: filters against the plainest reading of their bands, ends included.
 */
#include "tests/unit/core/ops/operation_fixture.h"

#include <math.h>

enum { COUNT = 5000 };

/* What a filter is to keep, for a point. */
typedef bool keeps(const point_set *set, uint32_t i, int64_t low, int64_t high);

static bool keeps_height(const point_set *set, uint32_t i, int64_t low, int64_t high) {
    return set->y[i] >= low && set->y[i] <= high;
}

static bool keeps_density(const point_set *set, uint32_t i, int64_t low, int64_t high) {
    return set->density[i] >= low && set->density[i] <= high;
}

/* The tangent of a band's end may be rounded to 1/2^24 of its square. */
static bool keeps_slope(const point_set *set, uint32_t i, int64_t low, int64_t high) {
    double square = (double)set->gradient_x[i] * set->gradient_x[i] +
                    (double)set->gradient_z[i] * set->gradient_z[i];
    double degrees = atan(sqrt(square) / 4096) * 180 / 3.14159265358979323846 * 65536;
    return degrees >= (double)low - 1e-3 && degrees <= (double)high + 1e-3;
}

typedef struct filter_case {
    const char *operation, *low_key, *high_key;
    keeps *keeps;
    int64_t low, high;
} filter_case;

static void expect_filter(filter_case test, bool dense) {
    point_set *points = random_points(41, COUNT, 100000);
    uint32_t *live = calloc(column_size(COUNT), sizeof *live);
    for (uint32_t i = 0; dense && i < COUNT; i++) {
        live[i] = i % 7 == 0 ? 0 : UINT32_MAX;
    }
    points->live = dense ? live : NULL;
    for (int invert = 0; invert < 2; invert++) {
        operation_fixture *fixture = fixture_of(test.operation);
        fixture->inputs[0] = points;
        fixture_set(fixture, test.low_key, test.low);
        fixture_set(fixture, test.high_key, test.high);
        fixture_set(fixture, "invert", invert);
        point_set out = fixture_run(fixture);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            bool want =
                is_live(points, i) && test.keeps(points, i, test.low, test.high) != (invert == 1);
            cr_assert_eq(is_live(&out, i), want, "%s invert %d: %u", test.operation, invert, i);
            cr_assert(out.live[i] == 0 || out.live[i] == UINT32_MAX);
            kept += want;
        }
        cr_expect(kept > 0 || test.low == test.high || invert == 1);
        cr_expect(out.x == points->x && out.density == points->density, "columns are shared");
    }
}

Test(filter, height_keeps_its_band) {
    expect_filter((filter_case){"filter.height", "min_m", "max_m", keeps_height, -1000, 2000},
                  false);
    expect_filter((filter_case){"filter.height", "min_m", "max_m", keeps_height, -1000, 2000},
                  true);
    expect_filter((filter_case){"filter.height", "min_m", "max_m", keeps_height, 17, 17}, true);
    expect_filter((filter_case){"filter.height", "min_m", "max_m", keeps_height, -5000, 5000},
                  false);
}

Test(filter, density_keeps_its_band) {
    expect_filter((filter_case){"filter.density", "min", "max", keeps_density, 1 << 22, 1 << 23},
                  false);
    expect_filter((filter_case){"filter.density", "min", "max", keeps_density, 0, 0}, true);
    expect_filter((filter_case){"filter.density", "min", "max", keeps_density, LOAM_DENSITY_ONE,
                                LOAM_DENSITY_ONE},
                  true);
}

Test(filter, slope_keeps_its_band) {
    const int64_t degree = 65536;
    expect_filter((filter_case){"filter.slope", "min_deg", "max_deg", keeps_slope, 0, 25 * degree},
                  false);
    expect_filter(
        (filter_case){"filter.slope", "min_deg", "max_deg", keeps_slope, 30 * degree, 70 * degree},
        true);
    expect_filter((filter_case){"filter.slope", "min_deg", "max_deg", keeps_slope, 0, 90 * degree},
                  true);
}

static bool height_is_kept(int32_t y, int64_t low, int64_t high) {
    point_set *points = random_points(42, 1, 10);
    *(int32_t *)points->y = y;
    operation_fixture *fixture = fixture_of("filter.height");
    fixture->inputs[0] = points;
    fixture_set(fixture, "min_m", low);
    fixture_set(fixture, "max_m", high);
    point_set out = fixture_run(fixture);
    return is_live(&out, 0);
}

Test(filter, both_ends_of_a_band_belong_to_it) {
    cr_expect(height_is_kept(100, 100, 200));
    cr_expect(height_is_kept(200, 100, 200));
    cr_expect(!height_is_kept(99, 100, 200));
    cr_expect(!height_is_kept(201, 100, 200));
}

static bool slope_is_kept(int32_t gx, int32_t gz, int64_t min_deg, int64_t max_deg) {
    point_set *points = random_points(43, 1, 10);
    *(int32_t *)points->gradient_x = gx;
    *(int32_t *)points->gradient_z = gz;
    operation_fixture *fixture = fixture_of("filter.slope");
    fixture->inputs[0] = points;
    fixture_set(fixture, "min_deg", min_deg * 65536);
    fixture_set(fixture, "max_deg", max_deg * 65536);
    point_set out = fixture_run(fixture);
    return is_live(&out, 0);
}

Test(filter, a_slope_of_45_degrees_is_exact_on_both_sides) {
    cr_expect(slope_is_kept(4096, 0, 0, 45));
    cr_expect(slope_is_kept(0, -4096, 45, 90));
    cr_expect(!slope_is_kept(4097, 0, 0, 45));
    cr_expect(!slope_is_kept(4095, 0, 45, 90));
    cr_expect(!slope_is_kept(4096, 1, 0, 45));
}

Test(filter, no_wall_is_steeper_than_90_degrees) {
    cr_expect(slope_is_kept(1 << 20, 1 << 20, 0, 90));
    cr_expect(!slope_is_kept(1 << 20, 1 << 20, 0, 89));
    cr_expect(!slope_is_kept(1 << 20, 1 << 20, 90, 90), "the steepest gradient is below 90");
}

Test(filter, points_without_a_surface_are_flat) {
    point_set *points = random_points(44, 100, 1000);
    points->gradient_x = points->gradient_z = NULL;
    for (int k = 0; k < 4; k++) {
        operation_fixture *fixture = fixture_of("filter.slope");
        fixture->inputs[0] = points;
        fixture_set(fixture, "min_deg", k < 2 ? 0 : 65536);
        fixture_set(fixture, "invert", k % 2);
        point_set out = fixture_run(fixture);
        cr_expect_eq(is_live(&out, 50), (k < 2) != (k % 2 == 1), "%d", k);
    }
}

Test(filter, a_constant_density_is_filtered_too) {
    point_set *points = random_points(45, 100, 1000);
    points->density = NULL;
    points->density_all = 1 << 20;
    operation_fixture *fixture = fixture_of("filter.density");
    fixture->inputs[0] = points;
    fixture_set(fixture, "min", 1 << 20);
    point_set out = fixture_run(fixture);
    cr_expect(is_live(&out, 99));
    fixture_set(fixture, "min", (1 << 20) + 1);
    out = fixture_run(fixture);
    cr_expect(!is_live(&out, 99));
}

Test(filter, ends_in_the_wrong_order_are_a_fault) {
    operation_fixture *fixture = fixture_of("filter.density");
    loam_error error = {0};
    fixture_set(fixture, "min", 2);
    fixture_set(fixture, "max", 1);
    const loam_node *node = &fixture->graph.nodes[0];
    cr_expect_eq(operation_code_of(node->operation)->check(node, "/here", &error),
                 LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, "/here");
    cr_expect_str_eq(error.text, "min is larger than max");
}

Test(filter, an_empty_set_stays_empty) {
    operation_fixture *fixture = fixture_of("filter.height");
    fixture->inputs[0] = random_points(46, 0, 10);
    fixture_set(fixture, "min_m", 0);
    fixture_set(fixture, "max_m", 1);
    cr_expect_eq(fixture_run(fixture).count, 0);
}
