/* SPDX-License-Identifier: MIT
 *
 * format_fixture.h: bytes put together by hand as FORMAT.md says them, without core's writers, and
 * a cell with every kind of column to try codecs on.
 */
#ifndef LOAM_TESTS_FORMAT_FIXTURE_H
#define LOAM_TESTS_FORMAT_FIXTURE_H

#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

static inline void put_number(byte_buffer *to, int size, int64_t value) {
    for (int i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)((uint64_t)value >> (8 * i));
        buffer_take_bytes(to, &byte, 1);
    }
}

static inline void put_string(byte_buffer *to, const char *text) {
    put_number(to, 4, (int64_t)strlen(text));
    buffer_take_bytes(to, text, strlen(text));
}

static inline void put_raw(byte_buffer *to, const char *text) {
    buffer_take_bytes(to, text, strlen(text));
}

static inline void put_padding(byte_buffer *to) {
    while (to->size % 8 != 0) {
        put_number(to, 1, 0);
    }
}

static inline void expect_bytes(const byte_buffer *got, const byte_buffer *want) {
    for (size_t i = 0; i < got->size && i < want->size; i++) {
        cr_assert_eq(got->bytes[i], want->bytes[i], "byte %zu: %02x want %02x", i, got->bytes[i],
                     want->bytes[i]);
    }
    cr_assert_eq(got->size, want->size);
}

enum { CELL_POINTS_MAX = 500 };

/* The columns of a cell that a test may change. */
typedef struct cell_columns {
    uint64_t id[CELL_POINTS_MAX];
    int32_t x[CELL_POINTS_MAX], y[CELL_POINTS_MAX], z[CELL_POINTS_MAX];
    uint16_t yaw[CELL_POINTS_MAX];
    int16_t pitch[CELL_POINTS_MAX], roll[CELL_POINTS_MAX];
    uint16_t scale[3][CELL_POINTS_MAX];
    uint32_t density[CELL_POINTS_MAX], asset[CELL_POINTS_MAX];
    int32_t values[3][CELL_POINTS_MAX];
    loam_attribute attributes[3];
} cell_columns;

static const loam_text cell_palette[] = {{"", 0}, {"birch", 5}, {"pine", 4}};
static const loam_text cell_texts[] = {{"dry", 3}, {"wet", 3}};

static inline void cell_attributes(cell_columns *columns) {
    columns->attributes[0] =
        (loam_attribute){{"age", 3}, LOAM_ATTRIBUTE_INT, columns->values[0], NULL, 0};
    columns->attributes[1] =
        (loam_attribute){{"girth", 5}, LOAM_ATTRIBUTE_FLOAT, columns->values[1], NULL, 0};
    columns->attributes[2] =
        (loam_attribute){{"soil", 4}, LOAM_ATTRIBUTE_STRING, columns->values[2], cell_texts, 2};
}

/* Points in order of z; `range` is how far values spread, so widths differ. */
static inline loam_points random_cell(cell_columns *columns, uint64_t seed, uint32_t count,
                                      int64_t range, uint32_t attributes) {
    test_random random = {seed};
    for (uint32_t i = 0; i < count; i++) {
        columns->id[i] = random_bits(&random);
        columns->x[i] = (int32_t)random_between(&random, 0, 65535);
        columns->y[i] = (int32_t)random_between(&random, -range, range);
        columns->z[i] = (int32_t)(i * 100);
        columns->yaw[i] = (uint16_t)random_between(&random, 0, range & 0xffff);
        columns->pitch[i] = (int16_t)random_between(&random, -(range & 0x7fff), range & 0x7fff);
        columns->roll[i] = -77;
        columns->scale[0][i] = (uint16_t)random_between(&random, 1, 1 + (range & 0x7fff));
        columns->scale[1][i] = columns->scale[0][i];
        columns->scale[2][i] = (uint16_t)(columns->scale[0][i] + i % 2);
        columns->density[i] = (uint32_t)random_between(&random, 0, LOAM_DENSITY_ONE);
        columns->asset[i] = i % 3;
        columns->values[0][i] = (int32_t)random_between(&random, INT32_MIN, INT32_MAX);
        columns->values[1][i] = (int32_t)random_between(&random, -range, range);
        columns->values[2][i] = (int32_t)(i % 2);
    }
    cell_attributes(columns);
    return (loam_points){.rect = {-65536, 131072, 0, 196608},
                         .count = count,
                         .id = columns->id,
                         .x = columns->x,
                         .y = columns->y,
                         .z = columns->z,
                         .yaw = columns->yaw,
                         .pitch = columns->pitch,
                         .roll = columns->roll,
                         .scale_x = columns->scale[0],
                         .scale_y = columns->scale[1],
                         .scale_z = columns->scale[2],
                         .density = columns->density,
                         .asset = columns->asset,
                         .palette = cell_palette,
                         .palette_count = count < 3 ? count : 3,
                         .attributes = columns->attributes,
                         .attribute_count = attributes};
}

static inline byte_buffer cell_bytes(const loam_points *points) {
    byte_buffer got = {.capacity = loam_cell_bound(points)};
    got.bytes = malloc(got.capacity);
    cr_assert_eq(loam_cell_encode(points, got.bytes, got.capacity, &got.size), LOAM_OK);
    return got;
}

#endif
