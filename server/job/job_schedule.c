/* SPDX-License-Identifier: MIT
 *
 * job_schedule.c: which tasks fly next, and what is noted when one lands. The number in the air is
 * bounded over all jobs; whose turn it is says job_turn.h. A full queue is tried again a little
 * later. How a task flies: job_cell.c, job_dungeon.c.
 */
#include "server/job/job_entry.h"

#include "core/base/assert.h"
#include "server/job/job_turn.h"
#include "server/slot/reply.h"
#include "server/watch/metrics.h"

/* A job that was loaded may have a million tasks behind it: 64 at a time. */
static void skip_finished(job_entry *entry) {
    while (entry->next_index < entry->total && job_task_is_finished(entry, entry->next_index)) {
        uint64_t word = entry->finished_bits[entry->next_index / 64];
        bool whole = entry->next_index % 64 == 0 && word == UINT64_MAX;
        entry->next_index += whole ? 64 : 1;
    }
}

static bool has_tasks(job_entry *entry) {
    if (entry->again_count == 0) {
        skip_finished(entry);
    }
    return entry->again_count > 0 || entry->next_index < entry->total;
}

static bool may_start(job_entry *entry) {
    bool active = entry->state == JOB_QUEUED || entry->state == JOB_RUNNING;
    bool room = entry->gathering->count + entry->flying < JOB_ROWS_MAX;
    return active && !entry->loading && room && has_tasks(entry);
}

static job_turn turn_of(const job_entry *entry) {
    return (job_turn){.priority = entry->reading->job.priority,
                      .flying = entry->flying,
                      .since_ms = entry->waiting_since_ms};
}

static job_entry *choose_entry(job_table *table) {
    job_entry *best = NULL;
    job_turn best_turn = {0};
    uint64_t now_ms = loop_now_ms();
    for (job_entry *entry = table->first; entry != NULL; entry = entry->next) {
        if (!may_start(entry)) {
            continue;
        }
        job_turn turn = turn_of(entry);
        if (best == NULL || job_turn_before(&turn, &best_turn, now_ms)) {
            best = entry;
            best_turn = turn;
        }
    }
    return best;
}

static void task_unlink(job_task *task) {
    job_entry *entry = task->entry;
    *(task->previous == NULL ? &entry->tasks : &task->previous->next) = task->next;
    if (task->next != NULL) {
        task->next->previous = task->previous;
    }
    entry->flying--;
}

static void task_give_back(job_table *table, job_task *task) {
    table->flying--;
    task->next = table->free_tasks;
    table->free_tasks = task;
}

static job_task *task_take(job_entry *entry, uint64_t index) {
    job_table *table = entry->table;
    job_task *task = table->free_tasks;
    table->free_tasks = task->next;
    *task = (job_task){.table = table, .entry = entry, .index = index, .next = entry->tasks};
    if (task->next != NULL) {
        task->next->previous = task;
    }
    entry->tasks = task;
    entry->flying++;
    table->flying++;
    return task;
}

/* ---- Landing -------------------------------------------------------------------------------- */

void job_note_result(job_entry *entry, uint64_t index, task_row *row) {
    LOAM_ASSERT(!job_task_is_finished(entry, index));
    entry->done++;
    entry->cached += row->cached;
    job_task_set_finished(entry, index);
    row->n = ++entry->row_number;
    job_entry_add_row(entry, row);
}

void job_task_again(job_entry *entry, uint64_t index) {
    LOAM_ASSERT(entry->again_count < JOB_AGAIN_MAX);
    entry->again[entry->again_count++] = index;
}

bool job_fault_passes(loam_status status) {
    static const loam_status passing[] = {LOAM_STORAGE_FULL, LOAM_IO,         LOAM_LOCKED,
                                          LOAM_OVERLOADED,   LOAM_ARENA_FULL, LOAM_INTERNAL,
                                          LOAM_SHUTTING_DOWN};
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        if (status == passing[i]) {
            return true;
        }
    }
    return false;
}

/* What no fault of the task has stopped is done again, after that time; 0: it failed for good.
 * An asset that cannot be read is the task's fault: nobody knows that it will be read ever. */
static uint64_t pause_after(const job_failure *failure) {
    switch (failure->error->status) {
    case LOAM_OVERLOADED:
    case LOAM_CANCELLED:
    case LOAM_SHUTTING_DOWN:
        return JOB_QUEUE_PAUSE_MS;
    case LOAM_STORAGE_FULL:
        return JOB_DISK_PAUSE_MS;
    case LOAM_IO:
    case LOAM_LOCKED:
        return failure->of_store ? JOB_DISK_PAUSE_MS : 0;
    default:
        return 0;
    }
}

bool job_note_failure(job_entry *entry, uint64_t index, const job_failure *failure) {
    uint64_t pause_ms = pause_after(failure);
    if (pause_ms > 0) {
        job_task_again(entry, index);
        job_table_pause(entry->table, pause_ms);
        return false;
    }
    entry->failed++;
    job_task_set_finished(entry, index);
    job_entry_add_problem(entry, index, failure->error, failure->verdict);
    return true;
}

void job_task_end(job_task *task) {
    job_entry *entry = task->entry;
    job_table *table = task->table;
    LOAM_ASSERT(entry->magic == JOB_MAGIC);
    task_unlink(task);
    task_give_back(table, task);
    job_entry_settle(entry);
    job_table_pump(table);
}

void job_task_drop(job_task *task) {
    job_table *table = task->table;
    task_give_back(table, task);
    job_table_pump(table);
}

/* ---- Starting ------------------------------------------------------------------------------- */

static uint64_t take_index(job_entry *entry) {
    return entry->again_count > 0 ? entry->again[--entry->again_count] : entry->next_index++;
}

static void note_start(job_entry *entry) {
    entry->waiting_since_ms = loop_now_ms();
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

static void start_task(job_entry *entry) {
    job_task *task = task_take(entry, take_index(entry));
    if (entry->reading->job.dungeons != NULL) {
        job_dungeon_start(task);
    } else {
        job_cell_start(task);
    }
}

/* The longer one holds. */
void job_table_pause(job_table *table, uint64_t milliseconds) {
    uint64_t until_ms = loop_now_ms() + milliseconds;
    if (table->paused && until_ms <= table->paused_until_ms) {
        return;
    }
    table->paused = true;
    table->paused_until_ms = until_ms;
    if (!table->draining) {
        loop_timer_start(table->pause, milliseconds, 0);
    }
}

/* A task that lands at once comes back here while this runs; it is looked at anew each time. */
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
        start_task(entry);
    }
    table->pumping = false;
}

/* One that is parked comes back by itself, and is then nobody's. */
static void leave_task(job_task *task) {
    job_table *table = task->table;
    task_unlink(task);
    task->entry = NULL;
    if (!task->parked) {
        task_give_back(table, task);
    }
}

void job_entry_stop(job_entry *entry, bool all) {
    for (job_task *task = entry->tasks, *next = NULL; task != NULL; task = next) {
        next = task->next;
        if (!all && (task->blob != NULL || flight_is_storing(&task->waiter))) {
            continue;
        }
        flight_leave(&task->waiter, false);
        entry->funnel_asked -= task->traced;
        job_task_again(entry, task->index);
        leave_task(task);
    }
}
