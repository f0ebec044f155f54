/* SPDX-License-Identifier: MIT
 *
 * test_rules.c: documents of rules by a schema: numbers become the integers that api/wire makes of
 * parameters, everything unknown is refused.
 */
#include "core/ops/rules.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const char *const colours[] = {"red", "green", NULL};
static const loam_param_schema inner[] = {
    PARAM("n", "N", "", INT, 0, 0, 7, -10, 10, 1, ""),
    PARAM("up", "Up", "m", FLOAT, BITS_UNITS, LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 256, 0,
          1 << 20, 1, ""),
};
static const loam_param_schema fields[] = {
    PARAM("x", "X", "", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, -(1 << 20), 1 << 20, 1, ""),
    PARAM("flag", "Flag", "", BOOL, 0, 0, 0, 0, 1, 1, ""),
    PARAM_CHOICE("colour", "Colour", 1, colours, 2, ""),
    {.key = "list", .unit = "", .kind = LOAM_PARAM_LIST, .fields = inner, .field_count = 2},
    {.key = "names", .unit = "", .kind = LOAM_PARAM_LIST, .item = LOAM_PARAM_STRING},
};

static loam_status read_fields(const char *json, const loam_value **values, loam_error *error) {
    loam_arena arena = arena_of(4 << 20);
    return rules_read(rules_of_text(json, &arena), fields, COUNT_OF(fields), "", &arena, values,
                      error);
}

static int64_t read_x(const char *number) {
    char json[64];
    const loam_value *values;
    loam_error error = {0};
    snprintf(json, sizeof json, "{\"x\":%s}", number);
    cr_assert_eq(read_fields(json, &values, &error), LOAM_OK, "%s: %s", number, error.text);
    return values[0].integer;
}

Test(rules, numbers_are_rounded_to_the_nearest_step_halves_up) {
    cr_expect_eq(read_x("0"), 0);
    cr_expect_eq(read_x("-0"), 0);
    cr_expect_eq(read_x("1"), 256);
    cr_expect_eq(read_x("4096"), 1 << 20);
    cr_expect_eq(read_x("0.001953125"), 1, "half a step goes up");
    cr_expect_eq(read_x("-0.001953125"), 0);
    cr_expect_eq(read_x("0.0019531249"), 0);
    cr_expect_eq(read_x("0.6"), 154);
    cr_expect_eq(read_x("-0.6"), -154);
    cr_expect_eq(read_x("1e-300"), 0);
    cr_expect_eq(read_x("-1e-300"), 0);
}

static void expect_refused(const char *json, loam_status status, const char *pointer) {
    const loam_value *values;
    loam_error error = {0};
    cr_expect_eq(read_fields(json, &values, &error), status, "%s: %s", json, error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s", json);
}

Test(rules, what_does_not_fit_names_its_place) {
    expect_refused("{\"x\":4096.0001}", LOAM_OUT_OF_RANGE, "/x");
    expect_refused("{\"x\":-4096.0001}", LOAM_OUT_OF_RANGE, "/x");
    expect_refused("{\"x\":1e300}", LOAM_OUT_OF_RANGE, "/x");
    expect_refused("{\"x\":-1e300}", LOAM_OUT_OF_RANGE, "/x");
    expect_refused("{\"x\":\"1\"}", LOAM_WRONG_TYPE, "/x");
    expect_refused("{}", LOAM_MISSING_FIELD, "/x");
    expect_refused("{\"x\":1,\"y\":2}", LOAM_UNKNOWN_FIELD, "/y");
    expect_refused("{\"x\":1,\"flag\":1}", LOAM_WRONG_TYPE, "/flag");
    expect_refused("{\"x\":1,\"colour\":\"blue\"}", LOAM_OUT_OF_RANGE, "/colour");
    expect_refused("{\"x\":1,\"list\":{}}", LOAM_WRONG_TYPE, "/list");
    expect_refused("{\"x\":1,\"list\":[{},{\"n\":1.5}]}", LOAM_WRONG_TYPE, "/list/1/n");
    expect_refused("{\"x\":1,\"list\":[{\"n\":11}]}", LOAM_OUT_OF_RANGE, "/list/0/n");
    expect_refused("{\"x\":1,\"list\":[{\"up\":0}]}", LOAM_OUT_OF_RANGE, "/list/0/up");
    expect_refused("{\"x\":1,\"list\":[{\"m\":0}]}", LOAM_UNKNOWN_FIELD, "/list/0/m");
    expect_refused("{\"x\":1,\"names\":[\"a\",2]}", LOAM_WRONG_TYPE, "/names/1");
    expect_refused("[]", LOAM_WRONG_TYPE, "");
}

Test(rules, what_is_left_out_is_the_default_and_order_is_the_schemas) {
    const loam_value *values;
    loam_error error = {0};
    cr_assert_eq(read_fields("{\"names\":[\"b\",\"a\"],\"list\":[{\"up\":1e-9},{}],\"x\":1}",
                             &values, &error),
                 LOAM_OK, "%s", error.text);
    cr_expect_eq(values[1].integer, 0);
    cr_expect_eq(values[2].integer, 1);
    cr_assert_eq(values[3].item_count, 2);
    cr_expect_eq(values[3].items[0].items[0].integer, 7);
    cr_expect_eq(values[3].items[0].items[1].integer, 1, "up, never to 0");
    cr_expect_eq(values[3].items[1].items[1].integer, 256);
    cr_assert_eq(values[4].item_count, 2);
    cr_expect(loam_text_equal(values[4].items[0].text, loam_text_of("b")));
}
