/* SPDX-License-Identifier: MIT
 *
 * content_flow.c: see content_flow.h. The way is that of a dungeon, with two steps more: which
 * content is meant, and drawing it.
 */
#include "server/dungeon/content_flow.h"

#include "api/view/view_content_json.h"
#include "api/wire/encounter_document.h"
#include "core/base/try.h"
#include "server/dungeon/content_work.h"
#include "server/slot/reply.h"
#include "server/world/rules_shelf.h"

/* Text of what the largest dungeon hides: a tenth of its cells. */
#define CONTENT_VIEW_BYTES_MAX ((size_t)64 << 20)

static step_result content_parse(void *subject);
static step_result content_ask(void *subject);
static step_result content_asked(void *subject);
static step_result content_draw(void *subject);
static step_result spawns_draw(void *subject);
static step_result encounter_parse(void *subject);
static step_result encounter_draw(void *subject);
static step_result content_answer(void *subject);
static step_result encounter_answer(void *subject);

/* clang-format off */
/* Which dungeon, which content, and the dungeon's bytes. */
#define CONTENT_STEPS                                                                              \
    {"ask", dungeon_ask, false}, {"asked", dungeon_asked, false},                                  \
    {"ask content", content_ask, false}, {"asked content", content_asked, false},                  \
    {"fly", dungeon_fly, false}
/* clang-format on */

const flow_step content_steps[] = {
    {"parse", content_parse, false},   CONTENT_STEPS, {"draw", content_draw, false}, /* worker */
    {"answer", content_answer, false}, SLOT_END,
};

const flow_step spawns_steps[] = {
    {"parse", content_parse, false},   CONTENT_STEPS, {"draw", spawns_draw, false}, /* worker */
    {"answer", content_answer, false}, SLOT_END,
};

const flow_step encounter_steps[] = {
    {"parse", encounter_parse, false},   CONTENT_STEPS,
    {"draw", encounter_draw, false}, /* worker */
    {"answer", encounter_answer, false}, SLOT_END,
};

/* ---- What is asked -------------------------------------------------------------------------- */

static loam_status parse(content_slot *slot) {
    flow_slot *base = &slot->base.base.base;
    loam_text wanted = http_query(base->request, "content");
    slot->asked = wanted.bytes != NULL;
    LOAM_TRY(slot_digest(base, "key", &slot->base.key));
    if (slot->asked && !digest_parse(wanted, &slot->wanted)) {
        return loam_fail(&base->error, LOAM_OUT_OF_RANGE, NULL,
                         "?content= takes a content key: sha256- and 64 hex digits");
    }
    return dungeon_question_read(base->request, &slot->base.question, &base->error);
}

static step_result content_parse(void *subject) {
    content_slot *slot = subject;
    return slot_result(&slot->base.base.base, parse(slot));
}

static step_result encounter_parse(void *subject) {
    content_slot *slot = subject;
    slot->base.body = http_request_body(slot->base.base.base.request);
    return content_parse(subject);
}

static step_result content_ask(void *subject) {
    content_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    if (!slot->asked) {
        return STEP_NEXT;
    }
    base->fine = LOAM_NOT_FOUND;
    return slot_control(base, (control_request){.operation = CONTROL_DOCUMENT_GET,
                                                .document = {.kind = DOCUMENT_CONTENT},
                                                .key = slot->wanted});
}

static step_result content_asked(void *subject) {
    content_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    base->fine = LOAM_OK;
    if (!slot->asked || base->control.result.count == 0) {
        return STEP_NEXT;
    }
    loam_text kept = base->control.result.documents[0].document;
    buffer_init(&slot->of, kept.size);
    buffer_add(&slot->of, kept.bytes, kept.size);
    return buffer_status(&slot->of) == LOAM_OK
               ? STEP_NEXT
               : slot_fail(base, LOAM_ARENA_FULL, NULL, "no memory for another request");
}

/* ---- Drawing, on a worker ------------------------------------------------------------------- */

static loam_status draw(content_slot *slot, pool_worker *worker, drawn_content *drawn) {
    flow_slot *base = &slot->base.base.base;
    const loam_run run = {.arena = pool_worker_arena(worker),
                          .level = (loam_simd)base->flow->settings->simd};
    const content_job job = {
        .dungeon = {.request = buffer_view(&slot->base.request), .key = slot->base.key},
        .bytes = slot->base.blob,
        .secret = &base->flow->secret,
        .kept = buffer_view(&slot->of),
        .wanted = slot->asked ? &slot->wanted : NULL};
    buffer_init(&slot->base.view, CONTENT_VIEW_BYTES_MAX);
    LOAM_TRY(content_job_draw(&job, &run, drawn, &base->error));
    slot->base.secret = true;
    slot->base.content_key = drawn->keys.content_key;
    return LOAM_OK;
}

static loam_status work_content(flow_slot *base, pool_worker *worker) {
    content_slot *slot = (content_slot *)base;
    drawn_content drawn;
    LOAM_TRY(draw(slot, worker, &drawn));
    return view_content_json(&drawn.content, &drawn.keys, &slot->base.view);
}

static loam_status work_spawns(flow_slot *base, pool_worker *worker) {
    content_slot *slot = (content_slot *)base;
    drawn_content drawn;
    LOAM_TRY(draw(slot, worker, &drawn));
    return view_spawns_json(&drawn.content, &slot->base.view);
}

static loam_status resolve(content_slot *slot, const drawn_content *drawn,
                           encounter_document *document, loam_arena *arena) {
    loam_error *error = &slot->base.base.base.error;
    loam_encounter encounter;
    digest table;
    document->request.spawn = document->spawn <= UINT32_MAX
                                  ? loam_content_spawn(&drawn->content, (uint32_t)document->spawn)
                                  : NULL;
    if (document->request.spawn == NULL) {
        return loam_fail(error, LOAM_NOT_FOUND, "/spawn", "the dungeon has no spawn %llu",
                         (unsigned long long)document->spawn);
    }
    document->request.sub = drawn->encounter_seed;
    LOAM_TRY(loam_encounter_resolve(&document->request, arena, &encounter, error));
    LOAM_TRY(key_of_rules(document->request.table, &table));
    encounter_document_write(&slot->base.view, &encounter, &table);
    return buffer_status(&slot->base.view);
}

static loam_status work_encounter(flow_slot *base, pool_worker *worker) {
    content_slot *slot = (content_slot *)base;
    drawn_content drawn;
    encounter_document document;
    rules_shelf shelf;
    fault_list faults;
    loam_arena *arena = pool_worker_arena(worker);
    fault_clear(&faults);
    rules_shelf_init(&shelf, base->flow->store);
    loam_status status =
        encounter_document_read(slot->base.body, &shelf.resolver, arena, &document, &faults);
    if (status != LOAM_OK) {
        status = fault_first(&faults, &base->error);
    } else {
        status = draw(slot, worker, &drawn);
    }
    status = status == LOAM_OK ? resolve(slot, &drawn, &document, arena) : status;
    rules_shelf_fini(&shelf);
    return status;
}

/* A dungeon that is still being built is told of, not waited for. */
static step_result start(content_slot *slot,
                         loam_status (*work)(flow_slot *slot, pool_worker *worker)) {
    return slot->base.late ? STEP_NEXT : slot_work(&slot->base.base.base, work);
}

static step_result content_draw(void *subject) {
    return start(subject, work_content);
}

static step_result spawns_draw(void *subject) {
    return start(subject, work_spawns);
}

static step_result encounter_draw(void *subject) {
    return start(subject, work_encounter);
}

/* ---- Answers -------------------------------------------------------------------------------- */

/* By its key it never changes; else the daemon's secret says what it is. No cache that others share
 * may keep it. */
static step_result content_answer(void *subject) {
    content_slot *slot = subject;
    if (slot->base.late) {
        return dungeon_answer_late(&slot->base);
    }
    return slot_answer_document(
        &slot->base.base.base, &slot->base.view,
        (reply_form){.cache = slot->asked ? CACHE_PRIVATE : CACHE_PRIVATE_REVALIDATE});
}

static step_result encounter_answer(void *subject) {
    content_slot *slot = subject;
    if (slot->base.late) {
        return dungeon_answer_late(&slot->base);
    }
    return slot_answer_document(&slot->base.base.base, &slot->base.view,
                                (reply_form){.cache = CACHE_NONE});
}

void content_fini(flow_slot *base) {
    buffer_fini(&((content_slot *)base)->of);
    dungeon_fini(base);
}
