/* SPDX-License-Identifier: MIT
 *
 * test_decimal.c: exact decimals, at both ends of their range.
 */
#include "core/base/decimal.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const char *print(int64_t value, unsigned scale_bits) {
    static char text[DECIMAL_BYTES_MAX];
    cr_assert_gt(decimal_print(text, sizeof text, value, scale_bits), 0);
    return text;
}

Test(decimal, numbers_are_exact_and_without_trailing_zeros) {
    cr_assert_str_eq(print(154, 8), "0.6015625");
    cr_assert_str_eq(print(128, 8), "0.5");
    cr_assert_str_eq(print(256, 8), "1");
    cr_assert_str_eq(print(0, 8), "0");
    cr_assert_str_eq(print(-128, 8), "-0.5");
    cr_assert_str_eq(print(-257, 8), "-1.00390625");
    cr_assert_str_eq(print(1, 24), "0.000000059604644775390625");
    cr_assert_str_eq(print(42, 0), "42");
}

Test(decimal, the_largest_numbers_print_whole) {
    cr_assert_str_eq(print(INT64_MAX, 0), "9223372036854775807");
    cr_assert_str_eq(print(INT64_MIN, 0), "-9223372036854775808");
    cr_assert_str_eq(print(INT64_MIN, 60), "-8");
    cr_assert_str_eq(print(1, DECIMAL_SCALE_BITS_MAX),
                     "0.000000000000000000867361737988403547205962240695953369140625");
}

Test(decimal, a_buffer_that_is_too_small_is_left_alone) {
    char text[4] = "xyz";
    cr_assert_eq(decimal_print(text, sizeof text, 12345, 0), 0);
    cr_assert_str_eq(text, "xyz");
    cr_assert_eq(decimal_print(text, sizeof text, 123, 0), 3);
}

Test(decimal, what_is_printed_reads_back_as_the_same_number) {
    uint64_t state = 1;
    for (int i = 0; i < 10000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int64_t value = (int64_t)(state >> 12) - ((int64_t)1 << 51);
        unsigned scale = (unsigned)(state & 31);
        double back = strtod(print(value, scale), NULL) * (double)((int64_t)1 << scale);
        cr_assert_eq((int64_t)back, value);
    }
}
