/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_bsp.c: partitions: leaves tile the area, all rooms hang together, for a thousand
 * seeds and at the limits of parameters.
 */
#include "tests/support/rooms_check.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { RUN_BYTES = 64 << 20 };

static layout_run run;

static void init(void) {
    layout_run_init(&run, RUN_BYTES);
}

TestSuite(dungeon_bsp, .init = init);

static loam_status make(const char *params, uint64_t seed) {
    return layout_run_make(&run, &dungeon_bsp_recipe, &dungeon_bsp_code, params, seed);
}

/* Each cell is in one leaf. */
static bool leaves_tile(void) {
    static uint8_t seen[256 * 256];
    cell_grid grid = {run.layout.width, run.layout.height, seen};
    memset(seen, 0, sizeof seen);
    int64_t sum = 0;
    for (uint32_t i = 0; i < run.layout.leaf_count; i++) {
        grid_fill(&grid, run.layout.leaves[i], 1);
        sum += box_area(run.layout.leaves[i]);
    }
    size_t cells = grid_count(&grid);
    return sum == (int64_t)cells && memchr(seen, 0, cells) == NULL;
}

static void expect_whole(const char *params, uint64_t seed, int32_t gap) {
    cr_assert_eq(make(params, seed), LOAM_OK, "%s: %s", params, run.error.text);
    cr_assert_null(run.call.fault.word, "%s", run.call.fault.text);
    const char *wrong = rooms_check(&run, gap);
    cr_assert_null(wrong, "%s seed %llu: %s", params, (unsigned long long)seed, wrong);
    cr_assert_eq(layout_run_regions(&run), 1, "%s seed %llu\n%s", params, (unsigned long long)seed,
                 layout_run_text(&run));
    cr_assert(leaves_tile());
    cr_assert_eq(run.layout.leaf_count, run.layout.room_count);
    cr_assert_eq(run.layout.edge_count, run.layout.room_count - 1, "a tree");
}

Test(dungeon_bsp, a_thousand_seeds_tile_80_by_40_and_are_one_region) {
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        expect_whole("{\"width\":80,\"height\":40}", seed, 2);
        for (uint32_t i = 0; i < run.layout.leaf_count; i++) {
            loam_box leaf = run.layout.leaves[i], room = run.layout.rooms[i].box;
            cr_assert_geq(leaf.width, 8);
            cr_assert_geq(leaf.height, 8);
            loam_box common = box_common(leaf, room);
            cr_assert(common.width == room.width && common.height == room.height);
        }
    }
}

Test(dungeon_bsp, every_style_and_width_is_one_region) {
    static const char *const styles[] = {"straight", "l", "z", "astar", "diagonal", "mixed"};
    for (size_t style = 0; style < sizeof styles / sizeof *styles; style++) {
        for (int width = 1; width <= 9; width += 2) {
            char params[160];
            snprintf(params, sizeof params,
                     "{\"leaf_min\":15,\"corridor_style\":\"%s\",\"corridor_width\":%d,"
                     "\"width\":120,\"height\":70}",
                     styles[style], width);
            for (uint64_t seed = 1; seed <= 10; seed++) {
                expect_whole(params, seed, 2);
            }
        }
    }
}

Test(dungeon_bsp, the_least_and_oddest_sizes_work) {
    for (uint64_t seed = 1; seed <= 25; seed++) {
        expect_whole("{\"width\":8,\"height\":8}", seed, 2);
        expect_whole("{\"width\":8,\"height\":250}", seed, 2);
        expect_whole("{\"leaf_min\":5,\"room_margin_max\":1,\"split_jitter_percent\":100}", seed,
                     2);
        expect_whole("{\"leaf_min\":7,\"border\":3,\"split_jitter_percent\":0}", seed, 2);
        expect_whole("{\"leaf_min\":200}", seed, 2);
    }
}

Test(dungeon_bsp, reserved_cells_are_floor_even_at_the_edge_of_a_leaf) {
    for (int32_t i = 1; i < 63; i++) {
        loam_spot spots[] = {{i, 30}, {31, i}};
        run.reserved = spots;
        run.reserved_count = 2;
        expect_whole("{}", (uint64_t)i, 1);
        cell_grid cells = layout_run_cells(&run);
        cr_assert_eq(grid_get(&cells, i, 30, 0), LOAM_CELL_FLOOR);
        cr_assert_eq(grid_get(&cells, 31, i, 0), LOAM_CELL_FLOOR);
    }
}

static void expect_refused(const char *params, loam_status status, const char *pointer) {
    cr_expect_eq(make(params, 1), status, "%s: %s", params, run.error.text);
    cr_expect_str_eq(run.error.pointer, pointer, "%s", params);
}

Test(dungeon_bsp, leaves_too_small_for_their_corridors_are_refused) {
    expect_refused("{\"corridor_width\":3}", LOAM_OUT_OF_RANGE, "/params/leaf_min");
    expect_refused("{\"leaf_min\":6}", LOAM_OUT_OF_RANGE, "/params/leaf_min");
    expect_refused("{\"room_margin_max\":0}", LOAM_OUT_OF_RANGE, "/params/room_margin_max");
    expect_refused("{\"leaf_min\":30,\"corridor_width\":9,\"width\":12}", LOAM_INFEASIBLE,
                   "/params/width");
    cr_expect_eq(make("{\"leaf_min\":7}", 1), LOAM_OK, "the least that holds");
}
