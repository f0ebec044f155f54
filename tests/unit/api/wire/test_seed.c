/* SPDX-License-Identifier: MIT
 *
 * test_seed.c: which texts are 64-bit numbers, and which only look like it.
 */
#include "api/wire/seed.h"

#include <criterion/criterion.h>

static bool is_seed(const char *text) {
    uint64_t seed = 0;
    return seed_parse(loam_text_of(text), &seed);
}

static bool is_coordinate(const char *text) {
    int64_t coordinate = 0;
    return coordinate_parse(loam_text_of(text), &coordinate);
}

Test(seed, decimal_strings_up_to_2_to_the_64_less_one_are_seeds) {
    uint64_t seed = 1;
    cr_assert(seed_parse(loam_text_of("0"), &seed));
    cr_assert_eq(seed, 0);
    cr_assert(seed_parse(loam_text_of("42"), &seed));
    cr_assert_eq(seed, 42);
    cr_assert(seed_parse(loam_text_of("18446744073709551615"), &seed));
    cr_assert_eq(seed, UINT64_MAX);
}

Test(seed, everything_else_is_refused) {
    static const char *const bad[] = {"18446744073709551616",
                                      "99999999999999999999",
                                      "-1",
                                      "1e3",
                                      "1.0",
                                      "",
                                      "01",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "0x1",
                                      "00",
                                      "100000000000000000000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_not(is_seed(bad[i]), "%s", bad[i]);
    }
}

Test(seed, coordinates_have_a_sign_and_one_spelling) {
    int64_t at = 0;
    cr_assert(coordinate_parse(loam_text_of("-7"), &at));
    cr_assert_eq(at, -7);
    cr_assert(coordinate_parse(loam_text_of("9223372036854775807"), &at));
    cr_assert_eq(at, INT64_MAX);
    cr_assert_not(is_coordinate("9223372036854775808"));
    cr_assert_not(is_coordinate("-0"));
    cr_assert_not(is_coordinate("-"));
    cr_assert_not(is_coordinate("--1"));
    cr_assert_not(is_coordinate(""));
    cr_assert_not(is_coordinate("01"));
}
