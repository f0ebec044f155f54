/* SPDX-License-Identifier: MIT
 *
 * test_job_commit.c: a commit that the store refuses goes again as it was, and what has come since
 * follows in one of its own: whenever the power is cut, state and counts stand beside their rows.
 * What is refused for good ends the job. The store refuses by a trigger that cannot be computed,
 * which is an error of its file; another one keeps what each commit said.
 */
#include "tests/unit/server/job/job_ground.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/support/flow_ground.h"

enum { TASKS = 5, EARLY = 2 };

static const char refuse[] =
    "CREATE TRIGGER refuse BEFORE UPDATE ON jobs BEGIN SELECT abs(-9223372036854775807 - 1); END";
static const char permit[] = "DROP TRIGGER refuse";
/* Rows of a commit come behind its counts. */
static const char keep_history[] =
    "CREATE TABLE history (state, done, failed, problems, rows_before); CREATE TRIGGER remember "
    "AFTER UPDATE ON jobs BEGIN INSERT INTO history SELECT NEW.state, NEW.done, NEW.failed, "
    "NEW.problems, count(*) FROM job_tasks; END";

static flow_state *flow;
static job_entry *entry;

static void begin(void) {
    flow = job_ground_make(true);
    entry = job_ground_start(TASKS, false);
    job_ground_sql(keep_history);
}

TestSuite(job_commit, .init = begin, .fini = job_ground_remove, .timeout = 60);

static void land(uint64_t index) {
    task_row row = {
        .x = (int64_t)index, .build_key = job_ground_keys()[index], .status = loam_text_of("ok")};
    job_note_result(entry, index, &row);
}

static void fail(uint64_t index) {
    loam_error error = {0};
    loam_fail(&error, LOAM_INTERNAL, NULL, "it cannot be");
    job_note_failure(entry, index, &(job_failure){.error = &error});
}

static bool is_at_rest(const void *of) {
    return !((const job_entry *)of)->commit_under_way;
}

static void run_commit(void) {
    job_entry_commit(entry);
    cr_assert(flow_ground_run(flow, is_at_rest, entry));
}

static int64_t commits(const char *that) {
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM history WHERE %s", that);
    return job_ground_number(sql);
}

Test(job_commit, one_that_was_refused_goes_again_as_it_was_and_the_rest_follows) {
    for (uint64_t i = 0; i < EARLY; i++) {
        land(i);
    }
    job_ground_sql(refuse);
    run_commit();
    cr_expect(entry->commit_again);
    cr_expect_eq(job_entry_last_commit(entry), 0);
    cr_expect_eq(commits("1"), 0);
    for (uint64_t i = EARLY; i < TASKS - 1; i++) {
        land(i);
    }
    fail(TASKS - 1);
    job_entry_settle(entry);
    cr_expect_eq(job_entry_state(entry), JOB_FAILED, "it has ended, but for its commits");
    cr_assert(flow_ground_run(flow, is_at_rest, entry));
    cr_expect(entry->commit_again, "refused once more");
    job_ground_sql(permit);
    job_entry_commit(entry);
    cr_assert(job_ground_finish());
    cr_expect_eq(commits("1"), 2);
    cr_expect_eq(commits("rowid = 1 AND state = 'queued' AND done = 2 AND failed = 0 AND problems "
                         "= '' AND rows_before = 0"),
                 1, "as it was");
    cr_expect_eq(commits("rowid = 2 AND state = 'failed' AND done = 4 AND failed = 1 AND problems "
                         "<> '' AND rows_before = 2"),
                 1, "what came since");
    cr_expect_eq(job_ground_number("SELECT count(*) FROM job_tasks"), TASKS - 1);
}

Test(job_commit, one_that_is_taken_is_told_of_once) {
    for (uint64_t i = 0; i < EARLY; i++) {
        land(i);
    }
    run_commit();
    cr_expect_not(entry->commit_again);
    cr_expect_eq(job_entry_last_commit(entry), 1);
    run_commit();
    cr_expect_eq(commits("1"), 1, "nothing has come since");
    cr_expect_eq(job_ground_number("SELECT count(*) FROM job_tasks"), EARLY);
}

/* ---- For good -------------------------------------------------------------------------------- */

static const char forbid[] =
    "CREATE TRIGGER forbid BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'never'); END";
/* A row where the first of the job will want to be. */
static const char take_number[] =
    "INSERT INTO job_tasks (job, n, output, level, x, z, build_key, digest, count, bytes, cached) "
    "SELECT number, 1, '', 0, 77, 0, zeroblob(32), zeroblob(32), 0, 0, 0 FROM jobs";

Test(job_commit, rows_that_are_refused_for_good_end_the_job_and_hold_up_no_other) {
    job_ground_sql(take_number);
    flow->jobs->paused = false; /* and nothing is pumped */
    for (uint64_t i = 0; i < EARLY; i++) {
        land(i);
    }
    job_entry_commit(entry);
    cr_assert(job_ground_finish());
    cr_expect_not(flow->jobs->paused);
    cr_expect_eq(commits("1"), 1);
    cr_expect_eq(commits("state = 'failed' AND done = 0 AND problems LIKE '%duplicate%'"), 1);
    cr_expect_eq(job_ground_number("SELECT count(*) FROM job_tasks"), 1);
}

Test(job_commit, a_job_that_cannot_even_fail_is_let_go) {
    job_ground_sql(forbid);
    land(0);
    job_entry_commit(entry);
    cr_assert(job_ground_finish());
    cr_expect_eq(commits("1"), 0);
    cr_expect(job_table_is_idle(flow->jobs));
}
