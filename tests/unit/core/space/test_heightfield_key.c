/* SPDX-License-Identifier: MIT
 *
 * test_heightfield_key.c: what a rectangle sees of a heightfield: every sample that a point in it
 * can read, and nothing beyond the blocks that hold those.
 */
#include "core/base/limits.h"
#include "core/space/heightfield.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

enum { SIDE = 40, METRE = 256 };

static int32_t samples[SIDE * SIDE];

static loam_heightfield field_of(int64_t spacing_fine) {
    test_random random = {21};
    for (int i = 0; i < SIDE * SIDE; i++) {
        samples[i] = (int32_t)random_between(&random, -1000000, 1000000);
    }
    return (loam_heightfield){
        .width = SIDE, .height = SIDE, .spacing_fine = spacing_fine, .samples = samples};
}

static byte_buffer see(const loam_heightfield *field, loam_rect rect) {
    byte_buffer got = {0};
    byte_writer writer;
    writer_init(&writer, buffer_sink(&got));
    heightfield_see(field, rect, &writer);
    writer_flush(&writer);
    return got;
}

static bool sees_same(const loam_heightfield *a, const loam_heightfield *b, loam_rect rect) {
    byte_buffer one = see(a, rect), two = see(b, rect);
    bool same = buffer_equal(&one, &two);
    buffer_fini(&one);
    buffer_fini(&two);
    return same;
}

static bool changes_when_edited(loam_heightfield *field, int sample, loam_rect rect) {
    byte_buffer before = see(field, rect);
    samples[sample]++;
    byte_buffer after = see(field, rect);
    samples[sample]--;
    bool changed = !buffer_equal(&before, &after);
    buffer_fini(&before);
    buffer_fini(&after);
    return changed;
}

/* Vertices that a point in [low, high) reads along one axis, found point by point. */
static void mark_read(const loam_heightfield *field, int64_t low, int64_t high, bool read[SIDE]) {
    memset(read, 0, SIDE * sizeof read[0]);
    for (int64_t at = low; at < high; at++) {
        int64_t offset = at - field->origin_x;
        if (offset < 0 || offset > heightfield_vertex(field, SIDE - 1)) {
            continue;
        }
        int64_t quad = 0;
        while (quad < SIDE - 2 && heightfield_vertex(field, quad + 1) <= offset) {
            quad++;
        }
        read[quad] = read[quad + 1] = true;
    }
}

static int64_t block_of(const loam_heightfield *field, int64_t vertex) {
    int64_t size = 1;
    while (size * 2 * field->spacing_fine <= (int64_t)32 * METRE * 65536) {
        size *= 2;
    }
    int64_t first = field->origin_x * 65536;
    first = first / field->spacing_fine - (first % field->spacing_fine < 0);
    int64_t number = first + vertex;
    return number / size - (number % size < 0);
}

/* Every sample of one row is edited; the rectangle covers all rows. */
static void expect_sight(loam_heightfield field, int64_t low, int64_t high) {
    bool read[SIDE];
    mark_read(&field, low, high, read);
    loam_rect rect = {low, field.origin_z, high, field.origin_z + 100};
    for (int vertex = 0; vertex < SIDE; vertex++) {
        bool near = false;
        for (int other = 0; other < SIDE; other++) {
            near = near || (read[other] && block_of(&field, other) == block_of(&field, vertex));
        }
        bool changed = changes_when_edited(&field, vertex, rect);
        cr_assert(!read[vertex] || changed, "vertex %d is read and not seen", vertex);
        cr_assert(near || !changed, "vertex %d is seen and no vertex of its block is read", vertex);
        cr_assert(!near || changed, "blocks are seen whole: vertex %d", vertex);
    }
}

Test(heightfield_key, samples_in_reach_are_seen_and_those_of_other_blocks_are_not) {
    static const int64_t spacings[] = {256 << 16,           1024 << 16,
                                       (int64_t)8192 << 16, (int64_t)7680 << 16,
                                       (int64_t)9000 << 16, (300 << 16) + 777};
    test_random random = {22};
    for (int s = 0; s < 6; s++) {
        loam_heightfield field = field_of(spacings[s]);
        int64_t spacing = spacings[s] >> 16;
        for (int i = 0; i < 6; i++) {
            field.origin_x = random_between(&random, -100000, 100000);
            field.origin_z = random_between(&random, -100000, 100000);
            int64_t low = field.origin_x + random_between(&random, -3 * spacing, SIDE * spacing);
            expect_sight(field, low, low + random_between(&random, 1, 2 * spacing));
        }
        expect_sight(field, field.origin_x + heightfield_vertex(&field, SIDE - 1),
                     field.origin_x + heightfield_vertex(&field, SIDE - 1) + 1);
        expect_sight(field, field.origin_x + heightfield_vertex(&field, 8),
                     field.origin_x + heightfield_vertex(&field, 16));
    }
}

/* 4 m: blocks of 8 vertices. */
Test(heightfield_key, the_grain_is_the_largest_power_of_two_within_32_m) {
    loam_heightfield field = field_of((int64_t)4 * METRE << 16);
    loam_rect rect = {0, 0, 4 * METRE * 7, 4 * METRE * 7};
    cr_expect(changes_when_edited(&field, 7, rect));
    cr_expect(!changes_when_edited(&field, 8, rect));
    cr_expect(changes_when_edited(&field, 7 * SIDE, rect));
    cr_expect(!changes_when_edited(&field, 8 * SIDE, rect));
    rect.x1++;
    cr_expect(changes_when_edited(&field, 8, rect), "a point on vertex 7 reads vertex 8");
    cr_expect(changes_when_edited(&field, 15, rect), "and so the block of it");
    cr_expect(!changes_when_edited(&field, 16, rect));
}

/* A field that begins `columns` and `rows` later and holds the same ground. */
static bool same_after_cut(loam_heightfield field, uint32_t columns, uint32_t rows,
                           loam_rect rect) {
    static int32_t cut[SIDE * SIDE];
    loam_heightfield less = field;
    less.width -= columns;
    less.height -= rows;
    less.origin_x += heightfield_vertex(&field, columns);
    less.origin_z += heightfield_vertex(&field, rows);
    less.samples = cut;
    for (uint32_t j = 0; j < less.height; j++) {
        memcpy(cut + j * less.width, samples + (j + rows) * SIDE + columns,
               less.width * sizeof cut[0]);
    }
    return sees_same(&field, &less, rect);
}

Test(heightfield_key, a_field_that_begins_elsewhere_looks_the_same) {
    loam_heightfield field = field_of((int64_t)4 * METRE << 16);
    field.origin_x = -77;
    field.origin_z = 5;
    loam_rect rect = {100 * METRE, 100 * METRE, 110 * METRE, 110 * METRE};
    cr_expect(same_after_cut(field, 8, 0, rect), "by a whole block");
    cr_expect(same_after_cut(field, 8, 16, rect), "by whole blocks, both ways");
    cr_expect(same_after_cut(field, 3, 1, rect), "by a part of a block that is out of sight");
    cr_expect(!same_after_cut(field, 27, 0, rect), "not when it cuts what is in sight");
}

Test(heightfield_key, a_field_moved_with_its_samples_looks_other) {
    loam_heightfield field = field_of((int64_t)4 * METRE << 16);
    loam_heightfield moved = field;
    loam_rect rect = {100 * METRE, 100 * METRE, 110 * METRE, 110 * METRE};
    moved.origin_x += 1;
    cr_expect(!sees_same(&field, &moved, rect));
    moved.origin_x = field.origin_x + 4 * METRE;
    cr_expect(!sees_same(&field, &moved, rect));
    moved.origin_x = field.origin_x + 32 * METRE;
    cr_expect(!sees_same(&field, &moved, rect));
}

Test(heightfield_key, another_spacing_looks_other_even_over_equal_samples) {
    loam_heightfield field = field_of((int64_t)4 * METRE << 16);
    memset(samples, 0, sizeof samples);
    loam_heightfield finer = field;
    finer.spacing_fine++;
    loam_rect rect = {10, 10, 20, 20};
    cr_expect(!sees_same(&field, &finer, rect));
}

/* Vertices of a fractional spacing are rounded by their own index, so a shift moves them. */
Test(heightfield_key, a_fractional_field_that_begins_elsewhere_looks_other) {
    loam_heightfield field = field_of(((int64_t)4 * METRE << 16) + 32768);
    loam_rect rect = {100 * METRE, 100 * METRE, 110 * METRE, 110 * METRE};
    cr_expect(!same_after_cut(field, 8, 0, rect));
}

Test(heightfield_key, absence_is_seen_too) {
    loam_heightfield field = field_of((int64_t)4 * METRE << 16);
    loam_heightfield far = field;
    loam_rect rect = {1000 * METRE, 0, 1010 * METRE, 10 * METRE};
    byte_buffer got = see(&field, rect);
    cr_expect_gt(got.size, 25, "there are entries");
    buffer_fini(&got);
    far.origin_x = 995 * METRE / (32 * METRE) * 32 * METRE;
    cr_expect(!sees_same(&field, &far, rect), "a field that comes into sight");
    samples[0]++;
    cr_expect(sees_same(&field, &field, rect));
    far = field;
    far.width = SIDE - 8;
    cr_expect(sees_same(&field, &far, (loam_rect){5000 * METRE, 0, 5001 * METRE, METRE}));
}

/* The last edge belongs to the last quad: whether the field goes on decides what is beyond. */
Test(heightfield_key, the_end_of_a_field_is_seen_from_its_last_edge) {
    loam_heightfield field = field_of((int64_t)32 * METRE << 16);
    loam_heightfield shorter = field;
    static int32_t cut[SIDE * SIDE];
    shorter.width = 10;
    shorter.samples = cut;
    for (int j = 0; j < SIDE; j++) {
        memcpy(cut + j * 10, samples + j * SIDE, 10 * sizeof cut[0]);
    }
    int64_t edge = 9 * 32 * METRE;
    cr_expect(sees_same(&field, &shorter, (loam_rect){edge - 100, 0, edge, 10}));
    cr_expect(!sees_same(&field, &shorter, (loam_rect){edge - 100, 0, edge + 2, 10}));
}

Test(heightfield_key, the_ends_of_the_world_are_seen_without_overflow) {
    loam_heightfield field = field_of(65536);
    int64_t far = POSITION_UNITS_MAX;
    byte_buffer got = see(&field, (loam_rect){far - 100, -far, far, -far + 100});
    cr_expect_gt(got.size, 25);
    buffer_fini(&got);
    field.origin_x = -far;
    got = see(&field, (loam_rect){far - 100, -far, far, -far + 100});
    cr_expect_gt(got.size, 25);
    buffer_fini(&got);
}
