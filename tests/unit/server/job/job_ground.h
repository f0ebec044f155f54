/* SPDX-License-Identifier: MIT
 *
 * job_ground.h: a job of dungeons on the ground of flights (tests/support/flow_ground.h): a real
 * store and a real worker, and the table of jobs. The test's thread is the network thread.
 */
#ifndef LOAM_TESTS_UNIT_JOB_GROUND_H
#define LOAM_TESTS_UNIT_JOB_GROUND_H

#include "server/job/job_entry.h"

enum { GROUND_TASKS_MAX = 64, GROUND_FLYING_MAX = 8 };

/* Everything there, and no job; `paused`: no task of any job starts. */
flow_state *job_ground_make(bool paused);
void job_ground_remove(void);

/* A job of so many dungeons, in the store and in the table. Borrowed until it is over. */
job_entry *job_ground_start(uint32_t tasks, bool keep);
/* Its build keys, one for each task. */
const digest *job_ground_keys(void);
/* NULL once it is over. */
job_entry *job_ground_entry(void);
/* Runs the loop until it is over. */
bool job_ground_finish(void);

/* Ends the table with its jobs, which are at rest, and makes a new one, as a restart does. */
void job_ground_restart(bool paused);
/* Puts so many jobs, numbered from `first`, into the store and not into the table, as an earlier
 * run left them: each of one dungeon that has no request. */
void job_ground_leave(uint32_t first, uint32_t jobs);
/* Runs the loop with its timers until that is so; false when that takes too long. */
bool job_ground_run(bool (*is_so)(const void *what), const void *what);

/* The job as the store has it, with the rows of its tasks; ended with control_result_fini. */
control_request job_ground_row(void);
control_request job_ground_results(void);

/* Changes control.db, or cache.db, behind the store's back; and a number that is read in the first.
 */
void job_ground_sql(const char *sql);
void job_ground_cache_sql(const char *sql);
int64_t job_ground_number(const char *sql);

#endif
