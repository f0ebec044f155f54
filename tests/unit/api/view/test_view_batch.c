/* SPDX-License-Identifier: MIT */
#include "api/view/view_batch.h"

#include <criterion/criterion.h>
#include <string.h>

static const loam_error outside = {.status = LOAM_OUTSIDE_WORLD, .text = "far"};

static batch_entry entry_of(const char *bytes, size_t size) {
    return (batch_entry){.level = 1,
                         .x = -2,
                         .z = 3,
                         .status = 200,
                         .build_key = {{7}},
                         .digest = {{9}},
                         .bytes = {bytes, size}};
}

Test(view_batch, entries_are_padded_to_eight_bytes_and_little_endian) {
    const batch_entry entry = entry_of("abc", 3);
    text_buffer to;
    buffer_init(&to, 1 << 16);
    cr_assert_eq(view_batch_bytes(&entry, 1, &to), LOAM_OK);
    cr_assert_eq(to.size, 16 + 96 + 8);
    cr_expect_eq(memcmp(to.bytes, "LOAMBTCH\1\0\0\0\1\0\0\0", 16), 0);
    cr_expect_eq(memcmp(to.bytes + 16, "\xfe\xff\xff\xff\xff\xff\xff\xff\3\0\0\0\0\0\0\0", 16), 0);
    cr_expect_eq(memcmp(to.bytes + 32, "\1\0\0\0\xc8\0\0\0\7\0", 10), 0);
    cr_expect_eq(to.bytes[16 + 56], 9);
    cr_expect_eq(memcmp(to.bytes + 16 + 88, "\3\0\0\0\0\0\0\0abc\0\0\0\0\0", 16), 0);
    buffer_fini(&to);
}

Test(view_batch, a_failure_carries_its_problem) {
    const batch_entry entry = {.status = 404, .error = &outside};
    text_buffer to;
    buffer_init(&to, 1 << 16);
    cr_assert_eq(view_batch_bytes(&entry, 1, &to), LOAM_OK);
    cr_expect_eq(to.size % 8, 0);
    buffer_add(&to, "", 1);
    cr_expect(strstr(to.bytes + 16 + 96, "\"code\":\"outside-world\"") != NULL);
    buffer_fini(&to);
}

/* Across the border of the blocks that base64 is made in. */
Test(view_batch, json_holds_base64_of_any_length) {
    char bytes[7000];
    memset(bytes, 'M', sizeof bytes);
    for (size_t size = 3070; size < 3076; size++) {
        const batch_entry entry = entry_of(bytes, size);
        text_buffer to;
        buffer_init(&to, 1 << 16);
        cr_assert_eq(view_batch_json(&entry, 1, &to), LOAM_OK);
        buffer_add(&to, "", 1);
        const char *at = strstr(to.bytes, "\"bytes\":\"");
        cr_assert_not_null(at);
        at += strlen("\"bytes\":\"");
        cr_expect_eq(strspn(at, "TU1N"), size / 3 * 4 + (size % 3 == 0 ? 0 : size % 3));
        cr_expect_eq(strcspn(at, "\""), (size + 2) / 3 * 4);
        buffer_fini(&to);
    }
}

Test(view_batch, no_cells_are_an_empty_list_and_a_full_buffer_is_too_large) {
    text_buffer to;
    buffer_init(&to, 16);
    cr_expect_eq(view_batch_bytes(NULL, 0, &to), LOAM_OK);
    cr_expect_eq(to.size, 16);
    const batch_entry entry = entry_of("abc", 3);
    cr_expect_eq(view_batch_bytes(&entry, 1, &to), LOAM_TOO_LARGE);
    buffer_fini(&to);
}
