/* SPDX-License-Identifier: MIT
 *
 * test_torture.c: the n-th call that may fail fails, for n over a whole life of a daemon: no crash,
 * no leak, no hang, nothing half done, nothing acknowledged that is lost. A sample of them here;
 * LOAM_TORTURE=N takes every N-th call of each class instead, 1 all of them; LOAM_TORTURE_FROM and
 * LOAM_TORTURE_TO bound them, so that one failure, or a share of all, can be run by itself.
 */
#include "tests/torture/scenario.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* Of each class, when nothing is said: a few seconds for each. */
enum { SAMPLE = 12 };

static long number_of(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text == NULL ? otherwise : strtol(text, NULL, 10);
}

static long step_of(long calls) {
    long step = number_of("LOAM_TORTURE", calls / SAMPLE);
    return step < 1 ? 1 : step;
}

/* `first` differs per class, so that a sample is not all of one loop. */
static void torture(const char *name, int place, long first) {
    char fault[32];
    long calls = scenario_count().calls[place];
    long step = step_of(calls);
    int tried = 0;
    cr_assert_gt(calls, 0);
    long from = number_of("LOAM_TORTURE_FROM", 1 + (first - 1) % step);
    long to = number_of("LOAM_TORTURE_TO", calls);
    for (long n = from; n <= to; n += step) {
        snprintf(fault, sizeof fault, "%s:%ld", name, n);
        scenario_run(fault);
        tried++;
    }
    scenario_end();
    fprintf(stderr, "torture: %s: %d of %ld calls failed\n", name, tried, calls);
}

Test(torture, memory_runs_short_once, .timeout = 36000) {
    torture("memory", 0, 61);
}

Test(torture, a_write_fails_once, .timeout = 36000) {
    torture("disk", 1, 5);
}

Test(torture, the_disk_is_full_from_then_on, .timeout = 36000) {
    torture("full", 1, 3);
}

Test(torture, a_read_fails_once, .timeout = 36000) {
    torture("read", 2, 1);
}

Test(torture, a_socket_fails_once, .timeout = 36000) {
    torture("socket", 3, 2);
}

Test(torture, a_thread_cannot_be_had, .timeout = 36000) {
    torture("thread", 4, 1);
}
