/* SPDX-License-Identifier: MIT
 *
 * test_byte_range.c: one range of a body.
 */
#include <criterion/criterion.h>

#include "server/http/byte_range.h"

static void expect(const char *header, uint64_t size, range_kind kind, uint64_t first,
                   uint64_t last) {
    byte_range range = range_parse(loam_text_of(header), size);
    cr_expect_eq(range.kind, kind, "%s of %llu", header, (unsigned long long)size);
    if (kind == RANGE_PART) {
        cr_expect_eq(range.first, first, "%s", header);
        cr_expect_eq(range.last, last, "%s", header);
    }
}

Test(byte_range, parts_are_cut_to_the_body) {
    expect("bytes=0-0", 10, RANGE_PART, 0, 0);
    expect("bytes=2-5", 10, RANGE_PART, 2, 5);
    expect(" BYTES=2-5 ", 10, RANGE_PART, 2, 5);
    expect("bytes=2-", 10, RANGE_PART, 2, 9);
    expect("bytes=9-100", 10, RANGE_PART, 9, 9);
    expect("bytes=-3", 10, RANGE_PART, 7, 9);
    expect("bytes=-30", 10, RANGE_PART, 0, 9);
}

Test(byte_range, what_lies_beyond_the_body_is_unsatisfiable) {
    expect("bytes=10-", 10, RANGE_UNSATISFIABLE, 0, 0);
    expect("bytes=0-", 0, RANGE_UNSATISFIABLE, 0, 0);
    expect("bytes=-0", 10, RANGE_UNSATISFIABLE, 0, 0);
    expect("bytes=-5", 0, RANGE_UNSATISFIABLE, 0, 0);
}

Test(byte_range, what_is_not_understood_asks_for_the_whole) {
    static const char *const bad[] = {
        "",
        "bytes",
        "bytes=",
        "bytes=a-b",
        "bytes=1",
        "bytes=5-2",
        "items=1-2",
        "bytes=0-1,3-4",
        "bytes=--1",
        "bytes=-",
        "bytes=1-2x",
        "bytes= ",
        "bytes=99999999999999999999-",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect(bad[i], 10, RANGE_NONE, 0, 0);
    }
    cr_expect_eq(range_parse((loam_text){NULL, 0}, 10).kind, RANGE_NONE);
}
