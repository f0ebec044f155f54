/* SPDX-License-Identifier: MIT
 *
 * test_bit_rows.c: 64 cells at once do what one at a time does.
 */
#include "core/grid/bit_rows.h"

#include "core/base/mix.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>

static const int32_t sides[][2] = {{1, 1}, {7, 3}, {63, 5}, {64, 4}, {65, 9}, {130, 2}, {200, 31}};

static void fill(bit_rows *rows, uint64_t seed) {
    for (int32_t y = 0; y < rows->height; y++) {
        for (int32_t x = 0; x < rows->width; x++) {
            if (mix64(seed + (uint64_t)(y * 1000 + x)) % 100 < 55) {
                bit_rows_set(rows, x, y);
            }
        }
    }
}

static uint32_t ones_around(const bit_rows *rows, int32_t x, int32_t y) {
    uint32_t count = 0;
    for (int32_t v = y - 1; v <= y + 1; v++) {
        for (int32_t u = x - 1; u <= x + 1; u++) {
            bool there = u >= 0 && v >= 0 && u < rows->width && v < rows->height;
            count += there && bit_rows_get(rows, u, v);
        }
    }
    return count;
}

Test(bit_rows, a_cell_becomes_what_five_of_nine_are) {
    loam_arena arena = arena_of(1 << 20);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        bit_rows from, to;
        loam_arena_reset(&arena, 0);
        cr_assert_eq(bit_rows_take(sides[i][0], sides[i][1], &arena, &from, NULL), LOAM_OK);
        cr_assert_eq(bit_rows_take(sides[i][0], sides[i][1], &arena, &to, NULL), LOAM_OK);
        fill(&from, i);
        bit_rows_majority(&from, &to);
        for (int32_t y = 0; y < to.height; y++) {
            for (int32_t x = 0; x < to.width; x++) {
                cr_assert_eq(bit_rows_get(&to, x, y), ones_around(&from, x, y) >= 5,
                             "%d x %d: %d,%d", to.width, to.height, x, y);
            }
            uint64_t beyond = to.width % 64 == 0 ? 0 : ~(uint64_t)0 << to.width % 64;
            cr_assert_eq(bit_rows_row(&to, y)[to.words - 1] & beyond, 0);
        }
    }
}

Test(bit_rows, a_stretch_of_a_row_is_put_in_any_place) {
    loam_arena arena = arena_of(1 << 16);
    bit_rows rows;
    cr_assert_eq(bit_rows_take(200, 1, &arena, &rows, NULL), LOAM_OK);
    for (int32_t x0 = 0; x0 < 200; x0 += 7) {
        for (int32_t x1 = x0; x1 <= 200; x1 += 13) {
            bit_rows_put(&rows, 0, 0, 200, false);
            bit_rows_put(&rows, 0, x0, x1, true);
            for (int32_t x = 0; x < 200; x++) {
                cr_assert_eq(bit_rows_get(&rows, x, 0), x >= x0 && x < x1);
            }
        }
    }
}

Test(bit_rows, cells_become_bits_and_bits_cells) {
    loam_arena arena = arena_of(1 << 16);
    uint8_t bytes[70 * 3], back[70 * 3];
    cell_grid cells = {70, 3, bytes}, again = {70, 3, back};
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = mix64(i) % 2 == 0 ? 0 : 5;
    }
    bit_rows rows;
    cr_assert_eq(bit_rows_take(70, 3, &arena, &rows, NULL), LOAM_OK);
    bit_rows_of_cells(&cells, &rows);
    bit_rows_to_cells(&rows, 5, &again);
    cr_assert_arr_eq(bytes, back, sizeof bytes);
}

Test(bit_rows, a_full_arena_is_noted) {
    loam_arena arena = arena_of(1 << 10);
    loam_error error = {0};
    bit_rows rows;
    cr_assert_eq(bit_rows_take(1024, 1024, &arena, &rows, &error), LOAM_ARENA_FULL);
    cr_assert_eq(error.status, LOAM_ARENA_FULL);
}
