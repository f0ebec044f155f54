/* SPDX-License-Identifier: MIT
 *
 * test_fixed_math.c: the own elementary functions against the C library's in long double, within
 * the errors stated here. Identity between machines is the golden catalogue's matter.
 */
#include "core/base/fixed_math.h"
#include "core/base/normal_table.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>
#include <math.h>

static const long double pi = 3.141592653589793238462643383279502884L;

Test(fixed_math, floor_divide_rounds_down_on_both_sides) {
    for (int64_t b = 1; b < 20; b++) {
        for (int64_t a = -100; a <= 100; a++) {
            cr_assert_eq(floor_divide(a, b), (int64_t)floor((double)a / (double)b), "%lld/%lld",
                         (long long)a, (long long)b);
        }
    }
    cr_expect_eq(floor_divide(INT64_MIN, 1), INT64_MIN);
    cr_expect_eq(floor_divide(INT64_MIN + 1, INT64_MAX), -1);
}

static void expect_root(uint64_t value) {
    __extension__ typedef unsigned __int128 wide;
    uint64_t root = integer_root(value);
    cr_assert((wide)root * root <= value && (wide)(root + 1) * (root + 1) > value, "%llu",
              (unsigned long long)value);
}

Test(fixed_math, integer_root_is_the_floor_of_the_root) {
    test_random random = {1};
    for (uint64_t value = 0; value < 70000; value++) {
        expect_root(value);
    }
    for (uint64_t root = 1; root < UINT32_MAX; root = root * 2 + root / 3 + 1) {
        expect_root(root * root);
        expect_root(root * root - 1);
        expect_root(root * root + 1);
    }
    for (int i = 0; i < 10000; i++) {
        expect_root(random_bits(&random));
    }
    expect_root(UINT64_MAX);
    expect_root((uint64_t)UINT32_MAX * UINT32_MAX);
}

Test(fixed_math, sine_and_cosine_are_within_5e_13) {
    for (uint32_t turns = 0; turns < 65536; turns++) {
        double sine, cosine;
        fixed_sin_cos(turns, &sine, &cosine);
        long double angle = (long double)turns * 2 * pi / 65536;
        cr_assert(fabsl((long double)sine - sinl(angle)) < 5e-13L, "%u", turns);
        cr_assert(fabsl((long double)cosine - cosl(angle)) < 5e-13L, "%u", turns);
    }
}

Test(fixed_math, sine_and_cosine_of_whole_quarters_are_exact_and_turns_repeat) {
    static const double want[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (uint32_t quarter = 0; quarter < 4; quarter++) {
        double sine, cosine, again, also;
        fixed_sin_cos(quarter << 14, &sine, &cosine);
        fixed_sin_cos((quarter << 14) + 65536 * 3, &again, &also);
        cr_expect(sine == want[quarter][0] && cosine == want[quarter][1]);
        cr_expect(sine == again && cosine == also);
    }
}

Test(fixed_math, exp_is_within_1e_14_of_its_value) {
    for (int i = -40000; i <= 40000; i++) {
        double x = i / 1000.0;
        long double want = expl((long double)x);
        cr_assert(fabsl((long double)fixed_exp(x) - want) <= 1e-14L * want, "%f", x);
    }
    cr_expect(fixed_exp(0.0) == 1.0);
}

Test(fixed_math, exp_is_clamped) {
    cr_expect(fixed_exp(41.0) == fixed_exp(40.0));
    cr_expect(fixed_exp(1e300) == fixed_exp(40.0));
    cr_expect(fixed_exp(-1e300) == fixed_exp(-40.0));
}

Test(fixed_math, atan2_is_within_1e_11_turns) {
    test_random random = {3};
    for (int i = 0; i < 100000; i++) {
        double y = (double)random_between(&random, -1 << 20, 1 << 20);
        double x = (double)random_between(&random, -1 << 20, 1 << 20);
        long double want = atan2l((long double)y, (long double)x) / (2 * pi);
        cr_assert(fabsl((long double)fixed_atan2_turns(y, x) - want) < 1e-11L, "%f %f", y, x);
    }
}

Test(fixed_math, atan2_of_the_axes) {
    cr_expect(fixed_atan2_turns(0.0, 0.0) == 0.0);
    cr_expect(fixed_atan2_turns(0.0, 3.0) == 0.0);
    cr_expect(fixed_atan2_turns(3.0, 0.0) == 0.25);
    cr_expect(fixed_atan2_turns(-3.0, 0.0) == -0.25);
    cr_expect(fixed_atan2_turns(0.0, -3.0) == 0.5);
    cr_expect(fabs(fixed_atan2_turns(2.0, 2.0) - 0.125) < 1e-11);
}

Test(fixed_math, tan_squared_of_45_degrees_is_exact) {
    cr_expect_eq(fixed_tan_squared((int64_t)45 * 65536), (int64_t)1 << 24);
    cr_expect_lt(fixed_tan_squared((int64_t)45 * 65536 - 1), (int64_t)1 << 24);
    cr_expect_gt(fixed_tan_squared((int64_t)45 * 65536 + 1), (int64_t)1 << 24);
    cr_expect_eq(fixed_tan_squared(0), 0);
}

Test(fixed_math, tan_squared_is_within_one_step_and_4e_12_and_rises) {
    int64_t before = 0;
    for (int64_t degrees = 0; degrees < (int64_t)90 * 65536; degrees += 977) {
        int64_t got = fixed_tan_squared(degrees);
        long double tangent = tanl((long double)degrees * pi / (180 * 65536.0L));
        long double want = tangent * tangent * 16777216;
        want = want > 70368744177664.0L ? 70368744177664.0L : want;
        cr_assert(fabsl((long double)got - want) <= 1 + 4e-12L * want, "%lld", (long long)degrees);
        cr_assert_geq(got, before);
        before = got;
    }
    cr_expect_eq(fixed_tan_squared((int64_t)90 * 65536 - 1), (int64_t)1 << 46);
}

Test(fixed_math, round_to_int_is_to_nearest_with_halves_up) {
    cr_expect_eq(round_to_int(0.5), 1);
    cr_expect_eq(round_to_int(-0.5), 0);
    cr_expect_eq(round_to_int(-0.51), -1);
    cr_expect_eq(round_to_int(2.49), 2);
    cr_expect_eq(round_to_int(1073741823.0), 1073741823);
    cr_expect_eq(round_to_int(-1073741823.0), -1073741823);
}

/* The probability below each entry is its place, to the rounding of the entry. */
Test(fixed_math, the_normal_table_holds_the_quantiles) {
    enum { COUNT = 1 << NORMAL_TABLE_BITS };
    for (int i = 0; i < COUNT; i++) {
        long double z = (long double)normal_table[i] / 65536;
        long double below = erfcl(-z / sqrtl(2)) / 2;
        long double slope = expl(-z * z / 2) / sqrtl(2 * pi);
        cr_assert(fabsl(below - (i + 0.5L) / COUNT) <= slope * 0.51L / 65536, "%d", i);
        cr_assert_eq(normal_table[i], -normal_table[COUNT - 1 - i]);
    }
}
