/* SPDX-License-Identifier: MIT
 *
 * room_place.h: rooms that are apart: by cooling (each is tried again with less room, so that many
 * fit) or by separation (all at once in the middle, then pushed apart). The gap between two rooms
 * is never less than asked.
 */
#ifndef LOAM_LAYOUT_ROOM_PLACE_H
#define LOAM_LAYOUT_ROOM_PLACE_H

#include "core/layout/room_template.h"

typedef enum placement { PLACE_COOLING, PLACE_SEPARATION, PLACEMENTS } placement;

extern const char *const placements[PLACEMENTS + 1];

/* Cells of wall between rooms, at most. */
enum { ROOM_GAP_MAX = 16 };

typedef struct place_options {
    placement placement;
    uint32_t rooms; /* wanted */
    int32_t side_min, side_max;
    int32_t gap;
    const template_set *templates; /* NULL: plain boxes */
} place_options;

/* What parameters say about plain rooms. */
typedef struct place_sides {
    int32_t least, most, gap, rooms, corridor_width;
} place_sides;

/* By cooling, with sides that fit inside. */
place_options place_options_of(place_sides sides, loam_box inside);
/* Whether they fit each other; pointers are those of room_min and corridor_width. */
LOAM_MUST_USE loam_status place_check_sides(place_sides sides, loam_box inside, loam_error *error);
/* How many rooms of the least size fit at most: no placement has more. And whether more are wanted.
 */
uint64_t place_bound(place_sides sides, loam_box inside);
LOAM_MUST_USE loam_status place_check_bound(place_sides sides, loam_box inside, loam_error *error);

/* Templates that are of no use here are used no more; false when none is left. */
bool place_keep_fitting(template_set *set, loam_box inside, int32_t corridor_width);

uint64_t place_bytes(layout_size size, uint32_t rooms);
uint64_t place_steps(layout_size size, uint32_t rooms);

/* Rooms over the reserved cells first, then those of templates that must be, then the rest, until
 * there are enough or no place is left. The plan has room for PLACE_EXTRA more than wanted. */
enum { PLACE_EXTRA = 4 };
LOAM_MUST_USE loam_status place_rooms(room_plan *plan, const place_options *options);

#endif
