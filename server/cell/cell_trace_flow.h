/* SPDX-License-Identifier: MIT
 *
 * cell_trace_flow.h: how a cell came about: it is evaluated again, with a clock, for one request.
 */
#ifndef LOAM_SERVER_CELL_CELL_TRACE_FLOW_H
#define LOAM_SERVER_CELL_CELL_TRACE_FLOW_H

#include "server/cell/cell_question.h"
#include "server/world/asset_hold.h"
#include "server/world/revision_slot.h"

typedef struct trace_slot {
    revision_slot base;
    cell_question question;
    cell_address address;
    loam_rect rect;
    asset_hold assets;
    int cancel; /* read by the worker between blocks */
    text_buffer text;
} trace_slot;

extern const flow_step trace_steps[];
void trace_fini(flow_slot *slot);

#endif
