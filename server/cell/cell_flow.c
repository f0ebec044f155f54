/* SPDX-License-Identifier: MIT
 *
 * cell_flow.c: the way of a request for a cell. The table reads like the line in DESIGN.md; what
 * happens between key and encode is shared with others and stands in flight_steps.c.
 */
#include "server/cell/cell_flow.h"

#include "core/base/assert.h"
#include "server/cell/verdict.h"
#include "server/slot/condition.h"
#include "server/slot/reply.h"
#include "server/watch/metrics.h"

static step_result cell_parse(void *subject);
static step_result cell_place(void *subject);
static step_result cell_remembered(void *subject);
static step_result cell_fly(void *subject);
static step_result cell_assets(void *subject);
static step_result cell_render(void *subject);

const flow_step cell_steps[] = {
    {"parse", cell_parse, false},
    REVISION_STEPS,
    {"place", cell_place, false},
    {"remembered", cell_remembered, false}, /* answered from memory? */
    {"fly", cell_fly, false},               /* key, look up, evaluate, encode */
    {"assets", cell_assets, false},
    {"render", cell_render, false}, /* worker: other views than the canonical */
    {"answer", cell_answer, false},
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

static bool find_revision(flow_state *flow, const http_request *request, const flow_route *route,
                          revision_entry **revision) {
    digest wanted;
    loam_text name = http_segment(request, (size_t)route_capture(route, "world"));
    int32_t rev = route_capture(route, "rev");
    bool known = rev < 0 ? world_table_newest(flow->worlds, name, &wanted)
                         : digest_parse(http_segment(request, (size_t)rev), &wanted);
    *revision = known ? world_table_find(flow->worlds, name, &wanted) : NULL;
    return *revision != NULL;
}

/* Whatever does not go well here is done again, and told, by the steps. */
bool cell_quick(flow_state *flow, http_request *request) {
    const flow_route *route = http_user(request);
    revision_entry *revision = NULL;
    cell_question question;
    cell_address address;
    loam_rect rect;
    loam_error unused = {0};
    http_response *answer = NULL;
    if (!find_revision(flow, request, route, &revision)) {
        return false;
    }
    if (question_read(request, route, &question, &unused) == LOAM_OK && !question.part &&
        question_place(&question, revision, &address, &rect, &unused) == LOAM_OK) {
        answer_name name = question_answer_name(&question, &address);
        answer = find_answer(flow, request, &name);
    }
    revision_release(flow->worlds, revision);
    if (answer != NULL) {
        http_reply(request, answer);
    }
    return answer != NULL;
}

/* ---- Steps ---------------------------------------------------------------------------------- */

static step_result cell_parse(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    return slot_result(base,
                       question_read(base->request, base->route, &slot->question, &base->error));
}

static step_result cell_place(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    return slot_result(base, question_place(&slot->question, slot->base.revision, &slot->address,
                                            &slot->rect, &base->error));
}

/* Once more, for the revision may have come into memory only now. */
static step_result cell_remembered(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    answer_name name = question_answer_name(&slot->question, &slot->address);
    if (!slot->question.part) {
        base->answer = find_answer(base->flow, base->request, &name);
    }
    return STEP_NEXT;
}

static cell_slot *slot_of_waiter(flight_waiter *waiter) {
    cell_slot *slot = (cell_slot *)((char *)waiter - offsetof(cell_slot, waiter));
    LOAM_ASSERT(slot->base.base.magic == SLOT_MAGIC);
    return slot;
}

static void stop_waiting(cell_slot *slot) {
    slot->base.base.leave = NULL;
    loop_timer_destroy(slot->timer);
    slot->timer = NULL;
}

static const char *cache_status(const flight_landing *landing) {
    if (landing->collapsed) {
        return "loam; fwd=miss; collapsed";
    }
    return landing->origin == ORIGIN_STORED ? "loam; hit" : "loam; fwd=miss; stored";
}

static void cell_landed(flight_waiter *waiter, const flight_landing *landing) {
    cell_slot *slot = slot_of_waiter(waiter);
    flow_slot *base = &slot->base.base;
    const loam_error *error = landing->error;
    stop_waiting(slot);
    if (landing->verdict != NULL && !verdict_passed(landing->verdict)) {
        base->verdict = blob_retain(landing->verdict);
        base->reasons = verdict_reasons(base->verdict);
    }
    if (error->status == LOAM_OK) {
        slot->blob = blob_retain(landing->blob);
        slot->key = landing->key;
        slot->cache_status = cache_status(landing);
    } else {
        base->retry_after_s = error->status == LOAM_OVERLOADED ? RETRY_AFTER_S : 0;
        loam_fail(&base->error, error->status, NULL, "%s", error->text);
    }
    walk_resume(&base->walk, error->status != LOAM_OK);
}

/* The client's patience has ended, or it had none and the cell is being built: the work goes on. */
static void cell_late(void *context) {
    cell_slot *slot = context;
    stop_waiting(slot);
    flight_leave(&slot->waiter, true);
    slot->late = true;
    walk_resume(&slot->base.base.walk, false);
}

static void cell_missed(flight_waiter *waiter) {
    cell_late(slot_of_waiter(waiter));
}

static void cell_leave(flow_slot *base) {
    cell_slot *slot = (cell_slot *)base;
    stop_waiting(slot);
    flight_leave(&slot->waiter, false);
    loam_fail(&base->error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED));
    walk_resume(&base->walk, true);
}

static step_result cell_fly(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    if (base->answer != NULL) {
        return STEP_NEXT;
    }
    slot->waiter = (flight_waiter){.cached_only = slot->question.cached_only,
                                   .missed = slot->question.wait_s == 0 ? cell_missed : NULL,
                                   .landed = cell_landed};
    slot->timer = loop_timer_create(base->flow->loop, cell_late, slot);
    if (slot->timer == NULL) {
        return slot_fail(base, LOAM_OVERLOADED, NULL, "no memory for another timer");
    }
    if (slot->question.wait_s > 0) {
        loop_timer_start(slot->timer, (uint64_t)slot->question.wait_s * 1000, 0);
    }
    base->leave = cell_leave;
    flight_request request = {
        .revision = slot->base.revision, .place = slot->address, .rect = slot->rect};
    flight_join(base->flow, &request, &slot->waiter);
    return STEP_PARKED;
}

static void assets_ready(void *context) {
    cell_slot *slot = context;
    const loam_error *error = &slot->assets.error;
    if (error->status != LOAM_OK) {
        loam_fail(&slot->base.base.error, error->status, NULL, "%s", error->text);
    }
    walk_resume(&slot->base.base.walk, error->status != LOAM_OK);
}

/* A picture shows the ground too. */
static step_result cell_assets(void *subject) {
    cell_slot *slot = subject;
    const world *of = &slot->base.revision->world;
    if (slot->question.view != VIEW_PNG || slot->blob == NULL) {
        return STEP_NEXT;
    }
    slot->assets_held = true;
    if (!asset_set_acquire(&slot->assets, slot->base.base.flow, of->slots, of->graph.slot_count,
                           assets_ready, slot)) {
        return STEP_PARKED;
    }
    return slot->assets.error.status == LOAM_OK
               ? STEP_NEXT
               : slot_fail(&slot->base.base, slot->assets.error.status, NULL, "%s",
                           slot->assets.error.text);
}

static step_result cell_render(void *subject) {
    cell_slot *slot = subject;
    bool as_it_is =
        slot->question.view == VIEW_CANONICAL && slot->question.coding == CODING_IDENTITY;
    if (slot->blob == NULL || as_it_is) {
        return STEP_NEXT;
    }
    return slot_work(&slot->base.base, cell_view_make);
}

void cell_fini(flow_slot *base) {
    cell_slot *slot = (cell_slot *)base;
    if (slot->assets_held) {
        asset_set_release(&slot->assets);
    }
    loop_timer_destroy(slot->timer);
    blob_release(slot->blob);
    blob_release(slot->bytes);
    buffer_fini(&slot->view);
    revision_slot_fini(base);
}
