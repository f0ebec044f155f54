/* SPDX-License-Identifier: MIT
 *
 * gate.h: where a corridor crosses the wall of a room: straight, with the whole brush inside the
 * side, so never at a corner.
 */
#ifndef LOAM_LAYOUT_GATE_H
#define LOAM_LAYOUT_GATE_H

#include "core/layout/room_plan.h"

typedef struct wall_gate {
    uint32_t room;
    uint32_t way;   /* outward */
    loam_spot ring; /* the middle, in the wall */
    loam_spot free; /* the first place outside from which the brush leaves the wall alone */
} wall_gate;

/* How many places for a gate a side has; 0 where it is narrower than the brush. */
int32_t gate_count(const room_plan *plan, uint32_t room, uint32_t way);
/* One of them, from west or north. */
wall_gate gate_at(const room_plan *plan, uint32_t room, uint32_t way, int32_t place);
/* Cells from the wall to the free place. */
int32_t gate_depth(const room_plan *plan, uint32_t way);
/* The place on a side of a row or column of the middle; may be outside 0 .. count - 1. */
int32_t gate_place(const room_plan *plan, uint32_t room, uint32_t way, int32_t coordinate);

/* Whether it may be opened: floor behind all of it, a '+' of the shape in it, and either all wall
 * now or opened already, with walls at both ends. `lax`: ends and what is open do not matter. */
bool gate_fits(const room_plan *plan, const wall_gate *gate, bool lax);

#endif
