/* SPDX-License-Identifier: MIT
 *
 * fixed_math.c: the functions of fixed_math.h that no loop calls.
 */
#include "core/base/fixed_math.h"

#include <math.h>

/* The processor's root is at most one off, which integers set right: so how it rounds does not
 * matter. */
uint64_t integer_root(uint64_t value) {
    int64_t near = (int64_t)sqrt((double)value);
    uint64_t root = near > UINT32_MAX ? UINT32_MAX : (uint64_t)near;
    if (root * root > value) {
        return root - 1;
    }
    return root < UINT32_MAX && (root + 1) * (root + 1) <= value ? root + 1 : root;
}

double fixed_exp(double x) {
    x = x > 40.0 ? 40.0 : x;
    x = x < -40.0 ? -40.0 : x;
    int32_t power = round_to_int(x * 1.4426950408889634);
    double r =
        (x - (double)power * 0.693147180369123816490) - (double)power * 1.90821492927058770002e-10;
    double p = 1.0;
    for (int32_t n = 14; n >= 1; n--) {
        p = 1.0 + r * p / (double)n;
    }
    uint64_t bits = (uint64_t)(1023 + power) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

int64_t fixed_tan_squared(int64_t degrees_q16) {
    const int64_t right_angle = (int64_t)90 * 65536;
    bool steep = degrees_q16 > right_angle / 2;
    double r =
        (double)(steep ? right_angle - degrees_q16 : degrees_q16) * (FIXED_PI / (180.0 * 65536.0));
    double ratio = fixed_sin_small(r) / fixed_cos_small(r);
    double square = steep ? 1.0 / (ratio * ratio) : ratio * ratio;
    if (!(square < 4194304.0)) {
        return (int64_t)1 << 46;
    }
    return (int64_t)(square * 16777216.0 + 0.5);
}
