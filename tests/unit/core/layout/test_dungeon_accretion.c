/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_accretion.c: rooms that grow out of each other: one region, walls between, corridors
 * as often as asked, loops exact, at the limits of sizes.
 */
#include "tests/support/rooms_check.h"

#include <criterion/criterion.h>

enum { RUN_BYTES = 64 << 20 };

static layout_run run;

static void init(void) {
    layout_run_init(&run, RUN_BYTES);
}

TestSuite(dungeon_accretion, .init = init);

static loam_status make(const char *params, uint64_t seed) {
    return layout_run_make(&run, &dungeon_accretion_recipe, &dungeon_accretion_code, params, seed);
}

static void expect_whole(const char *params, uint64_t seed) {
    cr_assert_eq(make(params, seed), LOAM_OK, "%s: %s", params, run.error.text);
    const char *wrong = rooms_check(&run, 1);
    cr_assert_null(wrong, "%s seed %llu: %s\n%s", params, (unsigned long long)seed, wrong,
                   layout_run_text(&run));
    cr_assert_eq(layout_run_regions(&run), 1, "%s seed %llu\n%s", params, (unsigned long long)seed,
                 layout_run_text(&run));
}

Test(dungeon_accretion, twenty_rooms_hang_together) {
    uint32_t rooms = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        expect_whole("{}", seed);
        rooms += run.layout.room_count;
        cr_assert_eq(run.layout.rooms_wanted, 20);
        cr_assert_geq(run.layout.edge_count, run.layout.room_count - 1);
    }
    cr_expect_gt(rooms, 200 * 18, "%u rooms", rooms);
}

Test(dungeon_accretion, corridors_are_as_often_as_asked) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        expect_whole("{\"corridor_chance_percent\":0,\"loops_percent\":0}", seed);
        for (uint32_t i = 0; i < run.layout.corridor_count; i++) {
            cr_assert_eq(run.layout.corridors[i].path_count, 1, "wall to wall");
        }
        expect_whole("{\"corridor_chance_percent\":100,\"loops_percent\":0,\"width\":96}", seed);
        for (uint32_t i = 0; i < run.layout.corridor_count; i++) {
            cr_assert_geq(run.layout.corridors[i].path_count, 3);
        }
    }
}

Test(dungeon_accretion, the_least_sizes_and_own_templates_work) {
    static const char own[] = "{\"rooms\":30,\"width\":40,\"templates\":\"###\n+.+\n###\n\n#+#\n"
                              "#.#\n#.#\n#+#\n\"}";
    for (uint64_t seed = 1; seed <= 40; seed++) {
        expect_whole("{\"width\":8,\"height\":8}", seed);
        expect_whole("{\"width\":200,\"height\":8,\"border\":2}", seed);
        expect_whole(own, seed);
    }
}

Test(dungeon_accretion, reserved_cells_are_floor) {
    static const loam_spot spots[] = {{5, 5}, {50, 40}};
    run.reserved = spots;
    run.reserved_count = 2;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        expect_whole("{}", seed);
        cell_grid cells = layout_run_cells(&run);
        cr_assert_eq(grid_get(&cells, 5, 5, 0), LOAM_CELL_FLOOR);
        cr_assert_eq(grid_get(&cells, 50, 40, 0), LOAM_CELL_FLOOR);
    }
}

Test(dungeon_accretion, templates_that_do_not_fit_are_refused) {
    cr_expect_eq(make("{\"width\":8,\"height\":8,\"templates\":\"##+#######\n#........#\n##########"
                      "\"}",
                      1),
                 LOAM_INFEASIBLE);
    cr_expect_str_eq(run.error.pointer, "/params/templates");
}
