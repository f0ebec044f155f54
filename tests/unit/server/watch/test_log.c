/* SPDX-License-Identifier: MIT
 *
 * test_log.c: every line is one JSON object, whatever goes into it.
 */
#include "server/watch/log.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void start(void) {
    cr_assert_eq(pipe(ends), 0);
    log_set_file(ends[1]);
}

/* What was written, parsed; the caller lets go of it. */
static json_t *written(void) {
    static char text[2 * LOG_LINE_BYTES];
    close(ends[1]);
    ssize_t size = read(ends[0], text, sizeof text - 1);
    cr_assert(size > 0 && text[size - 1] == '\n');
    json_t *root = json_loadb(text, (size_t)size, JSON_ALLOW_NUL, NULL);
    cr_assert(json_is_object(root), "%.*s", (int)size, text);
    return root;
}

Test(log, a_line_is_one_json_object_with_time_level_and_event, .init = start) {
    log_line line;
    log_begin(&line, LOG_WARNING, "store-full");
    log_number(&line, "bytes", -5);
    log_string(&line, "text", "a \"quoted\" \\ line\nwith\tcontrols\x01");
    log_end(&line);
    json_t *root = written();
    cr_expect_str_eq(json_string_value(json_object_get(root, "level")), "warning");
    cr_expect_str_eq(json_string_value(json_object_get(root, "event")), "store-full");
    cr_expect_eq(json_integer_value(json_object_get(root, "bytes")), -5);
    cr_expect_str_eq(json_string_value(json_object_get(root, "text")),
                     "a \"quoted\" \\ line\nwith\tcontrols\x01");
    cr_expect_eq(strlen(json_string_value(json_object_get(root, "time"))), 24);
    json_decref(root);
}

Test(log, a_level_that_is_not_wanted_writes_nothing, .init = start) {
    log_line line;
    log_set_level(LOG_ERROR);
    log_begin(&line, LOG_INFO, "quiet");
    log_string(&line, "text", "x");
    log_end(&line);
    close(ends[1]);
    char byte = 0;
    cr_assert_eq(read(ends[0], &byte, 1), 0);
}

Test(log, a_field_that_does_not_fit_is_left_out_whole, .init = start) {
    static char large[LOG_LINE_BYTES + 1];
    memset(large, '"', sizeof large - 1);
    log_line line;
    log_begin(&line, LOG_ERROR, "large");
    log_string(&line, "large", large);
    log_number(&line, "after", 1);
    log_end(&line);
    json_t *root = written();
    cr_expect_null(json_object_get(root, "large"));
    cr_expect_eq(json_integer_value(json_object_get(root, "after")), 1);
    json_decref(root);
}

Test(log, bytes_that_are_no_ascii_cannot_break_the_line, .init = start) {
    log_line line;
    log_begin(&line, LOG_ERROR, "bytes");
    log_text(&line, "text", (loam_text){"\xff\x00\x7f", 3});
    log_end(&line);
    json_decref(written());
}
