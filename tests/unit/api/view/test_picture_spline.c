/* SPDX-License-Identifier: MIT */
#include "api/view/picture_spline.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { FIELD = 17, PIXELS = 16, METRE = LOAM_HEIGHT_STEPS_PER_METRE };

/* A plane: x rises 1 m, z 2 m a sample of 4 m. */
static void make_plane(loam_heightfield *field, int32_t *samples) {
    for (int32_t j = 0; j < FIELD; j++) {
        for (int32_t i = 0; i < FIELD; i++) {
            samples[j * FIELD + i] = (100 + i + 2 * j) * METRE;
        }
    }
    *field = (loam_heightfield){
        .width = FIELD, .height = FIELD, .spacing_fine = 4 << 24, .samples = samples};
}

static spline_sample sample_middle(const loam_heightfield *field, loam_rect region,
                                   uint32_t *factor) {
    spline_grid grid;
    spline_sample samples[PIXELS];
    cr_assert_eq(spline_init(&grid, field, region, PIXELS, PIXELS, NULL), LOAM_OK);
    int64_t *room = malloc(spline_row_bound(&grid) * sizeof *room);
    spline_row(&grid, field, PIXELS / 2 - 1, PIXELS, room, samples);
    *factor = grid.factor;
    free(room);
    spline_fini(&grid);
    return samples[PIXELS / 2];
}

static void expect_near(int64_t got, int64_t want, int64_t slack, const char *what) {
    cr_expect(llabs(got - want) <= slack, "%s: got %lld, want %lld", what, (long long)got,
              (long long)want);
}

Test(picture_spline, a_plane_stays_a_plane) {
    static int32_t samples[FIELD * FIELD];
    loam_heightfield field;
    uint32_t factor = 0;
    make_plane(&field, samples);
    /* 2 m a pixel from 16 m on: the middle pixel stands at x 33 m, z 33 m. */
    loam_rect region = {16 * 256, 16 * 256, 48 * 256, 48 * 256};
    spline_sample middle = sample_middle(&field, region, &factor);
    cr_expect_eq(factor, 1u);
    expect_near(middle.height, 100 * METRE + 33 * METRE / 4 + 33 * METRE / 2, METRE / 100,
                "height");
    expect_near(middle.slope_x, 1024, 4, "slope in x");
    expect_near(middle.slope_z, 2048, 4, "slope in z");
}

Test(picture_spline, many_samples_a_pixel_are_averaged) {
    static int32_t samples[FIELD * FIELD];
    loam_heightfield field;
    uint32_t factor = 0;
    make_plane(&field, samples);
    loam_rect region = {0, 0, 128 * 256, 128 * 256}; /* 8 m a pixel, twice the field */
    spline_sample middle = sample_middle(&field, region, &factor);
    cr_expect_eq(factor, 2u);
    cr_expect_gt(middle.height, 120 * METRE);
}

Test(picture_spline, a_picture_smaller_than_a_sample_is_smooth) {
    static int32_t samples[FIELD * FIELD];
    loam_heightfield field;
    uint32_t factor = 0;
    make_plane(&field, samples);
    loam_rect region = {33 * 256, 33 * 256, 33 * 256 + 32, 33 * 256 + 32};
    spline_sample middle = sample_middle(&field, region, &factor);
    expect_near(middle.slope_x, 1024, 4, "slope in x");
    expect_near(middle.slope_z, 2048, 4, "slope in z");
}

Test(picture_spline, the_shore_of_water_given_as_0_lies_between_the_samples) {
    static int32_t samples[FIELD * FIELD];
    loam_heightfield field;
    uint32_t factor = 0;
    make_plane(&field, samples);
    for (int32_t i = 0; i < FIELD * FIELD; i++) {
        samples[i] = i % FIELD < 8 ? 0 : 20 * METRE;
    }
    loam_rect water = {0, 0, 32 * 256, 64 * 256};
    loam_rect land = {32 * 256, 0, 64 * 256, 64 * 256};
    cr_expect_lt(sample_middle(&field, water, &factor).shore, 0);
    cr_expect_gt(sample_middle(&field, land, &factor).shore, 0);
}
