/* SPDX-License-Identifier: MIT
 *
 * dungeon_flow.c: the way of a request for a dungeon, top to bottom. What happens between its key
 * and its canonical bytes is shared by all who wait for it and stands in dungeon_flight.c.
 */
#include "server/dungeon/dungeon_flow.h"

#include "api/wire/document.h"
#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/dungeon/content_work.h"
#include "server/dungeon/dungeon_work.h"
#include "server/slot/condition.h"
#include "server/slot/reply.h"
#include "server/watch/metrics.h"
#include "server/world/rules_shelf.h"

#include <stdio.h>

static step_result dungeon_read(void *subject);
static step_result dungeon_parse(void *subject);
static step_result dungeon_remembered(void *subject);
static step_result dungeon_keep_content(void *subject);

const flow_step dungeon_post_steps[] = {
    {"read", dungeon_read, false}, /* worker: resolve, plan, key */
    {"ask kept", dungeon_ask_kept, false},
    {"asked kept", dungeon_asked_kept, false},
    {"keep content", dungeon_keep_content, false},
    {"fly", dungeon_fly, false}, /* look up, build, keep */
    {"render", dungeon_render, false},
    {"answer", dungeon_answer, false},
    SLOT_END,
};

const flow_step dungeon_get_steps[] = {
    {"parse", dungeon_parse, false},
    {"remembered", dungeon_remembered, false}, /* answered from memory? */
    {"ask", dungeon_ask, false},               /* its request */
    {"asked", dungeon_asked, false},
    {"fly", dungeon_fly, false},
    {"render", dungeon_render, false}, /* worker: other views than the canonical */
    {"answer", dungeon_answer, false},
    SLOT_END,
};

/* ---- Hit ------------------------------------------------------------------------------------ */

/* The answer in memory, retained, when the client's tags allow the full one or a 304. */
static http_response *find_answer(flow_state *flow, http_request *request,
                                  const answer_name *name) {
    const ram_answer *answer = ram_cache_find(flow->answers, name);
    if (answer == NULL) {
        return NULL;
    }
    metric_add(METRIC_HITS_RAM, 1);
    if (ram_answer_is_due(answer)) {
        store_result_touch(flow->store, &answer->key);
    }
    bool has = condition_names(http_header(request, "If-None-Match"), answer->etag, true);
    return http_response_retain(has ? answer->not_modified : answer->full);
}

/* Whatever does not go well here is done again, and told, by the steps. */
bool dungeon_quick(flow_state *flow, http_request *request) {
    const flow_route *route = http_user(request);
    dungeon_question question;
    digest key;
    loam_error unused = {0};
    http_response *answer = NULL;
    loam_text name = http_segment(request, (size_t)route_capture(route, "key"));
    if (digest_parse(name, &key) && dungeon_question_read(request, &question, &unused) == LOAM_OK &&
        !question.part) {
        answer_name named = dungeon_answer_name(&question, &key);
        answer = find_answer(flow, request, &named);
    }
    if (answer != NULL) {
        http_reply(request, answer);
    }
    return answer != NULL;
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
    flow_state *flow = slot->base.base.flow;
    slot->secret = flow_grants(flow, SCOPE_SERVER);
    if (!slot->secret) {
        return document->secret_given
                   ? loam_fail(error, LOAM_FORBIDDEN, "/secret_seed", "this needs the scope %s",
                               scope_name(SCOPE_SERVER))
                   : LOAM_OK;
    }
    LOAM_TRY(content_key_make(document, &flow->secret, &slot->key, &slot->content_key));
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
    flow_slot *base = &slot->base.base;
    slot->posted = true;
    slot->body = http_request_body(base->request);
    return dungeon_question_read(base->request, &slot->question, &base->error) == LOAM_OK
               ? slot_work(base, dungeon_work_read)
               : STEP_FAILED;
}

static step_result dungeon_parse(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    if (slot_digest(base, "key", &slot->key) != LOAM_OK) {
        return STEP_FAILED;
    }
    return slot_result(base, dungeon_question_read(base->request, &slot->question, &base->error));
}

/* Once more, for it may have come into memory only now. */
static step_result dungeon_remembered(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    answer_name name = dungeon_answer_name(&slot->question, &slot->key);
    if (!slot->question.part) {
        base->answer = find_answer(base->flow, base->request, &name);
    }
    return STEP_NEXT;
}

/* ---- The kept request ----------------------------------------------------------------------- */

step_result dungeon_ask_kept(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    base->fine = LOAM_NOT_FOUND;
    return slot_control(base, (control_request){.operation = CONTROL_DOCUMENT_GET,
                                                .document = {.kind = DOCUMENT_DUNGEON},
                                                .key = slot->key});
}

step_result dungeon_asked_kept(void *subject) {
    dungeon_slot *slot = subject;
    slot->kept = slot->base.base.control.result.count > 0;
    slot->base.base.fine = LOAM_OK;
    return STEP_NEXT;
}

static step_result dungeon_keep_content(void *subject) {
    dungeon_slot *slot = subject;
    if (slot->content.size == 0) {
        return STEP_NEXT;
    }
    return slot_control(&slot->base.base,
                        (control_request){.operation = CONTROL_DOCUMENT_PUT,
                                          .document = {.kind = DOCUMENT_CONTENT,
                                                       .digest = slot->content_key,
                                                       .document = buffer_view(&slot->content),
                                                       .created_ms = time_now_ms()}});
}

step_result dungeon_ask(void *subject) {
    dungeon_slot *slot = subject;
    return slot->base.base.answer != NULL ? STEP_NEXT : dungeon_ask_kept(subject);
}

step_result dungeon_asked(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    if (base->answer != NULL) {
        return STEP_NEXT;
    }
    dungeon_asked_kept(subject);
    if (!slot->kept) {
        return slot_fail(base, LOAM_NOT_FOUND, NULL, "there is no dungeon with this key");
    }
    loam_text request = base->control.result.documents[0].document;
    buffer_init(&slot->request, request.size);
    buffer_add(&slot->request, request.bytes, request.size);
    return buffer_status(&slot->request) == LOAM_OK
               ? STEP_NEXT
               : slot_fail(base, LOAM_ARENA_FULL, NULL, "no memory for another request");
}

/* ---- Flight --------------------------------------------------------------------------------- */

static dungeon_slot *slot_of_waiter(dungeon_waiter *waiter) {
    dungeon_slot *slot = (dungeon_slot *)((char *)waiter - offsetof(dungeon_slot, waiter));
    LOAM_ASSERT(slot->base.base.magic == SLOT_MAGIC);
    return slot;
}

static void stop_waiting(dungeon_slot *slot) {
    slot->base.base.leave = NULL;
    loop_timer_destroy(slot->timer);
    slot->timer = NULL;
}

static const char *cache_status(const dungeon_landing *landing) {
    if (landing->stored) {
        return "loam; hit";
    }
    return landing->collapsed ? "loam; fwd=miss; collapsed" : "loam; fwd=miss; stored";
}

static void dungeon_landed(dungeon_waiter *waiter, const dungeon_landing *landing) {
    dungeon_slot *slot = slot_of_waiter(waiter);
    flow_slot *base = &slot->base.base;
    const loam_error *error = landing->error;
    stop_waiting(slot);
    if (error->status == LOAM_OK) {
        slot->blob = blob_retain(landing->blob);
        slot->created = landing->created;
        slot->cache_status = cache_status(landing);
    } else {
        base->retry_after_s = error->status == LOAM_OVERLOADED ? RETRY_AFTER_S : 0;
        loam_fail(&base->error, error->status, slot->posted ? error->pointer : NULL, "%s",
                  error->text);
    }
    walk_resume(&base->walk, error->status != LOAM_OK);
}

/* The client's patience has ended, or it had none and the dungeon is being built. */
static void dungeon_late(void *context) {
    dungeon_slot *slot = context;
    stop_waiting(slot);
    dungeon_leave(&slot->waiter, true);
    slot->late = true;
    walk_resume(&slot->base.base.walk, false);
}

static void dungeon_missed(dungeon_waiter *waiter) {
    dungeon_late(slot_of_waiter(waiter));
}

static void dungeon_left(flow_slot *base) {
    dungeon_slot *slot = (dungeon_slot *)base;
    stop_waiting(slot);
    dungeon_leave(&slot->waiter, false);
    loam_fail(&base->error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED));
    walk_resume(&base->walk, true);
}

step_result dungeon_fly(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    if (base->answer != NULL) {
        return STEP_NEXT;
    }
    slot->waiter = (dungeon_waiter){.landed = dungeon_landed,
                                    .missed = slot->question.wait_s == 0 ? dungeon_missed : NULL};
    slot->timer = loop_timer_create(base->flow->loop, dungeon_late, slot);
    if (slot->timer == NULL) {
        return slot_fail(base, LOAM_OVERLOADED, NULL, "no memory for another timer");
    }
    if (slot->question.wait_s > 0) {
        loop_timer_start(slot->timer, (uint64_t)slot->question.wait_s * 1000, 0);
    }
    base->leave = dungeon_left;
    const dungeon_wish wish = {
        .key = slot->key, .request = buffer_view(&slot->request), .kept = slot->kept};
    dungeon_join(base->flow, &wish, &slot->waiter);
    return STEP_PARKED;
}

void dungeon_fini(flow_slot *base) {
    dungeon_slot *slot = (dungeon_slot *)base;
    loop_timer_destroy(slot->timer);
    blob_release(slot->blob);
    blob_release(slot->bytes);
    buffer_fini(&slot->view);
    buffer_fini(&slot->preface);
    buffer_fini(&slot->request);
    buffer_fini(&slot->content);
    revision_slot_fini(base);
}
