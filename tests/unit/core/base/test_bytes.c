/* SPDX-License-Identifier: MIT
 *
 * test_bytes.c: numbers as little-endian bytes, whatever the size of the pieces.
 */
#include "core/base/bytes.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

Test(bytes, numbers_are_little_endian) {
    byte_buffer got = {0};
    byte_writer writer;
    writer_init(&writer, buffer_sink(&got));
    write_u8(&writer, 0x01);
    write_u16(&writer, 0x0302);
    write_u32(&writer, 0x07060504);
    write_u64(&writer, 0x0f0e0d0c0b0a0908u);
    write_i32(&writer, -2);
    write_i64(&writer, INT64_MIN);
    write_text(&writer, loam_text_of("ab"));
    cr_expect_eq(got.size, 0, "small pieces wait");
    writer_flush(&writer);
    const unsigned char want[] = {1,  2,  3,  4,  5,    6,    7,    8,    9, 10,  11,
                                  12, 13, 14, 15, 0xfe, 0xff, 0xff, 0xff, 0, 0,   0,
                                  0,  0,  0,  0,  0x80, 2,    0,    0,    0, 'a', 'b'};
    cr_assert_eq(got.size, sizeof want);
    cr_expect_arr_eq(got.bytes, want, sizeof want);
    buffer_fini(&got);
}

Test(bytes, a_reader_gets_back_what_a_writer_wrote) {
    byte_buffer got = {0};
    byte_writer writer;
    writer_init(&writer, buffer_sink(&got));
    write_u8(&writer, 255);
    write_u16(&writer, 65535);
    write_u32(&writer, 1u << 31);
    write_i32(&writer, INT32_MIN);
    write_i64(&writer, -1);
    write_text(&writer, loam_text_of(""));
    writer_flush(&writer);
    byte_reader reader;
    reader_init(&reader, got.bytes, got.size);
    cr_expect_eq(read_u8(&reader), 255);
    cr_expect_eq(read_u16(&reader), 65535);
    cr_expect_eq(read_u32(&reader), 1u << 31);
    cr_expect_eq(read_i32(&reader), INT32_MIN);
    cr_expect_eq(read_i64(&reader), -1);
    cr_expect_eq(read_text(&reader).size, 0);
    cr_expect(!reader.failed && reader.left == 0);
    buffer_fini(&got);
}

Test(bytes, pieces_of_every_size_come_out_in_order) {
    static unsigned char source[3 * WRITER_BYTES];
    test_random random = {5};
    for (size_t i = 0; i < sizeof source; i++) {
        source[i] = (unsigned char)random_bits(&random);
    }
    for (size_t piece = 1; piece < 2 * WRITER_BYTES; piece = piece * 3 + 1) {
        byte_buffer got = {0};
        byte_writer writer;
        writer_init(&writer, buffer_sink(&got));
        for (size_t at = 0; at < sizeof source; at += piece) {
            size_t size = sizeof source - at < piece ? sizeof source - at : piece;
            write_bytes(&writer, source + at, size);
        }
        writer_flush(&writer);
        cr_assert_eq(got.size, sizeof source);
        cr_expect_arr_eq(got.bytes, source, sizeof source);
        buffer_fini(&got);
    }
}

Test(bytes, arrays_longer_than_the_writers_room_are_whole) {
    enum { COUNT = WRITER_BYTES };
    static int32_t values[COUNT];
    byte_buffer got = {0};
    byte_writer writer;
    for (int32_t i = 0; i < COUNT; i++) {
        values[i] = i * 77777 - 1000;
    }
    writer_init(&writer, buffer_sink(&got));
    write_u8(&writer, 9);
    write_i32_array(&writer, values, COUNT);
    write_i32_array(&writer, values, 0);
    writer_flush(&writer);
    cr_assert_eq(got.size, 1 + 4 * COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert_eq((int32_t)get_u32(got.bytes + 1 + 4 * i), values[i]);
    }
    buffer_fini(&got);
}

Test(bytes, reading_past_the_end_gives_zeros_and_stays_failed) {
    const unsigned char source[] = {1, 2, 3};
    byte_reader reader;
    reader_init(&reader, source, sizeof source);
    cr_expect_eq(read_u32(&reader), 0);
    cr_expect(reader.failed);
    cr_expect_eq(read_u8(&reader), 0, "nothing comes after a failure");
    cr_expect_null(read_bytes(&reader, 0));
    reader_init(&reader, source, 0);
    cr_expect_not_null(read_bytes(&reader, 0));
    cr_expect(!reader.failed);
}

Test(bytes, a_text_longer_than_what_is_left_is_a_failure) {
    const unsigned char source[] = {0xff, 0xff, 0xff, 0xff, 'a'};
    byte_reader reader;
    reader_init(&reader, source, sizeof source);
    cr_expect_eq(read_text(&reader).size, 0);
    cr_expect(reader.failed);
}
