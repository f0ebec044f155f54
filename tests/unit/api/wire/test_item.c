/* SPDX-License-Identifier: MIT
 *
 * test_item.c: typed values, each with the fault of every wrong kind.
 */
#include "api/wire/document.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static fault_list faults;
static json_t *root;
static item document;

static item field(const char *json) {
    char text[1024];
    snprintf(text, sizeof text, "{\"f\":%s}", json);
    json_decref(root);
    fault_clear(&faults);
    cr_assert_eq(document_read(loam_text_of(text), &root, &faults), LOAM_OK, "%s", json);
    document = document_item(root, &faults);
    return item_field(&document, "f");
}

static void fini(void) {
    json_decref(root);
    root = NULL;
}

TestSuite(item, .fini = fini);

static void assert_fault(loam_status status, const char *pointer) {
    cr_assert_eq(faults.count, 1);
    cr_assert_eq(faults.items[0].status, status, "%s", loam_status_code(faults.items[0].status));
    cr_assert_str_eq(faults.items[0].pointer, pointer);
}

Test(item, a_missing_field_is_named) {
    item at = field("1");
    item other = item_field(&document, "g");
    loam_text text;
    cr_assert_eq(item_text(&other, &text), LOAM_MISSING_FIELD);
    assert_fault(LOAM_MISSING_FIELD, "/g");
    cr_assert(item_present(&at));
}

Test(item, unknown_fields_are_all_named) {
    static const char *const known[] = {"b", NULL};
    item at = field("{\"a\":1,\"b\":2,\"c\":3}");
    cr_assert_eq(item_fields(&at, known), LOAM_UNKNOWN_FIELD);
    cr_assert_eq(faults.count, 2);
    cr_assert_str_eq(faults.items[0].pointer, "/f/a");
    cr_assert_str_eq(faults.items[1].pointer, "/f/c");
}

Test(item, a_wrong_type_is_named_with_what_was_wanted) {
    item at = field("\"1\"");
    int64_t value = 0;
    cr_assert_eq(item_integer(&at, 0, 9, &value), LOAM_WRONG_TYPE);
    assert_fault(LOAM_WRONG_TYPE, "/f");
    cr_assert_str_eq(faults.items[0].text, "a number is wanted, not a string");
}

Test(item, integers_are_whole_numbers_in_a_range) {
    int64_t value = 0;
    item at = field("1e1");
    cr_assert_eq(item_integer(&at, 0, 10, &value), LOAM_OK);
    cr_assert_eq(value, 10);
    at = field("10.0");
    cr_assert_eq(item_integer(&at, 0, 10, &value), LOAM_OK);
    at = field("11");
    cr_assert_eq(item_integer(&at, 0, 10, &value), LOAM_OUT_OF_RANGE);
    at = field("-1");
    cr_assert_eq(item_integer(&at, 0, 10, &value), LOAM_OUT_OF_RANGE);
    at = field("1e300");
    cr_assert_eq(item_integer(&at, 0, 10, &value), LOAM_OUT_OF_RANGE);
    at = field("1.5");
    cr_assert_eq(item_integer(&at, 0, 10, &value), LOAM_WRONG_TYPE);
    at = field("null");
    cr_assert_eq(item_integer(&at, 0, 10, &value), LOAM_WRONG_TYPE);
}

Test(item, seeds_are_strings_and_every_number_is_refused) {
    uint64_t seed = 0;
    item at = field("\"18446744073709551615\"");
    cr_assert_eq(item_seed(&at, &seed), LOAM_OK);
    cr_assert_eq(seed, UINT64_MAX);
    static const char *const bad[] = {"\"18446744073709551616\"",
                                      "\"-1\"",
                                      "\"1e3\"",
                                      "7",
                                      "0",
                                      "18446744073709551616",
                                      "-1",
                                      "1e3",
                                      "null",
                                      "\"\"",
                                      "[]",
                                      "\"7 \""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        at = field(bad[i]);
        cr_assert_eq(item_seed(&at, &seed), LOAM_SEED_OUT_OF_RANGE, "%s", bad[i]);
        assert_fault(LOAM_SEED_OUT_OF_RANGE, "/f");
    }
}

Test(item, names_and_digests_have_one_form) {
    loam_text name;
    digest value;
    item at = field("\"a-b_c.9\"");
    cr_assert_eq(item_name(&at, &name), LOAM_OK);
    at = field("\"Ab\"");
    cr_assert_eq(item_name(&at, &name), LOAM_BAD_NAME);
    at = field("\"\"");
    cr_assert_eq(item_name(&at, &name), LOAM_BAD_NAME);
    at = field("\"sha256-00\"");
    cr_assert_eq(item_digest(&at, &value), LOAM_BAD_NAME);
}

Test(item, arrays_have_a_least_and_a_largest_count) {
    item at = field("[1,2]");
    cr_assert_eq(item_array(&at, 2, 2), LOAM_OK);
    cr_assert_eq(item_array(&at, 3, 9), LOAM_OUT_OF_RANGE);
    cr_assert_eq(item_array(&at, 0, 1), LOAM_TOO_MANY);
    at = field("{}");
    cr_assert_eq(item_array(&at, 0, 1), LOAM_WRONG_TYPE);
}

Test(item, booleans_are_no_numbers) {
    bool value = false;
    item at = field("true");
    cr_assert_eq(item_bool(&at, &value), LOAM_OK);
    cr_assert(value);
    at = field("1");
    cr_assert_eq(item_bool(&at, &value), LOAM_WRONG_TYPE);
}

Test(item, more_faults_than_are_kept_are_counted) {
    item at = field("1");
    for (int i = 0; i < FAULTS_MAX + 3; i++) {
        item_fail(&at, LOAM_WRONG_TYPE, "number %d", i);
    }
    cr_assert_eq(faults.count, FAULTS_MAX + 3);
    cr_assert_eq(fault_kept(&faults), FAULTS_MAX);
    loam_error first = {0};
    cr_assert_eq(fault_first(&faults, &first), LOAM_WRONG_TYPE);
    cr_assert_str_eq(first.text, "number 0");
}

Test(item, a_long_unknown_field_leaves_a_sound_pointer) {
    static const char *const known[] = {NULL};
    char json[800] = "{\"";
    memset(json + 2, 'k', 600);
    strcpy(json + 602, "\":1}");
    item at = field(json);
    cr_assert_eq(item_fields(&at, known), LOAM_UNKNOWN_FIELD);
    assert_fault(LOAM_UNKNOWN_FIELD, "/f");
}
