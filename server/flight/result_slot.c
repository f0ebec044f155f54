/* SPDX-License-Identifier: MIT
 *
 * result_slot.c: see result_slot.h.
 */
#include "server/flight/result_slot.h"

#include "core/base/assert.h"
#include "server/slot/caller.h"

/* What a 202 says beside its address. */
enum { LATE_BYTES_MAX = 4096 };

result_manner manner_read(http_request *request) {
    const preference prefer = preference_read(http_header(request, "Prefer"));
    return (result_manner){.coding =
                               negotiate_content_coding(http_header(request, "Accept-Encoding")),
                           .part = http_header(request, "Range").bytes != NULL,
                           .prefer = prefer,
                           .wait_s = preference_wait(&prefer)};
}

/* ---- Hit ------------------------------------------------------------------------------------ */

http_response *result_find(flow_state *flow, http_request *request, const answer_name *name,
                           const result_manner *manner) {
    const ram_answer *answer = manner->part ? NULL : ram_cache_find(flow->answers, name);
    if (answer == NULL) {
        return NULL;
    }
    metric_add(METRIC_HITS_RAM, 1);
    if (ram_answer_is_due(answer)) {
        store_result_touch(flow->store, &answer->key);
    }
    return reply_kept(request, answer);
}

bool result_quick(flow_state *flow, http_request *request, const answer_name *name,
                  const result_manner *manner) {
    http_response *answer = result_find(flow, request, name, manner);
    if (answer != NULL) {
        http_reply(request, answer);
    }
    return answer != NULL;
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static result_slot *slot_of_waiter(flight_waiter *waiter) {
    result_slot *slot = (result_slot *)((char *)waiter - offsetof(result_slot, waiter));
    LOAM_ASSERT(slot->base.base.magic == SLOT_MAGIC);
    return slot;
}

static void stop_waiting(result_slot *slot) {
    slot->base.base.leave = NULL;
    loop_timer_destroy(slot->timer);
    slot->timer = NULL;
}

/* A result is sent before it is written: that it will not be kept is known of those before it. */
static const char *cache_status(store *keeper, const flight_landing *landing) {
    if (landing->collapsed) {
        return "loam; fwd=miss; collapsed";
    }
    if (landing->origin == ORIGIN_STORED) {
        return "loam; hit";
    }
    return store_health_read(keeper).results_are_lost ? "loam; fwd=miss; stored=?0"
                                                      : "loam; fwd=miss; stored";
}

static void note_result(result_slot *slot, const flight_landing *landing) {
    slot->blob = blob_retain(landing->blob);
    slot->key = landing->key;
    slot->created = landing->created;
    slot->cache_status = cache_status(slot->base.base.flow->store, landing);
}

static void result_landed(flight_waiter *waiter, const flight_landing *landing) {
    result_slot *slot = slot_of_waiter(waiter);
    flow_slot *base = &slot->base.base;
    const loam_error *error = landing->error;
    stop_waiting(slot);
    if (landing->verdict != NULL) {
        base->verdict = blob_retain(landing->verdict);
        base->reasons = landing->reasons;
    }
    if (error->status == LOAM_OK) {
        note_result(slot, landing);
    } else if (slot->spent && error->status == LOAM_NOT_GENERATED) {
        caller_fail_core(base);
    } else {
        base->retry_after_s = error->status == LOAM_OVERLOADED ? RETRY_AFTER_S : 0;
        loam_fail(&base->error, error->status, slot->posted ? error->pointer : NULL, "%s",
                  error->text);
    }
    walk_resume(&base->walk, error->status != LOAM_OK);
}

/* The client's patience has ended, or it had none and the result is being built: the work goes on.
 */
static void result_late(void *context) {
    result_slot *slot = context;
    stop_waiting(slot);
    flight_leave(&slot->waiter, true);
    slot->late = true;
    walk_resume(&slot->base.base.walk, false);
}

static void result_missed(flight_waiter *waiter) {
    result_late(slot_of_waiter(waiter));
}

static void result_left(flow_slot *base) {
    result_slot *slot = (result_slot *)base;
    stop_waiting(slot);
    flight_leave(&slot->waiter, false);
    loam_fail(&base->error, LOAM_CANCELLED, NULL, "%s", loam_status_text(LOAM_CANCELLED));
    walk_resume(&base->walk, true);
}

loam_status result_wait(result_slot *slot, const result_manner *manner) {
    flow_slot *base = &slot->base.base;
    slot->spent = !manner->cached_only && !caller_has_core(base->request);
    slot->waiter = (flight_waiter){.cached_only = manner->cached_only || slot->spent,
                                   .payer = caller_owner(base->request),
                                   .missed = manner->wait_s == 0 ? result_missed : NULL,
                                   .landed = result_landed};
    slot->timer = loop_timer_create(base->flow->loop, result_late, slot);
    if (slot->timer == NULL) {
        return loam_fail(&base->error, LOAM_OVERLOADED, NULL, "no memory for another timer");
    }
    if (manner->wait_s > 0) {
        loop_timer_start(slot->timer, (uint64_t)manner->wait_s * 1000, 0);
    }
    base->leave = result_left;
    return LOAM_OK;
}

/* ---- Answers -------------------------------------------------------------------------------- */

loam_status result_code(result_slot *slot, loam_text view, content_coding coding) {
    slot->coding = coding;
    slot->bytes = reply_code(view, &slot->coding);
    buffer_fini(&slot->view);
    return slot->bytes != NULL
               ? LOAM_OK
               : loam_fail(&slot->base.base.error, LOAM_ARENA_FULL, NULL, "no memory to answer");
}

step_result result_answer_late(result_slot *slot, const result_manner *manner, const char *path,
                               const char *content_key) {
    char applied[PREFERENCE_BYTES];
    text_buffer buffer;
    buffer_init(&buffer, LATE_BYTES_MAX);
    buffer_open_object(&buffer);
    buffer_key(&buffer, "state");
    buffer_string(&buffer, "building");
    buffer_key(&buffer, "location");
    buffer_string(&buffer, path);
    buffer_close_object(&buffer);
    step_result result = slot_answer_document(
        &slot->base.base, &buffer,
        (reply_form){.status = 202,
                     .cache = CACHE_NONE,
                     .location = path,
                     .content_key = content_key,
                     .preference_applied = preference_applied(&manner->prefer, applied),
                     .retry_after_s = RETRY_AFTER_S});
    buffer_fini(&buffer);
    return result;
}

blob *result_bytes(const result_slot *slot) {
    return slot->bytes == NULL ? slot->blob : slot->bytes;
}

void result_remember(const result_slot *slot, const answer_name *name, reply_form form) {
    blob *bytes = result_bytes(slot);
    ram_answer answer = {.key = slot->key};
    form.etag = &bytes->digest;
    form.ranges = true;
    form.cache_status = "loam; hit";
    reply_etag(&bytes->digest, answer.etag);
    answer.full = reply_create(&form, reply_blob(bytes));
    form.status = 304;
    answer.not_modified = reply_create(&form, (http_body){0});
    if (answer.full != NULL && answer.not_modified != NULL) {
        ram_cache_add(slot->base.base.flow->answers, name, &answer);
    }
    http_response_release(answer.full);
    http_response_release(answer.not_modified);
}

step_result result_answer(result_slot *slot, const result_manner *manner, reply_form form) {
    flow_slot *base = &slot->base.base;
    char applied[PREFERENCE_BYTES];
    form.cache_status = slot->cache_status;
    form.preference_applied = preference_applied(&manner->prefer, applied);
    base->answer = reply_bytes(base->request, form, result_bytes(slot));
    return STEP_NEXT;
}

void result_slot_fini(flow_slot *base) {
    result_slot *slot = (result_slot *)base;
    loop_timer_destroy(slot->timer);
    blob_release(slot->blob);
    blob_release(slot->bytes);
    buffer_fini(&slot->view);
    revision_slot_fini(base);
}
