/* SPDX-License-Identifier: MIT
 *
 * test_density.c: density.noise and density.cull against one point at a time.
 */
#include "core/base/mix.h"
#include "core/ops/column_kernel.h"
#include "core/space/noise.h"
#include "tests/unit/core/ops/operation_fixture.h"

#include <math.h>

enum { COUNT = 6000 };

typedef struct noise_case {
    int64_t contrast, bias, combine, kind;
} noise_case;

/* The density as OPERATIONS says it, from a noise value, in double. */
static double density_reference(noise_case test, double n, double before) {
    double value = (double)test.bias / 65536 + (double)test.contrast / 65536 * n;
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    switch (test.combine) {
    case COMBINE_MULTIPLY:
        return value * before;
    case COMBINE_MIN:
        return value < before ? value : before;
    case COMBINE_MAX:
        return value > before ? value : before;
    default:
        return value;
    }
}

static void expect_noise(noise_case test, const point_set *points) {
    static float n[COUNT];
    operation_fixture *fixture = fixture_of("density.noise");
    fixture->inputs[0] = points;
    fixture_set(fixture, "wavelength_m", 4000);
    fixture_set(fixture, "octaves", 3);
    fixture_set(fixture, "contrast", test.contrast);
    fixture_set(fixture, "bias", test.bias);
    fixture_set(fixture, "combine", test.combine);
    fixture_set(fixture, "kind", test.kind);
    point_set out = fixture_run(fixture);
    fbm_noise noise;
    noise_init(&noise, (noise_kind)test.kind, fixture->seed, 4000, 3, 32768);
    SIMD_SELECT(noise_kernels, LOAM_SIMD_BASELINE)
        ->fill(&noise, points->base_x, points->base_z, points->x, points->z, COUNT, n);
    for (uint32_t i = 0; i < COUNT; i++) {
        double before =
            (points->density == NULL ? points->density_all : points->density[i]) / 16777216.0;
        double want = density_reference(test, (double)n[i], before) * 16777216;
        cr_assert(fabs((double)out.density[i] - want) <= 2.0, "%u: %u want %f", i, out.density[i],
                  want);
        cr_assert_leq(out.density[i], LOAM_DENSITY_ONE);
    }
    cr_expect_eq(out.live, points->live);
}

Test(density, noise_is_combined_with_the_density_that_is_there) {
    const point_set *points = random_points(51, COUNT, 100000);
    for (int64_t combine = COMBINE_MULTIPLY; combine <= COMBINE_MAX; combine++) {
        for (int64_t kind = NOISE_GRADIENT; kind <= NOISE_RIDGED; kind++) {
            expect_noise((noise_case){65536, 32768, combine, kind}, points);
        }
        expect_noise((noise_case){-200000, 90000, combine, 0}, points);
        expect_noise((noise_case){0, 0, combine, 0}, points);
        expect_noise((noise_case){0, 65536, combine, 0}, points);
        expect_noise((noise_case){1 << 24, -(1 << 24), combine, 0}, points);
    }
}

Test(density, noise_meets_a_constant_density_like_a_column_of_it) {
    point_set *points = random_points(52, COUNT, 100000);
    points->density = NULL;
    static const uint32_t constants[] = {0, 1 << 23, LOAM_DENSITY_ONE};
    for (int k = 0; k < 3; k++) {
        points->density_all = constants[k];
        for (int64_t combine = COMBINE_MULTIPLY; combine <= COMBINE_MAX; combine++) {
            expect_noise((noise_case){65536, 32768, combine, 0}, points);
        }
    }
}

Test(density, noise_is_the_same_bits_at_every_simd_level) {
    const point_set *points = random_points(53, COUNT, 100000);
    operation_fixture *fixture = fixture_of("density.noise");
    fixture->inputs[0] = points;
    fixture_set(fixture, "wavelength_m", 999);
    fixture->run.level = LOAM_SIMD_BASELINE;
    point_set base = fixture_run(fixture);
    for (loam_simd level = LOAM_SIMD_AVX2; level <= LOAM_SIMD_AVX512; level++) {
        fixture->run.level = level;
        point_set out = fixture_run(fixture);
        cr_expect_arr_eq(out.density, base.density, COUNT * sizeof out.density[0]);
    }
}

static bool is_drawn(const operation_fixture *fixture, uint32_t a, uint32_t b, uint64_t density,
                     uint64_t multiplier) {
    uint64_t limit = (density * multiplier + (1 << 23)) >> 24;
    uint64_t key = draw_row_key(draw_key(fixture->seed, DRAW_CULL), b);
    return draw_bits(key, a) >> 8 < limit;
}

Test(density, cull_keeps_a_point_when_its_own_draw_is_below_its_density) {
    const point_set *points = random_points(54, COUNT, 100000);
    static const int64_t multipliers[] = {0, 1, 1 << 22, LOAM_DENSITY_ONE};
    for (int k = 0; k < 4; k++) {
        operation_fixture *fixture = fixture_of("density.cull");
        fixture->inputs[0] = points;
        fixture_set(fixture, "multiplier", multipliers[k]);
        point_set out = fixture_run(fixture);
        double want = 0, kept = 0;
        for (uint32_t i = 0; i < COUNT; i++) {
            cr_assert_eq(is_live(&out, i), is_drawn(fixture, points->a[i], points->b[i],
                                                    points->density[i], (uint64_t)multipliers[k]));
            want += (double)points->density[i] / 16777216 * (double)multipliers[k] / 16777216;
            kept += is_live(&out, i);
        }
        cr_expect(fabs(kept - want) < 5 * sqrt(want + 1), "%f of %f", kept, want);
    }
}

Test(density, cull_of_a_lattice_is_cull_of_its_points) {
    operation_fixture *sampler = fixture_of("grid.sample");
    fixture_set(sampler, "spacing_m", 500);
    fixture_set(sampler, "density", 5000000);
    sampler->rect = (loam_rect){-20000, 3000, 10000, 30000};
    point_set sites = fixture_run(sampler), compact;
    operation_fixture *fixture = fixture_of("density.cull");
    fixture->inputs[0] = &sites;
    point_set dense = fixture_run(fixture);
    cr_expect_str_eq(fixture->path, "lattice");
    cr_assert_eq(point_set_compact(&sites, &fixture->arena, &compact), LOAM_OK);
    fixture->inputs[0] = &compact;
    point_set plain = fixture_run(fixture);
    cr_expect_str_eq(fixture->path, "compact");
    uint32_t at = 0;
    for (uint32_t i = 0; i < sites.count; i++) {
        if (is_live(&sites, i)) {
            cr_assert_eq(is_live(&dense, i), is_live(&plain, at));
            at++;
        }
    }
    cr_expect_eq(at, compact.count);
}

Test(density, a_density_of_1_keeps_all_and_of_0_none) {
    point_set *points = random_points(55, COUNT, 1000);
    points->density = NULL;
    for (int full = 0; full < 2; full++) {
        points->density_all = full == 1 ? LOAM_DENSITY_ONE : 0;
        operation_fixture *fixture = fixture_of("density.cull");
        fixture->inputs[0] = points;
        point_set out = fixture_run(fixture);
        for (uint32_t i = 0; i < COUNT; i++) {
            cr_assert_eq(is_live(&out, i), full == 1);
        }
    }
}

Test(density, dead_points_stay_dead) {
    point_set *points = random_points(56, 100, 1000);
    uint32_t *live = calloc(column_size(100), sizeof *live);
    live[3] = UINT32_MAX;
    points->live = live;
    points->density = NULL;
    points->density_all = LOAM_DENSITY_ONE;
    operation_fixture *fixture = fixture_of("density.cull");
    fixture->inputs[0] = points;
    point_set out = fixture_run(fixture);
    for (uint32_t i = 0; i < 100; i++) {
        cr_expect_eq(is_live(&out, i), i == 3);
    }
}
