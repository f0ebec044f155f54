/* SPDX-License-Identifier: MIT
 *
 * test_progress.c: the bar.
 */
#include "api/cli/progress.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

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
