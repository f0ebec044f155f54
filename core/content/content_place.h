/* SPDX-License-Identifier: MIT
 *
 * content_place.h: one attempt at the content of one floor: keys, then objects, then spawns, rule
 * by rule. Cells that a rule may take come in the order of a hash of rule and cell, so that neither
 * another rule nor another cell moves what is drawn for one.
 */
#ifndef LOAM_CONTENT_CONTENT_PLACE_H
#define LOAM_CONTENT_CONTENT_PLACE_H

#include "core/content/lock_zones.h"
#include "core/content/walk_guard.h"

/* Things on one floor: numbers of spawns are half of their ids. Spawns have routes. */
enum { CONTENT_PLACED_MAX = 65535, CONTENT_SPAWNS_MAX = 4096 };

typedef struct placement {
    uint32_t cell, rule;
    loam_spot guards; /* of an ambush */
} placement;

typedef struct content_work {
    const content_rules *rules;
    content_draw draw;
    const int *cancel;
    loam_arena *arena;
    loam_error *error;
    content_map map;
    walk_guard guard; /* parents NULL: no rule blocks */
    lock_set locks;
    placement *placed; /* all but keys: objects, then spawns */
    uint32_t placed_count, placed_max, object_count;
    loam_dropped_rule *dropped; /* a row a rule at most */
    uint32_t dropped_count;
    bool hopeless; /* every rule that was dropped would be in any attempt */
} content_work;

/* Rules, draw, cancel, arena and error are set; everything comes from the arena. */
LOAM_MUST_USE loam_status content_place(content_work *work, const loam_layout *layout);

#endif
