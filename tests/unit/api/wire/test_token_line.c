/* SPDX-License-Identifier: MIT
 *
 * test_token_line.c: one line of a daemon's token file; more of it by the file, in server/token.
 */
#include "api/wire/token_line.h"

#include "api/wire/scope.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define LINE "farm sha256-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "

Test(token_line, a_line_is_read_whole) {
    token_line line;
    loam_error error = {0};
    cr_assert_eq(
        token_line_read(LINE "read,upload worlds=a,b jobs=2 asset-bytes=3M # x", &line, &error),
        LOAM_OK, "%s", error.text);
    cr_expect_str_eq(line.id, "farm");
    cr_expect_eq(line.scopes, SCOPE_READ | SCOPE_UPLOAD);
    cr_expect_eq(line.world_count, 2);
    cr_expect_str_eq(line.worlds[1], "b");
    cr_expect_eq(line.limits.jobs, 2);
    cr_expect_eq(line.limits.asset_bytes, 3 << 20);
}

Test(token_line, blanks_and_a_comment_are_no_line) {
    cr_expect(token_line_is_empty(""));
    cr_expect(token_line_is_empty(" \t # farm\n"));
    cr_expect_not(token_line_is_empty(" farm"));
}

Test(token_line, what_is_empty_or_out_of_its_range_is_refused) {
    static const char *const bad[] = {"",
                                      " requests=3",
                                      "read asset-bytes=",
                                      "read requests=0",
                                      "read requests=5000000000000000000",
                                      "read worlds=",
                                      "read worlds=a,,b",
                                      "read worlds=A"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[TOKEN_LINE_BYTES];
        token_line line;
        loam_error error = {0};
        (void)snprintf(text, sizeof text, LINE "%s", bad[i]);
        cr_expect_neq(token_line_read(text, &line, &error), LOAM_OK, "%s", bad[i]);
    }
}

Test(token_line, as_many_worlds_as_fit_and_not_one_more) {
    char text[TOKEN_LINE_BYTES];
    token_line line;
    loam_error error = {0};
    int used = snprintf(text, sizeof text, LINE "read worlds=w0");
    for (int i = 1; i < TOKEN_WORLDS_MAX; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, ",w%d", i);
    }
    cr_expect_eq(token_line_read(text, &line, &error), LOAM_OK, "%s", error.text);
    cr_expect_eq(line.world_count, TOKEN_WORLDS_MAX);
    (void)snprintf(text + used, sizeof text - (size_t)used, ",more");
    cr_expect_eq(token_line_read(text, &line, &error), LOAM_MALFORMED);
}
