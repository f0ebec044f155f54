/* SPDX-License-Identifier: MIT
 *
 * batch_flow.c: see batch_flow.h. A cell that fails fails alone: its status is in the answer.
 */
#include "server/cell/batch_flow.h"

#include "api/wire/problem.h"
#include "core/base/assert.h"
#include "core/base/try.h"
#include "server/cell/cell_question.h"
#include "server/cell/verdict.h"
#include "server/slot/caller.h"
#include "server/slot/reply.h"

#include <string.h>

#define MEDIA_BATCH "application/vnd.loam.batch"

/* In the air at a time: keeps some workers busy and leaves the queue to others. */
enum { BATCH_IN_AIR_MAX = 16 };
/* Canonical bytes of an answer; the cells beyond are 413 in it. A third more in base64. */
#define BATCH_CELL_BYTES_MAX ((size_t)128 << 20)
#define BATCH_BYTES_MAX ((size_t)256 << 20)

enum { MEDIA_IS_BATCH, MEDIA_IS_JSON };

static step_result batch_parse(void *subject);
static step_result batch_place(void *subject);
static step_result batch_fly(void *subject);
static step_result batch_render(void *subject);
static step_result batch_answer(void *subject);

const flow_step batch_steps[] = {
    {"parse", batch_parse, false},   REVISION_STEPS, {"place", batch_place, false},
    {"fly", batch_fly, false},       /* each cell: key, look up, evaluate, encode */
    {"render", batch_render, false}, /* worker */
    {"answer", batch_answer, false}, SLOT_END,
};

static step_result batch_parse(void *subject) {
    batch_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    static const char *const types[] = {MEDIA_BATCH, MEDIA_JSON, NULL};
    fault_list faults;
    fault_clear(&faults);
    slot->media = negotiate_media(http_header(base->request, "Accept"), types);
    slot->coding = negotiate_content_coding(http_header(base->request, "Accept-Encoding"));
    if (slot->media < 0) {
        return slot_fail(base, LOAM_NOT_ACCEPTABLE, NULL, "a batch is %s or %s", types[0],
                         types[1]);
    }
    preference prefer = preference_read(http_header(base->request, "Prefer"));
    slot->wait_s = preference_wait(&prefer);
    if (batch_read(http_request_body(base->request), &slot->request, &faults) != LOAM_OK) {
        return slot_result(base, fault_first(&faults, &base->error));
    }
    return STEP_NEXT;
}

static step_result batch_place(void *subject) {
    batch_slot *slot = subject;
    int32_t output = loam_graph_find_output(&slot->base.revision->world.graph,
                                            loam_text_of(slot->request.output));
    if (output < 0) {
        return slot_fail(&slot->base.base, LOAM_UNKNOWN_OUTPUT, "/output",
                         "the world has no output of this name");
    }
    slot->output = (uint32_t)output;
    return STEP_NEXT;
}

/* ---- Flights -------------------------------------------------------------------------------- */

static bool is_done(const batch_slot *slot) {
    return slot->in_air == 0 && (slot->late || slot->begun == slot->request.count);
}

static void stop_waiting(batch_slot *slot) {
    slot->base.base.leave = NULL;
    loop_timer_destroy(slot->timer);
    slot->timer = NULL;
}

static void pump(batch_slot *slot);

static void go_on(batch_slot *slot) {
    if (slot->pumping) {
        return;
    }
    pump(slot);
    if (is_done(slot)) {
        stop_waiting(slot);
        walk_resume(&slot->base.base.walk, false);
    }
}

static batch_flight *flight_of_waiter(flight_waiter *waiter) {
    batch_flight *flight = (batch_flight *)((char *)waiter - offsetof(batch_flight, waiter));
    LOAM_ASSERT(flight->slot->base.base.magic == SLOT_MAGIC);
    return flight;
}

static void batch_landed(flight_waiter *waiter, const flight_landing *landing) {
    batch_flight *flight = flight_of_waiter(waiter);
    const loam_error *error = landing->error;
    if (landing->verdict != NULL) {
        flight->verdict = blob_retain(landing->verdict);
    }
    if (error->status == LOAM_OK) {
        flight->blob = blob_retain(landing->blob);
        flight->key = landing->key;
    } else {
        loam_fail(&flight->error, error->status, NULL, "%s", error->text);
    }
    flight->slot->in_air--;
    go_on(flight->slot);
}

/* Without patience: it is being built, and goes on. */
static void batch_missed(flight_waiter *waiter) {
    batch_flight *flight = flight_of_waiter(waiter);
    flight_leave(waiter, true);
    flight->late = true;
    flight->slot->in_air--;
    go_on(flight->slot);
}

/* The address of a cell as a GET reads it, so that both refuse the same. */
static void begin(batch_slot *slot, uint32_t i) {
    const batch_cell *cell = &slot->request.cells[i];
    batch_flight *flight = &slot->flights[i];
    const cell_question question = {.output_name = loam_text_of(slot->request.output),
                                    .level = cell->level,
                                    .x = cell->x,
                                    .z = cell->z};
    cell_wish request = {.revision = slot->base.revision};
    flight->slot = slot;
    if (question_place(&question, slot->base.revision, &request.place, &request.rect,
                       &flight->error) != LOAM_OK) {
        return;
    }
    flight->waiter = (flight_waiter){.missed = slot->wait_s == 0 ? batch_missed : NULL,
                                     .landed = batch_landed,
                                     .payer = caller_owner(slot->base.base.request),
                                     .cached_only = !caller_has_core(slot->base.base.request)};
    slot->in_air++;
    cell_join(slot->base.base.flow, &request, &flight->waiter);
}

static void pump(batch_slot *slot) {
    slot->pumping = true;
    while (!slot->late && slot->in_air < BATCH_IN_AIR_MAX && slot->begun < slot->request.count) {
        begin(slot, slot->begun++);
    }
    slot->pumping = false;
}

/* Leaves all that is in the air. */
static void leave_all(batch_slot *slot, bool keep_going) {
    for (uint32_t i = 0; i < slot->begun; i++) {
        batch_flight *flight = &slot->flights[i];
        if (flight->waiter.flight != NULL) {
            flight_leave(&flight->waiter, keep_going);
            flight->late = true;
        }
    }
    slot->in_air = 0;
    slot->late = true;
}

static void batch_late(void *context) {
    batch_slot *slot = context;
    stop_waiting(slot);
    leave_all(slot, true);
    walk_resume(&slot->base.base.walk, false);
}

static void batch_leave(flow_slot *base) {
    batch_slot *slot = (batch_slot *)base;
    stop_waiting(slot);
    leave_all(slot, false);
    loam_fail(&base->error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED));
    walk_resume(&base->walk, true);
}

static step_result batch_fly(void *subject) {
    batch_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    slot->timer = loop_timer_create(base->flow->loop, batch_late, slot);
    if (slot->timer == NULL) {
        return slot_fail(base, LOAM_OVERLOADED, NULL, "no memory for another timer");
    }
    pump(slot);
    if (is_done(slot)) {
        stop_waiting(slot);
        return STEP_NEXT;
    }
    if (slot->wait_s > 0) {
        loop_timer_start(slot->timer, (uint64_t)slot->wait_s * 1000, 0);
    }
    base->leave = batch_leave;
    return STEP_PARKED;
}

/* ---- Answer --------------------------------------------------------------------------------- */

/* What is told of cell `i`; `room` is what the answer still holds. */
static batch_entry entry_of(batch_slot *slot, uint32_t i, size_t *room) {
    const batch_cell *cell = &slot->request.cells[i];
    batch_flight *flight = &slot->flights[i];
    batch_entry entry = {.level = cell->level, .x = cell->x, .z = cell->z, .status = 202};
    if (flight->blob == NULL && flight->error.status == LOAM_OK) {
        return entry;
    }
    if (flight->blob != NULL) {
        entry.build_key = flight->key;
        entry.digest = flight->blob->digest;
        entry.warning = verdict_detail(flight->verdict);
        if (cell->has && digest_equal(&cell->digest, &entry.digest)) {
            entry.status = 304;
            return entry;
        }
        if (flight->blob->size <= *room) {
            *room -= flight->blob->size;
            entry.status = 200;
            entry.bytes = (loam_text){(const char *)flight->blob->bytes, flight->blob->size};
            return entry;
        }
        loam_fail(&flight->error, LOAM_TOO_LARGE, NULL, "the answer is full: ask for it alone");
    }
    entry.error = &flight->error;
    entry.reasons = verdict_reasons(flight->verdict);
    entry.status = problem_http_status(entry.error);
    return entry;
}

static loam_status work_render(flow_slot *base, pool_worker *worker) {
    batch_slot *slot = (batch_slot *)base;
    size_t room = BATCH_CELL_BYTES_MAX;
    batch_entry *entries =
        loam_arena_take(pool_worker_arena(worker), slot->request.count, sizeof *entries);
    LOAM_TRY_MEMORY(entries, &base->error);
    for (uint32_t i = 0; i < slot->request.count; i++) {
        entries[i] = entry_of(slot, i, &room);
    }
    buffer_init(&slot->text, BATCH_BYTES_MAX);
    LOAM_TRY(slot->media == MEDIA_IS_JSON
                 ? view_batch_json(entries, slot->request.count, &slot->text)
                 : view_batch_bytes(entries, slot->request.count, &slot->text));
    slot->bytes = reply_code(buffer_view(&slot->text), &slot->coding);
    LOAM_TRY_MEMORY(slot->bytes, &base->error);
    return LOAM_OK;
}

static step_result batch_render(void *subject) {
    return slot_work_anyway(subject, work_render);
}

static step_result batch_answer(void *subject) {
    batch_slot *slot = subject;
    flow_slot *base = &slot->base.base;
    reply_form form = {.status = 200,
                       .type = slot->media == MEDIA_IS_JSON ? MEDIA_JSON : MEDIA_BATCH,
                       .cache = CACHE_NONE,
                       .coding = coding_name(slot->coding),
                       .body_digest = &slot->bytes->digest,
                       .vary = true};
    base->answer = reply_create(&form, reply_blob(slot->bytes));
    return base->answer != NULL ? STEP_NEXT
                                : slot_fail(base, LOAM_ARENA_FULL, NULL, "no memory to answer");
}

void batch_fini(flow_slot *base) {
    batch_slot *slot = (batch_slot *)base;
    for (uint32_t i = 0; i < slot->begun; i++) {
        blob_release(slot->flights[i].blob);
        blob_release(slot->flights[i].verdict);
    }
    loop_timer_destroy(slot->timer);
    blob_release(slot->bytes);
    buffer_fini(&slot->text);
    revision_slot_fini(base);
}
