/* SPDX-License-Identifier: MIT
 *
 * anchor_flow.h: the dungeon at a place of a world. The place's feature and the world's seed make
 * the request; from there on it is a dungeon like every other, under a build key of its own.
 */
#ifndef LOAM_SERVER_DUNGEON_ANCHOR_FLOW_H
#define LOAM_SERVER_DUNGEON_ANCHOR_FLOW_H

#include "api/wire/world_document.h"
#include "server/dungeon/dungeon_flow.h"
#include "server/world/asset_table.h"

typedef struct anchor_slot {
    dungeon_slot base;
    const world_dungeon *dungeon; /* of the revision that the slot holds */
    loam_text id;                 /* lent by the request */
    asset_set anchors;
    bool anchors_held;
    text_buffer made; /* the request's document */
    text_buffer path; /* of the revision's address; terminated */
} anchor_slot;

/* GET .../dungeons/{anchor}, with and without {rev}. */
extern const flow_step anchor_steps[];
void anchor_fini(flow_slot *slot);

#endif
