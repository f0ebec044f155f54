/* SPDX-License-Identifier: MIT
 *
 * test_geojson_points.c: points from GeoJSON: positions, keys, and what their numbers and texts
 * become; where faults stand; the real files there and back.
 */
#include "api/wire/asset.h"
#include "api/wire/geojson.h"
#include "core/space/sites.h"
#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINT(coordinates) "{\"type\":\"Point\",\"coordinates\":" coordinates "}"
#define POINTS(coordinates) "{\"type\":\"MultiPoint\",\"coordinates\":" coordinates "}"
#define FEATURE(properties, geometry)                                                              \
    "{\"type\":\"Feature\",\"properties\":" properties ",\"geometry\":" geometry "}"
#define COLLECTION(features) "{\"type\":\"FeatureCollection\",\"features\":[" features "]}"

static loam_status read_request(loam_text body, asset_data **data, loam_error *error) {
    query_fixture fixture;
    query_fixture_init(&fixture, "kind=points&crs=local");
    asset_request request = {loam_text_of("application/geo+json"), fixture.query, body};
    return asset_read(&request, data, error);
}

static asset_data *read_asset(loam_text body) {
    loam_error error = {0};
    asset_data *data = NULL;
    cr_assert_eq(read_request(body, &data, &error), LOAM_OK, "%s %s", error.pointer, error.text);
    return data;
}

static void expect_refused(const char *text, loam_status status, const char *pointer) {
    loam_error error = {0};
    asset_data *data = NULL;
    cr_expect_eq(read_request(loam_text_of(text), &data, &error), status, "%s: %s", text,
                 error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s", text);
    cr_expect_null(data);
}

Test(geojson_points, a_third_coordinate_is_the_height) {
    asset_data *data = read_asset(loam_text_of(POINTS("[[1,2],[3,4,5.5],[-1,-2,-3,99]]")));
    const loam_sites_source *source = loam_sites_normal_form(data->asset.sites);
    cr_assert_eq(source->count, 3u);
    cr_expect_eq(source->sites[0].x, -256);
    cr_expect_eq(source->sites[0].z, -512);
    cr_expect_eq(source->sites[0].y, -768);
    cr_expect_eq(source->sites[1].y, 0);
    cr_expect_eq(source->sites[2].y, 1408);
    asset_destroy(data);
}

/* The kind of column `name`, and its value at the point of that x (metres). */
static loam_attribute_kind column_at(const asset_data *data, const char *name, int64_t x,
                                     int32_t *value, loam_text *text) {
    const loam_sites_source *source = loam_sites_normal_form(data->asset.sites);
    for (uint32_t p = 0; p < source->property_count; p++) {
        const loam_attribute *property = &source->properties[p];
        for (uint32_t i = 0;
             loam_text_equal(property->name, loam_text_of(name)) && i < source->count; i++) {
            if (source->sites[i].x == x * 256) {
                *value = property->values[i];
                bool there = property->kind == LOAM_ATTRIBUTE_STRING && *value != LOAM_MISSING;
                *text = there ? property->texts[*value] : (loam_text){0};
                return property->kind;
            }
        }
    }
    cr_assert_fail("no value of %s at %lld", name, (long long)x);
    return LOAM_ATTRIBUTE_INT;
}

static void expect_number(const asset_data *data, const char *name, loam_attribute_kind kind,
                          int64_t x, int32_t want) {
    int32_t value;
    loam_text text;
    cr_expect_eq(column_at(data, name, x, &value, &text), kind, "%s", name);
    cr_expect_eq(value, want, "%s at %lld: %d", name, (long long)x, value);
}

static void expect_text(const asset_data *data, const char *name, int64_t x, const char *want) {
    int32_t value;
    loam_text text;
    cr_expect_eq(column_at(data, name, x, &value, &text), LOAM_ATTRIBUTE_STRING, "%s", name);
    cr_expect(loam_text_equal(text, loam_text_of(want)), "%s at %lld: %.*s", name, (long long)x,
              (int)text.size, text.bytes);
}

Test(geojson_points, numbers_and_texts_become_columns_of_the_narrowest_kind) {
    asset_data *data = read_asset(loam_text_of(COLLECTION(
        FEATURE("{\"n\":7,\"f\":1,\"big\":3000000000,\"s\":\"a\\u0062\",\"m\":4.5,\"w\":70000,"
                "\"b\":true,\"z\":null}",
                POINT("[1,0]")) "," FEATURE("{\"n\":-2.0,\"f\":0.5,\"big\":1,\"\\u0073\":\"\","
                                            "\"m\":\"x\",\"w\":0.5,"
                                            "\"o\":{\"n\":1},\"l\":[1]}",
                                            POINT("[2,0]")) "," FEATURE("null", POINT("[3,0]")))));
    cr_expect_eq(loam_sites_normal_form(data->asset.sites)->property_count, 6u);
    expect_number(data, "n", LOAM_ATTRIBUTE_INT, 1, 7);
    expect_number(data, "n", LOAM_ATTRIBUTE_INT, 2, -2);
    expect_number(data, "n", LOAM_ATTRIBUTE_INT, 3, LOAM_MISSING);
    expect_number(data, "f", LOAM_ATTRIBUTE_FLOAT, 1, 65536);
    expect_number(data, "f", LOAM_ATTRIBUTE_FLOAT, 2, 32768);
    expect_text(data, "big", 1, "3000000000");
    expect_text(data, "big", 2, "1");
    expect_text(data, "s", 1, "ab");
    expect_text(data, "s", 2, "");
    expect_text(data, "m", 1, "4.5");
    expect_text(data, "m", 2, "x");
    expect_text(data, "w", 1, "70000");
    expect_text(data, "w", 2, "0.5");
    asset_destroy(data);
}

Test(geojson_points, keys_are_of_ids_else_of_places_and_points_of_one_feature_are_told_apart) {
    asset_data *one = read_asset(loam_text_of(
        COLLECTION(FEATURE("{\"id\":5}", POINT("[1,0]")) "," FEATURE("{}", POINT("[2,0]")))));
    asset_data *moved = read_asset(loam_text_of(
        COLLECTION(FEATURE("{}", POINT("[2,1]")) "," FEATURE("{\"id\":\"5\"}", POINT("[1,1]")))));
    asset_data *parts = read_asset(loam_text_of(FEATURE("{\"id\":5}", POINTS("[[1,0],[2,0]]"))));
    const loam_site *a = loam_sites_normal_form(one->asset.sites)->sites;
    const loam_site *b = loam_sites_normal_form(moved->asset.sites)->sites;
    const loam_site *c = loam_sites_normal_form(parts->asset.sites)->sites;
    cr_expect_eq(a[0].key, b[0].key, "an id moves with its point");
    cr_expect_neq(a[1].key, b[1].key);
    cr_expect_neq(c[0].key, c[1].key);
    cr_expect_neq(c[0].key, a[0].key);
    asset_destroy(one);
    asset_destroy(moved);
    asset_destroy(parts);
}

Test(geojson_points, faults_stand_where_they_are_in_the_document) {
    expect_refused(POINT("[1]"), LOAM_MALFORMED, "/coordinates");
    expect_refused(POINTS("[[1,2],[3,true]]"), LOAM_WRONG_TYPE, "/coordinates/1/1");
    expect_refused(POINT("[1,2,20000]"), LOAM_COORDINATE_RANGE, "/coordinates/2");
    expect_refused("{\"type\":\"LineString\",\"coordinates\":[]}", LOAM_GEOMETRY_UNSUPPORTED,
                   "/type");
    expect_refused(COLLECTION(FEATURE("{\"$height\":1}", POINT("[1,2]"))), LOAM_BAD_NAME,
                   "/features/0/properties");
    expect_refused(FEATURE("{\"\":1}", POINT("[1,2]")), LOAM_BAD_NAME, "/properties");
    expect_refused(FEATURE("{\"a\":1,\"\\u0061\":2}", POINT("[1,2]")), LOAM_MALFORMED,
                   "/properties");
    expect_refused(FEATURE("{\"a\":1e999}", POINT("[1,2]")), LOAM_OUT_OF_RANGE, "/properties");
    expect_refused(COLLECTION(FEATURE("{\"a\":1}", POINT("[1,2]")) "," FEATURE("{\"a\":1e999}",
                                                                               POINT("[1,2]"))),
                   LOAM_OUT_OF_RANGE, "/features/1/properties");
}

/* A Feature at [1, 2] whose one property has `times` times `part` as its name. */
static void feature_named(char *text, const char *part, size_t times) {
    size_t size = (size_t)sprintf(text, "{\"type\":\"Feature\",\"geometry\":" POINT("[1,2]"));
    size += (size_t)sprintf(text + size, ",\"properties\":{\"");
    for (size_t i = 0; i < times; i++) {
        size += (size_t)sprintf(text + size, "%s", part);
    }
    sprintf(text + size, "\":1}}");
}

static void payload_of(const char *text, text_buffer *payload) {
    asset_data *data = read_asset(loam_text_of(text));
    buffer_init(payload, 1 << 20);
    cr_assert_eq(asset_payload(&data->asset, payload), LOAM_OK);
    asset_destroy(data);
}

Test(geojson_points, a_name_is_the_same_with_escapes_and_without) {
    static const size_t sizes[] = {1, 60, 256};
    char text[4096];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        text_buffer plain, escaped;
        feature_named(text, "a", sizes[i]);
        payload_of(text, &plain);
        feature_named(text, "\\u0061", sizes[i]);
        payload_of(text, &escaped);
        cr_expect_eq(plain.size, escaped.size, "%zu", sizes[i]);
        cr_expect(memcmp(plain.bytes, escaped.bytes, plain.size) == 0, "%zu", sizes[i]);
        buffer_fini(&plain);
        buffer_fini(&escaped);
    }
}

Test(geojson_points, a_name_is_judged_as_what_it_means) {
    static const char *const names[] = {
        "", "x\\u0000y", "n\\n\\u0001", "\\u001f", "\\u007f", "\x7f", "\\u0024height",
    };
    char text[4096];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        feature_named(text, names[i], 1);
        expect_refused(text, LOAM_BAD_NAME, "/properties");
    }
    feature_named(text, "a", 257);
    expect_refused(text, LOAM_BAD_NAME, "/properties");
    feature_named(text, "\\u0061", 257);
    expect_refused(text, LOAM_BAD_NAME, "/properties");
    feature_named(text, "\\u00e9", 129);
    expect_refused(text, LOAM_BAD_NAME, "/properties");
}

Test(geojson_points, there_are_at_most_32_properties) {
    char text[2048];
    for (int count = 32; count <= 33; count++) {
        size_t size = (size_t)sprintf(
            text, "{\"type\":\"Feature\",\"geometry\":" POINT("[1,2]") ",\"properties\":{");
        for (int i = 0; i < count; i++) {
            size += (size_t)sprintf(text + size, "%s\"p%d\":%d", i > 0 ? "," : "", i, i);
        }
        sprintf(text + size, "}}");
        if (count == 32) {
            asset_data *data = read_asset(loam_text_of(text));
            cr_expect_eq(loam_sites_normal_form(data->asset.sites)->property_count, 32u);
            asset_destroy(data);
        } else {
            expect_refused(text, LOAM_TOO_MANY, "/properties");
        }
    }
}

Test(geojson_points, the_summary_says_what_points_bring) {
    asset_data *data = read_asset(loam_text_of(COLLECTION(FEATURE(
        "{\"n\":7,\"s\":\"a\",\"f\":0.5}", POINT("[1,2]")) "," FEATURE("{}", POINT("[-3,4.5]")))));
    text_buffer summary;
    buffer_init(&summary, 1 << 16);
    asset_summary(&data->asset, &summary);
    buffer_add(&summary, "", 1);
    cr_expect_str_eq(
        summary.bytes,
        "{\"points\":2,\"properties\":{\"f\":\"float\",\"n\":\"int\",\"s\":\"string\"},"
        "\"bounds_m\":{\"min\":[-3,2],\"max\":[1,4.5]}}");
    buffer_fini(&summary);
    asset_destroy(data);
}

typedef struct point_file {
    const char *path;
    uint32_t points;
} point_file;

static const point_file files[] = {
    {"vector/bayreuth_places.local.geojson", 68},
    {"vector/bayreuth_historic_points.local.geojson", 3},
    {"vector/andorra_places.local.geojson", 40},
};

Test(geojson_points, real_files_load_and_come_back_from_their_bytes) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        loam_text body = data_read(files[i].path);
        if (body.bytes == NULL) {
            continue;
        }
        asset_data *data = read_asset(body), *again = NULL;
        const loam_sites_source *source = loam_sites_normal_form(data->asset.sites);
        cr_expect_eq(source->count, files[i].points, "%s", files[i].path);
        cr_expect_gt(source->property_count, 0u);
        text_buffer one, two;
        buffer_init(&one, 64 << 20);
        buffer_init(&two, 64 << 20);
        cr_assert_eq(asset_payload(&data->asset, &one), LOAM_OK);
        cr_assert_eq(asset_load((loam_text){one.bytes, one.size}, &again, NULL), LOAM_OK);
        cr_assert_eq(asset_payload(&again->asset, &two), LOAM_OK);
        cr_expect(one.size == two.size && memcmp(one.bytes, two.bytes, one.size) == 0);
        buffer_fini(&one);
        buffer_fini(&two);
        asset_destroy(data);
        asset_destroy(again);
        free((void *)body.bytes);
    }
}
