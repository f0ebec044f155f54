/* SPDX-License-Identifier: MIT
 *
 * test_view_cell_csv.c: the table, byte for byte.
 */
#include "api/view/view_cell_csv.h"

#include <criterion/criterion.h>
#include <string.h>

static const loam_text palette[] = {{"", 0}, {"a \"pine\", old", 13}, {"fir", 3}};
static const loam_text moods[] = {{"", 0}, {"wild\r\nand wet", 13}};

static const loam_attribute attributes[] = {
    {.name = {"age", 3}, .kind = LOAM_ATTRIBUTE_INT, .values = (const int32_t[]){-7, LOAM_MISSING}},
    {.name = {"mood", 4},
     .kind = LOAM_ATTRIBUTE_STRING,
     .values = (const int32_t[]){1, 0},
     .texts = moods,
     .text_count = 2},
    {.name = {"wet", 3},
     .kind = LOAM_ATTRIBUTE_FLOAT,
     .values = (const int32_t[]){LOAM_MISSING, -1}},
};

static const loam_points two = {
    .rect = {768 * 256, -256 * 256, 1024 * 256, 0},
    .count = 2,
    .id = (const uint64_t[]){1234567890, UINT64_MAX},
    .x = (const int32_t[]){576, 65535},
    .y = (const int32_t[]){15744, -1},
    .z = (const int32_t[]){2560, 0},
    .yaw = (const uint16_t[]){51200, 65535},
    .pitch = (const int16_t[]){0, -32768},
    .roll = (const int16_t[]){0, 1},
    .scale_x = (const uint16_t[]){4608, 65535},
    .scale_y = (const uint16_t[]){4096, 4096},
    .scale_z = (const uint16_t[]){4608, 1},
    .density = (const uint32_t[]){12582912, 1},
    .asset = (const uint32_t[]){1, 0},
    .palette = palette,
    .palette_count = 3,
};

#define HEAD "id,x_m,y_m,z_m,yaw_deg,pitch_deg,roll_deg,scale_x,scale_y,scale_z,density,asset"

static void expect_table(const loam_points *points, const char *expected) {
    text_buffer to;
    buffer_init(&to, 1 << 20);
    cr_assert_eq(view_cell_csv(points, &to), LOAM_OK);
    cr_expect(loam_text_equal(buffer_view(&to), loam_text_of(expected)), "got  %.*s\nwant %s",
              (int)to.size, to.bytes, expected);
    buffer_fini(&to);
}

Test(view_cell_csv, every_number_is_exact_and_texts_are_quoted_where_they_must) {
    expect_table(&two, HEAD "\r\n"
                            "1234567890,770.25,61.5,-246,281.25,0,0,1.125,1,1.125,0.75,"
                            "\"a \"\"pine\"\", old\"\r\n"
                            "18446744073709551615,1023.99609375,-0.00390625,-256,"
                            "359.9945068359375,-180,0.0054931640625,15.999755859375,1,"
                            "0.000244140625,0.000000059604644775390625,\r\n");
}

Test(view_cell_csv, attributes_are_columns_and_what_is_missing_is_empty) {
    loam_points points = two;
    points.attributes = attributes;
    points.attribute_count = 3;
    points.asset = (const uint32_t[]){2, 2};
    expect_table(&points, HEAD ",age,mood,wet\r\n"
                               "1234567890,770.25,61.5,-246,281.25,0,0,1.125,1,1.125,0.75,fir,-7,"
                               "\"wild\r\nand wet\",\r\n"
                               "18446744073709551615,1023.99609375,-0.00390625,-256,"
                               "359.9945068359375,-180,0.0054931640625,15.999755859375,1,"
                               "0.000244140625,0.000000059604644775390625,fir,,\"\","
                               "-0.0000152587890625\r\n");
}

Test(view_cell_csv, a_cell_without_points_is_its_header) {
    loam_points none = {.rect = two.rect};
    expect_table(&none, HEAD "\r\n");
}

Test(view_cell_csv, it_stops_at_the_limit_of_its_buffer) {
    for (size_t limit = 0; limit < 300; limit += 10) {
        text_buffer to;
        buffer_init(&to, limit);
        cr_expect_eq(view_cell_csv(&two, &to), LOAM_TOO_LARGE, "%zu", limit);
        buffer_fini(&to);
    }
}
