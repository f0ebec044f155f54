/* SPDX-License-Identifier: MIT
 *
 * asset_round.c: see asset_round.h.
 */
#include "api/wire/asset_round.h"

static bool floor_within(double value, int64_t limit, int64_t *rounded) {
    if (!(value >= -(double)limit - 1 && value <= (double)limit + 1)) {
        return false;
    }
    int64_t whole = (int64_t)value;
    *rounded = whole - ((double)whole > value);
    return *rounded >= -limit && *rounded <= limit;
}

bool round_nearest(double metres, double steps, int64_t limit, int64_t *rounded) {
    return floor_within(metres * steps + 0.5, limit, rounded);
}

bool round_up(double metres, double steps, int64_t limit, int64_t *rounded) {
    if (!floor_within(-metres * steps, limit, rounded)) {
        return false;
    }
    *rounded = -*rounded;
    return true;
}
