/* SPDX-License-Identifier: MIT
 *
 * test_encounter.c: who comes out of a spawn: strength by hand, bands, fallbacks, places, curves,
 * and where a bad table is at fault.
 */
#include "core/loam_dungeon.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>

typedef struct asked_encounter {
    loam_encounter got;
    loam_status status;
    loam_error error;
} asked_encounter;

static const loam_spawn in_room = {.id = 7, .kind = LOAM_SPAWN_NEST, .place = LOAM_PLACE_NEST};
static const loam_player nobody = {0};

static asked_encounter ask(const char *table, const loam_spawn *spawn, loam_player player,
                           int64_t progress, uint32_t wave) {
    loam_arena arena = arena_of(1 << 20);
    asked_encounter asked = {0};
    loam_encounter_request request = {.spawn = spawn,
                                      .table = rules_of_text(table, &arena),
                                      .player = player,
                                      .progress_permille = progress,
                                      .wave = wave,
                                      .sub = 99};
    asked.status = loam_encounter_resolve(&request, &arena, &asked.got, &asked.error);
    return asked;
}

static void expect_who(asked_encounter asked, const char *archetype, const char *reason) {
    cr_assert_eq(asked.status, LOAM_OK, "%s %s", asked.error.pointer, asked.error.text);
    cr_expect(loam_text_equal(asked.got.archetype, loam_text_of(archetype)), "%.*s",
              (int)asked.got.archetype.size, asked.got.archetype.bytes);
    bool given = false;
    for (uint32_t i = 0; i < asked.got.reason_count; i++) {
        given = given || loam_text_equal(asked.got.reasons[i].code, loam_text_of(reason));
    }
    cr_expect(given, "%s", reason);
}

#define POOLS                                                                                      \
    "\"pools\":[{\"archetype\":\"slime\",\"min\":1,\"max\":3},"                                    \
    "{\"archetype\":\"goblin\",\"min\":4,\"max\":6,\"health\":20}]"

Test(encounter, a_threat_of_half_adds_two_tenths_of_four_tenths) {
    asked_encounter asked =
        ask("{\"base\":10,\"coefficient_permille\":400,\"threat\":{\"level_weight\":1000}," POOLS
            ",\"fallback\":\"troll\"}",
            &in_room, (loam_player){.level = 500}, 0, 0);
    cr_expect_eq(asked.got.threat, 500);
    cr_expect_eq(asked.got.strength, 12);
    cr_expect_eq(asked.got.level, 12);
    expect_who(asked, "troll", "fallback");
    cr_expect_eq(asked.got.health, 10);
}

Test(encounter, a_band_holds_both_its_ends) {
    expect_who(ask("{\"base\":5," POOLS "}", &in_room, nobody, 0, 0), "goblin", "pool");
    expect_who(ask("{\"base\":4," POOLS "}", &in_room, nobody, 0, 0), "goblin", "pool");
    expect_who(ask("{\"base\":3," POOLS "}", &in_room, nobody, 0, 0), "slime", "pool");
    for (uint32_t wave = 0; wave < 50; wave++) {
        asked_encounter asked = ask("{\"base\":5," POOLS "}", &in_room, nobody, 0, wave);
        expect_who(asked, "goblin", "pool");
        cr_expect_eq(asked.got.health, 25);
    }
}

Test(encounter, without_a_fallback_the_nearest_band_stands_in) {
    expect_who(ask("{\"base\":40," POOLS "}", &in_room, nobody, 0, 0), "goblin", "nearest");
    expect_who(ask("{\"base\":0," POOLS "}", &in_room, nobody, 0, 0), "slime", "nearest");
    /* Equally far: the first. */
    expect_who(ask("{\"base\":5,\"pools\":[{\"archetype\":\"a\",\"min\":6,\"max\":6},"
                   "{\"archetype\":\"b\",\"min\":4,\"max\":4}]}",
                   &in_room, nobody, 0, 0),
               "a", "nearest");
}

Test(encounter, weights_share_a_band_and_waves_differ) {
    uint32_t rats = 0;
    for (uint32_t wave = 0; wave < 400; wave++) {
        asked_encounter asked =
            ask("{\"base\":5,\"pools\":[{\"archetype\":\"rat\",\"min\":5,\"max\":5,\"weight\":3},"
                "{\"archetype\":\"bat\",\"min\":1,\"max\":9}]}",
                &in_room, nobody, 0, wave);
        rats += loam_text_equal(asked.got.archetype, loam_text_of("rat"));
    }
    cr_expect_geq(rats, 265);
    cr_expect_leq(rats, 335);
}

Test(encounter, places_choose_pools_and_how_they_behave) {
    static const char table[] =
        "{\"base\":5,\"pools\":[{\"archetype\":\"king\",\"min\":1,\"max\":9,\"place\":\"boss\","
        "\"behaviour\":{\"leash_cells\":99,\"phases\":3}},{\"archetype\":\"guard\",\"min\":1,"
        "\"max\":9,\"place\":\"corridor\"}]}";
    loam_spawn boss = {.id = 1, .place = LOAM_PLACE_BOSS};
    loam_spawn corridor = {.id = 1, .place = LOAM_PLACE_CORRIDOR};
    asked_encounter king = ask(table, &boss, nobody, 0, 0);
    expect_who(king, "king", "behaviour");
    expect_who(ask(table, &corridor, nobody, 0, 0), "guard", "pool");
    cr_assert_eq(king.got.behaviour_count, 4);
    cr_expect(loam_text_equal(king.got.behaviour[2].name, loam_text_of("leash_cells")));
    cr_expect_eq(king.got.behaviour[2].value->mantissa, 99);
    cr_expect(loam_text_equal(king.got.behaviour[3].name, loam_text_of("phases")));
    for (uint32_t i = 1; i < king.got.behaviour_count; i++) {
        cr_expect(loam_text_compare(king.got.behaviour[i - 1].name, king.got.behaviour[i].name) <
                  0);
    }
}

Test(encounter, curves_are_straight_and_floored_and_level_beyond_their_ends) {
    static const char table[] =
        "{\"base_by_depth\":[[100,10],[200,13]],\"coefficient_by_threat\":[[0,0],[4000,1000]],"
        "\"threat\":{\"health_weight\":4000}," POOLS "}";
    static const int64_t depths[][2] = {{0, 10},   {100, 10}, {133, 10}, {134, 11},
                                        {199, 12}, {200, 13}, {1000, 13}};
    for (uint32_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        cr_expect_eq(ask(table, &in_room, nobody, depths[i][0], 0).got.strength, depths[i][1]);
    }
    /* Threat 4,000 with a coefficient of 1,000: five times as strong. */
    asked_encounter asked = ask(table, &in_room, (loam_player){.health_permille = 1000}, 0, 0);
    cr_expect_eq(asked.got.threat, 4000);
    cr_expect_eq(asked.got.strength, 50);
}

Test(encounter, three_rooms_without_damage_make_it_harder) {
    static const char table[] =
        "{\"base\":100,\"meta\":[{\"when\":{\"streak_min\":3},\"strength_percent\":15},"
        "{\"when\":{\"streak_min\":9},\"strength_percent\":-50}]," POOLS "}";
    cr_expect_eq(ask(table, &in_room, (loam_player){.streak = 2}, 0, 0).got.strength, 100);
    cr_expect_eq(ask(table, &in_room, (loam_player){.streak = 3}, 0, 0).got.strength, 115);
    cr_expect_eq(ask(table, &in_room, (loam_player){.streak = 9}, 0, 0).got.strength, 57);
}

Test(encounter, the_largest_numbers_stay_in_bounds) {
    asked_encounter asked =
        ask("{\"base\":1000000000,\"coefficient_permille\":1000000,\"threat\":{\"level_weight\":"
            "1000000,\"gear_weight\":1000000},\"meta\":[{\"when\":{\"streak_min\":0},"
            "\"strength_percent\":900}],\"pools\":[{\"archetype\":\"a\",\"min\":0,\"max\":0,"
            "\"health\":1000000}]}",
            &in_room, (loam_player){1000000, 1000000, 1000, 1000000}, 1000, UINT32_MAX);
    cr_assert_eq(asked.status, LOAM_OK);
    cr_expect_eq(asked.got.threat, 4000);
    cr_expect_eq(asked.got.strength, 1000000000);
    cr_expect_eq(asked.got.health, 1000000000000000);
}

static void expect_fault(const char *table, loam_status status, const char *pointer) {
    asked_encounter asked = ask(table, &in_room, nobody, 0, 0);
    cr_expect_eq(asked.status, status, "%s: %s", table, asked.error.text);
    cr_expect_str_eq(asked.error.pointer, pointer, "%s", table);
}

Test(encounter, faults_are_pointed_at) {
    expect_fault("{" POOLS "}", LOAM_MISSING_FIELD, "/table/base");
    expect_fault("{\"base\":1,\"base_by_depth\":[[0,1]]," POOLS "}", LOAM_OUT_OF_RANGE,
                 "/table/base_by_depth");
    expect_fault("{\"base_by_depth\":[[5,1],[5,2]]," POOLS "}", LOAM_OUT_OF_RANGE,
                 "/table/base_by_depth/1");
    expect_fault("{\"base_by_depth\":[[5,1.5]]," POOLS "}", LOAM_WRONG_TYPE,
                 "/table/base_by_depth/0/1");
    expect_fault("{\"base_by_depth\":[]," POOLS "}", LOAM_TOO_MANY, "/table/base_by_depth");
    expect_fault("{\"base\":1,\"pools\":[]}", LOAM_TOO_MANY, "/table/pools");
    expect_fault("{\"base\":1,\"pools\":[{\"archetype\":\"a\",\"min\":3,\"max\":2}]}",
                 LOAM_OUT_OF_RANGE, "/table/pools/0/max");
    expect_fault("{\"base\":1,\"pools\":[{\"archetype\":\"a\",\"min\":1,\"max\":2,\"place\":"
                 "\"roof\"}]}",
                 LOAM_OUT_OF_RANGE, "/table/pools/0/place");
    expect_fault("{\"base\":1,\"pools\":[{\"archetype\":\"a\",\"min\":1,\"max\":2,\"behaviour\":"
                 "[]}]}",
                 LOAM_WRONG_TYPE, "/table/pools/0/behaviour");
    expect_fault("{\"base\":1,\"meta\":[{\"strength_percent\":1}]," POOLS "}", LOAM_MISSING_FIELD,
                 "/table/meta/0/when");
    expect_fault("{\"base\":1,\"bass\":1," POOLS "}", LOAM_UNKNOWN_FIELD, "/table/bass");
    asked_encounter asked =
        ask("{\"base\":1," POOLS "}", &in_room, (loam_player){.health_permille = 1001}, 0, 0);
    cr_expect_eq(asked.status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(asked.error.pointer, "/player/health_permille");
    cr_expect_eq(ask("{\"base\":1," POOLS "}", &in_room, nobody, -1, 0).status, LOAM_OUT_OF_RANGE);
}
