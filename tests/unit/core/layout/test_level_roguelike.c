/* SPDX-License-Identifier: MIT
 *
 * test_level_roguelike.c: levels with details: masks of walls, variants of floors, decorations in
 * rooms alone and as many as asked.
 */
#include "tests/support/rooms_check.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { RUN_BYTES = 64 << 20 };

static layout_run run;

static void init(void) {
    layout_run_init(&run, RUN_BYTES);
}

TestSuite(level_roguelike, .init = init);

static loam_status make(const char *params, uint64_t seed) {
    return layout_run_make(&run, &level_roguelike_recipe, &level_roguelike_code, params, seed);
}

static void expect_whole(const char *params, uint64_t seed, int32_t gap) {
    cr_assert_eq(make(params, seed), LOAM_OK, "%s: %s", params, run.error.text);
    const char *wrong = rooms_check(&run, gap);
    cr_assert_null(wrong, "%s seed %llu: %s", params, (unsigned long long)seed, wrong);
    cr_assert_eq(layout_run_regions(&run), 1, "%s seed %llu", params, (unsigned long long)seed);
}

static bool in_a_room(int32_t x, int32_t y) {
    for (uint32_t i = 0; i < run.layout.room_count; i++) {
        if (box_has(run.layout.rooms[i].box, x, y)) {
            return true;
        }
    }
    return false;
}

/* Cells of rooms that are decorated; details of all others are checked. */
static uint32_t count_decor(uint32_t first, uint32_t last, uint32_t variants, uint32_t *cells) {
    uint32_t count = 0;
    for (int32_t y = 0; y < run.layout.height; y++) {
        for (int32_t x = 0; x < run.layout.width; x++) {
            size_t at = (size_t)y * (size_t)run.layout.width + (size_t)x;
            uint8_t detail = run.layout.detail[at];
            if (run.layout.cells[at] == LOAM_CELL_WALL) {
                continue;
            }
            *cells += in_a_room(x, y);
            if (detail >= 100) {
                cr_assert(in_a_room(x, y) && detail >= first && detail <= last, "%u", detail);
                count++;
            } else {
                cr_assert(detail >= 1 && detail <= variants, "%u", detail);
            }
        }
    }
    return count;
}

Test(level_roguelike, is_one_region_in_every_style) {
    static const char *const styles[] = {"l", "straight", "diagonal"};
    for (uint64_t seed = 0; seed < 90; seed++) {
        char params[100];
        snprintf(params, sizeof params, "{\"corridor_style\":\"%s\",\"corridor_width\":%d}",
                 styles[seed % 3], 1 + (int)(seed % 4));
        expect_whole(params, seed, 3);
    }
}

Test(level_roguelike, walls_carry_the_mask_of_what_is_around_them) {
    static const int8_t dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    expect_whole("{}", 4, 3);
    cell_grid cells = layout_run_cells(&run);
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            uint32_t mask = 0;
            for (int i = 0; i < 8; i++) {
                mask += grid_get(&cells, x + dx[i], y + dy[i], 0) != 0 ? 1u << i : 0;
            }
            size_t at = grid_index(&cells, x, y);
            cr_assert(cells.cells[at] != 0 || run.layout.detail[at] == mask);
        }
    }
    expect_whole("{\"autotile\":false}", 4, 3);
    for (size_t i = 0; i < grid_count(&cells); i++) {
        cr_assert(run.layout.cells[i] != 0 || run.layout.detail[i] == 0);
    }
}

Test(level_roguelike, patterns_use_all_variants_and_plain_only_one) {
    static const char *const patterns[] = {"brick", "checker", "plank", "cobble", "plain"};
    for (size_t i = 0; i < 5; i++) {
        char params[100];
        snprintf(params, sizeof params, "{\"floor_pattern\":\"%s\",\"floor_variants\":3}",
                 patterns[i]);
        expect_whole(params, 9, 3);
        bool seen[256] = {false};
        uint32_t count = 0, cells = 0;
        cr_assert_eq(count_decor(0, 0, 3, &cells), 0);
        for (size_t k = 0; k < 64 * 64; k++) {
            uint8_t detail = run.layout.detail[k];
            count += run.layout.cells[k] != 0 && !seen[detail];
            seen[detail] |= run.layout.cells[k] != 0;
        }
        cr_expect_eq(count, i == 4 ? 1 : 3, "%s", patterns[i]);
    }
}

Test(level_roguelike, decorations_are_of_their_set_and_as_dense_as_asked) {
    uint32_t cells = 0, count = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        expect_whole("{\"decor_set\":\"pillars\",\"decor_density_permille\":100}", seed, 3);
        count += count_decor(100, 103, 4, &cells);
    }
    cr_expect(count * 1000 > cells * 90 && count * 1000 < cells * 110, "%u of %u", count, cells);
    expect_whole("{\"decor_set\":\"treasure\",\"decor_density_permille\":1000}", 1, 3);
    cells = 0;
    count = count_decor(104, 107, 4, &cells);
    cr_expect_eq(count, cells);
    expect_whole("{\"decor_set\":\"mixed\",\"decor_density_permille\":0}", 1, 3);
    cr_expect_eq(count_decor(0, 0, 4, &cells), 0);
}

Test(level_roguelike, padding_and_spacing_are_the_gap) {
    expect_whole("{\"padding\":0,\"spacing\":1,\"rooms\":40,\"room_max\":6}", 3, 1);
    expect_whole("{\"padding\":4,\"spacing\":8,\"width\":128}", 3, 16);
    cr_expect_eq(make("{\"room_min\":20}", 1), LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(run.error.pointer, "/params/room_min");
    cr_expect_eq(make("{\"corridor_width\":6}", 1), LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(run.error.pointer, "/params/corridor_width");
}
