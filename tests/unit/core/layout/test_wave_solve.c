/* SPDX-License-Identifier: MIT
 *
 * test_wave_solve.c: blocks of a small grid: what stands around them holds, what fails changes
 * nothing, wishes are kept; and models of documents, tile by tile.
 */
#include "core/layout/wave_solve.h"

#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>

enum { SIDE = 12 };

static uint16_t tiles[SIDE * SIDE];
static uint8_t wishes[SIDE * SIDE];
static const wave_limits usual = {.backtracks_max = 500, .restarts_max = 3, .steps_max = 1 << 24};

typedef struct wave_case {
    loam_arena arena;
    wave_model model;
    wave_solver *solver;
    wave_grid grid;
    wave_counts counts;
} wave_case;

static void begin(wave_case *test, const char *document) {
    loam_error error = {0};
    *test = (wave_case){.arena = arena_of(1 << 23)};
    cr_assert_eq(wave_model_of_tiles(rules_of_text(document, &test->arena), "", &test->arena,
                                     &test->model, &error),
                 LOAM_OK, "%s: %s", error.pointer, error.text);
    size_t mark = loam_arena_mark(&test->arena);
    cr_assert_eq(wave_solver_take(&test->model, SIDE * SIDE, &test->arena, &test->solver, &error),
                 LOAM_OK);
    cr_assert_leq(loam_arena_mark(&test->arena) - mark,
                  wave_solver_bytes(test->model.tile_count, SIDE * SIDE));
    test->grid = (wave_grid){.width = SIDE, .height = SIDE, .tiles = tiles, .wishes = wishes};
    memset(tiles, 0xff, sizeof tiles);
    memset(wishes, 0, sizeof wishes);
}

static wave_verdict solve(wave_case *test, loam_box block, uint64_t key) {
    return wave_solve(test->solver, &test->grid, block, key, usual, &test->counts);
}

/* Heights 0 to 4, of which neighbours differ by one at most. */
static const char heights[] =
    "{\"tiles\": [{\"name\": \"0\"}, {\"name\": \"1\"}, {\"name\": \"2\", \"walkable\": true}, "
    "{\"name\": \"3\", \"walkable\": true}, {\"name\": \"4\"}], \"neighbors\": [[\"0\", \"0\"], "
    "[\"0\", \"1\"], [\"1\", \"1\"], [\"1\", \"2\"], [\"2\", \"2\"], [\"2\", \"3\"], "
    "[\"3\", \"3\"], [\"3\", \"4\"], [\"4\", \"4\"]]}";

Test(wave_solve, a_block_fits_what_stands_around_it_and_leaves_the_rest) {
    wave_case test;
    begin(&test, heights);
    const loam_box whole = {0, 0, SIDE, SIDE}, inner = {3, 4, 6, 5};
    uint16_t before[SIDE * SIDE];
    cr_assert_eq(solve(&test, whole, 1), WAVE_DONE);
    cr_assert_eq(wave_faults(&test.model, &test.grid), 0);
    memcpy(before, tiles, sizeof before);
    cr_assert_eq(solve(&test, inner, 2), WAVE_DONE);
    cr_assert_eq(wave_faults(&test.model, &test.grid), 0);
    uint32_t changed = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        bool inside = box_has(inner, i % SIDE, i / SIDE);
        cr_assert(inside || tiles[i] == before[i]);
        changed += tiles[i] != before[i];
    }
    cr_assert_gt(changed, 0);
}

Test(wave_solve, a_block_without_a_solution_is_as_it_was) {
    wave_case test;
    begin(&test, heights);
    memset(tiles, 0, sizeof tiles);
    tiles[5 * SIDE + 7] = 4; /* between 0 and 4 there is no room for three steps */
    uint16_t before[SIDE * SIDE];
    memcpy(before, tiles, sizeof before);
    cr_assert_eq(solve(&test, (loam_box){5, 5, 2, 1}, 1), WAVE_NONE);
    cr_assert_arr_eq(tiles, before, sizeof before);
}

Test(wave_solve, wishes_are_kept) {
    wave_case test;
    begin(&test, heights);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        wishes[i] = i % SIDE == 3 ? WAVE_WALK : i % SIDE == 8 ? WAVE_ROCK : WAVE_ANY;
    }
    for (uint64_t key = 1; key <= 20; key++) {
        cr_assert_eq(solve(&test, (loam_box){0, 0, SIDE, SIDE}, key), WAVE_DONE);
        cr_assert_eq(wave_faults(&test.model, &test.grid), 0);
        for (int32_t y = 0; y < SIDE; y++) {
            cr_assert(test.model.tiles[tiles[y * SIDE + 3]].walkable);
            cr_assert(!test.model.tiles[tiles[y * SIDE + 8]].walkable);
        }
    }
}

/* Columns solved alone, from west to east, see what the next one must be. */
Test(wave_solve, a_block_minds_the_wishes_beside_it) {
    wave_case test;
    begin(&test, heights);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        wishes[i] = i % SIDE == 5 ? WAVE_WALK : WAVE_ANY;
    }
    for (uint64_t key = 1; key <= 20; key++) {
        memset(tiles, 0xff, sizeof tiles);
        cr_assert_eq(solve(&test, (loam_box){0, 0, 5, SIDE}, key), WAVE_DONE);
        for (int32_t y = 0; y < SIDE; y++) {
            cr_assert_neq(tiles[y * SIDE + 4], 0);
        }
    }
}

Test(wave_solve, counts_faults_of_a_grid) {
    wave_case test;
    begin(&test, heights);
    memset(tiles, 0, sizeof tiles);
    cr_expect_eq(wave_faults(&test.model, &test.grid), 0);
    tiles[5 * SIDE + 5] = 3;
    cr_expect_eq(wave_faults(&test.model, &test.grid), 4);
    tiles[5 * SIDE + 5] = WAVE_OPEN;
    cr_expect_eq(wave_faults(&test.model, &test.grid), 3);
    tiles[5 * SIDE + 5] = 0;
    tiles[0] = 2;
    cr_expect_eq(wave_faults(&test.model, &test.grid), 2);
    test.grid.periodic = true;
    cr_expect_eq(wave_faults(&test.model, &test.grid), 4);
}

Test(wave_model, turns_and_mirrors_a_pair_of_an_f) {
    wave_case test;
    begin(&test, "{\"tiles\": [{\"name\": \"f\", \"symmetry\": \"F\"}, {\"name\": \"x\"}], "
                 "\"neighbors\": [[\"f\", \"x\"]]}");
    cr_assert_eq(test.model.tile_count, 9);
    /* As it is x stands east; a quarter against the clock, north; mirrored, west. */
    const uint32_t ways[] = {WAY_EAST, WAY_NORTH, WAY_WEST, WAY_SOUTH};
    const uint32_t mirrored[] = {WAY_WEST, WAY_NORTH, WAY_EAST, WAY_SOUTH};
    for (uint32_t tile = 0; tile < 8; tile++) {
        uint32_t wanted = tile < 4 ? ways[tile] : mirrored[tile - 4];
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            cr_expect_eq(wave_may_stand(&test.model, tile, way, 8), way == wanted, "%u %u", tile,
                         way);
            cr_expect_eq(wave_may_stand(&test.model, 8, (way + 2) & 3, tile), way == wanted);
        }
    }
}

Test(wave_model, counts_the_patterns_of_a_sample) {
    loam_arena arena = arena_of(1 << 22);
    wave_model model;
    const loam_rules *plain = rules_of_text("{\"rows\": [\"..\", \"..\"]}", &arena);
    cr_assert_eq(wave_model_of_sample(plain, 3, "", &arena, &model, NULL), LOAM_OK);
    cr_expect_eq(model.tile_count, 1);
    cr_expect_eq(model.tiles[0].weight, 32);
    cr_expect(model.tiles[0].walkable);
    /* Stripes: two places, and as many turned. */
    const loam_rules *stripes = rules_of_text("{\"rows\": [\".#\", \".#\"]}", &arena);
    cr_assert_eq(wave_model_of_sample(stripes, 2, "", &arena, &model, NULL), LOAM_OK);
    cr_expect_eq(model.tile_count, 4);
    cr_expect_eq(model.name_count, 2);
    const loam_rules *alone =
        rules_of_text("{\"rows\": [\".#\", \".#\"], \"symmetry\": 1}", &arena);
    cr_assert_eq(wave_model_of_sample(alone, 2, "", &arena, &model, NULL), LOAM_OK);
    cr_expect_eq(model.tile_count, 2);
    cr_expect_eq(model.walkable_count, 1);
    cr_expect(wave_may_stand(&model, 0, WAY_EAST, 1) && !wave_may_stand(&model, 0, WAY_EAST, 0));
    cr_expect(wave_may_stand(&model, 0, WAY_SOUTH, 0) && !wave_may_stand(&model, 0, WAY_SOUTH, 1));
}

Test(wave_model, every_tile_of_a_preset_has_a_neighbour_on_each_side) {
    for (int preset = WAVE_DUNGEON; preset <= WAVE_TERRAIN; preset++) {
        loam_arena arena = arena_of(1 << 20);
        wave_model model;
        cr_assert_eq(wave_model_of_preset((wave_preset)preset, &arena, &model, NULL), LOAM_OK);
        cr_assert_leq(arena.used, wave_model_bytes(model.tile_count) + model.tile_count * 64);
        for (uint32_t i = 0; i < WAY_COUNT * model.tile_count; i++) {
            cr_expect_neq(model.fits[i * model.words], 0, "all fit the first word");
        }
    }
}
