/* SPDX-License-Identifier: MIT
 *
 * noise.h: gradient, value and ridged noise and their FBm on an exact lattice. A position in units
 * times an integer frequency (lattice cells per unit, 32 fraction bits) is taken modulo 2^64: the
 * upper half is the lattice index, the next 24 bits an exact float fraction. So the value is the
 * same from every window, at any distance from the origin. Octave o doubles the position o times
 * and adds a 64-bit offset of its own (without it, noise would be 0 on every coarse lattice point).
 *
 * Source: gradient noise with quintic interpolation after Perlin, "Improving Noise" (2002);
 * gradients are the two 16-bit halves of a hash.
 */
#ifndef LOAM_SPACE_NOISE_H
#define LOAM_SPACE_NOISE_H

#include "core/base/limits.h"
#include "core/base/simd.h"
#include "core/loam.h"

/* Pinned: choice indices of the parameter `kind`. */
typedef enum noise_kind { NOISE_GRADIENT, NOISE_VALUE, NOISE_RIDGED } noise_kind;

/* An FBm made ready: n = sum of amplitude * octave, scaled so that n = FBm / (sum of amplitudes) *
 * 2.5. A single octave of gradient noise has rms 0.17. */
typedef struct fbm_noise {
    noise_kind kind;
    uint32_t octaves;
    uint32_t frequency;
    float amplitude[OCTAVES_MAX]; /* already * 2.5 / sum */
    uint64_t offset_x[OCTAVES_MAX];
    uint64_t offset_z[OCTAVES_MAX];
    uint32_t key[OCTAVES_MAX];
} fbm_noise;

/* wavelength in units (>= 2), gain in 1/65,536. */
void noise_init(fbm_noise *noise, noise_kind kind, uint64_t seed, int64_t wavelength_units,
                uint32_t octaves, int64_t gain_q16);

typedef struct noise_kernels {
    /* value[i] = clamp(n, -1, 1) at world position base + (x[i], z[i]); x and z not negative. */
    void (*fill)(const fbm_noise *noise, int64_t base_x, int64_t base_z, const int32_t *restrict x,
                 const int32_t *restrict z, uint32_t count, float *restrict value);
} noise_kernels;

SIMD_DECLARE(noise_kernels, noise_kernels);

#endif
