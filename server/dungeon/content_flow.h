/* SPDX-License-Identifier: MIT
 *
 * content_flow.h: what is hidden in a dungeon, for the server scope: its content, its spawns, who
 * comes out of them. A pure function of dungeon, rules and secret, drawn when it is asked for.
 */
#ifndef LOAM_SERVER_DUNGEON_CONTENT_FLOW_H
#define LOAM_SERVER_DUNGEON_CONTENT_FLOW_H

#include "server/dungeon/dungeon_flow.h"

/* Begins with the slot of a dungeon. */
typedef struct content_slot {
    dungeon_slot base;
    bool asked;     /* by a content key: ?content= */
    digest wanted;  /* that key */
    text_buffer of; /* the request that is kept under it; empty: none is */
} content_slot;

extern const flow_step content_steps[];
extern const flow_step spawns_steps[];
extern const flow_step encounter_steps[];
void content_fini(flow_slot *slot);

#endif
