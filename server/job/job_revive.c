/* SPDX-License-Identifier: MIT
 *
 * job_revive.c: see job_revive.h. State by state, job by job: each request is read again on a
 * worker, against the revision that it names. One whose world is gone ends as failed and says so.
 */
#include "server/job/job_revive.h"

#include "server/job/job_table.h"
#include "server/slot/reply.h"
#include "server/watch/log.h"

#include <stdlib.h>

typedef struct job_revival {
    pool_task task; /* first: the task is the revival */
    flow_state *flow;
    job_state state; /* whose jobs are being taken up */
    control_request list;
    size_t index; /* in the list */
    loop_task posted;
    job_reading *reading;
    loam_error error;
    control_request verdict; /* of a job that cannot go on */
    text_buffer problems;
    void (*ready)(void *context);
    void *context;
} job_revival;

static void revive_next(job_revival *revival);
static void list_state(job_revival *revival);

static job_revival *revival_of(loop_task *posted) {
    return (job_revival *)((char *)posted - offsetof(job_revival, posted));
}

static void revival_end(job_revival *revival) {
    void (*ready)(void *) = revival->ready;
    void *context = revival->context;
    buffer_fini(&revival->problems);
    free(revival);
    ready(context);
}

static void log_refusal(const char *what, const loam_error *error) {
    log_line line;
    log_begin(&line, LOG_ERROR, what);
    log_error(&line, error);
    log_end(&line);
}

/* ---- One job -------------------------------------------------------------------------------- */

static const job_row *current_row(const job_revival *revival) {
    return &revival->list.result.jobs[revival->index];
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

static void judged(loop_task *posted) {
    job_revival *revival = revival_of(posted);
    if (revival->verdict.base.error.status != LOAM_OK) {
        log_refusal("job-not-committed", &revival->verdict.base.error);
    }
    control_result_fini(&revival->verdict.result);
    revival->index++;
    revive_next(revival);
}

static void judge_done(void *context) {
    job_revival *revival = context;
    revival->posted.run = judged;
    loop_post(revival->flow->loop, &revival->posted);
}

/* The job ends as failed: its world is gone, or this build cannot read it. */
static void judge_failed(job_revival *revival) {
    log_refusal("job-not-revived", &revival->error);
    buffer_clear(&revival->problems);
    buffer_open_array(&revival->problems);
    buffer_open_object(&revival->problems);
    buffer_key(&revival->problems, "code");
    buffer_string(&revival->problems, loam_status_code(revival->error.status));
    buffer_key(&revival->problems, "detail");
    buffer_string(&revival->problems, revival->error.text);
    buffer_close_object(&revival->problems);
    buffer_close_array(&revival->problems);
    revival->verdict = (control_request){.base = {.done = judge_done, .context = revival},
                                         .operation = CONTROL_JOB_UPDATE,
                                         .job = *current_row(revival)};
    revival->verdict.job.state = loam_text_of(job_state_name(JOB_FAILED));
    revival->verdict.job.finished_ms = time_now_ms();
    revival->verdict.job.problems = buffer_view(&revival->problems);
    if (store_control(revival->flow->store, &revival->verdict) != LOAM_OK) {
        judge_done(revival);
    }
}

static void was_read(pool_task *task) {
    job_revival *revival = (job_revival *)task;
    if (revival->reading == NULL) {
        judge_failed(revival);
        return;
    }
    revival->reading->epoch = world_table_epoch(revival->flow->worlds);
    if (job_table_add(revival->flow->jobs, revival->reading, current_row(revival), false) == NULL) {
        loam_fail(&revival->error, LOAM_ARENA_FULL, NULL, "no memory for a job");
        log_refusal("job-not-revived", &revival->error);
    }
    revival->reading = NULL;
    revival->index++;
    revive_next(revival);
}

static void revive_next(job_revival *revival) {
    revival->error = (loam_error){0};
    if (revival->index < revival->list.result.count && !revival->flow->draining) {
        revival->task = (pool_task){.work = work_read, .done = was_read};
        if (pool_submit(revival->flow->workers, &revival->task) == LOAM_OK) {
            return;
        }
    }
    control_result_fini(&revival->list.result);
    revival->state++;
    list_state(revival);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static void listed(loop_task *posted) {
    job_revival *revival = revival_of(posted);
    if (revival->list.base.error.status != LOAM_OK) {
        log_refusal("jobs-not-listed", &revival->list.base.error);
    }
    revival->index = 0;
    revive_next(revival);
}

static void list_done(void *context) {
    job_revival *revival = context;
    revival->posted.run = listed;
    loop_post(revival->flow->loop, &revival->posted);
}

static void list_state(job_revival *revival) {
    if (revival->state > JOB_PAUSED || revival->flow->draining) {
        revival_end(revival);
        return;
    }
    revival->list = (control_request){.base = {.done = list_done, .context = revival},
                                      .operation = CONTROL_JOB_LIST,
                                      .name = loam_text_of(job_state_name(revival->state))};
    if (store_control(revival->flow->store, &revival->list) != LOAM_OK) {
        list_done(revival);
    }
}

loam_status job_revive_all(flow_state *flow, void (*ready)(void *context), void *context) {
    job_revival *revival = calloc(1, sizeof *revival);
    if (revival == NULL) {
        return LOAM_ARENA_FULL;
    }
    revival->flow = flow;
    revival->state = JOB_QUEUED;
    revival->ready = ready;
    revival->context = context;
    buffer_init(&revival->problems, (size_t)4096);
    list_state(revival);
    return LOAM_OK;
}
