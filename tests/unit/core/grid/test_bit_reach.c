/* SPDX-License-Identifier: MIT
 *
 * test_bit_reach.c: what is reached by words is what a plain flood reaches, and no more.
 */
#include "core/grid/bit_reach.h"

#include "core/base/mix.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>

enum { SIDE_MAX = 200 };

static uint8_t seen[SIDE_MAX * SIDE_MAX];

/* On from the cells of `seen` that are 1. */
static void plain_flood(const bit_rows *open) {
    static uint32_t stack[SIDE_MAX * SIDE_MAX];
    size_t waiting = 0, width = (size_t)open->width;
    for (size_t i = 0; i < width * (size_t)open->height; i++) {
        if (seen[i] != 0) {
            stack[waiting++] = (uint32_t)i;
        }
    }
    while (waiting > 0) {
        uint32_t at = stack[--waiting];
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot to =
                spot_step((loam_spot){(int32_t)(at % width), (int32_t)(at / width)}, way);
            bool inside = to.x >= 0 && to.y >= 0 && to.x < open->width && to.y < open->height;
            size_t side = inside ? (size_t)to.y * width + (size_t)to.x : 0;
            if (inside && seen[side] == 0 && bit_rows_get(open, to.x, to.y)) {
                seen[side] = 1;
                stack[waiting++] = (uint32_t)side;
            }
        }
    }
}

static void expect_flood(bit_reach *reach) {
    const bit_rows *open = reach->open;
    plain_flood(open);
    bit_reach_run(reach);
    for (int32_t y = 0; y < open->height; y++) {
        for (int32_t x = 0; x < open->width; x++) {
            cr_assert_eq(bit_rows_get(&reach->reached, x, y), seen[y * open->width + x],
                         "%d x %d: %d,%d", open->width, open->height, x, y);
        }
        uint64_t beyond = open->width % 64 == 0 ? 0 : ~(uint64_t)0 << open->width % 64;
        cr_assert_eq(bit_rows_row(&reach->reached, y)[open->words - 1] & beyond, 0);
    }
}

static bit_reach take(const bit_rows *open, loam_arena *arena) {
    bit_reach reach;
    size_t mark = loam_arena_mark(arena);
    memset(seen, 0, sizeof seen);
    cr_assert_eq(bit_reach_take(open, arena, &reach, NULL), LOAM_OK);
    cr_assert_leq(loam_arena_mark(arena) - mark, bit_reach_bytes(open->width, open->height));
    return reach;
}

static void start(bit_reach *reach, loam_spot at) {
    bit_reach_start(reach, at);
    seen[at.y * reach->open->width + at.x] = bit_rows_get(reach->open, at.x, at.y);
}

Test(bit_reach, is_a_flood_on_grids_of_any_size) {
    static const int32_t sides[][2] = {{1, 1}, {7, 3}, {63, 5}, {64, 64}, {65, 9}, {200, 131}};
    loam_arena arena = arena_of(1 << 20);
    for (uint64_t seed = 0; seed < 120; seed++) {
        bit_rows open;
        const int32_t *side = sides[seed % 6];
        loam_arena_reset(&arena, 0);
        cr_assert_eq(bit_rows_take(side[0], side[1], &arena, &open, NULL), LOAM_OK);
        for (int32_t i = 0; i < side[0] * side[1]; i++) {
            if (mix_pair(seed, (uint64_t)i) % 100 < 40 + seed / 2) {
                bit_rows_set(&open, i % side[0], i / side[0]);
            }
        }
        bit_reach reach = take(&open, &arena);
        for (uint64_t i = 0; i < 1 + seed % 3; i++) {
            uint64_t bits = mix_pair(seed + 1000, i);
            start(&reach, (loam_spot){(int32_t)(bits % (uint64_t)side[0]),
                                      (int32_t)((bits >> 32) % (uint64_t)side[1])});
        }
        expect_flood(&reach);
    }
}

/* Rows that are open in turns with gaps at their ends: one way through all of them. */
Test(bit_reach, follows_the_longest_way) {
    loam_arena arena = arena_of(1 << 20);
    bit_rows open;
    cr_assert_eq(bit_rows_take(199, 131, &arena, &open, NULL), LOAM_OK);
    for (int32_t y = 0; y < 131; y++) {
        int32_t gap = y % 4 == 1 ? 198 : 0;
        bit_rows_put(&open, y, y % 2 == 0 ? 0 : gap, y % 2 == 0 ? 199 : gap + 1, true);
    }
    bit_reach reach = take(&open, &arena);
    start(&reach, (loam_spot){0, 0});
    expect_flood(&reach);
    cr_expect_eq(bit_rows_count(&reach.reached), bit_rows_count(&open));
}

Test(bit_reach, starts_nowhere_in_rock_and_outside) {
    static const loam_spot spots[] = {{-1, 0}, {0, -1}, {70, 1}, {3, 2}, {1, 1}};
    loam_arena arena = arena_of(1 << 16);
    bit_rows open;
    cr_assert_eq(bit_rows_take(70, 2, &arena, &open, NULL), LOAM_OK);
    bit_rows_put(&open, 0, 0, 70, true);
    bit_reach reach = take(&open, &arena);
    for (size_t i = 0; i < sizeof spots / sizeof *spots; i++) {
        bit_reach_start(&reach, spots[i]);
    }
    bit_reach_run(&reach);
    cr_expect_eq(bit_rows_count(&reach.reached), 0);
    loam_arena small = arena_of(64);
    cr_expect_neq(bit_reach_take(&open, &small, &reach, NULL), LOAM_OK);
}
