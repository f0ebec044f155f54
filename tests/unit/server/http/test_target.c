/* SPDX-License-Identifier: MIT
 *
 * test_target.c: strict decoding of request targets.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/http/target.h"

static char bytes[TARGET_BYTES_MAX];
static target parsed;

static loam_status parse(const char *text) {
    loam_error error = {0};
    memcpy(bytes, text, strlen(text));
    return target_parse(&parsed, bytes, strlen(text), &error);
}

static void expect_text(loam_text text, const char *wanted) {
    cr_expect(loam_text_equal(text, loam_text_of(wanted)), "got %.*s, want %s", (int)text.size,
              text.bytes, wanted);
}

Test(target, a_path_is_cut_into_decoded_segments) {
    cr_assert_eq(parse("/v1/worlds/my%20world/cells/-3"), LOAM_OK);
    cr_assert_eq(parsed.segment_count, 5);
    expect_text(parsed.segments[2], "my world");
    expect_text(parsed.segments[4], "-3");
    expect_text(parsed.path, "/v1/worlds/my world/cells/-3");
}

Test(target, the_root_has_one_empty_segment) {
    cr_assert_eq(parse("/"), LOAM_OK);
    cr_expect_eq(parsed.segment_count, 1);
    cr_expect_eq(parsed.segments[0].size, 0);
}

Test(target, parameters_are_decoded_with_plus_as_blank) {
    cr_assert_eq(parse("/a?x=1&name=a+b%2Fc&flag&empty="), LOAM_OK);
    cr_assert_eq(parsed.parameter_count, 4);
    expect_text(target_find(&parsed, "name"), "a b/c");
    expect_text(target_find(&parsed, "flag"), "");
    cr_expect_null(target_find(&parsed, "other").bytes);
    cr_expect_not_null(target_find(&parsed, "empty").bytes);
}

Test(target, a_plus_in_a_path_stays_a_plus) {
    cr_assert_eq(parse("/a+b"), LOAM_OK);
    expect_text(parsed.segments[0], "a+b");
}

Test(target, an_absolute_target_gives_its_authority) {
    cr_assert_eq(parse("HTTP://localhost:7373/v1?x=1"), LOAM_OK);
    expect_text(parsed.authority, "localhost:7373");
    expect_text(parsed.path, "/v1");
    cr_expect_not(parsed.is_secure);
    cr_assert_eq(parse("http://localhost"), LOAM_OK);
    expect_text(parsed.path, "/");
    cr_assert_eq(parse("httpS://localhost:1/v1"), LOAM_OK);
    expect_text(parsed.authority, "localhost:1");
    expect_text(parsed.path, "/v1");
    cr_expect(parsed.is_secure);
    cr_expect_eq(parse("httpx://localhost/v1"), LOAM_MALFORMED);
    cr_expect_eq(parse("https://"), LOAM_MALFORMED);
    cr_assert_eq(parse("http://localhost?x=1"), LOAM_OK);
    expect_text(target_find(&parsed, "x"), "1");
}

Test(target, a_star_stands_for_the_server) {
    cr_assert_eq(parse("*"), LOAM_OK);
    cr_expect_eq(parsed.segment_count, 0);
}

Test(target, utf8_of_every_length_passes) {
    cr_expect_eq(parse("/%c3%a9%e2%82%ac%F0%9F%8C%B2"), LOAM_OK);
    expect_text(parsed.segments[0], "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\xb2");
}

Test(target, what_can_be_read_in_two_ways_is_malformed) {
    static const char *const bad[] = {
        "/%00",       "/a%0ab",  "/%7f",     "/a%2fb",   "/a%2Fb",    "/%",         "/%1",
        "/%g1",       "/%1g",    "/%c3",     "/%c3%28",  "/%c0%af",   "/%ed%a0%80", "/%f4%90%80%80",
        "/%e0%80%80", "/%c2%85", "/%ff",     "/a b",     "/\xc3\xa9", "/a#b",       "/a\\b",
        "",           "a",       "/a?x=%00", "/a?x=%zz", "/a?%ff=1",  "/\t",        "http:/a",
        "/a?x=%2",    "/.",      "/..",      "/a/./b",   "/a/../b",   "/a/%2e%2e",  "http://a/..",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_eq(parse(bad[i]), LOAM_MALFORMED, "%s", bad[i]);
    }
}

Test(target, sixteen_segments_pass_and_one_more_is_not_found) {
    cr_expect_eq(parse("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16"), LOAM_OK);
    cr_expect_eq(parse("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17"), LOAM_NOT_FOUND);
}

Test(target, thirty_two_parameters_pass_and_one_more_does_not) {
    char text[512] = "/?";
    for (int i = 0; i < TARGET_PARAMETERS_MAX; i++) {
        strcat(text, "a=1&");
    }
    cr_expect_eq(parse(text), LOAM_OK);
    strcat(text, "a=1");
    cr_expect_eq(parse(text), LOAM_MALFORMED);
}
