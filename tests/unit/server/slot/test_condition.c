/* SPDX-License-Identifier: MIT
 *
 * test_condition.c: lists of entity tags, weak and strong, and conditions of writes.
 */
#include "server/slot/condition.h"

#include <criterion/criterion.h>

static const loam_text absent = {NULL, 0};

static bool names(const char *list, const char *etag, bool weak) {
    return condition_names(loam_text_of(list), etag, weak);
}

Test(condition, a_tag_is_found_anywhere_in_the_list) {
    cr_expect(names("\"a\"", "\"a\"", false));
    cr_expect(names("\"b\", \"a\"", "\"a\"", false));
    cr_expect(names("\"b\",,\"a\" ", "\"a\"", false));
    cr_expect_not(names("\"ab\"", "\"a\"", false));
    cr_expect_not(names("", "\"a\"", false));
}

Test(condition, a_weak_tag_counts_only_where_weak_ones_do) {
    cr_expect(names("W/\"a\"", "\"a\"", true));
    cr_expect_not(names("W/\"a\"", "\"a\"", false));
}

Test(condition, a_star_names_whatever_is_there) {
    cr_expect(names("*", "\"a\"", false));
    cr_expect(names(" * ", "\"a\"", false));
    cr_expect_not(names("*", NULL, false));
}

Test(condition, what_is_no_list_of_tags_names_nothing) {
    cr_expect_not(names("a", "a", true));
    cr_expect_not(names("\"a", "\"a\"", true));
    cr_expect_not(names("W/", "\"a\"", true));
}

static loam_status check(loam_text match, loam_text none_match, const char *etag) {
    loam_error error = {0};
    return condition_check_write(match, none_match, etag, &error);
}

Test(condition, writes_without_conditions_go_through) {
    cr_expect_eq(check(absent, absent, NULL), LOAM_OK);
    cr_expect_eq(check(absent, absent, "\"a\""), LOAM_OK);
}

Test(condition, if_match_wants_what_is_there) {
    cr_expect_eq(check(loam_text_of("\"a\""), absent, "\"a\""), LOAM_OK);
    cr_expect_eq(check(loam_text_of("\"b\""), absent, "\"a\""), LOAM_PRECONDITION_FAILED);
    cr_expect_eq(check(loam_text_of("*"), absent, NULL), LOAM_PRECONDITION_FAILED);
}

Test(condition, if_none_match_wants_what_is_not_there) {
    cr_expect_eq(check(absent, loam_text_of("*"), NULL), LOAM_OK);
    cr_expect_eq(check(absent, loam_text_of("*"), "\"a\""), LOAM_PRECONDITION_FAILED);
    cr_expect_eq(check(absent, loam_text_of("W/\"a\""), "\"a\""), LOAM_PRECONDITION_FAILED);
}

static read_verdict read_with(const char *match, const char *none_match) {
    return condition_check_read(match == NULL ? absent : loam_text_of(match),
                                none_match == NULL ? absent : loam_text_of(none_match), "\"a\"");
}

Test(condition, a_read_is_refused_before_it_is_unchanged) {
    cr_expect_eq(read_with(NULL, NULL), READ_ANSWERED);
    cr_expect_eq(read_with("\"a\"", NULL), READ_ANSWERED);
    cr_expect_eq(read_with("*", "\"b\""), READ_ANSWERED);
    cr_expect_eq(read_with(NULL, "W/\"a\""), READ_UNCHANGED);
    cr_expect_eq(read_with("\"a\"", "\"a\""), READ_UNCHANGED);
    cr_expect_eq(read_with("\"b\"", "\"a\""), READ_REFUSED);
    cr_expect_eq(read_with("W/\"a\"", NULL), READ_REFUSED);
}
