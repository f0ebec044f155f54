/* SPDX-License-Identifier: MIT
 *
 * test_cell_decode.c: what was written comes back; nothing else is believed: every truncation,
 * every flipped byte, every second spelling of the same cell.
 */
#include "core/base/bytes.h"
#include "tests/unit/core/codec/format_fixture.h"

enum { ARENA_BYTES = 1 << 20 };

static _Alignas(64) unsigned char memory[ARENA_BYTES];

static loam_status decode(const byte_buffer *bytes, loam_points *points, loam_error *error) {
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    return loam_cell_decode(bytes->bytes, bytes->size, &arena, points, error);
}

#define EXPECT_COLUMN(field)                                                                       \
    cr_expect(count == 0 || memcmp(a->field, b->field, count * sizeof a->field[0]) == 0, #field)

static void expect_points(const loam_points *a, const loam_points *b) {
    uint32_t count = a->count;
    cr_assert_eq(count, b->count);
    cr_expect(memcmp(&a->rect, &b->rect, sizeof a->rect) == 0);
    EXPECT_COLUMN(id);
    EXPECT_COLUMN(x);
    EXPECT_COLUMN(y);
    EXPECT_COLUMN(z);
    EXPECT_COLUMN(yaw);
    EXPECT_COLUMN(pitch);
    EXPECT_COLUMN(roll);
    EXPECT_COLUMN(scale_x);
    EXPECT_COLUMN(scale_y);
    EXPECT_COLUMN(scale_z);
    EXPECT_COLUMN(density);
    EXPECT_COLUMN(asset);
    cr_assert_eq(a->palette_count, b->palette_count);
    for (uint32_t i = 0; i < a->palette_count; i++) {
        cr_expect(loam_text_equal(a->palette[i], b->palette[i]));
    }
    cr_assert_eq(a->attribute_count, b->attribute_count);
    for (uint32_t i = 0; i < a->attribute_count; i++) {
        cr_expect(loam_text_equal(a->attributes[i].name, b->attributes[i].name));
        cr_expect_eq(a->attributes[i].kind, b->attributes[i].kind);
        cr_expect_eq(a->attributes[i].text_count, b->attributes[i].text_count);
        EXPECT_COLUMN(attributes[i].values);
    }
}

/* And not much more than that: a claim decides how much a host gives away. */
static void expect_enough_memory(const byte_buffer *bytes) {
    loam_points points;
    loam_error error = {0};
    loam_arena arena;
    size_t size = loam_cell_memory(bytes->bytes, bytes->size);
    cr_assert_leq(size, sizeof memory);
    loam_arena_init(&arena, memory + 1, size); /* as badly aligned as can be */
    cr_assert_eq(loam_cell_decode(bytes->bytes, bytes->size, &arena, &points, &error), LOAM_OK,
                 "%zu bytes: %s", size, error.text);
    cr_expect_geq(arena.peak, size / 4, "%zu of %zu", arena.peak, size);
}

Test(cell_decode, what_was_written_comes_back) {
    static const uint32_t counts[] = {0, 1, 2, 3, 100, CELL_POINTS_MAX};
    static const int64_t ranges[] = {0, 1, 200, 40000, 1 << 30};
    for (int c = 0; c < 6; c++) {
        for (int r = 0; r < 5; r++) {
            static cell_columns columns;
            uint32_t attributes = counts[c] < 2 ? 0 : (uint32_t)r % 4;
            loam_points points = random_cell(&columns, 7, counts[c], ranges[r], attributes), got;
            loam_error error = {0};
            byte_buffer bytes = cell_bytes(&points);
            cr_assert_eq(decode(&bytes, &got, &error), LOAM_OK, "%u points, range %lld: %s",
                         counts[c], (long long)ranges[r], error.text);
            expect_points(&points, &got);
            cr_expect_eq(loam_cell_count(bytes.bytes, bytes.size), counts[c]);
            expect_enough_memory(&bytes);
            buffer_fini(&bytes);
        }
    }
}

static void expect_refused(const byte_buffer *bytes, const char *what) {
    loam_points points;
    loam_error error = {0};
    loam_status status = decode(bytes, &points, &error);
    cr_expect_eq(status, LOAM_DAMAGED, "%s: %s", what, loam_status_code(status));
    cr_expect_eq(error.status, LOAM_DAMAGED);
    cr_expect_str_neq(error.text, "");
}

/* Exact memory for each, so that the sanitizer sees a step too far. */
Test(cell_decode, every_truncation_is_refused) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 8, 20, 3000, 3);
    byte_buffer whole = cell_bytes(&points);
    for (size_t size = 0; size < whole.size; size++) {
        byte_buffer cut = {.bytes = malloc(size + 1), .size = size};
        unsigned char *exact = realloc(cut.bytes, size == 0 ? 1 : size);
        cut.bytes = exact;
        memcpy(exact, whole.bytes, size);
        expect_refused(&cut, "cut");
        free(exact);
    }
    put_number(&whole, 1, 0);
    expect_refused(&whole, "a byte more");
    buffer_fini(&whole);
}

static void expect_refused_or_equal(const byte_buffer *bytes, size_t at) {
    loam_points points;
    loam_error error = {0};
    loam_status status = decode(bytes, &points, &error);
    if (status != LOAM_OK) {
        cr_assert(status == LOAM_DAMAGED || status == LOAM_ARENA_FULL, "byte %zu: %s", at,
                  loam_status_code(status));
        cr_assert_eq(error.status, status);
        return;
    }
    byte_buffer again = cell_bytes(&points);
    cr_assert(buffer_equal(&again, bytes), "byte %zu gives a cell of other bytes", at);
    buffer_fini(&again);
}

Test(cell_decode, every_flipped_byte_is_refused_or_makes_another_canonical_cell) {
    static cell_columns columns;
    static const uint32_t counts[] = {0, 1, 20};
    for (int c = 0; c < 3; c++) {
        loam_points points = random_cell(&columns, 9, counts[c], 3000, counts[c] < 2 ? 0 : 3);
        byte_buffer bytes = cell_bytes(&points);
        for (size_t at = 0; at < bytes.size; at++) {
            unsigned char kept = bytes.bytes[at];
            for (int flip = 1; flip < 256; flip++) {
                bytes.bytes[at] = (unsigned char)(kept ^ flip);
                expect_refused_or_equal(&bytes, at);
            }
            bytes.bytes[at] = kept;
        }
        buffer_fini(&bytes);
    }
}

Test(cell_decode, random_damage_in_many_places_is_survived) {
    static cell_columns columns;
    test_random random = {5};
    loam_points points = random_cell(&columns, 10, 60, 3000, 3);
    byte_buffer whole = cell_bytes(&points), bytes = {.bytes = malloc(whole.size)};
    for (int i = 0; i < 20000; i++) {
        memcpy(bytes.bytes, whole.bytes, whole.size);
        bytes.size = whole.size;
        for (int64_t k = random_between(&random, 1, 6); k > 0; k--) {
            int64_t at = random_between(&random, 0, (int64_t)whole.size - 1);
            bytes.bytes[at] = (unsigned char)random_bits(&random);
        }
        expect_refused_or_equal(&bytes, 0);
    }
    buffer_fini(&whole);
    buffer_fini(&bytes);
}

/* Encodes points that an evaluation would not make. */
static void expect_points_refused(const loam_points *points, const char *what) {
    byte_buffer bytes = cell_bytes(points);
    expect_refused(&bytes, what);
    buffer_fini(&bytes);
}

Test(cell_decode, points_out_of_order_are_refused_in_every_part_of_the_order) {
    static cell_columns columns;
    for (int part = 0; part < 4; part++) {
        loam_points points = random_cell(&columns, 11, 2, 0, 0), got;
        for (int i = 0; i < 2; i++) {
            columns.z[i] = part == 0 ? 1 - i : 5;
            columns.x[i] = part == 1 ? 1 - i : 5;
            columns.y[i] = part == 2 ? -i : 5;
            columns.id[i] = part == 3 ? (uint64_t)(9 - i) : (uint64_t)i;
        }
        static const char *const parts[] = {"z", "x", "y", "id"};
        expect_points_refused(&points, parts[part]);
        for (int i = 0; i < 2; i++) {
            columns.z[i] = part == 0 ? i : 5;
            columns.x[i] = part == 1 ? i : 9 - i * (part == 0);
            columns.y[i] = part == 2 ? i - 9 : -i * (part < 2);
            columns.id[i] = part == 3 ? UINT64_MAX - 1 + (uint64_t)i : (uint64_t)(9 - i);
        }
        byte_buffer bytes = cell_bytes(&points);
        cr_expect_eq(decode(&bytes, &got, NULL), LOAM_OK, "%s in order", parts[part]);
        buffer_fini(&bytes);
    }
}

Test(cell_decode, points_outside_the_rectangle_are_refused) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 12, 3, 10, 0);
    columns.x[1] = 65536;
    expect_points_refused(&points, "x");
    columns.x[1] = -1;
    expect_points_refused(&points, "x below");
    columns.x[1] = 0;
    columns.z[2] = 65536;
    expect_points_refused(&points, "z");
}

Test(cell_decode, values_that_no_column_can_have_are_refused) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 13, 3, 10, 3);
    columns.density[1] = LOAM_DENSITY_ONE + 1;
    expect_points_refused(&points, "density");
    columns.density[1] = LOAM_DENSITY_ONE;
    columns.asset[1] = 3;
    expect_points_refused(&points, "asset");
    columns.asset[1] = 1;
    columns.values[2][0] = 2;
    expect_points_refused(&points, "text");
    columns.values[2][0] = -1;
    expect_points_refused(&points, "text below");
}

Test(cell_decode, a_palette_is_sorted_and_holds_the_names_in_use_only) {
    static cell_columns columns;
    static const loam_text unsorted[] = {{"pine", 4}, {"birch", 5}, {"zelkova", 7}};
    static const loam_text twice[] = {{"", 0}, {"pine", 4}, {"pine", 4}};
    loam_points points = random_cell(&columns, 14, 3, 10, 0);
    points.palette = unsorted;
    expect_points_refused(&points, "unsorted");
    points.palette = twice;
    expect_points_refused(&points, "twice");
    points.palette = cell_palette;
    columns.asset[1] = 0;
    expect_points_refused(&points, "birch is not used");
    loam_points none = random_cell(&columns, 14, 0, 10, 0);
    none.palette_count = 1;
    expect_points_refused(&none, "an empty cell uses no name");
}

Test(cell_decode, an_attribute_has_the_texts_in_use_only) {
    static cell_columns columns;
    static int32_t values[3] = {0, INT32_MIN, 0};
    static const loam_text texts[] = {{"ash", 3}, {"oak", 3}};
    loam_points points = random_cell(&columns, 16, 3, 10, 1);
    columns.attributes[0] = (loam_attribute){.name = columns.attributes[0].name,
                                             .kind = LOAM_ATTRIBUTE_STRING,
                                             .texts = texts,
                                             .text_count = 2,
                                             .values = values};
    expect_points_refused(&points, "oak is not used");
    values[1] = 1;
    byte_buffer bytes = cell_bytes(&points);
    loam_points got;
    loam_error error = {0};
    cr_expect_eq(decode(&bytes, &got, &error), LOAM_OK, "%s", error.text);
    buffer_fini(&bytes);
}

Test(cell_decode, attributes_are_sorted_by_name) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 15, 3, 10, 3);
    loam_attribute swap = columns.attributes[0];
    columns.attributes[0] = columns.attributes[1];
    columns.attributes[1] = swap;
    expect_points_refused(&points, "unsorted");
    points = random_cell(&columns, 15, 3, 10, 3);
    columns.attributes[1].name = columns.attributes[0].name;
    expect_points_refused(&points, "twice");
}

Test(cell_decode, a_header_that_promises_more_points_than_there_are_ids_is_damage) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 16, 1, 0, 0), got;
    byte_buffer bytes = cell_bytes(&points);
    loam_error error = {0};
    put_u32(bytes.bytes + 12, 32 << 20);
    bytes.bytes[64 + 2] = 0;
    cr_expect_eq(decode(&bytes, &got, &error), LOAM_DAMAGED,
                 "told by 300 bytes, not by a full arena: %s", error.text);
    buffer_fini(&bytes);
}

Test(cell_decode, rectangles_out_of_the_world_are_refused) {
    static cell_columns columns;
    static const loam_rect rects[] = {{0, 0, 0, 1},
                                      {0, 0, 1, 0},
                                      {0, 0, -5, 5},
                                      {0, 0, (1 << 21) + 1, 1},
                                      {(int64_t)1 << 40, 0, ((int64_t)1 << 40) + 1, 1},
                                      {0, INT64_MIN, 1, INT64_MAX}};
    loam_points points = random_cell(&columns, 17, 0, 0, 0);
    for (int i = 0; i < 6; i++) {
        points.rect = rects[i];
        expect_points_refused(&points, "rectangle");
    }
}

Test(cell_decode, a_full_arena_is_told_at_every_size) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 18, 20, 300, 3), got;
    byte_buffer bytes = cell_bytes(&points);
    for (size_t size = 0;; size += 64) {
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        loam_error error = {0};
        loam_arena_init(&arena, exact, size);
        loam_status status = loam_cell_decode(bytes.bytes, bytes.size, &arena, &got, &error);
        free(exact);
        cr_assert_eq(error.status, status);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
    }
    buffer_fini(&bytes);
}

Test(cell_decode, the_number_of_points_is_read_of_cells_only) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 19, 20, 300, 0);
    byte_buffer bytes = cell_bytes(&points);
    cr_expect_eq(loam_cell_count(bytes.bytes, 16), 20);
    cr_expect_eq(loam_cell_count(bytes.bytes, 15), 0);
    cr_expect_eq(loam_cell_count(NULL, 0), 0);
    bytes.bytes[0] ^= 1;
    cr_expect_eq(loam_cell_count(bytes.bytes, bytes.size), 0);
    bytes.bytes[0] ^= 1;
    bytes.bytes[8] ^= 2;
    cr_expect_eq(loam_cell_count(bytes.bytes, bytes.size), 0);
    bytes.bytes[8] ^= 2;
    put_u32(bytes.bytes + 12, UINT32_MAX);
    cr_expect_eq(loam_cell_count(bytes.bytes, bytes.size), 0);
    buffer_fini(&bytes);
}

Test(cell_decode, a_claim_that_the_bytes_cannot_hold_needs_no_memory) {
    static cell_columns columns;
    loam_points points = random_cell(&columns, 7, 100, 200, 2);
    byte_buffer bytes = cell_bytes(&points);
    cr_expect_neq(loam_cell_memory(bytes.bytes, bytes.size), 0);
    cr_expect_eq(loam_cell_memory(bytes.bytes, 64), 0, "cut");
    cr_expect_eq(loam_cell_memory("LOAMGRPH", 8), 0, "no cell");
    bytes.bytes[15] = 0xff; /* the count of points */
    cr_expect_eq(loam_cell_memory(bytes.bytes, bytes.size), 0, "points");
    bytes.bytes[15] = 0;
    bytes.bytes[11] = 0xff; /* of columns */
    cr_expect_eq(loam_cell_memory(bytes.bytes, bytes.size), 0, "columns");
    buffer_fini(&bytes);
}
