/* SPDX-License-Identifier: MIT
 *
 * cell_flow.h: a request for a cell, from its address to its answer.
 */
#ifndef LOAM_SERVER_CELL_CELL_FLOW_H
#define LOAM_SERVER_CELL_CELL_FLOW_H

#include "server/cell/cell_question.h"
#include "server/world/asset_hold.h"

typedef struct cell_slot {
    result_slot base;
    cell_question question;
    cell_address address;
    loam_rect rect;
    asset_hold assets; /* of a picture */
} cell_slot;

extern const flow_step cell_steps[];
void cell_fini(flow_slot *slot);
/* Answers from memory, if it can. */
bool cell_quick(flow_state *flow, http_request *request);

/* On a worker: fills slot->bytes from slot->blob. */
loam_status cell_view_make(flow_slot *slot, pool_worker *worker);
/* slot->answer from blob or view, and into the memory of answers. */
step_result cell_answer(void *subject);
#endif
