/* SPDX-License-Identifier: MIT
 *
 * place_bound.c: what can be said about rooms before any is placed; see room_place.h.
 */
#include "core/layout/room_place.h"

static int32_t least_side(loam_box inside) {
    return inside.width < inside.height ? inside.width : inside.height;
}

place_options place_options_of(place_sides sides, loam_box inside) {
    int32_t most = least_side(inside);
    return (place_options){.rooms = (uint32_t)sides.rooms,
                           .side_min = sides.least,
                           .side_max = sides.most < most ? sides.most : most,
                           .gap = sides.gap};
}

loam_status place_check_sides(place_sides sides, loam_box inside, loam_error *error) {
    if (sides.least > sides.most) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/room_min",
                         "room_min is at most room_max: %d", sides.most);
    }
    if (sides.least > least_side(inside)) {
        return loam_fail(error, LOAM_INFEASIBLE, "/params/room_min",
                         "a side is at most %d: what is inside the border", least_side(inside));
    }
    if (sides.corridor_width > sides.least) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, "/params/corridor_width",
                         "a corridor is at most as wide as the least side of a room: %d",
                         sides.least);
    }
    return LOAM_OK;
}

uint64_t place_bound(place_sides sides, loam_box inside) {
    int64_t columns = (inside.width + sides.gap) / (sides.least + sides.gap);
    int64_t rows = (inside.height + sides.gap) / (sides.least + sides.gap);
    return (uint64_t)(columns * rows);
}

loam_status place_check_bound(place_sides sides, loam_box inside, loam_error *error) {
    uint64_t bound = place_bound(sides, inside);
    return (uint64_t)sides.rooms <= bound
               ? LOAM_OK
               : loam_fail(error, LOAM_INFEASIBLE, "/params/rooms",
                           "at most %llu rooms of %d by %d cells with a gap of %d fit here: %d are "
                           "wanted",
                           (unsigned long long)bound, sides.least, sides.least, sides.gap,
                           sides.rooms);
}
