/* SPDX-License-Identifier: MIT
 *
 * dungeon_flow.h: dungeons asked for by their request, and by their build key: the whole, its
 * public parts, its views.
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_FLOW_H
#define LOAM_SERVER_DUNGEON_DUNGEON_FLOW_H

#include "server/dungeon/dungeon_flight.h"
#include "server/dungeon/dungeon_question.h"
#include "server/world/revision_slot.h"

/* "/v1/dungeons/" and a key. */
enum { DUNGEON_PATH_BYTES = DIGEST_TEXT_BYTES + 16 };

/* Begins with the slot of a revision, which only a dungeon of a world has. */
typedef struct dungeon_slot {
    revision_slot base;
    dungeon_question question;
    bool posted;
    loam_text body;      /* lent by the request */
    digest key;          /* build key */
    text_buffer request; /* as it is kept */
    bool kept;
    /* What the server scope asked for beside it, and is told. */
    bool secret;
    digest content_key;
    text_buffer content;
    /* The flight. */
    dungeon_waiter waiter;
    loop_timer *timer;
    bool late; /* the client waits no longer: 202 */
    bool created;
    blob *blob;
    const char *cache_status;
    /* Of a world: the address of its revision when another was asked, else NULL; lent. */
    const char *own_path;
    /* The view. */
    text_buffer view;
    text_buffer preface;   /* fields that the JSON document begins with here; empty: none */
    content_coding coding; /* what the bytes became */
    blob *bytes;           /* of the view, coded; NULL: the canonical ones */
} dungeon_slot;

extern const flow_step dungeon_post_steps[];
extern const flow_step dungeon_get_steps[];
void dungeon_fini(flow_slot *slot);
/* Answers from memory, if it can. */
bool dungeon_quick(flow_state *flow, http_request *request);

/* ---- For others who ask for one ------------------------------------------------------------- */

/* The kept request of slot->key, which the slot then has; else LOAM_NOT_FOUND. Two steps. */
step_result dungeon_ask(void *subject);
step_result dungeon_asked(void *subject);
/* The request that the slot's body is, as it is kept, and its key; on a worker. */
LOAM_MUST_USE loam_status dungeon_work_read(flow_slot *slot, pool_worker *worker);
/* Looks whether the request that the slot has is kept: for one that it has made. Two steps. */
step_result dungeon_ask_kept(void *subject);
step_result dungeon_asked_kept(void *subject);
/* Its canonical bytes: slot->blob, or slot->late. */
step_result dungeon_fly(void *subject);
step_result dungeon_render(void *subject);
step_result dungeon_answer(void *subject);
/* 202, come back later. */
step_result dungeon_answer_late(dungeon_slot *slot);

#endif
