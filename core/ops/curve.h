/* SPDX-License-Identifier: MIT
 *
 * curve.h: the shape of a ramp, from [0, 1] to [0, 1], both in 1/2^24: a straight line, the smooth
 * 3 t^2 - 2 t^3, or straight pieces between given points. Integers in, integers out, exact at both
 * ends and rounded once, so a ramp that rises never falls by a rounding.
 */
#ifndef LOAM_OPS_CURVE_H
#define LOAM_OPS_CURVE_H

#include "core/ops/operation.h"

/* 1.0 of a curve's x and y. */
#define CURVE_ONE LOAM_DENSITY_ONE

/* Pinned: choice indices of parameters of kind CURVE. */
typedef enum curve_shape { CURVE_LINEAR, CURVE_SMOOTH } curve_shape;

extern const char *const curve_choices[];

#define PARAM_CURVE(text_)                                                                         \
    {                                                                                              \
        .key = "curve", .label = "Curve", .description = text_, .unit = "",                        \
        .kind = LOAM_PARAM_CURVE, .scale_bits = BITS_DENSITY, .flags = 0, .initial = CURVE_LINEAR, \
        .min = 0, .max = 1, .step = 1, .choices = curve_choices                                    \
    }

/* Points of a curve have x and y in [0, 1]. */
LOAM_MUST_USE loam_status curve_check(const loam_node *node, uint32_t index, const char *pointer,
                                      loam_error *error);
/* Whether it goes on as it is beyond its ends. */
static inline bool curve_is_line(const loam_value *curve) {
    return curve->kind == LOAM_VALUE_INTEGER && curve->integer == CURVE_LINEAR;
}
/* Its y at t in [0, CURVE_ONE]; flat before its first point and after its last. */
int64_t curve_at(const loam_value *curve, int64_t t);

/* Between two numbers below 2^37, rounded to nearest, at a fraction in [0, CURVE_ONE]. */
static inline int64_t ramp(int64_t from, int64_t to, int64_t fraction) {
    return from + (((to - from) * fraction + CURVE_ONE / 2) >> BITS_DENSITY);
}

#endif
