/* SPDX-License-Identifier: MIT
 *
 * job_table.c: jobs coming and going, and what clients do to them. See job_table.h.
 */
#include "server/flow/job_table.h"

#include "core/base/assert.h"
#include "server/flow/job_entry.h"
#include "server/slot/reply.h"
#include "server/token/token_owner.h"
#include "server/watch/metrics.h"

#include <stdlib.h>
#include <string.h>

/* Cells in the air for each worker: one at work, others at the store or on their way. */
enum { FLYING_PER_WORKER = 4 };

static const char *const state_names[JOB_STATE_COUNT] = {
    [JOB_QUEUED] = "queued",       [JOB_RUNNING] = "running", [JOB_PAUSED] = "paused",
    [JOB_SUCCEEDED] = "succeeded", [JOB_FAILED] = "failed",   [JOB_CANCELLED] = "cancelled",
};

const char *job_state_name(job_state state) {
    return state_names[state];
}

job_state job_state_find(loam_text name) {
    for (int i = 0; i < JOB_STATE_COUNT; i++) {
        if (loam_text_equal(name, loam_text_of(state_names[i]))) {
            return (job_state)i;
        }
    }
    return JOB_STATE_COUNT;
}

/* ---- The table ------------------------------------------------------------------------------ */

static void pause_over(void *context) {
    job_table *table = context;
    table->paused = false;
    for (job_entry *entry = table->first; entry != NULL; entry = entry->next) {
        job_entry_commit(entry);
    }
    job_table_pump(table);
}

static bool make_tasks(job_table *table) {
    table->task_memory = calloc(table->flying_max, sizeof(job_task));
    for (uint32_t i = 0; table->task_memory != NULL && i < table->flying_max; i++) {
        table->task_memory[i].next = table->free_tasks;
        table->free_tasks = &table->task_memory[i];
    }
    return table->task_memory != NULL;
}

job_table *job_table_create(flow_state *flow) {
    job_table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        return NULL;
    }
    table->flow = flow;
    table->flying_max = (uint32_t)flow->settings->job_cells_in_flight;
    if (table->flying_max == 0) {
        table->flying_max = FLYING_PER_WORKER * pool_threads(flow->workers);
    }
    table->pause = loop_timer_create(flow->loop, pause_over, table);
    if (table->pause == NULL || !make_tasks(table)) {
        job_table_destroy(table);
        return NULL;
    }
    return table;
}

void job_table_destroy(job_table *table) {
    if (table == NULL) {
        return;
    }
    while (table->first != NULL) {
        job_entry_free(table->first);
    }
    loop_timer_destroy(table->pause);
    free(table->task_memory);
    free(table);
}

bool job_table_is_idle(const job_table *table) {
    return table->flying == 0 && table->busy == 0;
}

static void dismiss_watchers(job_entry *entry) {
    while (entry->watchers != NULL) {
        job_watcher *watcher = entry->watchers;
        job_unwatch(watcher);
        watcher->changed(watcher, true);
    }
}

void job_table_drain(job_table *table) {
    table->draining = true;
    loop_timer_stop(table->pause);
    for (job_entry *entry = table->first; entry != NULL; entry = entry->next) {
        dismiss_watchers(entry);
        job_entry_stop(entry);
        job_entry_commit(entry);
    }
}

job_entry *job_table_find(const job_table *table, loam_text id) {
    job_entry *entry = table->first;
    while (entry != NULL && !loam_text_equal(loam_text_of(entry->reading->job.id), id)) {
        entry = entry->next;
    }
    return entry;
}

/* ---- Entries -------------------------------------------------------------------------------- */

static void table_link(job_table *table, job_entry *entry) {
    entry->previous = table->last;
    *(table->last == NULL ? &table->first : &table->last->next) = entry;
    table->last = entry;
    metric_add(METRIC_JOBS_ACTIVE, 1);
}

static void table_unlink(job_entry *entry) {
    job_table *table = entry->table;
    *(entry->previous == NULL ? &table->first : &entry->previous->next) = entry->next;
    *(entry->next == NULL ? &table->last : &entry->next->previous) = entry->previous;
    metric_add(METRIC_JOBS_ACTIVE, -1);
}

void job_entry_own(job_entry *entry, token_owner *owner) {
    if (entry->owner == NULL && owner != NULL) {
        entry->owner = owner;
        owner_begin_job(owner);
    }
}

loam_text job_entry_world(const job_entry *entry) {
    return entry->reading->job.world;
}

/* Whoever still watches hears that it is over. */
void job_entry_free(job_entry *entry) {
    LOAM_ASSERT(entry->magic == JOB_MAGIC && entry->flying == 0);
    table_unlink(entry);
    dismiss_watchers(entry);
    if (entry->owner != NULL) {
        owner_end_job(entry->owner);
    }
    revision_release(entry->table->flow->worlds, entry->revision);
    job_reading_destroy(entry->reading);
    buffer_fini(&entry->problems);
    buffer_fini(&entry->sent_problems);
    job_funnel_fini(entry);
    free(entry->finished_bits);
    free(entry->again);
    job_rows_free(entry->gathering);
    job_rows_free(entry->committing);
    free(entry->key_list);
    free(entry->present);
    entry->magic = 0;
    free(entry);
}

static bool entry_fill(job_entry *entry, const job_row *row) {
    entry->total = job_task_count(&entry->reading->job);
    entry->state = job_state_find(row->state);
    entry->created_ms = row->created_ms;
    entry->started_ms = row->started_ms;
    entry->evicted = row->evicted;
    entry->finished_bits = calloc(entry->total / 64 + 1, sizeof(uint64_t));
    entry->again = calloc(entry->table->flying_max, sizeof(uint64_t));
    entry->gathering = calloc(1, sizeof(job_rows));
    entry->committing = calloc(1, sizeof(job_rows));
    buffer_init(&entry->problems, JOB_PROBLEMS_BYTES_MAX);
    buffer_init(&entry->sent_problems, JOB_PROBLEMS_BYTES_MAX);
    return entry->finished_bits != NULL && entry->again != NULL && entry->gathering != NULL &&
           entry->committing != NULL;
}

job_entry *job_table_add(job_table *table, job_reading *reading, const job_row *row, bool fresh) {
    job_entry *entry = job_table_find(table, loam_text_of(reading->job.id));
    if (entry != NULL) {
        job_reading_destroy(reading);
        return entry;
    }
    entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        job_reading_destroy(reading);
        return NULL;
    }
    entry->magic = JOB_MAGIC;
    entry->table = table;
    entry->reading = reading;
    table_link(table, entry);
    if (reading->built != NULL) {
        entry->revision = world_table_add(table->flow->worlds, reading->built, reading->epoch);
        reading->built = NULL;
    }
    if (!entry_fill(entry, row)) {
        job_entry_free(entry);
        return NULL;
    }
    if (!fresh) {
        job_entry_load(entry);
    }
    job_table_pump(table);
    return entry;
}

loam_text job_output_name(const job_entry *entry, uint64_t index) {
    const job *of = &entry->reading->job;
    return entry->revision->world.graph.outputs[of->outputs[index / of->cell_count]].name;
}

/* ---- What clients do ------------------------------------------------------------------------ */

static loam_status refuse_state(const job_entry *entry, const char *what, loam_error *error) {
    return loam_fail(error, LOAM_BAD_STATE, NULL, "a job that is %s cannot be %s",
                     job_state_name(entry->state), what);
}

loam_status job_entry_cancel(job_entry *entry, loam_error *error) {
    if (entry->state > JOB_PAUSED) {
        return refuse_state(entry, "cancelled", error);
    }
    entry->state = JOB_CANCELLED;
    entry->finished_ms = time_now_ms();
    job_entry_stop(entry);
    entry->commit_due = true;
    job_entry_commit(entry);
    return LOAM_OK;
}

loam_status job_entry_pause(job_entry *entry, loam_error *error) {
    if (entry->state > JOB_PAUSED) {
        return refuse_state(entry, "paused", error);
    }
    entry->state = JOB_PAUSED;
    entry->commit_due = true;
    job_entry_commit(entry);
    return LOAM_OK;
}

loam_status job_entry_resume(job_entry *entry, loam_error *error) {
    if (entry->state > JOB_PAUSED) {
        return refuse_state(entry, "resumed", error);
    }
    if (entry->state == JOB_PAUSED) {
        entry->state = JOB_QUEUED;
        entry->run_start_ms = 0;
        entry->commit_due = true;
        job_entry_commit(entry);
        job_table_pump(entry->table);
    }
    return LOAM_OK;
}

job_state job_entry_state(const job_entry *entry) {
    return entry->state;
}

bool job_entry_is_loading(const job_entry *entry) {
    return entry->loading;
}

uint64_t job_entry_due_commit(const job_entry *entry) {
    return entry->commits_begun + entry->commit_due;
}

uint64_t job_entry_last_commit(const job_entry *entry) {
    return entry->commits_ended;
}

void job_watch(job_entry *entry, job_watcher *watcher) {
    watcher->entry = entry;
    watcher->previous = NULL;
    watcher->next = entry->watchers;
    if (watcher->next != NULL) {
        watcher->next->previous = watcher;
    }
    entry->watchers = watcher;
}

void job_unwatch(job_watcher *watcher) {
    if (watcher->entry == NULL) {
        return;
    }
    *(watcher->previous == NULL ? &watcher->entry->watchers : &watcher->previous->next) =
        watcher->next;
    if (watcher->next != NULL) {
        watcher->next->previous = watcher->previous;
    }
    watcher->entry = NULL;
}

job_row job_entry_row(const job_entry *entry) {
    const job *of = &entry->reading->job;
    return (job_row){
        .id = loam_text_of(of->id),
        .request_key = digest_of_domain(DIGEST_DOMAIN_JOB, of->canonical.bytes, of->canonical.size),
        .request = of->canonical,
        .world = of->world,
        .revision = of->revision,
        .state = loam_text_of(job_state_name(entry->state)),
        .total = entry->total,
        .done = entry->done,
        .cached = entry->cached,
        .failed = entry->failed,
        .evicted = entry->evicted,
        .created_ms = entry->created_ms,
        .started_ms = entry->started_ms,
        .finished_ms = entry->finished_ms,
        .priority = of->priority,
        .keep = of->keep,
        .problems = buffer_view(&entry->problems)};
}

uint64_t job_entry_rate_q10(const job_entry *entry) {
    return entry->rate_q10;
}

uint64_t job_entry_eta_s(const job_entry *entry) {
    uint64_t left = entry->total - entry->done - entry->failed;
    return entry->rate_q10 == 0 ? 0 : (left * 1024 + entry->rate_q10 - 1) / entry->rate_q10;
}
