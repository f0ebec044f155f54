/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_document.c: documents of rules in a request for a dungeon, here or by the name of an
 * asset: a mission by its name is the same plan, the same key and the same kept request.
 */
#include "api/key/key.h"
#include "api/wire/dungeon_document.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_BYTES = 8 << 20 };

#define MISSION                                                                                    \
    "{\"rooms\": [{\"id\": \"a\"}, {\"id\": \"b\"}], \"edges\": [{\"a\": \"a\", \"b\": \"b\"}]}"

static loam_arena arena;
static fault_list faults;
static dungeon_document document;
static loam_error error;
static const loam_rules *kept;

/* Knows one asset. */
static loam_status find_rules(void *context, loam_text name, const loam_rules **rules) {
    (void)context;
    if (!loam_text_equal(name, loam_text_of("keep"))) {
        return LOAM_NOT_FOUND;
    }
    *rules = kept;
    return LOAM_OK;
}

static const rules_resolver resolver = {find_rules, NULL};

static loam_status read(const char *mission, const rules_resolver *by) {
    static char text[1024];
    snprintf(text, sizeof text,
             "{\"recipe\": \"dungeon.mission\", \"seed\": \"7\", \"params\": {\"mission\": %s}}",
             mission);
    fault_clear(&faults);
    document = (dungeon_document){0};
    return dungeon_document_read(loam_text_of(text), by, &arena, &document, &faults);
}

/* The asset is what a request has here. */
static void init(void) {
    arena = arena_of(ARENA_BYTES);
    cr_assert_eq(read(MISSION, NULL), LOAM_OK);
    kept = &document.request.params->items[0];
}

TestSuite(dungeon_document, .init = init);

static const loam_dungeon_plan *plan_of(const char *mission) {
    const loam_dungeon_plan *plan = NULL;
    cr_assert_eq(read(mission, &resolver), LOAM_OK, "%s", faults.items[0].text);
    cr_assert_eq(loam_dungeon_plan_build(&document.request, &arena, &plan, &error), LOAM_OK, "%s",
                 error.text);
    return plan;
}

static digest key_of(const loam_dungeon_plan *plan) {
    digest_stream stream;
    digest_begin(&stream);
    loam_dungeon_key(plan, digest_sink(&stream));
    return digest_end(&stream);
}

static void expect_refused(const char *mission, const rules_resolver *by, loam_status status) {
    cr_assert_eq(read(mission, by), status);
    cr_assert_eq(faults.items[0].status, status);
    cr_assert_str_eq(faults.items[0].pointer, "/params/mission");
}

Test(dungeon_document, a_mission_by_its_name_is_the_mission_itself) {
    digest here = key_of(plan_of(MISSION)), named = key_of(plan_of("\"keep\""));
    cr_assert(digest_equal(&here, &named));
}

Test(dungeon_document, a_name_that_no_mission_has_is_told_at_its_place) {
    expect_refused("\"moat\"", &resolver, LOAM_NOT_FOUND);
    expect_refused("\"keep\"", NULL, LOAM_NOT_FOUND);
    expect_refused("\"\"", &resolver, LOAM_NOT_FOUND);
}

Test(dungeon_document, what_is_no_document_is_told_by_the_plan) {
    const loam_dungeon_plan *plan = NULL;
    cr_assert_eq(read("7", &resolver), LOAM_OK);
    cr_assert_eq(loam_dungeon_plan_build(&document.request, &arena, &plan, &error),
                 LOAM_WRONG_TYPE);
    cr_assert_str_eq(error.pointer, "/params/mission");
}
