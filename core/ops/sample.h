/* SPDX-License-Identifier: MIT
 *
 * sample.h: the lattice of a sampler over a rectangle, and the kernel that places its candidates.
 */
#ifndef LOAM_OPS_SAMPLE_H
#define LOAM_OPS_SAMPLE_H

#include "core/base/simd.h"
#include "core/points/point_set.h"

typedef struct site_row {
    uint64_t key_x, key_z; /* row keys of the two jitters */
    uint32_t first;        /* site of column 0 */
    int32_t spacing;
    uint32_t span;          /* jitter in [0, span) */
    int32_t z;              /* of the row's low side, in the window */
    int32_t x0, z0, x1, z1; /* what was asked, in the window */
} site_row;

typedef struct sample_kernels {
    /* Positions of one row of sites, and whether they lie in what was asked. */
    void (*place)(const site_row *row, uint32_t count, int32_t *restrict x, int32_t *restrict z,
                  uint32_t *restrict live);
} sample_kernels;

SIMD_DECLARE(sample_kernels, sample_kernels);

#endif
