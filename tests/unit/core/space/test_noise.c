/* SPDX-License-Identifier: MIT
 *
 * test_noise.c: one value for one world position, from every window and at every SIMD level;
 * against a plain reading of the header in double; and what noise must be: in range, never stuck at
 * 0.
 */
#include "core/base/fixed_math.h"
#include "core/space/noise.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>
#include <math.h>

enum { POINTS = 4096 };

static int32_t x[POINTS], z[POINTS];
static float value[POINTS], other[POINTS];

static void random_places(uint64_t seed, int64_t side) {
    test_random random = {seed};
    for (uint32_t i = 0; i < POINTS; i++) {
        x[i] = (int32_t)random_between(&random, 0, side);
        z[i] = (int32_t)random_between(&random, 0, side);
    }
}

static void fill(const fbm_noise *noise, loam_simd level, int64_t base_x, int64_t base_z,
                 float *to) {
    SIMD_SELECT(noise_kernels, level)->fill(noise, base_x, base_z, x, z, POINTS, to);
}

Test(noise, every_simd_level_gives_the_same_bits) {
    random_places(1, 1 << 23);
    for (noise_kind kind = NOISE_GRADIENT; kind <= NOISE_RIDGED; kind++) {
        for (uint32_t octaves = 1; octaves <= OCTAVES_MAX; octaves++) {
            fbm_noise noise;
            noise_init(&noise, kind, 77 + octaves, 24577, octaves, 40000);
            fill(&noise, LOAM_SIMD_BASELINE, -123456789, 987654321, value);
            for (loam_simd level = LOAM_SIMD_AVX2; level <= LOAM_SIMD_AVX512; level++) {
                fill(&noise, level, -123456789, 987654321, other);
                cr_assert_arr_eq(other, value, sizeof value);
            }
        }
    }
}

Test(noise, every_window_gives_the_same_bits_at_one_world_position) {
    static int32_t kept_x[POINTS];
    random_places(2, 1 << 20);
    memcpy(kept_x, x, sizeof x);
    static const int64_t places[] = {0,          -(1 << 20),       256000000,
                                     -199680000, (int64_t)1 << 39, -((int64_t)1 << 39)};
    for (int p = 0; p < 6; p++) {
        fbm_noise noise;
        noise_init(&noise, NOISE_GRADIENT, 5, 96 * 256, 4, 32768);
        fill(&noise, LOAM_SIMD_BEST, places[p], 17, value);
        for (int64_t shift = 1; shift <= 1 << 22; shift = shift * 5 + 3) {
            for (uint32_t i = 0; i < POINTS; i++) {
                x[i] = kept_x[i] + (int32_t)shift;
            }
            fill(&noise, LOAM_SIMD_BEST, places[p] - shift, 17, other);
            cr_assert_arr_eq(other, value, sizeof value);
        }
        memcpy(x, kept_x, sizeof x);
    }
}

Test(noise, the_number_of_points_in_a_call_does_not_matter) {
    random_places(3, 1 << 20);
    fbm_noise noise;
    noise_init(&noise, NOISE_RIDGED, 5, 5000, 3, 32768);
    fill(&noise, LOAM_SIMD_BEST, 0, 0, value);
    for (uint32_t count = 1; count < 700; count += 37) {
        SIMD_SELECT(noise_kernels, LOAM_SIMD_BEST)->fill(&noise, 0, 0, x, z, count, other);
        cr_assert_arr_eq(other, value, count * sizeof value[0]);
    }
}

/* One octave of gradient noise as the header tells it, in double. */
static uint32_t corner(uint32_t cell_x, uint32_t cell_z, uint32_t key) {
    uint32_t h = cell_x * 0x9e3779b1u ^ (cell_z * 0x85ebca77u ^ key);
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

static double slope_of(uint32_t hash, double dx, double dz) {
    return ((int16_t)(hash >> 16) * dx + (int16_t)(hash & 0xffff) * dz) / 32768.0;
}

static double ease(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static double octave_reference(const fbm_noise *noise, uint32_t o, int64_t wx, int64_t wz) {
    uint64_t u = ((uint64_t)wx * noise->frequency << o) + noise->offset_x[o];
    uint64_t v = ((uint64_t)wz * noise->frequency << o) + noise->offset_z[o];
    uint32_t i = (uint32_t)(u >> 32), j = (uint32_t)(v >> 32), key = noise->key[o];
    double fx = (double)(uint32_t)u / 4294967296.0, fz = (double)(uint32_t)v / 4294967296.0;
    double sw = slope_of(corner(i, j, key), fx, fz);
    double se = slope_of(corner(i + 1, j, key), fx - 1, fz);
    double nw = slope_of(corner(i, j + 1, key), fx, fz - 1);
    double ne = slope_of(corner(i + 1, j + 1, key), fx - 1, fz - 1);
    double south = sw + ease(fx) * (se - sw), north = nw + ease(fx) * (ne - nw);
    return south + ease(fz) * (north - south);
}

Test(noise, gradient_noise_is_what_its_header_says_within_1e_5) {
    random_places(4, 1 << 21);
    fbm_noise noise;
    noise_init(&noise, NOISE_GRADIENT, 9, 3333, 3, 32768);
    fill(&noise, LOAM_SIMD_BEST, -50000, 70000, value);
    for (uint32_t i = 0; i < POINTS; i++) {
        double want = 0, sum = 1 + 0.5 + 0.25;
        for (uint32_t o = 0; o < 3; o++) {
            want += octave_reference(&noise, o, x[i] - 50000, z[i] + 70000) * 2.5 / sum / (1 << o);
        }
        want = want > 1 ? 1 : want < -1 ? -1 : want;
        cr_assert(fabs(want - (double)value[i]) < 1e-5, "%f %f", want, (double)value[i]);
    }
}

Test(noise, the_frequency_is_the_rounded_inverse_of_the_wavelength) {
    fbm_noise noise;
    noise_init(&noise, NOISE_VALUE, 1, 2, 1, 32768);
    cr_expect_eq(noise.frequency, 1u << 31);
    noise_init(&noise, NOISE_VALUE, 1, 3, 1, 32768);
    cr_expect_eq(noise.frequency, 1431655765u);
    noise_init(&noise, NOISE_VALUE, 1, (int64_t)1 << 28, 1, 32768);
    cr_expect_eq(noise.frequency, 16);
}

typedef struct noise_statistics {
    double mean, deviation, least, most;
} noise_statistics;

static noise_statistics statistics_of(noise_kind kind, uint32_t octaves) {
    fbm_noise noise;
    noise_statistics got = {.least = 2, .most = -2};
    double squares = 0;
    random_places(6, 1 << 22);
    noise_init(&noise, kind, 31, 1000, octaves, 32768);
    fill(&noise, LOAM_SIMD_BEST, 0, 0, value);
    for (uint32_t i = 0; i < POINTS; i++) {
        double v = (double)value[i];
        cr_assert(v >= -1 && v <= 1);
        got.mean += v / POINTS;
        squares += v * v / POINTS;
        got.least = v < got.least ? v : got.least;
        got.most = v > got.most ? v : got.most;
    }
    got.deviation = sqrt(squares - got.mean * got.mean);
    return got;
}

/* One octave of gradient noise has rms 0.17 before the factor of 2.5. */
Test(noise, gradient_noise_fills_its_range_around_0) {
    noise_statistics one = statistics_of(NOISE_GRADIENT, 1);
    cr_expect(fabs(one.mean) < 0.03, "%f", one.mean);
    cr_expect(one.deviation > 0.36 && one.deviation < 0.48, "%f", one.deviation);
    cr_expect(one.least < -0.9 && one.most > 0.9);
    noise_statistics four = statistics_of(NOISE_GRADIENT, 4);
    cr_expect(fabs(four.mean) < 0.03 && four.deviation > 0.2 && four.deviation < 0.36);
}

Test(noise, value_noise_fills_its_range_around_0) {
    noise_statistics one = statistics_of(NOISE_VALUE, 1);
    cr_expect(fabs(one.mean) < 0.03, "%f", one.mean);
    cr_expect(one.deviation > 0.3 && one.deviation < 0.5, "%f", one.deviation);
    cr_expect(one.least < -0.8 && one.most > 0.8, "%f %f", one.least, one.most);
}

Test(noise, ridged_noise_has_crests_at_1) {
    noise_statistics one = statistics_of(NOISE_RIDGED, 1);
    cr_expect(one.most > 0.99 && one.least < -0.9, "%f %f", one.least, one.most);
    cr_expect(one.mean > 0.1, "crests are where gradient noise passes 0: %f", one.mean);
}

/* Ridged noise is 1 - 2 |gradient noise| of the same lattice. */
Test(noise, ridged_noise_folds_gradient_noise) {
    fbm_noise noise;
    random_places(7, 1 << 22);
    noise_init(&noise, NOISE_GRADIENT, 31, 1000, 1, 32768);
    fill(&noise, LOAM_SIMD_BEST, 0, 0, value);
    noise.kind = NOISE_RIDGED;
    fill(&noise, LOAM_SIMD_BEST, 0, 0, other);
    for (uint32_t i = 0; i < POINTS; i++) {
        cr_assert(fabs((double)other[i] - (1 - 2 * fabs((double)value[i]))) < 1e-6);
    }
}

/* Without an offset of each octave's own, every octave is 0 on the points of the first's lattice.
 */
Test(noise, lattice_points_are_not_0) {
    fbm_noise noise;
    noise_init(&noise, NOISE_GRADIENT, 12, 1024, 4, 32768);
    for (uint32_t i = 0; i < POINTS; i++) {
        x[i] = (int32_t)(i % 64 * 1024);
        z[i] = (int32_t)(i / 64 * 1024);
    }
    fill(&noise, LOAM_SIMD_BEST, 0, 0, value);
    uint32_t zeros = 0;
    double squares = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        zeros += fabs((double)value[i]) < 1e-3;
        squares += (double)value[i] * (double)value[i] / POINTS;
    }
    cr_expect_lt(zeros, POINTS / 100);
    cr_expect(sqrt(squares) > 0.15, "%f", sqrt(squares));
}

Test(noise, neighbouring_units_are_close) {
    fbm_noise noise;
    noise_init(&noise, NOISE_GRADIENT, 12, 4096, 1, 32768);
    for (uint32_t i = 0; i < POINTS; i++) {
        x[i] = (int32_t)(i * 2);
        z[i] = 4000;
    }
    fill(&noise, LOAM_SIMD_BEST, -3000, 0, value);
    for (uint32_t i = 1; i < POINTS; i++) {
        cr_assert(fabs((double)(value[i] - value[i - 1])) < 0.01);
    }
}

Test(noise, seeds_and_octaves_have_noises_of_their_own) {
    fbm_noise noise, next;
    noise_init(&noise, NOISE_GRADIENT, 1, 1000, 8, 32768);
    noise_init(&next, NOISE_GRADIENT, 2, 1000, 8, 32768);
    for (uint32_t o = 0; o < 8; o++) {
        cr_expect_neq(noise.offset_x[o], next.offset_x[o]);
        cr_expect_neq(noise.key[o], next.key[o]);
        cr_expect_neq(noise.offset_x[o], noise.offset_z[o]);
        cr_expect(o == 0 || noise.offset_x[o] != noise.offset_x[o - 1]);
    }
}

Test(noise, a_gain_of_0_leaves_the_first_octave) {
    fbm_noise one, many;
    random_places(8, 1 << 20);
    noise_init(&one, NOISE_GRADIENT, 4, 1000, 1, 0);
    noise_init(&many, NOISE_GRADIENT, 4, 1000, 8, 0);
    fill(&one, LOAM_SIMD_BEST, 0, 0, value);
    fill(&many, LOAM_SIMD_BEST, 0, 0, other);
    for (uint32_t i = 0; i < POINTS; i++) {
        cr_assert(value[i] == other[i]);
    }
}
