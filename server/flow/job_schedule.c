/* SPDX-License-Identifier: MIT
 *
 * job_schedule.c: which cells fly next, and what happens when one lands. The number in the air is
 * bounded over all jobs; the most urgent job comes first, among equals the one with fewest in the
 * air. A full queue is tried again a little later.
 */
#include "server/flow/job_entry.h"

#include "core/base/assert.h"
#include "server/cell/verdict.h"
#include "server/slot/reply.h"
#include "server/watch/metrics.h"

/* A full queue turns over in about that time. */
enum { FULL_PAUSE_MS = 50 };

static bool has_cells(job_entry *entry) {
    if (entry->again_count > 0) {
        return true;
    }
    while (entry->next_index < entry->total && job_cell_is_finished(entry, entry->next_index)) {
        entry->next_index++;
    }
    return entry->next_index < entry->total;
}

static bool may_start(job_entry *entry) {
    bool active = entry->state == JOB_QUEUED || entry->state == JOB_RUNNING;
    bool room = entry->gathering->count + entry->flying < JOB_ROWS_MAX;
    return active && !entry->loading && room && has_cells(entry);
}

static job_entry *choose_entry(job_table *table) {
    job_entry *best = NULL;
    for (job_entry *entry = table->first; entry != NULL; entry = entry->next) {
        if (!may_start(entry)) {
            continue;
        }
        uint32_t priority = entry->reading->job.priority;
        uint32_t best_priority = best == NULL ? 0 : best->reading->job.priority;
        if (best == NULL || priority > best_priority ||
            (priority == best_priority && entry->flying < best->flying)) {
            best = entry;
        }
    }
    return best;
}

static void task_free(job_task *task) {
    job_entry *entry = task->entry;
    *(task->previous == NULL ? &entry->tasks : &task->previous->next) = task->next;
    if (task->next != NULL) {
        task->next->previous = task->previous;
    }
    entry->flying--;
    entry->table->flying--;
    task->next = entry->table->free_tasks;
    entry->table->free_tasks = task;
}

static job_task *task_take(job_entry *entry, uint64_t index) {
    job_table *table = entry->table;
    job_task *task = table->free_tasks;
    table->free_tasks = task->next;
    *task = (job_task){.entry = entry, .index = index, .next = entry->tasks};
    if (task->next != NULL) {
        task->next->previous = task;
    }
    entry->tasks = task;
    entry->flying++;
    table->flying++;
    return task;
}

/* ---- Landing -------------------------------------------------------------------------------- */

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
    bool stored = landing->origin == ORIGIN_STORED;
    entry->done++;
    entry->cached += stored;
    job_cell_set_finished(entry, index);
    metric_add(METRIC_JOB_CELLS, 1);
    job_entry_add_row(
        entry, &(task_row){.n = ++entry->row_number,
                           .output = job_output_name(entry, index),
                           .level = of->level,
                           .x = cell.x,
                           .z = cell.z,
                           .build_key = landing->key,
                           .digest = landing->blob->digest,
                           .count = loam_cell_count(landing->blob->bytes, landing->blob->size),
                           .bytes = landing->blob->size,
                           .cached = stored});
    note_warning(entry, index, landing->verdict);
}

/* What no fault of the cell has stopped is done again. */
static bool is_passing(loam_status status) {
    return status == LOAM_OVERLOADED || status == LOAM_CANCELLED || status == LOAM_SHUTTING_DOWN;
}

static void note_failure(job_entry *entry, uint64_t index, const loam_error *error,
                         const blob *verdict) {
    if (is_passing(error->status)) {
        entry->again[entry->again_count++] = index;
        job_table_pause(entry->table, FULL_PAUSE_MS);
        return;
    }
    entry->failed++;
    job_cell_set_finished(entry, index);
    job_entry_add_problem(entry, index, error, verdict);
}

static void task_landed(flight_waiter *waiter, const flight_landing *landing) {
    job_task *task = (job_task *)((char *)waiter - offsetof(job_task, waiter));
    job_entry *entry = task->entry;
    job_table *table = entry->table;
    uint64_t index = task->index;
    LOAM_ASSERT(entry->magic == JOB_MAGIC);
    if (landing->trace != NULL && landing->error->status == LOAM_OK) {
        job_funnel_add(entry, landing->trace);
    } else {
        entry->funnel_asked -= task->traced; /* it was there: another one tells */
    }
    task_free(task);
    if (landing->error->status == LOAM_OK) {
        note_result(entry, index, landing);
    } else {
        note_failure(entry, index, landing->error, landing->verdict);
    }
    job_entry_settle(entry);
    job_table_pump(table);
}

/* ---- Starting ------------------------------------------------------------------------------- */

static uint64_t take_index(job_entry *entry) {
    return entry->again_count > 0 ? entry->again[--entry->again_count] : entry->next_index++;
}

static void note_start(job_entry *entry) {
    if (entry->run_start_ms == 0) {
        entry->run_start_ms = loop_now_ms();
        entry->run_done = entry->done;
    }
    if (entry->state == JOB_QUEUED) {
        entry->state = JOB_RUNNING;
        entry->started_ms = entry->started_ms == 0 ? time_now_ms() : entry->started_ms;
        entry->commit_due = true;
        job_entry_commit(entry);
    }
}

static void start_cell(job_entry *entry) {
    const job *of = &entry->reading->job;
    uint64_t index = take_index(entry);
    job_cell cell = job_cell_at(of, index);
    cell_wish request = {.revision = entry->revision,
                         .place = {.revision = entry->revision->serial,
                                   .x = cell.x,
                                   .z = cell.z,
                                   .output = of->outputs[index / of->cell_count],
                                   .level = of->level}};
    loam_error error = {0};
    if (world_cell(&entry->revision->world, of->level, cell.x, cell.z, &request.rect, &error) !=
        LOAM_OK) {
        note_failure(entry, index, &error, NULL);
        job_entry_settle(entry);
        return;
    }
    job_task *task = task_take(entry, index);
    task->waiter = (flight_waiter){.batch = true,
                                   .stored = true,
                                   .traced = entry->funnel_asked < JOB_FUNNEL_CELLS,
                                   .landed = task_landed};
    task->traced = task->waiter.traced;
    entry->funnel_asked += task->traced;
    cell_join(entry->table->flow, &request, &task->waiter);
}

void job_table_pause(job_table *table, uint64_t milliseconds) {
    table->paused = true;
    if (!table->draining) {
        loop_timer_start(table->pause, milliseconds, 0);
    }
}

/* A cell that lands at once comes back here while this runs; it is looked at anew each time. */
void job_table_pump(job_table *table) {
    if (table->pumping) {
        return;
    }
    table->pumping = true;
    while (!table->draining && !table->paused && table->flying < table->flying_max) {
        job_entry *entry = choose_entry(table);
        if (entry == NULL) {
            break;
        }
        note_start(entry);
        start_cell(entry);
    }
    table->pumping = false;
}

void job_entry_stop(job_entry *entry) {
    while (entry->tasks != NULL) {
        job_task *task = entry->tasks;
        flight_leave(&task->waiter, false);
        entry->funnel_asked -= task->traced;
        entry->again[entry->again_count++] = task->index;
        task_free(task);
    }
}
