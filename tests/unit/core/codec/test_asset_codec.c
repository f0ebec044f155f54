/* SPDX-License-Identifier: MIT
 *
 * test_asset_codec.c: assets against bytes put together by hand, there and back, and under damage.
 */
#include "tests/support/forest.h"
#include "tests/unit/core/codec/format_fixture.h"

static byte_buffer bytes_of(const loam_asset *asset) {
    byte_buffer got = {0};
    cr_assert_eq(loam_asset_encode(asset, buffer_sink(&got)), LOAM_OK);
    return got;
}

static void put_head(byte_buffer *to, int kind) {
    put_raw(to, "LOAMASST");
    put_number(to, 2, 1);
    put_number(to, 2, kind);
}

static void put_heightfield(byte_buffer *to) {
    static const int32_t samples[] = {1, -2, 3, 40000, -(1 << 30) + 1, 6};
    put_head(to, 2);
    put_number(to, 4, 3);
    put_number(to, 4, 2);
    put_number(to, 8, 7680 << 16);
    put_number(to, 8, -9);
    put_number(to, 8, (int64_t)1 << 40);
    for (int i = 0; i < 6; i++) {
        put_number(to, 4, samples[i]);
    }
}

/* Two features: one with a hole in its polygon, one with a margin. */
static void put_areas(byte_buffer *to) {
    static const int64_t outer[] = {0, 0, 100, 0, 100, 100, 0, 100, 0, 0};
    static const int64_t hole[] = {20, 20, 40, 20, 30, 40, 20, 20};
    static const int64_t other[] = {500, -10, 510, -10, 505, 20, 500, -10};
    static const struct {
        const int64_t *xz;
        int count;
    } rings[] = {{outer, 5}, {hole, 4}, {other, 4}};
    put_head(to, 4);
    put_number(to, 4, 2);
    put_number(to, 8, 3);
    put_number(to, 8, INT64_MIN);
    put_number(to, 8, INT64_MIN);
    put_number(to, 8, 8);
    put_number(to, 8, 256);
    put_number(to, 8, INT64_MIN);
    put_number(to, 4, 2);
    for (int ring = 0, polygon = 0; polygon < 2; polygon++) {
        put_number(to, 4, polygon);
        put_number(to, 4, polygon == 0 ? 2 : 1);
        for (int end = polygon == 0 ? 2 : 3; ring < end; ring++) {
            put_number(to, 4, rings[ring].count);
            for (int i = 0; i < 2 * rings[ring].count; i++) {
                put_number(to, 8, rings[ring].xz[i]);
            }
        }
    }
}

static loam_asset decode(const byte_buffer *bytes, loam_arena *arena) {
    loam_asset asset;
    loam_error error = {0};
    cr_assert_eq(loam_asset_decode(bytes->bytes, bytes->size, arena, &asset, &error), LOAM_OK, "%s",
                 error.text);
    return asset;
}

static void expect_round_trip(void (*put)(byte_buffer *to), loam_port_kind kind) {
    byte_buffer want = {0};
    loam_arena arena = arena_of(1 << 20);
    put(&want);
    loam_asset asset = decode(&want, &arena);
    cr_expect_eq(asset.kind, kind);
    byte_buffer got = bytes_of(&asset);
    expect_bytes(&got, &want);
}

Test(asset_codec, a_heightfield_is_the_bytes_that_the_format_says) {
    expect_round_trip(put_heightfield, LOAM_PORT_HEIGHTFIELD);
}

Test(asset_codec, areas_are_the_bytes_that_the_format_says) {
    expect_round_trip(put_areas, LOAM_PORT_AREAS);
}

Test(asset_codec, a_decoded_heightfield_is_ready_for_use) {
    byte_buffer bytes = {0};
    loam_arena arena = arena_of(1 << 20);
    put_heightfield(&bytes);
    loam_asset asset = decode(&bytes, &arena);
    memset(bytes.bytes, 0xff, bytes.size);
    cr_expect_eq(asset.heightfield->samples[3], 40000, "nothing is borrowed");
    cr_expect_gt(asset.heightfield->relief, 1u << 29);
}

/* The same square drawn the other way round, from another corner, with a vertex twice. */
Test(asset_codec, areas_are_brought_into_their_one_form) {
    static const int64_t rings[2][12] = {{0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 0, 0},
                                         {9, 9, 9, 0, 9, 0, 0, 0, 0, 9, 9, 9}};
    static const int counts[2] = {5, 6};
    byte_buffer forms[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        byte_buffer bytes = {0};
        loam_arena arena = arena_of(1 << 20);
        put_head(&bytes, 4);
        put_number(&bytes, 4, 1);
        put_number(&bytes, 8, 1);
        put_number(&bytes, 8, INT64_MIN);
        put_number(&bytes, 8, INT64_MIN);
        put_number(&bytes, 4, 1);
        put_number(&bytes, 4, 0);
        put_number(&bytes, 4, 1);
        put_number(&bytes, 4, counts[k]);
        for (int i = 0; i < 2 * counts[k]; i++) {
            put_number(&bytes, 8, rings[k][i]);
        }
        loam_asset asset = decode(&bytes, &arena);
        forms[k] = bytes_of(&asset);
    }
    expect_bytes(&forms[1], &forms[0]);
}

static void expect_truncations_refused(void (*put)(byte_buffer *to)) {
    byte_buffer bytes = {0};
    loam_arena arena = arena_of(1 << 20);
    loam_asset asset;
    put(&bytes);
    for (size_t size = 0; size < bytes.size; size++) {
        loam_error error = {0};
        unsigned char *exact = malloc(size == 0 ? 1 : size);
        memcpy(exact, bytes.bytes, size);
        loam_status status = loam_asset_decode(exact, size, &arena, &asset, &error);
        cr_assert_neq(status, LOAM_OK, "%zu bytes", size);
        cr_assert_eq(error.status, status);
        loam_arena_reset(&arena, 0);
        free(exact);
    }
    put_number(&bytes, 1, 0);
    cr_expect_eq(loam_asset_decode(bytes.bytes, bytes.size, &arena, &asset, NULL), LOAM_DAMAGED);
}

Test(asset_codec, every_truncation_is_refused) {
    expect_truncations_refused(put_heightfield);
    expect_truncations_refused(put_areas);
}

static void expect_flips_survived(void (*put)(byte_buffer *to)) {
    byte_buffer bytes = {0};
    loam_arena arena = arena_of(1 << 20), other = arena_of(1 << 20);
    put(&bytes);
    for (size_t at = 0; at < bytes.size; at++) {
        for (int flip = 1; flip < 256; flip++) {
            loam_asset asset, again;
            loam_error error = {0};
            bytes.bytes[at] ^= (unsigned char)flip;
            loam_status status = loam_asset_decode(bytes.bytes, bytes.size, &arena, &asset, &error);
            cr_assert_eq(error.status, status);
            if (status == LOAM_OK) {
                byte_buffer one = bytes_of(&asset);
                cr_assert_eq(loam_asset_decode(one.bytes, one.size, &other, &again, NULL), LOAM_OK);
                byte_buffer two = bytes_of(&again);
                cr_assert(buffer_equal(&one, &two), "the one form is its own");
                buffer_fini(&one);
                buffer_fini(&two);
            }
            bytes.bytes[at] ^= (unsigned char)flip;
            loam_arena_reset(&arena, 0);
            loam_arena_reset(&other, 0);
        }
    }
}

Test(asset_codec, every_flipped_byte_is_refused_or_makes_another_asset) {
    expect_flips_survived(put_heightfield);
    expect_flips_survived(put_areas);
}

Test(asset_codec, other_kinds_are_refused_both_ways) {
    loam_asset value = {.kind = LOAM_PORT_SPATIAL}, asset;
    loam_arena arena = arena_of(1 << 20);
    byte_buffer got = {0};
    cr_expect_eq(loam_asset_encode(&value, buffer_sink(&got)), LOAM_NOT_IMPLEMENTED);
    cr_expect_eq(got.size, 0, "and nothing is written");
    put_head(&got, LOAM_PORT_SPATIAL);
    put_number(&got, 8, 0);
    cr_expect_eq(loam_asset_decode(got.bytes, got.size, &arena, &asset, NULL), LOAM_DAMAGED);
}

static void expect_full_below(void (*put)(byte_buffer *to)) {
    byte_buffer bytes = {0};
    put(&bytes);
    for (size_t size = 0;; size += 64) {
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        loam_asset asset;
        loam_error error = {0};
        loam_arena_init(&arena, exact, size);
        loam_status status = loam_asset_decode(bytes.bytes, bytes.size, &arena, &asset, &error);
        free(exact);
        cr_assert_eq(error.status, status);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL, "at %zu", size);
        cr_assert_str_neq(error.text, "");
    }
}

Test(asset_codec, a_full_arena_is_told_at_every_size) {
    expect_full_below(put_heightfield);
    expect_full_below(put_areas);
}
