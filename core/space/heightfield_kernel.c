/* SPDX-License-Identifier: MIT
 *
 * heightfield_kernel.c: the vector paths of heightfield.h. In the one all sums are integers below
 * 2^53 held in doubles, so they are exact, and a quotient guessed with a reciprocal is put right by
 * its remainder; in the other all sums fit 32 bits and quotients are shifts. Compiled once per SIMD
 * level.
 */
#include "core/base/portable.h"
#include "core/space/heightfield.h"

/* floor(value) for a value in [-2^30, 2^30). */
static inline int32_t floor_to_int(double value) {
    return (int32_t)(value + 1073741824.0) - 1073741824;
}

/* floor(sum / divisor) for exact integers: the guess is at most one off. */
static inline int32_t floor_quotient(double sum, double divisor, double reciprocal) {
    int32_t guess = floor_to_int(sum * reciprocal);
    double rest = sum - (double)guess * divisor;
    return guess + (rest >= divisor) - (rest < 0.0);
}

static inline int32_t clamp_gradient(int32_t gradient) {
    gradient = gradient > GRADIENT_MAX ? GRADIENT_MAX : gradient;
    return gradient < -GRADIENT_MAX ? -GRADIENT_MAX : gradient;
}

/* How many whole spacings fit in an offset in [0, 2^23 + 2^15). */
static inline int32_t divide_offset(int32_t offset, uint32_t reciprocal, int32_t spacing) {
    int32_t guess = (int32_t)(((uint64_t)(uint32_t)offset * reciprocal) >> 32);
    return guess + (offset - guess * spacing >= spacing);
}

static void surface_sample(const surface_window *window, const int32_t *restrict x,
                           const int32_t *restrict z, uint32_t count, int32_t *restrict y,
                           int32_t *restrict gradient_x, int32_t *restrict gradient_z,
                           uint32_t *restrict live) {
    const int32_t *samples = window->samples;
    const int32_t width = window->width;
    const int32_t last_x = window->width - 2;
    const int32_t last_z = window->height - 2;
    const int32_t spacing = window->spacing;
    const uint32_t reciprocal = window->reciprocal;
    const int32_t quad_x = window->quad_x, quad_z = window->quad_z;
    const int32_t inside_x = window->inside_x, inside_z = window->inside_z;
    const double side = (double)spacing;
    const double area = side * side;
    const double per_area = 1.0 / area;
    for (uint32_t i = 0; i < count; i++) {
        int32_t offset_x = x[i] + inside_x;
        int32_t offset_z = z[i] + inside_z;
        int32_t step_x = divide_offset(offset_x, reciprocal, spacing);
        int32_t step_z = divide_offset(offset_z, reciprocal, spacing);
        int32_t rest_x = offset_x - step_x * spacing;
        int32_t rest_z = offset_z - step_z * spacing;
        int32_t qx = quad_x + step_x;
        int32_t qz = quad_z + step_z;
        int32_t edge_x = (qx == last_x + 1) & (rest_x == 0);
        int32_t edge_z = (qz == last_z + 1) & (rest_z == 0);
        qx -= edge_x;
        qz -= edge_z;
        rest_x = edge_x ? spacing : rest_x;
        rest_z = edge_z ? spacing : rest_z;
        int32_t inside = (qx >= 0) & (qx <= last_x) & (qz >= 0) & (qz <= last_z);
        int32_t at = (qz * width + qx) & -inside; /* a mask, not a branch: plain gathers */
        int32_t sw = samples[at];
        double south = (double)(samples[at + 1] - sw);
        double west = (double)(samples[at + width] - sw);
        double north = (double)(samples[at + width + 1] - samples[at + width]);
        double east = (double)(samples[at + width + 1] - samples[at + 1]);
        double fx = (double)rest_x, fz = (double)rest_z;
        double along_x = south * (side - fz) + north * fz;
        double along_z = west * (side - fx) + east * fx;
        double sum = along_x * fx + west * side * fz;
        int32_t rise = floor_quotient(sum, area, per_area);
        int32_t slope_x = floor_quotient(32.0 * along_x + area, 2.0 * area, 0.5 * per_area);
        int32_t slope_z = floor_quotient(32.0 * along_z + area, 2.0 * area, 0.5 * per_area);
        y[i] = ((sw + rise + 128) >> 8) & -inside;
        gradient_x[i] = clamp_gradient(slope_x) & -inside;
        gradient_z[i] = clamp_gradient(slope_z) & -inside;
        live[i] &= (uint32_t)-inside;
    }
}

static void surface_sample_shifted(const surface_window *window, const int32_t *restrict x,
                                   const int32_t *restrict z, uint32_t count, int32_t *restrict y,
                                   int32_t *restrict gradient_x, int32_t *restrict gradient_z,
                                   uint32_t *restrict live) {
    const int32_t *samples = window->samples;
    const int32_t width = window->width;
    const int32_t last_x = window->width - 2, last_z = window->height - 2;
    const int32_t shift = window->shift;
    const int32_t spacing = window->spacing, mask = window->spacing - 1;
    const int32_t quad_x = window->quad_x, quad_z = window->quad_z;
    const int32_t inside_x = window->inside_x, inside_z = window->inside_z;
    /* 16 / spacing^2 as a shift; half of what it drops. */
    const int32_t slope_shift = 2 * shift - 4;
    const int32_t slope_half = 1 << (slope_shift - 1);
    for (uint32_t i = 0; i < count; i++) {
        int32_t offset_x = x[i] + inside_x, offset_z = z[i] + inside_z;
        int32_t qx = quad_x + (offset_x >> shift), qz = quad_z + (offset_z >> shift);
        int32_t rest_x = offset_x & mask, rest_z = offset_z & mask;
        int32_t edge_x = (qx == last_x + 1) & (rest_x == 0);
        int32_t edge_z = (qz == last_z + 1) & (rest_z == 0);
        qx -= edge_x;
        qz -= edge_z;
        rest_x += edge_x << shift;
        rest_z += edge_z << shift;
        int32_t inside = (qx >= 0) & (qx <= last_x) & (qz >= 0) & (qz <= last_z);
        int32_t at = (qz * width + qx) & -inside;
        int32_t sw = samples[at], se = samples[at + 1];
        int32_t nw = samples[at + width], ne = samples[at + width + 1];
        int32_t south = se - sw, north = ne - nw, west = nw - sw, east = ne - se;
        int32_t along_x = south * spacing + (north - south) * rest_z;
        int32_t along_z = west * spacing + (east - west) * rest_x;
        /* (low + rise * rest_z / spacing) / spacing, floored in two exact steps. */
        int32_t low = south * rest_x;
        int32_t rise = west * spacing + (north - south) * rest_x;
        int32_t part = (rise >> shift) * rest_z + (((rise & mask) * rest_z) >> shift);
        int32_t height = sw + ((low + part) >> shift);
        y[i] = ((height + 128) >> 8) & -inside;
        gradient_x[i] = clamp_gradient((along_x + slope_half) >> slope_shift) & -inside;
        gradient_z[i] = clamp_gradient((along_z + slope_half) >> slope_shift) & -inside;
        live[i] &= (uint32_t)-inside;
    }
}

const surface_kernels KERNEL(surface_kernels) = {surface_sample, surface_sample_shifted};
