/* SPDX-License-Identifier: MIT */
#include "api/wire/asset_query.h"

#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const known[] = {"width", "scale", "row0", NULL};

Test(asset_query, known_parameters_pass) {
    query_fixture fixture;
    query_fixture_init(&fixture, "row0=north&width=3");
    cr_assert_eq(query_check_names(&fixture.query, known, NULL), LOAM_OK);
}

Test(asset_query, an_unknown_parameter_is_named) {
    query_fixture fixture;
    loam_error error = {0};
    query_fixture_init(&fixture, "width=3&widht=3");
    cr_assert_eq(query_check_names(&fixture.query, known, &error), LOAM_UNKNOWN_PARAMETER);
    cr_assert(strstr(error.text, "widht") != NULL);
}

Test(asset_query, a_repeated_parameter_is_named_even_with_the_same_value) {
    query_fixture fixture;
    loam_error error = {0};
    query_fixture_init(&fixture, "width=3&row0=north&width=3");
    cr_assert_eq(query_check_names(&fixture.query, known, &error), LOAM_DUPLICATE);
    cr_assert(strstr(error.text, "width") != NULL);
}

Test(asset_query, a_missing_parameter_is_named) {
    query_fixture fixture;
    loam_error error = {0};
    loam_text value;
    query_fixture_init(&fixture, "width=3");
    cr_assert_eq(query_require(&fixture.query, "row0", &value, &error), LOAM_MISSING_FIELD);
    cr_assert(strstr(error.text, "row0") != NULL);
    cr_assert(query_find(&fixture.query, "row0").bytes == NULL);
}

static loam_status count_of(const char *text, uint32_t *value) {
    query_fixture fixture;
    query_fixture_init(&fixture, text);
    return query_count(&fixture.query, "width", value, NULL);
}

Test(asset_query, counts_are_digits_within_32_bits) {
    uint32_t value = 7;
    cr_assert_eq(count_of("row0=x", &value), LOAM_OK);
    cr_assert_eq(value, 0);
    cr_assert_eq(count_of("width=4294967295", &value), LOAM_OK);
    cr_assert_eq(value, UINT32_MAX);
    cr_assert_eq(count_of("width=4294967296", &value), LOAM_OUT_OF_RANGE);
    cr_assert_eq(count_of("width=18446744073709551617", &value), LOAM_OUT_OF_RANGE);
    cr_assert_eq(count_of("width=0", &value), LOAM_OUT_OF_RANGE);
    cr_assert_eq(count_of("width=", &value), LOAM_OUT_OF_RANGE);
    cr_assert_eq(count_of("width=-1", &value), LOAM_WRONG_TYPE);
    cr_assert_eq(count_of("width=3.0", &value), LOAM_WRONG_TYPE);
}

static loam_status number_of(const char *text, double *value) {
    query_fixture fixture;
    query_fixture_init(&fixture, text);
    return query_number(&fixture.query, "scale", value, NULL);
}

Test(asset_query, numbers_are_written_as_in_json) {
    double value = 4;
    cr_assert_eq(number_of("row0=x", &value), LOAM_OK);
    cr_assert_eq(value, 4);
    cr_assert_eq(number_of("scale=-1.5e-1", &value), LOAM_OK);
    cr_assert_eq(value, -0.15);
    static const char *const wrong[] = {"scale=",    "scale=nan", "scale=inf", "scale=0x10",
                                        "scale=1,5", "scale= 1",  "scale=1 ",  "scale=[1]",
                                        "scale=01",  "scale=1 2", "scale=true"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(number_of(wrong[i], &value), LOAM_WRONG_TYPE, "%s", wrong[i]);
    }
}

Test(asset_query, a_choice_is_one_of_its_words) {
    static const char *const choices[] = {"north", "south", NULL};
    query_fixture fixture;
    uint32_t index = 9;
    query_fixture_init(&fixture, "row0=south");
    cr_assert_eq(query_choice(&fixture.query, "row0", choices, &index, NULL), LOAM_OK);
    cr_assert_eq(index, 1);
    query_fixture_init(&fixture, "row0=South");
    cr_assert_eq(query_choice(&fixture.query, "row0", choices, &index, NULL), LOAM_OUT_OF_RANGE);
    query_fixture_init(&fixture, "width=1");
    cr_assert_eq(query_choice(&fixture.query, "row0", choices, &index, NULL), LOAM_MISSING_FIELD);
}
