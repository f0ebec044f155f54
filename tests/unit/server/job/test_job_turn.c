/* SPDX-License-Identifier: MIT
 *
 * test_job_turn.c: whose turn it is, at times that are given: no test waits.
 */
#include "server/job/job_turn.h"

#include <criterion/criterion.h>

#define NOW_MS ((uint64_t)100 * JOB_AGING_MS)

/* A job of this priority that began its last task so long ago. */
static job_turn job_of(uint32_t priority, uint64_t waited_ms, uint32_t flying) {
    return (job_turn){.priority = priority, .flying = flying, .since_ms = NOW_MS - waited_ms};
}

static bool before(job_turn a, job_turn b) {
    cr_assert_not(job_turn_before(&a, &b, NOW_MS) && job_turn_before(&b, &a, NOW_MS));
    return job_turn_before(&a, &b, NOW_MS);
}

Test(job_turn, the_more_urgent_job_goes_first) {
    cr_expect(before(job_of(9, 0, 0), job_of(0, 0, 0)));
    cr_expect(before(job_of(6, 0, 31), job_of(5, 0, 0)), "however many it has in the air");
    cr_expect_not(before(job_of(0, 0, 0), job_of(1, 0, 0)));
}

Test(job_turn, among_equals_the_one_with_fewer_in_the_air_goes_first) {
    cr_expect(before(job_of(5, 0, 3), job_of(5, 0, 4)));
    cr_expect_not(before(job_of(5, 0, 4), job_of(5, 0, 3)));
}

Test(job_turn, two_that_are_alike_keep_their_order) {
    cr_expect_not(before(job_of(5, 0, 4), job_of(5, 0, 4)));
}

Test(job_turn, a_job_that_waits_gains_a_priority_at_a_time) {
    uint64_t nine = (uint64_t)9 * JOB_AGING_MS;
    cr_expect_not(before(job_of(0, nine - 1, 0), job_of(9, 0, 1)), "eight are not nine");
    cr_expect(before(job_of(0, nine, 0), job_of(9, 0, 1)), "now they are alike, and it has fewer");
    cr_expect_not(before(job_of(0, nine, 1), job_of(9, 0, 0)));
    cr_expect(before(job_of(0, nine + JOB_AGING_MS, 1), job_of(9, 0, 0)));
}

Test(job_turn, two_that_wait_alike_stay_in_the_order_of_their_priorities) {
    for (uint64_t waited_ms = 0; waited_ms < NOW_MS; waited_ms += JOB_AGING_MS / 2) {
        cr_expect(before(job_of(3, waited_ms, 9), job_of(2, waited_ms, 0)));
    }
}

Test(job_turn, a_time_that_has_not_come_is_no_wait) {
    job_turn later = {.priority = 1, .since_ms = NOW_MS + 1};
    cr_expect(before(job_of(2, 0, 0), later));
    cr_expect_not(before(later, job_of(2, 0, 0)));
    cr_expect(before(job_of(1, JOB_AGING_MS, 0), later));
}

/* One task at a time among jobs that always have one, as the scheduler begins them. */
static void run(job_turn jobs[], uint32_t count, uint64_t step_ms, uint32_t steps,
                uint32_t begun[]) {
    uint64_t now_ms = NOW_MS;
    for (uint32_t i = 0; i < steps; i++, now_ms += step_ms) {
        uint32_t best = 0;
        for (uint32_t j = 1; j < count; j++) {
            best = job_turn_before(&jobs[j], &jobs[best], now_ms) ? j : best;
        }
        jobs[best].since_ms = now_ms;
        begun[best]++;
    }
}

Test(job_turn, every_priority_comes_to_its_turn_and_none_takes_much_from_those_above) {
    job_turn jobs[10];
    uint32_t begun[10] = {0};
    enum { STEP_MS = 10, STEPS = 10000 }; /* 100 seconds */
    for (uint32_t priority = 0; priority < 10; priority++) {
        jobs[priority] = job_of(priority, 0, 0);
    }
    run(jobs, 10, STEP_MS, STEPS, begun);
    for (uint32_t priority = 0; priority < 10; priority++) {
        cr_expect_geq(begun[priority], 9, "%u of priority %u", begun[priority], priority);
        cr_expect(priority == 0 || begun[priority] >= begun[priority - 1]);
    }
    cr_expect_gt(begun[9], STEPS * 95 / 100, "%u of %d", begun[9], STEPS);
}

Test(job_turn, behind_slow_tasks_the_lowest_takes_a_twentieth) {
    job_turn jobs[2] = {job_of(9, 0, 0), job_of(0, 0, 0)};
    uint32_t begun[2] = {0};
    run(jobs, 2, 500, 1000, begun); /* two workers, a second for each task */
    cr_expect_geq(begun[1], 45, "%u", begun[1]);
    cr_expect_leq(begun[1], 55, "%u", begun[1]);
}
