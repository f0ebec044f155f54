/* SPDX-License-Identifier: MIT
 *
 * test_asset_lines.c: the bytes of lines and of given points: there and back, cut at every byte,
 * and with any byte changed.
 */
#include "core/base/mix.h"
#include "core/loam.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 4 << 20, BYTES_MAX = 4096 };

typedef struct asset_bytes {
    unsigned char bytes[BYTES_MAX];
    size_t size;
} asset_bytes;

static void take(void *context, const void *bytes, size_t size) {
    asset_bytes *to = context;
    cr_assert_leq(size, BYTES_MAX - to->size);
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static loam_arena arena_new(void) {
    static unsigned char memory[4][ARENA_BYTES];
    static int next;
    loam_arena arena;
    loam_arena_init(&arena, memory[next++ % 4], ARENA_BYTES);
    return arena;
}

static loam_asset lines_asset(loam_arena *arena) {
    static const int64_t a[] = {0, 0, 5, 0, 5, 7}, b[] = {0, 0, 5, 1}, c[] = {-9, 2, -9, 3};
    const loam_line lines[] = {{a, 3, 0, 7}, {b, 2, 1, 7}, {c, 2, 2, UINT64_MAX}};
    const loam_lines_source source = {lines, 3};
    loam_asset asset = {.kind = LOAM_PORT_LINES};
    cr_assert_eq(loam_lines_build(&source, arena, &asset.lines, NULL), LOAM_OK);
    return asset;
}

static loam_asset sites_asset(loam_arena *arena) {
    static const loam_site sites[] = {{1, 2, 3, 0, 7}, {1, 2, 4, 1, 7}, {-5, 9, -3, 2, 1}};
    static const loam_text texts[] = {{"oak", 3}, {"pine", 4}};
    static const int32_t kinds[] = {1, LOAM_MISSING, 0}, ages[] = {5, -6, LOAM_MISSING};
    const loam_attribute properties[] = {
        {{"kind", 4}, LOAM_ATTRIBUTE_STRING, kinds, texts, 2},
        {{"age", 3}, LOAM_ATTRIBUTE_INT, ages, NULL, 0},
    };
    const loam_sites_source source = {sites, 3, properties, 2};
    loam_asset asset = {.kind = LOAM_PORT_POINTS};
    cr_assert_eq(loam_sites_build(&source, arena, &asset.sites, NULL), LOAM_OK);
    return asset;
}

static void encode(const loam_asset *asset, asset_bytes *to) {
    to->size = 0;
    cr_assert_eq(loam_asset_encode(asset, (loam_sink){take, to}), LOAM_OK);
}

typedef loam_asset (*asset_maker)(loam_arena *arena);
static const asset_maker makers[] = {lines_asset, sites_asset};

Test(asset_lines, bytes_come_back_as_the_same_bytes) {
    for (int i = 0; i < 2; i++) {
        static asset_bytes one, two;
        loam_arena arena = arena_new(), other = arena_new();
        loam_asset asset = makers[i](&arena), again;
        encode(&asset, &one);
        cr_assert_eq(loam_asset_decode(one.bytes, one.size, &other, &again, NULL), LOAM_OK);
        cr_expect_eq(again.kind, asset.kind);
        encode(&again, &two);
        cr_assert_eq(one.size, two.size);
        cr_expect_arr_eq(one.bytes, two.bytes, one.size);
    }
}

Test(asset_lines, bytes_cut_anywhere_or_with_more_behind_them_are_refused) {
    for (int i = 0; i < 2; i++) {
        static asset_bytes one;
        loam_arena arena = arena_new();
        loam_asset asset = makers[i](&arena), again;
        encode(&asset, &one);
        for (size_t size = 0; size <= one.size + 1; size++) {
            loam_arena other = arena_new();
            loam_error error = {0};
            if (size != one.size) {
                cr_expect_neq(loam_asset_decode(one.bytes, size, &other, &again, &error), LOAM_OK,
                              "%zu bytes", size);
                cr_expect_neq(error.status, LOAM_OK);
            }
        }
    }
}

/* What is accepted is an asset: it can be written again. */
Test(asset_lines, bytes_that_are_changed_are_refused_or_are_another_asset) {
    uint64_t state = 1;
    for (int round = 0; round < 4000; round++) {
        static asset_bytes one, two;
        loam_arena arena = arena_new(), other = arena_new();
        loam_asset asset = makers[round % 2](&arena), again;
        encode(&asset, &one);
        for (int changes = 1 + round % 3; changes > 0; changes--) {
            state = mix64(state + 1);
            one.bytes[(state >> 8) % one.size] = (unsigned char)state;
        }
        if (loam_asset_decode(one.bytes, one.size, &other, &again, NULL) == LOAM_OK &&
            again.kind == asset.kind) {
            encode(&again, &two);
        }
    }
}
