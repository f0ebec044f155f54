/* SPDX-License-Identifier: MIT
 *
 * job_cell.c: a cell of a job: it flies like that of any request (cell_flight.h) and lands when its
 * result is on the disk. The first ones also tell where points are lost (job_funnel.c).
 */
#include "server/job/job_entry.h"

#include "server/cell/verdict.h"
#include "server/watch/metrics.h"

/* It is served, and counts as done: the job says what was wrong with it. */
static void note_warning(job_entry *entry, uint64_t index, const blob *verdict) {
    loam_text detail = verdict_detail(verdict);
    if (detail.size > 0) {
        loam_error error = {0};
        loam_fail(&error, LOAM_CHECK_FAILED, NULL, "%.*s", (int)detail.size, detail.bytes);
        job_entry_add_problem(entry, index, &error, verdict);
    }
}

static void note_result(job_entry *entry, uint64_t index, const flight_landing *landing) {
    const job *of = &entry->reading->job;
    job_cell cell = job_cell_at(of, index);
    task_row row = {.output = job_output_name(entry, index),
                    .level = of->level,
                    .x = cell.x,
                    .z = cell.z,
                    .build_key = landing->key,
                    .digest = landing->blob->digest,
                    .count = loam_cell_count(landing->blob->bytes, landing->blob->size),
                    .bytes = landing->blob->size,
                    .cached = landing->origin == ORIGIN_STORED};
    metric_add(METRIC_JOB_CELLS, 1);
    job_note_result(entry, index, &row);
    note_warning(entry, index, landing->verdict);
}

static void cell_landed(flight_waiter *waiter, const flight_landing *landing) {
    job_task *task = (job_task *)((char *)waiter - offsetof(job_task, waiter));
    job_entry *entry = task->entry;
    if (landing->trace != NULL && landing->error->status == LOAM_OK) {
        job_funnel_add(entry, landing->trace);
    } else {
        entry->funnel_asked -= task->traced; /* it was there: another one tells */
    }
    if (landing->error->status == LOAM_OK) {
        note_result(entry, task->index, landing);
    } else {
        job_note_failure(entry, task->index,
                         &(job_failure){.error = landing->error,
                                        .verdict = landing->verdict,
                                        .of_store = landing->unstored});
    }
    job_task_end(task);
}

void job_cell_start(job_task *task) {
    job_entry *entry = task->entry;
    const job *of = &entry->reading->job;
    job_cell cell = job_cell_at(of, task->index);
    cell_wish wish = {.revision = entry->revision,
                      .place = {.revision = entry->revision->serial,
                                .x = cell.x,
                                .z = cell.z,
                                .output = of->outputs[task->index / of->cell_count],
                                .level = of->level}};
    loam_error error = {0};
    if (world_cell(&entry->revision->world, of->level, cell.x, cell.z, &wish.rect, &error) !=
        LOAM_OK) {
        job_note_failure(entry, task->index, &(job_failure){.error = &error});
        job_task_end(task);
        return;
    }
    task->traced = entry->funnel_asked < JOB_FUNNEL_CELLS;
    task->waiter = (flight_waiter){.batch = true,
                                   .stored = true,
                                   .traced = task->traced,
                                   .landed = cell_landed,
                                   .payer = entry->owner};
    entry->funnel_asked += task->traced;
    cell_join(entry->table->flow, &wish, &task->waiter);
}
