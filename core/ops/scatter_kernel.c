/* SPDX-License-Identifier: MIT
 *
 * scatter_kernel.c: see scatter.h. Compiled once per SIMD level. Doubles from basic operations and
 * sqrt only; every result becomes an integer at once.
 */
#include "core/ops/scatter.h"

#include "core/base/fixed_math.h"

#include <math.h>

/* The arc tangent of any slope, in 1/65,536 turns. */
static inline int32_t slope_turns(double slope) {
    double size = slope < 0.0 ? -slope : slope;
    double low = size < 1.0 ? size : 1.0 / size;
    double angle = fixed_atan_unit(low) * (32768.0 / FIXED_PI);
    angle = size < 1.0 ? angle : 16384.0 - angle;
    return round_to_int(slope < 0.0 ? -angle : angle);
}

/* The frame after yaw looks along (sin, cos) with its right side along (cos, -sin). Its up axis
 * meets the ground's normal when tan(pitch) = -forward slope and tan(roll) = right slope *
 * cos(pitch). */
static void lean(const int32_t *restrict gradient_x, const int32_t *restrict gradient_z,
                 const uint16_t *restrict yaw, double slope_max, uint32_t count,
                 int16_t *restrict pitch, int16_t *restrict roll) {
    for (uint32_t i = 0; i < count; i++) {
        double gx = (double)gradient_x[i] * (1.0 / 4096.0);
        double gz = (double)gradient_z[i] * (1.0 / 4096.0);
        double length = sqrt(gx * gx + gz * gz);
        double shorter = length > slope_max ? slope_max / length : 1.0;
        double sine, cosine;
        fixed_sin_cos(yaw[i], &sine, &cosine);
        double forward = (gx * sine + gz * cosine) * shorter;
        double right = (gx * cosine - gz * sine) * shorter;
        double level = right / sqrt(1.0 + forward * forward);
        pitch[i] = (int16_t)(pitch[i] - slope_turns(forward));
        roll[i] = (int16_t)(roll[i] + slope_turns(level));
    }
}

static void face_downhill(const int32_t *restrict gradient_x, const int32_t *restrict gradient_z,
                          uint32_t count, uint16_t *restrict yaw) {
    for (uint32_t i = 0; i < count; i++) {
        double turns = fixed_atan2_turns(-(double)gradient_x[i], -(double)gradient_z[i]);
        int32_t facing = round_to_int(turns * 65536.0) & 65535;
        int32_t flat = (gradient_x[i] | gradient_z[i]) == 0;
        yaw[i] = (uint16_t)(flat ? (int32_t)yaw[i] : facing);
    }
}

const scatter_kernels KERNEL(scatter_kernels) = {lean, face_downhill};
