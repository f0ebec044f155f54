/* SPDX-License-Identifier: MIT
 *
 * test_unknown.c: faults of unknown names say what may be meant.
 */
#include "api/wire/unknown.h"

#include <criterion/criterion.h>
#include <stdio.h>

static fault_list faults;

/* The text of the first fault that `add` notes for the field of {"KEY": "VALUE"}. */
static const char *text_of(const char *key, const char *value, void (*add)(const item *at)) {
    char json[256];
    json_t *root = NULL;
    snprintf(json, sizeof json, "{\"%s\": \"%s\"}", key, value);
    fault_clear(&faults);
    cr_assert_eq(document_read(loam_text_of(json), &root, &faults), LOAM_OK);
    item document = document_item(root, &faults);
    item field;
    cr_assert_not_null(item_next(&document, NULL, &field));
    add(&field);
    json_decref(root);
    return faults.items[0].text;
}

static void add_operation(const item *at) {
    cr_expect_eq(unknown_operation(at), LOAM_UNKNOWN_OPERATION);
}

static void add_recipe(const item *at) {
    cr_expect_eq(unknown_recipe(at), LOAM_UNKNOWN_RECIPE);
}

static void add_field(const item *at) {
    static const char *const known[] = {"outputs", "level", NULL};
    cr_expect_eq(unknown_field(at, known), LOAM_UNKNOWN_FIELD);
}

static void add_param(const item *at) {
    const loam_operation *operation = loam_operation_find(loam_text_of("grid.sample"), 0);
    cr_expect_eq(unknown_param(at, operation->name, operation->params, operation->param_count),
                 LOAM_UNKNOWN_PARAMETER);
}

Test(unknown, names_what_may_be_meant) {
    cr_expect_str_eq(text_of("op", "grid.smaple", add_operation),
                     "there is no operation \"grid.smaple\"; did you mean \"grid.sample\"?");
    cr_expect_str_eq(text_of("op", "subgrpah", add_operation),
                     "there is no operation \"subgrpah\"; did you mean \"subgraph\"?");
    cr_expect_str_eq(text_of("recipe", "dungeon.room", add_recipe),
                     "there is no recipe \"dungeon.room\"; did you mean \"dungeon.rooms\"?");
    cr_expect_str_eq(text_of("levle", "", add_field),
                     "there is no field \"levle\" here; did you mean \"level\"?");
    cr_expect_str_eq(text_of("spacing", "", add_param),
                     "grid.sample has no parameter \"spacing\"; did you mean \"spacing_m\"?");
    cr_expect_str_eq(text_of("op", "dance", add_operation), "there is no operation \"dance\"");
}

Test(unknown, names_what_may_be_meant_in_a_query) {
    static const char *const known[] = {"cached", "level", NULL};
    loam_error error = {0};
    cr_expect_eq(query_name_check(loam_text_of("level"), known, &error), LOAM_OK);
    cr_expect_eq(query_name_check(loam_text_of("chached"), known, &error), LOAM_UNKNOWN_PARAMETER);
    cr_expect_str_eq(error.text, "the query parameter \"chached\" is not known here; did you mean "
                                 "\"cached\"?");
    error = (loam_error){0};
    cr_expect_eq(query_name_check(loam_text_of(""), known, &error), LOAM_UNKNOWN_PARAMETER);
    cr_expect_str_eq(error.text, "the query parameter \"\" is not known here");
}

/* A document of nothing but unknown names must not cost more than its answer tells. */
Test(unknown, compares_nothing_for_faults_that_no_answer_lists) {
    static const char *const known[] = {"outputs", NULL};
    json_t *root = NULL;
    fault_clear(&faults);
    cr_assert_eq(document_read(loam_text_of("{\"output\": 1}"), &root, &faults), LOAM_OK);
    item document = document_item(root, &faults);
    item field;
    cr_assert_not_null(item_next(&document, NULL, &field));
    for (uint32_t i = 0; i < FAULTS_MAX - 1; i++) {
        cr_assert_neq(item_fail(&field, LOAM_OUT_OF_RANGE, "one of many"), LOAM_OK);
    }
    cr_expect_eq(unknown_field(&field, known), LOAM_UNKNOWN_FIELD);
    cr_expect_str_eq(faults.items[FAULTS_MAX - 1].text,
                     "there is no field \"output\" here; did you mean \"outputs\"?");
    /* Offered a place that is not to be read, it would crash. */
    static const char *const unreadable[] = {(const char *)1, NULL};
    cr_expect_eq(unknown_field(&field, unreadable), LOAM_UNKNOWN_FIELD);
    json_decref(root);
}
