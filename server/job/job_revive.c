/* SPDX-License-Identifier: MIT
 *
 * job_revive.c: see job_revive.h. State by state, page by page, job by job: each request is read
 * again on a worker, against the revision that it names. One whose world is gone ends as failed and
 * says so. What stands in the way of others may pass: they are looked for again a while later, with
 * the daemon at work meanwhile.
 *
 * Invariant: a job is taken up by its row as the store has it in the moment that it comes into the
 * table; a client may have set it out, and ended it, since it was listed.
 */
#include "server/job/job_revive.h"

#include "core/base/assert.h"
#include "server/job/job_entry.h"
#include "server/slot/reply.h"
#include "server/watch/log.h"

#include <stdio.h>
#include <stdlib.h>

/* Rows of a list that are in memory at one time: each may have 128 KB of problems. */
enum { LIST_ROWS = 64 };
/* A full queue turns over in about that time. */
enum { QUEUE_PAUSE_MS = 50 };
/* Jobs left over are looked for again after the first, which doubles up to the second: what does
 * not pass soon should not fill the log. */
enum { AGAIN_PAUSE_MS = 1000, AGAIN_PAUSE_MS_MAX = 64000 };

struct job_revival {
    pool_task task; /* first: the task is the revival */
    flow_state *flow;
    job_state state; /* whose jobs are being taken up */
    control_request list;
    size_t index; /* in the list */
    char after[JOB_ID_BYTES];
    control_request row; /* of the job at hand */
    void (*asked)(job_revival *revival);
    loop_task posted;
    job_reading *reading;
    uint64_t epoch; /* of the worlds, when it was asked for */
    loam_error error;
    control_request verdict; /* of a job that cannot go on */
    text_buffer problems;
    loop_timer *pause;
    void (*rested)(job_revival *revival);
    bool resting; /* until the timer fires */
    bool left;    /* a job of this round could not be taken up: there will be another */
    uint64_t again_ms;
    void (*ready)(void *context); /* NULL once called */
    void *context;
};

static void revive_next(job_revival *revival);
static void list_jobs(job_revival *revival);

static job_revival *revival_of(loop_task *posted) {
    return (job_revival *)((char *)posted - offsetof(job_revival, posted));
}

/* Who is told may drain, which ends the revival: the last thing that is done. */
static void tell_ready(void (*ready)(void *context), void *context) {
    if (ready != NULL) {
        ready(context);
    }
}

static void revival_end(job_revival *revival) {
    void (*ready)(void *) = revival->ready;
    void *context = revival->context;
    revival->flow->jobs->revival = NULL;
    job_reading_destroy(revival->reading);
    control_result_fini(&revival->row.result);
    control_result_fini(&revival->list.result);
    buffer_fini(&revival->problems);
    loop_timer_destroy(revival->pause);
    free(revival);
    tell_ready(ready, context);
}

static void log_refusal(const char *what, const loam_error *error) {
    log_line line;
    log_begin(&line, LOG_ERROR, what);
    log_error(&line, error);
    log_end(&line);
}

/* ---- Pauses --------------------------------------------------------------------------------- */

static void pause_over(void *context) {
    job_revival *revival = context;
    revival->resting = false;
    revival->rested(revival);
}

static void rest(job_revival *revival, uint64_t milliseconds, void (*then)(job_revival *revival)) {
    revival->rested = then;
    revival->resting = true;
    loop_timer_start(revival->pause, milliseconds, 0);
}

void job_revival_drain(job_revival *revival) {
    if (revival != NULL && revival->resting) {
        revival_end(revival);
    }
}

/* ---- One job -------------------------------------------------------------------------------- */

static const job_row *current_row(const job_revival *revival) {
    return &revival->row.result.jobs[0];
}

static loam_text current_id(const job_revival *revival) {
    return revival->list.result.jobs[revival->index].id;
}

static void next_job(job_revival *revival) {
    control_result_fini(&revival->row.result);
    job_reading_destroy(revival->reading);
    revival->reading = NULL;
    revival->error = (loam_error){0};
    revival->index++;
    revive_next(revival);
}

/* What has stopped it may pass. */
static void leave_job(job_revival *revival, const loam_error *error) {
    log_refusal("job-not-revived", error);
    revival->left = true;
    next_job(revival);
}

static void row_asked(loop_task *posted) {
    job_revival *revival = revival_of(posted);
    if (revival->flow->draining) {
        revival_end(revival);
    } else if (revival->row.base.error.status != LOAM_OK) {
        leave_job(revival, &revival->row.base.error);
    } else {
        revival->asked(revival);
    }
}

static void ask_done(void *context) {
    job_revival *revival = context;
    revival->posted.run = row_asked;
    loop_post(revival->flow->loop, &revival->posted);
}

static void ask_row(job_revival *revival, void (*then)(job_revival *revival)) {
    control_result_fini(&revival->row.result);
    revival->asked = then;
    revival->row = (control_request){.base = {.done = ask_done, .context = revival},
                                     .operation = CONTROL_JOB_GET,
                                     .name = current_id(revival)};
    loam_status status = store_control(revival->flow->store, &revival->row);
    if (status != LOAM_OK) {
        loam_fail(&revival->row.base.error, status, NULL, "%s", loam_status_text(status));
        ask_done(revival);
    }
}

/* It has not ended, and nobody else has taken it up. */
static bool is_wanted(const job_revival *revival) {
    return job_state_find(current_row(revival)->state) <= JOB_PAUSED &&
           job_table_find(revival->flow->jobs, current_id(revival)) == NULL;
}

static void judged(loop_task *posted) {
    job_revival *revival = revival_of(posted);
    control_result_fini(&revival->verdict.result);
    if (revival->verdict.base.error.status != LOAM_OK) {
        leave_job(revival, &revival->verdict.base.error);
    } else {
        next_job(revival);
    }
}

static void judge_done(void *context) {
    job_revival *revival = context;
    revival->posted.run = judged;
    loop_post(revival->flow->loop, &revival->posted);
}

static void write_problem(job_revival *revival) {
    buffer_clear(&revival->problems);
    buffer_open_array(&revival->problems);
    buffer_open_object(&revival->problems);
    buffer_key(&revival->problems, "code");
    buffer_string(&revival->problems, loam_status_code(revival->error.status));
    buffer_key(&revival->problems, "detail");
    buffer_string(&revival->problems, revival->error.text);
    buffer_close_object(&revival->problems);
    buffer_close_array(&revival->problems);
}

/* The job ends as failed: its world is gone, or this build cannot read it. */
static void judge_failed(job_revival *revival) {
    log_refusal("job-not-revived", &revival->error);
    write_problem(revival);
    revival->verdict = (control_request){.base = {.done = judge_done, .context = revival},
                                         .operation = CONTROL_JOB_UPDATE,
                                         .job = *current_row(revival)};
    revival->verdict.job.state = loam_text_of(job_state_name(JOB_FAILED));
    revival->verdict.job.finished_ms = time_now_ms();
    revival->verdict.job.problems = buffer_view(&revival->problems);
    loam_status status = store_control(revival->flow->store, &revival->verdict);
    if (status != LOAM_OK) {
        loam_fail(&revival->verdict.base.error, status, NULL, "%s", loam_status_text(status));
        judge_done(revival);
    }
}

static void add_job(job_revival *revival) {
    job_reading *reading = revival->reading;
    loam_error error = {0};
    revival->reading = NULL;
    reading->epoch = revival->epoch;
    if (job_table_add(revival->flow->jobs, reading, current_row(revival), false) != NULL) {
        next_job(revival);
    } else {
        loam_fail(&error, LOAM_ARENA_FULL, NULL, "no memory for a job");
        leave_job(revival, &error);
    }
}

static void take_up(job_revival *revival) {
    if (!is_wanted(revival)) {
        next_job(revival);
    } else if (revival->reading != NULL) {
        add_job(revival);
    } else if (job_fault_passes(revival->error.status)) {
        leave_job(revival, &revival->error);
    } else {
        judge_failed(revival);
    }
}

static void work_read(pool_task *task, pool_worker *worker) {
    job_revival *revival = (job_revival *)task;
    fault_list faults;
    (void)worker;
    fault_clear(&faults);
    revival->reading =
        job_reading_create_kept(revival->flow, current_row(revival)->request, &faults);
    if (revival->reading == NULL) {
        loam_status status = fault_first(&faults, &revival->error);
        loam_fail(&revival->error, status, NULL, "%s", loam_status_text(status));
    }
}

static void was_read(pool_task *task) {
    job_revival *revival = (job_revival *)task;
    if (revival->flow->draining) {
        revival_end(revival);
    } else {
        ask_row(revival, take_up);
    }
}

static void read_job(job_revival *revival) {
    revival->epoch = world_table_epoch(revival->flow->worlds);
    revival->task = (pool_task){.work = work_read, .done = was_read};
    if (pool_submit(revival->flow->workers, &revival->task) != LOAM_OK) {
        rest(revival, QUEUE_PAUSE_MS, read_job);
    }
}

static void row_known(job_revival *revival) {
    if (is_wanted(revival)) {
        read_job(revival);
    } else {
        next_job(revival);
    }
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static void begin_round(job_revival *revival) {
    revival->state = JOB_QUEUED;
    revival->after[0] = 0;
    revival->left = false;
    list_jobs(revival);
}

static void end_round(job_revival *revival) {
    if (!revival->left) {
        revival_end(revival);
        return;
    }
    void (*ready)(void *) = revival->ready;
    revival->ready = NULL;
    rest(revival, revival->again_ms, begin_round);
    revival->again_ms *= 2;
    if (revival->again_ms > AGAIN_PAUSE_MS_MAX) {
        revival->again_ms = AGAIN_PAUSE_MS_MAX;
    }
    tell_ready(ready, revival->context);
}

static void next_page(job_revival *revival) {
    const control_result *page = &revival->list.result;
    if (page->count == LIST_ROWS) {
        snprintf(revival->after, sizeof revival->after, "%.*s",
                 (int)page->jobs[page->count - 1].id.size, page->jobs[page->count - 1].id.bytes);
    } else {
        revival->after[0] = 0;
        revival->state++;
    }
    control_result_fini(&revival->list.result);
    if (revival->state > JOB_PAUSED) {
        end_round(revival);
    } else {
        list_jobs(revival);
    }
}

static void revive_next(job_revival *revival) {
    const control_result *page = &revival->list.result;
    if (revival->flow->draining) {
        revival_end(revival);
    } else if (revival->index < page->count) {
        ask_row(revival, row_known);
    } else {
        next_page(revival);
    }
}

/* A list that cannot be had is taken for an empty one, in this round. */
static void listed(loop_task *posted) {
    job_revival *revival = revival_of(posted);
    if (revival->list.base.error.status != LOAM_OK) {
        log_refusal("jobs-not-listed", &revival->list.base.error);
        revival->left = true;
    }
    revival->index = 0;
    revive_next(revival);
}

static void list_done(void *context) {
    job_revival *revival = context;
    revival->posted.run = listed;
    loop_post(revival->flow->loop, &revival->posted);
}

static void list_jobs(job_revival *revival) {
    revival->list = (control_request){.base = {.done = list_done, .context = revival},
                                      .operation = CONTROL_JOB_LIST,
                                      .name = loam_text_of(job_state_name(revival->state)),
                                      .after = loam_text_of(revival->after),
                                      .limit = LIST_ROWS};
    loam_status status = store_control(revival->flow->store, &revival->list);
    if (status != LOAM_OK) {
        loam_fail(&revival->list.base.error, status, NULL, "%s", loam_status_text(status));
        list_done(revival);
    }
}

loam_status job_revive_all(flow_state *flow, void (*ready)(void *context), void *context) {
    job_revival *revival = calloc(1, sizeof *revival);
    loop_timer *pause = revival == NULL ? NULL : loop_timer_create(flow->loop, pause_over, revival);
    if (pause == NULL) {
        free(revival);
        return LOAM_ARENA_FULL;
    }
    LOAM_ASSERT(flow->jobs->revival == NULL);
    flow->jobs->revival = revival;
    revival->flow = flow;
    revival->pause = pause;
    revival->again_ms = AGAIN_PAUSE_MS;
    revival->ready = ready;
    revival->context = context;
    buffer_init(&revival->problems, (size_t)4096);
    begin_round(revival);
    return LOAM_OK;
}
