/* SPDX-License-Identifier: MIT
 *
 * spawn_places.h: what the three kinds of spawn points ask of the cells around them.
 */
#ifndef LOAM_CONTENT_SPAWN_PLACES_H
#define LOAM_CONTENT_SPAWN_PLACES_H

#include "core/content/content_map.h"

/* Steps that a patrol goes from its spawn, and the most cells of its route: the way back may be
 * three times as long as the way there. */
enum { PATROL_STEPS_MIN = 4, PATROL_STEPS_MAX = 24, PATROL_ROUTE_MAX = 4 * PATROL_STEPS_MAX };

/* Whether no line of sight leads from one cell to another: each of the lines of Bresenham 1965
 * between them, whichever way it rounds halves, meets a wall of the layout. */
bool sight_is_hidden(const content_map *map, loam_spot from, loam_spot to);

/* The cell before the nearest way into the room of a cell, from outside; where there is no room or
 * no way in, the entrance. */
loam_spot ambush_guards(const content_map *map, uint32_t cell);

/* A closed walk through `cell`: to a cell some steps away that the key draws, and back another way
 * if there is one, else the same. Returns its length; `route` has PATROL_ROUTE_MAX cells. */
uint32_t patrol_route(const content_map *map, uint32_t cell, uint64_t key, loam_spot *route);

#endif
