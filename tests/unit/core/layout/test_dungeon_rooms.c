/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_rooms.c: rooms and corridors over many seeds and at the limits of parameters: always
 * one region, exact loops, doors by the rules, the same bytes for the same seed.
 */
#include "core/base/mix.h"
#include "core/grid/links.h"
#include "tests/support/forest.h"
#include "tests/support/rooms_check.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { RUN_BYTES = 64 << 20 };

static layout_run run;

static void init(void) {
    layout_run_init(&run, RUN_BYTES);
}

TestSuite(dungeon_rooms, .init = init);

static loam_status make(const char *params, uint64_t seed) {
    return layout_run_make(&run, &dungeon_rooms_recipe, &dungeon_rooms_code, params, seed);
}

static void expect_whole(const char *params, uint64_t seed, int32_t gap) {
    cr_assert_eq(make(params, seed), LOAM_OK, "%s: %s", params, run.error.text);
    const char *wrong = rooms_check(&run, gap);
    cr_assert_null(wrong, "%s seed %llu: %s\n%s", params, (unsigned long long)seed, wrong,
                   layout_run_text(&run));
    cr_assert_eq(layout_run_regions(&run), 1, "%s seed %llu\n%s", params, (unsigned long long)seed,
                 layout_run_text(&run));
}

/* Links of the triangulation of the rooms that are not in a tree. */
static uint32_t other_links(void) {
    loam_arena arena = arena_of(1 << 20);
    loam_spot centers[64];
    link_list list;
    for (uint32_t i = 0; i < run.layout.room_count; i++) {
        centers[i] = box_center2(run.layout.rooms[i].box);
    }
    cr_assert_eq(links_triangulate(centers, run.layout.room_count, &arena, &list, &run.error), 0);
    return list.count - (run.layout.room_count - 1);
}

static uint32_t count_role(loam_edge_role role) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run.layout.edge_count; i++) {
        count += run.layout.edges[i].role == role;
    }
    return count;
}

Test(dungeon_rooms, by_default_twelve_rooms_a_tree_and_15_percent_of_the_rest) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        expect_whole("{}", seed, 2);
        cr_assert_null(run.call.fault.word, "%s", run.call.fault.text);
        cr_assert_eq(run.layout.room_count, 12);
        cr_assert_eq(run.layout.rooms_wanted, 12);
        cr_assert_eq(count_role(LOAM_EDGE_TREE), 11);
        cr_assert_eq(count_role(LOAM_EDGE_LOOP), other_links() * 15 / 100);
        cr_assert_gt(run.layout.door_count, 0);
    }
}

Test(dungeon_rooms, every_style_and_width_is_one_region_with_legal_doors) {
    static const char *const styles[] = {"straight", "l", "z", "astar", "diagonal", "mixed"};
    for (size_t style = 0; style < sizeof styles / sizeof *styles; style++) {
        for (int width = 1; width <= 9; width += width < 3 ? 1 : 3) {
            char params[160];
            snprintf(params, sizeof params,
                     "{\"rooms\":16,\"room_min\":9,\"corridor_style\":\"%s\",\"corridor_width\":%d,"
                     "\"height\":90}",
                     styles[style], width);
            for (uint64_t seed = 1; seed <= 12; seed++) {
                expect_whole(params, seed, 2);
            }
        }
    }
}

Test(dungeon_rooms, packed_rooms_hang_together_whatever_the_gap) {
    for (uint64_t seed = 1; seed <= 25; seed++) {
        expect_whole("{\"rooms\":100,\"room_min\":3,\"room_max\":6,\"gap\":1}", seed, 1);
        expect_whole("{\"rooms\":100,\"room_min\":3,\"room_max\":6,\"gap\":2}", seed, 2);
        expect_whole("{\"rooms\":60,\"room_min\":5,\"room_max\":6,\"corridor_width\":3}", seed, 2);
        expect_whole("{\"rooms\":40,\"gap\":16,\"width\":128}", seed, 16);
    }
}

Test(dungeon_rooms, the_least_and_oddest_sizes_work) {
    for (uint64_t seed = 1; seed <= 25; seed++) {
        expect_whole("{\"width\":8,\"height\":8}", seed, 2);
        expect_whole("{\"width\":8,\"height\":8,\"border\":0,\"room_min\":3,\"rooms\":4}", seed, 2);
        expect_whole("{\"width\":200,\"height\":8,\"room_min\":3}", seed, 2);
        expect_whole("{\"width\":11,\"height\":120,\"border\":3,\"corridor_width\":5}", seed, 2);
        expect_whole("{\"rooms\":1}", seed, 2);
    }
}

Test(dungeon_rooms, separation_pushes_rooms_apart) {
    for (uint64_t seed = 1; seed <= 25; seed++) {
        expect_whole("{\"placement\":\"separation\",\"rooms\":14,\"width\":96}", seed, 2);
        cr_assert_gt(run.layout.room_count, 5);
    }
}

/* As many as could have room push each other, and no more: else this takes seconds. */
Test(dungeon_rooms, separation_takes_no_part_in_rooms_that_cannot_fit) {
    const char *many = "{\"placement\":\"separation\",\"rooms\":4096,\"room_min\":3,"
                       "\"room_max\":5,\"gap\":1,\"width\":48,\"height\":32}";
    const char *bound = "{\"placement\":\"separation\",\"rooms\":77,\"room_min\":3,"
                        "\"room_max\":5,\"gap\":1,\"width\":48,\"height\":32}";
    for (uint64_t seed = 0; seed < 8; seed++) {
        expect_whole(many, seed, 1);
        uint64_t steps = run.call.steps;
        expect_whole(bound, seed, 1);
        cr_expect_eq(run.call.steps, steps);
    }
}

Test(dungeon_rooms, reserved_cells_are_floor) {
    static const loam_spot near[] = {{30, 30}, {32, 31}}, far[] = {{1, 1}, {62, 62}};
    static const loam_spot tight[] = {{20, 20}, {25, 20}};
    static const loam_spot *const sets[] = {near, far, tight};
    for (size_t i = 0; i < 3; i++) {
        run.reserved = sets[i];
        run.reserved_count = 2;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            expect_whole("{}", seed, 2);
            cell_grid cells = layout_run_cells(&run);
            for (uint32_t k = 0; k < 2; k++) {
                loam_spot at = sets[i][k];
                cr_assert_eq(grid_get(&cells, at.x, at.y, 0), LOAM_CELL_FLOOR);
            }
        }
    }
}

static uint64_t digest(void) {
    cell_grid cells = layout_run_cells(&run);
    uint64_t sum = mix_bytes(run.layout.door_count, cells.cells, grid_count(&cells));
    for (uint32_t i = 0; i < run.layout.corridor_count; i++) {
        const loam_corridor *corridor = &run.layout.corridors[i];
        sum = mix_bytes(sum, corridor->path, corridor->path_count * sizeof *corridor->path);
    }
    return sum;
}

Test(dungeon_rooms, a_seed_gives_the_same_bytes_and_all_64_bits_of_it_matter) {
    static const uint64_t seeds[] = {0,         1, 2, (uint64_t)1 << 32, ((uint64_t)1 << 32) + 1,
                                     UINT64_MAX};
    uint64_t digests[6];
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(make("{}", seeds[i]), LOAM_OK);
        digests[i] = digest();
        for (size_t j = 0; j < i; j++) {
            cr_expect_neq(digests[j], digests[i]);
        }
    }
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(make("{}", seeds[i]), LOAM_OK);
        cr_expect_eq(digest(), digests[i]);
    }
}

static loam_status feasible(const char *params) {
    cr_assert_eq(make(params, 1), LOAM_OK, "%s", run.error.text);
    run.error = (loam_error){0};
    return dungeon_rooms_code.feasible(run.call.params, run.call.size, &run.error);
}

Test(dungeon_rooms, more_rooms_than_fit_are_told_with_their_bound) {
    cr_expect_eq(feasible("{\"rooms\":100,\"room_min\":8,\"room_max\":8}"), LOAM_INFEASIBLE);
    cr_expect_str_eq(run.error.pointer, "/params/rooms");
    cr_expect_not_null(strstr(run.error.text, "at most 36 rooms"), "%s", run.error.text);
    cr_expect_eq(feasible("{\"rooms\":37,\"room_min\":8,\"room_max\":8}"), LOAM_INFEASIBLE);
    cr_expect_eq(feasible("{\"rooms\":36,\"room_min\":8,\"room_max\":8}"), LOAM_OK);
}

Test(dungeon_rooms, a_shortfall_is_told_by_what_was_wanted) {
    expect_whole("{\"rooms\":100,\"room_min\":8,\"room_max\":8}", 1, 2);
    cr_expect_lt(run.layout.room_count, 37);
    cr_expect_eq(run.layout.rooms_wanted, 100);
    cr_expect_null(run.call.fault.word);
}

static void expect_refused(const char *params, loam_status status, const char *pointer) {
    cr_expect_eq(make(params, 1), status, "%s: %s", params, run.error.text);
    cr_expect_str_eq(run.error.pointer, pointer, "%s", params);
}

Test(dungeon_rooms, parameters_that_contradict_each_other_name_their_place) {
    expect_refused("{\"room_min\":13}", LOAM_OUT_OF_RANGE, "/params/room_min");
    expect_refused("{\"room_min\":2}", LOAM_OUT_OF_RANGE, "/params/room_min");
    expect_refused("{\"corridor_width\":6}", LOAM_OUT_OF_RANGE, "/params/corridor_width");
    expect_refused("{\"corridor_width\":10}", LOAM_OUT_OF_RANGE, "/params/corridor_width");
    expect_refused("{\"width\":10,\"border\":3}", LOAM_INFEASIBLE, "/params/room_min");
    expect_refused("{\"gap\":0}", LOAM_OUT_OF_RANGE, "/params/gap");
    expect_refused("{\"corridor_style\":\"round\"}", LOAM_OUT_OF_RANGE, "/params/corridor_style");
    expect_refused("{\"roms\":1}", LOAM_UNKNOWN_FIELD, "/params/roms");
}

Test(dungeon_rooms, an_attempt_without_a_way_says_so_and_is_one_region_all_the_same) {
    static const char params[] = "{\"rooms\":40,\"width\":60,\"height\":9,\"gap\":1,"
                                 "\"templates\":\"templates.default/1\"}";
    uint32_t apart = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        cr_assert_eq(make(params, seed), LOAM_OK);
        cr_assert_eq(layout_run_regions(&run), 1, "seed %llu", (unsigned long long)seed);
        apart += run.call.fault.word != NULL && strcmp(run.call.fault.word, "no-path") == 0;
    }
    cr_expect_gt(apart, 0, "no seed shows it");
}

Test(dungeon_rooms, work_can_be_cancelled) {
    static const int yes = 1;
    run.cancel = &yes;
    cr_expect_eq(make("{}", 1), LOAM_CANCELLED);
}

Test(dungeon_rooms, rooms_of_templates_are_as_they_are_drawn) {
    static const char params[] =
        "{\"rooms\":8,\"templates\":{\"templates\":[{\"name\":\"cell\",\"rows\":[\"##+##\","
        "\"#...#\",\"#.#.#\",\"#...#\",\"#####\"],\"rotate\":false},{\"name\":\"hall\",\"kind\":"
        "\"boss\",\"rows\":[\"######\",\"+....+\",\"######\"],\"max\":1}]}}";
    for (uint64_t seed = 1; seed <= 40; seed++) {
        expect_whole(params, seed, 2);
        cr_assert_eq(run.layout.room_count, 8);
        cr_assert_eq(run.layout.rooms[0].kind, LOAM_ROOM_BOSS);
        cr_assert(box_has(run.layout.rooms[0].box, run.layout.exit.x, run.layout.exit.y));
        cr_assert_eq(run.layout.entrance.x, -1);
        cell_grid cells = layout_run_cells(&run);
        for (uint32_t i = 1; i < 8; i++) {
            loam_box box = run.layout.rooms[i].box;
            cr_assert(loam_text_equal(run.layout.rooms[i].name, loam_text_of("cell")));
            cr_assert_eq(box.width * box.height, 9);
            cr_assert_eq(grid_get(&cells, box.x + 1, box.y + 1, 9), LOAM_CELL_WALL);
            cr_assert_eq(grid_get(&cells, box.x - 1, box.y + 1, 9), LOAM_CELL_WALL,
                         "there is no gate at the west");
        }
    }
}

Test(dungeon_rooms, built_in_templates_work_for_corridors_of_one_to_three) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        expect_whole("{\"templates\":\"templates.default/1\"}", seed, 2);
        expect_whole("{\"templates\":\"templates.default/1\",\"corridor_width\":3}", seed, 2);
    }
    expect_refused("{\"templates\":\"templates.default/1\",\"corridor_width\":9}", LOAM_INFEASIBLE,
                   "/params/templates");
}

/* ---- Dead ends ----------------------------------------------------------------------------- */

static bool is_in_a_room(int32_t x, int32_t y) {
    for (uint32_t i = 0; i < run.layout.room_count; i++) {
        if (box_has(run.layout.rooms[i].box, x, y)) {
            return true;
        }
    }
    return false;
}

static uint32_t count_ends(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run.layout.junction_count; i++) {
        const loam_junction *junction = &run.layout.junctions[i];
        count +=
            junction->kind == LOAM_JUNCTION_END && !is_in_a_room(junction->at.x, junction->at.y);
    }
    return count;
}

/* Cells outside rooms that one can leave by one way alone. */
static uint32_t count_end_cells(void) {
    cell_grid cells = layout_run_cells(&run);
    uint32_t count = 0;
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            bool corridor = grid_get(&cells, x, y, 0) != LOAM_CELL_WALL && !is_in_a_room(x, y);
            uint32_t ways = 0;
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                loam_spot next = spot_step((loam_spot){x, y}, way);
                ways += grid_get(&cells, next.x, next.y, LOAM_CELL_WALL) != LOAM_CELL_WALL;
            }
            count += corridor && ways < 2;
        }
    }
    return count;
}

/* Crowded rooms: the last ways out turn round in front of their gates. `%d` is what is kept. */
static const char *const crowded[] = {
    "{\"rooms\":60,\"room_min\":3,\"room_max\":6,\"gap\":1,\"width\":50,\"height\":60,\"loops_"
    "percent\":60,"
    "\"templates\":\"templates.default/1\",\"dead_end_keep_percent\":%d}",
    "{\"rooms\":40,\"room_min\":4,\"room_max\":4,\"gap\":2,\"width\":40,\"height\":30,\"corridor_"
    "width\":3,"
    "\"dead_end_keep_percent\":%d}",
    "{\"rooms\":24,\"room_min\":7,\"room_max\":9,\"gap\":3,\"width\":90,\"height\":60,\"corridor_"
    "width\":7,"
    "\"corridor_style\":\"astar\",\"dead_end_keep_percent\":%d}",
};
enum { CROWDED = 3, KEPT = 4, CROWDED_CELLS = 90 * 60 };
static const int kept[KEPT] = {100, 60, 30, 0};

static void make_crowded(uint32_t which, int keep, uint64_t seed) {
    char params[300];
    snprintf(params, sizeof params, crowded[which], keep);
    expect_whole(params, seed, 1);
}

/* Less is kept, so no cell is open that was not: only gaps are closed elsewhere. */
static void expect_fewer(const uint8_t *before, uint64_t seed) {
    cell_grid cells = layout_run_cells(&run);
    for (size_t i = 0; i < grid_count(&cells); i++) {
        cr_assert(before[i] != LOAM_CELL_WALL || cells.cells[i] == LOAM_CELL_WALL, "seed %llu\n%s",
                  (unsigned long long)seed, layout_run_text(&run));
    }
}

Test(dungeon_rooms, dead_ends_of_corridors_are_kept_by_an_exact_share) {
    static uint8_t before[CROWDED_CELLS];
    for (uint32_t which = 0; which < CROWDED; which++) {
        uint32_t all = 0;
        for (uint64_t seed = 0; seed < 150; seed++) {
            make_crowded(which, 100, seed);
            uint32_t ends = count_ends();
            all += ends;
            for (uint32_t i = 0; i < KEPT && ends > 0; i++) {
                make_crowded(which, kept[i], seed);
                cr_assert_eq(count_ends(), ends * (uint32_t)kept[i] / 100);
                if (i > 0) {
                    expect_fewer(before, seed);
                }
                memcpy(before, run.layout.cells,
                       (size_t)run.layout.width * (size_t)run.layout.height);
            }
        }
        cr_expect_gt(all, 0, "no seed has a dead end: %s", crowded[which]);
    }
}

Test(dungeon_rooms, without_dead_ends_every_cell_of_a_corridor_leads_on) {
    uint32_t before = 0;
    for (uint32_t which = 0; which < CROWDED; which++) {
        for (uint64_t seed = 0; seed < 150; seed++) {
            make_crowded(which, 100, seed);
            before += count_end_cells();
            make_crowded(which, 0, seed);
            cr_assert_eq(count_end_cells(), 0, "seed %llu\n%s", (unsigned long long)seed,
                         layout_run_text(&run));
        }
    }
    cr_expect_gt(before, 0, "no seed has a dead end to begin with");
}
