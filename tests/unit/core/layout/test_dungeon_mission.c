/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_mission.c: missions: what can be walked from room to room is the graph that was
 * asked for, edge by edge, for random plane graphs; what cannot be drawn is refused by its name.
 */
#include "core/grid/draw.h"
#include "core/layout/mission.h"
#include "tests/support/dungeon_text.h"
#include "tests/support/rooms_check.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { RUN_BYTES = 64 << 20, TEXT_BYTES = 1 << 16, ROOMS_MAX = 64 };

static layout_run run;

static void init(void) {
    layout_run_init(&run, RUN_BYTES);
}

TestSuite(dungeon_mission, .init = init);

/* ---- Missions as text ---------------------------------------------------------------------- */

typedef struct mission_text {
    char text[TEXT_BYTES];
    size_t size;
    uint32_t rooms, edges, locks;
    bool joined[ROOMS_MAX][ROOMS_MAX];
    bool locked[ROOMS_MAX][ROOMS_MAX];
    uint32_t pairs[MISSION_EDGES_MAX][2];
} mission_text;

static mission_text built;

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more =
        vsnprintf(built.text + built.size, sizeof built.text - built.size, format, arguments);
    va_end(arguments);
    built.size += (size_t)more;
    cr_assert_lt(built.size, sizeof built.text);
}

static void begin(uint32_t rooms) {
    memset(&built, 0, sizeof built);
    built.rooms = rooms;
}

static void join(uint32_t a, uint32_t b, bool lock) {
    built.pairs[built.edges][0] = a;
    built.pairs[built.edges++][1] = b;
    built.joined[a][b] = built.joined[b][a] = true;
    built.locked[a][b] = built.locked[b][a] = lock;
    built.locks += lock;
}

/* Parameters: the mission after `more`. */
static const char *end(const char *more, int side_min, int side_max) {
    built.size = 0;
    add("{%s\"mission\":{\"rooms\":[", more);
    for (uint32_t i = 0; i < built.rooms; i++) {
        add("%s{\"id\":\"room %u\",\"side_min\":%d,\"side_max\":%d%s}", i == 0 ? "" : ",", i,
            side_min, side_max,
            i == 0   ? ",\"kind\":\"entrance\""
            : i == 1 ? ",\"kind\":\"boss\""
                     : "");
    }
    add("],\"edges\":[");
    uint32_t locks = 0;
    for (uint32_t i = 0; i < built.edges; i++) {
        uint32_t a = built.pairs[i][0], b = built.pairs[i][1];
        add("%s{\"a\":\"room %u\",\"b\":\"room %u\"", i == 0 ? "" : ",", a, b);
        if (built.locked[a][b]) {
            add(",\"lock\":\"k%u\"", locks++);
        }
        add("}");
    }
    add("],\"keys\":[");
    for (uint32_t i = 0; i < locks; i++) {
        add("%s{\"id\":\"k%u\"}", i == 0 ? "" : ",", i);
    }
    add("]}}");
    return built.text;
}

static loam_status make(const char *params, uint64_t seed) {
    return layout_run_make(&run, &dungeon_mission_recipe, &dungeon_mission_code, params, seed);
}

/* ---- The walk grid, contracted ------------------------------------------------------------- */

enum { OWNER_NONE = -1, OWNER_CORRIDOR = -2 };

static int32_t owners[512 * 512];
static loam_spot spots[512 * 512];

static void own_cells(void) {
    cell_grid cells = layout_run_cells(&run);
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            int32_t *owner = &owners[grid_index(&cells, x, y)];
            *owner = grid_get(&cells, x, y, 0) != 0 ? OWNER_CORRIDOR : OWNER_NONE;
            for (uint32_t i = 0; i < run.layout.room_count; i++) {
                if (box_has(run.layout.rooms[i].box, x, y)) {
                    cr_assert_eq(*owner, OWNER_CORRIDOR);
                    *owner = (int32_t)i;
                }
            }
        }
    }
}

/* Floods one corridor; the rooms it touches, and whether it has a locked door. */
static uint32_t flood_corridor(loam_spot from, uint32_t rooms[4], bool *locked) {
    cell_grid cells = layout_run_cells(&run);
    uint32_t count = 1, touched = 0;
    *locked = false;
    spots[0] = from;
    owners[grid_index(&cells, from.x, from.y)] = OWNER_NONE;
    for (uint32_t at = 0; at < count; at++) {
        for (uint32_t i = 0; i < run.layout.door_count; i++) {
            const loam_door *door = &run.layout.doors[i];
            *locked |=
                door->at.x == spots[at].x && door->at.y == spots[at].y && door->lock.size > 0;
        }
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            loam_spot to = spot_step(spots[at], way);
            if (!grid_has(&cells, to.x, to.y)) {
                continue;
            }
            int32_t *owner = &owners[grid_index(&cells, to.x, to.y)];
            if (*owner == OWNER_CORRIDOR) {
                *owner = OWNER_NONE;
                spots[count++] = to;
            }
            bool known = *owner < 0;
            for (uint32_t i = 0; i < touched && !known; i++) {
                known = rooms[i] == (uint32_t)*owner;
            }
            if (!known && touched < 4) {
                rooms[touched++] = (uint32_t)*owner;
            }
        }
    }
    return touched;
}

static bool beside(loam_box a, loam_box b) {
    return box_meets((loam_box){a.x - 1, a.y, a.width + 2, a.height}, b) ||
           box_meets((loam_box){a.x, a.y - 1, a.width, a.height + 2}, b);
}

/* NULL when every edge of the mission is one corridor between its two rooms, and there is nothing
 * else. */
static const char *contracted(void) {
    static char text[100];
    bool seen[ROOMS_MAX][ROOMS_MAX] = {{false}};
    cell_grid cells = layout_run_cells(&run);
    uint32_t count = 0;
    own_cells();
    for (uint32_t i = 0; i < run.layout.room_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (beside(run.layout.rooms[i].box, run.layout.rooms[j].box)) {
                return "two rooms are one";
            }
        }
    }
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            if (owners[grid_index(&cells, x, y)] != OWNER_CORRIDOR) {
                continue;
            }
            uint32_t rooms[4];
            bool locked;
            uint32_t touched = flood_corridor((loam_spot){x, y}, rooms, &locked);
            snprintf(text, sizeof text, "a corridor at %d,%d touches %u rooms", x, y, touched);
            if (touched != 2 || !built.joined[rooms[0]][rooms[1]] || seen[rooms[0]][rooms[1]]) {
                return text;
            }
            snprintf(text, sizeof text, "the corridor at %d,%d has the wrong lock", x, y);
            if (locked != built.locked[rooms[0]][rooms[1]]) {
                return text;
            }
            seen[rooms[0]][rooms[1]] = seen[rooms[1]][rooms[0]] = true;
            count++;
        }
    }
    return count == built.edges ? NULL : "an edge has no corridor";
}

static void expect_mission(const char *params, uint64_t seed) {
    cr_assert_eq(make(params, seed), LOAM_OK, "%s: %s", params, run.error.text);
    cr_assert_null(run.call.fault.word, "seed %llu: %s\n%s", (unsigned long long)seed,
                   run.call.fault.text, params);
    const char *wrong = rooms_check(&run, 1);
    wrong = wrong == NULL ? contracted() : wrong;
    cr_assert_null(wrong, "seed %llu: %s\n%s\n%s", (unsigned long long)seed, wrong, params,
                   layout_run_text(&run));
    cr_assert_eq(run.layout.room_count, built.rooms);
    cr_assert_eq(run.layout.edge_count, built.edges);
    cr_assert_eq(layout_run_regions(&run), 1);
    uint32_t locked = 0;
    for (uint32_t i = 0; i < run.layout.door_count; i++) {
        locked += run.layout.doors[i].lock.size > 0;
    }
    cr_assert_eq(locked, built.locks, "one door a lock");
}

/* ---- Random plane graphs ------------------------------------------------------------------- */

static uint32_t below(uint64_t key, uint32_t *draws, uint32_t count) {
    uint64_t bits = draw_at(key, (*draws)++);
    return draw_below(bits, count);
}

static uint32_t random_locks;

/* Joins a new room to corners of a triangle, to one at least. */
static void random_joins(uint64_t key, uint32_t *draws, uint32_t room, const uint32_t *corners,
                         uint32_t count, uint32_t keep_percent) {
    uint32_t first = below(key, draws, count);
    for (uint32_t i = 0; i < count; i++) {
        bool keep = below(key, draws, 100) < keep_percent, lock = below(key, draws, 6) == 0;
        lock = lock && random_locks < 5;
        if (keep || i == 0) {
            join(room, corners[(first + i) % count], lock);
            random_locks += lock;
        }
    }
}

/* A triangulation by putting rooms into triangles, some of its edges left out, never so that it
 * falls apart; rooms are named in any order. */
static void random_plane(uint64_t seed, uint32_t rooms, uint32_t keep_percent) {
    static uint32_t triangles[2 * ROOMS_MAX][3];
    uint64_t key = mix64(seed + 1);
    uint32_t draws = 0, count = 1, names[ROOMS_MAX];
    begin(rooms);
    random_locks = 0;
    for (uint32_t i = 0; i < rooms; i++) {
        uint32_t other = below(key, &draws, i + 1);
        names[i] = names[other];
        names[other] = i;
    }
    for (uint32_t i = 1; i < rooms; i++) {
        uint32_t corners[3] = {names[0], names[1], names[2 < rooms ? 2 : 0]};
        if (i >= 3) {
            uint32_t *in = triangles[below(key, &draws, count)];
            uint32_t *one = triangles[count++], *two = triangles[count++];
            memcpy(corners, in, sizeof corners);
            memcpy(one, (uint32_t[]){corners[0], corners[1], names[i]}, sizeof corners);
            memcpy(two, (uint32_t[]){corners[1], corners[2], names[i]}, sizeof corners);
            in[1] = corners[2];
            in[2] = names[i];
        } else {
            memcpy(triangles[0], corners, sizeof corners);
        }
        random_joins(key, &draws, names[i], corners, i < 3 ? i : 3, keep_percent);
    }
}

Test(dungeon_mission, two_hundred_random_plane_missions_are_walked_as_they_were_asked_for) {
    for (uint32_t i = 0; i < 200; i++) {
        random_plane(i, 2 + i % 29, i * 7 % 101);
        cr_assert_leq(built.locks, 5);
        expect_mission(end("\"width\":400,\"height\":400,", 4, 14), i);
    }
}

Test(dungeon_mission, every_style_and_width_keeps_corridors_apart) {
    static const char *const styles[] = {"straight", "l", "z", "astar", "diagonal", "mixed"};
    for (uint32_t i = 0; i < 6 * 9; i++) {
        char more[120];
        snprintf(more, sizeof more,
                 "\"width\":512,\"height\":512,\"corridor_style\":\"%s\",\"corridor_width\":%u,",
                 styles[i % 6], i / 6 + 1);
        random_plane(i, 10, 20);
        expect_mission(end(more, 10, 40), i);
    }
}

/* Bends of all corridors by number, and their cells. */
typedef struct shape_tally {
    uint32_t bends[8], cells;
} shape_tally;

static void tally_shapes(shape_tally *tally) {
    for (uint32_t i = 0; i < run.layout.corridor_count; i++) {
        const loam_corridor *corridor = &run.layout.corridors[i];
        uint32_t bends = 0;
        for (uint32_t k = 2; k < corridor->path_count; k++) {
            bends += corridor->path[k].x != corridor->path[k - 2].x &&
                     corridor->path[k].y != corridor->path[k - 2].y;
        }
        tally->bends[bends < 7 ? bends : 7]++;
        tally->cells += corridor->path_count;
    }
}

Test(dungeon_mission, each_style_has_more_of_its_corridors_and_the_default_is_any) {
    static const char *const styles[] = {"straight", "l", "z", "astar", "diagonal", "mixed"};
    shape_tally tally[6] = {{{0}, 0}};
    for (uint32_t i = 0; i < 40; i++) {
        for (uint32_t style = 0; style < 6; style++) {
            char more[120];
            snprintf(more, sizeof more, "\"width\":300,\"height\":300,\"corridor_style\":\"%s\",",
                     styles[style]);
            random_plane(i, 6 + i % 15, 20);
            expect_mission(end(more, 5, 12), i);
            tally_shapes(&tally[style]);
        }
    }
    for (uint32_t style = 0; style < 3; style++) {
        cr_expect_gt(tally[style].bends[style], tally[5].bends[style] * 11 / 10, "%s: %u, %u",
                     styles[style], tally[style].bends[style], tally[5].bends[style]);
    }
    cr_expect_lt(tally[3].cells, tally[5].cells * 9 / 10, "%u, %u", tally[3].cells, tally[5].cells);
    cr_expect_arr_eq(&tally[4], &tally[5], sizeof tally[4]);
}

/* ---- Known graphs -------------------------------------------------------------------------- */

static void expect_built(void) {
    const char *params = end("\"width\":300,\"height\":300,", 5, 12);
    for (uint64_t seed = 0; seed < 5; seed++) {
        expect_mission(params, seed);
    }
}

Test(dungeon_mission, one_room_and_two_rooms_are_missions) {
    begin(1);
    expect_built();
    begin(2);
    join(1, 0, true);
    expect_built();
}

Test(dungeon_mission, chains_stars_and_cycles_are_missions) {
    begin(30);
    for (uint32_t i = 1; i < 30; i++) {
        join(i - 1, i, i % 7 == 0);
    }
    expect_built();
    begin(20);
    for (uint32_t i = 1; i < 20; i++) {
        join(0, i, false);
    }
    expect_built();
    begin(30);
    for (uint32_t i = 0; i < 30; i++) {
        join(i, (i + 1) % 30, false);
    }
    expect_built();
}

Test(dungeon_mission, wheels_and_grids_are_missions) {
    begin(13);
    for (uint32_t i = 1; i < 13; i++) {
        join(0, i, false);
        join(i, i % 12 + 1, false);
    }
    expect_built();
    begin(25);
    for (uint32_t i = 0; i < 25; i++) {
        if (i % 5 < 4) {
            join(i, i + 1, false);
        }
        if (i < 20) {
            join(i, i + 5, false);
        }
    }
    expect_built();
}

Test(dungeon_mission, rooms_have_their_names_kinds_and_sides) {
    begin(8);
    for (uint32_t i = 1; i < 8; i++) {
        join(i / 2, i, i == 5);
    }
    expect_mission(end("", 4, 6), 7);
    for (uint32_t i = 0; i < 8; i++) {
        const loam_room *room = &run.layout.rooms[i];
        char name[16];
        snprintf(name, sizeof name, "room %u", i);
        cr_assert(loam_text_equal(room->name, loam_text_of(name)));
        cr_assert(room->box.width >= 4 && room->box.width <= 6 && room->box.height >= 4 &&
                  room->box.height <= 6);
    }
    cr_assert_eq(run.layout.rooms[0].kind, LOAM_ROOM_ENTRANCE);
    cr_assert_eq(run.layout.rooms[1].kind, LOAM_ROOM_BOSS);
    cr_assert(box_has(run.layout.rooms[0].box, run.layout.entrance.x, run.layout.entrance.y));
    cr_assert(box_has(run.layout.rooms[1].box, run.layout.exit.x, run.layout.exit.y));
    cr_assert(loam_text_equal(run.layout.edges[4].lock, loam_text_of("k0")), "edges keep order");
}

Test(dungeon_mission, the_same_seed_is_the_same_map_and_another_is_not) {
    static uint8_t before[300 * 300];
    random_plane(3, 20, 50);
    const char *params = end("\"width\":300,\"height\":300,", 5, 12);
    expect_mission(params, 1);
    memcpy(before, run.layout.cells, sizeof before);
    expect_mission(params, 1);
    cr_assert_arr_eq(before, run.layout.cells, sizeof before);
    expect_mission(params, 2);
    cr_assert_neq(memcmp(before, run.layout.cells, sizeof before), 0);
}

/* ---- Refusals ------------------------------------------------------------------------------ */

static void expect_refused(const char *params, loam_status status, const char *pointer) {
    cr_expect_eq(make(params, 1), status, "%s: %s", params, run.error.text);
    cr_expect_str_eq(run.error.pointer, pointer, "%s", params);
    cr_expect_str_neq(run.error.text, "", "%s", params);
}

Test(dungeon_mission, five_rooms_all_joined_name_the_last_edge) {
    begin(5);
    for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t j = 0; j < i; j++) {
            join(j, i, false);
        }
    }
    expect_refused(end("", 5, 12), LOAM_INFEASIBLE, "/params/mission/edges/9");
}

Test(dungeon_mission, three_houses_and_three_wells_name_an_edge) {
    begin(8);
    for (uint32_t i = 0; i < 9; i++) {
        join(i / 3, 3 + i % 3, false);
    }
    join(5, 6, false);
    join(6, 7, false);
    expect_refused(end("", 5, 12), LOAM_INFEASIBLE, "/params/mission/edges/8");
}

#define ROOMS_A_B "\"rooms\":[{\"id\":\"a\"},{\"id\":\"b\"}]"

Test(dungeon_mission, what_is_no_graph_is_refused_by_its_place) {
    expect_refused("{}", LOAM_MISSING_FIELD, "/params/mission");
    expect_refused("{\"mission\":{\"edges\":[]}}", LOAM_MISSING_FIELD, "/params/mission/rooms");
    expect_refused("{\"mission\":{\"rooms\":[],\"edges\":[]}}", LOAM_TOO_MANY,
                   "/params/mission/rooms");
    expect_refused("{\"mission\":{" ROOMS_A_B ",\"edges\":[]}}", LOAM_INFEASIBLE,
                   "/params/mission/rooms/1");
    expect_refused("{\"mission\":{" ROOMS_A_B ",\"edges\":[{\"a\":\"a\",\"b\":\"c\"}]}}",
                   LOAM_UNKNOWN_NODE, "/params/mission/edges/0/b");
    expect_refused("{\"mission\":{" ROOMS_A_B ",\"edges\":[{\"a\":\"a\",\"b\":\"a\"}]}}",
                   LOAM_OUT_OF_RANGE, "/params/mission/edges/0/b");
    expect_refused("{\"mission\":{" ROOMS_A_B ",\"edges\":[{\"a\":\"a\",\"b\":\"b\"},"
                   "{\"a\":\"b\",\"b\":\"a\"}]}}",
                   LOAM_DUPLICATE, "/params/mission/edges/1");
    expect_refused("{\"mission\":{" ROOMS_A_B
                   ",\"edges\":[{\"a\":\"a\",\"b\":\"b\",\"lock\":\"k\"}]}}",
                   LOAM_OUT_OF_RANGE, "/params/mission/edges/0/lock");
    expect_refused("{\"mission\":{\"rooms\":[{\"id\":\"a\"},{\"id\":\"a\"}],\"edges\":[]}}",
                   LOAM_DUPLICATE, "/params/mission/rooms/1/id");
    expect_refused("{\"mission\":{\"rooms\":[{\"id\":\"\"}],\"edges\":[]}}", LOAM_BAD_NAME,
                   "/params/mission/rooms/0/id");
    expect_refused("{\"mission\":{\"rooms\":[{\"id\":\"a\",\"kind\":\"moat\"}],\"edges\":[]}}",
                   LOAM_OUT_OF_RANGE, "/params/mission/rooms/0/kind");
    expect_refused("{\"mission\":{\"rooms\":[{\"id\":\"a\",\"side_min\":8,\"side_max\":7}],"
                   "\"edges\":[]}}",
                   LOAM_OUT_OF_RANGE, "/params/mission/rooms/0/side_min");
    expect_refused("{\"width\":513}", LOAM_OUT_OF_RANGE, "/params/width");
}

Test(dungeon_mission, what_cannot_fit_names_its_bound) {
    begin(64);
    for (uint32_t i = 1; i < 64; i++) {
        join((i - 1) / 2, i, false);
    }
    make(end("", 8, 8), 1);
    cr_expect_str_eq(run.error.pointer, "/params/mission/rooms");
    cr_expect(strstr(run.error.text, "5184") != NULL && strstr(run.error.text, "3969") != NULL,
              "%s", run.error.text);
    begin(65);
    expect_refused(end("", 4, 4), LOAM_TOO_MANY, "/params/mission/rooms");
    begin(9);
    for (uint32_t i = 1; i < 9; i++) {
        join(0, i, false);
    }
    expect_refused(end("\"corridor_width\":2,", 3, 3), LOAM_INFEASIBLE,
                   "/params/mission/rooms/0/side_max");
    begin(1);
    expect_refused(end("\"floors\":2,", 4, 4), LOAM_INFEASIBLE, "/params/floors");
    expect_refused(end("\"corridor_width\":5,", 4, 4), LOAM_INFEASIBLE,
                   "/params/mission/rooms/0/side_max");
}

Test(dungeon_mission, a_map_that_no_drawing_fits_into_gives_up_and_says_how_large_they_are) {
    random_plane(5, 30, 60);
    cr_assert_eq(make(end("\"width\":70,\"height\":70,", 5, 12), 1), LOAM_OK);
    cr_assert_str_eq(run.call.fault.word, "too-large");
    cr_assert(strstr(run.call.fault.text, "68 by 68") != NULL, "%s", run.call.fault.text);
    cr_assert_eq(layout_run_open(&run), 0);
}

Test(dungeon_mission, a_whole_dungeon_has_no_fallback) {
    begin(4);
    for (uint32_t i = 1; i < 4; i++) {
        join(i - 1, i, i == 2);
    }
    const char *params = end("", 5, 8);
    dungeon_made made;
    dungeon_build_text(&made, (dungeon_text){.recipe = "dungeon.mission", .params = params});
    cr_assert_eq(made.status, LOAM_OK, "%s", made.error.text);
    cr_assert_eq(made.dungeon.status, LOAM_DUNGEON_OK);
    cr_assert_eq(made.dungeon.floors[0].metrics.rooms, 4);
    cr_assert_eq(made.dungeon.floors[0].metrics.loops, 0);
    dungeon_made_fini(&made);
    dungeon_plan_text(&made, (dungeon_text){.recipe = "dungeon.mission",
                                            .params = params,
                                            .policy = LOAM_POLICY_FALLBACK});
    cr_assert_eq(made.status, LOAM_INFEASIBLE);
    cr_assert_str_eq(made.error.pointer, "/policy");
    dungeon_made_fini(&made);
}
