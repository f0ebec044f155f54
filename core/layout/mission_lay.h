/* SPDX-License-Identifier: MIT
 *
 * mission_lay.h: a drawing of a mission into the cells of a plan, turned and mirrored.
 */
#ifndef LOAM_LAYOUT_MISSION_LAY_H
#define LOAM_LAYOUT_MISSION_LAY_H

#include "core/layout/mission_draw.h"

/* From the drawing's cells to the map's: mirrored, then x and y changed, then moved. */
typedef struct lay_turn {
    bool mirror_x, mirror_y, swap;
    loam_spot origin; /* the north-western floor cell */
} lay_turn;

/* Lays rooms, in the order of the mission; then, when the plan is open, corridors, in that of its
 * edges: straight where that can be. */
void mission_lay_rooms(room_plan *plan, const mission_draw *draw, const lay_turn *turn);
LOAM_MUST_USE loam_status mission_lay_corridors(room_plan *plan, const mission_draw *draw,
                                                const lay_turn *turn);

/* How a corridor of a drawing goes: its lines, and its cells from wall to wall. */
typedef struct lay_shape {
    int32_t lines, cells;
} lay_shape;
lay_shape mission_lay_shape(const mission_draw *draw, int32_t edge);

/* Memory of it, beyond that of a plan. */
uint64_t mission_lay_bytes(layout_size size);

/* One door of each locked corridor gets the lock, after room_plan_end. */
void mission_lay_locks(const room_plan *plan, const room_mission *mission);

#endif
