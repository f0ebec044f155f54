/* SPDX-License-Identifier: MIT
 *
 * job_table.h: jobs that are not at their end: queued, running or paused. Each is a list of cells
 * or dungeons that fly like any request's, a bounded number at one time, behind all requests; what
 * lands is in the store before its row says so, and rows are committed in groups. What is not here
 * is read from the store. Network thread only.
 */
#ifndef LOAM_SERVER_JOB_JOB_TABLE_H
#define LOAM_SERVER_JOB_JOB_TABLE_H

#include "api/wire/job_document.h"
#include "server/slot/flow_state.h"
#include "server/token/token_owner.h"
#include "server/world/world_table.h"

typedef struct job_entry job_entry;

/* What a job of dungeons keeps before it is accepted: the requests, so that each task finds its
 * own, and what they hide. */
typedef struct job_kept {
    loam_arena arena;
    document_row *rows; /* two for each dungeon at most */
    size_t count;
    size_t bytes;          /* of their texts */
    uint64_t result_bytes; /* of all dungeons, about */
} job_kept;

/* A job's request, read: of cells, against its world. Made on a worker (job_reading.c), then owned
 * by its entry. */
typedef struct job_reading {
    loam_arena arena;
    job job;
    revision_entry *built; /* not in the table of worlds yet; NULL: of dungeons */
    uint64_t epoch;
    job_kept kept; /* of dungeons that are asked for */
} job_reading;

/* On a worker. Owned; NULL with `faults` set. Of a client's request, and of one that is kept. */
job_reading *job_reading_create(flow_state *flow, const http_request *request, loam_arena *scratch,
                                fault_list *faults);
job_reading *job_reading_create_kept(flow_state *flow, loam_text canonical, fault_list *faults);
/* What was kept is in the store. */
void job_kept_fini(job_kept *kept);
void job_reading_destroy(job_reading *reading);

typedef enum job_state {
    JOB_QUEUED,
    JOB_RUNNING,
    JOB_PAUSED,
    JOB_SUCCEEDED,
    JOB_FAILED,
    JOB_CANCELLED,
    JOB_STATE_COUNT,
} job_state;

/* Status of a dungeon that failed, where others have their own. */
#define JOB_TASK_FAILED "failed"

const char *job_state_name(job_state state);
/* JOB_STATE_COUNT when there is none. */
job_state job_state_find(loam_text name);

/* Somebody who waits for a job to change. */
typedef struct job_watcher {
    struct job_watcher *next;
    struct job_watcher *previous;
    job_entry *entry; /* NULL when it watches nothing */
    /* Called on every committed change, on one that failed, and when the earlier results are known;
     * `ended` is the last one, after which it watches nothing. */
    void (*changed)(struct job_watcher *watcher, bool ended);
} job_watcher;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE job_table *job_table_create(flow_state *flow);
void job_table_destroy(job_table *table);

/* Starts no more cells and lets those in the air go; rows that are due are committed. */
void job_table_drain(job_table *table);
/* Nothing is under way; jobs of an earlier run are taken up, or left. */
bool job_table_is_idle(const job_table *table);

/* NULL when it is at its end, or was never there. */
job_entry *job_table_find(const job_table *table, loam_text id);
/* Takes up a job whose row is in the store; takes `reading`. `fresh`: it has no results yet. It
 * counts among the jobs of its row's owner until it ends. NULL when memory is short. A job that is
 * there already is returned. */
job_entry *job_table_add(job_table *table, job_reading *reading, const job_row *row, bool fresh);

/* What clients do. Each ends with a commit, which watchers hear of, well or not: what is done holds
 * all the same, and goes into the store when that takes it. LOAM_BAD_STATE. */
LOAM_MUST_USE loam_status job_entry_cancel(job_entry *entry, loam_error *error);
LOAM_MUST_USE loam_status job_entry_pause(job_entry *entry, loam_error *error);
LOAM_MUST_USE loam_status job_entry_resume(job_entry *entry, loam_error *error);

job_state job_entry_state(const job_entry *entry);
/* Its earlier results are still being read. */
bool job_entry_is_loading(const job_entry *entry);
/* It has ended, and that is written down. */
bool job_entry_is_over(const job_entry *entry);
/* Number of the commit that will hold what the job is now, and of the last one that ended. */
uint64_t job_entry_due_commit(const job_entry *entry);
uint64_t job_entry_last_commit(const job_entry *entry);
/* How many have failed, and what the last of these failed with. */
uint64_t job_entry_commits_failed(const job_entry *entry);
const loam_error *job_entry_commit_error(const job_entry *entry);

void job_watch(job_entry *entry, job_watcher *watcher);
void job_unwatch(job_watcher *watcher);

/* The row as it would be committed now; texts are borrowed from the entry. */
job_row job_entry_row(const job_entry *entry);
/* Cells a second and seconds left as of the last commit; 0 when unknown. */
uint64_t job_entry_rate_q10(const job_entry *entry);
uint64_t job_entry_eta_s(const job_entry *entry);

loam_text job_entry_world(const job_entry *entry);

#endif
