/* SPDX-License-Identifier: MIT
 *
 * place_flow.h: questions about a place of a world: which points stand around it, and why others do
 * not. Each is a small evaluation of its own, for one request; nothing of it is stored.
 */
#ifndef LOAM_SERVER_CELL_PLACE_FLOW_H
#define LOAM_SERVER_CELL_PLACE_FLOW_H

#include "server/cell/place_question.h"
#include "server/world/asset_hold.h"
#include "server/world/revision_slot.h"

typedef struct place_slot {
    revision_slot base;
    place_question question;
    uint32_t output;
    asset_hold assets;
    int cancel; /* read by the worker between blocks */
    text_buffer text;
} place_slot;

/* GET .../explain: the fate of every candidate. */
extern const flow_step explain_steps[];
/* GET .../points: the points, nearest first. */
extern const flow_step points_steps[];
void place_fini(flow_slot *slot);

#endif
