/* SPDX-License-Identifier: MIT
 *
 * scatter.h: the kernel of transform.scatter that leans points with the ground.
 */
#ifndef LOAM_OPS_SCATTER_H
#define LOAM_OPS_SCATTER_H

#include "core/base/simd.h"
#include "core/loam.h"

typedef struct scatter_kernels {
    /* Adds to pitch and roll the lean of a gradient, shortened to at most `slope_max`, as seen
     * along each point's yaw. */
    void (*lean)(const int32_t *restrict gradient_x, const int32_t *restrict gradient_z,
                 const uint16_t *restrict yaw, double slope_max, uint32_t count,
                 int16_t *restrict pitch, int16_t *restrict roll);
    /* yaw = the compass direction of steepest descent; flat ground keeps what is there. */
    void (*face_downhill)(const int32_t *restrict gradient_x, const int32_t *restrict gradient_z,
                          uint32_t count, uint16_t *restrict yaw);
} scatter_kernels;

SIMD_DECLARE(scatter_kernels, scatter_kernels);

#endif
