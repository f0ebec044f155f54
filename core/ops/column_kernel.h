/* SPDX-License-Identifier: MIT
 *
 * column_kernel.h: loops over columns that filters and density operations share. Each works on all
 * rows, dead ones too: that is cheaper than asking.
 */
#ifndef LOAM_OPS_COLUMN_KERNEL_H
#define LOAM_OPS_COLUMN_KERNEL_H

#include "core/base/simd.h"
#include "core/loam.h"

/* How a new density meets the old one. Pinned: choice indices of the parameter `combine`. */
typedef enum combine_mode {
    COMBINE_MULTIPLY,
    COMBINE_REPLACE,
    COMBINE_MIN,
    COMBINE_MAX
} combine_mode;

/* A row of a set: runs of equal b share a row key. */
typedef struct draw_run {
    uint64_t row_key;
    uint32_t first; /* a of the first, when a is NULL: then they count up */
} draw_run;

typedef struct column_kernels {
    /* kept[i] = live[i] and (low <= value[i] <= high) != invert */
    void (*keep_between)(const int32_t *restrict value, int32_t low, int32_t high, bool invert,
                         const uint32_t *restrict live, uint32_t count, uint32_t *restrict kept);
    /* kept[i] = live[i] and (low <= gx^2 + gz^2 <= high) != invert */
    void (*keep_slope)(const int32_t *restrict gradient_x, const int32_t *restrict gradient_z,
                       int64_t low, int64_t high, bool invert, const uint32_t *restrict live,
                       uint32_t count, uint32_t *restrict kept);
    /* out = combine(density, round(clamp(bias + contrast * noise, 0, 1))) in 1/2^24 */
    void (*noise_density)(const float *restrict noise, float bias, float contrast,
                          combine_mode combine, const uint32_t *restrict density, uint32_t count,
                          uint32_t *restrict out);
    /* kept[i] = live[i] and draw in [0, 2^24) < density[i] * multiplier / 2^24 */
    void (*keep_drawn)(draw_run run, const uint32_t *restrict a, const uint32_t *restrict density,
                       uint32_t multiplier, const uint32_t *restrict live, uint32_t count,
                       uint32_t *restrict kept);
} column_kernels;

SIMD_DECLARE(column_kernels, column_kernels);

#endif
