/* SPDX-License-Identifier: MIT
 *
 * mission.h: rooms that are told apart by ids, which of them are joined, and which ways are locked:
 * what dungeon.mission turns into a layout. Read and checked here; drawn in mission_draw.h.
 */
#ifndef LOAM_LAYOUT_MISSION_H
#define LOAM_LAYOUT_MISSION_H

#include "core/grid/planar.h"
#include "core/layout/room_plan.h"

/* Twice as many rooms as other engines advise for a room graph; a plane graph of them has at most
 * 3 * 64 - 6 edges, so that one too many can still be named. */
enum { MISSION_ROOMS_MAX = PLANAR_NODES_MAX, MISSION_EDGES_MAX = PLANAR_EDGES_MAX };
enum { MISSION_KEYS_MAX = 32, MISSION_SIDE_MIN = 3, MISSION_SIDE_MAX = 64 };

typedef struct mission_room {
    loam_text id;
    loam_room_kind kind; /* LOAM_ROOM_SMALL: by its area */
    int32_t side_min, side_max;
} mission_room;

/* Rooms are nodes of the graph, in the document's order, and so are edges. */
typedef struct room_mission {
    mission_room rooms[MISSION_ROOMS_MAX];
    loam_text locks[MISSION_EDGES_MAX]; /* empty: none */
    planar_graph graph;
    int32_t degree[MISSION_ROOMS_MAX];
} room_mission;

/* Fields of the parameter `mission`. */
enum { MISSION_ROOMS, MISSION_EDGES, MISSION_KEYS, MISSION_FIELDS };
extern const loam_param_schema mission_fields[MISSION_FIELDS];

/* Reads the parameter's value and embeds the graph. Errors point below /params/mission: an id that
 * is taken or unknown, an edge that is one twice, a room that no way leads to, an edge that must
 * cross others, a room too small for its ways. Ids are borrowed. */
LOAM_MUST_USE loam_status mission_read(const loam_value *value, int32_t corridor_width,
                                       room_mission *read, loam_error *error);

/* Corridors of this width that can leave a side of a room. */
static inline int32_t mission_ports(int32_t side, int32_t corridor_width) {
    return (side + 1) / (corridor_width + 1);
}

#endif
