/* SPDX-License-Identifier: MIT
 *
 * test_tile_map.c: rules of tiles: which fits first, how it is turned, what is drawn, what is
 * refused.
 */
#include "core/assembly/mask.h"
#include "core/assembly/tile_map.h"
#include "core/grid/draw.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>

static char memory[4 << 20];
static loam_arena arena;

static loam_status read_map(const char *json, const tile_map **map, loam_error *error) {
    loam_arena_init(&arena, memory, sizeof memory);
    *error = (loam_error){0};
    return tile_map_read(json == NULL ? NULL : rules_of_text(json, &arena), "/params/tile_map",
                         &arena, map, error);
}

static const tile_map *map_of(const char *json) {
    const tile_map *map;
    loam_error error;
    cr_assert_eq(read_map(json, &map, &error), LOAM_OK, "%s %s", error.pointer, error.text);
    return map;
}

static void expect_refused(const char *json, loam_status status, const char *pointer) {
    const tile_map *map;
    loam_error error;
    cr_expect_eq(read_map(json, &map, &error), status, "%s", json);
    cr_expect_str_eq(error.pointer, pointer, "%s: %s", error.pointer, error.text);
}

static loam_tile pick(const tile_map *map, loam_tile_kind kind, unsigned mask, int32_t x) {
    tile_draw draw = {draw_for(5, STAGE_VARIANT, 0, 0), x, -1};
    uint16_t look = tile_map_pick(map, kind, (uint8_t)mask, draw);
    return look == LOAM_TILE_NONE ? (loam_tile){.asset = {"", 0}} : map->looks[look];
}

static void expect_tile(loam_tile tile, const char *asset, unsigned turn) {
    cr_expect(loam_text_equal(tile.asset, loam_text_of(asset)), "want %s, got %.*s", asset,
              (int)tile.asset.size, tile.asset.bytes);
    cr_expect_eq(tile.turn, turn, "%s: want turn %u, got %u", asset, turn, tile.turn);
}

Test(tile_map, the_map_that_is_built_in_has_a_piece_for_every_mask) {
    const tile_map *map = map_of(NULL);
    for (unsigned mask = 0; mask < 256; mask++) {
        cr_expect_neq(map->choices[LOAM_TILE_WALL][mask].count, 0, "wall %u", mask);
        cr_expect_neq(map->choices[LOAM_TILE_FLOOR][mask].count, 0, "floor %u", mask);
        cr_expect_neq(map->choices[LOAM_TILE_DOOR][mask].count, 0, "door %u", mask);
    }
    for (unsigned ways = 0; ways < 16; ways++) {
        uint8_t mask = loam_mask_convert((uint8_t)ways, LOAM_MASK_EDGES_FIRST, LOAM_MASK_CLOCKWISE);
        cr_expect_neq(map->choices[LOAM_TILE_JUNCTION][mask].count, 0, "junction %u", ways);
    }
}

Test(tile_map, a_pattern_that_turns_is_turned_as_it_fits) {
    const tile_map *map = map_of("\"tile_map.default/1\"");
    expect_tile(pick(map, LOAM_TILE_WALL, 1, 0), "wall", 0);
    expect_tile(pick(map, LOAM_TILE_WALL, 4, 0), "wall", 1);
    expect_tile(pick(map, LOAM_TILE_WALL, 16, 0), "wall", 2);
    expect_tile(pick(map, LOAM_TILE_WALL, 64, 0), "wall", 3);
    expect_tile(pick(map, LOAM_TILE_WALL, 20, 0), "wall_corner", 1);
    expect_tile(pick(map, LOAM_TILE_WALL, 32, 0), "wall_inner", 2);
    expect_tile(pick(map, LOAM_TILE_WALL, 0, 0), "rock", 0);
    expect_tile(pick(map, LOAM_TILE_DOOR, 17, 0), "door", 0);
    expect_tile(pick(map, LOAM_TILE_DOOR, 68, 0), "door", 1);
    expect_tile(pick(map, LOAM_TILE_JUNCTION, 84, 0), "corridor_tee", 1);
}

Test(tile_map, the_first_rule_that_fits_decides) {
    const tile_map *map =
        map_of("{\"rules\": [{\"kind\": \"wall\", \"mask\": 1, \"care\": 1, \"asset\": \"a\"},"
               "{\"kind\": \"wall\", \"mask\": 3, \"care\": 3, \"asset\": \"b\", \"turn\": 2},"
               "{\"kind\": \"wall\", \"mask\": 2, \"care\": 2, \"asset\": \"b\", \"turn\": 2}]}");
    expect_tile(pick(map, LOAM_TILE_WALL, 3, 0), "a", 0);
    expect_tile(pick(map, LOAM_TILE_WALL, 2, 0), "b", 2);
    expect_tile(pick(map, LOAM_TILE_WALL, 4, 0), "", 0);
    expect_tile(pick(map, LOAM_TILE_FLOOR, 1, 0), "", 0);
}

Test(tile_map, rules_of_one_pattern_share_by_weight) {
    const tile_map *map =
        map_of("{\"rules\": [{\"kind\": \"floor\", \"care\": 0, \"asset\": \"a\", \"weight\": 3},"
               "{\"kind\": \"floor\", \"care\": 0, \"asset\": \"b\", \"weight\": 1}]}");
    enum { CELLS = 40000 };
    uint32_t first = 0;
    for (int32_t x = 0; x < CELLS; x++) {
        first += loam_text_equal(pick(map, LOAM_TILE_FLOOR, 0, x).asset, loam_text_of("a"));
    }
    /* 30,000 and five standard deviations of 86.6. */
    cr_expect(first > 29567 && first < 30433, "%u", first);
}

Test(tile_map, variants_are_drawn_evenly_or_given) {
    const tile_map *map = map_of("{\"rules\": [{\"kind\": \"floor\", \"care\": 0, \"asset\": "
                                 "\"a\"}], \"variants\": {\"a\": 5}}");
    enum { CELLS = 50000 };
    uint32_t counts[5] = {0};
    for (int32_t x = 0; x < CELLS; x++) {
        counts[pick(map, LOAM_TILE_FLOOR, 0, x).variant]++;
    }
    for (unsigned i = 0; i < 5; i++) {
        /* 10,000 and five standard deviations of 89.4. */
        cr_expect(counts[i] > 9553 && counts[i] < 10447, "%u", counts[i]);
    }
    uint16_t look = tile_map_pick(map, LOAM_TILE_FLOOR, 0, (tile_draw){1, 0, 7});
    cr_expect_eq(map->looks[look].variant, 2);
}

Test(tile_map, looks_are_sorted_whatever_the_order_of_rules) {
    const tile_map *map = map_of(NULL);
    for (uint32_t i = 1; i < map->look_count; i++) {
        const loam_tile *a = &map->looks[i - 1], *b = &map->looks[i];
        int asset = loam_text_compare(a->asset, b->asset);
        bool rises = a->kind != b->kind ? a->kind < b->kind
                     : asset != 0       ? asset < 0
                                        : a->variant * 4 + a->turn < b->variant * 4 + b->turn;
        cr_expect(rises, "look %u", i);
    }
}

Test(tile_map, what_cannot_be_a_map_is_refused_with_its_place) {
    expect_refused("\"tile_map.none/1\"", LOAM_NOT_FOUND, "/params/tile_map");
    expect_refused("{}", LOAM_MISSING_FIELD, "/params/tile_map/rules");
    expect_refused("{\"rules\": []}", LOAM_TOO_MANY, "/params/tile_map/rules");
    expect_refused("{\"rules\": [{\"kind\": \"roof\", \"asset\": \"a\"}]}", LOAM_OUT_OF_RANGE,
                   "/params/tile_map/rules/0/kind");
    expect_refused("{\"rules\": [{\"kind\": \"wall\", \"asset\": \"a\", \"mask\": 256}]}",
                   LOAM_OUT_OF_RANGE, "/params/tile_map/rules/0/mask");
    expect_refused("{\"rules\": [{\"kind\": \"wall\", \"asset\": \"\"}]}", LOAM_BAD_NAME,
                   "/params/tile_map/rules/0/asset");
    expect_refused("{\"rules\": [{\"kind\": \"wall\", \"asset\": \"a\", \"turn\": 4}]}",
                   LOAM_OUT_OF_RANGE, "/params/tile_map/rules/0/turn");
    expect_refused("{\"rules\": [{\"kind\": \"wall\", \"asset\": \"a\", \"turn\": \"any\"}]}",
                   LOAM_OUT_OF_RANGE, "/params/tile_map/rules/0/turn");
    expect_refused("{\"rules\": [{\"kind\": \"wall\", \"asset\": \"a\", \"weight\": 0}]}",
                   LOAM_OUT_OF_RANGE, "/params/tile_map/rules/0/weight");
    expect_refused("{\"rules\": [{\"kind\": \"wall\", \"asset\": \"a\"}], \"variants\": "
                   "{\"b\": 2}}",
                   LOAM_OUT_OF_RANGE, "/params/tile_map/variants/b");
    expect_refused("{\"rules\": [{\"kind\": \"wall\", \"asset\": \"a\"}], \"variants\": "
                   "{\"a\": 33}}",
                   LOAM_OUT_OF_RANGE, "/params/tile_map/variants/a");
}

Test(tile_map, the_largest_map_has_a_number_for_every_look) {
    char *json = malloc(1 << 16);
    size_t used = (size_t)snprintf(json, 64, "{\"rules\": [");
    for (int i = 0; i < TILE_RULES_MAX; i++) {
        used += (size_t)snprintf(json + used, 128,
                                 "{\"kind\":\"wall\",\"mask\":%d,\"asset\":\"a%d\"}%s", i, i,
                                 i + 1 < TILE_RULES_MAX ? "," : "], \"variants\": {");
    }
    for (int i = 0; i < TILE_RULES_MAX; i++) {
        used += (size_t)snprintf(json + used, 64, "\"a%d\":%d%s", i, TILE_VARIANTS_MAX,
                                 i + 1 < TILE_RULES_MAX ? "," : "}}");
    }
    const tile_map *map = map_of(json);
    cr_expect_eq(map->look_count, TILE_RULES_MAX * TILE_VARIANTS_MAX * 4);
    expect_tile(pick(map, LOAM_TILE_WALL, 255, 0), "a255", 0);
    free(json);
}
