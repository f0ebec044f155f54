/* SPDX-License-Identifier: MIT
 *
 * test_progress.c: the bar, and the lines where there is no terminal for one.
 */
#include "api/cli/progress.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Test(progress, the_bar_fills_with_the_share_that_is_done) {
    char text[11];
    progress_draw_bar(text, 8, 0, 4);
    cr_assert_str_eq(text, "[........]");
    progress_draw_bar(text, 8, 1, 4);
    cr_assert_str_eq(text, "[##......]");
    progress_draw_bar(text, 8, 4, 4);
    cr_assert_str_eq(text, "[########]");
}

Test(progress, nothing_to_do_is_done_and_too_much_does_not_overflow) {
    char text[11];
    progress_draw_bar(text, 8, 0, 0);
    cr_assert_str_eq(text, "[########]");
    progress_draw_bar(text, 8, UINT64_MAX, 3);
    cr_assert_str_eq(text, "[########]");
    progress_draw_bar(text, 8, UINT64_MAX - 1, UINT64_MAX);
    cr_assert_leq(strlen(text), 10);
}

/* The end is told even when its numbers were told before: a job that has all its tasks done is
 * running until it says how it ended. */
Test(progress, plain_lines_end_with_the_end_and_say_it_once) {
    char path[] = "/tmp/loam-progress-XXXXXX";
    char text[256] = "";
    int file = mkstemp(path), screen = dup(STDERR_FILENO);
    progress bar;
    cr_assert(file >= 0 && screen >= 0 && dup2(file, STDERR_FILENO) >= 0);
    progress_begin(&bar, "job", 2);
    progress_update(&bar, 2, "running");
    progress_update(&bar, 2, "still running");
    progress_end(&bar, 2, "succeeded");
    progress_begin(&bar, "bake", 1);
    progress_update(&bar, 1, "");
    progress_end(&bar, 1, "");
    dup2(screen, STDERR_FILENO);
    cr_assert_gt(pread(file, text, sizeof text - 1, 0), 0);
    cr_expect_str_eq(text, "job: 2 of 2, running\njob: 2 of 2, succeeded\nbake: 1 of 1\n", "%s",
                     text);
    close(file);
    unlink(path);
}
