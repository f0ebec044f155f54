/* SPDX-License-Identifier: MIT
 *
 * room_budget.h: what recipes that place rooms and join them have in common: the rows of their
 * parameters, room in the plan, and what all of it may cost.
 */
#ifndef LOAM_LAYOUT_ROOM_BUDGET_H
#define LOAM_LAYOUT_ROOM_BUDGET_H

#include "core/layout/room_links.h"
#include "core/layout/room_place.h"

/* A room of less than three cells has no middle; larger ones than these nobody walks through. */
enum { ROOM_SIDE_LEAST = 3, ROOM_SIDE_MOST = 64 };

/* rooms, room_min, room_max. */
#define ROOM_PARAM_ROWS                                                                            \
    PARAM("rooms", "Rooms", "", INT, 0, 0, 12, 1, PLAN_ROOMS_MAX, 1, "So many are wanted."),       \
        PARAM("room_min", "Least side", "", INT, 0, 0, 5, ROOM_SIDE_LEAST, ROOM_SIDE_MOST, 1,      \
              "Cells along each side of a room, at least."),                                       \
        PARAM("room_max", "Largest side", "", INT, 0, 0, 12, ROOM_SIDE_LEAST, ROOM_SIDE_MOST, 1,   \
              "Cells along each side of a room, at most.")

/* Of a plan for so many wanted rooms. */
room_plan_sizes room_sizes(int64_t rooms, int32_t corridor_width);
/* To place and to join them; and the memory. */
uint64_t room_steps(layout_size size, uint32_t rooms);
uint64_t room_bytes(layout_size size, room_plan_sizes sizes);

#endif
