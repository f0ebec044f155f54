/* SPDX-License-Identifier: MIT
 *
 * cell_flow.c: the way of a request for a cell. The table reads like the line in DESIGN.md; what
 * happens between key and encode is shared with others and stands in cell_flight.c.
 */
#include "server/cell/cell_flow.h"

#include "server/cell/cell_flight.h"

#include "server/slot/reply.h"

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

/* Whatever does not go well here is done again, and told, by the steps. */
bool cell_quick(flow_state *flow, http_request *request) {
    const flow_route *route = http_user(request);
    revision_entry *revision = revision_quick(flow, request, route);
    cell_question question;
    cell_address address;
    loam_rect rect;
    loam_error unused = {0};
    bool answered = false;
    if (revision == NULL) {
        return false;
    }
    if (question_read(request, route, &question, &unused) == LOAM_OK &&
        question_place(&question, revision, &address, &rect, &unused) == LOAM_OK) {
        answer_name name = question_answer_name(&question, &address);
        answered = result_quick(flow, request, &name, &question.manner);
    }
    revision_release(flow->worlds, revision);
    return answered;
}

/* ---- Steps ---------------------------------------------------------------------------------- */

static step_result cell_parse(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    return slot_result(base,
                       question_read(base->request, base->route, &slot->question, &base->error));
}

static step_result cell_place(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    return slot_result(base, question_place(&slot->question, slot->base.base.revision,
                                            &slot->address, &slot->rect, &base->error));
}

/* Once more, for the revision may have come into memory only now. */
static step_result cell_remembered(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    answer_name name = question_answer_name(&slot->question, &slot->address);
    base->answer = result_find(base->flow, base->request, &name, &slot->question.manner);
    return STEP_NEXT;
}

static step_result cell_fly(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (base->answer != NULL) {
        return STEP_NEXT;
    }
    if (result_wait(&slot->base, &slot->question.manner) != LOAM_OK) {
        return STEP_FAILED;
    }
    const cell_wish wish = {
        .revision = slot->base.base.revision, .place = slot->address, .rect = slot->rect};
    cell_join(base->flow, &wish, &slot->base.waiter);
    return STEP_PARKED;
}

/* A picture shows the ground too. */
static step_result cell_assets(void *subject) {
    cell_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (slot->question.view != VIEW_PNG || slot->base.blob == NULL) {
        return STEP_NEXT;
    }
    return asset_hold_world(&slot->assets, base, &slot->base.base.revision->world);
}

static step_result cell_render(void *subject) {
    cell_slot *slot = subject;
    bool as_it_is =
        slot->question.view == VIEW_CANONICAL && slot->question.manner.coding == CODING_IDENTITY;
    if (slot->base.blob == NULL || as_it_is) {
        return STEP_NEXT;
    }
    return slot_work_anyway(&slot->base.base.base, cell_view_make);
}

void cell_fini(flow_slot *base) {
    cell_slot *slot = (cell_slot *)base;
    asset_hold_end(&slot->assets);
    result_slot_fini(base);
}
