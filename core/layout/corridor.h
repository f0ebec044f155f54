/* SPDX-License-Identifier: MIT
 *
 * corridor.h: the way from one room to another, in the style that is asked for. A style is the
 * order in which shapes are tried; all end with a search for the cheapest way.
 */
#ifndef LOAM_LAYOUT_CORRIDOR_H
#define LOAM_LAYOUT_CORRIDOR_H

#include "core/layout/room_plan.h"

typedef enum corridor_style {
    CORRIDOR_STRAIGHT,
    CORRIDOR_L,
    CORRIDOR_Z,
    CORRIDOR_ASTAR,
    CORRIDOR_DIAGONAL,
    CORRIDOR_MIXED,
    CORRIDOR_STYLES
} corridor_style;

extern const char *const corridor_styles[CORRIDOR_STYLES + 1];

#define CORRIDOR_PARAM_ROWS                                                                        \
    PARAM_CHOICE("corridor_style", "Corridors", CORRIDOR_MIXED, corridor_styles, CORRIDOR_STYLES,  \
                 "The shape that is tried first; where it does not fit, others are."),             \
        PARAM("corridor_width", "Corridor width", "", INT, 0, 0, 1, 1, CORRIDOR_WIDTH_MAX, 1,      \
              "Cells across.")

/* Places that are tried for each shape with bends; and all tries of one join, at most. */
enum { CORRIDOR_DRAWS = 4, CORRIDOR_TRIES = 64 };

/* What may be done for a way: a last way out runs along walls of rooms, or through plain rooms, and
 * opens gates beside others. */
typedef enum corridor_force { FORCE_NONE, FORCE_WALLS, FORCE_ROOMS } corridor_force;

typedef struct corridor_request {
    uint32_t a, b; /* rooms, a < b */
    corridor_style style;
    corridor_force force;
} corridor_request;

/* Lays a corridor and notes the edge, whose length2 is between doubled centres; false when there is
 * no way. Searching may fill the arena. */
LOAM_MUST_USE loam_status corridor_join(room_plan *plan, corridor_request request,
                                        loam_edge_role role, bool *joined);

#endif
