/* SPDX-License-Identifier: MIT
 *
 * noise_kernel.c: FBm over columns of positions. Compiled once per SIMD level.
 */
#include "core/base/portable.h"
#include "core/space/noise.h"

/* Positions per block: the running sum and the two scaled positions stay in the first-level cache
 * between octaves. */
enum { NOISE_BLOCK = 512 };

static inline uint32_t corner_hash(uint32_t h) {
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    return h ^ (h >> 15);
}

/* The two halves of a hash as a gradient, times the way from its corner. */
static inline float corner_slope(uint32_t hash, float x, float z) {
    return (float)((int32_t)hash >> 16) * x + (float)((int32_t)(hash << 16) >> 16) * z;
}

static inline float ease(float t) {
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static inline float blend(float a, float b, float t) {
    return a + t * (b - a);
}

/* The lattice cell of a position, and where in it. */
typedef struct place {
    uint32_t hash_sw, hash_se, hash_nw, hash_ne;
    float x, z;
} place;

static inline place place_of(uint64_t u, uint64_t v, uint32_t key) {
    uint32_t west = (uint32_t)(u >> 32) * 0x9e3779b1u;
    uint32_t south = ((uint32_t)(v >> 32) * 0x85ebca77u) ^ key;
    uint32_t east = west + 0x9e3779b1u;
    uint32_t north = (((uint32_t)(v >> 32) + 1u) * 0x85ebca77u) ^ key;
    return (place){
        .hash_sw = corner_hash(west ^ south),
        .hash_se = corner_hash(east ^ south),
        .hash_nw = corner_hash(west ^ north),
        .hash_ne = corner_hash(east ^ north),
        .x = (float)(int32_t)((uint32_t)u >> 8) * 5.9604644775390625e-8f,
        .z = (float)(int32_t)((uint32_t)v >> 8) * 5.9604644775390625e-8f,
    };
}

static inline float gradient_at(uint64_t u, uint64_t v, uint32_t key) {
    place p = place_of(u, v, key);
    float sw = corner_slope(p.hash_sw, p.x, p.z);
    float se = corner_slope(p.hash_se, p.x - 1.0f, p.z);
    float nw = corner_slope(p.hash_nw, p.x, p.z - 1.0f);
    float ne = corner_slope(p.hash_ne, p.x - 1.0f, p.z - 1.0f);
    float south = blend(sw, se, ease(p.x));
    float north = blend(nw, ne, ease(p.x));
    return blend(south, north, ease(p.z)) * 3.0517578125e-5f;
}

/* [-0.4, 0.4], so that the common factor of 2.5 gives the full range. */
static inline float value_at(uint64_t u, uint64_t v, uint32_t key) {
    place p = place_of(u, v, key);
    float south =
        blend((float)((int32_t)p.hash_sw >> 16), (float)((int32_t)p.hash_se >> 16), ease(p.x));
    float north =
        blend((float)((int32_t)p.hash_nw >> 16), (float)((int32_t)p.hash_ne >> 16), ease(p.x));
    return blend(south, north, ease(p.z)) * (0.4f * 3.0517578125e-5f);
}

/* Crests where the gradient noise passes 0; [-0.4, 0.4] like value_at. */
static inline float ridged_at(uint64_t u, uint64_t v, uint32_t key) {
    float g = gradient_at(u, v, key) * 2.5f;
    g = g < 0.0f ? -g : g;
    g = g > 1.0f ? 1.0f : g;
    return 0.4f - 0.8f * g;
}

/* One octave over a block. */
#define OCTAVE_LOOP(name, function)                                                                \
    static void name(const uint64_t *restrict u, const uint64_t *restrict v, uint64_t offset_x,    \
                     uint64_t offset_z, uint32_t shift, uint32_t key, float amplitude,             \
                     uint32_t count, float *restrict sum) {                                        \
        for (uint32_t i = 0; i < count; i++) {                                                     \
            float octave = function((u[i] << shift) + offset_x, (v[i] << shift) + offset_z, key);  \
            sum[i] = sum[i] + amplitude * octave;                                                  \
        }                                                                                          \
    }

OCTAVE_LOOP(octave_gradient, gradient_at)
OCTAVE_LOOP(octave_value, value_at)
OCTAVE_LOOP(octave_ridged, ridged_at)

typedef void octave_function(const uint64_t *restrict u, const uint64_t *restrict v,
                             uint64_t offset_x, uint64_t offset_z, uint32_t shift, uint32_t key,
                             float amplitude, uint32_t count, float *restrict sum);

static void scale_positions(const int32_t *restrict x, uint32_t frequency, uint64_t base,
                            uint32_t count, uint64_t *restrict u) {
    for (uint32_t i = 0; i < count; i++) {
        u[i] = (uint64_t)(uint32_t)x[i] * frequency + base;
    }
}

static void clamp_sum(const float *restrict sum, uint32_t count, float *restrict value) {
    for (uint32_t i = 0; i < count; i++) {
        float n = sum[i];
        n = n < -1.0f ? -1.0f : n;
        value[i] = n > 1.0f ? 1.0f : n;
    }
}

static void noise_fill(const fbm_noise *noise, int64_t base_x, int64_t base_z,
                       const int32_t *restrict x, const int32_t *restrict z, uint32_t count,
                       float *restrict value) {
    static octave_function *const octaves[] = {octave_gradient, octave_value, octave_ridged};
    uint64_t u[NOISE_BLOCK];
    uint64_t v[NOISE_BLOCK];
    float sum[NOISE_BLOCK];
    for (uint32_t start = 0; start < count; start += NOISE_BLOCK) {
        uint32_t size = count - start < NOISE_BLOCK ? count - start : NOISE_BLOCK;
        scale_positions(x + start, noise->frequency, (uint64_t)base_x * noise->frequency, size, u);
        scale_positions(z + start, noise->frequency, (uint64_t)base_z * noise->frequency, size, v);
        for (uint32_t i = 0; i < size; i++) {
            sum[i] = 0.0f;
        }
        for (uint32_t o = 0; o < noise->octaves; o++) {
            octaves[noise->kind](u, v, noise->offset_x[o], noise->offset_z[o], o, noise->key[o],
                                 noise->amplitude[o], size, sum);
        }
        clamp_sum(sum, size, value + start);
    }
}

const noise_kernels KERNEL(noise_kernels) = {noise_fill};
