/* SPDX-License-Identifier: MIT
 *
 * noise.c: from the parameters of a noise to the numbers its kernels need.
 */
#include "core/space/noise.h"

#include "core/base/assert.h"
#include "core/base/mix.h"
#include "core/base/portable.h"

void noise_init(fbm_noise *noise, noise_kind kind, uint64_t seed, int64_t wavelength_units,
                uint32_t octaves, int64_t gain_q16) {
    LOAM_ASSERT(wavelength_units >= 2 && octaves >= 1 && octaves <= OCTAVES_MAX);
    uint64_t wavelength = (uint64_t)wavelength_units;
    noise->kind = kind;
    noise->octaves = octaves;
    noise->frequency = (uint32_t)((((uint64_t)1 << 32) + wavelength / 2) / wavelength);
    uint64_t key = draw_key(seed, DRAW_NOISE);
    float gain = (float)gain_q16 / 65536.0f;
    float amplitude = 1.0f;
    float sum = 0.0f;
    for (uint32_t o = 0; o < octaves; o++) {
        noise->offset_x[o] = mix_pair(key, 4 * o);
        noise->offset_z[o] = mix_pair(key, 4 * o + 1);
        noise->key[o] = (uint32_t)mix_pair(key, 4 * o + 2);
        noise->amplitude[o] = amplitude;
        sum += amplitude;
        amplitude *= gain;
    }
    for (uint32_t o = 0; o < octaves; o++) {
        noise->amplitude[o] = noise->amplitude[o] * 2.5f / sum;
    }
}
