/* SPDX-License-Identifier: MIT
 *
 * room_links.h: corridors between all rooms of a plan: a tree of short ones, and loops.
 */
#ifndef LOAM_LAYOUT_ROOM_LINKS_H
#define LOAM_LAYOUT_ROOM_LINKS_H

#include "core/grid/links.h"
#include "core/layout/corridor.h"

typedef struct room_links_options {
    corridor_style style;
    int64_t loops_percent; /* of the links of the triangulation that are not in the tree */
    int64_t trim_percent;  /* of the dead ends of corridors so many are cut back */
} room_links_options;

/* Of a triangulation. */
enum { LINKS_A_ROOM = 3 };

uint64_t room_links_bytes(uint32_t rooms);
/* Joins that are tried, at most. */
uint64_t room_links_joins(uint32_t rooms);

/* Rooms that edges of the plan join already stay so. Joins rooms in order of the links' lengths (a
 * link without a way is passed over, so that the next one of the same cut comes in), then makes
 * loops in hash order; then cuts dead ends back. Gives up with "loops-missing" where there are
 * fewer loops than asked for, and with "no-path" where rooms stay apart: then passages that are no
 * corridors join them. */
LOAM_MUST_USE loam_status room_links_join(room_plan *plan, room_links_options options);

#endif
