/* SPDX-License-Identifier: MIT
 *
 * test_token_file.c: the lines of the token file, good ones and each kind of bad one.
 */
#include "server/token/token_file.h"

#include "api/wire/scope.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define A "sha256-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "sha256-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C "sha256-cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"

static token_list list;
static loam_error error;

static loam_status read_text(const char *text, mode_t mode) {
    char path[] = "/tmp/loam-tokens-XXXXXX";
    int descriptor = mkstemp(path);
    cr_assert_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    fchmod(descriptor, mode);
    close(descriptor);
    error = (loam_error){0};
    loam_status status = token_file_read(path, &list, &error);
    unlink(path);
    return status;
}

static void stop(void) {
    token_list_fini(&list);
}

TestSuite(token_file, .fini = stop);

Test(token_file, a_line_gives_id_digest_scopes_worlds_and_limits) {
    cr_assert_eq(read_text("# who\n\nfarm " A
                           " read,generate worlds=forest,coast requests=8 jobs=2 "
                           "asset-bytes=2K world-count=9 core-seconds=30 # all of it\n",
                           0600),
                 LOAM_OK, "%s", error.text);
    token_owner *owner = token_list_find(&list, loam_text_of("farm"));
    cr_assert_not_null(owner);
    cr_expect_eq(owner->scopes, SCOPE_READ | SCOPE_GENERATE);
    cr_expect_eq(owner->digest_count, 1);
    cr_expect_eq(owner->world_count, 2);
    cr_expect_eq(owner->limits.requests, 8);
    cr_expect_eq(owner->limits.jobs, 2);
    cr_expect_eq(owner->limits.asset_bytes, 2048);
    cr_expect_eq(owner->limits.worlds, 9);
    cr_expect_eq(owner->limits.core_seconds, 30);
    cr_expect(owner_allows_world(owner, loam_text_of("coast")));
    cr_expect(!owner_allows_world(owner, loam_text_of("coas")));
}

Test(token_file, ids_are_found_whatever_their_order_and_prefixes) {
    cr_assert_eq(read_text("b " A " read\nab " A " read\na " A " read\nabc " A " read\n", 0640),
                 LOAM_OK, "%s", error.text);
    static const char *const ids[] = {"a", "ab", "abc", "b"};
    for (size_t i = 0; i < 4; i++) {
        cr_assert_not_null(token_list_find(&list, loam_text_of(ids[i])));
        cr_expect_str_eq(token_list_find(&list, loam_text_of(ids[i]))->id, ids[i]);
    }
    cr_expect_null(token_list_find(&list, loam_text_of("abcd")));
    cr_expect_null(token_list_find(&list, loam_text_of("")));
}

Test(token_file, two_lines_of_an_id_are_two_tokens_and_a_third_is_too_many) {
    cr_assert_eq(read_text("x " A " read\nx " B " read\n", 0600), LOAM_OK, "%s", error.text);
    cr_expect_eq(token_list_find(&list, loam_text_of("x"))->digest_count, 2);
    token_list_fini(&list);
    cr_expect_eq(read_text("x " A " read\nx " B " read\nx " C " read\n", 0600), LOAM_TOO_MANY);
    cr_expect_not_null(strstr(error.text, ":3:"), "%s", error.text);
    token_list_fini(&list);
    cr_expect_eq(read_text("x " A " read\nx " B " read,upload\n", 0600), LOAM_MALFORMED);
}

Test(token_file, every_slip_of_the_pen_is_named_by_its_line) {
    static const char *const bad[] = {
        "Farm " A " read\n",
        "x\n",
        "x sha256-aa read\n",
        "x " A "\n",
        "x " A " reed\n",
        "x " A " read,read\n",
        "x " A " read worlds=\n",
        "x " A " read worlds=A\n",
        "x " A " read requests=0\n",
        "x " A " read requests=-1\n",
        "x " A " read requests=1X\n",
        "x " A " read colour=red\n",
        "x " A " read requests\n",
        "x " A " read asset-bytes=99999999999999T\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "# one\n%s", bad[i]);
        cr_expect_neq(read_text(text, 0600), LOAM_OK, "%s", bad[i]);
        cr_expect_not_null(strstr(error.text, ":2:"), "%s: %s", bad[i], error.text);
        token_list_fini(&list);
    }
}

Test(token_file, a_file_that_everybody_can_read_is_refused) {
    cr_expect_eq(read_text("x " A " read\n", 0644), LOAM_FORBIDDEN);
    token_list_fini(&list);
    error = (loam_error){0};
    cr_expect_eq(token_file_read("/tmp/loam-no-such-file", &list, &error), LOAM_IO);
}
