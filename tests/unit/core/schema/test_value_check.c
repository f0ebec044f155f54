/* SPDX-License-Identifier: MIT
 *
 * test_value_check.c: records and documents as parameters: read, checked, defaulted, and where a
 * fault in them lies.
 */
#include "core/schema/schema.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>

static const loam_param_schema inner[] = {
    PARAM("least", "Least", "", INT, 0, 0, 3, 0, 9, 1, ""),
    PARAM("most", "Most", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 0, 9, 1, ""),
    {.key = "extra", .unit = "", .kind = LOAM_PARAM_RULES},
};
static const loam_param_schema fields[] = {
    {.key = "checks", .unit = "", .kind = LOAM_PARAM_RECORD, .fields = inner, .field_count = 3},
    {.key = "templates", .unit = "", .kind = LOAM_PARAM_RULES},
};
static const loam_param_schema required[] = {
    {.key = "checks",
     .unit = "",
     .kind = LOAM_PARAM_RECORD,
     .flags = LOAM_PARAM_REQUIRED,
     .fields = inner,
     .field_count = 3},
    {.key = "templates", .unit = "", .kind = LOAM_PARAM_RULES, .flags = LOAM_PARAM_REQUIRED},
};

static loam_status read_by(const loam_param_schema *schema, const char *json,
                           const loam_value **values, loam_error *error) {
    loam_arena arena = arena_of(1 << 20);
    return rules_read(rules_of_text(json, &arena), schema, 2, "/params", &arena, values, error);
}

Test(value_check, a_record_is_its_fields_in_order_with_their_defaults) {
    const loam_value *values;
    loam_error error = {0};
    cr_assert_eq(read_by(fields, "{\"checks\":{\"most\":5}}", &values, &error), LOAM_OK);
    cr_assert_eq(values[0].kind, LOAM_VALUE_LIST);
    cr_assert_eq(values[0].item_count, 3);
    cr_expect_eq(values[0].items[0].integer, 3);
    cr_expect_eq(values[0].items[1].integer, 5);
    cr_expect_eq(values[0].items[2].kind, LOAM_VALUE_UNSET);
    cr_expect_eq(values[1].kind, LOAM_VALUE_UNSET);
    cr_expect_eq(value_check(&fields[0], &values[0], "/params/checks", &error), LOAM_OK);
}

Test(value_check, a_record_and_a_document_that_nobody_gives_are_unset) {
    const loam_value *values;
    loam_error error = {0};
    cr_assert_eq(read_by(fields, "{}", &values, &error), LOAM_OK);
    cr_expect_eq(values[0].kind, LOAM_VALUE_UNSET);
    cr_expect_eq(values[1].kind, LOAM_VALUE_UNSET);
}

Test(value_check, a_document_is_kept_as_it_is) {
    const loam_value *values;
    loam_error error = {0};
    cr_assert_eq(read_by(fields, "{\"templates\":{\"any\":[1,\"two\"]}}", &values, &error),
                 LOAM_OK);
    cr_assert_eq(values[1].kind, LOAM_VALUE_RULES);
    cr_assert_eq(values[1].rules->kind, LOAM_RULES_OBJECT);
    cr_expect(loam_text_equal(values[1].rules->keys[0], loam_text_of("any")));
    cr_expect_eq(value_check(&fields[1], &values[1], "", &error), LOAM_OK);
}

static void expect_refused(const loam_param_schema *schema, const char *json, loam_status status,
                           const char *pointer) {
    const loam_value *values;
    loam_error error = {0};
    cr_expect_eq(read_by(schema, json, &values, &error), status, "%s: %s", json, error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s", json);
}

Test(value_check, faults_in_a_record_name_their_place) {
    expect_refused(fields, "{\"checks\":[]}", LOAM_WRONG_TYPE, "/params/checks");
    expect_refused(fields, "{\"checks\":{}}", LOAM_MISSING_FIELD, "/params/checks/most");
    expect_refused(fields, "{\"checks\":{\"most\":10}}", LOAM_OUT_OF_RANGE, "/params/checks/most");
    expect_refused(fields, "{\"checks\":{\"none\":1}}", LOAM_UNKNOWN_FIELD, "/params/checks/none");
    expect_refused(required, "{\"templates\":1}", LOAM_MISSING_FIELD, "/params/checks");
    expect_refused(required, "{\"checks\":{\"most\":1}}", LOAM_MISSING_FIELD, "/params/templates");
}

static loam_status check_first(const loam_value *value, loam_error *error) {
    *error = (loam_error){0};
    return value_check(&fields[0], value, "/checks", error);
}

Test(value_check, values_of_records_are_checked_field_by_field) {
    loam_error error;
    loam_value items[3] = {{.kind = LOAM_VALUE_INTEGER, .integer = 1},
                           {.kind = LOAM_VALUE_INTEGER, .integer = 9},
                           {.kind = LOAM_VALUE_UNSET}};
    loam_value record = {.kind = LOAM_VALUE_LIST, .items = items, .item_count = 3};
    cr_expect_eq(check_first(&record, &error), LOAM_OK, "%s", error.text);
    items[1].integer = 10;
    cr_expect_eq(check_first(&record, &error), LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, "/checks/most");
    items[1].kind = LOAM_VALUE_UNSET;
    cr_expect_eq(check_first(&record, &error), LOAM_MISSING_FIELD);
    items[1] = (loam_value){.kind = LOAM_VALUE_INTEGER};
    items[2] = (loam_value){.kind = LOAM_VALUE_INTEGER};
    cr_expect_eq(check_first(&record, &error), LOAM_WRONG_TYPE, "a number is no document");
    cr_expect_str_eq(error.pointer, "/checks/extra");
    record.item_count = 2;
    cr_expect_eq(check_first(&record, &error), LOAM_WRONG_TYPE);
}
