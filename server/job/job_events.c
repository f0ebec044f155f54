/* SPDX-License-Identifier: MIT
 *
 * job_events.c: see job_events.h. The first who asks makes the job's feed, which watches the job
 * until its end. A job that has ended gives one event, and the stream is over.
 */
#include "server/job/job_events.h"

#include "server/job/job_entry.h"
#include "server/job/job_slot.h"
#include "server/job/job_status.h"
#include "server/slot/event_feed.h"
#include "server/slot/reply.h"

#include <stdlib.h>

/* Commits come every few milliseconds; nobody looks as often. */
enum { PROGRESS_MS_MIN = 250 };

struct job_events {
    job_watcher watcher;
    job_entry *entry;
    event_feed *feed;
    uint64_t told_ms;
};

static step_result events_open(void *subject);
static step_result events_reply(void *subject);

const flow_step job_events_steps[] = {
    {"parse", job_parse, false},   {"ask", job_ask, false},       {"open", events_open, false},
    {"reply", events_reply, true}, {"settle", slot_settle, true}, {NULL, NULL, false},
};

static void tell_entry(job_events *events, const char *name) {
    text_buffer document;
    buffer_init(&document, JOB_DOCUMENT_BYTES_MAX);
    job_entry_write(events->entry, &document);
    if (!document.failed) {
        event_feed_publish(events->feed, name, buffer_view(&document));
    }
    buffer_fini(&document);
}

/* The end of the job, or of the daemon: then whoever listens comes back to the next one. */
static void end_events(job_events *events) {
    if (job_entry_is_over(events->entry)) {
        tell_entry(events, "finished");
    }
    event_feed_close(events->feed);
    events->entry->events = NULL;
    free(events);
}

static void job_changed(job_watcher *watcher, bool ended) {
    job_events *events = (job_events *)((char *)watcher - offsetof(job_events, watcher));
    uint64_t now_ms = loop_now_ms();
    if (ended) {
        end_events(events);
    } else if (now_ms - events->told_ms >= PROGRESS_MS_MIN) {
        events->told_ms = now_ms;
        tell_entry(events, "progress");
    }
}

static job_events *events_create(job_entry *entry) {
    job_events *events = calloc(1, sizeof *events);
    event_feed *feed = event_feed_create(entry->table->flow->loop);
    if (events == NULL || feed == NULL) {
        event_feed_close(feed);
        free(events);
        return NULL;
    }
    *events = (job_events){.watcher = {.changed = job_changed}, .entry = entry, .feed = feed};
    job_watch(entry, &events->watcher);
    return events;
}

/* A stream that begins with what the job is now. */
static void join_entry(job_events *events, http_request *request) {
    text_buffer document;
    buffer_init(&document, JOB_DOCUMENT_BYTES_MAX);
    job_entry_write(events->entry, &document);
    event_feed_join(events->feed, request, "progress", buffer_view(&document));
    buffer_fini(&document);
}

/* A feed of one event for a job that is at its end. */
static bool join_ended(job_slot *slot) {
    const control_result *row = &slot->base.control.result;
    event_feed *feed = event_feed_create(slot->base.flow->loop);
    text_buffer document;
    if (feed == NULL) {
        return false;
    }
    buffer_init(&document, JOB_DOCUMENT_BYTES_MAX);
    job_row_write(&row->jobs[0], &document);
    event_feed_join(feed, slot->base.request, "finished", buffer_view(&document));
    buffer_fini(&document);
    event_feed_close(feed);
    return true;
}

static step_result fail_memory(job_slot *slot) {
    return slot_fail(&slot->base, LOAM_OVERLOADED, NULL, "no memory for a stream");
}

static step_result events_open(void *subject) {
    job_slot *slot = subject;
    job_entry *entry = job_slot_entry(slot);
    const control_result *row = &slot->base.control.result;
    if (entry != NULL && entry->events == NULL) {
        entry->events = events_create(entry);
    }
    if (entry != NULL && entry->events == NULL) {
        return fail_memory(slot);
    }
    http_request *request = slot->base.request;
    http_set_user(request, NULL);
    if (entry != NULL) {
        join_entry(entry->events, request);
    } else if (row->count == 0 || row->jobs == NULL) {
        return slot_fail(&slot->base, LOAM_NOT_FOUND, NULL, "there is no such job");
    } else if (!job_row_allowed(slot)) {
        return STEP_FAILED;
    } else if (!join_ended(slot)) {
        return fail_memory(slot);
    }
    slot->base.request = NULL;
    return STEP_NEXT;
}

/* A stream is an answer; what failed has none yet. */
static step_result events_reply(void *subject) {
    job_slot *slot = subject;
    return slot->base.request == NULL ? STEP_NEXT : slot_reply(subject);
}
