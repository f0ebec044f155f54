/* SPDX-License-Identifier: MIT
 *
 * test_sample.c: grid.sample and surface.sample against sites drawn one by one.
 */
#include "core/base/mix.h"
#include "tests/unit/core/ops/operation_fixture.h"

static int64_t floor_of(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

/* The candidate of site (i, j), as OPERATIONS says: one per site, inside it. */
static void place_of(const operation_fixture *fixture, int64_t spacing, int64_t jitter, int64_t i,
                     int64_t j, int64_t *x, int64_t *z) {
    uint64_t span = (uint64_t)(spacing * jitter >> 16);
    uint64_t key_x = draw_row_key(draw_key(fixture->seed, DRAW_JITTER_X), (uint32_t)j);
    uint64_t key_z = draw_row_key(draw_key(fixture->seed, DRAW_JITTER_Z), (uint32_t)j);
    *x = i * spacing + (int64_t)(draw_bits(key_x, (uint32_t)i) * span >> 32);
    *z = j * spacing + (int64_t)(draw_bits(key_z, (uint32_t)i) * span >> 32);
}

static void expect_grid(int64_t spacing, int64_t jitter, loam_rect rect) {
    operation_fixture *fixture = fixture_of("grid.sample");
    fixture_set(fixture, "spacing_m", spacing);
    fixture_set(fixture, "jitter", jitter);
    fixture_set(fixture, "y_m", -777);
    fixture->rect = rect;
    point_set out = fixture_run(fixture);
    uint32_t live = 0, want = 0;
    for (uint32_t i = 0; i < out.count; i++) {
        cr_assert(out.x[i] >= 0 && out.z[i] >= 0, "positions in a window are not negative");
        if (!is_live(&out, i)) {
            continue;
        }
        int64_t x, z;
        live++;
        place_of(fixture, spacing, jitter, out.lattice->site_x + i % out.lattice->stride,
                 out.lattice->site_z + i / out.lattice->stride, &x, &z);
        cr_assert(out.base_x + out.x[i] == x && out.base_z + out.z[i] == z && out.y[i] == -777);
        cr_assert(x >= rect.x0 && x < rect.x1 && z >= rect.z0 && z < rect.z1);
    }
    for (int64_t j = floor_of(rect.z0, spacing) - 1; j <= floor_of(rect.z1, spacing) + 1; j++) {
        for (int64_t i = floor_of(rect.x0, spacing) - 1; i <= floor_of(rect.x1, spacing) + 1; i++) {
            int64_t x, z;
            place_of(fixture, spacing, jitter, i, j, &x, &z);
            want += x >= rect.x0 && x < rect.x1 && z >= rect.z0 && z < rect.z1;
        }
    }
    cr_assert_eq(live, want, "spacing %lld", (long long)spacing);
}

Test(sample, every_site_whose_candidate_lies_in_the_rectangle_offers_it) {
    static const int64_t spacings[] = {1, 2, 100, 154, 3072, 1 << 20};
    for (int s = 0; s < 6; s++) {
        int64_t spacing = spacings[s], side = spacing * 20;
        side = side > 1 << 21 ? 1 << 21 : side;
        static const int64_t jitters[] = {0, 1, 30000, 65536};
        for (int k = 0; k < 4; k++) {
            expect_grid(spacing, jitters[k], (loam_rect){0, 0, side, side});
            expect_grid(spacing, jitters[k], (loam_rect){-side - 7, -3, -5, side - 5});
            expect_grid(spacing, jitters[k], (loam_rect){5, 5, 6, 6});
        }
    }
}

Test(sample, every_simd_level_places_the_same_points) {
    for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
        operation_fixture *fixture = fixture_of("grid.sample");
        fixture_set(fixture, "spacing_m", 333);
        fixture->rect = (loam_rect){-99999, 12345, 77777, 98765};
        fixture->run.level = level;
        point_set out = fixture_run(fixture);
        fixture->run.level = LOAM_SIMD_BASELINE;
        point_set base = fixture_run(fixture);
        cr_assert_eq(out.count, base.count);
        cr_expect_arr_eq(out.x, base.x, out.count * sizeof out.x[0]);
        cr_expect_arr_eq(out.z, base.z, out.count * sizeof out.z[0]);
        cr_expect_arr_eq(out.live, base.live, out.count * sizeof out.live[0]);
    }
}

Test(sample, jitter_0_is_the_low_corner_and_jitter_1_fills_the_site) {
    operation_fixture *fixture = fixture_of("grid.sample");
    fixture_set(fixture, "spacing_m", 64);
    fixture->rect = (loam_rect){0, 0, 1 << 14, 1 << 14};
    point_set out = fixture_run(fixture);
    uint32_t seen[64] = {0};
    for (uint32_t i = 0; i < out.count; i++) {
        if (is_live(&out, i)) {
            seen[(out.base_x + out.x[i]) & 63]++;
        }
    }
    for (int k = 0; k < 64; k++) {
        cr_expect(seen[k] > 65536 / 64 * 3 / 4 && seen[k] < 65536 / 64 * 5 / 4, "%u", seen[k]);
    }
}

Test(sample, candidates_of_a_lattice_have_ids_of_their_sites) {
    operation_fixture *fixture = fixture_of("grid.sample");
    fixture_set(fixture, "spacing_m", 5000);
    fixture_set(fixture, "density", 12345);
    point_set out = fixture_run(fixture);
    cr_expect_eq(out.id_key, draw_key(fixture->seed, DRAW_ID));
    cr_expect_eq(out.density_all, 12345);
    cr_expect(out.id == NULL && out.density == NULL && out.a == NULL);
}

Test(sample, a_lattice_without_sites_so_far_out_is_an_error) {
    operation_fixture *fixture = fixture_of("grid.sample");
    loam_error error = {0};
    point_set out;
    fixture_set(fixture, "spacing_m", 1);
    int64_t far = (int64_t)1 << 31;
    fixture->rect = (loam_rect){far, 0, far + 10, 10};
    cr_expect_eq(fixture_try(fixture, &out, &error), LOAM_COORDINATE_RANGE);
    cr_expect_str_eq(error.pointer, "/nodes/n");
    fixture->rect = (loam_rect){0, -far - 10, 10, -far};
    error = (loam_error){0};
    cr_expect_eq(fixture_try(fixture, &out, &error), LOAM_COORDINATE_RANGE);
}

Test(sample, the_surface_gives_height_and_slope_and_nothing_outside) {
    operation_fixture *fixture = fixture_of("surface.sample");
    int32_t heights[3 * 3];
    for (int i = 0; i < 9; i++) {
        heights[i] = (i % 3) * 1024 * 256 / 2 + (i / 3) * 1024 * 256;
    }
    loam_heightfield field = {.width = 3,
                              .height = 3,
                              .spacing_fine = (int64_t)1024 << 16,
                              .origin_x = -512,
                              .origin_z = 300,
                              .samples = heights};
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    loam_asset asset = {.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &field};
    fixture->assets[0] = &asset;
    fixture->rect = (loam_rect){-4096, -4096, 8192, 8192};
    fixture_set(fixture, "spacing_m", 32);
    point_set out = fixture_run(fixture);
    uint32_t live = 0;
    for (uint32_t i = 0; i < out.count; i++) {
        int64_t x = out.base_x + out.x[i] + 512, z = out.base_z + out.z[i] - 300;
        bool inside = x >= 0 && x <= 2048 && z >= 0 && z <= 2048;
        bool asked = out.base_x + out.x[i] >= -4096 && out.base_z + out.z[i] >= -4096 &&
                     out.base_x + out.x[i] < 8192 && out.base_z + out.z[i] < 8192;
        cr_assert_eq(is_live(&out, i), inside && asked);
        if (is_live(&out, i)) {
            live++;
            cr_assert_eq(out.gradient_x[i], 2048);
            cr_assert_eq(out.gradient_z[i], 4096);
            cr_assert_eq(out.y[i], (x + 2 * z + 1) / 2);
        }
    }
    cr_expect(live > 3900 && live < 4300, "%u", live);
}
