/* SPDX-License-Identifier: MIT
 *
 * test_text_buffer.c: commas, escaping, limits and ownership of the text buffer.
 */
#include "api/wire/text_buffer.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static text_buffer buffer;

static void init(void) {
    buffer_init(&buffer, 4096);
}

static void fini(void) {
    buffer_fini(&buffer);
}

TestSuite(text_buffer, .init = init, .fini = fini);

static void assert_text(const char *want) {
    loam_text got = buffer_view(&buffer);
    cr_assert(loam_text_equal(got, loam_text_of(want)), "got %.*s, want %s", (int)got.size,
              got.bytes, want);
}

Test(text_buffer, commas_are_put_where_they_belong) {
    buffer_open_object(&buffer);
    buffer_key(&buffer, "a");
    buffer_open_array(&buffer);
    buffer_integer(&buffer, -1);
    buffer_unsigned(&buffer, UINT64_MAX);
    buffer_open_object(&buffer);
    buffer_close_object(&buffer);
    buffer_null(&buffer);
    buffer_close_array(&buffer);
    buffer_key(&buffer, "b");
    buffer_bool(&buffer, true);
    buffer_key(&buffer, "c");
    buffer_unsigned_string(&buffer, 7);
    buffer_key(&buffer, "d");
    buffer_decimal(&buffer, 3, 1);
    buffer_close_object(&buffer);
    assert_text("{\"a\":[-1,18446744073709551615,{},null],\"b\":true,\"c\":\"7\",\"d\":1.5}");
}

Test(text_buffer, lines_of_json_are_apart) {
    buffer_integer(&buffer, 1);
    buffer_add_text(&buffer, "\n");
    buffer_integer(&buffer, 2);
    assert_text("1\n2");
}

Test(text_buffer, a_string_that_ends_in_a_bracket_is_still_a_value) {
    buffer_open_array(&buffer);
    buffer_string(&buffer, "{");
    buffer_string(&buffer, ":");
    buffer_close_array(&buffer);
    assert_text("[\"{\",\":\"]");
}

Test(text_buffer, strings_are_escaped) {
    buffer_string(&buffer, "a\"b\\c\n\t\x01\x7f/\xc3\xa4\xf0\x9f\x8c\xb2");
    assert_text("\"a\\\"b\\\\c\\n\\t\\u0001\x7f/\xc3\xa4\xf0\x9f\x8c\xb2\"");
}

Test(text_buffer, a_zero_byte_is_escaped) {
    buffer_string_text(&buffer, (loam_text){"a\0b", 3});
    assert_text("\"a\\u0000b\"");
}

Test(text_buffer, bytes_that_are_no_utf8_are_replaced) {
    static const char *const bad[] = {
        "\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        buffer_clear(&buffer);
        buffer_string(&buffer, bad[i]);
        loam_text got = buffer_view(&buffer);
        cr_assert_eq(got.size, 2 + 3 * strlen(bad[i]), "every byte of number %zu", i);
        cr_assert_eq(memcmp(got.bytes, "\"\xef\xbf\xbd", 4), 0);
    }
}

Test(text_buffer, it_holds_exactly_its_limit) {
    buffer_fini(&buffer);
    buffer_init(&buffer, 4);
    buffer_add_text(&buffer, "abcd");
    cr_assert_eq(buffer_status(&buffer), LOAM_OK);
    buffer_add_text(&buffer, "e");
    cr_assert_eq(buffer_status(&buffer), LOAM_TOO_LARGE);
    size_t size = 0;
    cr_assert_null(buffer_take(&buffer, &size));
    buffer_clear(&buffer);
    buffer_add_text(&buffer, "ok");
    assert_text("ok");
}

Test(text_buffer, taking_moves_the_bytes_out) {
    buffer_add_text(&buffer, "abc");
    size_t size = 0;
    char *bytes = buffer_take(&buffer, &size);
    cr_assert_eq(size, 3);
    cr_assert_eq(memcmp(bytes, "abc", 3), 0);
    cr_assert_eq(buffer_view(&buffer).size, 0);
    free(bytes);
}

Test(text_buffer, it_grows_over_many_small_pieces) {
    buffer_fini(&buffer);
    buffer_init(&buffer, 1 << 20);
    for (int i = 0; i < 10000; i++) {
        buffer_add_text(&buffer, "0123456789");
    }
    cr_assert_eq(buffer_view(&buffer).size, 100000);
    cr_assert_eq(memcmp(buffer.bytes + 99990, "0123456789", 10), 0);
}
