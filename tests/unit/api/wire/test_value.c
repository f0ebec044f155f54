/* SPDX-License-Identifier: MIT
 *
 * test_value.c: numbers become integers once, by every rule of their schema, and print exactly.
 */
#include "api/wire/value.h"
#include "core/base/limits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char *const choices[] = {"linear", "smooth", NULL};

static const loam_param_schema length = {.key = "radius_m",
                                         .unit = "m",
                                         .kind = LOAM_PARAM_FLOAT,
                                         .scale_bits = 8,
                                         .flags = LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO |
                                                  LOAM_PARAM_REQUIRED | LOAM_PARAM_ATTRIBUTE,
                                         .min = 1,
                                         .max = 25600};
static const loam_param_schema ratio = {.key = "gain",
                                        .unit = "",
                                        .kind = LOAM_PARAM_FLOAT,
                                        .scale_bits = 4,
                                        .min = -16,
                                        .max = 16,
                                        .flags = LOAM_PARAM_ATTRIBUTE,
                                        .initial = 3};
static const loam_param_schema step = {.key = "step",
                                       .unit = "",
                                       .kind = LOAM_PARAM_FLOAT,
                                       .scale_bits = 4,
                                       .min = -16,
                                       .max = 16,
                                       .flags = LOAM_PARAM_NONZERO};
static const loam_param_schema count = {
    .key = "rounds", .unit = "", .kind = LOAM_PARAM_INT, .min = 1, .max = 6};
static const loam_param_schema flag = {
    .key = "invert", .unit = "", .kind = LOAM_PARAM_BOOL, .max = 1};
static const loam_param_schema text = {.key = "asset", .unit = "", .kind = LOAM_PARAM_STRING};
static const loam_param_schema curve = {
    .key = "curve", .unit = "", .kind = LOAM_PARAM_CHOICE, .max = 1, .choices = choices};
static const loam_param_schema list = {.key = "offsets_m",
                                       .unit = "m",
                                       .kind = LOAM_PARAM_LIST,
                                       .scale_bits = 8,
                                       .min = -2560,
                                       .max = 2560};

static fault_list faults;
static json_t *root;
static loam_value value;
static unsigned char memory[1 << 18];

static loam_status read(const loam_param_schema *schema, const char *json) {
    char document[512];
    loam_arena arena;
    loam_arena_init(&arena, memory, sizeof memory);
    snprintf(document, sizeof document, "{\"f\":%s}", json);
    json_decref(root);
    fault_clear(&faults);
    cr_assert_eq(document_read(loam_text_of(document), &root, &faults), LOAM_OK, "%s", json);
    item whole = document_item(root, &faults);
    item at = item_field(&whole, "f");
    loam_status status = value_read(&at, schema, &arena, &value);
    cr_assert_eq(status, fault_status(&faults), "every failure is noted");
    return status;
}

static void fini(void) {
    json_decref(root);
    root = NULL;
}

TestSuite(value, .fini = fini);

static int64_t integer(const loam_param_schema *schema, const char *json) {
    cr_assert_eq(read(schema, json), LOAM_OK, "%s: %s", json, faults.items[0].text);
    cr_assert_eq(value.kind, LOAM_VALUE_INTEGER);
    return value.integer;
}

Test(value, three_spellings_of_a_number_are_one_integer) {
    cr_assert_eq(integer(&length, "0.6"), 154);
    cr_assert_eq(integer(&length, "6e-1"), 154);
    cr_assert_eq(integer(&length, "0.60"), 154);
    cr_assert_eq(integer(&length, "0.6015625"), 154);
}

Test(value, lengths_that_keep_distance_round_up) {
    cr_assert_eq(integer(&length, "1.2"), 308);
    cr_assert_eq(integer(&length, "0.0001"), 1);
    cr_assert_eq(integer(&length, "1"), 256);
    cr_assert_eq(integer(&length, "100"), 25600);
    cr_assert_eq(read(&length, "100.001"), LOAM_OUT_OF_RANGE);
}

Test(value, other_numbers_round_to_nearest_and_halves_up) {
    cr_assert_eq(integer(&ratio, "0.03125"), 1);
    cr_assert_eq(integer(&ratio, "-0.03125"), 0);
    cr_assert_eq(integer(&ratio, "0.031249999999999996"), 0);
    cr_assert_eq(integer(&ratio, "-0.04"), -1);
    cr_assert_eq(integer(&ratio, "-0.0"), 0);
    cr_assert_eq(integer(&ratio, "1"), 16);
    cr_assert_eq(integer(&ratio, "-1"), -16);
}

Test(value, beyond_the_range_is_refused_however_far) {
    static const char *const bad[] = {"1.0001", "-1.0001", "1e300",
                                      "-1e300", "1e308",   "100000000000000000000000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(read(&ratio, bad[i]), LOAM_OUT_OF_RANGE, "%s", bad[i]);
        cr_assert_str_eq(faults.items[0].pointer, "/f");
        cr_assert_str_eq(faults.items[0].text, "gain must be in -1..1");
    }
}

Test(value, what_must_not_become_zero_is_refused) {
    cr_assert_eq(read(&step, "0"), LOAM_OUT_OF_RANGE);
    cr_assert_eq(read(&step, "0.03"), LOAM_OUT_OF_RANGE);
    cr_assert_str_eq(faults.items[0].text, "step must not become 0; a step is 0.0625");
    cr_assert_eq(integer(&step, "0.04"), 1);
    cr_assert_eq(read(&length, "0"), LOAM_OUT_OF_RANGE);
    cr_assert_eq(read(&length, "-0.001"), LOAM_OUT_OF_RANGE);
}

Test(value, whole_numbers_must_be_whole) {
    cr_assert_eq(integer(&count, "3"), 3);
    cr_assert_eq(integer(&count, "3.0"), 3);
    cr_assert_eq(read(&count, "2.5"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&count, "0"), LOAM_OUT_OF_RANGE);
    cr_assert_eq(read(&count, "7"), LOAM_OUT_OF_RANGE);
}

Test(value, kinds_are_not_mixed_up) {
    cr_assert_eq(read(&ratio, "\"0.5\""), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&ratio, "true"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&ratio, "null"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&ratio, "[1]"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&flag, "1"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&text, "1"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&curve, "1"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&list, "1"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&flag, "{\"attribute\":\"a\"}"), LOAM_WRONG_TYPE);
}

Test(value, booleans_texts_and_choices) {
    cr_assert_eq(integer(&flag, "true"), 1);
    cr_assert_eq(integer(&flag, "false"), 0);
    cr_assert_eq(integer(&curve, "\"smooth\""), 1);
    cr_assert_eq(read(&curve, "\"cubic\""), LOAM_OUT_OF_RANGE);
    cr_assert_str_eq(faults.items[0].text, "curve is one of: linear, smooth");
    cr_assert_eq(read(&text, "\"pine\""), LOAM_OK);
    cr_assert(loam_text_equal(value.text, loam_text_of("pine")));
    cr_assert_eq(read(&text, "\"a\\u0001\""), LOAM_OUT_OF_RANGE);
    char json[300] = "\"";
    memset(json + 1, 'a', ASSET_NAME_BYTES_MAX);
    json[1 + ASSET_NAME_BYTES_MAX] = '"';
    cr_assert_eq(read(&text, json), LOAM_OK);
    memcpy(json + 1 + ASSET_NAME_BYTES_MAX, "a\"", 3);
    cr_assert_eq(read(&text, json), LOAM_OUT_OF_RANGE);
}

Test(value, a_length_by_attribute_must_say_its_largest) {
    cr_assert_eq(read(&length, "{\"attribute\":\"r\",\"default\":1,\"max\":2}"), LOAM_OK);
    cr_assert_eq(value.kind, LOAM_VALUE_ATTRIBUTE);
    cr_assert_eq(value.items[0].integer, 256);
    cr_assert_eq(value.items[1].integer, 512);
    cr_assert_eq(read(&length, "{\"attribute\":\"r\",\"default\":1}"), LOAM_MISSING_FIELD);
    cr_assert_str_eq(faults.items[0].pointer, "/f/max");
    cr_assert_eq(read(&length, "{\"attribute\":\"r\",\"max\":1}"), LOAM_MISSING_FIELD);
    cr_assert_eq(read(&length, "{\"default\":1,\"max\":2}"), LOAM_MISSING_FIELD);
    cr_assert_eq(read(&length, "{\"attribute\":\"r\",\"default\":1,\"max\":2,\"min\":0}"),
                 LOAM_UNKNOWN_FIELD);
}

Test(value, a_ratio_by_attribute_may_leave_out_what_has_a_default) {
    cr_assert_eq(read(&ratio, "{\"attribute\":\"$height\"}"), LOAM_OK);
    cr_assert_eq(value.items[0].integer, 3);
    cr_assert_eq(value.items[1].kind, LOAM_VALUE_UNSET);
    cr_assert_eq(read(&ratio, "{\"attribute\":\"$\"}"), LOAM_BAD_NAME);
    cr_assert_eq(read(&ratio, "{\"attribute\":\"A\"}"), LOAM_BAD_NAME);
}

Test(value, lists_hold_scaled_numbers_texts_and_lists) {
    cr_assert_eq(read(&list, "[0.5,\"a\",[1,-1]]"), LOAM_OK);
    cr_assert_eq(value.item_count, 3);
    cr_assert_eq(value.items[0].integer, 128);
    cr_assert_eq(value.items[2].items[1].integer, -256);
    cr_assert_eq(read(&list, "[0,11]"), LOAM_OUT_OF_RANGE);
    cr_assert_str_eq(faults.items[0].pointer, "/f/1");
    cr_assert_eq(read(&list, "[[[[]]]]"), LOAM_OK);
    cr_assert_eq(read(&list, "[[[[[]]]]]"), LOAM_TOO_MANY);
}

static void assert_written(const loam_param_schema *schema, const char *json, const char *want) {
    text_buffer buffer;
    cr_assert_eq(read(schema, json), LOAM_OK, "%s", json);
    buffer_init(&buffer, 1024);
    value_write(&buffer, schema, &value);
    cr_assert(loam_text_equal(buffer_view(&buffer), loam_text_of(want)), "got %.*s, want %s",
              (int)buffer.size, buffer.bytes, want);
    buffer_fini(&buffer);
}

Test(value, what_is_written_is_exact) {
    assert_written(&length, "0.6", "0.6015625");
    assert_written(&ratio, "-0.25", "-0.25");
    assert_written(&count, "3e0", "3");
    assert_written(&flag, "true", "true");
    assert_written(&text, "\"a\\\"b\"", "\"a\\\"b\"");
    assert_written(&curve, "\"smooth\"", "\"smooth\"");
    assert_written(&list, "[0.5, [\"x\"], -1]", "[0.5,[\"x\"],-1]");
    assert_written(&length, "{\"max\":2, \"default\":1, \"attribute\":\"r\"}",
                   "{\"attribute\":\"r\",\"default\":1,\"max\":2}");
}
