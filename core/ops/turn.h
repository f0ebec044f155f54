/* SPDX-License-Identifier: MIT
 *
 * turn.h: rotations as yaw, pitch and roll in 1/65,536 turn: Ry Rx Rz in a left-handed frame, where
 * yaw turns z to x, positive pitch z to -y and positive roll x to y.
 */
#ifndef LOAM_OPS_TURN_H
#define LOAM_OPS_TURN_H

#include <stdint.h>

typedef struct turn_angles {
    uint16_t yaw;
    int16_t pitch, roll;
} turn_angles;

/* First `outer`, then `inner` in the frame that it made. Exact where the outer one only has a yaw,
 * or the inner one only a roll; else through double, rounded once. */
turn_angles turn_compose(turn_angles outer, turn_angles inner);

#endif
