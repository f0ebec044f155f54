/* SPDX-License-Identifier: MIT
 *
 * test_recipe_read.c: heightmap.fbm from JSON, with defaults, scales and each kind of fault.
 */
#include "api/wire/recipe_document.h"
#include "tests/unit/api/wire/forest_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static loam_heightmap got;

static const char request[] =
    "{\"recipe\":\"heightmap.fbm\",\"seed\":\"7\",\"params\":{\"width\":513,\"height\":257,"
    "\"spacing_m\":2.5,\"wavelength_m\":1000,\"octaves\":5,\"amplitude_m\":300,\"base_m\":-10.5}}";

TestSuite(recipe_read, .fini = forest_fini);

static loam_status read(const char *json) {
    return recipe_read_heightmap(loam_text_of(json), &got, forest_faults());
}

static void assert_refused(const char *from, const char *to, loam_status status,
                           const char *pointer) {
    cr_assert_neq(read(forest_with(request, from, to)), LOAM_OK, "%s", to);
    cr_assert(forest_has_fault(status, pointer), "%s", to);
}

Test(recipe_read, numbers_arrive_in_the_scales_of_the_struct) {
    cr_assert_eq(read(request), LOAM_OK);
    cr_assert_eq(got.seed, 7);
    cr_assert_eq(got.width, 513);
    cr_assert_eq(got.height, 257);
    cr_assert_eq(got.spacing_fine, (int64_t)640 * LOAM_FINE_PER_UNIT);
    cr_assert_eq(got.wavelength, 256000);
    cr_assert_eq(got.octaves, 5);
    cr_assert_eq(got.amplitude, 300 * LOAM_HEIGHT_STEPS_PER_METRE);
    cr_assert_eq(got.base, -21 * LOAM_HEIGHT_STEPS_PER_METRE / 2);
    cr_assert_eq(got.warp, 0);
    cr_assert_not(got.ridged);
}

Test(recipe_read, options_are_taken) {
    cr_assert_eq(
        read(forest_with(request, "\"octaves\":5", "\"octaves\":5,\"ridged\":true,\"warp_m\":8")),
        LOAM_OK);
    cr_assert(got.ridged);
    cr_assert_eq(got.warp, 2048);
    cr_assert_eq(read(forest_with(request, "\"seed\"", "\"version\":1,\"seed\"")), LOAM_OK);
}

Test(recipe_read, what_is_left_out_has_its_default) {
    const loam_recipe *recipe = loam_recipe_find(loam_text_of("heightmap.fbm"), 0);
    cr_assert_eq(read("{\"recipe\":\"heightmap.fbm\",\"seed\":\"7\"}"), LOAM_OK);
    for (uint32_t i = 0; i < recipe->param_count; i++) {
        const loam_param_schema *param = &recipe->params[i];
        if (strcmp(param->key, "width") == 0) {
            cr_assert_eq(got.width, param->initial);
        } else if (strcmp(param->key, "amplitude_m") == 0) {
            cr_assert_eq(got.amplitude, param->initial);
        }
    }
    cr_assert_gt(got.spacing_fine, 0);
    cr_assert_gt(got.octaves, 0);
}

Test(recipe_read, each_fault_is_named) {
    assert_refused("heightmap.fbm", "heightmap.fb", LOAM_UNKNOWN_RECIPE, "/recipe");
    assert_refused("\"seed\"", "\"version\":9,\"seed\"", LOAM_VERSION_UNAVAILABLE, "/version");
    assert_refused("\"7\"", "7", LOAM_SEED_OUT_OF_RANGE, "/seed");
    assert_refused("\"seed\":\"7\",", "", LOAM_MISSING_FIELD, "/seed");
    assert_refused("\"seed\"", "\"size\":9,\"seed\"", LOAM_UNKNOWN_FIELD, "/size");
    assert_refused("\"octaves\"", "\"octave\"", LOAM_UNKNOWN_PARAMETER, "/params/octave");
    assert_refused("513", "513.5", LOAM_WRONG_TYPE, "/params/width");
    assert_refused("513", "1e9", LOAM_OUT_OF_RANGE, "/params/width");
    assert_refused("\"spacing_m\":2.5", "\"spacing_m\":0", LOAM_OUT_OF_RANGE, "/params/spacing_m");
    assert_refused("\"params\":{", "\"params\":[1],\"extra\":{", LOAM_UNKNOWN_FIELD, "/extra");
    assert_refused("\"params\":{", "\"params\":7,\"extra\":{", LOAM_WRONG_TYPE, "/params");
}
