/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_build.c: attempts, policies, floors and stairs.
 */
#include "core/dungeon/floor_build.h"
#include "tests/support/dungeon_text.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

static byte_buffer stage_of(const loam_dungeon *dungeon, uint32_t floor, loam_dungeon_stage stage) {
    byte_buffer bytes = {0};
    loam_stage_encode(dungeon, floor, stage, buffer_sink(&bytes));
    return bytes;
}

static void expect_same_floor(const loam_dungeon *a, uint32_t floor_a, const loam_dungeon *b,
                              uint32_t floor_b) {
    for (int stage = LOAM_STAGE_LAYOUT; stage <= LOAM_STAGE_ASSEMBLY; stage++) {
        byte_buffer first = stage_of(a, floor_a, (loam_dungeon_stage)stage);
        byte_buffer second = stage_of(b, floor_b, (loam_dungeon_stage)stage);
        cr_expect(buffer_equal(&first, &second), "stage %d", stage);
        buffer_fini(&first);
        buffer_fini(&second);
    }
}

/* Whether one can walk there, over floors and doors alone. */
static bool is_floor(const loam_layout *layout, loam_spot at) {
    return at.x >= 0 && at.x < layout->width && at.y >= 0 && at.y < layout->height &&
           layout->cells[at.y * layout->width + at.x] != LOAM_CELL_WALL;
}

static void build(dungeon_made *made, dungeon_text text) {
    dungeon_build_text(made, text);
    cr_assert_eq(made->status, LOAM_OK, "%s: %s %s", text.recipe, made->error.pointer,
                 made->error.text);
}

Test(dungeon_build, a_floor_alone_is_that_floor_of_all) {
    static const char *const recipes[] = {"maze", "cave.cellular", "cave.walk"};
    for (size_t r = 0; r < sizeof recipes / sizeof recipes[0]; r++) {
        dungeon_made all, one;
        build(&all, (dungeon_text){.recipe = recipes[r],
                                   .seed = 11,
                                   .params = "{\"width\": 40, \"height\": 30, \"floors\": 5}"});
        cr_assert_eq(all.dungeon.floor_count, 5);
        for (uint32_t k = 0; k < 5; k++) {
            char params[128];
            snprintf(params, sizeof params,
                     "{\"width\": 40, \"height\": 30, \"floors\": 5, \"floor\": %u}", k);
            build(&one, (dungeon_text){.recipe = recipes[r], .seed = 11, .params = params});
            cr_assert_eq(one.dungeon.floor_count, 1);
            cr_expect_eq(one.dungeon.floors[0].number, k);
            expect_same_floor(&all.dungeon, k, &one.dungeon, 0);
            dungeon_made_fini(&one);
        }
        dungeon_made_fini(&all);
    }
}

Test(dungeon_build, stairs_of_two_floors_stand_above_each_other_on_floor) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        dungeon_made made;
        build(&made, (dungeon_text){.recipe = "cave.walk",
                                    .seed = seed,
                                    .params = "{\"width\": 24, \"height\": 16, \"floors\": 4}"});
        for (uint32_t k = 0; k < 4; k++) {
            const loam_layout *layout = &made.dungeon.floors[k].layout;
            cr_expect_eq(layout->stairs_up.x >= 0, k > 0);
            cr_expect_eq(layout->stairs_down.x >= 0, k < 3);
            if (k > 0) {
                loam_spot above = made.dungeon.floors[k - 1].layout.stairs_down;
                cr_expect_eq(layout->stairs_up.x, above.x);
                cr_expect_eq(layout->stairs_up.y, above.y);
                cr_expect(is_floor(layout, layout->stairs_up));
                cr_expect_eq(layout->entrance.x, above.x);
                cr_expect_eq(layout->entrance.y, above.y);
            }
            cr_expect_eq(made.dungeon.floors[k].metrics.unreachable, 0);
            cr_expect(is_floor(layout, layout->exit));
        }
        dungeon_made_fini(&made);
    }
}

Test(dungeon_build, stairs_lie_inside_the_border_and_never_meet) {
    for (int32_t side = 8; side < 40; side++) {
        for (int32_t border = 0; border <= LAYOUT_BORDER_MAX; border++) {
            layout_size size = {side, 8 + side % 5, border};
            for (uint32_t k = 0; k + 1 < LAYOUT_FLOORS_LIMIT; k++) {
                loam_spot at = stairs_between(3, k, size), next = stairs_between(3, k + 1, size);
                cr_expect(box_has(layout_inside(size), at.x, at.y));
                cr_expect(at.x != next.x || at.y != next.y);
            }
        }
    }
}

Test(dungeon_build, the_same_request_gives_the_same_bytes) {
    dungeon_text text = {.recipe = "cave.cellular", .seed = 99};
    dungeon_made a, b;
    byte_buffer first = {0}, second = {0};
    build(&a, text);
    build(&b, text);
    loam_dungeon_encode(&a.dungeon, buffer_sink(&first));
    loam_dungeon_encode(&b.dungeon, buffer_sink(&second));
    cr_expect(buffer_equal(&first, &second));
    buffer_fini(&first);
    buffer_fini(&second);
    dungeon_made_fini(&a);
    dungeon_made_fini(&b);
}

/* No cave has so many loops. */
#define IMPOSSIBLE                                                                                 \
    "{\"width\": 32, \"height\": 32, \"max_attempts\": 3, \"checks\": {\"min_loops\": 900}}"

Test(dungeon_build, a_strict_policy_ends_with_the_reasons) {
    dungeon_made made;
    dungeon_build_text(&made, (dungeon_text){.recipe = "cave.cellular",
                                             .seed = 1,
                                             .params = IMPOSSIBLE,
                                             .policy = LOAM_POLICY_STRICT});
    cr_expect_eq(made.status, LOAM_NOT_ACHIEVED);
    cr_expect_not_null(strstr(made.error.text, "3 attempts"));
    cr_expect_not_null(strstr(made.error.text, "at least 900"), "%s", made.error.text);
    dungeon_made_fini(&made);
}

Test(dungeon_build, a_degraded_policy_takes_the_best_and_says_so) {
    dungeon_made made, alone;
    build(&made, (dungeon_text){.recipe = "cave.cellular", .seed = 1, .params = IMPOSSIBLE});
    const loam_dungeon_floor *floor = &made.dungeon.floors[0];
    cr_expect_eq(made.dungeon.status, LOAM_DUNGEON_DEGRADED);
    cr_assert_eq(floor->attempt_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(floor->attempts[i].verdict, LOAM_VERDICT_REJECTED);
        cr_assert_eq(floor->attempts[i].reason_count, 1);
        cr_expect(loam_text_equal(floor->attempts[i].reasons[0].code, loam_text_of("loops")));
    }
    /* All fall short alike: the first is taken, and made again after the third. */
    cr_expect_eq(floor->chosen, 0);
    build(&alone, (dungeon_text){.recipe = "cave.cellular",
                                 .seed = 1,
                                 .params = "{\"width\": 32, \"height\": 32}"});
    expect_same_floor(&made.dungeon, 0, &alone.dungeon, 0);
    dungeon_made_fini(&made);
    dungeon_made_fini(&alone);
}

static void expect_played(const loam_dungeon *dungeon) {
    cr_expect_eq(dungeon->status, LOAM_DUNGEON_FALLBACK);
    for (uint32_t k = 0; k < dungeon->floor_count; k++) {
        const loam_dungeon_floor *floor = &dungeon->floors[k];
        cr_expect_eq(floor->chosen, floor->attempt_count);
        cr_expect_eq(floor->metrics.regions, 1);
        cr_expect_eq(floor->metrics.unreachable, 0);
        cr_expect_geq(floor->metrics.path_steps, 1);
    }
}

/* The parameters of what stands in are its own, whichever recipe was asked for: in the estimate of
 * memory too. */
Test(dungeon_build, a_fallback_can_be_played) {
    static const char *const recipes[] = {"dungeon.rooms", "dungeon.bsp",     "dungeon.accretion",
                                          "cave.cellular", "cave.walk",       "maze",
                                          "wfc.simple",    "level.roguelike", NULL};
    for (uint32_t i = 0; recipes[i] != NULL; i++) {
        for (int32_t side = 16; side < 40; side += 8) {
            char params[160];
            dungeon_made made;
            snprintf(params, sizeof params,
                     "{\"width\": %d, \"height\": %d, \"floors\": 2, \"max_attempts\": 2, "
                     "\"checks\": {\"min_loops\": 900}}",
                     side, side);
            build(&made, (dungeon_text){.recipe = recipes[i],
                                        .seed = 1,
                                        .params = params,
                                        .policy = LOAM_POLICY_FALLBACK});
            expect_played(&made.dungeon);
            dungeon_made_fini(&made);
        }
    }
}

Test(dungeon_build, a_check_that_some_attempt_passes_is_met) {
    dungeon_made made;
    build(&made, (dungeon_text){.recipe = "cave.walk",
                                .seed = 4,
                                .params = "{\"width\": 32, \"height\": 32, \"max_attempts\": 64, "
                                          "\"checks\": {\"largest_open_max\": 25}}",
                                .policy = LOAM_POLICY_STRICT});
    const loam_dungeon_floor *floor = &made.dungeon.floors[0];
    cr_expect_leq(floor->metrics.largest_open, 25);
    cr_expect_eq(floor->chosen + 1, floor->attempt_count);
    cr_expect_eq(floor->metrics.attempts, floor->attempt_count);
    dungeon_made_fini(&made);
}

Test(dungeon_build, a_cancelled_build_ends) {
    dungeon_made made;
    int cancel = 1;
    dungeon_plan_text(&made, (dungeon_text){.recipe = "maze"});
    cr_assert_eq(made.status, LOAM_OK);
    dungeon_take_arena(&made);
    loam_run run = {.arena = &made.arena, .cancel = &cancel};
    cr_expect_eq(loam_dungeon_build(made.plan, &run, &made.dungeon, &made.error), LOAM_CANCELLED);
    dungeon_made_fini(&made);
}

Test(dungeon_build, every_arena_that_is_too_small_is_told) {
    dungeon_made made;
    dungeon_plan_text(
        &made, (dungeon_text){.recipe = "cave.walk", .params = "{\"width\": 12, \"height\": 10}"});
    cr_assert_eq(made.status, LOAM_OK);
    dungeon_take_arena(&made);
    for (size_t room = 0;; room += 256) {
        cr_assert_leq(room, made.plan->arena_bytes);
        loam_error error = {0};
        loam_arena_init(&made.arena, made.build_memory, room);
        loam_run run = {.arena = &made.arena};
        loam_status status = loam_dungeon_build(made.plan, &run, &made.dungeon, &error);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
    }
    dungeon_made_fini(&made);
}
