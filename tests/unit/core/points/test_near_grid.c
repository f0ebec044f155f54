/* SPDX-License-Identifier: MIT
 *
 * test_near_grid.c: the nearest point by grid and by looking at all of them.
 */
#include "core/points/near_grid.h"

#include "core/base/mix.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>

enum { POINTS = 500 };

typedef struct grid_case {
    int32_t x[POINTS], z[POINTS];
    point_set set;
    near_grid grid;
    loam_arena arena;
} grid_case;

static void build(grid_case *test, uint32_t count, uint32_t width, uint32_t depth) {
    test->arena = arena_of(1 << 20);
    for (uint32_t i = 0; i < count; i++) {
        test->x[i] = (int32_t)(mix64(i + 1) % width);
        test->z[i] = (int32_t)(mix64(i + 7777) % depth);
    }
    test->set =
        (point_set){.count = count, .base_x = -3000, .base_z = 90000, .x = test->x, .z = test->z};
    cr_assert_eq(near_grid_build(&test->set, &test->arena, &test->grid), LOAM_OK);
}

static uint64_t by_looking_at_all(const grid_case *test, int64_t x, int64_t z, int64_t limit) {
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < test->set.count; i++) {
        int64_t dx = test->set.base_x + test->x[i] - x, dz = test->set.base_z + test->z[i] - z;
        uint64_t squared = (uint64_t)(dx * dx + dz * dz);
        bool near = squared < (uint64_t)(limit * limit);
        best = near && squared < best ? squared : best;
    }
    return best;
}

static void compare(grid_case *test, int64_t spread, int64_t limit) {
    uint64_t tests = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        int64_t x = test->set.base_x + (int64_t)(mix64(i + 31) % (uint64_t)spread) - spread / 3;
        int64_t z = test->set.base_z + (int64_t)(mix64(i + 99) % (uint64_t)spread) - spread / 3;
        cr_assert_eq(near_grid_find(&test->grid, x, z, limit, &tests),
                     by_looking_at_all(test, x, z, limit));
    }
    cr_expect(limit < 1000 || tests > 0);
}

Test(near_grid, agrees_with_looking_at_all_points) {
    static grid_case test;
    const uint32_t shapes[][2] = {{4000, 4000}, {4000, 1}, {1, 9000}, {30, 20}, {100000, 7}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const uint32_t counts[] = {1, 2, 37, POINTS};
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            build(&test, counts[c], shapes[i][0], shapes[i][1]);
            compare(&test, 10000, 100);
            compare(&test, 10000, 1 << 21);
        }
    }
}

Test(near_grid, no_points_have_no_nearest) {
    static grid_case test;
    uint64_t tests = 0;
    build(&test, 0, 1, 1);
    cr_expect_eq(near_grid_find(&test.grid, 0, 0, 1 << 20, &tests), UINT64_MAX);
}

Test(near_grid, a_point_exactly_at_the_limit_is_not_nearer) {
    static grid_case test;
    uint64_t tests = 0;
    build(&test, 1, 1, 1);
    cr_expect_eq(near_grid_find(&test.grid, -3000 + 30, 90040, 50, &tests), UINT64_MAX);
    cr_expect_eq(near_grid_find(&test.grid, -3000 + 30, 90040, 51, &tests), 2500);
}
