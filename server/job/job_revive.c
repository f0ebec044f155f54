/* SPDX-License-Identifier: MIT
 *
 * job_revive.c: see job_revive.h. State by state, page by page, job by job (revive_job.c). Jobs
 * that could not be taken up for what may pass are looked for again a while later, with the daemon
 * at work meanwhile.
 */
#include "server/job/job_revive.h"

#include "core/base/assert.h"
#include "server/job/job_revival.h"
#include "server/watch/log.h"

#include <stdio.h>
#include <stdlib.h>

/* Rows of a list that are in memory at one time: each may have 128 KB of problems. */
enum { LIST_ROWS = 64 };
/* Jobs left over are looked for again after the first, which doubles up to the second: what does
 * not pass soon should not fill the log. */
enum { AGAIN_PAUSE_MS = 1000, AGAIN_PAUSE_MS_MAX = 64000 };

static void list_jobs(job_revival *revival);

/* Who is told may drain, which ends the revival: the last thing that is done. */
static void tell_ready(void (*ready)(void *context), void *context) {
    if (ready != NULL) {
        ready(context);
    }
}

void revival_end(job_revival *revival) {
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

void revival_log(const char *what, const loam_error *error) {
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

void revival_rest(job_revival *revival, uint64_t milliseconds, void (*then)(job_revival *revival)) {
    revival->rested = then;
    revival->resting = true;
    loop_timer_start(revival->pause, milliseconds, 0);
}

void job_revival_drain(job_revival *revival) {
    if (revival != NULL && revival->resting) {
        revival_end(revival);
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
    revival_rest(revival, revival->again_ms, begin_round);
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

void revival_next(job_revival *revival) {
    const control_result *page = &revival->list.result;
    if (revival->flow->draining) {
        revival_end(revival);
    } else if (revival->index < page->count) {
        revival_take_job(revival);
    } else {
        next_page(revival);
    }
}

/* A list that cannot be had is taken for an empty one, in this round. */
static void listed(loop_task *posted) {
    job_revival *revival = (job_revival *)((char *)posted - offsetof(job_revival, posted));
    if (revival->list.base.error.status != LOAM_OK) {
        revival_log("jobs-not-listed", &revival->list.base.error);
        revival->left = true;
    }
    revival->index = 0;
    revival_next(revival);
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
