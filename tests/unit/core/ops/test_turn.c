/* SPDX-License-Identifier: MIT
 *
 * test_turn.c: composed rotations: exact in whole turns about one axis, and in general the product
 * of two matrices that are written out here axis by axis.
 */
#include "core/ops/turn.h"

#include <criterion/criterion.h>
#include <math.h>

#define PI 3.14159265358979323846

/* Turns a vector by roll, then pitch, then yaw: z to x, z to -y, x to y. */
static void turn_vector(turn_angles by, double v[3]) {
    double r = by.roll * PI / 32768, p = by.pitch * PI / 32768, y = by.yaw * PI / 32768;
    double x0 = v[0] * cos(r) - v[1] * sin(r), y0 = v[0] * sin(r) + v[1] * cos(r);
    double y1 = y0 * cos(p) - v[2] * sin(p), z1 = y0 * sin(p) + v[2] * cos(p);
    v[0] = x0 * cos(y) + z1 * sin(y);
    v[1] = y1;
    v[2] = z1 * cos(y) - x0 * sin(y);
}

static void expect_product(turn_angles outer, turn_angles inner) {
    turn_angles got = turn_compose(outer, inner);
    for (int axis = 0; axis < 3; axis++) {
        double want[3] = {axis == 0, axis == 1, axis == 2},
               have[3] = {axis == 0, axis == 1, axis == 2};
        turn_vector(inner, want);
        turn_vector(outer, want);
        turn_vector(got, have);
        for (int i = 0; i < 3; i++) {
            cr_assert_float_eq(have[i], want[i], 3e-4, "(%u %d %d) (%u %d %d)", outer.yaw,
                               outer.pitch, outer.roll, inner.yaw, inner.pitch, inner.roll);
        }
    }
}

Test(turn, yaws_add_up_exactly) {
    turn_angles got = turn_compose((turn_angles){65000, 0, 0}, (turn_angles){1000, 0, 0});
    cr_expect(got.yaw == 464 && got.pitch == 0 && got.roll == 0);
    got = turn_compose((turn_angles){300, 0, 0}, (turn_angles){5, -77, 16000});
    cr_expect(got.yaw == 305 && got.pitch == -77 && got.roll == 16000);
    got = turn_compose((turn_angles){300, 123, -9}, (turn_angles){0, 0, 10});
    cr_expect(got.yaw == 300 && got.pitch == 123 && got.roll == 1);
}

Test(turn, nothing_changes_nothing) {
    turn_angles got = turn_compose((turn_angles){300, 123, -9}, (turn_angles){0, 0, 0});
    cr_expect(got.yaw == 300 && got.pitch == 123 && got.roll == -9);
}

Test(turn, any_two_are_the_product_of_their_matrices) {
    uint32_t state = 1;
    for (int i = 0; i < 2000; i++) {
        uint16_t draw[6];
        for (int j = 0; j < 6; j++) {
            state = state * 1664525u + 1013904223u;
            draw[j] = (uint16_t)(state >> 16);
        }
        expect_product((turn_angles){draw[0], (int16_t)((int16_t)draw[1] / 2), (int16_t)draw[2]},
                       (turn_angles){draw[3], (int16_t)((int16_t)draw[4] / 2), (int16_t)draw[5]});
    }
}

Test(turn, a_point_that_looks_straight_down_keeps_its_direction) {
    const int16_t quarter = 16384;
    expect_product((turn_angles){1000, quarter, 0}, (turn_angles){5000, 0, 0});
    expect_product((turn_angles){1000, (int16_t)-quarter, 300}, (turn_angles){5000, 0, 77});
    expect_product((turn_angles){0, 8192, 0}, (turn_angles){0, 8192, 0});
}
