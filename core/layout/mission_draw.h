/* SPDX-License-Identifier: MIT
 *
 * mission_draw.h: a drawing of a mission in cells: rooms, each on a level of its own, and corridors
 * that leave them upward and downward, each in a column of its own. The levels and the order of
 * columns are those of a tessellation (Tamassia and Tollis, "Tessellation representations of planar
 * graphs", 1989), so that nothing crosses; then columns and levels move together as far as what
 * lies beside them lets them, by turns.
 *
 * Around a room, from its box outward: the wall, then tracks: rows in which a corridor goes from
 * its gate to its column. Between any two floors that are not joined there is a wall.
 */
#ifndef LOAM_LAYOUT_MISSION_DRAW_H
#define LOAM_LAYOUT_MISSION_DRAW_H

#include "core/layout/mission.h"

/* Boxes by room, then columns by edge. */
enum {
    DRAW_PARTS_MAX = MISSION_ROOMS_MAX + MISSION_EDGES_MAX,
    DRAW_PART_WORDS = DRAW_PARTS_MAX / 64
};

/* Corridors leave a room upward (to a higher rank) or downward. */
enum { DRAW_DOWN, DRAW_UP, DRAW_SIDES };

/* The side of the box: its floor or ceiling, or left or right of it. */
typedef enum draw_gate { GATE_LEVEL, GATE_LEFT, GATE_RIGHT } draw_gate;

/* Where a corridor meets a room. */
typedef struct draw_end {
    int32_t room;
    draw_gate gate;
    int32_t place; /* first cell of the gate, along its side: a column, or a row for left, right */
    int32_t place_min, place_max; /* columns that would need no track; of level gates */
    int32_t track;                /* counted from the box, or -1 */
} draw_end;

typedef struct draw_room {
    int32_t width, height;
    int32_t level; /* the first row of what belongs to the room: a wall */
    int32_t tracks[DRAW_SIDES];
    const int32_t *edges[DRAW_SIDES]; /* from left to right */
    int32_t count[DRAW_SIDES];
    int32_t left[DRAW_SIDES], right[DRAW_SIDES]; /* of these, first and last ones by other sides */
} draw_room;

typedef struct mission_draw {
    const room_mission *mission;
    int32_t room_count, edge_count, part_count;
    int32_t width; /* of corridors */
    draw_room rooms[MISSION_ROOMS_MAX];
    draw_end ends[MISSION_EDGES_MAX][DRAW_SIDES]; /* DRAW_UP: it leaves that room upward */
    int32_t lists[2 * MISSION_EDGES_MAX];
    int32_t face_first[MISSION_ROOMS_MAX],
        face_end[MISSION_ROOMS_MAX];                    /* beside a room, at first */
    int32_t x[DRAW_PARTS_MAX], size[DRAW_PARTS_MAX];    /* columns of boxes and of corridors */
    int32_t first[DRAW_PARTS_MAX], end[DRAW_PARTS_MAX]; /* rows: of the room, or of both and
                                                           between */
    int32_t order[DRAW_PARTS_MAX];                      /* by x */
    uint64_t west[DRAW_PARTS_MAX][DRAW_PART_WORDS];     /* bits: what must stay left of a part */
    uint64_t east[DRAW_PARTS_MAX][DRAW_PART_WORDS];     /* and right of it */
    int32_t span_x, span_y;                             /* cells of floor across all of it */
} mission_draw;

typedef struct draw_options {
    int32_t corridor_width;
    uint64_t seed;
    uint32_t trial;                  /* another draw of everything */
    uint32_t cooling, cooling_steps; /* sides up to side_max at 0, and but side_min at the last */
    int32_t spread; /* levels that are kept apart in x at first: few are tall, many are wide */
} draw_options;

/* Steps of one drawing, at most. */
uint64_t mission_draw_steps(void);

/* False when a room has not enough sides for its ways, turned as they are here, or cannot be spread
 * so far. */
bool mission_draw_make(mission_draw *draw, const room_mission *mission,
                       const draw_options *options);

/* The row of a room's box in a drawing. */
static inline int32_t draw_box_row(const draw_room *room, int32_t corridor_width) {
    return room->level + room->tracks[DRAW_DOWN] * (corridor_width + 1) + 1;
}

/* Its rows, walls above and below included. */
static inline int32_t draw_room_rows(const draw_room *room, int32_t corridor_width) {
    return (room->tracks[DRAW_DOWN] + room->tracks[DRAW_UP]) * (corridor_width + 1) + room->height +
           2;
}

#endif
