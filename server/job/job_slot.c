/* SPDX-License-Identifier: MIT
 *
 * job_slot.c: see job_slot.h.
 */
#include "server/job/job_slot.h"

#include "core/base/assert.h"
#include "core/base/try.h"
#include "server/job/job_status.h"
#include "server/slot/caller.h"
#include "server/slot/negotiate.h"
#include "server/slot/reply.h"

#include <stdio.h>
#include <string.h>

/* Whoever waits for a running job comes back after that time. */
enum { JOB_RETRY_AFTER_S = 1 };

job_entry *job_slot_entry(const job_slot *slot) {
    return job_table_find(slot->base.flow->jobs, loam_text_of(slot->id));
}

void job_wait_read(job_slot *slot) {
    http_request *request = slot->base.request;
    preference prefer = preference_read(http_header(request, "Prefer"));
    bool has_tag = http_header(request, "If-None-Match").bytes != NULL;
    slot->wait_s = prefer.wait_given ? prefer.wait_s : 0;
    slot->wait_s = slot->wait_s > JOB_WAIT_S ? JOB_WAIT_S : slot->wait_s;
    if (slot->wait_s > 0) {
        slot->wait_for = has_tag ? JOB_WAIT_CHANGE : JOB_WAIT_END;
    }
}

step_result job_parse(void *subject) {
    job_slot *slot = subject;
    loam_text id = slot_capture(&slot->base, "id");
    if (id.size != JOB_ID_SIZE || strspn(id.bytes, "0123456789abcdef") < JOB_ID_SIZE) {
        return slot_fail(&slot->base, LOAM_NOT_FOUND, NULL, "there is no such job");
    }
    memcpy(slot->id, id.bytes, JOB_ID_SIZE);
    job_wait_read(slot);
    return STEP_NEXT;
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static bool document_has_changed(job_slot *slot, const job_entry *entry) {
    text_buffer document;
    buffer_init(&document, JOB_DOCUMENT_BYTES_MAX);
    job_entry_write(entry, &document);
    bool known = reply_is_known(slot->base.request, &document);
    buffer_fini(&document);
    return !known;
}

static bool wait_is_over(job_slot *slot, const job_entry *entry) {
    switch (slot->wait_for) {
    case JOB_WAIT_NOTHING:
        return true;
    case JOB_WAIT_END:
        return false;
    case JOB_WAIT_CHANGE:
        return document_has_changed(slot, entry);
    case JOB_WAIT_COMMIT:
        return job_entry_last_commit(entry) >= slot->commit;
    case JOB_WAIT_LOADED:
        return !job_entry_is_loading(entry);
    }
    return true;
}

static void stop_waiting(job_slot *slot) {
    job_unwatch(&slot->watcher);
    loop_timer_destroy(slot->timer);
    slot->timer = NULL;
    slot->base.leave = NULL;
}

static job_slot *slot_of_watcher(job_watcher *watcher) {
    job_slot *slot = (job_slot *)((char *)watcher - offsetof(job_slot, watcher));
    LOAM_ASSERT(slot->base.magic == SLOT_MAGIC);
    return slot;
}

/* A store that takes no commit now may do so soon or never: who asked hears of it. */
static bool commit_has_failed(const job_slot *slot, const job_entry *entry) {
    return slot->wait_for == JOB_WAIT_COMMIT &&
           job_entry_commits_failed(entry) > slot->commits_failed;
}

static void job_changed(job_watcher *watcher, bool ended) {
    job_slot *slot = slot_of_watcher(watcher);
    if (ended || wait_is_over(slot, watcher->entry)) {
        stop_waiting(slot);
        walk_resume(&slot->base.walk, false);
    } else if (commit_has_failed(slot, watcher->entry)) {
        const loam_error *error = job_entry_commit_error(watcher->entry);
        loam_fail(&slot->base.error, error->status, NULL, "%s", error->text);
        stop_waiting(slot);
        walk_resume(&slot->base.walk, true);
    }
}

static void patience_over(void *context) {
    job_slot *slot = context;
    stop_waiting(slot);
    walk_resume(&slot->base.walk, false);
}

/* The job goes on without its watcher. */
static void client_left(flow_slot *base) {
    stop_waiting((job_slot *)base);
    walk_resume(&base->walk, false);
}

step_result job_wait(void *subject) {
    job_slot *slot = subject;
    job_entry *entry = job_slot_entry(slot);
    if (entry == NULL || slot->base.gone || wait_is_over(slot, entry)) {
        return STEP_NEXT;
    }
    if (slot->wait_for != JOB_WAIT_COMMIT) {
        uint32_t wait_s = slot->wait_for == JOB_WAIT_LOADED ? JOB_WAIT_S : slot->wait_s;
        slot->timer = loop_timer_create(slot->base.flow->loop, patience_over, slot);
        if (slot->timer == NULL) {
            return STEP_NEXT;
        }
        loop_timer_start(slot->timer, (uint64_t)wait_s * 1000, 0);
    }
    slot->commits_failed = job_entry_commits_failed(entry);
    slot->watcher.changed = job_changed;
    slot->base.leave = client_left;
    job_watch(entry, &slot->watcher);
    return STEP_PARKED;
}

/* ---- Answering ------------------------------------------------------------------------------ */

/* A job is as little for a token as its world is. */
static step_result check_world(job_slot *slot, loam_text name) {
    return caller_allows_world(slot->base.request, name)
               ? STEP_NEXT
               : slot_fail(&slot->base, LOAM_FORBIDDEN, NULL,
                           "the token is not for the world of this job");
}

bool job_row_allowed(job_slot *slot) {
    const control_result *row = &slot->base.control.result;
    return row->jobs == NULL || check_world(slot, row->jobs[0].world) == STEP_NEXT;
}

step_result job_ask(void *subject) {
    job_slot *slot = subject;
    const job_entry *entry = job_slot_entry(slot);
    if (entry != NULL) {
        return check_world(slot, job_entry_world(entry));
    }
    return slot_control(&slot->base, (control_request){.operation = CONTROL_JOB_GET,
                                                       .name = loam_text_of(slot->id)});
}

step_result job_answer(void *subject) {
    job_slot *slot = subject;
    const job_entry *entry = job_slot_entry(slot);
    const control_result *row = &slot->base.control.result;
    text_buffer buffer;
    char location[JOB_ID_BYTES + 16];
    char applied[16];
    preference prefer = preference_read(http_header(slot->base.request, "Prefer"));
    buffer_init(&buffer, JOB_DOCUMENT_BYTES_MAX);
    if (entry != NULL) {
        job_entry_write(entry, &buffer);
    } else if (row->count > 0 && row->jobs != NULL) {
        if (!job_row_allowed(slot)) {
            return STEP_FAILED;
        }
        job_row_write(&row->jobs[0], &buffer);
    } else {
        return slot_fail(&slot->base, LOAM_INTERNAL, NULL, "the job is nowhere");
    }
    snprintf(location, sizeof location, "/v1/jobs/%s", slot->id);
    snprintf(applied, sizeof applied, "wait=%u", slot->wait_s);
    step_result result =
        slot_answer_document(&slot->base, &buffer,
                             (reply_form){.status = slot->started ? 202 : 200,
                                          .cache = slot->started ? CACHE_NONE : CACHE_REVALIDATE,
                                          .location = slot->started ? location : NULL,
                                          .preference_applied = prefer.wait_given ? applied : NULL,
                                          .retry_after_s = slot->started ? JOB_RETRY_AFTER_S : 0});
    buffer_fini(&buffer);
    return result;
}

loam_status job_reserve(job_slot *slot) {
    token_owner *owner = caller_owner(slot->base.request);
    if (owner == NULL || slot->reserved != NULL) {
        return LOAM_OK;
    }
    LOAM_TRY(caller_check_job(&slot->base));
    owner_begin_job(owner);
    slot->reserved = owner;
    return LOAM_OK;
}

void job_unreserve(job_slot *slot) {
    if (slot->reserved != NULL) {
        owner_end_job(slot->reserved);
        slot->reserved = NULL;
    }
}

/* From here on the job counts by itself. */
loam_status job_start(job_slot *slot, bool fresh) {
    job_reading *reading = slot->reading;
    slot->reading = NULL;
    const job_entry *entry = job_table_add(slot->base.flow->jobs, reading, &slot->row, fresh);
    job_unreserve(slot);
    if (entry == NULL) {
        return loam_fail(&slot->base.error, LOAM_ARENA_FULL, NULL, "no memory for a job");
    }
    return LOAM_OK;
}

void job_slot_fini(flow_slot *base) {
    job_slot *slot = (job_slot *)base;
    stop_waiting(slot);
    job_unreserve(slot);
    job_reading_destroy(slot->reading);
    blob_release(slot->page);
}
