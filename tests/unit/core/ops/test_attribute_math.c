/* SPDX-License-Identifier: MIT
 *
 * test_attribute_math.c: attributes that are set, calculated and drawn from noise: values, names,
 * what overflows, and what a set may not be called.
 */
#include "core/ops/attribute.h"
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

static const char *const set_lines[] = {
    "sites grid.sample spacing_m=300",
    "a attribute.set.float name='Speed_1' value=-98304 points<sites",
    "b attribute.set.int name='count' value=2147483647 points<a",
    "c attribute.set.string name='kind' value='rock' points<b",
    "d attribute.set.string name='asset' value='boulder' points<c",
    "e attribute.set.float name='$yaw_deg' value=5898240 points<d",
    "f attribute.set.float name='$density' value=32768 points<e",
    "g attribute.set.float name='$height' value=-131072 points<f",
    "h attribute.set.float name='$scale' value=98304 points<g",
    "i attribute.set.int name='count' value=7 points<h",
    "=all i",
    "=first b",
    NULL,
};

Test(attribute_set, every_kind_arrives) {
    graph_world *world = world_of(set_lines, 4);
    loam_points points = world_points(world, "all", rect_of_metres(0, 0, 8));
    cr_assert_gt(points.count, 20);
    for (uint32_t i = 0; i < points.count; i++) {
        cr_expect_eq(point_number(&points, i, "Speed_1"), -98304);
        cr_expect_eq(point_number(&points, i, "count"), 7, "the last one wins");
        cr_expect(loam_text_equal(point_text(&points, i, "kind"), loam_text_of("rock")));
        cr_expect(loam_text_equal(points.palette[points.asset[i]], loam_text_of("boulder")));
        cr_expect_eq(points.yaw[i], 16384);
        cr_expect_eq(points.density[i], LOAM_DENSITY_ONE / 2);
        cr_expect_eq(points.y[i], -512);
        cr_expect_eq(points.scale_x[i], 6144);
        cr_expect_eq(points.scale_z[i], 6144);
    }
    cr_expect_eq(points.attribute_count, 3, "asset and the reserved ones are no attributes");
    points = world_points(world, "first", rect_of_metres(0, 0, 8));
    cr_expect_eq(point_number(&points, 0, "count"), INT32_MAX);
}

static loam_error fault_of_name(const char *operation, const char *name, const char *value) {
    char line[256];
    snprintf(line, sizeof line, "bad %s name='%s' value=%s points<sites", operation, name, value);
    const char *lines[] = {"sites grid.sample spacing_m=300", line, "=bad bad", NULL};
    return world_fault(lines);
}

Test(attribute_set, names_that_are_none_are_faults_at_the_name) {
    static const char *const bad[] = {"",         "1st",      "two.parts", "-x", "$slope_deg",
                                      "$station", "$nothing", "asset",     "a/b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        loam_error error = fault_of_name("attribute.set.float", bad[i], "1");
        cr_expect_eq(error.status, LOAM_BAD_NAME, "%s", bad[i]);
        cr_expect_str_eq(error.pointer, "/nodes/bad/params/name");
    }
    cr_expect_eq(fault_of_name("attribute.set.float", "_Ok9", "1").status, LOAM_OK);
    cr_expect_eq(fault_of_name("attribute.set.int", "$density", "1").status, LOAM_BAD_NAME);
    cr_expect_eq(fault_of_name("attribute.set.string", "$density", "'x'").status, LOAM_BAD_NAME);
}

Test(attribute_set, a_name_has_at_most_64_bytes) {
    char name[66];
    memset(name, 'n', sizeof name);
    cr_expect(attribute_is_name((loam_text){name, 64}));
    cr_expect_not(attribute_is_name((loam_text){name, 65}));
    cr_expect_not(attribute_is_name((loam_text){name, 0}));
}

static int32_t math(const char *op, int64_t a, int64_t b) {
    char line[256];
    snprintf(line, sizeof line,
             "m attribute.math.float op=%s a=%lld b=%lld result='r' points<sites", op, (long long)a,
             (long long)b);
    const char *lines[] = {"sites grid.sample spacing_m=300", line, "=m m", NULL};
    loam_points points = world_points(world_of(lines, 4), "m", rect_of_metres(0, 0, 2));
    return point_number(&points, 0, "r");
}

static loam_error math_failure(const char *op, int64_t a, int64_t b) {
    char line[256];
    snprintf(line, sizeof line,
             "m attribute.math.float op=%s a=%lld b=%lld result='r' points<sites", op, (long long)a,
             (long long)b);
    const char *lines[] = {"sites grid.sample spacing_m=300", line, "=m m", NULL};
    return world_failure(world_of(lines, 4), "m", rect_of_metres(0, 0, 2));
}

Test(attribute_math, sums_products_and_quotients_are_rounded_once) {
    cr_expect_eq(math("0", 70000, -5), 69995);
    cr_expect_eq(math("1", 70000, -5), 70005);
    cr_expect_eq(math("2", 3, 32768), 2, "1.5 steps up");
    cr_expect_eq(math("2", -3, 32768), -1, "-1.5 steps up");
    cr_expect_eq(math("2", 131072, 98304), 196608);
    cr_expect_eq(math("3", 65536, 3 * 65536), 21845);
    cr_expect_eq(math("3", 65536, -3 * 65536), -21845);
    cr_expect_eq(math("3", -2 * 65536, -3 * 65536), 43691);
    cr_expect_eq(math("4", -7, 9), -7);
    cr_expect_eq(math("5", -7, 9), 9);
    cr_expect_eq(math("0", INT32_MAX, 0), INT32_MAX);
    cr_expect_eq(math("1", -INT32_MAX, 0), -INT32_MAX);
}

Test(attribute_math, division_by_zero_and_overflow_fail_the_node) {
    cr_expect_eq(math_failure("3", 65536, 0).status, LOAM_OUT_OF_RANGE);
    cr_expect_eq(math_failure("0", INT32_MAX, 1).status, LOAM_OUT_OF_RANGE);
    cr_expect_eq(math_failure("2", INT32_MAX, -65537).status, LOAM_OUT_OF_RANGE);
    cr_expect_eq(math_failure("3", INT32_MAX, 1).status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(math_failure("3", INT32_MAX, 1).pointer, "/nodes/m");
}

Test(attribute_math, numbers_of_points_are_read_and_written) {
    static const char *const lines[] = {
        "sites grid.sample spacing_m=300 y_m=1024",
        "n attribute.noise name='n' wavelength_m=2000 octaves=1 min=0 max=65536 points<sites",
        "s attribute.math.float op=2 a=@$height:0:2147483647 b=@n:0:2147483647 result='s' points<n",
        "m attribute.math.float op=0 a=@nothing:65536:65536 b=@s:0:2147483647 result='$height' "
        "points<s",
        "=m m",
        NULL};
    loam_points points = world_points(world_of(lines, 4), "m", rect_of_metres(0, 0, 16));
    for (uint32_t i = 0; i < points.count; i++) {
        int32_t n = point_number(&points, i, "n"), s = point_number(&points, i, "s");
        cr_expect_eq(s, 4 * n);
        cr_expect_eq(points.y[i], (65536 + s + 128) >> 8);
    }
}

Test(attribute_math, only_points_that_are_asked_can_fail) {
    static const char *const lines[] = {
        "sites grid.sample spacing_m=512 jitter=0",
        "low filter.box min_m=[-100000,0,-100000] max_m=[-1,0,100000] points<sites",
        "high filter.box min_m=[-1,0,-100000] max_m=[100000,0,100000] points<sites",
        "zero attribute.set.float name='d' value=0 points<low",
        "one attribute.set.float name='d' value=65536 points<high",
        "both merge a<zero b<one",
        "m attribute.math.float op=3 a=1 b=@d:0:65536 result='q' points<both",
        "=m m",
        NULL};
    graph_world *world = world_of(lines, 4);
    cr_expect_eq(world_failure(world, "m", rect_of_metres(0, 0, 64)).status, LOAM_OK);
    cr_expect_eq(world_failure(world, "m", rect_of_metres(-64, 0, 64)).status, LOAM_OUT_OF_RANGE);
}

static const char *const noise_lines[] = {
    "sites grid.sample spacing_m=300",
    "n attribute.noise name='n' wavelength_m=2000 octaves=3 min=-65536 max=196608 points<sites",
    "d density.noise wavelength_m=2000 octaves=3 contrast=32768 combine=1 points<n",
    "=n n",
    NULL,
};

Test(attribute_noise, values_fill_the_range_around_its_middle) {
    graph_world *world = world_of(noise_lines, 4);
    loam_points points = world_points(world, "n", rect_of_metres(0, 0, 256));
    double sum = 0;
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (uint32_t i = 0; i < points.count; i++) {
        int32_t n = point_number(&points, i, "n");
        low = n < low ? n : low;
        high = n > high ? n : high;
        sum += n;
    }
    cr_expect_float_eq(sum / points.count, 65536, 6000);
    cr_expect(low >= -65536 && low < 0 && high > 131072 && high <= 196608);
}

Test(attribute_noise, min_above_max_is_a_fault) {
    static const char *const lines[] = {
        "sites grid.sample spacing_m=300",
        "n attribute.noise name='n' wavelength_m=2000 min=1 max=0 points<sites", "=n n", NULL};
    cr_expect_eq(world_fault(lines).status, LOAM_OUT_OF_RANGE);
}

Test(attribute_math, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    graph_world *world = world_sparse(noise_lines, 9, 5);
    for (size_t c = 0; c < 4; c++) {
        cr_expect_gt(world_partition(world, "n", -cells[c], -cells[c], cells[c], 2), 0);
    }
}
