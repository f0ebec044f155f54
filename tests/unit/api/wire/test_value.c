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
static const loam_param_schema choice = {
    .key = "shape", .unit = "", .kind = LOAM_PARAM_CHOICE, .max = 1, .choices = choices};
static const loam_param_schema curve = {.key = "curve",
                                        .unit = "",
                                        .kind = LOAM_PARAM_CURVE,
                                        .scale_bits = 4,
                                        .max = 1,
                                        .choices = choices};
static const loam_param_schema list = {.key = "offsets_m",
                                       .unit = "m",
                                       .kind = LOAM_PARAM_LIST,
                                       .item = LOAM_PARAM_FLOAT,
                                       .items_min = 1,
                                       .items_max = 3,
                                       .scale_bits = 8,
                                       .min = -2560,
                                       .max = 2560};
static const loam_param_schema whole_list = {
    .key = "counts", .unit = "", .kind = LOAM_PARAM_LIST, .item = LOAM_PARAM_INT, .max = 9};
static const loam_param_schema text_list = {
    .key = "values", .unit = "", .kind = LOAM_PARAM_LIST, .item = LOAM_PARAM_STRING};
static const loam_param_schema record_fields[] = {
    {.key = "name", .unit = "", .kind = LOAM_PARAM_STRING, .flags = LOAM_PARAM_REQUIRED},
    {.key = "weight",
     .unit = "",
     .kind = LOAM_PARAM_FLOAT,
     .scale_bits = 4,
     .flags = LOAM_PARAM_ATTRIBUTE,
     .initial = 16,
     .max = 160},
    {.key = "yaw", .unit = "", .kind = LOAM_PARAM_CHOICE, .max = 1, .choices = choices},
    {.key = "offset",
     .unit = "m",
     .kind = LOAM_PARAM_LIST,
     .item = LOAM_PARAM_FLOAT,
     .items_min = 2,
     .items_max = 2,
     .scale_bits = 1,
     .initial = 1,
     .max = 8},
};
static const loam_param_schema records = {.key = "assets",
                                          .unit = "",
                                          .kind = LOAM_PARAM_LIST,
                                          .items_min = 1,
                                          .items_max = 2,
                                          .fields = record_fields,
                                          .field_count = 4};

static fault_list faults;
static json_t *root;
static loam_value value;
static unsigned char memory[1 << 18];

static loam_status read(const loam_param_schema *schema, const char *json) {
    char document[2048];
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
    cr_assert_eq(read(&choice, "1"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&list, "1"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&flag, "{\"attribute\":\"a\"}"), LOAM_WRONG_TYPE);
}

Test(value, booleans_texts_and_choices) {
    cr_assert_eq(integer(&flag, "true"), 1);
    cr_assert_eq(integer(&flag, "false"), 0);
    cr_assert_eq(integer(&choice, "\"smooth\""), 1);
    cr_assert_eq(read(&choice, "\"cubic\""), LOAM_OUT_OF_RANGE);
    cr_assert_str_eq(faults.items[0].text, "shape is one of: linear, smooth");
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
    cr_assert_eq(value.items[1].kind, LOAM_VALUE_INTEGER);
    cr_assert_eq(value.items[1].integer, 16, "the schema's own max");
    cr_assert_eq(read(&ratio, "{\"attribute\":\"$\"}"), LOAM_BAD_NAME);
    cr_assert_eq(read(&ratio, "{\"attribute\":\"\"}"), LOAM_BAD_NAME);
    cr_assert_eq(read(&ratio, "{\"attribute\":\"Addr:Street\"}"), LOAM_OK,
                 "properties of features have names of any kind");
}

Test(value, a_reserved_attribute_may_be_its_name_alone) {
    cr_assert_eq(read(&ratio, "\"$height\""), LOAM_OK);
    cr_assert_eq(value.kind, LOAM_VALUE_ATTRIBUTE);
    cr_assert_eq(value.items[0].integer, 3);
    cr_assert_eq(value.items[1].integer, 16);
    cr_assert_eq(read(&length, "\"$scale\""), LOAM_MISSING_FIELD, "a length needs its largest");
    cr_assert_eq(read(&ratio, "\"height\""), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&step, "\"$height\""), LOAM_WRONG_TYPE, "not everything goes by one");
}

Test(value, a_reserved_attribute_needs_no_default) {
    cr_assert_eq(read(&length, "{\"attribute\":\"$scale\",\"max\":2}"), LOAM_OK);
    cr_assert_eq(value.items[0].integer, length.min);
}

Test(value, a_list_holds_as_many_numbers_as_its_schema_says) {
    cr_assert_eq(read(&list, "[0.5,-1]"), LOAM_OK);
    cr_assert_eq(value.kind, LOAM_VALUE_LIST);
    cr_assert_eq(value.item_count, 2);
    cr_assert_eq(value.items[0].integer, 128);
    cr_assert_eq(value.items[1].integer, -256);
    cr_assert_eq(read(&list, "[]"), LOAM_OUT_OF_RANGE);
    cr_assert_eq(read(&list, "[1,2,3]"), LOAM_OK);
    cr_assert_eq(read(&list, "[1,2,3,4]"), LOAM_TOO_MANY);
    cr_assert_eq(read(&list, "[0,11]"), LOAM_OUT_OF_RANGE);
    cr_assert_str_eq(faults.items[0].pointer, "/f/1");
    cr_assert_eq(read(&list, "[0,\"a\"]"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&list, "[[1]]"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&whole_list, "[]"), LOAM_OK);
    cr_assert_eq(read(&whole_list, "[1,9]"), LOAM_OK);
    cr_assert_eq(read(&whole_list, "[1.5]"), LOAM_WRONG_TYPE);
}

Test(value, a_list_without_a_bound_ends_at_the_limit) {
    char json[4 * LIST_ITEMS_MAX + 8] = "[0";
    for (int i = 1; i < LIST_ITEMS_MAX; i++) {
        strcat(json, ",0");
    }
    strcat(json, "]");
    cr_assert_eq(read(&whole_list, json), LOAM_OK);
    cr_assert_eq(value.item_count, LIST_ITEMS_MAX);
    strcpy(json + strlen(json) - 1, ",0]");
    cr_assert_eq(read(&whole_list, json), LOAM_TOO_MANY);
}

Test(value, a_list_of_texts) {
    cr_assert_eq(read(&text_list, "[\"a\",\"b\"]"), LOAM_OK);
    cr_assert_eq(value.items[1].kind, LOAM_VALUE_TEXT);
    cr_assert_eq(read(&text_list, "[\"a\",1]"), LOAM_WRONG_TYPE);
    cr_assert_str_eq(faults.items[0].pointer, "/f/1");
    cr_assert_eq(read(&text_list, "[\"\\u0001\"]"), LOAM_OUT_OF_RANGE);
}

Test(value, fields_of_a_record_that_are_left_out_have_their_defaults) {
    cr_assert_eq(read(&records, "[{\"name\":\"oak\"}]"), LOAM_OK);
    const loam_value *record = &value.items[0];
    cr_assert_eq(record->item_count, 4);
    cr_assert(loam_text_equal(record->items[0].text, loam_text_of("oak")));
    cr_assert_eq(record->items[1].integer, 16);
    cr_assert_eq(record->items[2].integer, 0);
    cr_assert_eq(record->items[3].item_count, 2);
    cr_assert_eq(record->items[3].items[1].integer, 1);
}

Test(value, faults_of_records_name_the_field) {
    static const struct {
        const char *json;
        loam_status status;
        const char *pointer;
    } bad[] = {
        {"[]", LOAM_OUT_OF_RANGE, "/f"},
        {"[1]", LOAM_WRONG_TYPE, "/f/0"},
        {"[{\"name\":\"a\"},{}]", LOAM_MISSING_FIELD, "/f/1/name"},
        {"[{\"name\":\"a\",\"wait\":1}]", LOAM_UNKNOWN_FIELD, "/f/0/wait"},
        {"[{\"name\":\"a\",\"weight\":11}]", LOAM_OUT_OF_RANGE, "/f/0/weight"},
        {"[{\"name\":\"a\",\"yaw\":\"x\"}]", LOAM_OUT_OF_RANGE, "/f/0/yaw"},
        {"[{\"name\":\"a\",\"offset\":[1,5]}]", LOAM_OUT_OF_RANGE, "/f/0/offset/1"},
        {"[{\"name\":\"a\"},{\"name\":\"b\"},{\"name\":\"c\"}]", LOAM_TOO_MANY, "/f"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_eq(read(&records, bad[i].json), bad[i].status, "%s", bad[i].json);
        cr_assert_str_eq(faults.items[0].pointer, bad[i].pointer, "%s", bad[i].json);
    }
}

Test(value, a_curve_is_a_shape_or_rising_points) {
    cr_assert_eq(integer(&curve, "\"smooth\""), 1);
    cr_assert_eq(read(&curve, "\"cubic\""), LOAM_OUT_OF_RANGE);
    cr_assert_eq(read(&curve, "1"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&curve, "[[0,1],[0.5,-7]]"), LOAM_OK);
    cr_assert_eq(value.kind, LOAM_VALUE_LIST);
    cr_assert_eq(value.items[1].items[0].integer, 8);
    cr_assert_eq(value.items[1].items[1].integer, -112);
    cr_assert_eq(read(&curve, "[[0,1]]"), LOAM_OUT_OF_RANGE);
    cr_assert_eq(read(&curve, "[[0,1],[1]]"), LOAM_OUT_OF_RANGE);
    cr_assert_str_eq(faults.items[0].pointer, "/f/1");
    cr_assert_eq(read(&curve, "[[0,1],[0.01,2]]"), LOAM_OUT_OF_RANGE, "one x in this scale");
    cr_assert_eq(read(&curve, "[[0,1],[1,\"2\"]]"), LOAM_WRONG_TYPE);
    cr_assert_eq(read(&curve, "[[0,1],[1,1e9]]"), LOAM_OUT_OF_RANGE);
    cr_assert_str_eq(faults.items[0].pointer, "/f/1/1");
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
    assert_written(&choice, "\"smooth\"", "\"smooth\"");
    assert_written(&curve, "\"linear\"", "\"linear\"");
    assert_written(&curve, "[[-1, 0.03125], [2, 1e0]]", "[[-1,0.0625],[2,1]]");
    assert_written(&list, "[0.5, -1]", "[0.5,-1]");
    assert_written(&text_list, "[\"b\", \"a\"]", "[\"b\",\"a\"]");
    assert_written(&ratio, "{\"attribute\":\"$height\"}",
                   "{\"attribute\":\"$height\",\"default\":0.1875,\"max\":1}");
    assert_written(&records,
                   "[{\"yaw\":\"smooth\", \"name\":\"a\"}, "
                   "{\"weight\":{\"attribute\":\"w\"}, \"name\":\"b\", \"offset\":[0, 4]}]",
                   "[{\"name\":\"a\",\"weight\":1,\"yaw\":\"smooth\",\"offset\":[0.5,0.5]},"
                   "{\"name\":\"b\",\"weight\":{\"attribute\":\"w\",\"default\":1,\"max\":10},"
                   "\"yaw\":\"linear\",\"offset\":[0,4]}]");
    assert_written(&length, "{\"max\":2, \"default\":1, \"attribute\":\"r\"}",
                   "{\"attribute\":\"r\",\"default\":1,\"max\":2}");
}

Test(value, what_is_written_reads_back_as_the_same_text) {
    static const struct {
        const loam_param_schema *schema;
        const char *json;
    } rows[] = {
        {&length, "{\"attribute\":\"r\",\"default\":0.1,\"max\":2.7}"},
        {&ratio, "{\"attribute\":\"$slope_deg\",\"default\":-0.3}"},
        {&curve, "[[0,0.1],[0.7,0.9],[3,-1]]"},
        {&list, "[0.3,9.99]"},
        {&records, "[{\"name\":\"x\",\"weight\":0.3,\"offset\":[0.3,1.2]}]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_buffer first;
        buffer_init(&first, 1024);
        cr_assert_eq(read(rows[i].schema, rows[i].json), LOAM_OK);
        value_write(&first, rows[i].schema, &value);
        char again[1024];
        snprintf(again, sizeof again, "%.*s", (int)first.size, first.bytes);
        assert_written(rows[i].schema, again, again);
        buffer_fini(&first);
    }
}
