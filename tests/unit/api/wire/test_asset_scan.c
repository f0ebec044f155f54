/* SPDX-License-Identifier: MIT */
#include "api/wire/asset_scan.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const scan_limits limits = {.depth_max = 4, .numbers_max = 6};

static loam_status check_text(const char *text) {
    uint32_t numbers = 0;
    loam_error error = {0};
    loam_status status = scan_check(loam_text_of(text), limits, &numbers, &error);
    cr_assert_eq(status, error.status);
    return status;
}

static loam_status check_bytes(const char *bytes, size_t size) {
    uint32_t numbers = 0;
    return scan_check((loam_text){bytes, size}, limits, &numbers, NULL);
}

Test(asset_scan, json_of_every_kind_is_accepted_and_its_numbers_are_counted) {
    const char *text = " {\"a\\n\\u00e9é😀\": [1, -0.5, 2e+3, true, false, null], \"\": {} } \n";
    uint32_t numbers = 0;
    cr_assert_eq(scan_check(loam_text_of(text), limits, &numbers, NULL), LOAM_OK);
    cr_assert_eq(numbers, 3);
}

Test(asset_scan, what_is_no_json_is_refused) {
    static const char *const texts[] = {
        "",           " ",          "{",         "[1,]",          "[1 2]",     "[01]",
        "[-01]",      "[1.]",       "[.5]",      "[1e]",          "[+1]",      "[NaN]",
        "[nan]",      "[Infinity]", "[-]",       "{1:2}",         "{\"a\"}",   "{\"a\":}",
        "{\"a\":1,}", "[\"a]",      "[\"\\x\"]", "[\"\\u12g4\"]", "[\"\t\"]",  "[]]",
        "[] []",      "tru",        "['a']",     "[1}",           "{\"a\":1]", "[\"\\",
        "[\"\\u1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_eq(check_text(texts[i]), LOAM_MALFORMED, "%s", texts[i]);
    }
}

Test(asset_scan, a_byte_of_zero_is_no_json) {
    cr_assert_eq(check_bytes("[1\0]", 4), LOAM_MALFORMED);
    cr_assert_eq(check_bytes("[\"\0\"]", 5), LOAM_MALFORMED);
    cr_assert_eq(check_bytes("[1]\0", 4), LOAM_MALFORMED);
}

Test(asset_scan, text_that_is_no_utf8_is_refused) {
    static const char *const texts[] = {"[\"\x80\"]",
                                        "[\"\xc0\xaf\"]",
                                        "[\"\xe0\x80\x80\"]",
                                        "[\"\xed\xa0\x80\"]",
                                        "[\"\xf4\x90\x80\x80\"]",
                                        "[\"\xe2\x82\"]",
                                        "[\"\xff\"]",
                                        "[\"\xe2\x82"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_eq(check_text(texts[i]), LOAM_MALFORMED, "%zu", i);
    }
}

Test(asset_scan, half_of_a_surrogate_pair_is_refused_in_names_and_values) {
    static const char *const texts[] = {
        "[\"\\ud800\"]",        "[\"\\udc00\"]",        "[\"\\uDBFFx\"]",       "[\"\\ud800\\n\"]",
        "[\"\\ud800\\u0041\"]", "[\"\\ud800\\ud800\"]", "[\"\\udc00\\ud800\"]", "{\"\\ud800\":1}",
        "[\"\\ud800\\udc0\"]",  "[\"\\ud800\\u",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_eq(check_text(texts[i]), LOAM_MALFORMED, "%s", texts[i]);
    }
    cr_expect_eq(check_text("[\"\\ud800\\udc00\\uDBFF\\uDFFF\\ud7ff\\ue000\"]"), LOAM_OK);
}

Test(asset_scan, nesting_ends_at_its_limit) {
    cr_assert_eq(check_text("[[[[]]]]"), LOAM_OK);
    cr_assert_eq(check_text("[[[[[]]]]]"), LOAM_MALFORMED);
    size_t size = 100000;
    char *deep = malloc(size);
    memset(deep, '[', size);
    cr_assert_eq(check_bytes(deep, size), LOAM_MALFORMED);
    free(deep);
}

Test(asset_scan, numbers_end_at_their_limit) {
    cr_assert_eq(check_text("[1,2,3,4,5,6]"), LOAM_OK);
    cr_assert_eq(check_text("[1,2,3,4,5,6,7]"), LOAM_TOO_MANY);
}

Test(asset_scan, a_number_of_too_many_digits_is_refused) {
    char text[SCAN_NUMBER_BYTES_MAX + 8];
    memset(text, '1', sizeof text);
    cr_assert_eq(check_bytes(text, SCAN_NUMBER_BYTES_MAX), LOAM_OK);
    cr_assert_eq(check_bytes(text, SCAN_NUMBER_BYTES_MAX + 1), LOAM_MALFORMED);
}

Test(asset_scan, a_fault_says_its_line_and_byte) {
    uint32_t numbers = 0;
    loam_error error = {0};
    cr_assert_eq(scan_check(loam_text_of("[1,\n  x]"), limits, &numbers, &error), LOAM_MALFORMED);
    cr_assert(strstr(error.text, "line 2, byte 3") != NULL, "%s", error.text);
}

Test(asset_scan, a_walk_meets_every_item_once) {
    const char *at =
        scan_begin(loam_text_of(" [ {\"a\" : [1,[2]], \"b\": \"]\\\"\"} , -1.5e3,null ]"));
    scan_enter(&at);
    cr_assert(scan_more(&at));
    cr_assert_eq(scan_kind_of(at), SCAN_OBJECT);
    const char *inner = at;
    scan_skip(&at);
    cr_assert(scan_more(&at));
    loam_text number = scan_token(&at);
    cr_assert_eq(scan_number(number), -1500);
    cr_assert(scan_more(&at));
    cr_assert_eq(scan_kind_of(at), SCAN_NULL);
    scan_skip(&at);
    cr_assert_not(scan_more(&at));
    scan_enter(&inner);
    cr_assert(scan_more(&inner));
    cr_assert(scan_equal(scan_key(&inner), "a"));
    scan_skip(&inner);
    cr_assert(scan_more(&inner));
    cr_assert(scan_equal(scan_key(&inner), "b"));
    cr_assert(scan_equal(scan_token(&inner), "]\""));
    cr_assert_not(scan_more(&inner));
}

Test(asset_scan, escapes_are_resolved) {
    char plain[64];
    loam_text written = loam_text_of("\\u0041\\n\\/\\\\\\u00e9\\ud83d\\uDE00x");
    size_t size = scan_unescape(written, plain);
    cr_assert_eq(size, strlen("A\n/\\é😀x"));
    cr_assert(memcmp(plain, "A\n/\\é😀x", size) == 0);
    cr_assert(scan_equal(loam_text_of("t\\u0079pe"), "type"));
    cr_assert_not(scan_equal(loam_text_of("t\\u0079p"), "type"));
}

Test(asset_scan, numbers_are_the_nearest_binary64) {
    static const char *const texts[] = {
        "0.1",
        "-0.1",
        "8155.5",
        "123456789.123456",
        "9007199254740993",
        "0.30000000000000004",
        "1e-7",
        "1.7976931348623157e308",
        "5e-324",
        "0.000000001",
        "-0",
        "99999999999999.9",
        "3.14159265358979323846264338327950288419716939937510",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_expect_eq(scan_number(loam_text_of(texts[i])), strtod(texts[i], NULL), "%s", texts[i]);
    }
    cr_assert(isinf(scan_number(loam_text_of("1e999"))));
}
