/* SPDX-License-Identifier: MIT
 *
 * test_cave_cellular.c: caves in one piece, windows that are the same part of the whole, and what
 * cannot be asked for.
 */
#include "tests/support/dungeon_text.h"
#include "tests/support/layout_run.h"

#include <criterion/criterion.h>

#include <stdio.h>

enum { RUN_BYTES = 64 << 20 };

static loam_status make(layout_run *run, const char *params, uint64_t seed) {
    return layout_run_make(run, &cave_cellular_recipe, &cave_cellular_code, params, seed);
}

Test(cave_cellular, at_45_percent_of_rock_every_seed_gives_one_region) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        cr_assert_eq(make(&run, "{\"wall_percent\": 45}", seed), LOAM_OK);
        cr_assert_null(run.call.fault.word, "seed %u: %s", (unsigned)seed, run.call.fault.text);
        cr_assert_eq(layout_run_regions(&run), 1, "seed %u", (unsigned)seed);
        cr_assert(layout_run_has_ends(&run));
    }
}

Test(cave_cellular, keeps_its_border_and_its_share_of_floor) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{\"width\": 200, \"height\": 100, \"border\": 2}", 5), LOAM_OK);
    cell_grid cells = layout_run_cells(&run);
    for (int32_t y = 0; y < 100; y++) {
        for (int32_t x = 0; x < 200; x++) {
            bool inside = box_has((loam_box){2, 2, 196, 96}, x, y);
            cr_assert(inside || cells.cells[grid_index(&cells, x, y)] == LOAM_CELL_WALL);
        }
    }
    uint32_t open = layout_run_open(&run);
    cr_expect(open > 8000 && open < 14000, "%u", open);
}

Test(cave_cellular, any_window_is_the_same_part_of_the_whole) {
    static layout_run whole, part;
    layout_run_init(&whole, RUN_BYTES);
    layout_run_init(&part, RUN_BYTES);
    const int32_t windows[][4] = {{0, 0, 150, 90}, {0, 0, 1, 1},     {17, 30, 70, 5},
                                  {149, 89, 1, 1}, {60, 0, 64, 64},  {63, 25, 65, 65},
                                  {3, 3, 10, 80},  {100, 50, 50, 40}};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"width\": 150, \"height\": 90, \"connect\": \"none\", \"min_region\": 0, "
                 "\"rounds\": %u}",
                 (unsigned)seed * 2);
        cr_assert_eq(make(&whole, text, seed), LOAM_OK);
        cell_grid all = layout_run_cells(&whole);
        for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
            const int32_t *w = windows[i];
            snprintf(text, sizeof text,
                     "{\"width\": 150, \"height\": 90, \"connect\": \"none\", \"min_region\": 0, "
                     "\"rounds\": %u, \"window\": {\"x\": %d, \"y\": %d, \"width\": %d, "
                     "\"height\": %d}}",
                     (unsigned)seed * 2, w[0], w[1], w[2], w[3]);
            cr_assert_eq(make(&part, text, seed), LOAM_OK);
            cell_grid cells = layout_run_cells(&part);
            cr_assert(cells.width == w[2] && cells.height == w[3]);
            for (int32_t y = 0; y < w[3]; y++) {
                cr_assert_arr_eq(&cells.cells[grid_index(&cells, 0, y)],
                                 &all.cells[grid_index(&all, w[0], w[1] + y)], (size_t)w[2]);
            }
        }
    }
}

Test(cave_cellular, regions_below_the_least_area_are_filled) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    const char *kept = "{\"width\": 128, \"height\": 128, \"connect\": \"none\", \"wall_percent\": "
                       "52, \"min_region\": 0}";
    const char *filled = "{\"width\": 128, \"height\": 128, \"connect\": \"none\", "
                         "\"wall_percent\": 52, \"min_region\": 40}";
    cr_assert_eq(make(&run, kept, 3), LOAM_OK);
    uint32_t all = layout_run_regions(&run);
    cr_assert_eq(make(&run, filled, 3), LOAM_OK);
    cr_expect(layout_run_regions(&run) > 1 && layout_run_regions(&run) < all);
    cr_assert(cave_cellular_code.apart(run.call.params));
}

Test(cave_cellular, stairs_are_open_and_reached) {
    static layout_run run;
    const loam_spot stairs[] = {{1, 1}, {46, 30}, {20, 17}};
    layout_run_init(&run, RUN_BYTES);
    run.reserved = stairs;
    run.reserved_count = 3;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const char *params = seed % 2 == 0
                                 ? "{\"width\": 48, \"height\": 32}"
                                 : "{\"width\": 48, \"height\": 32, \"wall_percent\": 90}";
        cr_assert_eq(make(&run, params, seed), LOAM_OK);
        cell_grid cells = layout_run_cells(&run);
        cr_assert_eq(layout_run_regions(&run), 1);
        for (size_t i = 0; i < 3; i++) {
            cr_assert_neq(grid_get(&cells, stairs[i].x, stairs[i].y, 0), LOAM_CELL_WALL);
        }
    }
}

Test(cave_cellular, rounds_that_leave_rock_alone_are_a_failed_attempt_that_says_so) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{\"wall_percent\": 95}", 1), LOAM_OK);
    cr_assert_str_eq(run.call.fault.word, "no-floor");
    cr_assert_eq(run.layout.entrance.x, -1);
}

Test(cave_cellular, rock_alone_from_the_first_is_refused_with_its_bound) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{\"wall_percent\": 100}", 1), LOAM_INFEASIBLE);
    cr_assert_str_eq(run.error.pointer, "/params/wall_percent");
    cr_assert_not_null(strstr(run.error.text, "at most 99"), "%s", run.error.text);
    const loam_spot stairs = {20, 20};
    run.reserved = &stairs;
    run.reserved_count = 1;
    cr_assert_eq(make(&run, "{\"wall_percent\": 100, \"floors\": 2}", 1), LOAM_OK);
    cr_assert_eq(layout_run_open(&run), 9, "stairs stand in an open patch");
}

static void build(dungeon_made *made, const char *params, uint64_t seed, loam_policy policy) {
    dungeon_build_text(made, (dungeon_text){"cave.cellular", seed, params, policy});
}

Test(cave_cellular, what_no_attempt_gives_is_a_cave_of_fewer_rounds_where_less_will_do) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        char params[96];
        dungeon_made made;
        snprintf(params, sizeof params, "{\"width\": 48, \"height\": 32, \"wall_percent\": %d}",
                 85 + (int)seed % 15);
        build(&made, params, seed, LOAM_POLICY_DEGRADED);
        cr_assert_eq(made.status, LOAM_OK, "%s: %s", params, made.error.text);
        const loam_dungeon_floor *floor = &made.dungeon.floors[0];
        const loam_attempt *chosen = &floor->attempts[floor->chosen];
        cr_assert_eq(made.dungeon.status, LOAM_DUNGEON_DEGRADED);
        cr_assert_eq(floor->metrics.regions, 1);
        cr_assert_gt(floor->metrics.path_steps, 0);
        cr_assert(loam_text_equal(chosen->reasons[0].code, loam_text_of("no-floor")));
        cr_assert_neq(chosen->reasons[0].text.size, 0);
        dungeon_made_fini(&made);
    }
}

Test(cave_cellular, what_no_attempt_gives_is_refused_where_it_must_be_as_asked) {
    dungeon_made made;
    build(&made, "{\"wall_percent\": 95}", 1, LOAM_POLICY_STRICT);
    cr_assert_eq(made.status, LOAM_NOT_ACHIEVED);
    cr_assert_not_null(strstr(made.error.text, "no cell to walk on"), "%s", made.error.text);
    dungeon_made_fini(&made);
    build(&made, "{\"wall_percent\": 95, \"connect\": \"none\"}", 1, LOAM_POLICY_DEGRADED);
    cr_assert_eq(made.status, LOAM_NOT_ACHIEVED, "a window of it would be another cave");
    dungeon_made_fini(&made);
}

Test(cave_cellular, all_sizes_and_corners_of_parameters_are_made) {
    static layout_run run;
    layout_run_init(&run, (size_t)160 << 20);
    const char *corners[] = {
        "{\"width\": 8, \"height\": 8, \"border\": 3}",
        "{\"width\": 8, \"height\": 8, \"border\": 0, \"rounds\": 0, \"wall_percent\": 0}",
        "{\"width\": 2048, \"height\": 8, \"join_width\": 9}",
        "{\"width\": 8, \"height\": 2048, \"rounds\": 8, \"wall_percent\": 60}",
        "{\"width\": 512, \"height\": 512, \"rounds\": 0, \"min_region\": 0}"};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            cr_assert_eq(make(&run, corners[i], seed), LOAM_OK, "%s: %s", corners[i],
                         run.error.text);
            cr_assert(run.call.fault.word != NULL || layout_run_regions(&run) == 1);
        }
    }
}

Test(cave_cellular, a_window_needs_regions_apart_and_lies_inside) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    const char *window = "\"window\": {\"x\": 60, \"y\": 0, \"width\": 5, \"height\": 64}";
    char text[256];
    snprintf(text, sizeof text, "{%s}", window);
    cr_expect_eq(make(&run, text, 1), LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(run.error.pointer, "/params/window");
    snprintf(text, sizeof text, "{\"connect\": \"none\", \"min_region\": 0, %s}", window);
    cr_expect_eq(make(&run, text, 1), LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(run.error.pointer, "/params/window/width");
    snprintf(
        text, sizeof text,
        "{\"floors\": 2, \"connect\": \"none\", \"min_region\": 0, \"window\": {\"x\": 1, \"y\": "
        "0, \"width\": 5, \"height\": 5}}");
    cr_expect_eq(make(&run, text, 1), LOAM_OUT_OF_RANGE, "its stairs may lie outside");
    cr_expect_str_eq(run.error.pointer, "/params/floors");
    cr_expect_eq(make(&run, "{\"wall_percent\": 101}", 1), LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(run.error.pointer, "/params/wall_percent");
}

Test(cave_cellular, is_a_function_of_its_seed) {
    static layout_run run;
    static uint8_t first[64 * 64];
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{}", 9), LOAM_OK);
    memcpy(first, run.layout.cells, sizeof first);
    cr_assert_eq(make(&run, "{}", 9), LOAM_OK);
    cr_assert_arr_eq(first, run.layout.cells, sizeof first);
    cr_assert_eq(make(&run, "{}", 10), LOAM_OK);
    cr_assert_neq(memcmp(first, run.layout.cells, sizeof first), 0);
}

Test(cave_cellular, a_cancelled_attempt_ends) {
    static layout_run run;
    static const int cancel = 1;
    layout_run_init(&run, RUN_BYTES);
    run.cancel = &cancel;
    cr_assert_eq(make(&run, "{}", 9), LOAM_CANCELLED);
}
