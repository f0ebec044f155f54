/* SPDX-License-Identifier: MIT */
#include "api/view/view_cell_json.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const loam_text palette[] = {{"", 0}, {"a \"pine\"", 8}};
static const loam_text moods[] = {{"calm", 4}, {"wild", 4}};

static const loam_attribute attributes[] = {
    {.name = {"age", 3}, .kind = LOAM_ATTRIBUTE_INT, .values = (const int32_t[]){-7, 12}},
    {.name = {"mood", 4},
     .kind = LOAM_ATTRIBUTE_STRING,
     .values = (const int32_t[]){1, 0},
     .texts = moods,
     .text_count = 2},
    {.name = {"wet", 3}, .kind = LOAM_ATTRIBUTE_FLOAT, .values = (const int32_t[]){98304, -1}},
};

static const loam_points two = {
    .rect = {768 * 256, 1280 * 256, 1024 * 256, 1536 * 256},
    .count = 2,
    .id = (const uint64_t[]){1234567890, UINT64_MAX},
    .x = (const int32_t[]){576, 65535},
    .y = (const int32_t[]){15744, -1},
    .z = (const int32_t[]){2560, 0},
    .yaw = (const uint16_t[]){51200, 65535},
    .pitch = (const int16_t[]){0, -32768},
    .roll = (const int16_t[]){0, 1},
    .scale_x = (const uint16_t[]){4608, 65535},
    .scale_y = (const uint16_t[]){4608, 4096},
    .scale_z = (const uint16_t[]){4608, 1},
    .density = (const uint32_t[]){12582912, 1},
    .asset = (const uint32_t[]){1, 0},
    .palette = palette,
    .palette_count = 2,
};

static const cell_place place = {.world = {"demo", 4}, .output = {"trees", 5}, .x = 3, .z = -5};

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define HEAD                                                                                       \
    "{\"world\":\"demo\",\"revision\":\"sha256-" ZEROS "\",\"output\":\"trees\",\"level\":0,"      \
    "\"x\":3,\"z\":-5,\"bounds_m\":{\"min\":[768,1280],\"max\":[1024,1536]},\"build_key\":"        \
    "\"sha256-" ZEROS "\",\"digest\":\"sha256-" ZEROS "\","

static void expect_document(const loam_points *points, const char *expected) {
    text_buffer to;
    buffer_init(&to, 1 << 20);
    cr_assert_eq(view_cell_json(&place, points, &to), LOAM_OK);
    cr_expect_eq(to.size, strlen(expected), "%.*s", (int)to.size, to.bytes);
    cr_expect(strncmp(to.bytes, expected, to.size) == 0, "got  %.*s\nwant %s", (int)to.size,
              to.bytes, expected);
    buffer_fini(&to);
}

Test(view_cell_json, every_number_is_exact) {
    expect_document(
        &two,
        HEAD "\"count\":2,\"points\":[{\"id\":\"1234567890\",\"position_m\":[770.25,61.5,1290],"
             "\"rotation_deg\":[0,281.25,0],\"scale\":[1.125,1.125,1.125],\"density\":0.75,"
             "\"asset\":\"a \\\"pine\\\"\",\"attributes\":{}},"
             "{\"id\":\"18446744073709551615\",\"position_m\":[1023.99609375,-0.00390625,1280],"
             "\"rotation_deg\":[-180,359.9945068359375,0.0054931640625],"
             "\"scale\":[15.999755859375,1,0.000244140625],"
             "\"density\":0.000000059604644775390625,\"attributes\":{}}]}");
}

Test(view_cell_json, attributes_of_every_kind_are_written) {
    loam_points points = two;
    points.count = 1;
    points.attributes = attributes;
    points.attribute_count = 3;
    expect_document(
        &points,
        HEAD "\"count\":1,\"points\":[{\"id\":\"1234567890\",\"position_m\":[770.25,61.5,1290],"
             "\"rotation_deg\":[0,281.25,0],\"scale\":[1.125,1.125,1.125],\"density\":0.75,"
             "\"asset\":\"a \\\"pine\\\"\",\"attributes\":{\"age\":-7,\"mood\":\"wild\",\"wet\":"
             "1.5}}]}");
}

static const loam_attribute partial[] = {
    {.name = {"age", 3}, .kind = LOAM_ATTRIBUTE_INT, .values = (const int32_t[]){LOAM_MISSING}},
    {.name = {"mood", 4},
     .kind = LOAM_ATTRIBUTE_STRING,
     .values = (const int32_t[]){LOAM_MISSING},
     .texts = moods,
     .text_count = 2},
    {.name = {"wet", 3}, .kind = LOAM_ATTRIBUTE_FLOAT, .values = (const int32_t[]){-98304}},
};

Test(view_cell_json, attributes_that_a_point_lacks_are_left_out) {
    loam_points points = two;
    points.count = 1;
    points.attributes = partial;
    points.attribute_count = 3;
    expect_document(
        &points,
        HEAD "\"count\":1,\"points\":[{\"id\":\"1234567890\",\"position_m\":[770.25,61.5,1290],"
             "\"rotation_deg\":[0,281.25,0],\"scale\":[1.125,1.125,1.125],\"density\":0.75,"
             "\"asset\":\"a \\\"pine\\\"\",\"attributes\":{\"wet\":-1.5}}]}");
}

Test(view_cell_json, a_cell_without_points_is_a_whole_document) {
    loam_points none = {.rect = two.rect};
    expect_document(&none, HEAD "\"count\":0,\"points\":[]}");
}

Test(view_cell_json, it_parses_and_reads_back_to_the_same_integers) {
    text_buffer to;
    buffer_init(&to, 1 << 20);
    cr_assert_eq(view_cell_json(&place, &two, &to), LOAM_OK);
    json_t *root = json_loadb(to.bytes, to.size, 0, NULL);
    cr_assert_not_null(root);
    json_t *point = json_array_get(json_object_get(root, "points"), 1);
    double x = json_number_value(json_array_get(json_object_get(point, "position_m"), 0));
    double yaw = json_number_value(json_array_get(json_object_get(point, "rotation_deg"), 1));
    cr_expect_eq(x * 256, (double)(two.rect.x0 + two.x[1]));
    cr_expect_eq(yaw / 360 * 65536, 65535.0);
    cr_expect_eq(json_number_value(json_object_get(point, "density")) * 16777216, 1.0);
    json_decref(root);
    buffer_fini(&to);
}

Test(view_cell_json, it_stops_at_the_limit_of_its_buffer) {
    for (size_t limit = 0; limit < 800; limit += 50) {
        text_buffer to;
        buffer_init(&to, limit);
        cr_expect_eq(view_cell_json(&place, &two, &to), LOAM_TOO_LARGE, "%zu", limit);
        buffer_fini(&to);
    }
}
