/* SPDX-License-Identifier: MIT */
#include "api/wire/asset_heights.h"

#include "core/base/limits.h"
#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char whole[] = "kind=heightfield&width=3&height=2&spacing_m=30&offset_m=-11"
                            "&scale_m=0.015625&encoding=u16le&row0=north&origin_x_m=-0.5"
                            "&origin_z_m=1000.001953125";

static loam_status read_form(const char *text, bool picture, heights_form *form,
                             loam_error *error) {
    query_fixture fixture;
    query_fixture_init(&fixture, text);
    return heights_read_form(&fixture.query, picture, form, error);
}

/* `whole` with one parameter replaced, or dropped with an empty value. */
static loam_status read_changed(const char *name, const char *value, loam_error *error) {
    char text[512] = "";
    heights_form form;
    char rest[512];
    char *at = NULL;
    snprintf(rest, sizeof rest, "%s", whole);
    for (char *part = strtok_r(rest, "&", &at); part != NULL; part = strtok_r(NULL, "&", &at)) {
        bool changed = strncmp(part, name, strlen(name)) == 0 && part[strlen(name)] == '=';
        size_t size = strlen(text);
        if (!changed) {
            snprintf(text + size, sizeof text - size, "%s%s", size == 0 ? "" : "&", part);
        } else if (*value != 0) {
            snprintf(text + size, sizeof text - size, "%s%s=%s", size == 0 ? "" : "&", name, value);
        }
    }
    return read_form(text, false, &form, error);
}

Test(asset_heights, a_form_becomes_integers) {
    heights_form form;
    cr_assert_eq(read_form(whole, false, &form, NULL), LOAM_OK);
    cr_assert_eq(form.width, 3);
    cr_assert_eq(form.height, 2);
    cr_assert_eq(form.spacing_fine, (int64_t)30 * 256 * 65536);
    cr_assert_eq(form.origin_x, -128);
    cr_assert_eq(form.origin_z, 256001); /* half a unit goes up */
    cr_assert(form.north_first);
}

Test(asset_heights, every_required_parameter_is_named_when_it_is_missing) {
    static const char *const names[] = {"width", "height", "spacing_m", "encoding", "row0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        loam_error error = {0};
        cr_expect_eq(read_changed(names[i], "", &error), LOAM_MISSING_FIELD, "%s", names[i]);
        cr_expect(strstr(error.text, names[i]) != NULL, "%s", error.text);
    }
}

Test(asset_heights, offset_scale_and_origin_may_be_left_out) {
    static const char *const names[] = {"offset_m", "scale_m", "origin_x_m", "origin_z_m", "kind"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_eq(read_changed(names[i], "", NULL), LOAM_OK, "%s", names[i]);
    }
}

Test(asset_heights, values_beyond_their_range_are_named) {
    static const char *const pairs[][2] = {
        {"width", "1"},           {"width", "65537"},     {"height", "1"},
        {"spacing_m", "0"},       {"spacing_m", "-30"},   {"spacing_m", "256.1"},
        {"spacing_m", "1e999"},   {"spacing_m", "0.003"}, {"origin_x_m", "4294967297"},
        {"origin_z_m", "-1e300"}, {"encoding", "u8"},     {"row0", "up"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        cr_expect_eq(read_changed(pairs[i][0], pairs[i][1], NULL), LOAM_OUT_OF_RANGE, "%s=%s",
                     pairs[i][0], pairs[i][1]);
    }
    cr_assert_eq(read_changed("spacing_m", "256", NULL), LOAM_OK);
    cr_assert_eq(read_changed("spacing_m", "0.00390625", NULL), LOAM_OK);
    cr_assert_eq(read_changed("origin_x_m", "4294967296", NULL), LOAM_OK);
}

Test(asset_heights, too_many_samples_are_refused_by_their_count) {
    cr_assert_eq(heights_check_size(8193, 8193, NULL), LOAM_OK);
    cr_assert_eq(heights_check_size(8193, 8194, NULL), LOAM_TOO_LARGE);
    cr_assert_eq(heights_check_size(65536, 1024, NULL), LOAM_OK);
    cr_assert_eq(heights_check_size(UINT32_MAX, UINT32_MAX, NULL), LOAM_OUT_OF_RANGE);
}

Test(asset_heights, a_picture_brings_its_size_and_encoding) {
    heights_form form;
    cr_assert_eq(read_form("spacing_m=1&row0=south", true, &form, NULL), LOAM_OK);
    cr_assert_not(form.north_first);
    loam_error error = {0};
    cr_assert_eq(read_form("spacing_m=1&row0=south&encoding=u16be", true, &form, &error),
                 LOAM_UNKNOWN_PARAMETER);
    cr_assert(strstr(error.text, "encoding") != NULL);
}

Test(asset_heights, a_height_is_rounded_once_and_stays_below_its_limit) {
    heights_form form = {.offset_m = -11, .scale_m = 1.0 / 64};
    int32_t height = 0;
    cr_assert(heights_round(&form, 39, &height));
    cr_assert_eq(height, (39 * 1024) - 11 * 65536);
    form = (heights_form){.offset_m = 0, .scale_m = 1.0 / 131072};
    cr_assert(heights_round(&form, 1, &height));
    cr_assert_eq(height, 1);
    cr_assert(heights_round(&form, -1, &height));
    cr_assert_eq(height, 0);
    form = (heights_form){.scale_m = 1};
    cr_assert(heights_round(&form, 16383.99998, &height));
    cr_assert_lt(height, HEIGHT_SAMPLE_MAX);
    cr_assert_not(heights_round(&form, 16384, &height));
    cr_assert_not(heights_round(&form, -16384, &height));
}
