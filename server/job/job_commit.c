/* SPDX-License-Identifier: MIT
 *
 * job_commit.c: a job's rows and counts on their way into the store. One commit at a time for each
 * job: what lands meanwhile gathers for the next, so that groups grow with the load. A result is in
 * the cache, on the disk, before its row is written here.
 *
 * Invariant: a job's end is told only after its last commit.
 */
#include "server/job/job_entry.h"

#include "core/base/assert.h"
#include "server/cell/verdict.h"
#include "server/slot/reply.h"
#include "server/watch/log.h"

#include <stdlib.h>

/* ---- Gathering ------------------------------------------------------------------------------ */

static void clear_rows(job_rows *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        free((char *)(uintptr_t)rows->rows[i].reasons.bytes);
    }
    rows->count = 0;
}

void job_rows_free(job_rows *rows) {
    if (rows != NULL) {
        clear_rows(rows);
        free(rows);
    }
}

void job_entry_add_row(job_entry *entry, const task_row *row) {
    LOAM_ASSERT(entry->gathering->count < JOB_ROWS_MAX);
    entry->gathering->rows[entry->gathering->count++] = *row;
    entry->commit_due = true;
}

void job_problem_begin(job_entry *entry) {
    text_buffer *to = &entry->problems;
    if (to->size > 0) {
        to->size--; /* the end of the array */
    } else {
        buffer_open_array(to);
    }
    buffer_open_object(to);
}

void job_problem_end(job_entry *entry) {
    buffer_close_object(&entry->problems);
    buffer_close_array(&entry->problems);
}

/* What checks found, and whether the cell is served all the same. */
static void write_reasons(const job_entry *entry, const blob *verdict, text_buffer *to) {
    buffer_key(to, "mode");
    buffer_string(to, entry->revision->world.check_warns ? "warn" : "fail");
    buffer_key(to, "reasons");
    buffer_json(to, verdict_reasons(verdict));
}

static void write_cell(const job_entry *entry, uint64_t index, text_buffer *to) {
    job_cell cell = job_cell_at(&entry->reading->job, index);
    buffer_key(to, "output");
    buffer_string_text(to, job_output_name(entry, index));
    buffer_key(to, "level");
    buffer_unsigned(to, entry->reading->job.level);
    buffer_key(to, "cell");
    buffer_open_array(to);
    buffer_integer(to, cell.x);
    buffer_integer(to, cell.z);
    buffer_close_array(to);
}

static void write_dungeon(const job_entry *entry, uint64_t index, text_buffer *to) {
    buffer_key(to, "dungeon");
    buffer_unsigned(to, index);
    buffer_key(to, "build_key");
    buffer_digest(to, &entry->reading->job.dungeons[index]);
}

void job_entry_add_problem(job_entry *entry, uint64_t index, const loam_error *error,
                           const blob *verdict) {
    text_buffer *to = &entry->problems;
    entry->commit_due = true;
    if (entry->problem_count++ >= JOB_PROBLEMS_MAX) {
        return;
    }
    job_problem_begin(entry);
    if (entry->reading->job.dungeons != NULL) {
        write_dungeon(entry, index, to);
    } else {
        write_cell(entry, index, to);
    }
    buffer_key(to, "code");
    buffer_string(to, loam_status_code(error->status));
    buffer_key(to, "detail");
    buffer_string(to, error->text);
    if (verdict != NULL && error->status == LOAM_CHECK_FAILED) {
        write_reasons(entry, verdict, to);
    }
    job_problem_end(entry);
}

/* ---- Committing ----------------------------------------------------------------------------- */

static void measure_rate(job_entry *entry) {
    uint64_t elapsed_ms = loop_now_ms() - entry->run_start_ms;
    /* Results that are lost again count back, behind where the run began too. */
    if (entry->run_start_ms != 0 && elapsed_ms > 0 && entry->done >= entry->run_done) {
        entry->rate_q10 = (entry->done - entry->run_done) * 1024 * 1000 / elapsed_ms;
    }
}

static void log_end_of(const job_entry *entry) {
    log_line line;
    log_begin(&line, LOG_INFO, "job");
    log_string(&line, "id", entry->reading->job.id);
    log_string(&line, "state", job_state_name(entry->state));
    log_number(&line, "done", (int64_t)entry->done);
    log_number(&line, "cached", (int64_t)entry->cached);
    log_number(&line, "failed", (int64_t)entry->failed);
    log_end(&line);
}

static void log_failed_commit(const job_entry *entry) {
    log_line line;
    log_begin(&line, LOG_ERROR, "job-not-committed");
    log_string(&line, "id", entry->reading->job.id);
    log_error(&line, &entry->control.base.error);
    log_end(&line);
}

/* Rows that will not come into the store are no results of the job. */
static void forget_rows(job_entry *entry, job_rows *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        bool failed = loam_text_equal(rows->rows[i].status, loam_text_of(JOB_TASK_FAILED));
        entry->failed -= failed;
        entry->done -= !failed;
        entry->cached -= rows->rows[i].cached;
    }
    clear_rows(rows);
}

static void write_refusal(job_entry *entry, const loam_error *error) {
    job_problem_begin(entry);
    buffer_key(&entry->problems, "code");
    buffer_string(&entry->problems, loam_status_code(error->status));
    buffer_key(&entry->problems, "detail");
    buffer_string(&entry->problems, error->text);
    job_problem_end(entry);
}

void job_entry_fail(job_entry *entry, const loam_error *error) {
    job_entry_stop(entry, true);
    forget_rows(entry, entry->gathering);
    write_refusal(entry, error);
    entry->state = entry->state == JOB_CANCELLED ? JOB_CANCELLED : JOB_FAILED;
    entry->finished_ms = time_now_ms();
    entry->commit_due = true;
}

/* What is refused for good would be so for ever. When not even that can be said, the job is as the
 * store has it, for the next start. */
static void commit_refused(job_entry *entry) {
    loam_error error = entry->control.base.error;
    entry->commit_again = false;
    entry->commit_due = false;
    forget_rows(entry, entry->committing);
    if (!entry->refused) {
        entry->refused = true;
        job_entry_fail(entry, &error);
        job_entry_commit(entry);
    }
}

/* A full disk is tried again: what has landed is in the cache, and its rows wait. */
static void commit_failed(job_entry *entry) {
    log_failed_commit(entry);
    entry->commits_failed++;
    entry->commit_error = entry->control.base.error;
    if (!job_fault_passes(entry->control.base.error.status)) {
        commit_refused(entry);
        return;
    }
    entry->commit_again = true;
    entry->commit_due = true;
    job_table_pause(entry->table, JOB_DISK_PAUSE_MS);
}

static void commit_succeeded(job_entry *entry) {
    clear_rows(entry->committing);
    entry->commit_again = false;
    entry->commits_ended = entry->commits_begun;
    measure_rate(entry);
    job_entry_settle(entry);
}

static void committed(loop_task *posted) {
    job_entry *entry = (job_entry *)((char *)posted - offsetof(job_entry, posted));
    LOAM_ASSERT(entry->magic == JOB_MAGIC);
    job_table *table = entry->table;
    control_result_fini(&entry->control.result);
    entry->commit_under_way = false;
    table->busy--;
    if (entry->control.base.error.status != LOAM_OK) {
        commit_failed(entry);
    } else {
        commit_succeeded(entry);
    }
    if (job_entry_is_over(entry)) {
        log_end_of(entry);
        job_entry_free(entry);
    } else {
        job_tell_watchers(entry);
    }
    job_table_pump(table);
}

static void commit_done(void *context) {
    job_entry *entry = context;
    entry->posted.run = committed;
    loop_post(entry->table->flow->loop, &entry->posted);
}

/* What a commit lends the store until it is done must not change: rows are swapped away, problems
 * copied. */
static void gather_fresh(job_entry *entry) {
    job_rows *rows = entry->gathering;
    entry->gathering = entry->committing;
    entry->committing = rows;
    buffer_clear(&entry->sent_problems);
    buffer_add(&entry->sent_problems, entry->problems.bytes, entry->problems.size);
    entry->control.job = job_entry_row(entry);
    entry->control.job.problems = buffer_view(&entry->sent_problems);
    entry->commits_begun++;
}

/* One that goes again says what it said: the state and the counts of now would stand beside rows
 * that are not yet there. What has come since is due after it. */
static void gather_commit(job_entry *entry) {
    if (!entry->commit_again) {
        gather_fresh(entry);
    }
    entry->control = (control_request){.base = {.done = commit_done, .context = entry},
                                       .operation = CONTROL_JOB_UPDATE,
                                       .job = entry->control.job,
                                       .tasks = entry->committing->rows,
                                       .task_count = entry->committing->count};
    entry->commit_due = entry->commit_again;
}

static void fail_commit(job_entry *entry, loam_status status) {
    loam_fail(&entry->control.base.error, status, NULL, "%s", loam_status_text(status));
    commit_done(entry);
}

static void send_commit(job_entry *entry) {
    loam_status status = store_control(entry->table->flow->store, &entry->control);
    if (status != LOAM_OK) {
        fail_commit(entry, status);
    }
}

static void rows_pinned(loop_task *posted) {
    job_entry *entry = (job_entry *)((char *)posted - offsetof(job_entry, posted));
    LOAM_ASSERT(entry->magic == JOB_MAGIC);
    if (entry->pinning.base.error.status != LOAM_OK) {
        fail_commit(entry, entry->pinning.base.error.status);
        return;
    }
    job_drop_lost_rows(entry);
    send_commit(entry);
}

void job_entry_commit(job_entry *entry) {
    if (!entry->commit_due || entry->commit_under_way) {
        return;
    }
    gather_commit(entry);
    entry->commit_under_way = true;
    entry->table->busy++;
    if (entry->pins != NULL && entry->committing->count > 0) {
        job_pin_rows(entry, rows_pinned);
    } else {
        send_commit(entry);
    }
}

bool job_entry_is_over(const job_entry *entry) {
    return entry->state > JOB_PAUSED && entry->flying == 0 && !entry->loading &&
           !entry->commit_due && !entry->commit_under_way;
}

/* What a job that is not kept has built may have pushed out what it built before; and what it had
 * lost may be there again. */
static bool may_have_lost(const job_entry *entry) {
    uint64_t evictions = store_statistics_read(entry->table->flow->store).evicted;
    bool changed = evictions != entry->evictions || entry->evicted > 0;
    return changed && !entry->reading->job.keep && !entry->counted;
}

static bool is_done(const job_entry *entry) {
    bool active = entry->state == JOB_QUEUED || entry->state == JOB_RUNNING;
    return active && !entry->loading && entry->flying == 0 &&
           entry->done + entry->failed == entry->total;
}

static void end_entry(job_entry *entry) {
    entry->state = entry->failed == 0 ? JOB_SUCCEEDED : JOB_FAILED;
    entry->finished_ms = time_now_ms();
    entry->commit_due = true;
    job_funnel_tell(entry);
}

/* Called when a task has landed, a load or a commit has ended. Rows are counted when all of them
 * are in the store. */
void job_entry_settle(job_entry *entry) {
    bool committed_all = !entry->commit_due && !entry->commit_under_way;
    if (is_done(entry) && !may_have_lost(entry)) {
        end_entry(entry);
    } else if (is_done(entry) && committed_all && !entry->table->draining) {
        job_entry_count_lost(entry);
    }
    job_entry_commit(entry);
}
