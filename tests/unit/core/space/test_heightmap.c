/* SPDX-License-Identifier: MIT
 *
 * test_heightmap.c: the recipe heightmap.fbm: made in parts it is the field made whole.
 */
#include "core/base/limits.h"
#include "core/space/heightfield.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

enum { SIDE = 65 };

static int32_t whole[SIDE * SIDE], part[SIDE * SIDE];

static loam_heightmap recipe_of(bool ridged, int64_t warp) {
    return (loam_heightmap){.seed = 4,
                            .width = SIDE,
                            .height = SIDE,
                            .spacing_fine = (int64_t)1024 << 16,
                            .origin_x = -123457,
                            .origin_z = 998877,
                            .wavelength = 30000,
                            .amplitude = 100 * 65536,
                            .base = 50 * 65536,
                            .warp = warp,
                            .octaves = 5,
                            .ridged = ridged};
}

static void make(const loam_heightmap *recipe, loam_simd level, int32_t *samples) {
    loam_error error = {0};
    cr_assert_eq(loam_heightmap_fbm(recipe, level, samples, &error), LOAM_OK, "%s", error.text);
}

Test(heightmap, a_field_made_in_parts_is_the_field_made_whole) {
    for (int kind = 0; kind < 4; kind++) {
        loam_heightmap recipe = recipe_of(kind % 2 == 1, kind < 2 ? 0 : 7000);
        make(&recipe, LOAM_SIMD_BEST, whole);
        for (uint32_t first = 1; first < SIDE; first += 13) {
            loam_heightmap piece = recipe;
            piece.width = SIDE - first;
            piece.height = SIDE - first / 2;
            piece.origin_x += (int64_t)first * 1024;
            piece.origin_z += (int64_t)(first / 2) * 1024;
            make(&piece, LOAM_SIMD_BEST, part);
            for (uint32_t j = 0; j < piece.height; j++) {
                cr_assert_arr_eq(part + j * piece.width, whole + (j + first / 2) * SIDE + first,
                                 piece.width * sizeof part[0]);
            }
        }
    }
}

Test(heightmap, every_simd_level_gives_the_same_samples) {
    loam_heightmap recipe = recipe_of(true, 5000);
    make(&recipe, LOAM_SIMD_BASELINE, whole);
    for (loam_simd level = LOAM_SIMD_AVX2; level <= LOAM_SIMD_AVX512; level++) {
        make(&recipe, level, part);
        cr_assert_arr_eq(part, whole, sizeof whole);
    }
}

/* Rounded once per position, so a spacing of 12.5 units has steps of 12 and 13. */
Test(heightmap, fractional_spacings_stand_on_rounded_positions) {
    loam_heightmap recipe = recipe_of(false, 0);
    recipe.spacing_fine = 25 * 32768;
    make(&recipe, LOAM_SIMD_BEST, whole);
    for (uint32_t i = 0; i < SIDE; i++) {
        loam_heightmap one = recipe;
        one.width = one.height = 1;
        one.origin_x += (i * 25 + 1) / 2;
        make(&one, LOAM_SIMD_BEST, part);
        cr_assert_eq(part[0], whole[i], "%u", i);
    }
}

Test(heightmap, heights_are_around_the_base_and_within_the_amplitude) {
    loam_heightmap recipe = recipe_of(false, 0);
    recipe.spacing_fine = (int64_t)7680 << 16;
    make(&recipe, LOAM_SIMD_BEST, whole);
    double mean = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        cr_assert(whole[i] >= -50 * 65536 && whole[i] <= 150 * 65536);
        mean += whole[i] / 65536.0 / (SIDE * SIDE);
    }
    cr_expect(mean > 40 && mean < 60, "%f", mean);
    recipe.amplitude = 0;
    make(&recipe, LOAM_SIMD_BEST, whole);
    cr_expect_eq(whole[77], 50 * 65536);
}

Test(heightmap, the_highest_terrain_is_a_legal_heightfield) {
    loam_heightmap recipe = recipe_of(true, 0);
    recipe.amplitude = recipe.base = (int64_t)8192 * 65536;
    make(&recipe, LOAM_SIMD_BEST, whole);
    loam_heightfield field = {
        .width = SIDE, .height = SIDE, .samples = whole, .spacing_fine = recipe.spacing_fine};
    cr_expect_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
}

static void expect_refused(loam_heightmap recipe, const char *pointer) {
    loam_error error = {0};
    cr_expect_eq(loam_heightmap_fbm(&recipe, LOAM_SIMD_BEST, whole, &error), LOAM_OUT_OF_RANGE);
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, pointer);
}

Test(heightmap, parameters_out_of_range_are_refused) {
    loam_heightmap recipe = recipe_of(false, 0);
    recipe.octaves = 0;
    expect_refused(recipe, "/params");
    recipe.octaves = OCTAVES_MAX + 1;
    expect_refused(recipe, "/params");
    recipe = recipe_of(false, -1);
    expect_refused(recipe, "/params");
    recipe = recipe_of(false, 0);
    recipe.wavelength = 1;
    expect_refused(recipe, "/params");
    recipe = recipe_of(false, 0);
    recipe.amplitude = (int64_t)8192 * 65536 + 1;
    expect_refused(recipe, "/params");
    recipe = recipe_of(false, 0);
    recipe.spacing_fine = 0;
    expect_refused(recipe, "/params/spacing_m");
    recipe.spacing_fine = HEIGHTFIELD_SPACING_FINE_MAX;
    recipe.width = HEIGHTFIELD_SIDE_MAX;
    expect_refused(recipe, "/params/spacing_m");
}

Test(heightmap, the_recipe_is_found_by_name_and_version) {
    loam_text name = loam_text_of("heightmap.fbm");
    const loam_recipe *recipe = loam_recipe_find(name, 0);
    cr_assert_not_null(recipe);
    cr_expect_eq(recipe, loam_recipe_find(name, 1));
    cr_expect_null(loam_recipe_find(name, 2));
    cr_expect_null(loam_recipe_find(loam_text_of("heightmap"), 0));
    cr_expect_null(loam_recipe_at(loam_recipe_count()));
    for (uint32_t i = 0; i < recipe->param_count; i++) {
        const loam_param_schema *param = &recipe->params[i];
        cr_expect(param->min <= param->initial && param->initial <= param->max, "%s", param->key);
    }
}
