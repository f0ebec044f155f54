/* SPDX-License-Identifier: MIT
 *
 * fuzz_recipe_json.c: a recipe is refused with a fault, or it makes a heightfield, the same at
 * every level of the processor, that any other field may be cut out of.
 */
#include "api/wire/recipe_document.h"
#include "core/base/limits.h"
#include "tests/fuzz/property.h"

#include <string.h>

/* Larger ones take too long for an input. */
enum { SIDE_MAX = 40 };

static int32_t samples[3][SIDE_MAX * SIDE_MAX];

static loam_status compute(const loam_heightmap *recipe, loam_simd level, int32_t *to) {
    loam_error error = {0};
    loam_status status = loam_heightmap_fbm(recipe, level, to, &error);
    if (status != LOAM_OK) {
        require_fault(status, &error);
    }
    return status;
}

/* The last column alone, and one more, since a field has two. */
static void require_cut(const loam_heightmap *recipe) {
    loam_heightmap cut = *recipe;
    bool whole_units = recipe->spacing_fine % LOAM_FINE_PER_UNIT == 0;
    cut.origin_x += (recipe->width - 2) * (recipe->spacing_fine / LOAM_FINE_PER_UNIT);
    cut.width = 2;
    if (!whole_units || compute(&cut, LOAM_SIMD_BEST, samples[2]) != LOAM_OK) {
        return;
    }
    for (uint32_t row = 0; row < recipe->height; row++) {
        const int32_t *end = &samples[0][(size_t)(row + 1) * recipe->width - 2];
        require(memcmp(end, &samples[2][2 * (size_t)row], 2 * sizeof *end) == 0,
                "a sample does not depend on where the field begins");
    }
}

static void require_field(const loam_heightmap *recipe) {
    loam_heightfield field = {.width = recipe->width,
                              .height = recipe->height,
                              .spacing_fine = recipe->spacing_fine,
                              .origin_x = recipe->origin_x,
                              .origin_z = recipe->origin_z,
                              .samples = samples[0]};
    loam_error error = {0};
    if (compute(recipe, LOAM_SIMD_BEST, samples[0]) != LOAM_OK) {
        return;
    }
    require(compute(recipe, LOAM_SIMD_BASELINE, samples[1]) == LOAM_OK, "every level can");
    size_t size = (size_t)recipe->width * recipe->height * sizeof samples[0][0];
    require(memcmp(samples[0], samples[1], size) == 0, "every level computes the same");
    require(loam_heightfield_init(&field, &error) == LOAM_OK, "a recipe makes a heightfield");
    require_cut(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static fault_list faults;
    loam_heightmap recipe;
    fault_clear(&faults);
    loam_status status = recipe_read_heightmap(input_text(bytes, size), &recipe, &faults);
    if (status != LOAM_OK) {
        require_faults(status, &faults);
    } else if (recipe.width >= 2 && recipe.height >= 2 && recipe.width <= SIDE_MAX &&
               recipe.height <= SIDE_MAX) {
        require_field(&recipe);
    }
    return 0;
}
