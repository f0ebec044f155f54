/* SPDX-License-Identifier: MIT
 *
 * column_kernel.c: see column_kernel.h. Compiled once per SIMD level.
 */
#include "core/ops/column_kernel.h"

#include "core/base/mix.h"
#include "core/base/portable.h"

static void keep_between(const int32_t *restrict value, int32_t low, int32_t high, bool invert,
                         const uint32_t *restrict live, uint32_t count, uint32_t *restrict kept) {
    const uint32_t flip = invert ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t inside = (uint32_t) - ((value[i] >= low) & (value[i] <= high));
        kept[i] = live[i] & (inside ^ flip);
    }
}

/* Squares of gradients stay below 2^41, so they are exact doubles. */
static void keep_slope(const int32_t *restrict gradient_x, const int32_t *restrict gradient_z,
                       int64_t low, int64_t high, bool invert, const uint32_t *restrict live,
                       uint32_t count, uint32_t *restrict kept) {
    const uint32_t flip = invert ? UINT32_MAX : 0;
    const double low_exact = (double)low;
    const double high_exact = (double)high;
    for (uint32_t i = 0; i < count; i++) {
        double gx = (double)gradient_x[i];
        double gz = (double)gradient_z[i];
        double square = gx * gx + gz * gz;
        uint32_t inside = (uint32_t) - ((square >= low_exact) & (square <= high_exact));
        kept[i] = live[i] & (inside ^ flip);
    }
}

/* Clamping and rounding are two loops: in one, the compiler turns the clamp into branches. */
enum { DENSITY_BLOCK = 512 };

static void clamp_block(const float *restrict noise, float bias, float contrast, uint32_t count,
                        float *restrict clamped) {
    for (uint32_t i = 0; i < count; i++) {
        float value = bias + contrast * noise[i];
        float low = value < 0.0f ? 0.0f : value;
        clamped[i] = low > 1.0f ? 1.0f : low;
    }
}

/* Density in 1/2^24 of values in [0, 1], to nearest; adding a half would round twice. */
static void round_block(const float *restrict clamped, uint32_t count, uint32_t *restrict out) {
    for (uint32_t i = 0; i < count; i++) {
        float scaled = clamped[i] * 16777216.0f;
        int32_t whole = (int32_t)scaled;
        float rest = scaled - (float)whole;
        out[i] = (uint32_t)(whole + (int32_t)(rest + rest));
    }
}

static inline uint32_t multiply_density(uint32_t a, uint32_t b) {
    return (uint32_t)(((uint64_t)a * b + (1u << 23)) >> 24);
}

static void noise_density(const float *restrict noise, float bias, float contrast,
                          combine_mode combine, const uint32_t *restrict density, uint32_t count,
                          uint32_t *restrict out) {
    float clamped[DENSITY_BLOCK];
    for (uint32_t start = 0; start < count; start += DENSITY_BLOCK) {
        uint32_t size = count - start < DENSITY_BLOCK ? count - start : DENSITY_BLOCK;
        clamp_block(noise + start, bias, contrast, size, clamped);
        round_block(clamped, size, out + start);
    }
    switch (combine) {
    case COMBINE_MULTIPLY:
        for (uint32_t i = 0; i < count; i++) {
            out[i] = multiply_density(out[i], density[i]);
        }
        break;
    case COMBINE_REPLACE:
        break;
    case COMBINE_MIN:
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (int32_t)out[i] < (int32_t)density[i] ? out[i] : density[i];
        }
        break;
    case COMBINE_MAX:
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (int32_t)out[i] > (int32_t)density[i] ? out[i] : density[i];
        }
        break;
    }
}

static void keep_drawn(draw_run run, const uint32_t *restrict a, const uint32_t *restrict density,
                       uint32_t multiplier, const uint32_t *restrict live, uint32_t count,
                       uint32_t *restrict kept) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = draw_bits(run.row_key, a == NULL ? run.first + i : a[i]);
        int32_t limit = (int32_t)multiply_density(density[i], multiplier);
        kept[i] = live[i] & (uint32_t) - ((int32_t)(bits >> 8) < limit);
    }
}

const column_kernels KERNEL(column_kernels) = {keep_between, keep_slope, noise_density, keep_drawn};
