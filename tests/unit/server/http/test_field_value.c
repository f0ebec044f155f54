/* SPDX-License-Identifier: MIT
 *
 * test_field_value.c: white space around a header's value.
 */
#include <criterion/criterion.h>

#include "core/base/text.h"
#include "server/http/field_value.h"

static bool becomes(const char *value, const char *trimmed) {
    return loam_text_equal(field_trim(loam_text_of(value)), loam_text_of(trimmed));
}

Test(field_value, blanks_and_tabs_go_from_both_ends_and_stay_within) {
    cr_expect(becomes(" \t a b\tc\t ", "a b\tc"));
    cr_expect(becomes("a", "a"));
    cr_expect(becomes("\r a", "\r a"), "a line's end is no white space of a value");
}

Test(field_value, of_nothing_but_blanks_nothing_is_left) {
    cr_expect(becomes(" \t ", ""));
    cr_expect(becomes("", ""));
    cr_expect_eq(field_trim((loam_text){NULL, 0}).size, 0);
}
