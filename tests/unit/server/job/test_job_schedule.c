/* SPDX-License-Identifier: MIT
 *
 * test_job_schedule.c: results that the store does not take for a while are no failures: their
 * tasks are done again. The store fails by a trigger that cannot be computed, which is an error of
 * its file.
 */
#include "tests/unit/server/job/job_ground.h"

#include <criterion/criterion.h>

#include "tests/support/flow_ground.h"

enum { TASKS = 20 };

static const char refuse[] = "CREATE TRIGGER refuse BEFORE INSERT ON results BEGIN SELECT "
                             "abs(-9223372036854775807 - 1); END";
static const char permit[] = "DROP TRIGGER refuse";

static flow_state *flow;

static void begin(void) {
    flow = job_ground_make(false);
}

TestSuite(job_schedule, .init = begin, .fini = job_ground_remove, .timeout = 60);

static bool is_over(const void *what) {
    (void)what;
    return job_ground_entry() == NULL;
}

/* Also when they have failed for good. */
static bool is_stopped(const void *table) {
    const job_table *of = table;
    return job_ground_entry() == NULL || (of->paused && of->flying == 0);
}

Test(job_schedule, what_a_failing_disk_does_not_take_is_built_again_later) {
    job_ground_cache_sql(refuse);
    job_entry *entry = job_ground_start(TASKS, false);
    cr_assert(job_ground_run(is_stopped, flow->jobs));
    cr_assert_not_null(job_ground_entry(), "all have failed");
    cr_expect_eq(entry->failed, 0);
    cr_expect_eq(entry->done, 0);
    job_ground_cache_sql(permit);
    cr_assert(job_ground_run(is_over, NULL));
    control_request row = job_ground_row();
    cr_expect(loam_text_equal(row.result.jobs[0].state, loam_text_of("succeeded")));
    cr_expect_eq(row.result.jobs[0].done, TASKS);
    control_result_fini(&row.result);
}

Test(job_schedule, a_short_pause_does_not_end_a_long_one) {
    job_table_pause(flow->jobs, 1000000);
    uint64_t until_ms = flow->jobs->paused_until_ms;
    job_table_pause(flow->jobs, 50);
    cr_expect_eq(flow->jobs->paused_until_ms, until_ms);
}
