/* SPDX-License-Identifier: MIT
 *
 * test_wfc_simple.c: levels of tiles that all fit, by rules that stand here once more: presets,
 * real tile sets and real samples; in one piece where a path is wanted; and what cannot be done.
 */
#include "tests/support/layout_run.h"
#include "tests/support/wave_data.h"

#include <criterion/criterion.h>

#include <stdio.h>

enum { RUN_BYTES = 128 << 20 };

static loam_status make(layout_run *run, const char *params, uint64_t seed) {
    return layout_run_make(run, &wfc_simple_recipe, &wfc_simple_code, params, seed);
}

static const char *const presets[] = {"dungeon", "cave", "terrain"};

Test(wfc_simple, presets_are_in_one_piece_with_two_ends) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    const int sides[][2] = {{64, 64}, {48, 32}, {20, 60}, {8, 8}, {33, 9}};
    for (uint64_t seed = 1; seed <= 75; seed++) {
        char text[256];
        const int *side = sides[seed / 3 % 5];
        snprintf(text, sizeof text, "{\"width\": %d, \"height\": %d, \"preset\": \"%s\"}", side[0],
                 side[1], presets[seed % 3]);
        cr_assert_eq(make(&run, text, seed), LOAM_OK);
        cr_assert_null(run.call.fault.word, "%s: %s", text, run.call.fault.text);
        cr_assert_eq(layout_run_regions(&run), 1);
        cr_assert(layout_run_has_ends(&run));
        cell_grid cells = layout_run_cells(&run);
        for (int32_t x = 0; x < cells.width; x++) {
            cr_assert_eq(grid_get(&cells, x, 0, 1), LOAM_CELL_WALL);
            cr_assert_eq(grid_get(&cells, x, cells.height - 1, 1), LOAM_CELL_WALL);
        }
    }
}

static loam_text tile_name(const layout_run *run, int32_t x, int32_t y) {
    cell_grid cells = layout_run_cells(run);
    return run->layout.tiles[run->layout.detail[grid_index(&cells, x, y)]];
}

static bool is_named(loam_text name, const char *wanted) {
    return name.size == strlen(wanted) + 2 && memcmp(name.bytes, wanted, strlen(wanted)) == 0;
}

Test(wfc_simple, terrain_changes_step_by_step) {
    static layout_run run;
    static const char *const order[] = {"deep", "water", "sand", "grass", "forest", "rock"};
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{\"preset\": \"terrain\"}", 5), LOAM_OK);
    static int level[64][64];
    for (int32_t y = 0; y < 64; y++) {
        for (int32_t x = 0; x < 64; x++) {
            level[y][x] = -1;
            for (int i = 0; i < 6; i++) {
                level[y][x] = is_named(tile_name(&run, x, y), order[i]) ? i : level[y][x];
            }
            cr_assert_geq(level[y][x], 0);
            cr_assert(x == 0 || abs(level[y][x] - level[y][x - 1]) <= 1);
            cr_assert(y == 0 || abs(level[y][x] - level[y - 1][x]) <= 1);
        }
    }
}

/* A door: floor or a corridor at two sides across, no way and no door at the other two. */
Test(wfc_simple, doors_of_the_dungeon_stand_in_walls) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    uint32_t count = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cr_assert_eq(make(&run, "{}", seed), LOAM_OK);
        cell_grid cells = layout_run_cells(&run);
        for (uint32_t i = 0; i < run.layout.door_count; i++) {
            const loam_door *door = &run.layout.doors[i];
            cr_assert_eq(door->id, i);
            cr_assert_eq(grid_get(&cells, door->at.x, door->at.y, 0), LOAM_CELL_DOOR);
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                loam_spot to = spot_step(door->at, way);
                bool along = (way == WAY_EAST || way == WAY_WEST) == (door->axis == LOAM_AXIS_X);
                cr_assert_eq(grid_get(&cells, to.x, to.y, 0),
                             along ? LOAM_CELL_WALL : LOAM_CELL_FLOOR);
            }
        }
        for (size_t i = 0; i < grid_count(&cells); i++) {
            count += cells.cells[i] == LOAM_CELL_DOOR;
        }
        cr_assert_gt(run.layout.door_count, 0);
        count -= run.layout.door_count;
    }
    cr_assert_eq(count, 0);
}

/* ---- Tile sets, by the propagator of the source that describes them
 * ------------------------------
 */

static char kinds[256]; /* symmetry of a tile */
static int firsts[32], cardinality, actions[256][8];
static bool across[256][256], along[256][256]; /* right of, above */

static int turn(char kind, int i) {
    return kind == 'L' || kind == 'T' ? (i + 1) % 4 : kind == 'I' || kind == '\\' ? 1 - i : 0;
}

static int mirror(char kind, int i) {
    return kind == 'L'    ? (i % 2 == 0 ? i + 1 : i - 1)
           : kind == 'T'  ? (i % 2 == 0 ? i : 4 - i)
           : kind == '\\' ? 1 - i
                          : i;
}

static int action_of(const wave_tileset *set, const char *name) {
    char base[32];
    int number = 0;
    sscanf(name, "%31s %d", base, &number);
    for (int i = 0; i < set->tile_count; i++) {
        if (strcmp(set->tiles[i].name, base) == 0) {
            return actions[firsts[i]][number];
        }
    }
    cr_assert_fail("%s is no tile", name);
    return 0;
}

static void build_propagator(const wave_tileset *set) {
    cardinality = 0;
    for (int i = 0; i < set->tile_count; i++) {
        char kind = set->tiles[i].symmetry;
        int count = kind == 'L' || kind == 'T' ? 4 : kind == 'I' || kind == '\\' ? 2 : 1;
        firsts[i] = cardinality;
        for (int t = 0; t < count; t++, cardinality++) {
            int a = turn(kind, t), aa = turn(kind, a), aaa = turn(kind, aa);
            const int map[8] = {t,
                                a,
                                aa,
                                aaa,
                                mirror(kind, t),
                                mirror(kind, a),
                                mirror(kind, aa),
                                mirror(kind, aaa)};
            kinds[cardinality] = kind;
            for (int s = 0; s < 8; s++) {
                actions[cardinality][s] = firsts[i] + map[s];
            }
        }
    }
    memset(across, 0, sizeof across);
    memset(along, 0, sizeof along);
    for (int i = 0; i < set->pair_count; i++) {
        int left = action_of(set, set->pairs[i].left), right = action_of(set, set->pairs[i].right);
        int down = actions[left][1], up = actions[right][1];
        across[left][right] = true;
        across[actions[right][4]][actions[left][4]] = true;
        across[actions[left][6]][actions[right][6]] = true;
        across[actions[right][2]][actions[left][2]] = true;
        along[up][down] = true;
        along[actions[down][6]][actions[up][6]] = true;
        along[actions[up][4]][actions[down][4]] = true;
        along[actions[down][2]][actions[up][2]] = true;
    }
}

static uint32_t illegal_pairs(const layout_run *run, bool periodic) {
    cell_grid cells = layout_run_cells(run);
    const uint8_t *tiles = run->layout.detail;
    uint32_t count = 0;
    for (int32_t y = 0; y < cells.height; y++) {
        for (int32_t x = 0; x < cells.width; x++) {
            uint8_t here = tiles[grid_index(&cells, x, y)];
            if (periodic || x + 1 < cells.width) {
                count += !across[here][tiles[grid_index(&cells, (x + 1) % cells.width, y)]];
            }
            if (periodic || y + 1 < cells.height) {
                count += !along[here][tiles[grid_index(&cells, x, (y + 1) % cells.height)]];
            }
        }
    }
    return count;
}

static void solve_tileset(const char *name, const char *rest, const char *walkable, bool periodic) {
    static layout_run run;
    static wave_tileset set;
    static char text[WAVE_DATA_BYTES + 256];
    if (!wave_data_tileset(name, &set)) {
        return;
    }
    layout_run_init(&run, RUN_BYTES);
    build_propagator(&set);
    snprintf(text, sizeof text, "{%s, \"tileset\": %s}", rest,
             wave_data_tileset_text(&set, walkable));
    for (uint64_t seed = 1; seed <= 8; seed++) {
        cr_assert_eq(make(&run, text, seed), LOAM_OK, "%s: %s", run.error.pointer, run.error.text);
        cr_assert_null(run.call.fault.word, "%s: %s", name, run.call.fault.text);
        cr_assert_eq(run.layout.tile_count, cardinality);
        cr_assert_eq(illegal_pairs(&run, periodic), 0);
        cr_assert(walkable[0] == 0 || layout_run_regions(&run) == 1);
    }
}

Test(wfc_simple, the_real_castle_is_solved_without_an_illegal_pair) {
    solve_tileset("Castle", "\"border\": 0, \"ensure_path\": false", "", false);
    solve_tileset("Castle", "\"border\": 0, \"ensure_path\": false, \"periodic\": true", "", true);
}

Test(wfc_simple, the_real_castle_is_solved_in_blocks_without_an_illegal_pair) {
    solve_tileset("Castle", "\"border\": 0, \"ensure_path\": false, \"width\": 130, \"height\": 96",
                  "", false);
}

Test(wfc_simple, the_real_castle_is_walked_through_its_gates) {
    solve_tileset("Castle", "\"width\": 40, \"height\": 32",
                  " bridge ground road roadturn t wallroad ", false);
    solve_tileset("Castle", "\"width\": 40, \"height\": 32", " bridge road roadturn t wallroad ",
                  false);
}

Test(wfc_simple, real_knots_are_one_rope) {
    solve_tileset("Knots", "\"width\": 40, \"height\": 32", " corner cross line t ", false);
    solve_tileset("Knots", "\"width\": 24, \"height\": 24, \"border\": 0, \"periodic\": true",
                  " corner line t ", true);
}

Test(wfc_simple, real_knots_are_tied_without_an_illegal_pair) {
    solve_tileset("Knots", "\"border\": 0, \"ensure_path\": false", "", false);
    solve_tileset("Knots", "\"border\": 0, \"ensure_path\": false, \"periodic\": true", "", true);
}

Test(wfc_simple, real_rooms_of_tiles_hang_together) {
    solve_tileset("Rooms", "\"width\": 60, \"height\": 50",
                  " bend corner corridor door empty side t turn ", false);
}

/* ---- Samples: every square of the level must be one of the sample
 * ---------------------------------
 */

typedef struct window {
    char cells[9];
} window;

static window window_at(const wave_sample *sample, int32_t x, int32_t y) {
    window cut;
    for (int32_t i = 0; i < 9; i++) {
        cut.cells[i] = sample->rows[(y + i / 3) % sample->height][(x + i % 3) % sample->width];
    }
    return cut;
}

/* The same square by one of eight symmetries. */
static window turned(window from, int symmetry) {
    window to;
    for (int32_t i = 0; i < 9; i++) {
        int32_t x = i % 3, y = i / 3;
        int32_t u = symmetry & 1 ? 2 - x : x, v = symmetry & 2 ? 2 - y : y;
        to.cells[i] = from.cells[symmetry & 4 ? u * 3 + v : v * 3 + u];
    }
    return to;
}

static bool is_in_sample(const wave_sample *sample, const window *wanted) {
    for (int32_t y = 0; y < sample->height; y++) {
        for (int32_t x = 0; x < sample->width; x++) {
            window cut = window_at(sample, x, y);
            for (int symmetry = 0; symmetry < 8; symmetry++) {
                window other = turned(cut, symmetry);
                if (memcmp(other.cells, wanted->cells, 9) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void check_windows(const layout_run *run, const wave_sample *sample) {
    cell_grid cells = layout_run_cells(run);
    for (int32_t y = 0; y + 3 <= cells.height; y++) {
        for (int32_t x = 0; x + 3 <= cells.width; x++) {
            window cut;
            for (int32_t i = 0; i < 9; i++) {
                cut.cells[i] = tile_name(run, x + i % 3, y + i / 3).bytes[0];
            }
            cr_assert(is_in_sample(sample, &cut), "at %d,%d", x, y);
        }
    }
}

static void solve_sample(const char *name, const char *rest, bool path) {
    static layout_run run;
    static wave_sample sample;
    static char text[WAVE_DATA_BYTES + 256];
    if (!wave_data_sample(name, &sample)) {
        return;
    }
    layout_run_init(&run, RUN_BYTES);
    snprintf(text, sizeof text, "{%s, \"sample\": %s}", rest, wave_data_sample_text(&sample, 8));
    for (uint64_t seed = 1; seed <= 3; seed++) {
        cr_assert_eq(make(&run, text, seed), LOAM_OK, "%s: %s", run.error.pointer, run.error.text);
        cr_assert_null(run.call.fault.word, "%s: %s", name, run.call.fault.text);
        check_windows(&run, &sample);
        cr_assert(!path || layout_run_regions(&run) == 1);
    }
}

Test(wfc_simple, the_real_dungeon_sample_is_solved_and_walkable) {
    solve_sample("Dungeon", "\"width\": 40, \"height\": 32", true);
}

/* No path can be pre-set in these: their ways turn every few cells. */
Test(wfc_simple, the_real_maze_and_office_are_walkable_too) {
    solve_sample("Maze", "\"width\": 40, \"height\": 32", true);
    solve_sample("Office", "\"width\": 40, \"height\": 32", true);
    solve_sample("Office", "\"width\": 70, \"height\": 40", true);
}

Test(wfc_simple, the_other_real_samples_are_walkable) {
    static const char *const names[] = {"Rooms", "LessRooms", "Cave", "Village", "Sewers", "Town"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        solve_sample(names[i], "\"width\": 40, \"height\": 32", true);
    }
}

/* Its walls are whole lines: rooms of 3 x 3, whatever the seed. */
Test(wfc_simple, what_no_tiling_joins_says_how_many_regions_are_left) {
    static layout_run run;
    static wave_sample sample;
    static char text[WAVE_DATA_BYTES + 256];
    if (!wave_data_sample("SimpleMaze", &sample)) {
        return;
    }
    layout_run_init(&run, RUN_BYTES);
    snprintf(text, sizeof text, "{\"width\": 40, \"height\": 32, \"border\": 0, \"sample\": %s}",
             wave_data_sample_text(&sample, 8));
    cr_assert_eq(make(&run, text, 1), LOAM_OK, "%s", run.error.text);
    cr_assert_str_eq(run.call.fault.word, "apart");
    cr_assert_not_null(strstr(run.call.fault.text, "regions"), "%s", run.call.fault.text);
}

Test(wfc_simple, the_real_rooms_sample_is_solved) {
    solve_sample("Rooms", "\"border\": 0, \"ensure_path\": false, \"width\": 40, \"height\": 32",
                 false);
}

/* ---- Small ones, and what cannot be done
 * ---------------------------------------------------------
 */

static loam_status make_checkers(layout_run *run, int width, int backtracks_max) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"width\": %d, \"height\": 8, \"border\": 0, \"ensure_path\": false, "
             "\"restarts_max\": 1, \"backtracks_max\": %d, \"tileset\": {\"periodic\": true, "
             "\"tiles\": [{\"name\": \"a\"}, {\"name\": \"b\", \"walkable\": true}], "
             "\"neighbors\": [[\"a\", \"b\"]]}}",
             width, backtracks_max);
    return make(run, text, 1);
}

Test(wfc_simple, two_tiles_take_turns_round_a_periodic_level) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make_checkers(&run, 8, 100), LOAM_OK);
    cr_assert_null(run.call.fault.word);
    cell_grid cells = layout_run_cells(&run);
    for (int32_t x = 0; x < 8; x++) {
        for (int32_t y = 0; y < 8; y++) {
            uint8_t here = cells.cells[grid_index(&cells, x, y)];
            cr_assert_neq(here, cells.cells[grid_index(&cells, (x + 1) % 8, y)]);
            cr_assert_neq(here, cells.cells[grid_index(&cells, x, (y + 1) % 8)]);
        }
    }
}

/* Nine cells in a ring cannot take turns: known for sure only by going back. */
Test(wfc_simple, what_has_no_solution_is_infeasible_and_what_was_not_sought_a_spent_budget) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make_checkers(&run, 9, 100), LOAM_OK);
    cr_assert_str_eq(run.call.fault.word, "infeasible");
    cr_assert_eq(make_checkers(&run, 9, 0), LOAM_OK);
    cr_assert_str_eq(run.call.fault.word, "budget");
}

Test(wfc_simple, a_tile_that_fits_nowhere_is_never_set) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run,
                      "{\"border\": 0, \"ensure_path\": false, \"tileset\": {\"tiles\": "
                      "[{\"name\": \"a\", \"walkable\": true}, {\"name\": \"odd\", \"weight\": "
                      "1000}], \"neighbors\": [[\"a\", \"a\"]]}}",
                      1),
                 LOAM_OK);
    cr_assert_eq(layout_run_open(&run), 64 * 64);
}

Test(wfc_simple, says_why_it_cannot_be_done_and_where) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    const struct {
        const char *params, *pointer;
        loam_status status;
    } cases[] = {
        {"{\"tileset\": {\"tiles\": [{\"name\": \"a\"}], \"neighbors\": [[\"a\", \"a\"]]}}",
         "/params/ensure_path", LOAM_INFEASIBLE},
        {"{\"tileset\": {\"tiles\": [{\"name\": \"a\", \"walkable\": true}], \"neighbors\": "
         "[[\"a\", \"a\"]]}}",
         "/params/border", LOAM_INFEASIBLE},
        {"{\"tileset\": {\"tiles\": [{\"name\": \"a\"}], \"neighbors\": [[\"a\", \"z 1\"]]}}",
         "/params/tileset/neighbors/0/1", LOAM_NOT_FOUND},
        {"{\"tileset\": {\"tiles\": [{\"name\": \"a\"}], \"neighbors\": [[\"a\"]]}}",
         "/params/tileset/neighbors/0", LOAM_WRONG_TYPE},
        {"{\"tileset\": {\"tiles\": [{\"name\": \"a\"}, {\"name\": \"a\"}], \"neighbors\": []}}",
         "/params/tileset/tiles/1", LOAM_DUPLICATE},
        {"{\"tileset\": {\"tiles\": [{\"name\": \"a\", \"height\": 1}], \"neighbors\": []}}",
         "/params/tileset/tiles/0/height", LOAM_UNKNOWN_FIELD},
        {"{\"sample\": {\"rows\": [\"..\", \".\"]}}", "/params/sample/rows/1", LOAM_OUT_OF_RANGE},
        {"{\"sample\": {\"rows\": [\"..\"], \"symmetry\": 9}}", "/params/sample/symmetry",
         LOAM_OUT_OF_RANGE},
        {"{\"sample\": {\"rows\": [\"..\"]}, \"tileset\": {}}", "/params/sample",
         LOAM_OUT_OF_RANGE},
        {"{\"width\": 257}", "/params/width", LOAM_OUT_OF_RANGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(make(&run, cases[i].params, 1), cases[i].status, "%s: %d", cases[i].params,
                     run.error.status);
        cr_expect_str_eq(run.error.pointer, cases[i].pointer);
    }
}

Test(wfc_simple, stairs_are_walked_on_and_reached) {
    static layout_run run;
    const loam_spot stairs[] = {{1, 1}, {50, 40}};
    layout_run_init(&run, RUN_BYTES);
    run.reserved = stairs;
    run.reserved_count = 2;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        char text[64];
        snprintf(text, sizeof text, "{\"preset\": \"%s\"}", presets[seed % 3]);
        cr_assert_eq(make(&run, text, seed), LOAM_OK);
        cr_assert_null(run.call.fault.word, "%s: %s", text, run.call.fault.text);
        cell_grid cells = layout_run_cells(&run);
        cr_assert_neq(grid_get(&cells, 1, 1, 0), LOAM_CELL_WALL);
        cr_assert_neq(grid_get(&cells, 50, 40, 0), LOAM_CELL_WALL);
        cr_assert_eq(layout_run_regions(&run), 1);
    }
}

Test(wfc_simple, above_64_squared_blocks_make_one_level) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        char text[128];
        snprintf(text, sizeof text, "{\"width\": %d, \"height\": %d, \"preset\": \"%s\"}",
                 65 + (int)seed * 11, 30 + (int)seed * 20, presets[seed % 3]);
        cr_assert_eq(make(&run, text, seed), LOAM_OK);
        cr_assert_null(run.call.fault.word, "%s: %s", text, run.call.fault.text);
        cr_assert_eq(layout_run_regions(&run), 1);
    }
}

/* Tiles fit across the edge of a periodic level, and yet all is reached without going over it. */
Test(wfc_simple, periodic_presets_are_in_one_piece_too) {
    static layout_run run;
    layout_run_init(&run, RUN_BYTES);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        char text[128];
        snprintf(text, sizeof text,
                 "{\"width\": %d, \"height\": 40, \"border\": %d, \"periodic\": true, "
                 "\"preset\": \"%s\"}",
                 seed % 5 == 0 ? 90 : 40, (int)seed % 2, presets[seed % 3]);
        cr_assert_eq(make(&run, text, seed), LOAM_OK);
        cr_assert_null(run.call.fault.word, "%s: %s", text, run.call.fault.text);
        cr_assert_eq(layout_run_regions(&run), 1);
    }
}

Test(wfc_simple, is_a_function_of_its_seed_and_can_be_cancelled) {
    static layout_run run;
    static uint8_t first[64 * 64];
    static const int cancel = 1;
    layout_run_init(&run, RUN_BYTES);
    cr_assert_eq(make(&run, "{}", 9), LOAM_OK);
    memcpy(first, run.layout.detail, sizeof first);
    cr_assert_eq(make(&run, "{}", 9), LOAM_OK);
    cr_assert_arr_eq(first, run.layout.detail, sizeof first);
    cr_assert_eq(make(&run, "{}", 10), LOAM_OK);
    cr_assert_neq(memcmp(first, run.layout.detail, sizeof first), 0);
    run.cancel = &cancel;
    cr_assert_eq(make(&run, "{}", 9), LOAM_CANCELLED);
}
