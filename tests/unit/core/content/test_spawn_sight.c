/* SPDX-License-Identifier: MIT
 *
 * test_spawn_sight.c: lines of sight, which way an ambush watches, and closed walks.
 */
#include "core/content/spawn_places.h"
#include "core/grid/draw.h"
#include "tests/unit/core/content/content_fixture.h"

static const char *const rows[] = {
    "#############", "#@..#########", "#...........#", "#...#.......#",
    "#####.......#", "#####.......#", "#############", NULL};
static const loam_box rooms[] = {{1, 1, 3, 3}, {5, 2, 7, 4}};

static content_map map_of(drawn_floor *floor) {
    static loam_arena arena;
    arena = arena_of(1 << 20);
    loam_error error = {0};
    content_map map;
    draw_floor(floor, rows, rooms, 2);
    cr_assert_eq(content_map_build(&floor->layout, &arena, &map, &error), LOAM_OK);
    return map;
}

Test(spawn_sight, a_wall_between_hides_and_it_is_the_same_from_both_sides) {
    drawn_floor floor;
    content_map map = map_of(&floor);
    cr_expect_not(sight_is_hidden(&map, (loam_spot){1, 2}, (loam_spot){11, 2}));
    cr_expect(sight_is_hidden(&map, (loam_spot){1, 1}, (loam_spot){5, 5}));
    for (int32_t i = 0; i < 49; i++) {
        loam_spot a = {1 + i % 3, 1 + i / 3 % 3}, b = {5 + i % 7, 2 + i / 7 % 4};
        cr_expect_eq(sight_is_hidden(&map, a, b), sight_is_hidden(&map, b, a));
        cr_expect_not(sight_is_hidden(&map, b, b));
    }
}

Test(spawn_sight, an_ambush_watches_the_cell_before_the_nearest_way_in) {
    drawn_floor floor;
    content_map map = map_of(&floor);
    loam_spot guards = ambush_guards(&map, map_cell(&map, (loam_spot){5, 5}));
    cr_expect_eq(guards.x, 3);
    cr_expect_eq(guards.y, 2);
    /* In no room: from where one comes in. */
    guards = ambush_guards(&map, map_cell(&map, (loam_spot){4, 2}));
    cr_expect_eq(guards.x, 1);
    cr_expect_eq(guards.y, 1);
}

Test(spawn_sight, ambushes_are_out_of_sight_of_what_they_guard) {
    drawn_floor floor;
    content_made made;
    draw_floor(&floor, rows, rooms, 2);
    const loam_content_floor *made_floor = make_content(
        &made, &floor.layout,
        "{\"rules\":[{\"name\":\"a\",\"object\":\"spawn_ambush\",\"distance_from_entrance_min\":5"
        "}]}",
        3, LOAM_POLICY_STRICT);
    cr_assert_eq(made.status, LOAM_OK, "%s", made.error.text);
    content_map map = map_of(&floor);
    cr_assert_gt(made_floor->spawn_count, 2);
    for (uint32_t i = 0; i < made_floor->spawn_count; i++) {
        const loam_spawn *spawn = &made_floor->spawns[i];
        cr_expect_eq(spawn->place, LOAM_PLACE_AMBUSH);
        cr_expect(sight_is_hidden(&map, spawn->guards, spawn->at));
    }
}

Test(spawn_sight, a_patrol_comes_back_another_way_where_there_is_one) {
    static const char *const ring[] = {"##########", "#........#", "#.######.#", "#.######.#",
                                       "#........#", "##########", NULL};
    drawn_floor floor;
    loam_arena arena = arena_of(1 << 20);
    loam_error error = {0};
    content_map map;
    draw_floor(&floor, ring, NULL, 0);
    cr_assert_eq(content_map_build(&floor.layout, &arena, &map, &error), LOAM_OK);
    for (uint64_t key = 1; key < 50; key++) {
        loam_spot route[PATROL_ROUTE_MAX];
        uint32_t count = patrol_route(&map, map_cell(&map, (loam_spot){1, 2}), key, route);
        /* All of the ring: 20 cells, each once; or there and back where round is too far. */
        cr_assert(count == 20 || count <= 10, "%u", count);
        for (uint32_t i = 0; i < count; i++) {
            loam_spot a = route[i], b = route[(i + 1) % count];
            cr_assert_eq((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y), 1);
        }
    }
}

Test(spawn_sight, a_patrol_in_a_cell_alone_stands) {
    static const char *const cell[] = {"###", "#.#", "###", NULL};
    drawn_floor floor;
    loam_arena arena = arena_of(1 << 20);
    loam_error error = {0};
    content_map map;
    loam_spot route[PATROL_ROUTE_MAX];
    draw_floor(&floor, cell, NULL, 0);
    cr_assert_eq(content_map_build(&floor.layout, &arena, &map, &error), LOAM_OK);
    cr_expect_eq(patrol_route(&map, map_cell(&map, (loam_spot){1, 1}), 1, route), 1);
}
