/* SPDX-License-Identifier: MIT
 *
 * test_scatter.c: transform.scatter: distributions of its draws, and leans in the left-handed frame
 * (x east, y up, z north; rotation Ry Rx Rz; positive pitch nose down, positive roll x to y), with
 * matrices multiplied out by the C library's functions.
 */
#include "core/ops/scatter.h"
#include "tests/unit/core/ops/operation_fixture.h"

#include <math.h>

enum { COUNT = 40000, UNIFORM = 0, NORMAL = 1, LOGNORMAL = 2 };
enum { KEEP = 0, RANDOM = 1, DOWNHILL = 2 };

#define TURNS (2 * 3.14159265358979323846 / 65536)
#define DEGREES(whole) ((int64_t)(whole)*65536)

static operation_fixture *scatter_of(const point_set *points) {
    operation_fixture *fixture = fixture_of("transform.scatter");
    fixture->inputs[0] = points;
    return fixture;
}

Test(scatter, a_uniform_scale_hits_both_ends_and_nothing_beyond) {
    operation_fixture *fixture = scatter_of(random_points(71, COUNT, 100000));
    fixture_set(fixture, "scale_min", 4000);
    fixture_set(fixture, "scale_max", 4099);
    point_set out = fixture_run(fixture);
    uint32_t seen[100] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert(out.scale[i] >= 4000 && out.scale[i] <= 4099);
        seen[out.scale[i] - 4000]++;
    }
    for (int k = 0; k < 100; k++) {
        cr_expect(seen[k] > COUNT / 100 / 2 && seen[k] < COUNT / 100 * 3 / 2, "%d: %u", k, seen[k]);
    }
}

Test(scatter, equal_ends_are_a_constant_and_the_full_range_is_legal) {
    operation_fixture *fixture = scatter_of(random_points(72, COUNT, 100000));
    point_set out = fixture_run(fixture);
    cr_expect_eq(out.scale[5], LOAM_SCALE_ONE);
    fixture_set(fixture, "scale_min", 1);
    fixture_set(fixture, "scale_max", 65535);
    out = fixture_run(fixture);
    double mean = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        mean += out.scale[i] / (double)COUNT;
    }
    cr_expect(fabs(mean - 32768) < 600, "%f", mean);
}

static int compare_scales(const void *p, const void *q) {
    return *(const uint16_t *)p - *(const uint16_t *)q;
}

static uint16_t *sorted_scales(const point_set *out) {
    uint16_t *scales = malloc(COUNT * sizeof *scales);
    memcpy(scales, out->scale, COUNT * sizeof *scales);
    qsort(scales, COUNT, sizeof *scales, compare_scales);
    return scales;
}

Test(scatter, a_lognormal_scale_has_the_median_exp_mu) {
    operation_fixture *fixture = scatter_of(random_points(73, COUNT, 100000));
    fixture_set(fixture, "distribution", LOGNORMAL);
    fixture_set(fixture, "mu", 65536);
    fixture_set(fixture, "sigma", 65536 / 4);
    fixture_set(fixture, "scale_cap", 65535);
    point_set out = fixture_run(fixture);
    uint16_t *scales = sorted_scales(&out);
    double e = 2.718281828459045 * 4096;
    cr_expect(fabs(scales[COUNT / 2] / e - 1) < 0.01, "%u", scales[COUNT / 2]);
    cr_expect(fabs(scales[COUNT * 8413 / 10000] / (e * exp(0.25)) - 1) < 0.02, "one sigma above");
    cr_expect(fabs(scales[COUNT * 1587 / 10000] / (e * exp(-0.25)) - 1) < 0.02, "one below");
    free(scales);
}

Test(scatter, a_normal_scale_has_its_mean_and_deviation_and_is_clamped) {
    operation_fixture *fixture = scatter_of(random_points(74, COUNT, 100000));
    fixture_set(fixture, "distribution", NORMAL);
    fixture_set(fixture, "mu", 2 * 65536);
    fixture_set(fixture, "sigma", 65536 / 2);
    point_set out = fixture_run(fixture);
    double mean = 0, squares = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        mean += out.scale[i] / 4096.0 / COUNT;
        squares += out.scale[i] / 4096.0 * out.scale[i] / 4096.0 / COUNT;
    }
    cr_expect(fabs(mean - 2) < 0.01 && fabs(sqrt(squares - mean * mean) - 0.5) < 0.01);
    fixture_set(fixture, "mu", 0);
    fixture_set(fixture, "sigma", 2 * 65536);
    fixture_set(fixture, "scale_cap", 4096);
    out = fixture_run(fixture);
    uint16_t *scales = sorted_scales(&out);
    cr_expect_eq(scales[0], 4096 / 64, "half of all draws are negative");
    cr_expect_eq(scales[COUNT * 2 / 5], 4096 / 64);
    cr_expect_eq(scales[COUNT - 1], 4096, "and a third passes the cap");
    cr_expect_eq(scales[COUNT * 4 / 5], 4096);
    free(scales);
}

Test(scatter, the_wildest_draws_are_clamped_too) {
    operation_fixture *fixture = scatter_of(random_points(75, COUNT, 100000));
    fixture_set(fixture, "distribution", LOGNORMAL);
    fixture_set(fixture, "mu", DEGREES(16));
    fixture_set(fixture, "sigma", DEGREES(8));
    fixture_set(fixture, "scale_cap", 65535);
    point_set out = fixture_run(fixture);
    uint16_t *scales = sorted_scales(&out);
    cr_expect_eq(scales[COUNT - 1], 65535);
    cr_expect_geq(scales[0], 64);
    free(scales);
}

Test(scatter, a_random_yaw_covers_the_compass_evenly) {
    operation_fixture *fixture = scatter_of(random_points(76, COUNT, 100000));
    point_set out = fixture_run(fixture);
    uint32_t seen[16] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        seen[out.yaw[i] >> 12]++;
    }
    for (int k = 0; k < 16; k++) {
        cr_expect(fabs(seen[k] - COUNT / 16.0) < 5 * sqrt(COUNT / 16.0), "%u", seen[k]);
    }
}

Test(scatter, a_kept_yaw_is_kept) {
    point_set *points = random_points(77, 100, 1000);
    uint16_t yaw[112];
    for (int i = 0; i < 100; i++) {
        yaw[i] = (uint16_t)(i * 600);
    }
    operation_fixture *fixture = scatter_of(points);
    fixture_set(fixture, "yaw", KEEP);
    cr_expect_null(fixture_run(fixture).yaw, "none is 0");
    points->yaw = yaw;
    point_set out = fixture_run(fixture);
    cr_expect_arr_eq(out.yaw, yaw, 100 * sizeof yaw[0]);
}

/* Descent: ground that falls to the north has a negative gradient along z. */
Test(scatter, downhill_faces_the_eight_compass_directions) {
    static const int way[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                  {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    point_set *points = random_points(78, 16, 1000);
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 16; i++) {
            ((int32_t *)points->gradient_x)[i] = -way[k][0] * (i + 1) * 100;
            ((int32_t *)points->gradient_z)[i] = -way[k][1] * (i + 1) * 100;
        }
        operation_fixture *fixture = scatter_of(points);
        fixture_set(fixture, "yaw", DOWNHILL);
        for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
            fixture->run.level = level;
            point_set out = fixture_run(fixture);
            for (int i = 0; i < 16; i++) {
                cr_assert_eq(out.yaw[i], k * 8192, "direction %d: %u", k, out.yaw[i]);
            }
        }
    }
}

Test(scatter, flat_ground_keeps_the_yaw_that_is_there) {
    point_set *points = random_points(79, 16, 1000);
    uint16_t yaw[16] = {0, 500, 60000};
    memset((int32_t *)points->gradient_x, 0, 16 * sizeof(int32_t));
    memset((int32_t *)points->gradient_z, 0, 16 * sizeof(int32_t));
    points->yaw = yaw;
    operation_fixture *fixture = scatter_of(points);
    fixture_set(fixture, "yaw", DOWNHILL);
    point_set out = fixture_run(fixture);
    cr_expect_arr_eq(out.yaw, yaw, sizeof yaw);
    points->gradient_x = points->gradient_z = NULL;
    out = fixture_run(fixture);
    cr_expect_arr_eq(out.yaw, yaw, sizeof yaw);
}

typedef struct vector {
    double x, y, z;
} vector;

/* Rz: x to y. Rx: z to -y, y to z. Ry: z to x, x to -z, since yaw 90 looks east. */
static vector rotate(vector v, double yaw, double pitch, double roll) {
    vector r = {v.x * cos(roll) - v.y * sin(roll), v.x * sin(roll) + v.y * cos(roll), v.z};
    vector p = {r.x, r.y * cos(pitch) - r.z * sin(pitch), r.y * sin(pitch) + r.z * cos(pitch)};
    return (vector){p.x * cos(yaw) + p.z * sin(yaw), p.y, -p.x * sin(yaw) + p.z * cos(yaw)};
}

static vector rotated(const point_set *out, uint32_t i, vector v) {
    return rotate(v, out->yaw[i] * TURNS, out->pitch[i] * TURNS, out->roll[i] * TURNS);
}

Test(scatter, the_frame_of_this_test_is_the_one_of_the_design) {
    vector east = rotate((vector){0, 0, 1}, 16384 * TURNS, 0, 0);
    cr_expect(fabs(east.x - 1) < 1e-9, "yaw 90 looks east");
    vector down = rotate((vector){0, 0, 1}, 0, 8192 * TURNS, 0);
    cr_expect(down.y < -0.7 && down.z > 0.7, "positive pitch is nose down");
    vector up = rotate((vector){1, 0, 0}, 0, 0, 8192 * TURNS);
    cr_expect(up.x > 0.7 && up.y > 0.7, "positive roll turns x to y");
}

Test(scatter, tilted_points_stand_on_the_normal_of_the_ground) {
    point_set *points = random_points(80, COUNT, 100000);
    for (int way = KEEP; way <= DOWNHILL; way++) {
        operation_fixture *fixture = scatter_of(points);
        fixture_set(fixture, "tilt_max_deg", DEGREES(80));
        fixture_set(fixture, "yaw", way);
        point_set out = fixture_run(fixture);
        for (uint32_t i = 0; i < COUNT; i++) {
            double gx = points->gradient_x[i] / 4096.0, gz = points->gradient_z[i] / 4096.0;
            double length = sqrt(1 + gx * gx + gz * gz);
            vector up = rotated(&out, i, (vector){0, 1, 0});
            cr_assert(fabs(up.x + gx / length) < 2e-4 && fabs(up.y - 1 / length) < 2e-4 &&
                          fabs(up.z + gz / length) < 2e-4,
                      "yaw %u gradient %f %f: up %f %f %f", out.yaw[i], gx, gz, up.x, up.y, up.z);
        }
    }
}

/* Ground rises to the east. Facing north its right side is up: roll is positive. Facing east its
 * nose is up: pitch is negative. Ground that rises to the north, facing east: left side up. */
Test(scatter, leans_have_the_signs_of_the_frame) {
    point_set *points = random_points(81, 4, 100);
    int32_t gx[16] = {1000, 1000, 0, 0}, gz[16] = {0, 0, 1000, 1000};
    uint16_t yaw[16] = {0, 16384, 0, 16384};
    points->gradient_x = gx;
    points->gradient_z = gz;
    points->yaw = yaw;
    operation_fixture *fixture = scatter_of(points);
    fixture_set(fixture, "tilt_max_deg", DEGREES(45));
    fixture_set(fixture, "yaw", KEEP);
    point_set out = fixture_run(fixture);
    cr_expect(out.roll[0] > 2000 && out.pitch[0] == 0);
    cr_expect(out.pitch[1] < -2000 && out.roll[1] == 0);
    cr_expect(out.pitch[2] < -2000 && out.roll[2] == 0);
    cr_expect(out.roll[3] < -2000 && out.pitch[3] == 0);
}

Test(scatter, no_point_leans_more_than_its_tilt) {
    point_set *points = random_points(82, COUNT, 100000);
    operation_fixture *fixture = scatter_of(points);
    fixture_set(fixture, "tilt_max_deg", DEGREES(6));
    point_set out = fixture_run(fixture);
    uint32_t at_most = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        vector up = rotated(&out, i, (vector){0, 1, 0});
        double degrees = acos(up.y > 1 ? 1 : up.y) * 180 / 3.14159265358979323846;
        cr_assert(degrees < 6.02, "%f", degrees);
        at_most += degrees > 5.98;
        double gx = points->gradient_x[i], gz = points->gradient_z[i];
        cr_assert(up.x * gx + up.z * gz <= 1e-3 * (fabs(gx) + fabs(gz)), "away from the rise");
    }
    cr_expect_gt(at_most, COUNT / 2, "most of the ground here is steeper");
}

Test(scatter, random_pitch_and_roll_fill_their_range_and_add_to_the_tilt) {
    point_set *points = random_points(83, COUNT, 100000);
    operation_fixture *fixture = scatter_of(points);
    fixture_set(fixture, "pitch_max_deg", DEGREES(10));
    fixture_set(fixture, "roll_max_deg", DEGREES(90));
    point_set out = fixture_run(fixture), tilted;
    int32_t least[2] = {0}, most[2] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        least[0] = out.pitch[i] < least[0] ? out.pitch[i] : least[0];
        most[0] = out.pitch[i] > most[0] ? out.pitch[i] : most[0];
        least[1] = out.roll[i] < least[1] ? out.roll[i] : least[1];
        most[1] = out.roll[i] > most[1] ? out.roll[i] : most[1];
    }
    cr_expect(least[0] == -1820 && most[0] == 1820, "10 degrees are 1820.4 turns");
    cr_expect(least[1] >= -16384 && least[1] < -16300 && most[1] <= 16384 && most[1] > 16300);
    fixture_set(fixture, "tilt_max_deg", DEGREES(80));
    tilted = fixture_run(fixture);
    fixture_set(fixture, "pitch_max_deg", 0);
    fixture_set(fixture, "roll_max_deg", 0);
    point_set alone = fixture_run(fixture);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert_eq(tilted.pitch[i], out.pitch[i] + alone.pitch[i]);
        cr_assert_eq(tilted.roll[i], out.roll[i] + alone.roll[i]);
    }
}

Test(scatter, a_sunk_point_is_lower_and_an_asset_is_named) {
    point_set *points = random_points(84, 50, 1000);
    operation_fixture *fixture = scatter_of(points);
    loam_error error = {0};
    fixture_set(fixture, "sink_m", 300);
    cr_expect_eq(fixture_run(fixture).asset_all, 0);
    loam_value pine = {.kind = LOAM_VALUE_TEXT, .text = loam_text_of("pine")};
    cr_assert_eq(
        loam_graph_set(&fixture->graph, loam_text_of("n"), loam_text_of("asset"), &pine, &error),
        LOAM_OK);
    for (int p = 0; p < PARAMS_MAX; p++) {
        fixture->texts[p] = 7;
    }
    point_set out = fixture_run(fixture);
    cr_expect_eq(out.asset_all, 7);
    for (uint32_t i = 0; i < 50; i++) {
        cr_expect_eq(out.y[i], points->y[i] - 300);
    }
}

Test(scatter, a_point_does_not_leave_the_heights_that_points_have) {
    point_set *points = random_points(85, 50, 1000);
    operation_fixture *fixture = scatter_of(points);
    loam_error error = {0};
    point_set out;
    int32_t *y = (int32_t *)(uintptr_t)points->y;
    y[7] = (int32_t)POINT_Y_UNITS_MAX - 511;
    fixture_set(fixture, "sink_m", -512);
    cr_expect_eq(fixture_try(fixture, &out, &error), LOAM_COORDINATE_RANGE);
    y[7]--;
    cr_expect_eq(fixture_try(fixture, &out, &error), LOAM_OK);
}

Test(scatter, every_simd_level_leans_alike) {
    point_set *points = random_points(85, COUNT, 100000);
    operation_fixture *fixture = scatter_of(points);
    fixture_set(fixture, "tilt_max_deg", DEGREES(30));
    fixture->run.level = LOAM_SIMD_BASELINE;
    point_set base = fixture_run(fixture);
    for (loam_simd level = LOAM_SIMD_AVX2; level <= LOAM_SIMD_AVX512; level++) {
        fixture->run.level = level;
        point_set out = fixture_run(fixture);
        cr_expect_arr_eq(out.pitch, base.pitch, COUNT * sizeof out.pitch[0]);
        cr_expect_arr_eq(out.roll, base.roll, COUNT * sizeof out.roll[0]);
    }
}

Test(scatter, scales_in_the_wrong_order_are_a_fault) {
    operation_fixture *fixture = scatter_of(NULL);
    loam_error error = {0};
    fixture_set(fixture, "scale_min", 4097);
    const loam_node *node = &fixture->graph.nodes[0];
    cr_expect_eq(operation_code_of(node->operation)->check(node, "/here", &error),
                 LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, "/here");
}
