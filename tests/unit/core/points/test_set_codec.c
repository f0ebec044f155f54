/* SPDX-License-Identifier: MIT
 *
 * test_set_codec.c: point sets as bytes and back: every column, attributes, names; and bytes that
 * are none.
 */
#include "core/points/set_codec.h"

#include "core/base/limits.h"
#include "tests/support/forest.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

static const loam_text plan_names[] = {{"", 0}, {"oak", 3}, {"never", 5}, {"a b", 3}, {"Ü", 2}};
enum { NAMES = 5, ROWS = 37 };
static const loam_rect around = {-5000, 700, 9000, 12000};

/* Columns of noise; every value of a small range. */
static void *noise(loam_arena *arena, uint32_t count, size_t size, test_random *random,
                   int64_t most) {
    unsigned char *column = loam_arena_take_zero(arena, column_size(count), size);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bits = (uint64_t)random_between(random, 0, most);
        const uint16_t two = (uint16_t)bits;
        const uint32_t four = (uint32_t)bits;
        memcpy(column + i * size,
               size == 2   ? (const void *)&two
               : size == 4 ? (const void *)&four
                           : (const void *)&bits,
               size);
    }
    return column;
}

static point_set full_set(loam_arena *arena, uint32_t count, uint64_t seed) {
    test_random random = {seed};
    point_set set = {.count = count, .base_x = -4990, .base_z = 800, .id_key = seed};
#define FILL(type, column, most) set.column = noise(arena, count, sizeof(type), &random, most)
    FILL(int32_t, x, 9000);
    FILL(int32_t, z, 9000);
    FILL(int32_t, y, UINT32_MAX);
    FILL(int32_t, gradient_x, UINT32_MAX);
    FILL(int32_t, gradient_z, UINT32_MAX);
    FILL(uint32_t, a, UINT32_MAX);
    FILL(uint32_t, b, UINT32_MAX);
    FILL(uint64_t, id, INT64_MAX);
    FILL(uint32_t, density, LOAM_DENSITY_ONE);
    FILL(uint16_t, yaw, UINT16_MAX);
    FILL(int16_t, pitch, UINT16_MAX);
    FILL(int16_t, roll, UINT16_MAX);
    FILL(uint16_t, scale, UINT16_MAX);
    FILL(uint16_t, scale_y, UINT16_MAX);
    FILL(uint16_t, scale_z, UINT16_MAX);
    FILL(int32_t, station, UINT32_MAX);
    FILL(int32_t, offset, UINT32_MAX);
    FILL(uint32_t, asset, 1);
#undef FILL
    int32_t *kinds = noise(arena, count, sizeof *kinds, &random, 1);
    for (uint32_t i = 0; i < count; i++) {
        kinds[i] = i % 5 == 0 ? ATTRIBUTE_MISSING : 3 + kinds[i];
    }
    point_attribute *attributes = loam_arena_take(arena, 3, sizeof *attributes);
    attributes[0] = (point_attribute){{"", 0}, LOAM_ATTRIBUTE_INT, set.y};
    attributes[1] = (point_attribute){{"height", 6}, LOAM_ATTRIBUTE_FLOAT, set.station};
    attributes[2] = (point_attribute){{"kind", 4}, LOAM_ATTRIBUTE_STRING, kinds};
    set.attributes = attributes;
    set.attribute_count = 3;
    return set;
}

static byte_buffer encoded(const point_set *set, loam_arena *arena) {
    byte_buffer bytes = {0};
    byte_writer writer;
    const size_t mark = loam_arena_mark(arena);
    writer_init(&writer, buffer_sink(&bytes));
    cr_assert_eq(set_encode(set, (point_names){plan_names, NAMES}, &writer, arena), LOAM_OK);
    writer_flush(&writer);
    cr_assert_eq(loam_arena_mark(arena), mark, "scratch is given back");
    return bytes;
}

/* Reads into an evaluation with other names, where each has another index. */
static loam_status decoded(const byte_buffer *bytes, loam_arena *arena, name_table *names,
                           point_set *set) {
    static const loam_text others[] = {{"", 0}, {"pine", 4}, {"Ü", 2}};
    byte_reader reader;
    cr_assert_eq(name_table_init(names, others, 3, arena, NULL), LOAM_OK);
    reader_init(&reader, bytes->bytes, bytes->size);
    loam_status status = set_decode(&reader, around, names, arena, set);
    return status == LOAM_OK && reader.left > 0 ? LOAM_DAMAGED : status;
}

#define SAME(column)                                                                               \
    cr_expect((want->column == NULL) == (got->column == NULL), #column);                           \
    cr_expect(want->column == NULL || want->count == 0 ||                                          \
                  memcmp(want->column, got->column, want->count * sizeof *want->column) == 0,      \
              #column)

static void expect_name(const name_table *names, uint32_t got, uint32_t want) {
    cr_expect(loam_text_equal(names->names[got], plan_names[want]), "%u", want);
}

static void expect_same(const point_set *want, const point_set *got, const name_table *names) {
    cr_assert_eq(want->count, got->count);
    cr_expect_eq(want->base_x, got->base_x);
    cr_expect_eq(want->base_z, got->base_z);
    cr_expect_eq(want->id_key, got->id_key);
    cr_expect_eq(want->density_all, got->density_all);
    cr_expect(got->live == NULL && got->lattice == NULL);
    SAME(x);
    SAME(z);
    SAME(y);
    SAME(gradient_x);
    SAME(gradient_z);
    SAME(a);
    SAME(b);
    SAME(id);
    SAME(density);
    SAME(yaw);
    SAME(pitch);
    SAME(roll);
    SAME(scale);
    SAME(scale_y);
    SAME(scale_z);
    SAME(station);
    SAME(offset);
    expect_name(names, got->asset_all, want->asset_all);
    for (uint32_t i = 0; want->asset != NULL && i < want->count; i++) {
        expect_name(names, got->asset[i], want->asset[i]);
    }
    cr_assert_eq(want->attribute_count, got->attribute_count);
    for (uint32_t k = 0; k < want->attribute_count; k++) {
        const point_attribute *one = &want->attributes[k], *other = &got->attributes[k];
        cr_expect(loam_text_equal(one->name, other->name));
        cr_expect_eq(one->kind, other->kind);
        for (uint32_t i = 0; i < want->count; i++) {
            if (one->kind == LOAM_ATTRIBUTE_STRING && one->values[i] != ATTRIBUTE_MISSING) {
                expect_name(names, (uint32_t)other->values[i], (uint32_t)one->values[i]);
            } else {
                cr_expect_eq(one->values[i], other->values[i]);
            }
        }
    }
}

static void check_there_and_back(const point_set *set, loam_arena *arena) {
    byte_buffer bytes = encoded(set, arena);
    name_table names;
    point_set got;
    cr_assert_eq(decoded(&bytes, arena, &names, &got), LOAM_OK);
    memset(bytes.bytes, 0xaa, bytes.size);
    expect_same(set, &got, &names);
    buffer_fini(&bytes);
}

Test(set_codec, a_set_with_every_column_comes_back_among_other_names) {
    loam_arena arena = arena_of(1 << 24);
    point_set set = full_set(&arena, ROWS, 5);
    check_there_and_back(&set, &arena);
    set.density_all = LOAM_DENSITY_ONE;
    set.asset_all = 3;
    set.asset = NULL;
    set.gradient_x = set.gradient_z = NULL;
    set.scale_y = set.scale_z = NULL;
    set.yaw = NULL;
    set.density = NULL;
    set.id = NULL;
    set.attribute_count = 0;
    check_there_and_back(&set, &arena);
}

Test(set_codec, sets_of_none_of_one_and_of_equal_points_come_back) {
    loam_arena arena = arena_of(1 << 24);
    point_set none = full_set(&arena, 0, 6), one = full_set(&arena, 1, 7);
    check_there_and_back(&none, &arena);
    check_there_and_back(&one, &arena);
    point_set equal = full_set(&arena, ROWS, 8);
    equal.y = equal.station = loam_arena_take_zero(&arena, column_size(ROWS), sizeof(int32_t));
    byte_buffer bytes = encoded(&equal, &arena);
    point_set other = full_set(&arena, ROWS, 8);
    byte_buffer longer = encoded(&other, &arena);
    cr_expect_eq(longer.size - bytes.size, 2u * (ROWS - 1) * sizeof(int32_t),
                 "a column of one value is written once");
    buffer_fini(&bytes);
    buffer_fini(&longer);
    check_there_and_back(&equal, &arena);
}

Test(set_codec, names_that_are_not_used_are_not_written) {
    loam_arena arena = arena_of(1 << 24);
    point_set set = full_set(&arena, ROWS, 5);
    byte_buffer bytes = encoded(&set, &arena);
    bool found = false;
    for (size_t i = 0; i + 5 <= bytes.size; i++) {
        found = found || memcmp(bytes.bytes + i, "never", 5) == 0;
    }
    cr_expect(!found);
    buffer_fini(&bytes);
}

Test(set_codec, bytes_that_end_early_are_damaged) {
    loam_arena arena = arena_of(1 << 24);
    point_set set = full_set(&arena, ROWS, 9), got;
    byte_buffer bytes = encoded(&set, &arena);
    const size_t mark = loam_arena_mark(&arena);
    name_table names;
    for (size_t size = 0; size < bytes.size; size++) {
        /* In a block of its own, so that a sanitizer sees a step beyond it. */
        byte_buffer cut = {malloc(size + 1), size, size};
        memcpy(cut.bytes, bytes.bytes, size);
        loam_arena_reset(&arena, mark);
        cr_expect_eq(decoded(&cut, &arena, &names, &got), LOAM_DAMAGED, "%zu bytes", size);
        buffer_fini(&cut);
    }
    buffer_fini(&bytes);
}

/* Whatever the bytes say, the reading ends; what it takes is a set. */
Test(set_codec, changed_bytes_are_another_set_or_damaged) {
    loam_arena arena = arena_of(1 << 24);
    point_set set = full_set(&arena, ROWS, 10), got;
    byte_buffer bytes = encoded(&set, &arena);
    const size_t mark = loam_arena_mark(&arena);
    name_table names;
    uint32_t refused = 0;
    for (size_t i = 0; i < bytes.size; i++) {
        static const unsigned char flips[] = {1, 0x80, 0xff};
        for (size_t k = 0; k < sizeof flips; k++) {
            loam_arena_reset(&arena, mark);
            bytes.bytes[i] ^= flips[k];
            loam_status status = decoded(&bytes, &arena, &names, &got);
            cr_assert(status == LOAM_OK || status == LOAM_DAMAGED || status == LOAM_ARENA_FULL);
            for (uint32_t row = 0; status == LOAM_OK && row < got.count; row++) {
                cr_assert_lt(got.asset == NULL ? got.asset_all : got.asset[row], names.count);
            }
            refused += status != LOAM_OK;
            bytes.bytes[i] ^= flips[k];
        }
    }
    cr_expect_gt(refused, 300);
    buffer_fini(&bytes);
}

Test(set_codec, a_point_outside_the_rectangle_or_a_density_above_one_is_damaged) {
    loam_arena arena = arena_of(1 << 24);
    name_table names;
    for (int what = 0; what < 5; what++) {
        point_set set = full_set(&arena, ROWS, 11), got;
        int32_t *x = (int32_t *)(uintptr_t)set.x, *z = (int32_t *)(uintptr_t)set.z;
        uint32_t *density = (uint32_t *)(uintptr_t)set.density;
        x[7] = what == 0 ? 9000 + 4990 : what == 1 ? 9000 + 4989 : x[7];
        z[7] = what == 2 ? -1 : z[7];
        density[3] += what == 3 ? LOAM_DENSITY_ONE + 1 : 0;
        set.scale_z = what == 4 ? NULL : set.scale_z;
        byte_buffer bytes = encoded(&set, &arena);
        cr_expect_eq(decoded(&bytes, &arena, &names, &got), what == 1 ? LOAM_OK : LOAM_DAMAGED,
                     "case %d", what);
        buffer_fini(&bytes);
    }
}

Test(set_codec, an_arena_that_is_full_is_no_set) {
    loam_arena arena = arena_of(1 << 24);
    point_set set = full_set(&arena, ROWS, 12), got;
    byte_buffer bytes = encoded(&set, &arena);
    static unsigned char memory[1 << 16];
    uint32_t refused = 0;
    loam_status status = LOAM_ARENA_FULL;
    for (size_t room = 4096; status != LOAM_OK && room < sizeof memory; room += 64) {
        loam_arena small;
        byte_reader reader;
        name_table names;
        loam_arena_init(&small, memory, room);
        if (name_table_init(&names, plan_names, 1, &small, NULL) != LOAM_OK) {
            continue;
        }
        reader_init(&reader, bytes.bytes, bytes.size);
        status = set_decode(&reader, around, &names, &small, &got);
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL, "%d", status);
        refused += status != LOAM_OK;
    }
    cr_expect_eq(status, LOAM_OK);
    cr_expect_gt(refused, 10);
    buffer_fini(&bytes);
}
