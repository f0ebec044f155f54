/* SPDX-License-Identifier: MIT
 *
 * revive_job.c: one job of an earlier run: its request is read again on a worker, against the
 * revision that it names. One whose world is gone ends as failed and says so; what stands in the
 * way of another may pass, and it is left for the next round.
 */
#include "server/job/job_revival.h"
#include "server/slot/reply.h"

static job_revival *revival_of(loop_task *posted) {
    return (job_revival *)((char *)posted - offsetof(job_revival, posted));
}

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
    revival_next(revival);
}

/* What has stopped it may pass. */
static void leave_job(job_revival *revival, const loam_error *error) {
    revival_log("job-not-revived", error);
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
    revival_log("job-not-revived", &revival->error);
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
        revival_rest(revival, JOB_QUEUE_PAUSE_MS, read_job);
    }
}

static void row_known(job_revival *revival) {
    if (is_wanted(revival)) {
        read_job(revival);
    } else {
        next_job(revival);
    }
}

void revival_take_job(job_revival *revival) {
    ask_row(revival, row_known);
}
