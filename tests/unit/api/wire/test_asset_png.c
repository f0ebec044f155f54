/* SPDX-License-Identifier: MIT */
#include "api/wire/asset_heights.h"

#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char rows[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 1, 6};
static const png_fixture small = {
    .width = 3, .height = 2, .bit_depth = 16, .color_type = PNG_COLOR_TYPE_GRAY, .rows = rows};

static loam_status read_picture(loam_text body, heights_form *form, int32_t **samples,
                                loam_error *error) {
    *samples = NULL;
    form->scale_m = 1;
    return heights_read_png(form, body, samples, error);
}

static void expect_small(const png_fixture *picture, bool north_first, const int32_t *metres) {
    heights_form form = {.north_first = north_first};
    loam_text body = png_make(picture);
    int32_t *samples = NULL;
    cr_assert_eq(read_picture(body, &form, &samples, NULL), LOAM_OK);
    cr_assert_eq(form.width, 3);
    cr_assert_eq(form.height, 2);
    for (int i = 0; i < 6; i++) {
        cr_expect_eq(samples[i], metres[i] * 65536, "sample %d", i);
    }
    free(samples);
    free((void *)body.bytes);
}

Test(asset_png, samples_are_read_in_either_row_order_interlaced_or_not) {
    png_fixture interlaced = small;
    interlaced.interlaced = true;
    expect_small(&small, true, (const int32_t[]){4, 5, 262, 1, 2, 3});
    expect_small(&small, false, (const int32_t[]){1, 2, 3, 4, 5, 262});
    expect_small(&interlaced, true, (const int32_t[]){4, 5, 262, 1, 2, 3});
}

Test(asset_png, other_kinds_of_picture_are_unsupported) {
    static const int kinds[][2] = {{8, PNG_COLOR_TYPE_GRAY},        {1, PNG_COLOR_TYPE_GRAY},
                                   {8, PNG_COLOR_TYPE_RGB},         {16, PNG_COLOR_TYPE_RGB},
                                   {16, PNG_COLOR_TYPE_GRAY_ALPHA}, {8, PNG_COLOR_TYPE_PALETTE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        png_fixture picture = {
            .width = 3, .height = 2, .bit_depth = kinds[i][0], .color_type = kinds[i][1]};
        heights_form form = {0};
        int32_t *samples = NULL;
        loam_text body = png_make(&picture);
        cr_expect_eq(read_picture(body, &form, &samples, NULL), LOAM_PNG_UNSUPPORTED, "%zu", i);
        free((void *)body.bytes);
    }
}

Test(asset_png, a_size_other_than_the_given_one_is_told_both) {
    heights_form form = {.width = 3, .height = 5};
    loam_error error = {0};
    int32_t *samples = NULL;
    loam_text body = png_make(&small);
    cr_assert_eq(read_picture(body, &form, &samples, &error), LOAM_SIZE_MISMATCH);
    cr_assert(strstr(error.text, "3 x 5") != NULL && strstr(error.text, "3 x 2") != NULL);
    free((void *)body.bytes);
}

/* A header that declares a size, with a right check sum, and nothing behind it. */
static loam_text header_of(unsigned char *bytes, uint32_t width, uint32_t height) {
    static const unsigned char start[16] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    memcpy(bytes, start, 16);
    for (int i = 0; i < 4; i++) {
        bytes[16 + i] = (unsigned char)(width >> (24 - 8 * i));
        bytes[20 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    memcpy(bytes + 24, "\x10\0\0\0\0", 5);
    memset(bytes + 29, 0, 4);
    return (loam_text){(const char *)bytes, 33};
}

Test(asset_png, a_small_file_that_declares_a_huge_picture_is_refused_by_its_header) {
    unsigned char bytes[33];
    heights_form form = {0};
    int32_t *samples = NULL;
    cr_assert_eq(read_picture(header_of(bytes, 60000, 60000), &form, &samples, NULL),
                 LOAM_TOO_LARGE);
    cr_assert_eq(read_picture(header_of(bytes, 0x7fffffff, 0x7fffffff), &form, &samples, NULL),
                 LOAM_OUT_OF_RANGE);
    cr_assert_eq(read_picture(header_of(bytes, 0, 0), &form, &samples, NULL), LOAM_OUT_OF_RANGE);
}

Test(asset_png, a_truncated_file_does_not_parse_wherever_it_ends) {
    loam_text body = png_make(&small);
    for (size_t size = 0; size < body.size; size++) {
        heights_form form = {0};
        int32_t *samples = NULL;
        loam_error error = {0};
        loam_text part = {body.bytes, size};
        cr_expect_eq(read_picture(part, &form, &samples, &error), LOAM_MALFORMED, "%zu", size);
        cr_expect(samples == NULL);
    }
    free((void *)body.bytes);
}

Test(asset_png, a_changed_byte_of_the_samples_is_damage) {
    loam_text body = png_make(&small);
    char *bytes = (char *)body.bytes;
    for (size_t i = 45; i < body.size - 16; i++) {
        heights_form form = {0};
        int32_t *samples = NULL;
        bytes[i] ^= 0x20;
        cr_expect_eq(read_picture(body, &form, &samples, NULL), LOAM_MALFORMED, "byte %zu", i);
        free(samples);
        bytes[i] ^= 0x20;
    }
    free(bytes);
}

Test(asset_png, a_height_beyond_the_limit_is_named_by_its_place_in_the_picture) {
    heights_form form = {.scale_m = 100, .north_first = true};
    loam_error error = {0};
    int32_t *samples = NULL;
    loam_text body = png_make(&small);
    cr_assert_eq(heights_read_png(&form, body, &samples, &error), LOAM_OUT_OF_RANGE);
    cr_assert(strstr(error.text, "sample 5 (column 2, row 1)") != NULL, "%s", error.text);
    free((void *)body.bytes);
}

Test(asset_png, a_real_terrain_has_the_same_samples_raw_and_as_a_picture) {
    loam_text raw = data_read("terrain/cape_flattery.r16");
    loam_text picture = data_read("terrain/cape_flattery.png");
    if (raw.bytes == NULL || picture.bytes == NULL) {
        return;
    }
    heights_form form = {.width = 513,
                         .height = 513,
                         .offset_m = -11,
                         .scale_m = 0.015625,
                         .encoding = HEIGHTS_U16LE,
                         .north_first = true};
    int32_t *left = NULL;
    int32_t *right = NULL;
    cr_assert_eq(heights_read_raw(&form, raw, &left, NULL), LOAM_OK);
    cr_assert_eq(heights_read_png(&form, picture, &right, NULL), LOAM_OK);
    cr_assert(memcmp(left, right, sizeof(int32_t) * 513 * 513) == 0);
    free(left);
    free(right);
    free((void *)raw.bytes);
    free((void *)picture.bytes);
}
