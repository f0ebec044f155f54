/* SPDX-License-Identifier: MIT */
#include "api/wire/asset_heights.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static heights_form form_of(heights_encoding encoding, bool north_first) {
    return (heights_form){
        .width = 3, .height = 2, .scale_m = 1, .encoding = encoding, .north_first = north_first};
}

static void expect_metres(const int32_t *samples, const int32_t *metres) {
    for (int i = 0; i < 6; i++) {
        cr_expect_eq(samples[i], metres[i] * 65536, "sample %d", i);
    }
}

Test(asset_raw, row_0_of_the_field_is_the_south) {
    static const char body[] = "\1\0\2\0\3\0\4\0\5\0\6\1";
    int32_t *samples = NULL;
    heights_form form = form_of(HEIGHTS_U16LE, true);
    cr_assert_eq(heights_read_raw(&form, (loam_text){body, 12}, &samples, NULL), LOAM_OK);
    expect_metres(samples, (const int32_t[]){4, 5, 262, 1, 2, 3});
    free(samples);
    form.north_first = false;
    cr_assert_eq(heights_read_raw(&form, (loam_text){body, 12}, &samples, NULL), LOAM_OK);
    expect_metres(samples, (const int32_t[]){1, 2, 3, 4, 5, 262});
    free(samples);
}

Test(asset_raw, big_endian_and_float_samples_are_read) {
    static const char big[] = "\0\1\0\2\0\3\0\4\0\5\1\6";
    static const float floats[6] = {1, -2, 3, 4.5f, 0, 100};
    int32_t *samples = NULL;
    heights_form form = form_of(HEIGHTS_U16BE, false);
    cr_assert_eq(heights_read_raw(&form, (loam_text){big, 12}, &samples, NULL), LOAM_OK);
    expect_metres(samples, (const int32_t[]){1, 2, 3, 4, 5, 262});
    free(samples);
    form = form_of(HEIGHTS_F32LE, false);
    form.scale_m = 2;
    form.offset_m = 1;
    loam_text body = {(const char *)floats, sizeof floats};
    cr_assert_eq(heights_read_raw(&form, body, &samples, NULL), LOAM_OK);
    expect_metres(samples, (const int32_t[]){3, -3, 7, 10, 1, 201});
    free(samples);
}

Test(asset_raw, a_body_of_another_size_is_told_both_sizes) {
    static const char body[16] = {0};
    static const size_t sizes[] = {0, 11, 13};
    heights_form form = form_of(HEIGHTS_U16LE, true);
    for (size_t i = 0; i < 3; i++) {
        loam_error error = {0};
        int32_t *samples = NULL;
        cr_expect_eq(heights_read_raw(&form, (loam_text){body, sizes[i]}, &samples, &error),
                     LOAM_SIZE_MISMATCH);
        char received[32];
        snprintf(received, sizeof received, "received %zu", sizes[i]);
        cr_expect(strstr(error.text, "expected 12 bytes") != NULL, "%s", error.text);
        cr_expect(strstr(error.text, received) != NULL, "%s", error.text);
    }
}

Test(asset_raw, a_size_beyond_the_limits_is_refused_before_its_body_matters) {
    heights_form form = form_of(HEIGHTS_F32LE, true);
    int32_t *samples = NULL;
    form.width = 65536;
    form.height = 65536;
    cr_assert_eq(heights_read_raw(&form, (loam_text){"", 0}, &samples, NULL), LOAM_TOO_LARGE);
}

static loam_status read_floats(uint32_t bits, loam_error *error) {
    uint32_t body[6] = {0, 0, 0, 0, bits, 0};
    heights_form form = form_of(HEIGHTS_F32LE, true);
    int32_t *samples = NULL;
    loam_status status =
        heights_read_raw(&form, (loam_text){(const char *)body, sizeof body}, &samples, error);
    free(samples);
    return status;
}

Test(asset_raw, what_is_not_finite_is_named_by_its_index) {
    static const uint32_t bits[] = {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000};
    for (size_t i = 0; i < 4; i++) {
        loam_error error = {0};
        cr_expect_eq(read_floats(bits[i], &error), LOAM_NOT_FINITE);
        cr_expect(strstr(error.text, "sample 4 (column 1, row 1)") != NULL, "%s", error.text);
    }
    cr_assert_eq(read_floats(0x80000000, NULL), LOAM_OK); /* -0 */
    cr_assert_eq(read_floats(0x00000001, NULL), LOAM_OK); /* the smallest */
}

Test(asset_raw, a_height_beyond_the_limit_is_named_by_its_index) {
    loam_error error = {0};
    cr_assert_eq(read_floats(0x46800000, &error), LOAM_OUT_OF_RANGE); /* 16,384 m */
    cr_assert(strstr(error.text, "sample 4") != NULL, "%s", error.text);
    cr_assert_eq(read_floats(0x467ffc00, NULL), LOAM_OK);           /* 16,383 m */
    cr_assert_eq(read_floats(0x7f7fffff, NULL), LOAM_OUT_OF_RANGE); /* the largest float */
}
