/* SPDX-License-Identifier: MIT
 *
 * job_entry.c: one job in memory: made of its request and its row, changed by what clients do, and
 * freed after its last commit. See job_table.h and, from within, job_entry.h.
 */
#include "server/job/job_entry.h"

#include "core/base/assert.h"
#include "server/slot/reply.h"
#include "server/token/token_table.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Coming and going ----------------------------------------------------------------------- */

/* By the id that its row has: whoever shows a token of it now is the same one. */
static void find_owner(job_entry *entry, loam_text id) {
    const token_table *tokens = entry->table->flow->tokens;
    snprintf(entry->owner_id, sizeof entry->owner_id, "%.*s", (int)id.size, id.bytes);
    entry->owner = tokens == NULL || id.size == 0 ? NULL : token_table_find_id(tokens, id);
    if (entry->owner != NULL) {
        owner_begin_job(entry->owner);
    }
}

static bool entry_fill(job_entry *entry, const job_row *row) {
    entry->total = job_task_count(&entry->reading->job);
    entry->state = job_state_find(row->state);
    entry->waiting_since_ms = loop_now_ms();
    entry->created_ms = row->created_ms;
    entry->started_ms = row->started_ms;
    entry->finished_ms = row->finished_ms;
    entry->evicted = row->evicted;
    entry->row_done = row->done;
    entry->row_cached = row->cached;
    entry->row_failed = row->failed;
    entry->evictions = store_statistics_read(entry->table->flow->store).evicted;
    find_owner(entry, row->owner);
    entry->finished_bits = calloc(entry->total / 64 + 1, sizeof(uint64_t));
    entry->again = calloc(JOB_AGAIN_MAX, sizeof(uint64_t));
    entry->gathering = calloc(1, sizeof(job_rows));
    entry->committing = calloc(1, sizeof(job_rows));
    buffer_init(&entry->problems, JOB_PROBLEMS_BYTES_MAX);
    buffer_init(&entry->sent_problems, JOB_PROBLEMS_BYTES_MAX);
    return entry->finished_bits != NULL && entry->again != NULL && entry->gathering != NULL &&
           entry->committing != NULL && job_pins_open(entry);
}

job_entry *job_entry_create(job_table *table, job_reading *reading, const job_row *row) {
    job_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        job_reading_destroy(reading);
        return NULL;
    }
    entry->magic = JOB_MAGIC;
    entry->table = table;
    entry->reading = reading;
    job_table_link(entry);
    if (reading->built != NULL) {
        entry->revision = world_table_add(table->flow->worlds, reading->built, reading->epoch);
        reading->built = NULL;
    }
    if (!entry_fill(entry, row)) {
        job_entry_free(entry);
        return NULL;
    }
    return entry;
}

/* Whoever still watches hears that it is over. */
void job_entry_free(job_entry *entry) {
    LOAM_ASSERT(entry->magic == JOB_MAGIC && entry->flying == 0);
    job_table_unlink(entry);
    job_dismiss_watchers(entry);
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
    job_pins_close(entry);
    entry->magic = 0;
    free(entry);
}

loam_text job_entry_world(const job_entry *entry) {
    return entry->reading->job.world;
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
    job_entry_stop(entry, true);
    entry->commit_due = true;
    job_entry_commit(entry);
    return LOAM_OK;
}

loam_status job_entry_pause(job_entry *entry, loam_error *error) {
    if (entry->state > JOB_PAUSED) {
        return refuse_state(entry, "paused", error);
    }
    entry->state = JOB_PAUSED;
    job_entry_stop(entry, false);
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
        entry->waiting_since_ms = loop_now_ms();
        entry->commit_due = true;
        job_entry_settle(entry); /* its last task may have landed while it was paused */
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

uint64_t job_entry_commits_failed(const job_entry *entry) {
    return entry->commits_failed;
}

const loam_error *job_entry_commit_error(const job_entry *entry) {
    return &entry->commit_error;
}

/* ---- What it is ------------------------------------------------------------------------------ */

loam_text job_output_name(const job_entry *entry, uint64_t index) {
    const job *of = &entry->reading->job;
    return entry->revision->world.graph.outputs[of->outputs[index / of->cell_count]].name;
}

job_row job_entry_row(const job_entry *entry) {
    const job *of = &entry->reading->job;
    bool known = !entry->loading || entry->counting;
    return (job_row){.id = loam_text_of(of->id),
                     .request_key = of->key,
                     .request = of->canonical,
                     .world = of->world,
                     .revision = of->revision,
                     .state = loam_text_of(job_state_name(entry->state)),
                     .total = entry->total,
                     .done = known ? entry->done : entry->row_done,
                     .cached = known ? entry->cached : entry->row_cached,
                     .failed = known ? entry->failed : entry->row_failed,
                     .evicted = entry->evicted,
                     .created_ms = entry->created_ms,
                     .started_ms = entry->started_ms,
                     .finished_ms = entry->finished_ms,
                     .priority = of->priority,
                     .keep = of->keep,
                     .problems = buffer_view(&entry->problems),
                     .owner = loam_text_of(entry->owner_id)};
}

uint64_t job_entry_rate_q10(const job_entry *entry) {
    return entry->rate_q10;
}

uint64_t job_entry_eta_s(const job_entry *entry) {
    uint64_t left = entry->total - entry->done - entry->failed;
    return entry->rate_q10 == 0 ? 0 : (left * 1024 + entry->rate_q10 - 1) / entry->rate_q10;
}
