/* SPDX-License-Identifier: MIT
 *
 * test_job_revive.c: jobs of an earlier run: all of them are taken up, however many; what stands in
 * the way of one for a while does not end it; and a drain waits for what is under way.
 */
#include "server/job/job_revive.h"
#include "tests/unit/server/job/job_ground.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/support/flow_ground.h"
#include "tests/support/sanitized.h"

/* More than two lists, in each of which are 64. */
enum { MANY = 150 };
enum { FEW = 3, FILLERS_MAX = 1000, LOOKS = 150 };
/* Address space that is left: for small things, and not for a job's arena. */
#define BYTES_LEFT ((rlim_t)6 << 20)

static flow_state *flow;
static int told;

static void begin(void) {
    flow = job_ground_make(true);
    told = 0;
}

TestSuite(job_revive, .init = begin, .fini = job_ground_remove, .timeout = 120);

static void note_ready(void *context) {
    (void)context;
    told++;
}

static void revive(void) {
    cr_assert_eq(job_revive_all(flow, note_ready, NULL), LOAM_OK);
}

static uint32_t jobs_there(void) {
    uint32_t count = 0;
    for (const job_entry *entry = flow->jobs->first; entry != NULL; entry = entry->next) {
        count++;
    }
    return count;
}

static bool is_told(const void *what) {
    (void)what;
    return told > 0;
}

static bool is_over(const void *what) {
    (void)what;
    return flow->jobs->revival == NULL;
}

static bool is_idle(const void *what) {
    return job_table_is_idle(what);
}

static int64_t failed_jobs(void) {
    return job_ground_number("SELECT count(*) FROM jobs WHERE state = 'failed'");
}

/* Their loads end before the ground goes. */
static void drain(void) {
    flow->draining = true;
    job_table_drain(flow->jobs);
    cr_expect(job_ground_run(is_idle, flow->jobs));
    cr_expect_eq(told, 1, "of being ready");
}

Test(job_revive, more_jobs_than_a_list_has_are_all_taken_up) {
    job_ground_leave(1, MANY);
    revive();
    cr_assert(job_ground_run(is_over, NULL));
    cr_expect_eq(jobs_there(), MANY);
    drain();
}

/* ---- What passes ----------------------------------------------------------------------------- */

static void do_nothing(pool_task *task, pool_worker *worker) {
    (void)task;
    (void)worker;
}

static void was_nothing(pool_task *task) {
    (void)task;
}

static void fill_queue(pool_task *fillers) {
    size_t count = 0;
    do {
        cr_assert_lt(count, FILLERS_MAX);
        fillers[count] = (pool_task){.work = do_nothing, .done = was_nothing};
    } while (pool_submit(flow->workers, &fillers[count++]) == LOAM_OK);
}

/* Long enough to have come to the full queue, and back to it. */
static bool has_waited(const void *looks) {
    return ++*(int *)(uintptr_t)looks > LOOKS;
}

Test(job_revive, a_full_queue_is_waited_for) {
    static pool_task fillers[FILLERS_MAX];
    int looks = 0;
    job_ground_leave(1, FEW);
    flow_ground_hold(flow);
    fill_queue(fillers);
    revive();
    cr_assert(job_ground_run(has_waited, &looks));
    cr_expect_eq(told, 0);
    flow_ground_release();
    cr_assert(job_ground_run(is_told, NULL));
    cr_expect_eq(jobs_there(), FEW);
    drain();
}

/* A sanitizer takes address space as it likes. */
static void need_limits(void) {
    if (LOAM_SANITIZED) {
        cr_skip_test("memory cannot be limited");
    }
}

static void limit_memory(bool limited) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + BYTES_LEFT;
    struct rlimit limit = {limited ? bytes : RLIM_INFINITY, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

Test(job_revive, a_job_that_finds_no_memory_is_taken_up_when_there_is_some) {
    need_limits();
    job_ground_leave(1, FEW);
    limit_memory(true);
    revive();
    cr_expect(job_ground_run(is_told, NULL), "the others need not wait");
    limit_memory(false);
    cr_expect_eq(jobs_there(), 0);
    cr_expect_eq(failed_jobs(), 0, "it may come again");
    cr_assert(job_ground_run(is_over, NULL));
    cr_expect_eq(jobs_there(), FEW);
    drain();
}

Test(job_revive, a_job_that_cannot_be_read_ends_as_failed_and_the_others_go_on) {
    job_ground_leave(1, FEW);
    job_ground_sql("UPDATE jobs SET request = '{\"dungeons\": 7}' WHERE number = 2");
    revive();
    cr_assert(job_ground_run(is_over, NULL));
    cr_expect_eq(jobs_there(), FEW - 1);
    cr_expect_eq(failed_jobs(), 1);
    drain();
}

/* ---- The end --------------------------------------------------------------------------------- */

Test(job_revive, a_drain_waits_for_the_job_that_is_being_read) {
    job_ground_leave(1, FEW);
    flow_ground_hold(flow);
    revive();
    while (pool_queue_length(flow->workers, POOL_INTERACTIVE) == 0) {
        loop_run_posted(flow->loop);
    }
    flow->draining = true;
    job_table_drain(flow->jobs);
    cr_expect_not(job_table_is_idle(flow->jobs), "the revival would be cut off");
    flow_ground_release();
    drain();
    cr_expect_eq(jobs_there(), 0);
}

Test(job_revive, a_drain_does_not_wait_for_what_is_tried_again_later) {
    need_limits();
    job_ground_leave(1, FEW);
    limit_memory(true);
    revive();
    cr_expect(job_ground_run(is_told, NULL));
    limit_memory(false);
    flow->draining = true;
    job_table_drain(flow->jobs);
    cr_expect(job_table_is_idle(flow->jobs));
    cr_expect_eq(failed_jobs(), 0);
}
