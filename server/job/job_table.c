/* SPDX-License-Identifier: MIT
 *
 * job_table.c: jobs coming and going. See job_table.h.
 */
#include "server/job/job_table.h"

#include "server/job/job_entry.h"
#include "server/watch/metrics.h"

#include <stdlib.h>

/* Cells in the air for each worker: one at work, others at the store or on their way. A cell waits
 * 5 to 10 ms for its group to be on the disk, and the least takes 0.2 ms of a worker. */
enum { FLYING_PER_WORKER = 32 };

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

static void reread_over(void *context) {
    job_table *table = context;
    table->rereading = false;
    job_pages_read_again(table);
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
    table->reread = loop_timer_create(flow->loop, reread_over, table);
    if (table->pause == NULL || table->reread == NULL || !make_tasks(table)) {
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
    loop_timer_destroy(table->reread);
    free(table->task_memory);
    free(table);
}

bool job_table_is_idle(const job_table *table) {
    return table->flying == 0 && table->busy == 0 && table->revival == NULL;
}

void job_table_drain(job_table *table) {
    table->draining = true;
    loop_timer_stop(table->pause);
    loop_timer_stop(table->reread);
    job_pages_leave(table);
    job_revival_drain(table->revival);
    for (job_entry *entry = table->first; entry != NULL; entry = entry->next) {
        job_dismiss_watchers(entry);
        job_entry_stop(entry, true);
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

/* ---- Coming and going
 * -------------------------------------------------------------------------------- */

void job_table_link(job_entry *entry) {
    job_table *table = entry->table;
    entry->previous = table->last;
    *(table->last == NULL ? &table->first : &table->last->next) = entry;
    table->last = entry;
    metric_add(METRIC_JOBS_ACTIVE, 1);
}

void job_table_unlink(job_entry *entry) {
    job_table *table = entry->table;
    *(entry->previous == NULL ? &table->first : &entry->previous->next) = entry->next;
    *(entry->next == NULL ? &table->last : &entry->next->previous) = entry->previous;
    metric_add(METRIC_JOBS_ACTIVE, -1);
}

job_entry *job_table_add(job_table *table, job_reading *reading, const job_row *row, bool fresh) {
    job_entry *entry = job_table_find(table, loam_text_of(reading->job.id));
    if (entry != NULL) {
        job_reading_destroy(reading);
        return entry;
    }
    entry = job_entry_create(table, reading, row);
    if (entry == NULL) {
        return NULL;
    }
    if (!fresh) {
        job_entry_load(entry);
    }
    job_table_pump(table);
    return entry;
}
