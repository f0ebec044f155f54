/* SPDX-License-Identifier: MIT
 *
 * test_encounter_document.c: who comes out of a spawn, as it is asked and as it is answered.
 */
#include "api/wire/encounter_document.h"

#include <criterion/criterion.h>
#include <string.h>

#define TABLE                                                                                      \
    "{\"base\": 10, \"pools\": [{\"archetype\": \"slime\", \"min\": 1, \"max\": 99, "              \
    "\"weight\": 1}]}"
#define REQUIRED "\"spawn\": \"7\", \"player\": {\"level\": 12}, \"table\": " TABLE

static unsigned char memory[1 << 18];
static loam_arena arena;
static fault_list faults;
static encounter_document got;
static loam_rules stored = {.kind = LOAM_RULES_OBJECT};

static loam_status find_rules(void *context, loam_text name, const loam_rules **rules) {
    (void)context;
    *rules = &stored;
    return loam_text_equal(name, loam_text_of("wardens")) ? LOAM_OK : LOAM_NOT_FOUND;
}

static loam_status read_json(const char *json) {
    static const rules_resolver resolver = {.find_rules = find_rules};
    loam_arena_init(&arena, memory, sizeof memory);
    fault_clear(&faults);
    return encounter_document_read(loam_text_of(json), &resolver, &arena, &got, &faults);
}

static bool has_fault(loam_status status, const char *pointer) {
    for (uint32_t i = 0; i < fault_kept(&faults); i++) {
        if (faults.items[i].status == status && strcmp(faults.items[i].pointer, pointer) == 0) {
            return true;
        }
    }
    return false;
}

static void expect_fault(const char *json, loam_status status, const char *pointer) {
    cr_expect_neq(read_json(json), LOAM_OK, "%s", json);
    cr_expect(has_fault(status, pointer), "%s: %s %s", json, faults.items[0].pointer,
              faults.items[0].text);
}

Test(encounter_document, what_is_not_said_is_a_well_player_at_the_entrance) {
    cr_assert_eq(read_json("{" REQUIRED "}"), LOAM_OK);
    cr_expect_eq(got.spawn, 7);
    cr_expect_eq(got.request.player.level, 12);
    cr_expect_eq(got.request.player.gear, 0);
    cr_expect_eq(got.request.player.health_permille, 1000);
    cr_expect_eq(got.request.player.streak, 0);
    cr_expect_eq(got.request.progress_permille, 0);
    cr_expect_eq(got.request.wave, 0);
    cr_expect_null(got.request.spawn);
    cr_assert_not_null(got.request.table);
    cr_expect_eq(got.request.table->kind, LOAM_RULES_OBJECT);
}

Test(encounter_document, everything_that_is_said_is_read) {
    cr_assert_eq(read_json("{\"spawn\": \"65538\", \"player\": {\"level\": 1000000, \"gear\": 340, "
                           "\"health_permille\": 0, \"streak\": 2}, \"progress_permille\": 1000, "
                           "\"wave\": 4294967295, \"table\": \"wardens\"}"),
                 LOAM_OK);
    cr_expect_eq(got.spawn, 65538);
    cr_expect_eq(got.request.player.level, 1000000);
    cr_expect_eq(got.request.player.gear, 340);
    cr_expect_eq(got.request.player.health_permille, 0);
    cr_expect_eq(got.request.player.streak, 2);
    cr_expect_eq(got.request.progress_permille, 1000);
    cr_expect_eq(got.request.wave, UINT32_MAX);
    cr_expect_eq(got.request.table, &stored);
}

Test(encounter_document, each_fault_names_its_place) {
    expect_fault("[]", LOAM_WRONG_TYPE, "");
    expect_fault("{\"player\": {\"level\": 1}, \"table\": " TABLE "}", LOAM_MISSING_FIELD,
                 "/spawn");
    expect_fault("{\"spawn\": \"7\", \"table\": " TABLE "}", LOAM_MISSING_FIELD, "/player");
    expect_fault("{\"spawn\": \"7\", \"player\": {}, \"table\": " TABLE "}", LOAM_MISSING_FIELD,
                 "/player/level");
    expect_fault("{\"spawn\": \"7\", \"player\": {\"level\": 1}}", LOAM_MISSING_FIELD, "/table");
    expect_fault("{\"spawn\": 7, \"player\": {\"level\": 1}, \"table\": " TABLE "}",
                 LOAM_WRONG_TYPE, "/spawn");
    expect_fault("{\"spawn\": \"x\", \"player\": {\"level\": 1}, \"table\": " TABLE "}",
                 LOAM_NOT_FOUND, "/spawn");
    expect_fault("{\"spawn\": \"7\", \"player\": {\"level\": 1}, \"table\": \"nobody\"}",
                 LOAM_NOT_FOUND, "/table");
    expect_fault("{" REQUIRED ", \"waves\": 1}", LOAM_UNKNOWN_FIELD, "/waves");
    expect_fault("{\"spawn\": \"7\", \"player\": {\"level\": 1, \"name\": 2}, \"table\": " TABLE
                 "}",
                 LOAM_UNKNOWN_FIELD, "/player/name");
}

Test(encounter_document, numbers_end_where_they_are_said_to) {
    static const struct {
        const char *field, *pointer;
    } beyond[] = {{"\"wave\": -1", "/wave"},
                  {"\"wave\": 4294967296", "/wave"},
                  {"\"progress_permille\": 1001", "/progress_permille"},
                  {"\"progress_permille\": -1", "/progress_permille"}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        char json[512];
        snprintf(json, sizeof json, "{" REQUIRED ", %s}", beyond[i].field);
        expect_fault(json, LOAM_OUT_OF_RANGE, beyond[i].pointer);
    }
    expect_fault("{\"spawn\": \"7\", \"player\": {\"level\": 1000001}, \"table\": " TABLE "}",
                 LOAM_OUT_OF_RANGE, "/player/level");
    expect_fault("{\"spawn\": \"7\", \"player\": {\"level\": 1, \"health_permille\": 1001}, "
                 "\"table\": " TABLE "}",
                 LOAM_OUT_OF_RANGE, "/player/health_permille");
}

Test(encounter_document, several_faults_are_told_at_once) {
    cr_expect_neq(read_json("{\"spawn\": 7, \"player\": {\"level\": -1}, \"wave\": -1}"), LOAM_OK);
    cr_expect(has_fault(LOAM_WRONG_TYPE, "/spawn"));
    cr_expect(has_fault(LOAM_OUT_OF_RANGE, "/player/level"));
    cr_expect(has_fault(LOAM_OUT_OF_RANGE, "/wave"));
    cr_expect(has_fault(LOAM_MISSING_FIELD, "/table"));
}

Test(encounter_document, the_answer_says_who_how_strong_and_why) {
    static const loam_rules number = {.kind = LOAM_RULES_NUMBER, .mantissa = 3, .exponent = -1};
    const loam_trait traits[] = {{loam_text_of("flees_at"), &number}};
    const loam_reason reasons[] = {{loam_text_of("pool"), loam_text_of("the \"only\" one")}};
    const loam_encounter encounter = {.archetype = loam_text_of("goblin"),
                                      .level = 3,
                                      .health = 40,
                                      .damage = 5,
                                      .threat = 500,
                                      .strength = 12,
                                      .behaviour = traits,
                                      .behaviour_count = 1,
                                      .reasons = reasons,
                                      .reason_count = 1};
    digest table = digest_of("table", 5);
    char text[DIGEST_TEXT_BYTES], want[512];
    text_buffer answer;
    digest_text(&table, text);
    buffer_init(&answer, 4096);
    encounter_document_write(&answer, &encounter, &table);
    buffer_add(&answer, "", 1);
    cr_assert_eq(buffer_status(&answer), LOAM_OK);
    snprintf(want, sizeof want,
             "{\"archetype\":\"goblin\",\"level\":3,\"health\":40,\"damage\":5,"
             "\"behaviour\":{\"flees_at\":1.5},\"strength\":12,\"threat\":500,"
             "\"table_digest\":\"%s\",\"reasons\":[{\"code\":\"pool\",\"text\":"
             "\"the \\\"only\\\" one\"}]}",
             text);
    cr_expect_str_eq(answer.bytes, want);
    buffer_fini(&answer);
}
