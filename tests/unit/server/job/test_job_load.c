/* SPDX-License-Identifier: MIT
 *
 * test_job_load.c: rows of an earlier run that cannot be read for a while, as their table has gone:
 * the job waits for them, so that its next rows stand behind them.
 */
#include "server/job/job_revive.h"
#include "tests/unit/server/job/job_ground.h"

#include <criterion/criterion.h>

#include "tests/support/flow_ground.h"

enum { TASKS = 5, EARLY = 2, LOOKS = 100 };

static const char hide[] = "ALTER TABLE job_tasks RENAME TO hidden";
static const char show[] = "ALTER TABLE hidden RENAME TO job_tasks";

static flow_state *flow;

static void begin(void) {
    flow = job_ground_make(true);
}

TestSuite(job_load, .init = begin, .fini = job_ground_remove, .timeout = 60);

static bool is_at_rest(const void *what) {
    (void)what;
    return !job_ground_entry()->commit_under_way;
}

/* A job with rows, whose results have gone, and a daemon that starts again. */
static void leave_rows(void) {
    job_entry *entry = job_ground_start(TASKS, false);
    for (uint64_t i = 0; i < EARLY; i++) {
        task_row row = {
            .x = (int64_t)i, .build_key = job_ground_keys()[i], .status = loam_text_of("ok")};
        job_note_result(entry, i, &row);
    }
    job_entry_commit(entry);
    cr_assert(flow_ground_run(flow, is_at_rest, NULL));
    job_ground_restart(true);
}

static void note_ready(void *told) {
    *(bool *)told = true;
}

static bool is_told(const void *told) {
    return *(const bool *)told;
}

static void revive(void) {
    bool told = false;
    cr_assert_eq(job_revive_all(flow, note_ready, &told), LOAM_OK);
    cr_assert(job_ground_run(is_told, &told));
}

/* Long enough to have come to the table that is not there. */
static bool has_waited(const void *looks) {
    return ++*(int *)(uintptr_t)looks > LOOKS;
}

static void wait_a_little(void) {
    int looks = 0;
    cr_assert(job_ground_run(has_waited, &looks));
}

static bool is_loaded(const void *what) {
    (void)what;
    return !job_entry_is_loading(job_ground_entry());
}

static bool is_over(const void *what) {
    (void)what;
    return job_ground_entry() == NULL;
}

Test(job_load, a_page_that_cannot_be_read_is_read_again_before_any_task_starts) {
    leave_rows();
    job_ground_sql(hide);
    revive();
    wait_a_little();
    cr_expect(job_entry_is_loading(job_ground_entry()));
    cr_expect_not(job_table_is_idle(flow->jobs));
    job_ground_sql(show);
    cr_assert(job_ground_run(is_loaded, NULL));
    cr_expect_eq(job_ground_entry()->row_number, EARLY);
    flow->jobs->paused = false;
    job_table_pump(flow->jobs);
    cr_assert(job_ground_run(is_over, NULL));
    cr_expect_eq(job_ground_number("SELECT count(*) FROM job_tasks"), TASKS);
    cr_expect_eq(job_ground_number("SELECT count(*) FROM jobs WHERE state = 'succeeded'"), 1);
}

static int told_loaded;

static void note_change(job_watcher *watcher, bool ended) {
    cr_expect_not(ended);
    told_loaded += !job_entry_is_loading(watcher->entry);
}

Test(job_load, who_waits_for_the_rows_hears_of_them) {
    job_watcher watcher = {.changed = note_change};
    leave_rows();
    job_ground_sql(hide);
    revive();
    job_watch(job_ground_entry(), &watcher);
    job_ground_sql(show);
    cr_assert(job_ground_run(is_loaded, NULL));
    cr_expect_eq(told_loaded, 1);
    job_unwatch(&watcher);
}

Test(job_load, a_drain_does_not_wait_for_the_page) {
    leave_rows();
    job_ground_sql(hide);
    revive();
    wait_a_little();
    flow->draining = true;
    job_table_drain(flow->jobs);
    cr_expect(job_table_is_idle(flow->jobs));
}

Test(job_load, a_job_whose_rows_cannot_ever_be_read_ends_as_failed) {
    leave_rows();
    job_entry *entry = NULL;
    job_ground_sql(hide);
    revive();
    wait_a_little();
    entry = job_ground_entry();
    cr_assert(entry->page_due);
    job_ground_sql("UPDATE jobs SET id = 'another'"); /* not found */
    job_ground_sql(show);
    cr_assert(job_ground_run(is_over, NULL));
    cr_expect_eq(job_ground_number("SELECT count(*) FROM job_tasks"), EARLY);
    cr_expect(job_table_is_idle(flow->jobs));
}
