/* SPDX-License-Identifier: MIT
 *
 * dungeon_flow.c: the way of a request for a dungeon, top to bottom. What happens between its key
 * and its canonical bytes is shared by all who wait for it and stands in dungeon_flight.c.
 */
#include "server/dungeon/dungeon_flow.h"

#include "api/wire/document.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/dungeon/content_work.h"
#include "server/dungeon/dungeon_flight.h"
#include "server/slot/reply.h"
#include "server/world/rules_shelf.h"

#include <stdio.h>

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

/* The plan's own document: what is kept can be read again, and gives the same plan. */
static loam_status keep_request(dungeon_slot *slot, const loam_dungeon_plan *plan,
                                loam_error *error) {
    slot->key = key_of_dungeon(plan);
    dungeon_document_write(&slot->request, plan);
    return !slot->request.failed && document_fits(buffer_view(&slot->request))
               ? LOAM_OK
               : loam_fail(error, LOAM_BUDGET_EXCEEDED, "/params",
                           "the parameters with all their documents are too large: at most %zu "
                           "bytes and %d values",
                           JSON_BYTES_MAX, JSON_VALUES_MAX);
}

/* A secret, or content that is not the default, is kept under a key that only its owner is told. */
static loam_status keep_content(dungeon_slot *slot, const loam_dungeon_plan *plan,
                                const dungeon_document *document, loam_error *error) {
    flow_state *flow = slot->base.base.base.flow;
    slot->told = flow_grants(flow, SCOPE_SERVER);
    if (!slot->told) {
        return document->secret_given
                   ? loam_fail(error, LOAM_FORBIDDEN, "/secret_seed", "this needs the scope %s",
                               scope_name(SCOPE_SERVER))
                   : LOAM_OK;
    }
    LOAM_TRY(content_key_make(document, &flow->secret, &slot->key, &slot->keys.content_key));
    if (document->content == NULL && !document->secret_given) {
        return LOAM_OK;
    }
    dungeon_document_write_secret(&slot->content, plan, document);
    return !slot->content.failed && document_fits(buffer_view(&slot->content))
               ? LOAM_OK
               : loam_fail(error, LOAM_BUDGET_EXCEEDED, "/content",
                           "the request with its content is too large: at most %zu bytes and %d "
                           "values",
                           JSON_BYTES_MAX, JSON_VALUES_MAX);
}

/* The rules against their schema: a mistake is told here, not by every question. */
static loam_status check_content(const loam_rules *rules, loam_arena *arena, loam_error *error) {
    loam_error fault = {0};
    loam_status status = rules == NULL ? LOAM_OK : loam_content_check(rules, arena, &fault);
    if (status != LOAM_OK) {
        char pointer[LOAM_POINTER_BYTES];
        snprintf(pointer, sizeof pointer, "/content%.*s", (int)sizeof pointer - 16, fault.pointer);
        return loam_fail(error, status, pointer, "%s", fault.text);
    }
    return LOAM_OK;
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
    LOAM_TRY(check_content(document.content, arena, error));
    LOAM_TRY(keep_request(slot, plan, error));
    return keep_content(slot, plan, &document, error);
}

loam_status dungeon_work_read(flow_slot *base, pool_worker *worker) {
    dungeon_slot *slot = (dungeon_slot *)base;
    rules_shelf shelf;
    rules_shelf_init(&shelf, base->flow->store);
    buffer_init(&slot->request, JSON_BYTES_MAX);
    buffer_init(&slot->content, JSON_BYTES_MAX);
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
               ? slot_work(base, dungeon_work_read)
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
    if (slot->anchors_held) {
        asset_set_release(&slot->anchors);
    }
    buffer_fini(&slot->request);
    buffer_fini(&slot->content);
    buffer_fini(&slot->made);
    buffer_fini(&slot->preface);
    buffer_fini(&slot->path);
    result_slot_fini(base);
}
