/* SPDX-License-Identifier: MIT
 *
 * fixed_math.h: the few elementary functions that generation needs, from IEEE basic operations
 * only, so that they are the same function on every machine (libm is not). Accuracy in the last bit
 * does not matter, identity does: every result is rounded to an integer by its caller at once.
 * Inline, so that loops over columns vectorise.
 *
 * Series: exp, sin and cos by Taylor coefficients after range reduction; atan(t)/t by interpolation
 * in t^2 at twelve Chebyshev nodes of [0, 1] (error 4e-11).
 */
#ifndef LOAM_BASE_FIXED_MATH_H
#define LOAM_BASE_FIXED_MATH_H

#include "core/base/portable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FIXED_PI 3.14159265358979323846

/* floor(a / b) and its remainder for b > 0. */
static inline int64_t floor_divide(int64_t a, int64_t b) {
    int64_t quotient = a / b;
    return quotient - (a % b < 0);
}

/* floor(sqrt(value)). */
uint64_t integer_root(uint64_t value);

/* sin and cos of r in [-pi/4, pi/4]. */
static inline double fixed_sin_small(double r) {
    double z = r * r;
    double tail = 1.0 / 362880.0 - z * (1.0 / 39916800.0 - z * (1.0 / 6227020800.0));
    return r - r * z * (1.0 / 6.0 - z * (1.0 / 120.0 - z * (1.0 / 5040.0 - z * tail)));
}

static inline double fixed_cos_small(double r) {
    double z = r * r;
    double tail = 1.0 / 40320.0 - z * (1.0 / 3628800.0 - z * (1.0 / 479001600.0));
    return 1.0 - z * (0.5 - z * (1.0 / 24.0 - z * (1.0 / 720.0 - z * tail)));
}

/* sin and cos of an angle in 1/65,536 turns; the quadrant is split off in integers. */
static inline void fixed_sin_cos(uint32_t turns, double *sine, double *cosine) {
    uint32_t quadrant = ((turns + 8192u) >> 14) & 3u;
    int32_t rest = (int32_t)(turns & 65535u) - (int32_t)(quadrant << 14);
    rest = rest > 32768 ? rest - 65536 : rest;
    double r = (double)rest * (FIXED_PI / 32768.0);
    double s = fixed_sin_small(r);
    double c = fixed_cos_small(r);
    double swapped_sine = (quadrant & 1u) != 0 ? c : s;
    double swapped_cosine = (quadrant & 1u) != 0 ? s : c;
    *sine = (quadrant & 2u) != 0 ? -swapped_sine : swapped_sine;
    *cosine = ((quadrant + 1u) & 2u) != 0 ? -swapped_cosine : swapped_cosine;
}

/* atan of t in [0, 1], in radians. */
static inline double fixed_atan_unit(double t) {
    double z = t * t;
    double p = 0.0047324841934219194 - z * 0.0006633954571104786;
    p = -0.015828322749149415 + z * p;
    p = 0.03382621895278687 + z * p;
    p = -0.053956680571371714 + z * p;
    p = 0.07228278345377252 + z * p;
    p = -0.08974171958363882 + z * p;
    p = 0.11091922963683302 + z * p;
    p = -0.14283813255743194 + z * p;
    p = 0.19999901102171555 + z * p;
    p = -0.3333333129088999 + z * p;
    return t * (0.9999999999293037 + z * p);
}

/* atan2(y, x) in turns, in (-1/2, 1/2]; 0 for x = y = 0. */
static inline double fixed_atan2_turns(double y, double x) {
    double ax = x < 0.0 ? -x : x;
    double ay = y < 0.0 ? -y : y;
    double low = ax < ay ? ax : ay;
    double high = ax < ay ? ay : ax;
    double angle = fixed_atan_unit(low / (high > 0.0 ? high : 1.0)) * (0.5 / FIXED_PI);
    angle = ay > ax ? 0.25 - angle : angle;
    angle = x < 0.0 ? 0.5 - angle : angle;
    return y < 0.0 ? -angle : angle;
}

/* exp of x, clamped to [-40, 40]. */
double fixed_exp(double x);

/* tan^2 of an angle in 1/65,536 degrees, [0, 90), in 1/2^24, to nearest and at most 2^46; 45
 * degrees give 2^24 exactly. */
int64_t fixed_tan_squared(int64_t degrees_q16);

/* The nearest integer of a value in (-2^30, 2^30), halves up. */
static inline int32_t round_to_int(double value) {
    return (int32_t)(value + 1073741824.5) - 1073741824;
}

#endif
