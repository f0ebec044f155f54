/* SPDX-License-Identifier: MIT
 *
 * test_view_roff.c: texts that roff would read as its own come out as they were written.
 */
#include "api/view/view_roff.h"

#include <criterion/criterion.h>
#include <string.h>

static text_buffer page;

static void page_begin(void) {
    buffer_init(&page, 4096);
}

static void page_end(void) {
    buffer_fini(&page);
}

TestSuite(view_roff, .init = page_begin, .fini = page_end);

static void expect_page(const char *text) {
    cr_assert_eq(page.size, strlen(text), "%.*s", (int)page.size, page.bytes);
    cr_expect_eq(memcmp(page.bytes, text, page.size), 0, "%.*s", (int)page.size, page.bytes);
}

Test(view_roff, dots_apostrophes_dashes_and_backslashes_are_escaped) {
    roff_more(&page, ".TH -x\n'tis a\\b. 'c'");
    expect_page("\\&.TH \\-x\n\\&'tis a\\eb. 'c'\n");
}

Test(view_roff, an_item_has_its_word_its_argument_and_its_text) {
    roff_item(&page, "--o", "FILE", "where it goes");
    roff_item(&page, "-n", NULL, "a flag");
    expect_page(".TP\n\\fB\\-\\-o\\fR \\fIFILE\\fR\nwhere it goes\n.TP\n\\fB\\-n\\fR\na flag\n");
}

Test(view_roff, a_page_begins_with_title_and_name_and_no_date) {
    roff_begin(&page, "loamd.conf", 5, "what loamd is told");
    expect_page(".TH LOAMD.CONF 5 \"\" \"loam " LOAM_VERSION_TEXT "\"\n.SH \"NAME\"\n"
                "loamd.conf \\- what loamd is told\n");
}

Test(view_roff, a_page_that_is_too_large_fails_as_its_buffer_does) {
    char text[5000];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    roff_paragraph(&page, text);
    cr_expect_neq(buffer_status(&page), LOAM_OK);
}
