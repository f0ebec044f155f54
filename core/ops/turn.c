/* SPDX-License-Identifier: MIT
 *
 * turn.c: see turn.h.
 */
#include "core/ops/turn.h"

#include "core/base/fixed_math.h"

#include <math.h>

/* Rows of a rotation matrix: x, y, z of what becomes of a vector. */
typedef struct matrix {
    double at[3][3];
} matrix;

/* Below this squared cosine of the pitch, yaw and roll turn about one axis: all of it is yaw. */
#define UPRIGHT_LEAST 1e-18

static matrix matrix_of(turn_angles angles) {
    double sy, cy, sp, cp, sr, cr;
    fixed_sin_cos(angles.yaw, &sy, &cy);
    fixed_sin_cos((uint32_t)(int32_t)angles.pitch, &sp, &cp);
    fixed_sin_cos((uint32_t)(int32_t)angles.roll, &sr, &cr);
    return (matrix){{{cy * cr + sy * sp * sr, sy * sp * cr - cy * sr, sy * cp},
                     {cp * sr, cp * cr, -sp},
                     {cy * sp * sr - sy * cr, sy * sr + cy * sp * cr, cy * cp}}};
}

static matrix multiply(const matrix *a, const matrix *b) {
    matrix product;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            product.at[row][column] = a->at[row][0] * b->at[0][column] +
                                      a->at[row][1] * b->at[1][column] +
                                      a->at[row][2] * b->at[2][column];
        }
    }
    return product;
}

static int32_t turns_of(double sine, double cosine) {
    return round_to_int(fixed_atan2_turns(sine, cosine) * 65536.0);
}

static turn_angles angles_of(const matrix *m) {
    double up = m->at[1][0] * m->at[1][0] + m->at[1][1] * m->at[1][1];
    int32_t pitch = turns_of(-m->at[1][2], sqrt(up));
    if (up < UPRIGHT_LEAST) {
        return (turn_angles){(uint16_t)turns_of(-m->at[2][0], m->at[0][0]), (int16_t)pitch, 0};
    }
    return (turn_angles){(uint16_t)turns_of(m->at[0][2], m->at[2][2]), (int16_t)pitch,
                         (int16_t)turns_of(m->at[1][0], m->at[1][1])};
}

turn_angles turn_compose(turn_angles outer, turn_angles inner) {
    if (outer.pitch == 0 && outer.roll == 0) {
        return (turn_angles){(uint16_t)(outer.yaw + inner.yaw), inner.pitch, inner.roll};
    }
    if (inner.yaw == 0 && inner.pitch == 0) {
        return (turn_angles){outer.yaw, outer.pitch, (int16_t)(outer.roll + inner.roll)};
    }
    matrix a = matrix_of(outer), b = matrix_of(inner), c = multiply(&a, &b);
    return angles_of(&c);
}
