/* SPDX-License-Identifier: MIT
 *
 * test_floor_measure.c: measures of layouts drawn by hand, and of random ones against plain counts.
 */
#include "core/dungeon/floor_build.h"
#include "tests/support/layout_rows.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

static char memory[4 << 20];
static loam_arena arena;
static loam_layout layout;

static loam_metrics measure(void) {
    floor_state state = {.layout = &layout, .stairs = {{-1, -1}, {-1, -1}}};
    loam_error error = {0};
    layout_size size = {layout.width, layout.height, 0};
    loam_arena tight;
    void *own = malloc(floor_measure_bytes(size));
    loam_arena_init(&tight, own, floor_measure_bytes(size));
    cr_assert_eq(floor_finish(&state, &tight, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(floor_measure(&state, &tight, &error), LOAM_OK, "%s", error.text);
    free(own);
    return state.metrics;
}

static loam_metrics measure_rows(const char *rows) {
    loam_arena_init(&arena, memory, sizeof memory);
    layout = layout_of_rows(rows, &arena);
    return measure();
}

Test(floor_measure, a_ring_has_one_loop_and_no_end) {
    loam_metrics metrics = measure_rows("#####\n#@..#\n#.#.#\n#..>#\n#####\n");
    cr_expect_eq(metrics.regions, 1);
    cr_expect_eq(metrics.walkable, 8);
    cr_expect_eq(metrics.floor_percent, 32);
    cr_expect_eq(metrics.loops, 1);
    cr_expect_eq(metrics.dead_ends, 0);
    cr_expect_eq(metrics.path_steps, 4);
    cr_expect_eq(metrics.path_permille, 625);
    cr_expect_eq(metrics.largest_open, 1);
    cr_expect_eq(metrics.clearance, 1);
}

Test(floor_measure, islands_are_counted_and_cannot_be_reached) {
    loam_metrics metrics = measure_rows("#######\n#@.#..#\n#.>#..#\n#######\n");
    cr_expect_eq(metrics.regions, 2);
    cr_expect_eq(metrics.walkable, 8);
    cr_expect_eq(metrics.unreachable, 4);
    cr_expect_eq(metrics.largest_open, 4);
    cr_expect_eq(metrics.clearance, 2);
}

Test(floor_measure, cells_that_touch_at_a_corner_are_apart) {
    loam_metrics metrics = measure_rows("####\n#@##\n##>#\n####\n");
    cr_expect_eq(metrics.regions, 2);
    cr_expect_eq(metrics.unreachable, 1);
}

Test(floor_measure, an_exit_that_no_way_leads_to_is_chosen_anew) {
    loam_metrics metrics = measure_rows("#####\n#@.##\n###>#\n#####\n");
    cr_expect_eq(metrics.path_steps, 1);
    cr_expect_eq(layout.exit.x, 2);
}

Test(floor_measure, nothing_to_walk_on_is_no_fault_of_the_measures) {
    loam_metrics metrics = measure_rows("########\n########\n");
    cr_expect_eq(metrics.regions, 0);
    cr_expect_eq(metrics.walkable, 0);
    cr_expect_eq(metrics.path_steps, -1);
    cr_expect_eq(metrics.clearance, 0);
    cr_expect_eq(layout.entrance.x, -1);
}

Test(floor_measure, clearance_is_of_the_whole_way) {
    cr_expect_eq(measure_rows("#########\n#@.....>#\n#.......#\n#.......#\n#########\n").clearance,
                 3);
    cr_expect_eq(measure_rows("#########\n#@.....>#\n#...#...#\n#...#...#\n#########\n").clearance,
                 1);
    cr_expect_eq(measure_rows("#########\n#@.....>#\n#.......#\n#...#...#\n#########\n").clearance,
                 2);
}

Test(floor_measure, doors_stand_between_floors_and_walls) {
    static const struct {
        const char *rows;
        loam_door door;
        int64_t faults;
    } cases[] = {
        {"#####\n#@+.#\n#####\n", {.at = {2, 1}, .width = 1, .axis = LOAM_AXIS_Y}, 0},
        {"#####\n#@+.#\n#####\n", {.at = {2, 1}, .width = 1, .axis = LOAM_AXIS_X}, 1},
        {"#####\n#@+##\n#####\n", {.at = {2, 1}, .width = 1, .axis = LOAM_AXIS_Y}, 1},
        {"#####\n#@+.#\n##.##\n", {.at = {2, 1}, .width = 1, .axis = LOAM_AXIS_Y}, 1},
        {"#####\n#@+.#\n#.+.#\n#####\n", {.at = {2, 1}, .width = 2, .axis = LOAM_AXIS_Y}, 0},
        {"#####\n#@+.#\n#.+.#\n#####\n", {.at = {2, 1}, .width = 1, .axis = LOAM_AXIS_Y}, 1},
        {"#####\n#@..#\n#####\n", {.at = {2, 1}, .width = 1, .axis = LOAM_AXIS_Y}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loam_door door = cases[i].door;
        loam_arena_init(&arena, memory, sizeof memory);
        layout = layout_of_rows(cases[i].rows, &arena);
        layout.doors = &door;
        layout.door_count = 1;
        cr_expect_eq(measure().door_faults, cases[i].faults, "case %zu", i);
    }
}

/* Rooms of one cell at these places, joined in a chain, and some edges more. */
static loam_metrics measure_rooms(const loam_spot *at, uint32_t count, const uint32_t (*more)[2],
                                  uint32_t more_count) {
    static loam_room rooms[16];
    static loam_room_edge edges[32];
    loam_arena_init(&arena, memory, sizeof memory);
    layout = layout_of_rows("........\n........\n........\n........\n", &arena);
    for (uint32_t i = 0; i < count; i++) {
        rooms[i] = (loam_room){.box = {at[i].x, at[i].y, 1, 1}};
        edges[i] = (loam_room_edge){.a = i, .b = i + 1};
    }
    for (uint32_t i = 0; i < more_count; i++) {
        edges[count - 1 + i] = (loam_room_edge){.a = more[i][0], .b = more[i][1]};
    }
    layout.rooms = rooms;
    layout.room_count = count;
    layout.edges = edges;
    layout.edge_count = count - 1 + more_count;
    return measure();
}

Test(floor_measure, rooms_in_a_line_are_as_linear_as_can_be) {
    static const loam_spot line[] = {{0, 0}, {1, 0}, {3, 0}, {5, 0}, {7, 0}};
    static const loam_spot slope[] = {{0, 0}, {2, 1}, {4, 2}, {6, 3}};
    static const loam_spot square[] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}};
    cr_expect_eq(measure_rooms(line, 5, NULL, 0).linearity, 1000);
    cr_expect_eq(measure_rooms(slope, 4, NULL, 0).linearity, 1000);
    cr_expect_eq(measure_rooms(square, 4, NULL, 0).linearity, 0);
    cr_expect_eq(measure_rooms(line, 2, NULL, 0).linearity, 0);
}

Test(floor_measure, loops_and_diameter_are_of_the_graph_of_rooms) {
    static const loam_spot at[] = {{0, 0}, {2, 0}, {4, 0}, {4, 2}, {2, 2}, {0, 2}};
    static const uint32_t more[][2] = {{0, 5}, {1, 4}};
    loam_metrics metrics = measure_rooms(at, 6, NULL, 0);
    cr_expect_eq(metrics.loops, 0);
    cr_expect_eq(metrics.diameter, 5);
    metrics = measure_rooms(at, 6, more, 2);
    cr_expect_eq(metrics.loops, 2);
    cr_expect_eq(metrics.diameter, 3);
}

Test(floor_measure, entrance_and_boss_rooms_are_far_apart) {
    static const loam_spot at[] = {{4, 2}, {0, 0}, {7, 3}};
    (void)measure_rooms(at, 3, NULL, 0);
    cr_expect_eq(layout.rooms[1].kind, LOAM_ROOM_ENTRANCE);
    cr_expect_eq(layout.rooms[2].kind, LOAM_ROOM_BOSS);
    cr_expect_eq(layout.rooms[0].kind, LOAM_ROOM_SMALL);
    cr_expect_eq(layout.exit.x, 7);
}

/* Plain counts: a flood, every neighbour, every square. */
static int32_t flood(const loam_layout *of, uint8_t *seen, int32_t x, int32_t y, bool walls) {
    if (x < 0 || y < 0 || x >= of->width || y >= of->height || seen[y * of->width + x] ||
        (of->cells[y * of->width + x] == LOAM_CELL_WALL) != walls) {
        return 0;
    }
    seen[y * of->width + x] = 1;
    int32_t count = 1;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (walls || (dx == 0) != (dy == 0)) {
                count += flood(of, seen, x + dx, y + dy, walls);
            }
        }
    }
    return count;
}

static int64_t plain_regions(const loam_layout *of) {
    uint8_t seen[80 * 40] = {0};
    int64_t count = 0;
    for (int32_t i = 0; i < of->width * of->height; i++) {
        count += flood(of, seen, i % of->width, i / of->width, false) > 0;
    }
    return count;
}

/* Parts of walls, by corners too, that do not touch the frame. */
static int64_t plain_loops(const loam_layout *of) {
    uint8_t seen[80 * 40] = {0};
    int64_t count = 0;
    for (int32_t y = 0; y < of->height; y++) {
        for (int32_t x = 0; x < of->width; x++) {
            if (x == 0 || y == 0 || x == of->width - 1 || y == of->height - 1) {
                flood(of, seen, x, y, true);
            }
        }
    }
    for (int32_t i = 0; i < of->width * of->height; i++) {
        count += flood(of, seen, i % of->width, i / of->width, true) > 0;
    }
    return count;
}

static int64_t plain_largest(const loam_layout *of) {
    int32_t best = 0;
    for (int32_t y = 0; y < of->height; y++) {
        for (int32_t x = 0; x < of->width; x++) {
            for (int32_t side = best + 1; x + side <= of->width && y + side <= of->height; side++) {
                bool open = true;
                for (int32_t i = 0; i < side * side && open; i++) {
                    open = of->cells[(y + i / side) * of->width + x + i % side] != LOAM_CELL_WALL;
                }
                if (!open) {
                    break;
                }
                best = side;
            }
        }
    }
    return (int64_t)best * best;
}

static int64_t plain_ends(const loam_layout *of) {
    int64_t count = 0;
    cell_grid grid = {of->width, of->height, of->cells};
    for (int32_t y = 0; y < of->height; y++) {
        for (int32_t x = 0; x < of->width; x++) {
            int open = 0;
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                loam_spot to = spot_step((loam_spot){x, y}, way);
                open += grid_get(&grid, to.x, to.y, LOAM_CELL_WALL) != LOAM_CELL_WALL;
            }
            count += open == 1 && of->cells[y * of->width + x] != LOAM_CELL_WALL;
        }
    }
    return count;
}

Test(floor_measure, bits_count_what_plain_counting_does) {
    for (uint64_t seed = 1; seed < 120; seed++) {
        test_random random = {seed};
        int32_t width = 1 + (int32_t)random_between(&random, 0, 79);
        int32_t height = 1 + (int32_t)random_between(&random, 0, 39);
        loam_arena_init(&arena, memory, sizeof memory);
        layout =
            (loam_layout){.width = width, .height = height, .entrance = {-1, -1}, .exit = {-1, -1}};
        layout.cells = loam_arena_take(&arena, (size_t)width, (size_t)height);
        for (int32_t i = 0; i < width * height; i++) {
            layout.cells[i] = random_between(&random, 0, 11) >= (int64_t)(seed % 12);
        }
        loam_metrics metrics = measure();
        cr_expect_eq(metrics.regions, plain_regions(&layout), "seed %d", (int)seed);
        cr_expect_eq(metrics.loops, plain_loops(&layout), "seed %d", (int)seed);
        cr_expect_eq(metrics.largest_open, plain_largest(&layout), "seed %d", (int)seed);
        cr_expect_eq(metrics.dead_ends, plain_ends(&layout), "seed %d", (int)seed);
    }
}

enum { GRAPH_ROOMS = 60, GRAPH_EDGES = 90, FAR = 1000 };
/* Of more than 256 rooms, only those know what is far. */
enum { TREE_ROOMS = 300, TREE_SOURCES = 256 };

/* The most steps between two rooms that a way joins, by Floyd and Warshall. */
static uint32_t plain_diameter(const loam_room_edge *edges, uint32_t edge_count, uint32_t rooms) {
    static uint32_t steps[TREE_ROOMS][TREE_ROOMS];
    uint32_t most = 0;
    for (uint32_t i = 0; i < rooms * rooms; i++) {
        steps[i / rooms][i % rooms] = i / rooms == i % rooms ? 0 : FAR;
    }
    for (uint32_t i = 0; i < edge_count; i++) {
        if (edges[i].a != edges[i].b) {
            steps[edges[i].a][edges[i].b] = steps[edges[i].b][edges[i].a] = 1;
        }
    }
    for (uint32_t by = 0; by < rooms; by++) {
        for (uint32_t i = 0; i < rooms * rooms; i++) {
            uint32_t around = steps[i / rooms][by] + steps[by][i % rooms];
            uint32_t *way = &steps[i / rooms][i % rooms];
            *way = around < *way ? around : *way;
        }
    }
    for (uint32_t i = 0; i < rooms * rooms && i < rooms * TREE_SOURCES; i++) {
        uint32_t way = steps[i / rooms][i % rooms];
        most = way < FAR && way > most ? way : most;
    }
    return most;
}

Test(floor_measure, the_diameter_is_that_of_all_pairs_of_rooms) {
    static loam_room rooms[GRAPH_ROOMS];
    static loam_room_edge edges[GRAPH_EDGES];
    test_random random = {11};
    loam_arena_init(&arena, memory, sizeof memory);
    for (uint32_t i = 0; i < GRAPH_ROOMS; i++) {
        rooms[i].box = (loam_box){(int32_t)i % 8, (int32_t)i / 8, 1, 1};
    }
    layout = layout_of_rows("........\n........\n........\n........\n........\n........\n........\n"
                            "........\n",
                            &arena);
    layout.rooms = rooms;
    layout.edges = edges;
    for (uint32_t run = 0; run < 300; run++) {
        layout.room_count = (uint32_t)random_between(&random, 1, GRAPH_ROOMS);
        layout.edge_count = (uint32_t)random_between(&random, 0, GRAPH_EDGES);
        int64_t last = (int64_t)layout.room_count - 1, near = random_between(&random, 1, 8);
        for (uint32_t i = 0; i < layout.edge_count; i++) {
            int64_t a = random_between(&random, 0, last);
            int64_t b = a + random_between(&random, 0, near);
            edges[i] = (loam_room_edge){.a = (uint32_t)a, .b = (uint32_t)(b > last ? last : b)};
        }
        uint32_t plain = plain_diameter(edges, layout.edge_count, layout.room_count);
        cr_assert_eq(measure().diameter, plain, "run %u", run);
    }
}

/* Each room but the first hangs on one of the `near` before it; then numbers begin anywhere. */
static void draw_tree(test_random *random, uint32_t rooms, int64_t near, loam_room_edge *edges) {
    uint32_t shift = (uint32_t)random_between(random, 0, rooms - 1);
    for (uint32_t i = 1; i < rooms; i++) {
        uint32_t to = i - (uint32_t)random_between(random, 1, i < near ? i : near);
        edges[i - 1] = (loam_room_edge){.a = (i + shift) % rooms, .b = (to + shift) % rooms};
    }
}

Test(floor_measure, the_diameter_of_a_tree_is_that_of_all_pairs_of_rooms) {
    static loam_room rooms[TREE_ROOMS];
    static loam_room_edge edges[TREE_ROOMS];
    test_random random = {12};
    loam_arena_init(&arena, memory, sizeof memory);
    for (uint32_t i = 0; i < TREE_ROOMS; i++) {
        rooms[i].box = (loam_box){(int32_t)i % 40, (int32_t)i / 40, 1, 1};
    }
    layout = (loam_layout){.width = 40, .height = 40, .rooms = rooms, .edges = edges};
    layout.entrance = layout.exit = (loam_spot){-1, -1};
    layout.cells = loam_arena_take_zero(&arena, 40, 40);
    cr_assert_not_null(layout.cells);
    memset(layout.cells, LOAM_CELL_FLOOR, 1600);
    for (uint32_t run = 0; run < 120; run++) {
        layout.room_count =
            run % 8 == 0 ? TREE_ROOMS - run / 8 : (uint32_t)random_between(&random, 1, 40);
        layout.edge_count = layout.room_count - 1;
        draw_tree(&random, layout.room_count, random_between(&random, 1, 12), edges);
        uint32_t plain = plain_diameter(edges, layout.edge_count, layout.room_count);
        loam_metrics metrics = measure();
        cr_assert_eq(metrics.loops, 0);
        cr_assert_eq(metrics.diameter, plain, "run %u", run);
    }
}
