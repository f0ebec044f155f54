/* SPDX-License-Identifier: MIT
 *
 * test_step.c: walks through tables: in order, parked and resumed, and after a failure only what
 * always runs.
 */
#include "server/slot/step.h"

#include <criterion/criterion.h>
#include <string.h>

static char trail[32];
static step_result second_result;
static step_walk walk;

static void mark(char letter) {
    trail[strlen(trail)] = letter;
}

static step_result first(void *subject) {
    (void)subject;
    mark('a');
    return STEP_NEXT;
}

static step_result second(void *subject) {
    (void)subject;
    mark('b');
    return second_result;
}

static step_result third(void *subject) {
    (void)subject;
    mark('c');
    return STEP_NEXT;
}

static step_result last(void *subject) {
    (void)subject;
    mark('z');
    return STEP_ENDED;
}

static const flow_step steps[] = {
    {"first", first, false}, {"second", second, false}, {"third", third, false},
    {"last", last, true},    {NULL, NULL, false},
};

Test(step, steps_run_in_order_to_the_last) {
    second_result = STEP_NEXT;
    walk_begin(&walk, steps, NULL);
    cr_expect_str_eq(trail, "abcz");
}

Test(step, a_failure_goes_straight_to_what_always_runs) {
    second_result = STEP_FAILED;
    walk_begin(&walk, steps, NULL);
    cr_expect_str_eq(trail, "abz");
}

Test(step, a_parked_walk_goes_on_when_it_is_resumed) {
    second_result = STEP_PARKED;
    walk_begin(&walk, steps, NULL);
    cr_expect_str_eq(trail, "ab");
    cr_expect_str_eq(walk_step(&walk), "second");
    walk_resume(&walk, false);
    cr_expect_str_eq(trail, "abcz");
}

Test(step, a_walk_that_is_resumed_with_a_failure_skips_the_rest) {
    second_result = STEP_PARKED;
    walk_begin(&walk, steps, NULL);
    walk_resume(&walk, true);
    cr_expect_str_eq(trail, "abz");
}

Test(step, a_walk_that_is_not_parked_cannot_be_resumed, .signal = 4 /* SIGILL */) {
    second_result = STEP_PARKED;
    walk_begin(&walk, steps, NULL);
    walk_resume(&walk, false);
    walk.parked = false;
    walk_resume(&walk, false);
}
