/* SPDX-License-Identifier: MIT
 *
 * test_maze.c: mazes as they are drawn: in one piece, without loops unless braided, corridors and
 * walls as wide as asked.
 */
#include "tests/support/layout_run.h"

#include <criterion/criterion.h>

#include <stdio.h>

enum { RUN_BYTES = 64 << 20 };

static const char *const algorithms[] = {"backtracker", "growing", "prim", "division"};

static loam_status make(layout_run *run, const char *params, uint64_t seed) {
    return layout_run_make(run, &maze_recipe, &maze_code, params, seed);
}

/* Loops of a maze of corridors of one cell: sides between open cells, less a tree's. */
static uint32_t count_loops(const layout_run *run) {
    cell_grid cells = layout_run_cells(run);
    uint32_t sides = 0;
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            bool open = grid_get(&cells, x, y, 0) != 0;
            sides += open && grid_get(&cells, x + 1, y, 0) != 0;
            sides += open && grid_get(&cells, x, y + 1, 0) != 0;
        }
    }
    return sides + 1 - layout_run_open(run);
}

Test(maze, is_one_piece_without_loops) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        char text[256];
        snprintf(text, sizeof text, "{\"width\": 61, \"height\": 43, \"algorithm\": \"%s\"}",
                 algorithms[seed % 4]);
        cr_assert_eq(make(&run, text, seed), LOAM_OK);
        cr_assert_eq(layout_run_regions(&run), 1);
        cr_assert_eq(count_loops(&run), 0);
        /* 30 x 21 places and the ways between them. */
        cr_assert_eq(layout_run_open(&run), 30 * 21 * 2 - 1);
        cr_assert(layout_run_has_ends(&run));
    }
}

Test(maze, braided_has_loops_and_no_dead_end) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{\"width\": 61, \"height\": 43, \"braid_percent\": 100}", 3), LOAM_OK);
    cell_grid cells = layout_run_cells(&run);
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            uint32_t sides = 0;
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                loam_spot to = spot_step((loam_spot){x, y}, way);
                sides += grid_get(&cells, to.x, to.y, 0) != 0;
            }
            cr_assert(grid_get(&cells, x, y, 0) == 0 || sides > 1);
        }
    }
    cr_assert_gt(count_loops(&run), 0);
}

/* Runs of open cells along a row: corridors of 3, or longer ones that go along it. */
Test(maze, draws_corridors_and_walls_as_wide_as_asked) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(
        make(&run, "{\"width\": 64, \"height\": 64, \"corridor_width\": 3, \"wall_width\": 2}", 6),
        LOAM_OK);
    cell_grid cells = layout_run_cells(&run);
    cr_assert_eq(layout_run_regions(&run), 1);
    for (int32_t y = 0; y < cells.height; y++) {
        int32_t length = 0;
        for (int32_t x = 0; x <= cells.width; x++) {
            if (grid_get(&cells, x, y, 0) != 0) {
                length++;
            } else if (length > 0) {
                cr_assert(length % 5 == 3, "a run of %d", length);
                length = 0;
            }
        }
    }
}

Test(maze, of_two_places_is_the_least) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run,
                      "{\"width\": 8, \"height\": 8, \"border\": 2, \"corridor_width\": 1, "
                      "\"wall_width\": 2}",
                      1),
                 LOAM_OK);
    cr_assert(layout_run_has_ends(&run));
    cr_assert_eq(make(&run, "{\"width\": 8, \"height\": 8, \"corridor_width\": 4}", 1),
                 LOAM_INFEASIBLE);
    cr_assert_str_eq(run.error.pointer, "/params/corridor_width");
    cr_assert_not_null(strstr(run.error.text, "1 x 1"));
}

Test(maze, stairs_between_corridors_are_reached) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    for (int32_t x = 1; x < 20; x++) {
        const loam_spot stairs = {x, 30};
        run.reserved = &stairs;
        run.reserved_count = 1;
        cr_assert_eq(make(&run, "{\"wall_width\": 5}", 2), LOAM_OK);
        cell_grid cells = layout_run_cells(&run);
        cr_assert_eq(grid_get(&cells, x, 30, 0), LOAM_CELL_FLOOR);
        cr_assert_eq(layout_run_regions(&run), 1);
    }
}

Test(maze, is_a_function_of_its_seed) {
    static layout_run run;
    static uint8_t first[64 * 64];
    layout_run_init(&run, RUN_BYTES);
    for (size_t i = 0; i < 4; i++) {
        char text[64];
        snprintf(text, sizeof text, "{\"algorithm\": \"%s\"}", algorithms[i]);
        cr_assert_eq(make(&run, text, 9), LOAM_OK);
        memcpy(first, run.layout.cells, sizeof first);
        cr_assert_eq(make(&run, text, 9), LOAM_OK);
        cr_assert_arr_eq(first, run.layout.cells, sizeof first);
        cr_assert_eq(make(&run, text, 10), LOAM_OK);
        cr_assert_neq(memcmp(first, run.layout.cells, sizeof first), 0);
    }
}
