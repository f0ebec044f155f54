/* SPDX-License-Identifier: MIT
 *
 * job_slot.h: what requests about one job have in common: whose it is, how long they wait for what,
 * and their answer, the job's document.
 */
#ifndef LOAM_SERVER_JOB_JOB_SLOT_H
#define LOAM_SERVER_JOB_JOB_SLOT_H

#include "server/job/job_table.h"
#include "server/slot/negotiate.h"
#include "server/slot/slot.h"

/* The longest that a request waits for a job; for a commit as long as that takes. */
enum { JOB_WAIT_S = 30 };

typedef enum job_wait_for {
    JOB_WAIT_NOTHING,
    JOB_WAIT_END,
    JOB_WAIT_CHANGE, /* of the document that the client has */
    JOB_WAIT_COMMIT, /* of what the request has done to the job; or of one that fails */
    JOB_WAIT_LOADED,
} job_wait_for;

typedef struct job_slot {
    flow_slot base;
    char id[JOB_ID_BYTES];
    job_wait_for wait_for;
    uint32_t wait_s; /* of the client */
    uint64_t commit;
    uint64_t commits_failed; /* when it began to wait */
    job_watcher watcher;
    loop_timer *timer;
    loam_text body;        /* lent by the request */
    job_reading *reading;  /* of a job that is to be taken up */
    job_row row;           /* with it; texts are lent by `reading` */
    bool fresh;            /* nobody asked for it before */
    token_owner *reserved; /* the job counts as his while it is not in the table; NULL: nobody's */
    bool started;          /* this request set the job going: 202 */
    uint64_t after_n;      /* of results */
    blob *page;            /* owned: results, as they are sent */
    content_coding coding;
} job_slot;

/* {id} of the path, and what Prefer says. */
step_result job_parse(void *subject);
/* Waits for what `wait_for` says, while the job is in memory. */
step_result job_wait(void *subject);
/* The job's row, when it is not in memory. */
step_result job_ask(void *subject);
/* Whether who asks may see the row that was found; else the error is noted. */
bool job_row_allowed(job_slot *slot);
/* The job's document: 202 when this request set it going, else 200. */
step_result job_answer(void *subject);
/* Counts the job as the caller's until job_start or the slot's end, so that none that comes
 * meanwhile takes its place; LOAM_TOO_MANY_REQUESTS when he has as many as he may. */
LOAM_MUST_USE loam_status job_reserve(job_slot *slot);
void job_unreserve(job_slot *slot);
/* Puts slot->reading to work under slot->row; `fresh`: it has no results yet. */
LOAM_MUST_USE loam_status job_start(job_slot *slot, bool fresh);
job_entry *job_slot_entry(const job_slot *slot);
void job_wait_read(job_slot *slot);
void job_slot_fini(flow_slot *slot);

#endif
