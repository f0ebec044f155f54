/* SPDX-License-Identifier: MIT
 *
 * admin.c: see admin.h. Upkeep runs on the store's own thread while its request waits, however long
 * it takes; it ends when who asked leaves.
 */
#include "server/admin/admin.h"

#include "api/wire/problem.h"
#include "server/slot/ram_cache.h"
#include "server/slot/reply.h"

#include <stdio.h>
#include <time.h>

/* Slow beside any disk, so that requests do not feel it, and 16 GiB take four minutes. */
#define SCRUB_BYTES_PER_S ((uint64_t)64 << 20)
/* No disk is faster than that. */
#define SCRUB_BYTES_PER_S_MAX ((uint64_t)1 << 40)

static step_result gc_begin(void *subject);
static step_result scrub_begin(void *subject);
static step_result backup_begin(void *subject);
static step_result gc_answer(void *subject);
static step_result scrub_answer(void *subject);
static step_result backup_answer(void *subject);

const flow_step admin_gc_steps[] = {
    {"collect", gc_begin, false}, /* store thread */
    {"answer", gc_answer, false},
    SLOT_END,
};

const flow_step admin_scrub_steps[] = {
    {"scrub", scrub_begin, false}, /* store thread */
    {"answer", scrub_answer, false},
    SLOT_END,
};

const flow_step admin_backup_steps[] = {
    {"copy", backup_begin, false}, /* store thread */
    {"answer", backup_answer, false},
    SLOT_END,
};

typedef struct figure {
    const char *name;
    uint64_t value;
} figure;

static void write_figures(text_buffer *buffer, const figure *figures, size_t count) {
    for (size_t i = 0; i < count; i++) {
        buffer_key(buffer, figures[i].name);
        buffer_unsigned(buffer, figures[i].value);
    }
}

#define FIGURES(buffer, ...)                                                                       \
    write_figures((buffer), (const figure[]){__VA_ARGS__},                                         \
                  sizeof((const figure[]){__VA_ARGS__}) / sizeof(figure))

/* ---- How it does ---------------------------------------------------------------------------- */

static void write_store(text_buffer *buffer, store_statistics of) {
    buffer_key(buffer, "store");
    buffer_open_object(buffer);
    FIGURES(buffer, {"blobs", of.blobs}, {"cache_bytes", of.cache_bytes},
            {"cache_bytes_max", of.cache_bytes_max}, {"hits", of.hits}, {"misses", of.misses},
            {"damaged", of.damaged}, {"alarms", of.alarms}, {"evicted", of.evicted},
            {"pinned", of.pinned}, {"cache_commits", of.cache_commits},
            {"control_commits", of.control_commits}, {"write_failures", of.write_failures},
            {"cache_wal_bytes", of.cache_wal_bytes}, {"control_wal_bytes", of.control_wal_bytes},
            {"reader_queue", of.reader_queue}, {"cache_queue", of.cache_queue},
            {"control_queue", of.control_queue});
    buffer_close_object(buffer);
}

static void write_service(text_buffer *buffer, const flow_state *flow) {
    buffer_key(buffer, "service");
    buffer_open_object(buffer);
    FIGURES(buffer, {"requests", flow->slot_count}, {"connections", http_connections(flow->server)},
            {"connections_refused", http_connections_refused(flow->server)},
            {"workers", pool_threads(flow->workers)}, {"workers_busy", pool_busy(flow->workers)},
            {"queue_interactive", (uint64_t)pool_queue_length(flow->workers, POOL_INTERACTIVE)},
            {"queue_batch", (uint64_t)pool_queue_length(flow->workers, POOL_BATCH)},
            {"answers", ram_cache_count(flow->answers)},
            {"answers_bytes", ram_cache_bytes(flow->answers)});
    buffer_close_object(buffer);
}

static void write_upkeep(text_buffer *buffer, store_statistics of) {
    static const char *const NAMES[] = {
        [STORE_COLLECT] = "gc", [STORE_SCRUB] = "scrub", [STORE_BACKUP] = "backup"};
    buffer_key(buffer, "upkeep");
    buffer_open_object(buffer);
    buffer_field_string(buffer, "kind", of.upkeep_kind < 0 ? "none" : NAMES[of.upkeep_kind]);
    FIGURES(buffer, {"permille", of.upkeep_kind < 0 ? 0 : of.upkeep_permille});
    buffer_close_object(buffer);
}

bool admin_stats(flow_state *flow, http_request *request) {
    text_buffer buffer;
    buffer_init(&buffer, PROBLEM_BYTES_MAX);
    buffer_open_object(&buffer);
    store_statistics of = store_statistics_read(flow->store);
    write_store(&buffer, of);
    write_upkeep(&buffer, of);
    write_service(&buffer, flow);
    buffer_close_object(&buffer);
    http_reply(request, reply_document(request, &buffer, (reply_form){.cache = CACHE_NONE}));
    buffer_fini(&buffer);
    return true;
}

/* ---- Upkeep --------------------------------------------------------------------------------- */

static void upkeep_leave(flow_slot *base) {
    store_upkeep_cancel(&((admin_slot *)base)->upkeep);
}

static void upkeep_landed(loop_task *task) {
    admin_slot *slot = (admin_slot *)((char *)task - offsetof(admin_slot, ended));
    const loam_error *error = &slot->upkeep.base.error;
    slot->base.leave = NULL;
    if (error->status != LOAM_OK) {
        loam_fail(&slot->base.error, error->status, NULL, "%s", error->text);
    }
    walk_resume(&slot->base.walk, error->status != LOAM_OK);
}

/* On the store's thread. */
static void upkeep_done(void *context) {
    admin_slot *slot = context;
    slot->ended.run = upkeep_landed;
    loop_post(slot->base.flow->loop, &slot->ended);
}

static step_result upkeep_begin(admin_slot *slot, store_upkeep_kind kind) {
    slot->upkeep.kind = kind;
    slot->upkeep.base = (store_request){.done = upkeep_done, .context = slot};
    slot->base.leave = upkeep_leave;
    loam_status status = store_upkeep_begin(slot->base.flow->store, &slot->upkeep);
    if (status == LOAM_OK) {
        return STEP_PARKED;
    }
    slot->base.leave = NULL;
    slot->base.retry_after_s = RETRY_AFTER_S;
    return slot_fail(&slot->base, status, NULL, "%s", loam_status_text(status));
}

static step_result answer(admin_slot *slot, text_buffer *buffer) {
    buffer_close_object(buffer);
    step_result result =
        slot_answer_document(&slot->base, buffer, (reply_form){.cache = CACHE_NONE});
    buffer_fini(buffer);
    return result;
}

static void answer_open(text_buffer *buffer) {
    buffer_init(buffer, PROBLEM_BYTES_MAX);
    buffer_open_object(buffer);
}

static step_result gc_begin(void *subject) {
    admin_slot *slot = subject;
    if (http_query(slot->base.request, "bytes").bytes == NULL) {
        return slot_fail(&slot->base, LOAM_MISSING_FIELD, NULL,
                         "?bytes= says how many may stay in use");
    }
    if (slot_query_count(&slot->base, "bytes", INT64_MAX, &slot->upkeep.bytes_max) != LOAM_OK) {
        return STEP_FAILED;
    }
    return upkeep_begin(slot, STORE_COLLECT);
}

static step_result gc_answer(void *subject) {
    admin_slot *slot = subject;
    const store_report *report = &slot->upkeep.report;
    text_buffer buffer;
    answer_open(&buffer);
    FIGURES(&buffer, {"evicted", report->evicted}, {"bytes_before", report->bytes_before},
            {"bytes", report->bytes});
    return answer(slot, &buffer);
}

static step_result scrub_begin(void *subject) {
    admin_slot *slot = subject;
    slot->upkeep.bytes_per_s = SCRUB_BYTES_PER_S;
    if (slot_query_count(&slot->base, "bytes_per_s", SCRUB_BYTES_PER_S_MAX,
                         &slot->upkeep.bytes_per_s) != LOAM_OK) {
        return STEP_FAILED;
    }
    if (slot->upkeep.bytes_per_s == 0) {
        return slot_fail(&slot->base, LOAM_OUT_OF_RANGE, NULL, "?bytes_per_s= is at least 1");
    }
    return upkeep_begin(slot, STORE_SCRUB);
}

static step_result scrub_answer(void *subject) {
    admin_slot *slot = subject;
    const store_report *report = &slot->upkeep.report;
    uint64_t damaged = report->blobs_damaged + report->results_wrong + report->assets_damaged +
                       report->control_damaged + report->file_damaged;
    text_buffer buffer;
    answer_open(&buffer);
    FIGURES(&buffer, {"bytes", report->bytes}, {"blobs", report->blobs},
            {"blobs_damaged", report->blobs_damaged}, {"results_wrong", report->results_wrong},
            {"assets", report->assets}, {"assets_damaged", report->assets_damaged},
            {"assets_missing", report->assets_missing});
    buffer_key(&buffer, "control_damaged");
    buffer_bool(&buffer, report->control_damaged);
    buffer_key(&buffer, "file_damaged");
    buffer_bool(&buffer, report->file_damaged);
    buffer_key(&buffer, "well");
    buffer_bool(&buffer, damaged + report->assets_missing == 0);
    return answer(slot, &buffer);
}

/* By the time, so that names sort; in UTC. */
static void name_write(char name[STORE_BACKUP_NAME_BYTES], int64_t now_ms) {
    time_t seconds = (time_t)(now_ms / 1000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    size_t size = strftime(name, STORE_BACKUP_NAME_BYTES, "%Y%m%dT%H%M%S", &parts);
    snprintf(name + size, STORE_BACKUP_NAME_BYTES - size, ".%03dZ", (int)(now_ms % 1000));
}

static step_result backup_begin(void *subject) {
    admin_slot *slot = subject;
    const config *settings = slot->base.flow->settings;
    if (settings->backup_dir[0] == 0) {
        return slot_fail(&slot->base, LOAM_BAD_STATE, NULL,
                         "the daemon was started without --backup-dir");
    }
    slot->upkeep.dir = settings->backup_dir;
    name_write(slot->upkeep.name, time_now_ms());
    return upkeep_begin(slot, STORE_BACKUP);
}

static step_result backup_answer(void *subject) {
    admin_slot *slot = subject;
    const store_report *report = &slot->upkeep.report;
    text_buffer buffer;
    answer_open(&buffer);
    buffer_field_string(&buffer, "name", slot->upkeep.name);
    FIGURES(&buffer, {"bytes", report->bytes}, {"worlds", report->worlds}, {"jobs", report->jobs},
            {"assets", report->assets}, {"assets_damaged", report->assets_damaged},
            {"assets_missing", report->assets_missing}, {"keys", report->keys});
    buffer_key(&buffer, "whole");
    buffer_bool(&buffer, report->assets_damaged + report->assets_missing == 0);
    return answer(slot, &buffer);
}
