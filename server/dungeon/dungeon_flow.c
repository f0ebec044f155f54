/* SPDX-License-Identifier: MIT
 *
 * dungeon_flow.c: the way of a request for a dungeon, top to bottom. What happens between its key
 * and its canonical bytes is shared by all who wait for it and stands in dungeon_flight.c.
 */
#include "server/dungeon/dungeon_flow.h"

#include "api/wire/document.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/dungeon/dungeon_asking.h"
#include "server/dungeon/dungeon_flight.h"
#include "server/slot/caller.h"
#include "server/slot/reply.h"
#include "server/world/rules_shelf.h"

static step_result dungeon_read(void *subject);

const flow_step dungeon_post_steps[] = {
    {"read", dungeon_read, false}, /* worker: resolve, plan, key */
    {"ask kept", dungeon_ask_kept, false},
    {"asked kept", dungeon_asked_kept, false},
    {"keep content", dungeon_keep_content, false},
    DUNGEON_PUBLIC,
};

const flow_step dungeon_get_steps[] = {DUNGEON_BY_KEY, DUNGEON_PUBLIC};

bool dungeon_is_over(const dungeon_slot *slot) {
    return slot->base.base.base.answer != NULL || slot->base.late;
}

/* ---- Hit ------------------------------------------------------------------------------------ */

/* Whatever does not go well here is done again, and told, by the steps. */
bool dungeon_quick(flow_state *flow, http_request *request) {
    const flow_route *route = http_user(request);
    dungeon_question question;
    digest key;
    loam_error unused = {0};
    loam_text text = http_segment(request, (size_t)route_capture(route, "key"));
    if (!digest_parse(text, &key) ||
        dungeon_question_read(request, &question, &unused) != LOAM_OK) {
        return false;
    }
    const result_name of = result_of_key(&key);
    const answer_name name = dungeon_answer_name(&question, &of, false);
    return result_quick(flow, request, &name, &question.manner);
}

/* ---- Reading -------------------------------------------------------------------------------- */

/* The slot has what is kept from here on. */
static void take_asking(dungeon_slot *slot, const dungeon_asking *asking) {
    slot->key = asking->key;
    slot->request = asking->request;
    slot->told = asking->secret;
    slot->keys.content_key = asking->content_key;
    slot->content = asking->content;
}

static loam_status read_request(dungeon_slot *slot, const rules_shelf *shelf, loam_arena *arena,
                                loam_error *error) {
    dungeon_document document;
    fault_list faults;
    const loam_dungeon_plan *plan = NULL;
    fault_clear(&faults);
    if (dungeon_document_read(slot->body, &shelf->resolver, arena, &document, &faults) != LOAM_OK) {
        return fault_first(&faults, error);
    }
    LOAM_TRY(loam_dungeon_plan_build(&document.request, arena, &plan, error));
    dungeon_asking asking;
    const flow_slot *base = &slot->base.base.base;
    const dungeon_asker by = {base->flow, caller_grants(base->request, SCOPE_SERVER)};
    loam_status status = dungeon_asking_make(&asking, &by, &document, plan, arena, error);
    take_asking(slot, &asking);
    return status;
}

loam_status dungeon_work_read(flow_slot *base, pool_worker *worker) {
    dungeon_slot *slot = (dungeon_slot *)base;
    rules_shelf shelf;
    rules_shelf_init(&shelf, base->flow->store);
    loam_status status = read_request(slot, &shelf, pool_worker_arena(worker), &base->error);
    rules_shelf_fini(&shelf);
    return status;
}

static step_result dungeon_read(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    slot->base.posted = true;
    slot->body = http_request_body(base->request);
    return dungeon_question_read(base->request, &slot->question, &base->error) == LOAM_OK
               ? slot_work_anyway(base, dungeon_work_read)
               : STEP_FAILED;
}

step_result dungeon_parse(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (slot_digest(base, "key", &slot->key) != LOAM_OK) {
        return STEP_FAILED;
    }
    slot->name = result_of_key(&slot->key);
    slot->body = http_request_body(base->request);
    return slot_result(base, dungeon_question_read(base->request, &slot->question, &base->error));
}

step_result dungeon_remembered(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    answer_name name = dungeon_answer_name(&slot->question, &slot->name, slot->base.base.newest);
    base->answer = result_find(base->flow, base->request, &name, &slot->question.manner);
    return STEP_NEXT;
}

/* ---- The kept request ----------------------------------------------------------------------- */

step_result dungeon_ask_kept(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (dungeon_is_over(slot)) {
        return STEP_NEXT;
    }
    base->fine = LOAM_NOT_FOUND;
    return slot_control(base, (control_request){.operation = CONTROL_DOCUMENT_GET,
                                                .document = {.kind = DOCUMENT_DUNGEON},
                                                .key = slot->key});
}

step_result dungeon_asked_kept(void *subject) {
    dungeon_slot *slot = subject;
    slot->kept = slot->base.base.base.control.result.count > 0;
    slot->base.base.base.fine = LOAM_OK;
    if (slot->base.posted) {
        slot->name = result_of_key(&slot->key);
    }
    return STEP_NEXT;
}

step_result dungeon_keep_content(void *subject) {
    dungeon_slot *slot = subject;
    if (slot->content.size == 0 || slot->question.named || dungeon_is_over(slot)) {
        return STEP_NEXT;
    }
    return slot_control(&slot->base.base.base,
                        (control_request){.operation = CONTROL_DOCUMENT_PUT,
                                          .document = {.kind = DOCUMENT_CONTENT,
                                                       .digest = slot->keys.content_key,
                                                       .document = buffer_view(&slot->content),
                                                       .created_ms = time_now_ms()}});
}

step_result dungeon_asked(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (dungeon_is_over(slot)) {
        return STEP_NEXT;
    }
    dungeon_asked_kept(subject);
    if (!slot->kept) {
        return slot_fail(base, LOAM_NOT_FOUND, NULL, "there is no dungeon with this key");
    }
    return slot_result(
        base, buffer_init_copy(&slot->request, base->control.result.documents[0].document));
}

/* ---- Flight --------------------------------------------------------------------------------- */

step_result dungeon_fly(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (dungeon_is_over(slot)) {
        return STEP_NEXT;
    }
    if (result_wait(&slot->base, &slot->question.manner) != LOAM_OK) {
        return STEP_FAILED;
    }
    const dungeon_wish wish = {
        .key = slot->key, .request = buffer_view(&slot->request), .kept = slot->kept};
    dungeon_join(base->flow, &wish, &slot->base.waiter);
    return STEP_PARKED;
}

void dungeon_fini(flow_slot *base) {
    dungeon_slot *slot = (dungeon_slot *)base;
    asset_hold_end(&slot->anchors);
    buffer_fini(&slot->request);
    buffer_fini(&slot->content);
    buffer_fini(&slot->made);
    buffer_fini(&slot->preface);
    buffer_fini(&slot->path);
    result_slot_fini(base);
}
