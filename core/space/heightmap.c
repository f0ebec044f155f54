/* SPDX-License-Identifier: MIT
 *
 * heightmap.c: the recipe heightmap.fbm, a terrain from noise. A sample is a pure function of its
 * world position, so a field made in parts is the field made whole.
 */
#include "core/base/fixed_math.h"
#include "core/base/limits.h"
#include "core/base/mix.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/schema/schema.h"
#include "core/space/heightfield.h"
#include "core/space/noise.h"

/* Samples a block: positions, warps and noise stay in the first-level cache. */
enum { BLOCK = 256 };

/* Warping reads noise at shifted places, which must not be negative in the window. */
#define WARP_UNITS_MAX ((int64_t)1 << 20)
#define WAVELENGTH_UNITS_MAX ((int64_t)1 << 28)
#define AMPLITUDE_MAX ((int64_t)8192 * 65536)

static const loam_param_schema heightmap_params[] = {
    PARAM("width", "Width", "", INT, 0, 0, 257, 2, 8193, 1, "Samples from west to east."),
    PARAM("height", "Height", "", INT, 0, 0, 257, 2, 8193, 1, "Samples from south to north."),
    PARAM("spacing_m", "Spacing", "m", FLOAT, 24, LOAM_PARAM_NONZERO, (int64_t)8 << 24, 65536,
          HEIGHTFIELD_SPACING_FINE_MAX, (int64_t)1 << 24, "Distance of two samples."),
    PARAM("wavelength_m", "Wavelength", "m", FLOAT, BITS_UNITS, LOAM_PARAM_NONZERO, 1024 * 256, 2,
          WAVELENGTH_UNITS_MAX, 256, "Distance between two crests of the first octave."),
    PARAM("octaves", "Octaves", "", INT, 0, 0, 6, 1, OCTAVES_MAX, 1,
          "Layers of noise, each of half the wavelength and strength of the one before."),
    PARAM("amplitude_m", "Amplitude", "m", FLOAT, 16, 0, 200 * 65536, -AMPLITUDE_MAX, AMPLITUDE_MAX,
          65536, "Height of the noise over and under the base."),
    PARAM("base_m", "Base", "m", FLOAT, 16, 0, 0, -AMPLITUDE_MAX, AMPLITUDE_MAX, 65536,
          "Height where the noise is 0."),
    PARAM("ridged", "Ridged", "", BOOL, 0, 0, 0, 0, 1, 1, "Sharp crests instead of rounded hills."),
    PARAM("warp_m", "Warp", "m", FLOAT, BITS_UNITS, 0, 0, 0, WARP_UNITS_MAX, 256,
          "How far a second noise shifts the places of the first."),
};

const loam_recipe heightmap_recipe = {
    .name = "heightmap.fbm",
    .version = 1,
    .title = "Fractal terrain",
    .description = "A heightfield of base + amplitude * FBm noise, optionally ridged and warped.",
    .params = heightmap_params,
    .param_count = COUNT_OF(heightmap_params),
};

/* The noises of one terrain. */
typedef struct terrain {
    const loam_heightmap *recipe;
    const noise_kernels *kernels;
    fbm_noise height, warp_x, warp_z;
    loam_heightfield frame; /* where samples stand */
    int64_t base_x, base_z; /* window that holds every sample, warped too */
} terrain;

static loam_status check(const loam_heightmap *recipe, loam_error *error) {
    if (recipe->octaves < 1 || recipe->octaves > OCTAVES_MAX || recipe->wavelength < 2 ||
        recipe->wavelength > WAVELENGTH_UNITS_MAX || recipe->warp < 0 ||
        recipe->warp > WARP_UNITS_MAX || recipe->amplitude < -AMPLITUDE_MAX ||
        recipe->amplitude > AMPLITUDE_MAX || recipe->base < -AMPLITUDE_MAX ||
        recipe->base > AMPLITUDE_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params",
                         "a parameter of heightmap.fbm is out of range");
    }
    int64_t side = recipe->width > recipe->height ? recipe->width : recipe->height;
    if (recipe->spacing_fine < 1 || recipe->spacing_fine > HEIGHTFIELD_SPACING_FINE_MAX ||
        side > HEIGHTFIELD_SIDE_MAX || ((side * recipe->spacing_fine) >> 16) > (1 << 30)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/spacing_m",
                         "a terrain is at most 4,194 km wide");
    }
    return LOAM_OK;
}

static void terrain_init(terrain *made, const loam_heightmap *recipe, loam_simd level) {
    const uint64_t seed = recipe->seed;
    made->recipe = recipe;
    made->kernels = SIMD_SELECT(noise_kernels, level);
    made->frame = (loam_heightfield){.spacing_fine = recipe->spacing_fine};
    made->base_x = recipe->origin_x - recipe->warp;
    made->base_z = recipe->origin_z - recipe->warp;
    const int64_t gain = 32768;
    noise_init(&made->height, recipe->ridged ? NOISE_RIDGED : NOISE_GRADIENT, mix_pair(seed, 1),
               recipe->wavelength, recipe->octaves, gain);
    noise_init(&made->warp_x, NOISE_GRADIENT, mix_pair(seed, 2), recipe->wavelength, 2, gain);
    noise_init(&made->warp_z, NOISE_GRADIENT, mix_pair(seed, 3), recipe->wavelength, 2, gain);
}

/* noise * scale to nearest, for noise in [-1, 1] and |scale| <= 2^30. */
static int32_t scaled(float noise, int64_t scale) {
    return round_to_int((double)noise * (double)scale);
}

static void warp_block(const terrain *made, uint32_t count, int32_t *x, int32_t *z) {
    float shift_x[BLOCK], shift_z[BLOCK];
    made->kernels->fill(&made->warp_x, made->base_x, made->base_z, x, z, count, shift_x);
    made->kernels->fill(&made->warp_z, made->base_x, made->base_z, x, z, count, shift_z);
    for (uint32_t i = 0; i < count; i++) {
        x[i] += scaled(shift_x[i], made->recipe->warp);
        z[i] += scaled(shift_z[i], made->recipe->warp);
    }
}

static void fill_block(const terrain *made, uint32_t first, uint32_t row, uint32_t count,
                       int32_t *samples) {
    int32_t x[BLOCK], z[BLOCK];
    float noise[BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (int32_t)(made->recipe->warp + heightfield_vertex(&made->frame, first + i));
        z[i] = (int32_t)(made->recipe->warp + heightfield_vertex(&made->frame, row));
    }
    if (made->recipe->warp > 0) {
        warp_block(made, count, x, z);
    }
    made->kernels->fill(&made->height, made->base_x, made->base_z, x, z, count, noise);
    for (uint32_t i = 0; i < count; i++) {
        int64_t height = made->recipe->base + scaled(noise[i], made->recipe->amplitude);
        int64_t most = HEIGHT_SAMPLE_MAX - 1;
        height = height > most ? most : height;
        samples[i] = (int32_t)(height < -most ? -most : height);
    }
}

loam_status loam_heightmap_fbm(const loam_heightmap *recipe, loam_simd level, int32_t *samples,
                               loam_error *error) {
    LOAM_TRY(loam_self_test(error));
    LOAM_TRY(check(recipe, error));
    terrain made;
    terrain_init(&made, recipe, level);
    for (uint32_t row = 0; row < recipe->height; row++) {
        for (uint32_t first = 0; first < recipe->width; first += BLOCK) {
            uint32_t count = recipe->width - first < BLOCK ? recipe->width - first : BLOCK;
            fill_block(&made, first, row, count, samples + (size_t)row * recipe->width + first);
        }
    }
    return LOAM_OK;
}
