/* SPDX-License-Identifier: MIT
 *
 * graph_flow.h: graphs judged, kept under their digest, and given back in their canonical form.
 */
#ifndef LOAM_SERVER_WORLD_GRAPH_FLOW_H
#define LOAM_SERVER_WORLD_GRAPH_FLOW_H

#include "api/key/key.h"
#include "server/slot/slot.h"

typedef struct graph_slot {
    flow_slot base;
    loam_text body;   /* lent by the request */
    text_buffer text; /* the judgement, or the canonical form */
    digest id;
} graph_slot;

extern const flow_step graph_validate_steps[];
extern const flow_step graph_post_steps[];
extern const flow_step graph_get_steps[];
void graph_fini(flow_slot *slot);

#endif
