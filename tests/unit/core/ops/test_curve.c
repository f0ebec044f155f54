/* SPDX-License-Identifier: MIT
 *
 * test_curve.c: shapes of ramps: exact ends, exact rounding, no fall where a shape rises.
 */
#include "core/ops/curve.h"

#include <criterion/criterion.h>

static const loam_value line = {.kind = LOAM_VALUE_INTEGER, .integer = CURVE_LINEAR};
static const loam_value smooth = {.kind = LOAM_VALUE_INTEGER, .integer = CURVE_SMOOTH};

/* 3 t^2 - 2 t^3 in 128 bits, rounded to nearest. */
__extension__ typedef __int128 wide;

static int64_t smooth_plain(int64_t t) {
    wide value = (wide)t * t * (3 * (wide)CURVE_ONE - 2 * t);
    return (int64_t)((value + ((wide)1 << 47)) >> 48);
}

Test(curve, ends_are_exact) {
    const loam_value *shapes[] = {&line, &smooth};
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(curve_at(shapes[i], 0), 0);
        cr_expect_eq(curve_at(shapes[i], CURVE_ONE), CURVE_ONE);
        cr_expect_eq(curve_at(shapes[i], CURVE_ONE / 2), CURVE_ONE / 2);
    }
}

Test(curve, smooth_is_rounded_once_and_never_falls) {
    int64_t last = 0;
    for (int64_t t = 0; t <= CURVE_ONE; t += t < 5000 || t > CURVE_ONE - 5000 ? 1 : 997) {
        int64_t y = curve_at(&smooth, t);
        cr_assert_eq(y, smooth_plain(t), "at %lld", (long long)t);
        cr_assert_geq(y, last, "at %lld", (long long)t);
        last = y;
    }
}

static const loam_value knee_items[3][2] = {
    {{.kind = LOAM_VALUE_INTEGER, .integer = 1000}, {.kind = LOAM_VALUE_INTEGER, .integer = 500}},
    {{.kind = LOAM_VALUE_INTEGER, .integer = 4000}, {.kind = LOAM_VALUE_INTEGER, .integer = 6500}},
    {{.kind = LOAM_VALUE_INTEGER, .integer = 4003}, {.kind = LOAM_VALUE_INTEGER, .integer = 0}},
};
static const loam_value knee_points[] = {
    {.kind = LOAM_VALUE_LIST, .items = knee_items[0], .item_count = 2},
    {.kind = LOAM_VALUE_LIST, .items = knee_items[1], .item_count = 2},
    {.kind = LOAM_VALUE_LIST, .items = knee_items[2], .item_count = 2},
};
static const loam_value knee = {.kind = LOAM_VALUE_LIST, .items = knee_points, .item_count = 3};

Test(curve, points_are_met_and_it_is_flat_beyond_them) {
    cr_expect_eq(curve_at(&knee, 0), 500);
    cr_expect_eq(curve_at(&knee, 1000), 500);
    cr_expect_eq(curve_at(&knee, 2500), 3500);
    cr_expect_eq(curve_at(&knee, 4000), 6500);
    cr_expect_eq(curve_at(&knee, 4001), 4333, "6500 - 6500 / 3, to nearest");
    cr_expect_eq(curve_at(&knee, 4002), 2167);
    cr_expect_eq(curve_at(&knee, 4003), 0);
    cr_expect_eq(curve_at(&knee, CURVE_ONE), 0);
}

Test(curve, a_ramp_is_exact_at_both_ends_and_rounds_to_nearest) {
    const int64_t ends[][2] = {{0, 1}, {-7, 9}, {1 << 24, 0}, {-INT32_MAX, INT32_MAX}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        cr_expect_eq(ramp(ends[i][0], ends[i][1], 0), ends[i][0]);
        cr_expect_eq(ramp(ends[i][0], ends[i][1], CURVE_ONE), ends[i][1]);
    }
    cr_expect_eq(ramp(0, 1, CURVE_ONE / 2), 1);
    cr_expect_eq(ramp(0, 1, CURVE_ONE / 2 - 1), 0);
}
