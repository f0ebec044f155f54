/* SPDX-License-Identifier: MIT
 *
 * sample_kernel.c: the inner loop of the lattice samplers. Compiled once per SIMD level.
 */
#include "core/base/mix.h"
#include "core/base/portable.h"
#include "core/ops/sample.h"

static void place_row(const site_row *row, uint32_t count, int32_t *restrict x, int32_t *restrict z,
                      uint32_t *restrict live) {
    const site_row r = *row;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = r.first + i;
        int32_t jitter_x = (int32_t)(((uint64_t)draw_bits(r.key_x, a) * r.span) >> 32);
        int32_t jitter_z = (int32_t)(((uint64_t)draw_bits(r.key_z, a) * r.span) >> 32);
        int32_t px = (int32_t)i * r.spacing + jitter_x;
        int32_t pz = r.z + jitter_z;
        x[i] = px;
        z[i] = pz;
        live[i] = (uint32_t) - ((px >= r.x0) & (px < r.x1) & (pz >= r.z0) & (pz < r.z1));
    }
}

const sample_kernels KERNEL(sample_kernels) = {place_row};
