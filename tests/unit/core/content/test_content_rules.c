/* SPDX-License-Identifier: MIT
 *
 * test_content_rules.c: documents of content rules: what they mean when they say nothing, and where
 * each fault is.
 */
#include "core/content/content_rules.h"
#include "tests/unit/core/content/content_fixture.h"

static loam_status check(const char *text, loam_error *error) {
    loam_arena arena = arena_of(1 << 20), scratch = arena_of(1 << 20);
    *error = (loam_error){0};
    loam_status status = loam_content_check(rules_of_text(text, &arena), &scratch, error);
    cr_expect_eq(scratch.used, 0);
    return status;
}

static void expect_fault(const char *text, loam_status status, const char *pointer) {
    loam_error error;
    cr_expect_eq(check(text, &error), status, "%s: %s", text, error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s", text);
}

Test(content_rules, the_default_is_a_document_like_any_other) {
    loam_arena scratch = arena_of(1 << 20);
    loam_error error = {0};
    cr_expect_eq(loam_content_check(loam_content_default(), &scratch, &error), LOAM_OK, "%s",
                 error.text);
    const loam_rules *rules = &loam_content_default()->items[0];
    for (uint32_t i = 0; i < rules->count; i++) {
        for (uint32_t f = 1; f < rules->items[i].count; f++) {
            cr_expect(loam_text_compare(rules->items[i].keys[f - 1], rules->items[i].keys[f]) < 0);
        }
    }
}

Test(content_rules, what_is_not_said_has_a_meaning) {
    loam_arena arena = arena_of(1 << 20);
    loam_error error = {0};
    content_rules rules;
    const loam_rules *document =
        rules_of_text("{\"rules\":[{\"name\":\"a\",\"object\":\"chest\",\"where\":\"room_small\"},"
                      "{\"name\":\"b\",\"object\":\"spawn_nest\"},"
                      "{\"name\":\"c\",\"object\":\"decor\",\"room\":12}]}",
                      &arena);
    cr_assert_eq(content_rules_read(document, "", &arena, &rules, &error), LOAM_OK);
    cr_assert_eq(rules.count, 3);
    cr_expect_eq(rules.rules[0].per_room_max, 1);
    cr_expect_eq(rules.rules[0].distance_min, 0);
    cr_expect_eq(rules.rules[0].chance_permille, 1000);
    cr_expect_eq(rules.rules[1].where, WHERE_ANY);
    cr_expect_eq(rules.rules[1].distance_min, 8);
    cr_expect_gt(rules.rules[1].per_room_max, 1000);
    cr_expect(rules.rules[2].in_room);
    cr_expect(loam_text_equal(rules.rules[2].room, loam_text_of("12")));
    cr_expect_eq(rules.bridges, 0);
}

Test(content_rules, faults_are_pointed_at) {
    expect_fault("[]", LOAM_WRONG_TYPE, "");
    expect_fault("{}", LOAM_MISSING_FIELD, "/rules");
    expect_fault("{\"rules\":[],\"ruled\":1}", LOAM_UNKNOWN_FIELD, "/ruled");
    expect_fault("{\"rules\":[{\"name\":\"a\"}]}", LOAM_MISSING_FIELD, "/rules/0/object");
    expect_fault("{\"rules\":[{\"name\":\"\",\"object\":\"trap\"}]}", LOAM_BAD_NAME,
                 "/rules/0/name");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"lamp\"}]}", LOAM_OUT_OF_RANGE,
                 "/rules/0/object");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"where\":\"sky\"}]}",
                 LOAM_OUT_OF_RANGE, "/rules/0/where");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"chance_permille\":1001}]}",
                 LOAM_OUT_OF_RANGE, "/rules/0/chance_permille");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"per_room_max\":0}]}",
                 LOAM_OUT_OF_RANGE, "/rules/0/per_room_max");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"key\"}]}", LOAM_MISSING_FIELD,
                 "/rules/0/key");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"chest\",\"key\":\"k\"}]}",
                 LOAM_OUT_OF_RANGE, "/rules/0/key");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"blocking\":true}]}",
                 LOAM_OUT_OF_RANGE, "/rules/0/blocking");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"room\":1.5}]}", LOAM_WRONG_TYPE,
                 "/rules/0/room");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"colour\":1}]}",
                 LOAM_UNKNOWN_FIELD, "/rules/0/colour");
    expect_fault("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\"},"
                 "{\"name\":\"a\",\"object\":\"decor\"}]}",
                 LOAM_DUPLICATE, "/rules/1/name");
    expect_fault("{\"rules\":[],\"locks\":{\"bridges\":13}}", LOAM_OUT_OF_RANGE, "/locks/bridges");
}

Test(content_rules, limits_themselves_are_legal) {
    loam_error error;
    cr_expect_eq(check("{\"rules\":[],\"locks\":{\"bridges\":12,\"consumable\":true}}", &error),
                 LOAM_OK);
    cr_expect_eq(check("{\"rules\":[{\"name\":\"a\",\"object\":\"trap\",\"chance_permille\":0,"
                       "\"spacing\":256,\"total_max\":4194304}]}",
                       &error),
                 LOAM_OK, "%s", error.text);
}
