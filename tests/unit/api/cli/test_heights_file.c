/* SPDX-License-Identifier: MIT
 *
 * test_heights_file.c: heights keep within half a step of what they were, at exact scales.
 */
#include "api/cli/heights_file.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void check_scale(const int32_t *samples, uint32_t bits_expected) {
    loam_heightfield field = {.width = 2, .height = 2, .samples = samples};
    heights_scale scale = heights_scale_of(&field);
    cr_assert_eq(scale.scale_bits, bits_expected, "%u", scale.scale_bits);
    for (size_t i = 0; i < 4; i++) {
        int64_t back =
            scale.offset + ((int64_t)heights_sample(scale, samples[i]) << scale.scale_bits);
        int64_t miss = back - samples[i];
        cr_assert_leq(llabs(miss) * 2, (int64_t)1 << scale.scale_bits, "sample %zu", i);
    }
}

Test(heights_file, the_step_is_the_smallest_in_which_the_range_fits) {
    check_scale((const int32_t[]){0, 1, 2, 65534}, 0);
    check_scale((const int32_t[]){0, 1, 2, 65535}, 1);
    check_scale((const int32_t[]){-5, -5, -5, -5}, 0);
    check_scale((const int32_t[]){-1000000, 65536 * 300, 17, -65536 * 11}, 9);
    check_scale((const int32_t[]){-(1 << 30), 1 << 30, 0, 1}, 16);
}

Test(heights_file, raw_rows_begin_in_the_north) {
    static const int32_t samples[] = {10, 11, 12, 13};
    loam_heightfield field = {.width = 2, .height = 2, .samples = samples};
    heights_scale scale = heights_scale_of(&field);
    loam_error error = {0};
    text_buffer file;
    buffer_init(&file, 64);
    cr_assert_eq(heights_write_raw(&field, scale, &file, &error), LOAM_OK);
    cr_assert_eq(file.size, 8);
    cr_assert_eq(memcmp(file.bytes, "\2\0\3\0\0\0\1\0", 8), 0);
    buffer_fini(&file);
}

Test(heights_file, a_picture_is_16_bit_gray) {
    static const int32_t samples[] = {10, 11, 12, 13};
    loam_heightfield field = {.width = 2, .height = 2, .samples = samples};
    loam_error error = {0};
    text_buffer file;
    buffer_init(&file, 4096);
    cr_assert_eq(heights_write_png(&field, heights_scale_of(&field), &file, &error), LOAM_OK);
    cr_assert_eq(memcmp(file.bytes, "\x89PNG\r\n\x1a\n", 8), 0);
    cr_assert_eq(file.bytes[24], 16, "bits of a sample");
    cr_assert_eq(file.bytes[25], 0, "gray");
    buffer_fini(&file);
    buffer_init(&file, 40);
    cr_assert_eq(heights_write_png(&field, heights_scale_of(&field), &file, &error), LOAM_INTERNAL);
    buffer_fini(&file);
}
