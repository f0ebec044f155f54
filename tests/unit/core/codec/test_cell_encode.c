/* SPDX-License-Identifier: MIT
 *
 * test_cell_encode.c: canonical bytes of cells against bytes put together by hand from FORMAT.md.
 */
#include "tests/unit/core/codec/format_fixture.h"

static void put_entry(byte_buffer *to, int number, int stored, int64_t offset, int64_t base) {
    put_number(to, 2, number);
    put_number(to, 1, stored);
    put_number(to, 1, 0);
    put_number(to, 4, offset);
    put_number(to, 8, base);
}

static void put_header(byte_buffer *to, int columns, int64_t count, int names, int attributes,
                       int64_t size) {
    put_raw(to, "LOAMCELL");
    put_number(to, 2, 1);
    put_number(to, 2, columns);
    put_number(to, 4, count);
    put_number(to, 8, -65536);
    put_number(to, 8, 131072);
    put_number(to, 8, 0);
    put_number(to, 8, 196608);
    put_number(to, 4, names);
    put_number(to, 4, attributes);
    put_number(to, 8, size);
}

/* Two points: every width but eight, a constant, a scale like the first, and one of its own. */
static void two_points(cell_columns *columns, loam_points *points) {
    *points = random_cell(columns, 1, 2, 1, 1);
    const cell_columns fixed = {.id = {0x1122334455667788, 5},
                                .x = {65535, 7},
                                .y = {-3, 70000},
                                .z = {9, 10},
                                .yaw = {40000, 40300},
                                .pitch = {-5, 4},
                                .roll = {-7, -7},
                                .scale = {{4096, 4097}, {4096, 4097}, {4096, 4096}},
                                .density = {0, 1 << 24},
                                .asset = {1, 0},
                                .values = {{INT32_MIN, INT32_MAX}}};
    *columns = fixed;
    cell_attributes(columns);
}

Test(cell_encode, two_points_are_the_bytes_that_the_format_says) {
    cell_columns columns;
    loam_points points;
    byte_buffer want = {0};
    two_points(&columns, &points);
    /* 64 + 13 * 16 = 272; texts: 4 + (4 + 5) + (4 + 3) + 1 + 4 = 25, so columns begin at 304. */
    put_header(&want, 13, 2, 2, 1, 304 + 16 + 8 * 7 + 8 * 3);
    put_entry(&want, 1, 8, 304, 0);
    put_entry(&want, 2, 2, 320, 7);
    put_entry(&want, 3, 4, 328, -3);
    put_entry(&want, 4, 1, 336, 9);
    put_entry(&want, 5, 2, 344, 40000);
    put_entry(&want, 6, 1, 352, -5);
    put_entry(&want, 7, 0, 360, -7);
    put_entry(&want, 8, 1, 360, 4096);
    put_entry(&want, 9, 9, 368, 0);
    put_entry(&want, 10, 0, 368, 4096);
    put_entry(&want, 11, 4, 368, 0);
    put_entry(&want, 12, 1, 376, 0);
    put_entry(&want, 32, 4, 384, INT32_MIN);
    put_string(&want, "");
    put_string(&want, "birch");
    put_string(&want, "age");
    put_number(&want, 1, 0);
    put_number(&want, 4, 0);
    put_padding(&want);
    static const struct {
        int width;
        int64_t values[2];
    } stored[] = {{8, {0x1122334455667788, 5}},
                  {2, {65528, 0}},
                  {4, {0, 70003}},
                  {1, {0, 1}},
                  {2, {0, 300}},
                  {1, {0, 9}},
                  {1, {0, 1}},
                  {4, {0, 1 << 24}},
                  {1, {1, 0}},
                  {4, {0, UINT32_MAX}}};
    for (size_t c = 0; c < sizeof stored / sizeof stored[0]; c++) {
        put_number(&want, stored[c].width, stored[c].values[0]);
        put_number(&want, stored[c].width, stored[c].values[1]);
        put_padding(&want);
    }
    want.bytes[56] = (unsigned char)want.size;
    want.bytes[57] = (unsigned char)(want.size >> 8);
    byte_buffer got = cell_bytes(&points);
    expect_bytes(&got, &want);
    cr_expect_eq(want.size, 392);
}

Test(cell_encode, an_empty_cell_is_a_header_and_a_directory) {
    cell_columns columns;
    loam_points points = random_cell(&columns, 1, 0, 1, 0);
    byte_buffer want = {0}, got = cell_bytes(&points);
    put_header(&want, 12, 0, 0, 0, 256);
    for (int number = 1; number <= 12; number++) {
        put_entry(&want, number, 0, 256, 0);
    }
    expect_bytes(&got, &want);
}

Test(cell_encode, one_point_is_constant_but_for_its_id) {
    cell_columns columns;
    loam_points points = random_cell(&columns, 2, 1, 100, 0);
    byte_buffer got = cell_bytes(&points);
    cr_expect_eq(got.size, 64 + 12 * 16 + 8 + 8);
    cr_expect_eq(got.bytes[64 + 2], 8);
    for (int c = 1; c < 12; c++) {
        cr_expect_eq(got.bytes[64 + 16 * c + 2], 0, "column %d", c + 1);
    }
}

/* Widths at their limits, seen in the directory: column y. */
Test(cell_encode, a_width_is_the_least_that_holds_the_range) {
    static const struct {
        int64_t range;
        int width;
    } cases[] = {{0, 0}, {1, 1}, {255, 1}, {256, 2}, {65535, 2}, {65536, 4}, {UINT32_MAX, 4}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        cell_columns columns;
        loam_points points = random_cell(&columns, 3, 2, 100, 0);
        columns.y[0] = INT32_MIN;
        columns.y[1] = (int32_t)(INT32_MIN + cases[c].range);
        byte_buffer got = cell_bytes(&points);
        cr_expect_eq(got.bytes[64 + 2 * 16 + 2], cases[c].width, "%lld", (long long)cases[c].range);
        buffer_fini(&got);
    }
}

Test(cell_encode, every_byte_of_the_buffer_is_written_and_equal_points_are_equal_bytes) {
    cell_columns columns;
    loam_points points = random_cell(&columns, 4, 77, 3000, 3);
    size_t bound = loam_cell_bound(&points), first, second;
    unsigned char *zeros = calloc(bound, 1), *ones = malloc(bound);
    memset(ones, 0xff, bound);
    cr_assert_eq(loam_cell_encode(&points, zeros, bound, &first), LOAM_OK);
    cr_assert_eq(loam_cell_encode(&points, ones, bound, &second), LOAM_OK);
    cr_expect_eq(first, second);
    cr_expect_arr_eq(zeros, ones, first);
    free(zeros);
    free(ones);
}

/* Columns that are one in memory, as an evaluation makes them, and columns that are equal. */
Test(cell_encode, scales_that_are_shared_or_equal_are_one_form) {
    cell_columns columns;
    loam_points points = random_cell(&columns, 5, 40, 3000, 0);
    byte_buffer apart = cell_bytes(&points);
    points.scale_y = points.scale_x;
    byte_buffer shared = cell_bytes(&points);
    expect_bytes(&shared, &apart);
}

Test(cell_encode, a_buffer_below_the_bound_is_refused) {
    cell_columns columns;
    loam_points points = random_cell(&columns, 6, 40, 3000, 2);
    size_t bound = loam_cell_bound(&points), size;
    unsigned char *buffer = malloc(bound);
    cr_expect_eq(loam_cell_encode(&points, buffer, bound - 1, &size), LOAM_BUFFER_TOO_SMALL);
    cr_expect_eq(loam_cell_encode(&points, buffer, bound, &size), LOAM_OK);
    cr_expect_leq(size, bound);
    free(buffer);
}
