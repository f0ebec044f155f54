/* SPDX-License-Identifier: MIT
 *
 * dungeon_flow.h: requests for dungeons, whatever is asked of one and however it is found: by its
 * own request, by its build key, or as a place of a world (anchor_flow.c). What is hidden in it has
 * steps of its own (content_flow.c).
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_FLOW_H
#define LOAM_SERVER_DUNGEON_DUNGEON_FLOW_H

#include "api/view/view_content_json.h"
#include "api/wire/world_document.h"
#include "server/dungeon/dungeon_question.h"
#include "server/world/asset_hold.h"

typedef struct dungeon_slot {
    result_slot base;
    dungeon_question question;
    result_name name;    /* that answers are remembered by */
    loam_text body;      /* lent by the request, or by `made` */
    digest key;          /* build key */
    text_buffer request; /* as it is kept */
    bool kept;
    /* What is hidden, for the server scope. */
    text_buffer content; /* the request with content or secret; empty: the default content */
    content_keys keys;
    bool told; /* the content key is told in a header */
    /* At a place of a world. */
    const world_dungeon *dungeon; /* of the revision that the slot holds */
    loam_text id;                 /* lent by the request */
    asset_hold anchors;
    text_buffer made;    /* the request's document */
    text_buffer preface; /* fields that the JSON document begins with here */
    text_buffer path;    /* of the address that never changes, when another was asked; terminated */
} dungeon_slot;

/* POST /v1/dungeons; then, each by its key and as a place of a world: the dungeon with its public
 * parts, what is hidden, who comes out of a spawn. */
extern const flow_step dungeon_post_steps[];
extern const flow_step dungeon_get_steps[];
extern const flow_step content_steps[];
extern const flow_step encounter_steps[];
extern const flow_step anchor_steps[];
extern const flow_step anchor_content_steps[];
extern const flow_step anchor_encounter_steps[];
void dungeon_fini(flow_slot *slot);
/* Answer from memory, if they can. */
bool dungeon_quick(flow_state *flow, http_request *request);
bool anchor_quick(flow_state *flow, http_request *request);

/* ---- Steps ---------------------------------------------------------------------------------- */

/* clang-format off */
/* Which dungeon. */
#define DUNGEON_BY_KEY                                                                             \
    {"parse", dungeon_parse, false}, {"remembered", dungeon_remembered, false},                    \
    {"ask", dungeon_ask_kept, false}, {"asked", dungeon_asked, false}
#define DUNGEON_BY_ANCHOR                                                                          \
    REVISION_STEPS, {"parse", anchor_find, false}, {"remembered", dungeon_remembered, false},      \
    {"assets", anchor_assets, false},                                                              \
    {"read", anchor_read, false}, /* worker: the point, its request, plan, key */                  \
    {"ask kept", dungeon_ask_kept, false}, {"asked kept", dungeon_asked_kept, false}
/* What of it. */
#define DUNGEON_PUBLIC                                                                             \
    {"fly", dungeon_fly, false},       /* look up, build, keep */                                  \
    {"render", dungeon_render, false}, /* worker: other views than the canonical */                \
    {"answer", dungeon_answer, false}, SLOT_END
#define DUNGEON_HIDDEN                                                                             \
    {"ask content", content_ask, false}, {"asked content", content_asked, false},                  \
    {"content key", content_find_key, false}, /* worker */                                         \
    {"keep content", dungeon_keep_content, false},                                                 \
    {"fly", content_fly, false} /* look up, build */
/* clang-format on */

step_result dungeon_parse(void *subject);
/* From memory after all: it may have come there only now. */
step_result dungeon_remembered(void *subject);
/* Whether the request of slot->key is kept; it is asked for by a key that must be, or by one that
 * the slot has made. */
step_result dungeon_ask_kept(void *subject);
step_result dungeon_asked(void *subject);
step_result dungeon_asked_kept(void *subject);
step_result dungeon_keep_content(void *subject);
step_result dungeon_fly(void *subject);
step_result dungeon_render(void *subject);
step_result dungeon_answer(void *subject);
step_result anchor_find(void *subject);
step_result anchor_assets(void *subject);
step_result anchor_read(void *subject);
step_result content_ask(void *subject);
step_result content_asked(void *subject);
step_result content_find_key(void *subject);
step_result content_fly(void *subject);

/* ---- For them ------------------------------------------------------------------------------- */

/* The request that slot->body is, as it is kept, and its key; on a worker. */
LOAM_MUST_USE loam_status dungeon_work_read(flow_slot *slot, pool_worker *worker);
/* Whether there is nothing more to make: it is answered, or too late. */
bool dungeon_is_over(const dungeon_slot *slot);
/* 202, come back later. */
step_result dungeon_answer_late(dungeon_slot *slot);

#endif
