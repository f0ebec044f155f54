/* SPDX-License-Identifier: MIT
 *
 * curve.c: see curve.h.
 */
#include "core/ops/curve.h"

#include "core/base/fixed_math.h"

#include <stdio.h>

const char *const curve_choices[] = {"linear", "smooth", NULL};

enum { POINT_X, POINT_Y };

static int64_t number_of(const loam_value *curve, uint32_t point, uint32_t axis) {
    return curve->items[point].items[axis].integer;
}

loam_status curve_check(const loam_node *node, uint32_t index, const char *pointer,
                        loam_error *error) {
    const loam_value *curve = &node->params[index];
    for (uint32_t i = 0; i < curve->item_count; i++) {
        for (uint32_t axis = POINT_X; axis <= POINT_Y; axis++) {
            int64_t number = number_of(curve, i, axis);
            if (number < 0 || number > CURVE_ONE) {
                char at[LOAM_POINTER_BYTES];
                snprintf(at, sizeof at, "%s/%s/%u/%u", pointer, node->operation->params[index].key,
                         i, axis);
                return loam_fail(error, LOAM_OUT_OF_RANGE, at,
                                 "the points of a curve lie in 0..1, both x and y");
            }
        }
    }
    return LOAM_OK;
}

/* t^2 has 48 bits and its factor 26: multiplied in two halves, the floor is that of the whole. */
static int64_t smooth_at(int64_t t) {
    int64_t square = t * t;
    int64_t factor = 3 * (int64_t)CURVE_ONE - 2 * t;
    int64_t high = (square >> BITS_DENSITY) * factor;
    int64_t low = (square & (CURVE_ONE - 1)) * factor;
    return (high + (low >> BITS_DENSITY) + CURVE_ONE / 2) >> BITS_DENSITY;
}

static int64_t points_at(const loam_value *curve, int64_t t) {
    uint32_t last = curve->item_count - 1;
    if (t >= number_of(curve, last, POINT_X)) {
        return number_of(curve, last, POINT_Y);
    }
    if (t <= number_of(curve, 0, POINT_X)) {
        return number_of(curve, 0, POINT_Y);
    }
    uint32_t low = 0, high = last;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (number_of(curve, middle, POINT_X) <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    int64_t x = number_of(curve, low, POINT_X), y = number_of(curve, low, POINT_Y);
    int64_t run = number_of(curve, high, POINT_X) - x, rise = number_of(curve, high, POINT_Y) - y;
    return y + floor_divide(2 * rise * (t - x) + run, 2 * run);
}

int64_t curve_at(const loam_value *curve, int64_t t) {
    if (curve->kind == LOAM_VALUE_LIST) {
        return points_at(curve, t);
    }
    return curve->integer == CURVE_SMOOTH ? smooth_at(t) : t;
}
