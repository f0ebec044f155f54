/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_plan.c: requests with all defaults, resolved parameters as a document, keys, and
 * what is refused before anything runs.
 */
#include "core/base/rules_tree.h"
#include "core/dungeon/recipe_table.h"
#include "tests/support/dungeon_text.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

static byte_buffer key_of(const char *recipe, const char *params, int stage) {
    dungeon_made made;
    byte_buffer key = {0};
    dungeon_plan_text(&made, (dungeon_text){.recipe = recipe, .seed = 7, .params = params});
    cr_assert_eq(made.status, LOAM_OK, "%s %s", made.error.pointer, made.error.text);
    if (stage < 0) {
        loam_dungeon_key(made.plan, buffer_sink(&key));
    } else {
        loam_dungeon_stage_key(made.plan, (loam_dungeon_stage)stage, buffer_sink(&key));
    }
    dungeon_made_fini(&made);
    return key;
}

static bool same_key(const char *a, const char *b, int stage) {
    byte_buffer first = key_of("maze", a, stage), second = key_of("maze", b, stage);
    bool same = buffer_equal(&first, &second);
    buffer_fini(&first);
    buffer_fini(&second);
    return same;
}

static void expect_refused(dungeon_text text, loam_status status, const char *pointer) {
    dungeon_made made;
    dungeon_plan_text(&made, text);
    cr_expect_eq(made.status, status, "%s: %s", loam_status_code(made.status), made.error.text);
    cr_expect_str_eq(made.error.pointer, pointer);
    cr_expect_neq(made.error.text[0], 0);
    dungeon_made_fini(&made);
}

Test(dungeon_plan, a_number_has_one_key_however_it_is_written) {
    cr_expect(same_key("{\"width\": 32}", "{\"width\": 3.2e1}", -1));
    cr_expect(same_key(NULL, "{\"width\": 64, \"border\": 1, \"floors\": 1}", -1));
    cr_expect(same_key("{\"cell_size_m\": 2.001}", "{\"cell_size_m\": 2.0}", -1));
    cr_expect(same_key(NULL, "{\"tile_map\": \"tile_map.default/1\"}", -1));
    cr_expect(same_key("{\"checks\": {}}", "{\"checks\": {\"reachable_percent\": 100}}", -1));
}

Test(dungeon_plan, every_parameter_is_in_the_key) {
    cr_expect_not(same_key(NULL, "{\"width\": 65}", -1));
    cr_expect_not(same_key(NULL, "{\"max_attempts\": 9}", -1));
    cr_expect_not(same_key(NULL, "{\"floors\": 2}", -1));
    cr_expect_not(same_key("{\"floors\": 2}", "{\"floors\": 2, \"floor\": 1}", -1));
    cr_expect_not(same_key(NULL, "{\"checks\": {\"min_loops\": 0}}", -1));
    cr_expect_not(same_key(NULL, "{\"cell_size_m\": 3}", -1));
    cr_expect_not(same_key(NULL, "{\"outside\": \"open\"}", -1));
}

Test(dungeon_plan, a_stage_has_a_key_without_what_comes_after_it) {
    cr_expect(same_key(NULL, "{\"cell_size_m\": 3}", LOAM_STAGE_LAYOUT));
    cr_expect(same_key(NULL, "{\"outside\": \"open\"}", LOAM_STAGE_LAYOUT));
    cr_expect(same_key(NULL, "{\"cell_size_m\": 3}", LOAM_STAGE_ASSEMBLY));
    cr_expect_not(same_key(NULL, "{\"outside\": \"open\"}", LOAM_STAGE_ASSEMBLY));
    cr_expect_not(same_key(NULL, "{\"width\": 65}", LOAM_STAGE_ASSEMBLY));
    cr_expect_not(same_key(NULL, "{\"checks\": {\"min_loops\": 1}}", LOAM_STAGE_LAYOUT));
}

Test(dungeon_plan, the_key_has_recipe_version_seed_and_policy) {
    byte_buffer key = key_of("maze", NULL, -1);
    static const unsigned char head[] = {'l', 'o', 'a', 'm', '-', 'd', 'u',
                                         'n', 'g', 'e', 'o', 'n', '/', '1',
                                         1,   0,   4,   0,   0,   0,   'm',
                                         'a', 'z', 'e', 1,   0,   7,   0,
                                         0,   0,   0,   0,   0,   0,   LOAM_POLICY_DEGRADED};
    cr_assert_gt(key.size, sizeof head);
    cr_expect_eq(memcmp(key.bytes, head, sizeof head), 0);
    buffer_fini(&key);
}

/* The resolved parameters, sent again, are the same plan, for every recipe of the table. */
Test(dungeon_plan, resolved_parameters_give_the_same_plan) {
    for (uint32_t i = 0; i < loam_recipe_count(); i++) {
        const loam_recipe *recipe = loam_recipe_at(i);
        dungeon_made made;
        byte_buffer first = {0}, second = {0};
        const loam_dungeon_plan *again;
        dungeon_plan_text(&made, (dungeon_text){.recipe = recipe->name, .seed = 1});
        if (made.status != LOAM_OK) { /* it makes no dungeon, or something is required */
            cr_expect(made.status == LOAM_OUT_OF_RANGE || made.status == LOAM_MISSING_FIELD);
            dungeon_made_fini(&made);
            continue;
        }
        loam_dungeon_request request = {
            .recipe = loam_text_of(recipe->name), .seed = 1, .params = made.plan->params};
        cr_assert_eq(loam_dungeon_plan_build(&request, &made.plan_arena, &again, &made.error),
                     LOAM_OK, "%s: %s %s", recipe->name, made.error.pointer, made.error.text);
        loam_dungeon_key(made.plan, buffer_sink(&first));
        loam_dungeon_key(again, buffer_sink(&second));
        cr_expect(buffer_equal(&first, &second), "%s", recipe->name);
        cr_expect_geq(made.plan->params->count, LAYOUT_PARAMS - 1, "all but floor are there");
        buffer_fini(&first);
        buffer_fini(&second);
        dungeon_made_fini(&made);
    }
}

Test(dungeon_plan, what_cannot_be_is_refused_with_its_place) {
    expect_refused((dungeon_text){.recipe = "dungeon.none"}, LOAM_UNKNOWN_RECIPE, "/recipe");
    expect_refused((dungeon_text){.recipe = "heightmap.fbm"}, LOAM_OUT_OF_RANGE, "/recipe");
    expect_refused((dungeon_text){.recipe = "maze", .params = "{\"widht\": 9}"}, LOAM_UNKNOWN_FIELD,
                   "/params/widht");
    expect_refused((dungeon_text){.recipe = "maze", .params = "{\"width\": 7}"}, LOAM_OUT_OF_RANGE,
                   "/params/width");
    expect_refused((dungeon_text){.recipe = "maze", .params = "{\"width\": 2049}"},
                   LOAM_OUT_OF_RANGE, "/params/width");
    expect_refused((dungeon_text){.recipe = "maze", .params = "{\"floors\": 2, \"floor\": 2}"},
                   LOAM_OUT_OF_RANGE, "/params/floor");
    expect_refused((dungeon_text){.recipe = "maze", .params = "{\"checks\": {\"loops\": 2}}"},
                   LOAM_UNKNOWN_FIELD, "/params/checks/loops");
    expect_refused((dungeon_text){.recipe = "maze", .params = "{\"tile_map\": {\"rules\": 1}}"},
                   LOAM_WRONG_TYPE, "/params/tile_map/rules");
    expect_refused((dungeon_text){.recipe = "maze",
                                  .params = "{\"width\": 2048, \"height\": 2048, \"floors\": 2}"},
                   LOAM_BUDGET_EXCEEDED, "/params/floors");
    expect_refused((dungeon_text){.recipe = "maze", .params = "[]"}, LOAM_WRONG_TYPE, "/params");
}

Test(dungeon_plan, a_version_that_is_not_there_is_told) {
    static char memory[1 << 20];
    loam_arena arena;
    loam_error error = {0};
    const loam_dungeon_plan *plan;
    loam_arena_init(&arena, memory, sizeof memory);
    loam_dungeon_request request = {.recipe = loam_text_of("maze"), .version = 99};
    cr_expect_eq(loam_dungeon_plan_build(&request, &arena, &plan, &error),
                 LOAM_VERSION_UNAVAILABLE);
    cr_expect_str_eq(error.pointer, "/version");
}

Test(dungeon_plan, policies_have_names_both_ways) {
    for (int i = LOAM_POLICY_DEGRADED; i <= LOAM_POLICY_FALLBACK; i++) {
        loam_policy policy;
        const char *name = loam_policy_name((loam_policy)i);
        cr_assert(loam_policy_find(loam_text_of(name), &policy));
        cr_expect_eq(policy, (loam_policy)i);
    }
    loam_policy policy;
    cr_expect_not(loam_policy_find(loam_text_of("lenient"), &policy));
}
