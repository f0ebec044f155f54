/* SPDX-License-Identifier: MIT
 *
 * job_pin.c: results that a job keeps. Before rows go into the store, the results that they name
 * are pinned: until the job has ended, eviction leaves them alone, so that all of them are there
 * when it says that it has succeeded. One that was evicted in the moment between its landing and
 * its pin is taken out again and built anew.
 */
#include "server/job/job_entry.h"

#include <stdlib.h>

bool job_pins_open(job_entry *entry) {
    if (!entry->reading->job.keep) {
        return true;
    }
    entry->pins = store_pin_set_create(entry->table->flow->store);
    entry->pin_keys = calloc(JOB_ROWS_MAX, sizeof(digest));
    entry->pin_present = calloc(JOB_ROWS_MAX, sizeof(bool));
    return entry->pins != NULL && entry->pin_keys != NULL && entry->pin_present != NULL;
}

void job_pins_close(job_entry *entry) {
    store_pin_set_destroy(entry->table->flow->store, entry->pins);
    free(entry->pin_keys);
    free(entry->pin_present);
}

static void pin_done(void *context) {
    job_entry *entry = context;
    loop_post(entry->table->flow->loop, &entry->posted);
}

void job_pin_rows(job_entry *entry, void (*done)(loop_task *posted)) {
    const job_rows *rows = entry->committing;
    for (size_t i = 0; i < rows->count; i++) {
        entry->pin_keys[i] = rows->rows[i].build_key;
    }
    entry->posted.run = done;
    entry->pinning = (store_keys){.base = {.done = pin_done, .context = entry},
                                  .keys = entry->pin_keys,
                                  .count = rows->count,
                                  .present = entry->pin_present,
                                  .set = entry->pins};
    loam_status status = store_result_pin(entry->table->flow->store, &entry->pinning);
    if (status != LOAM_OK) {
        loam_fail(&entry->pinning.base.error, status, NULL, "%s", loam_status_text(status));
        pin_done(entry);
    }
}

static bool is_lost(const job_entry *entry, size_t at) {
    const task_row *row = &entry->committing->rows[at];
    return !entry->pin_present[at] && !loam_text_equal(row->status, loam_text_of(JOB_TASK_FAILED));
}

/* As if it had not landed, for the job and for the commit that was gathered. */
static void undo_row(job_entry *entry, task_row *row) {
    uint64_t index = 0;
    if (job_task_of_row(entry, row, &index)) {
        entry->finished_bits[index / 64] &= ~((uint64_t)1 << (index % 64));
        job_task_again(entry, index);
        entry->done--;
        entry->cached -= row->cached;
        entry->control.job.done--;
        entry->control.job.cached -= row->cached;
    }
    free((char *)(uintptr_t)row->reasons.bytes);
}

/* A job that has ended by these rows has not. */
static void reopen(job_entry *entry) {
    if (entry->state == JOB_SUCCEEDED || entry->state == JOB_FAILED) {
        entry->state = JOB_RUNNING;
        entry->finished_ms = 0;
    }
    if (entry->control.job.finished_ms != 0) {
        entry->control.job.state = loam_text_of(job_state_name(entry->state));
        entry->control.job.finished_ms = entry->finished_ms;
    }
}

void job_drop_lost_rows(job_entry *entry) {
    job_rows *rows = entry->committing;
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (is_lost(entry, i)) {
            undo_row(entry, &rows->rows[i]);
        } else {
            rows->rows[kept++] = rows->rows[i];
        }
    }
    if (kept < rows->count) {
        reopen(entry);
    }
    rows->count = kept;
    entry->control.task_count = kept;
}
