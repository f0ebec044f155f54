/* SPDX-License-Identifier: MIT
 *
 * test_grid.c: cells and boxes at their edges.
 */
#include "core/grid/grid.h"

#include <criterion/criterion.h>

Test(grid, cells_outside_are_read_as_told_and_never_written) {
    uint8_t cells[6] = {0};
    cell_grid grid = {3, 2, cells};
    grid_set(&grid, 2, 1, 7);
    grid_set(&grid, 3, 1, 9);
    grid_set(&grid, -1, 1, 9);
    grid_set(&grid, 0, 2, 9);
    cr_expect_eq(grid_get(&grid, 2, 1, 5), 7);
    cr_expect_eq(grid_get(&grid, 3, 1, 5), 5);
    for (size_t i = 0; i < 5; i++) {
        cr_expect_eq(cells[i], 0);
    }
}

Test(grid, a_box_is_filled_as_far_as_the_grid_goes) {
    uint8_t cells[12] = {0};
    cell_grid grid = {4, 3, cells};
    grid_fill(&grid, (loam_box){2, -5, 100, 7}, 1);
    static const uint8_t want[12] = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0};
    cr_expect_arr_eq(cells, want, sizeof want);
    grid_fill(&grid, (loam_box){4, 0, 3, 3}, 2);
    grid_fill(&grid, (loam_box){0, 3, 3, 3}, 2);
    cr_expect_arr_eq(cells, want, sizeof want);
}

Test(grid, boxes_that_touch_do_not_meet) {
    loam_box a = {0, 0, 3, 3};
    cr_expect(box_meets(a, (loam_box){2, 2, 1, 1}));
    cr_expect_not(box_meets(a, (loam_box){3, 0, 3, 3}));
    cr_expect(box_meets(box_grown(a, 1), (loam_box){3, 0, 3, 3}));
    cr_expect_eq(box_center2((loam_box){3, 4, 8, 6}).x, 14);
    cr_expect_eq(box_center2((loam_box){3, 4, 8, 6}).y, 14);
}

Test(grid, four_steps_round_come_back) {
    loam_spot at = {5, 5};
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        loam_spot there = spot_step(at, way);
        cr_expect_neq(there.x + 100 * there.y, 505);
        loam_spot back = spot_step(there, (way + 2) & 3);
        cr_expect_eq(back.x, 5);
        cr_expect_eq(back.y, 5);
    }
}
