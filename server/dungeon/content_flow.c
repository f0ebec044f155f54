/* SPDX-License-Identifier: MIT
 *
 * content_flow.c: what is hidden in a dungeon, for the server scope: its content, its spawns, who
 * comes out of them. The way is that of a dungeon, with the question in between which content is
 * meant: that of ?content=, else that of its world, else the default.
 */
#include "api/wire/encounter_document.h"
#include "core/base/try.h"
#include "server/dungeon/content_flight.h"
#include "server/dungeon/content_work.h"
#include "server/dungeon/dungeon_flow.h"
#include "server/world/rules_shelf.h"

static step_result encounter_resolve(void *subject);
static step_result encounter_answer(void *subject);

/* clang-format off */
#define CONTENT_ANSWER                                                                             \
    {"render", dungeon_render, false}, /* worker */                                                \
    {"answer", dungeon_answer, false}, SLOT_END
#define ENCOUNTER_ANSWER                                                                           \
    {"resolve", encounter_resolve, false}, /* worker */                                            \
    {"answer", encounter_answer, false}, SLOT_END
/* clang-format on */

const flow_step content_steps[] = {DUNGEON_BY_KEY, DUNGEON_HIDDEN, CONTENT_ANSWER};
const flow_step encounter_steps[] = {DUNGEON_BY_KEY, DUNGEON_HIDDEN, ENCOUNTER_ANSWER};
const flow_step anchor_content_steps[] = {DUNGEON_BY_ANCHOR, DUNGEON_HIDDEN, CONTENT_ANSWER};
const flow_step anchor_encounter_steps[] = {DUNGEON_BY_ANCHOR, DUNGEON_HIDDEN, ENCOUNTER_ANSWER};

/* ---- Which content -------------------------------------------------------------------------- */

step_result content_ask(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (!slot->question.named || dungeon_is_over(slot)) {
        return STEP_NEXT;
    }
    base->fine = LOAM_NOT_FOUND;
    return slot_control(base, (control_request){.operation = CONTROL_DOCUMENT_GET,
                                                .document = {.kind = DOCUMENT_CONTENT},
                                                .key = slot->question.content});
}

/* Nothing kept: then it can only be the default's key. */
step_result content_asked(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    base->fine = LOAM_OK;
    if (!slot->question.named || dungeon_is_over(slot)) {
        return STEP_NEXT;
    }
    const control_result *found = &base->control.result;
    buffer_fini(&slot->content);
    return slot_result(base, found->count == 0
                                 ? LOAM_OK
                                 : buffer_init_copy(&slot->content, found->documents[0].document));
}

static content_job job_of(const dungeon_slot *slot) {
    return (content_job){.dungeon = {.request = buffer_view(&slot->request), .key = slot->key},
                         .secret = &slot->base.base.base.flow->secret,
                         .kept = buffer_view(&slot->content)};
}

static loam_status work_keys(flow_slot *base, pool_worker *worker) {
    dungeon_slot *slot = (dungeon_slot *)base;
    const content_job job = job_of(slot);
    LOAM_TRY(content_job_keys(&job, pool_worker_arena(worker), &slot->keys, &base->error));
    return !slot->question.named || digest_equal(&slot->question.content, &slot->keys.content_key)
               ? LOAM_OK
               : loam_fail(&base->error, LOAM_NOT_FOUND, NULL,
                           "the dungeon has no content of this key");
}

step_result content_find_key(void *subject) {
    return dungeon_is_over(subject) ? STEP_NEXT : slot_work_anyway(subject, work_keys);
}

step_result content_fly(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (dungeon_is_over(slot)) {
        return STEP_NEXT;
    }
    if (result_wait(&slot->base, &slot->question.manner) != LOAM_OK) {
        return STEP_FAILED;
    }
    const content_wish wish = {
        .content_key = slot->keys.content_key,
        .dungeon = {.key = slot->key, .request = buffer_view(&slot->request), .kept = slot->kept},
        .kept = buffer_view(&slot->content)};
    content_join(base->flow, &wish, &slot->base.waiter);
    return STEP_PARKED;
}

/* ---- Encounters ----------------------------------------------------------------------------- */

static loam_status resolve(dungeon_slot *slot, const loam_content *content,
                           encounter_document *document, loam_arena *arena) {
    loam_error *error = &slot->base.base.base.error;
    const content_job job = job_of(slot);
    loam_encounter encounter;
    digest table;
    document->request.spawn = document->spawn <= UINT32_MAX
                                  ? loam_content_spawn(content, (uint32_t)document->spawn)
                                  : NULL;
    if (document->request.spawn == NULL) {
        return loam_fail(error, LOAM_NOT_FOUND, "/spawn", "the dungeon has no spawn %llu",
                         (unsigned long long)document->spawn);
    }
    LOAM_TRY(content_job_encounter_seed(&job, arena, &document->request.sub, error));
    LOAM_TRY(loam_encounter_resolve(&document->request, arena, &encounter, error));
    LOAM_TRY(key_of_rules(document->request.table, &table));
    buffer_init(&slot->base.view, JSON_BYTES_MAX);
    encounter_document_write(&slot->base.view, &encounter, &table);
    return buffer_status(&slot->base.view);
}

static loam_status read_and_resolve(dungeon_slot *slot, const rules_resolver *rules,
                                    loam_arena *arena) {
    loam_error *error = &slot->base.base.base.error;
    const blob *bytes = slot->base.blob;
    encounter_document document;
    loam_content content;
    fault_list faults;
    fault_clear(&faults);
    if (encounter_document_read(slot->body, rules, arena, &document, &faults) != LOAM_OK) {
        return fault_first(&faults, error);
    }
    LOAM_TRY(loam_content_decode(bytes->bytes, bytes->size, arena, &content, error));
    return resolve(slot, &content, &document, arena);
}

static loam_status work_encounter(flow_slot *base, pool_worker *worker) {
    rules_shelf shelf;
    rules_shelf_init(&shelf, base->flow->store);
    loam_status status =
        read_and_resolve((dungeon_slot *)base, &shelf.resolver, pool_worker_arena(worker));
    rules_shelf_fini(&shelf);
    return status;
}

static step_result encounter_resolve(void *subject) {
    return dungeon_is_over(subject) ? STEP_NEXT : slot_work_anyway(subject, work_encounter);
}

static step_result encounter_answer(void *subject) {
    dungeon_slot *slot = subject;
    return slot->base.late ? dungeon_answer_late(slot)
                           : slot_answer_document(&slot->base.base.base, &slot->base.view,
                                                  (reply_form){.cache = CACHE_NONE});
}
