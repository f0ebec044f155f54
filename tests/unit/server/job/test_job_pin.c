/* SPDX-License-Identifier: MIT
 *
 * test_job_pin.c: a kept job whose result is evicted between its landing and its pin, while tasks
 * behind it are in the air: that task flies once more, and no other one a second time.
 */
#include "tests/unit/server/job/job_ground.h"

#include <criterion/criterion.h>
#include <time.h>

#include "tests/support/store_calls.h"

enum { TASKS = 40, ROUND_US = 20000, ROUNDS_MAX = 3000 };

static flow_state *flow;

static void begin(void) {
    flow = job_ground_make(false);
}

TestSuite(job_pin, .init = begin, .fini = job_ground_remove, .timeout = 120);

/* What tasks in the air have come to meanwhile is done in one go. */
static void run_round(void) {
    loop_run_posted(flow->loop);
    nanosleep(&(struct timespec){.tv_nsec = ROUND_US * 1000L}, NULL);
}

static void expect_each_in_the_air_once(const job_entry *entry) {
    uint64_t seen = 0;
    for (const job_task *task = entry->tasks; task != NULL; task = task->next) {
        uint64_t bit = (uint64_t)1 << task->index;
        cr_assert_eq(seen & bit, 0, "task %d flies twice", (int)task->index);
        cr_assert_not(job_task_is_finished(entry, task->index), "task %d flies when it has landed",
                      (int)task->index);
        seen |= bit;
    }
}

/* Rows gather behind a commit under way, and there is more in the air than a pin could find gone.
 */
static bool may_lose(const job_entry *entry) {
    return entry->commit_under_way && entry->gathering->count > 0 &&
           entry->flying == GROUND_FLYING_MAX && entry->next_index < TASKS - GROUND_FLYING_MAX;
}

/* Of the rows that gather, the last one's result goes: somebody else keeps the others. */
static void evict_last(job_entry *entry) {
    const job_rows *rows = entry->gathering;
    digest others[JOB_ROWS_MAX];
    for (size_t i = 0; i + 1 < rows->count; i++) {
        others[i] = rows->rows[i].build_key;
    }
    store_pin_set *set = store_pin_set_create(flow->store);
    test_latch *latch = test_latch_create();
    cr_assert(rows->count == 1 || test_pin_in(flow->store, set, others, rows->count - 1));
    store_upkeep collect = {.base = {.done = test_latch_done, .context = latch},
                            .kind = STORE_COLLECT};
    cr_assert_eq(store_upkeep_begin(flow->store, &collect), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    store_pin_set_destroy(flow->store, set);
}

static void expect_all_rows(void) {
    uint64_t seen = 0;
    control_request results = job_ground_results();
    cr_expect_eq(results.result.count, TASKS);
    for (size_t i = 0; i < results.result.count; i++) {
        seen |= (uint64_t)1 << results.result.tasks[i].x;
    }
    cr_expect_eq(seen, ((uint64_t)1 << TASKS) - 1, "each has its row");
    control_result_fini(&results.result);
    control_request row = job_ground_row();
    cr_expect(loam_text_equal(row.result.jobs[0].state, loam_text_of("succeeded")));
    cr_expect_eq(row.result.jobs[0].done, TASKS);
    control_result_fini(&row.result);
}

Test(job_pin, a_task_whose_result_went_flies_once_more_and_no_other_one) {
    bool evicted = false;
    bool again = false;
    uint64_t lost = 0;
    job_ground_start(TASKS, true);
    for (int i = 0; i < ROUNDS_MAX && job_ground_entry() != NULL; i++) {
        job_entry *entry = job_ground_entry();
        expect_each_in_the_air_once(entry);
        again = again || (evicted && !job_task_is_finished(entry, lost));
        if (!evicted && may_lose(entry)) {
            lost = (uint64_t)entry->gathering->rows[entry->gathering->count - 1].x;
            evict_last(entry);
            evicted = true;
            cr_expect(job_task_is_finished(entry, lost));
        }
        run_round();
    }
    cr_expect(evicted, "no row ever gathered behind a commit");
    cr_expect(again, "nothing was lost");
    cr_assert_null(job_ground_entry(), "the job runs on and on");
    expect_all_rows();
}
