/* SPDX-License-Identifier: MIT
 *
 * test_content_build.c: what is placed on floors: shares, quotas, distances, locks and keys, and
 * that nothing is ever cut off.
 */
#include "core/content/content_map.h"
#include "core/grid/draw.h"
#include "tests/support/dungeon_text.h"
#include "tests/unit/core/content/content_fixture.h"

/* ---- Shares --------------------------------------------------------------------------------- */

enum { BLOCK = 100, PITCH = 6, WIDE = BLOCK * PITCH + 1 };

static void open_door(loam_layout *layout, int32_t x, int32_t y, loam_axis axis) {
    layout->cells[(size_t)y * WIDE + (size_t)x] = LOAM_CELL_DOOR;
    layout->doors[layout->door_count] =
        (loam_door){.id = layout->door_count, .at = {x, y}, .width = 1, .axis = axis};
    layout->door_count++;
}

/* 10,000 rooms of 5 by 5, a door from each to the next ones. */
static loam_layout build_block(void) {
    loam_layout layout = {.width = WIDE, .height = WIDE};
    layout.cells = calloc((size_t)WIDE * WIDE, 1);
    layout.rooms = calloc((size_t)BLOCK * BLOCK, sizeof *layout.rooms);
    layout.doors = calloc((size_t)2 * BLOCK * BLOCK, sizeof *layout.doors);
    layout.entrance = (loam_spot){1, 1};
    layout.exit = (loam_spot){WIDE - 2, WIDE - 2};
    layout.stairs_up = layout.stairs_down = (loam_spot){-1, -1};
    cell_grid grid = {WIDE, WIDE, layout.cells};
    for (int32_t i = 0; i < BLOCK * BLOCK; i++) {
        loam_box box = {i % BLOCK * PITCH + 1, i / BLOCK * PITCH + 1, 5, 5};
        layout.rooms[layout.room_count] = (loam_room){.id = layout.room_count, .box = box};
        layout.room_count++;
        grid_fill(&grid, box, LOAM_CELL_FLOOR);
    }
    for (int32_t i = 0; i < BLOCK * BLOCK; i++) {
        loam_box box = layout.rooms[i].box;
        if (i % BLOCK < BLOCK - 1) {
            open_door(&layout, box.x + 5, box.y + 2, LOAM_AXIS_Y);
        }
        if (i / BLOCK < BLOCK - 1) {
            open_door(&layout, box.x + 2, box.y + 5, LOAM_AXIS_X);
        }
    }
    return layout;
}

Test(content_build, seven_of_ten_small_rooms_hold_a_chest) {
    loam_layout block = build_block();
    content_made made;
    const loam_content_floor *floor =
        make_content(&made, &block,
                     "{\"rules\":[{\"name\":\"chest\",\"object\":\"chest\",\"where\":"
                     "\"room_small\",\"chance_permille\":700}]}",
                     42, LOAM_POLICY_STRICT);
    cr_assert_eq(made.status, LOAM_OK, "%s", made.error.text);
    cr_expect_geq(floor->object_count, 6817);
    cr_expect_leq(floor->object_count, 7183);
    uint8_t *seen = calloc((size_t)BLOCK * BLOCK, 1);
    for (uint32_t i = 0; i < floor->object_count; i++) {
        cr_assert_eq(seen[floor->objects[i].room]++, 0);
    }
    free(seen);
    free(block.cells);
    free(block.rooms);
    free(block.doors);
}

/* ---- Rules ---------------------------------------------------------------------------------- */

static const char *const hall[] = {"########################",
                                   "#@.........#...........#",
                                   "#..........#...........#",
                                   "#..........+...........#",
                                   "#..........#...........#",
                                   "#..........#...........#",
                                   "#####+########+#########",
                                   "#........#.............#",
                                   "#........#.............#",
                                   "#........+.............#",
                                   "#........#............>#",
                                   "########################",
                                   NULL};
static const loam_box hall_rooms[] = {{1, 1, 10, 5}, {12, 1, 11, 5}, {1, 7, 8, 4}, {10, 7, 13, 4}};

static void build_hall(drawn_floor *floor) {
    draw_floor(floor, hall, hall_rooms, 4);
}

static int64_t distance2(loam_spot a, loam_spot b) {
    int64_t dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy;
}

Test(content_build, spacing_quotas_and_distances_hold) {
    drawn_floor drawn;
    content_made made;
    build_hall(&drawn);
    for (uint64_t sub = 1; sub <= 20; sub++) {
        const loam_content_floor *floor = make_content(
            &made, &drawn.layout,
            "{\"rules\":[{\"name\":\"a\",\"object\":\"decor\",\"spacing\":4,\"per_room_max\":3,"
            "\"total_max\":7,\"distance_from_entrance_min\":6}]}",
            sub, LOAM_POLICY_STRICT);
        cr_assert_eq(made.status, LOAM_OK);
        cr_expect_geq(floor->object_count, 4);
        cr_expect_leq(floor->object_count, 7);
        uint32_t in_room[4] = {0};
        for (uint32_t i = 0; i < floor->object_count; i++) {
            const loam_object *object = &floor->objects[i];
            in_room[object->room]++;
            loam_spot from = drawn.layout.entrance;
            cr_expect_geq(object->at.x - from.x + object->at.y - from.y, 6);
            for (uint32_t j = 0; j < i; j++) {
                cr_expect_geq(distance2(object->at, floor->objects[j].at), 16);
            }
        }
        for (uint32_t r = 0; r < 4; r++) {
            cr_expect_leq(in_room[r], 3);
        }
    }
}

Test(content_build, a_new_rule_moves_nothing_of_another) {
    drawn_floor drawn;
    content_made one, two;
    build_hall(&drawn);
    const loam_content_floor *before =
        make_content(&one, &drawn.layout,
                     "{\"rules\":[{\"name\":\"a\",\"object\":\"chest\",\"where\":\"corner\","
                     "\"chance_permille\":500}]}",
                     7, LOAM_POLICY_STRICT);
    const loam_content_floor *after =
        make_content(&two, &drawn.layout,
                     "{\"rules\":[{\"name\":\"b\",\"object\":\"trap\",\"where\":\"open\","
                     "\"chance_permille\":300},{\"name\":\"a\",\"object\":\"chest\",\"where\":"
                     "\"corner\",\"chance_permille\":500}]}",
                     7, LOAM_POLICY_STRICT);
    uint32_t at = 0;
    for (uint32_t i = 0; i < after->object_count; i++) {
        if (after->objects[i].kind == LOAM_OBJECT_CHEST) {
            cr_assert_lt(at, before->object_count);
            cr_expect_eq(distance2(after->objects[i].at, before->objects[at].at), 0);
            at++;
        }
    }
    cr_expect_eq(at, before->object_count);
}

Test(content_build, blocking_never_cuts_a_floor) {
    drawn_floor drawn;
    build_hall(&drawn);
    for (uint64_t sub = 1; sub <= 10; sub++) {
        content_made made;
        const loam_content_floor *floor =
            make_content(&made, &drawn.layout,
                         "{\"rules\":[{\"name\":\"a\",\"object\":\"pillar\",\"blocking\":true}]}",
                         sub, LOAM_POLICY_STRICT);
        cr_assert_eq(made.status, LOAM_OK);
        cr_expect_gt(floor->object_count, 40);
        loam_arena arena = arena_of(1 << 20);
        loam_error error = {0};
        content_map map;
        for (uint32_t i = 0; i < floor->object_count; i++) {
            loam_spot at = floor->objects[i].at;
            drawn.cells[at.y * drawn.layout.width + at.x] = LOAM_CELL_WALL;
        }
        cr_assert_eq(content_map_build(&drawn.layout, &arena, &map, &error), LOAM_OK);
        uint32_t free = 0;
        for (uint32_t cell = 0; cell < map.cell_count; cell++) {
            free += map.walk[cell] != WALK_NOT;
        }
        cr_expect_eq(map.reached, free);
        build_hall(&drawn);
    }
}

Test(content_build, a_certain_rule_without_a_cell_is_dropped_or_refused) {
    static const char rules[] =
        "{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"where\":\"dead_end\"},"
        "{\"name\":\"b\",\"object\":\"stairs\",\"where\":\"exit\"}]}";
    drawn_floor drawn;
    content_made made;
    build_hall(&drawn);
    const loam_content_floor *floor =
        make_content(&made, &drawn.layout, rules, 1, LOAM_POLICY_DEGRADED);
    cr_assert_eq(made.status, LOAM_OK);
    cr_assert_eq(floor->dropped_count, 1);
    cr_expect_eq(floor->dropped[0].rule, 0);
    cr_expect(loam_text_equal(floor->dropped[0].reason.code, loam_text_of("no-cell")));
    cr_expect_eq(count_objects(floor, LOAM_OBJECT_STAIRS), 1);
    cr_expect_eq(distance2(floor->objects[0].at, drawn.layout.exit), 0);
    (void)make_content(&made, &drawn.layout, rules, 1, LOAM_POLICY_STRICT);
    cr_expect_eq(made.status, LOAM_NOT_ACHIEVED);
    cr_expect_str_eq(made.error.pointer, "/rules/0");
}

/* ---- Locks ---------------------------------------------------------------------------------- */

static const char *const chain[] = {"#####################", "#.@..#....#....#...>#",
                                    "#....+....1....2....#", "#....#....#....#....#",
                                    "#####################", NULL};
static const loam_box chain_rooms[] = {{1, 1, 4, 3}, {6, 1, 4, 3}, {11, 1, 4, 3}, {16, 1, 4, 3}};

static const loam_object *key_of(const loam_content_floor *floor, const char *key) {
    for (uint32_t i = 0; i < floor->object_count; i++) {
        if (loam_text_equal(floor->objects[i].key, loam_text_of(key))) {
            return &floor->objects[i];
        }
    }
    return NULL;
}

Test(content_build, keys_lie_before_their_locks_and_the_walk_says_how) {
    drawn_floor drawn;
    content_made made;
    uint32_t far = 0;
    draw_floor(&drawn, chain, chain_rooms, 4);
    for (uint64_t sub = 1; sub <= 40; sub++) {
        const loam_content_floor *floor =
            make_content(&made, &drawn.layout, "{\"rules\":[]}", sub, LOAM_POLICY_STRICT);
        cr_assert_eq(made.status, LOAM_OK, "%s", made.error.text);
        cr_assert_eq(floor->lock_count, 2);
        cr_expect_eq(floor->metrics.solvable, 1);
        cr_expect_lt(key_of(floor, "k1")->room, 2);
        cr_expect_lt(key_of(floor, "k2")->room, 3);
        far += key_of(floor, "k2")->room == 2;
        static const loam_act acts[] = {LOAM_ACT_TAKE, LOAM_ACT_OPEN, LOAM_ACT_TAKE, LOAM_ACT_OPEN,
                                        LOAM_ACT_EXIT};
        cr_assert_eq(floor->walk_count, 5);
        int64_t steps = 0;
        for (uint32_t i = 0; i < 5; i++) {
            cr_expect_eq(floor->walk[i].act == LOAM_ACT_EXIT, acts[i] == LOAM_ACT_EXIT);
            cr_expect(floor->walk[i].critical);
            steps += floor->walk[i].steps;
        }
        cr_expect_eq(floor->metrics.walk_steps, steps);
        cr_expect_eq(floor->metrics.critical_steps, steps);
    }
    cr_expect_gt(far, 20);
}

Test(content_build, a_key_that_is_fixed_behind_its_lock_is_named) {
    static const char rules[] = "{\"rules\":[{\"name\":\"first\",\"object\":\"key\",\"key\":\"k1\","
                                "\"room\":\"C\"}]}";
    drawn_floor drawn;
    content_made made;
    draw_floor(&drawn, chain, chain_rooms, 4);
    (void)make_content(&made, &drawn.layout, rules, 3, LOAM_POLICY_STRICT);
    cr_expect_eq(made.status, LOAM_INFEASIBLE);
    cr_expect_str_eq(made.error.pointer, "/rules/0");
    cr_expect_not_null(strstr(made.error.text, "k1"), "%s", made.error.text);
    const loam_content_floor *floor =
        make_content(&made, &drawn.layout, rules, 3, LOAM_POLICY_DEGRADED);
    cr_assert_eq(made.status, LOAM_OK);
    cr_expect_eq(floor->dropped_count, 1);
    cr_expect_eq(floor->metrics.solvable, 1);
    cr_expect_lt(key_of(floor, "k1")->room, 2);
}

Test(content_build, a_key_lies_where_its_rule_says_by_name_or_by_number) {
    drawn_floor drawn;
    content_made made;
    draw_floor(&drawn, chain, chain_rooms, 4);
    const loam_content_floor *floor =
        make_content(&made, &drawn.layout,
                     "{\"rules\":[{\"name\":\"x\",\"object\":\"key\",\"key\":\"k2\",\"room\":\"C\"}"
                     ",{\"name\":\"y\",\"object\":\"key\",\"key\":\"k1\",\"room\":1}]}",
                     3, LOAM_POLICY_STRICT);
    cr_assert_eq(made.status, LOAM_OK, "%s", made.error.text);
    cr_expect_eq(key_of(floor, "k2")->room, 2);
    cr_expect_eq(key_of(floor, "k2")->rule, 0);
    cr_expect_eq(key_of(floor, "k1")->room, 1);
    (void)make_content(&made, &drawn.layout,
                       "{\"rules\":[{\"name\":\"x\",\"object\":\"key\",\"key\":\"k9\"}]}", 3,
                       LOAM_POLICY_STRICT);
    cr_expect_eq(made.status, LOAM_INFEASIBLE);
}

/* Keys that content locks doors for: every door is a bridge on this floor. */
Test(content_build, bridges_are_locked_where_rules_ask_for_it) {
    static const char *const rows[] = {"#########################", "#.@.+....+....+....+...>#",
                                       "#...#....#....#....#....#", "#########################",
                                       NULL};
    static const loam_box rooms[] = {
        {1, 1, 3, 2}, {5, 1, 4, 2}, {10, 1, 4, 2}, {15, 1, 4, 2}, {20, 1, 4, 2}};
    drawn_floor drawn;
    content_made made;
    draw_floor(&drawn, rows, rooms, 5);
    for (uint64_t sub = 1; sub <= 20; sub++) {
        const loam_content_floor *floor =
            make_content(&made, &drawn.layout, "{\"rules\":[],\"locks\":{\"bridges\":3}}", sub,
                         LOAM_POLICY_STRICT);
        cr_assert_eq(made.status, LOAM_OK);
        cr_expect_eq(floor->lock_count, 3);
        cr_expect_eq(floor->metrics.solvable, 1);
        cr_expect_eq(floor->walk_count, 7);
        floor = make_content(&made, &drawn.layout,
                             "{\"rules\":[],\"locks\":{\"bridges\":12,\"consumable\":true}}", sub,
                             LOAM_POLICY_STRICT);
        cr_assert_eq(made.status, LOAM_OK);
        cr_assert_eq(floor->lock_count, 1);
        cr_expect(floor->locks[0].consumable);
        cr_expect_eq(floor->locks[0].door_count, 4);
        cr_expect_eq(floor->metrics.keys, 4);
        cr_expect_eq(floor->metrics.solvable, 1);
        cr_expect_eq(floor->walk_count, 9);
    }
}

/* ---- Dungeons ------------------------------------------------------------------------------- */

static void check_spawns(const loam_content_floor *floor, const loam_layout *layout) {
    for (uint32_t i = 0; i < floor->spawn_count; i++) {
        const loam_spawn *spawn = &floor->spawns[i];
        cr_expect_eq(spawn->id, i);
        for (uint32_t r = 0; r < spawn->route_count; r++) {
            loam_spot at = spawn->route[r], next = spawn->route[(r + 1) % spawn->route_count];
            cr_assert_neq(layout->cells[at.y * layout->width + at.x], LOAM_CELL_WALL);
            cr_assert(spawn->route_count == 1 || distance2(at, next) == 1);
        }
        cr_expect_eq(spawn->kind == LOAM_SPAWN_PATROL, spawn->route_count > 0);
        cr_expect_eq(spawn->kind == LOAM_SPAWN_AMBUSH, spawn->guards.x >= 0);
        cr_expect_eq(spawn->kind == LOAM_SPAWN_NEST, spawn->capacity >= 2);
    }
}

static uint64_t digest_of(const loam_content_floor *floor) {
    uint64_t digest = floor->object_count;
    for (uint32_t i = 0; i < floor->object_count; i++) {
        digest = mix_pair(digest, (uint64_t)floor->objects[i].at.y << 32 |
                                      (uint32_t)floor->objects[i].at.x);
    }
    for (uint32_t i = 0; i < floor->spawn_count; i++) {
        digest = mix_pair(digest,
                          (uint64_t)floor->spawns[i].at.y << 32 | (uint32_t)floor->spawns[i].at.x);
    }
    return digest;
}

static loam_content content_of(dungeon_made *made, uint64_t sub) {
    size_t bytes = loam_content_bytes(&made->dungeon);
    loam_arena arena = arena_of(bytes);
    loam_run run = {.arena = &arena};
    loam_content content;
    loam_error error = {0};
    loam_status status = loam_content_build(&made->dungeon, NULL, sub, &run, &content, &error);
    cr_assert_eq(status, LOAM_OK, "%s", error.text);
    return content;
}

Test(content_build, a_dungeon_is_filled_the_same_each_time_and_else_by_another_secret) {
    static const char *const recipes[] = {"dungeon.rooms", "cave.cellular", "dungeon.bsp"};
    uint32_t kinds[LOAM_SPAWN_KINDS] = {0}, same = 0, dropped = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        dungeon_made made;
        dungeon_build_text(&made, (dungeon_text){.recipe = recipes[seed % 3], .seed = seed});
        cr_assert_eq(made.status, LOAM_OK, "%s", made.error.text);
        loam_content one = content_of(&made, 5), again = content_of(&made, 5),
                     other = content_of(&made, 6);
        cr_expect_eq(digest_of(one.floors), digest_of(again.floors));
        same += digest_of(one.floors) == digest_of(other.floors);
        dropped += one.floors->dropped_count;
        check_spawns(one.floors, &made.dungeon.floors[0].layout);
        for (uint32_t i = 0; i < one.floors->spawn_count; i++) {
            kinds[one.floors->spawns[i].kind]++;
        }
        dungeon_made_fini(&made);
    }
    cr_expect_eq(same, 0);
    cr_expect_eq(dropped, 0);
    cr_expect_gt(kinds[LOAM_SPAWN_PATROL], 0);
    cr_expect_gt(kinds[LOAM_SPAWN_AMBUSH], 0);
    cr_expect_gt(kinds[LOAM_SPAWN_NEST], 0);
}

Test(content_build, a_floor_alone_is_as_among_all) {
    dungeon_made all, alone;
    dungeon_build_text(
        &all, (dungeon_text){.recipe = "cave.cellular", .seed = 9, .params = "{\"floors\":3}"});
    dungeon_build_text(&alone, (dungeon_text){.recipe = "cave.cellular",
                                              .seed = 9,
                                              .params = "{\"floors\":3,\"floor\":2}"});
    cr_assert_eq(all.status, LOAM_OK, "%s", all.error.text);
    cr_assert_eq(alone.status, LOAM_OK, "%s", alone.error.text);
    loam_content of_all = content_of(&all, 4), of_one = content_of(&alone, 4);
    cr_assert_eq(of_all.floor_count, 3);
    cr_assert_eq(of_one.floor_count, 1);
    cr_expect_eq(digest_of(&of_all.floors[2]), digest_of(&of_one.floors[0]));
    uint32_t id = of_one.floors[0].spawns[0].id;
    cr_expect_eq(id, (uint32_t)2 << 16);
    cr_expect_eq(loam_content_spawn(&of_all, id)->at.x, of_one.floors[0].spawns[0].at.x);
    cr_expect_null(loam_content_spawn(&of_one, 0));
}

Test(content_build, it_can_be_cancelled_and_ends_where_memory_does) {
    drawn_floor drawn;
    loam_dungeon_floor floor;
    loam_content content;
    loam_error error = {0};
    build_hall(&drawn);
    loam_dungeon dungeon = dungeon_of(&drawn.layout, &floor, LOAM_POLICY_DEGRADED);
    int cancel = 1;
    loam_arena arena = arena_of(loam_content_bytes(&dungeon));
    loam_run run = {.arena = &arena, .cancel = &cancel};
    size_t size = arena.size;
    cr_expect_eq(loam_content_build(&dungeon, NULL, 1, &run, &content, &error), LOAM_CANCELLED);
    cr_expect_eq(arena.size, size);
    run.cancel = NULL;
    for (size_t bytes = 0; bytes < 300 << 10; bytes += 4096) {
        loam_arena small = arena_of(bytes + 64);
        error = (loam_error){0};
        run.arena = &small;
        loam_status status = loam_content_build(&dungeon, NULL, 1, &run, &content, &error);
        cr_assert(status == LOAM_OK || status == LOAM_ARENA_FULL);
        cr_assert_eq(error.status, status);
    }
}
