/* SPDX-License-Identifier: MIT
 *
 * world_put.h: PUT and DELETE of a world.
 */
#ifndef LOAM_SERVER_WORLD_WORLD_PUT_H
#define LOAM_SERVER_WORLD_WORLD_PUT_H

#include "server/slot/slot.h"
#include "server/world/world_table.h"

/* A world's document: its canonical text and some fields. */
#define WORLD_DOCUMENT_BYTES_MAX ((size_t)4 << 20)

typedef struct world_put_slot {
    flow_slot base;
    loam_text name;
    loam_text body;
    bool exists;
    text_buffer current;   /* its document before, when a condition asks for it */
    revision_entry *built; /* what the body says, planned */
    revision_entry *revision;
} world_put_slot;

extern const flow_step world_put_steps[];
extern const flow_step world_delete_steps[];
void world_put_fini(flow_slot *slot);

#endif
