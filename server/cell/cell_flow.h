/* SPDX-License-Identifier: MIT
 *
 * cell_flow.h: a request for a cell, from its address to its answer.
 */
#ifndef LOAM_SERVER_CELL_CELL_FLOW_H
#define LOAM_SERVER_CELL_CELL_FLOW_H

#include "server/cell/cell_question.h"
#include "server/cell/flight.h"
#include "server/world/asset_table.h"
#include "server/world/revision_slot.h"

typedef struct cell_slot {
    revision_slot base;
    cell_question question;
    cell_address address;
    loam_rect rect;
    /* The flight. */
    flight_waiter waiter;
    loop_timer *timer;
    bool late; /* the client waits no longer: 202 */
    blob *blob;
    digest key;
    const char *cache_status;
    /* The view. */
    asset_set assets;
    bool assets_held;
    text_buffer view;
    content_coding coding; /* what the bytes became */
    blob *bytes;           /* of the view, coded; NULL: the canonical ones */
} cell_slot;

extern const flow_step cell_steps[];
void cell_fini(flow_slot *slot);
/* Answers from memory, if it can. */
bool cell_quick(flow_state *flow, http_request *request);

/* On a worker: fills slot->bytes from slot->blob. */
loam_status cell_view_make(flow_slot *slot, pool_worker *worker);
/* slot->answer from blob or view, and into the memory of answers. */
step_result cell_answer(void *subject);
/* 202, come back later. */
step_result cell_answer_late(cell_slot *slot);

#endif
