/* SPDX-License-Identifier: MIT
 *
 * test_trace_parent.c: what is a traceparent and what is not.
 */
#include "server/http/trace_parent.h"

#include <criterion/criterion.h>

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define PARENT "b7ad6b7169203331"

static const char *read(const char *header) {
    static char text[TRACE_PARENT_BYTES];
    trace_parent_read(loam_text_of(header), text);
    return text;
}

Test(trace_parent, one_of_the_right_form_is_kept) {
    cr_expect_str_eq(read("00-" TRACE "-" PARENT "-01"), "00-" TRACE "-" PARENT "-01");
    cr_expect_str_eq(read("cc-" TRACE "-" PARENT "-00-later"), "cc-" TRACE "-" PARENT "-00");
}

Test(trace_parent, any_other_is_as_good_as_absent) {
    static const char *const bad[] = {
        "",
        "00-" TRACE "-" PARENT,
        "00-" TRACE "-" PARENT "-01-more",
        "00-" TRACE "-" PARENT "-0",
        "ff-" TRACE "-" PARENT "-01",
        "00-00000000000000000000000000000000-" PARENT "-01",
        "00-" TRACE "-0000000000000000-01",
        "00-0AF7651916cd43dd8448eb211c80319c-" PARENT "-01",
        "00_" TRACE "-" PARENT "-01",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_str_eq(read(bad[i]), "", "%s", bad[i]);
    }
}
