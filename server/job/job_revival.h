/* SPDX-License-Identifier: MIT
 *
 * job_revival.h: a revival from within: job_revive.c goes through lists, revive_job.c takes up one
 * job of them. All on the network thread but the reading of a request.
 *
 * Invariant: a job is taken up by its row as the store has it in the moment that it comes into the
 * table; a client may have set it out, and ended it, since it was listed.
 */
#ifndef LOAM_SERVER_JOB_JOB_REVIVAL_H
#define LOAM_SERVER_JOB_JOB_REVIVAL_H

#include "server/job/job_entry.h"

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

/* job_revive.c */
void revival_next(job_revival *revival); /* the job at `index`, or what comes behind the list */
void revival_end(job_revival *revival);
/* Goes on with `then` after that time; a drain ends it instead. */
void revival_rest(job_revival *revival, uint64_t milliseconds, void (*then)(job_revival *revival));
void revival_log(const char *what, const loam_error *error);
/* revive_job.c */
void revival_take_job(job_revival *revival); /* the one at `index`; then revival_next */

#endif
