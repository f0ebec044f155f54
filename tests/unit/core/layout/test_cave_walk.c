/* SPDX-License-Identifier: MIT
 *
 * test_cave_walk.c: walked caves have exactly the floor that was asked for, in one piece.
 */
#include "tests/support/layout_run.h"

#include <criterion/criterion.h>

#include <stdio.h>

enum { RUN_BYTES = 64 << 20 };

static loam_status make(layout_run *run, const char *params, uint64_t seed) {
    return layout_run_make(run, &cave_walk_recipe, &cave_walk_code, params, seed);
}

Test(cave_walk, digs_exactly_the_share_of_floor_in_one_piece) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    const uint32_t shares[] = {1, 10, 40, 75, 100};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        char text[256];
        uint32_t share = shares[seed % 5];
        snprintf(text, sizeof text,
                 "{\"width\": 60, \"height\": 42, \"floor_percent\": %u, \"momentum_percent\": %u, "
                 "\"walkers\": %u}",
                 share, (unsigned)(seed * 37 % 101), 1 + (unsigned)seed % 16);
        cr_assert_eq(make(&run, text, seed), LOAM_OK);
        cr_assert_null(run.call.fault.word);
        cr_assert_eq(layout_run_regions(&run), 1);
        cr_assert_eq(layout_run_open(&run), 58 * 40 * share / 100);
        cr_assert(layout_run_has_ends(&run));
    }
}

/* A walker that only goes straight on runs along the walls: the rest is dug ring by ring. */
Test(cave_walk, what_walkers_leave_is_dug_along_the_edge) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{\"floor_percent\": 95, \"momentum_percent\": 100}", 4), LOAM_OK);
    cr_assert_eq(layout_run_open(&run), 62 * 62 * 95 / 100);
    cr_assert_eq(layout_run_regions(&run), 1);
}

Test(cave_walk, the_least_cave_has_two_cells) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(
        make(&run, "{\"width\": 8, \"height\": 8, \"border\": 3, \"floor_percent\": 1}", 1),
        LOAM_OK);
    cr_assert_eq(layout_run_open(&run), 2);
    cr_assert(layout_run_has_ends(&run));
}

Test(cave_walk, stairs_are_open_and_reached) {
    static layout_run run;
    const loam_spot stairs[] = {{1, 1}, {62, 62}};
    layout_run_init(&run, RUN_BYTES);
    run.reserved = stairs;
    run.reserved_count = 2;
    cr_assert_eq(make(&run, "{\"floor_percent\": 5}", 2), LOAM_OK);
    cell_grid cells = layout_run_cells(&run);
    cr_assert_eq(layout_run_regions(&run), 1);
    cr_assert_eq(grid_get(&cells, 1, 1, 0), LOAM_CELL_FLOOR);
    cr_assert_eq(grid_get(&cells, 62, 62, 0), LOAM_CELL_FLOOR);
}

Test(cave_walk, is_a_function_of_its_seed_and_refuses_what_is_out_of_range) {
    static layout_run run;
    static uint8_t first[64 * 64];
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{}", 9), LOAM_OK);
    memcpy(first, run.layout.cells, sizeof first);
    cr_assert_eq(make(&run, "{}", 9), LOAM_OK);
    cr_assert_arr_eq(first, run.layout.cells, sizeof first);
    cr_expect_eq(make(&run, "{\"walkers\": 17}", 9), LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(run.error.pointer, "/params/walkers");
    cr_expect_eq(make(&run, "{\"floor_percent\": 0}", 9), LOAM_OUT_OF_RANGE);
}
