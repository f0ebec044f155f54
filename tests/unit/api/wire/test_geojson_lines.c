/* SPDX-License-Identifier: MIT
 *
 * test_geojson_lines.c: lines from GeoJSON: what becomes of legal documents, where faults stand in
 * others, and the real files there and back.
 */
#include "api/wire/asset.h"
#include "api/wire/geojson.h"
#include "core/space/lines.h"
#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE(coordinates) "{\"type\":\"LineString\",\"coordinates\":" coordinates "}"
#define LINES(coordinates) "{\"type\":\"MultiLineString\",\"coordinates\":" coordinates "}"
#define FEATURE(members, geometry) "{\"type\":\"Feature\"," members ",\"geometry\":" geometry "}"
#define COLLECTION(features) "{\"type\":\"FeatureCollection\",\"features\":[" features "]}"

static void read_lines(const char *text, geojson_lines *lines) {
    loam_error error = {0};
    cr_assert_eq(geojson_read_lines(loam_text_of(text), lines, &error), LOAM_OK, "%s: %s", text,
                 error.text);
}

static void expect_refused(const char *text, loam_status status, const char *pointer) {
    geojson_lines lines;
    loam_error error = {0};
    cr_expect_eq(geojson_read_lines(loam_text_of(text), &lines, &error), status, "%s: %s", text,
                 error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s", text);
    cr_expect_null(lines.xz);
}

Test(geojson_lines, a_line_alone_is_in_units_and_keeps_its_direction) {
    geojson_lines lines;
    static const int64_t want[] = {1024, -1, 0, 0, 128, 256};
    read_lines(LINE("[[4,-0.003,9],[0.001,0],[0.5,1]]"), &lines);
    cr_assert_eq(lines.source.line_count, 1u);
    cr_assert_eq(lines.source.lines[0].count, 3u);
    cr_expect_arr_eq(lines.source.lines[0].xz, want, sizeof want);
    geojson_lines_fini(&lines);
}

static const char four_features[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"id\":null,\"properties\":{\"id\":\"7\"},\"geometry\":"
    "{\"type\":\"MultiLineString\",\"coordinates\":[[[0,0],[1,1]],[],[[2,2],[3,3],[4,4]]]}},"
    "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{}},"
    "{\"type\":\"Feature\",\"id\":7,\"geometry\":"
    "{\"type\":\"LineString\",\"coordinates\":[[5,5],[6,6]]}},"
    "{\"type\":\"Feature\",\"properties\":null,\"geometry\":"
    "{\"type\":\"LineString\",\"coordinates\":[[5,5],[6,6]]}}]}";

Test(geojson_lines, lines_of_a_feature_share_its_key_and_know_its_number) {
    geojson_lines lines;
    read_lines(four_features, &lines);
    cr_assert_eq(lines.source.line_count, 4u);
    const loam_line *line = lines.source.lines;
    cr_expect_eq(line[0].key, line[1].key);
    cr_expect_eq(line[0].key, line[2].key, "7 and \"7\" are one id");
    cr_expect_neq(line[0].key, line[3].key, "and that is of its first vertex");
    cr_expect_eq(line[1].feature, 0u);
    cr_expect_eq(line[2].feature, 2u);
    cr_expect_eq(line[3].feature, 3u);
    geojson_lines_fini(&lines);
}

Test(geojson_lines, a_line_without_positions_and_an_empty_collection_are_nothing) {
    geojson_lines lines;
    read_lines(LINE("[]"), &lines);
    cr_expect_eq(lines.source.line_count, 0u);
    geojson_lines_fini(&lines);
    read_lines(COLLECTION(""), &lines);
    cr_expect_eq(lines.source.line_count, 0u);
    geojson_lines_fini(&lines);
}

Test(geojson_lines, faults_stand_where_they_are_in_the_document) {
    expect_refused(LINE("[[1,1]]"), LOAM_LINE_DEGENERATE, "/coordinates");
    expect_refused(COLLECTION(FEATURE("\"id\":1", LINES("[[[0,0],[1,1]],[[2,2]]]"))),
                   LOAM_LINE_DEGENERATE, "/features/0/geometry/coordinates/1");
    expect_refused(LINE("[[1,1],[2]]"), LOAM_MALFORMED, "/coordinates/1");
    expect_refused(LINE("[[1,1],[2,\"3\"]]"), LOAM_WRONG_TYPE, "/coordinates/1/1");
    expect_refused(LINE("[[1,1],[1e30,0]]"), LOAM_COORDINATE_RANGE, "/coordinates/1/0");
    expect_refused(LINE("[1,1]"), LOAM_WRONG_TYPE, "/coordinates/0");
    expect_refused("{\"type\":\"LineString\"}", LOAM_MISSING_FIELD, "/coordinates");
    expect_refused("{\"type\":\"Point\",\"coordinates\":[1,1]}", LOAM_GEOMETRY_UNSUPPORTED,
                   "/type");
    expect_refused(FEATURE("\"id\":true", LINE("[[1,1],[2,2]]")), LOAM_WRONG_TYPE, "/id");
    expect_refused("{\"crs\":\"EPSG:4326\",\"type\":\"LineString\",\"coordinates\":[]}",
                   LOAM_CRS_MISSING, "/crs");
}

/* ---- Whole assets -------------------------------------------------------------------------- */

static asset_data *read_asset(loam_text body) {
    query_fixture fixture;
    loam_error error = {0};
    asset_data *data = NULL;
    query_fixture_init(&fixture, "kind=lines&crs=local");
    asset_request request = {loam_text_of("application/geo+json"), fixture.query, body};
    cr_assert_eq(asset_read(&request, &data, &error), LOAM_OK, "%s %s", error.pointer, error.text);
    return data;
}

Test(geojson_lines, the_summary_counts_measures_and_bounds) {
    asset_data *data = read_asset(loam_text_of(LINE("[[0,0],[3,4],[3,4],[10,4]]")));
    text_buffer summary;
    buffer_init(&summary, 1 << 16);
    asset_summary(&data->asset, &summary);
    buffer_add(&summary, "", 1);
    cr_expect_str_eq(summary.bytes, "{\"lines\":1,\"vertices\":3,\"length_m\":12,"
                                    "\"bounds_m\":{\"min\":[0,0],\"max\":[10,4]}}");
    buffer_fini(&summary);
    asset_destroy(data);
}

Test(geojson_lines, a_fault_that_core_finds_stands_in_the_document_too) {
    query_fixture fixture;
    loam_error error = {0};
    asset_data *data = NULL;
    query_fixture_init(&fixture, "kind=lines&crs=local");
    loam_text media = loam_text_of("application/geo+json");
    /* A billion metres there, back, and there: longer than a line may be. */
    const char *far = "[[-4e9,0],[4e9,0],[-4e9,1],[4e9,1]]";
    char text[512];
    snprintf(text, sizeof text,
             "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":"
             "null},{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\","
             "\"coordinates\":%s}}]}",
             far);
    asset_request request = {media, fixture.query, loam_text_of(text)};
    cr_expect_eq(asset_read(&request, &data, &error), LOAM_COORDINATE_RANGE);
    cr_expect_str_eq(error.pointer, "/features/1");
    snprintf(text, sizeof text, "{\"type\":\"LineString\",\"coordinates\":%s}", far);
    request.body = loam_text_of(text);
    error = (loam_error){0};
    cr_expect_eq(asset_read(&request, &data, &error), LOAM_COORDINATE_RANGE);
    cr_expect_str_eq(error.pointer, "");
}

typedef struct line_file {
    const char *path;
    uint32_t features;
    double length_km;
} line_file;

/* Facts from the data's own description; a feature of several parts is several lines. */
static const line_file files[] = {
    {"vector/bayreuth_waterways.local.geojson", 200, 64.0},
    {"vector/bayreuth_roads.local.geojson", 1826, 481.6},
    {"vector/andorra_waterways.local.geojson", 36, 66.5},
    {"vector/andorra_roads.local.geojson", 1180, 419.8},
    {"vector/cape_flattery_coast_gshhg.local.geojson", 3, 45.2},
    {"vector/cape_flattery_coast_dem.local.geojson", 13, 67.6},
    {"vector/wake_nc_waterways.local.geojson", 1760, 412.3},
};

static double length_km_of(const loam_lines *lines) {
    const loam_lines_source *source = loam_lines_normal_form(lines);
    double sum = 0;
    for (uint32_t i = 0; i < source->line_count; i++) {
        sum += (double)lines_arc(lines, i)[source->lines[i].count - 1] / (65536.0 * 256 * 1000);
    }
    return sum;
}

Test(geojson_lines, real_files_load_measure_right_and_come_back_from_their_bytes) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        loam_text body = data_read(files[i].path);
        if (body.bytes == NULL) {
            continue;
        }
        asset_data *data = read_asset(body), *again = NULL;
        const loam_lines_source *source = loam_lines_normal_form(data->asset.lines);
        cr_expect_geq(source->line_count, files[i].features, "%s: %u", files[i].path,
                      source->line_count);
        double length = length_km_of(data->asset.lines);
        cr_expect(length > files[i].length_km - 0.06 && length < files[i].length_km + 0.06,
                  "%s: %f km", files[i].path, length);
        for (uint32_t j = 1; j < source->line_count; j++) {
            cr_assert_lt(source->lines[j - 1].key, source->lines[j].key, "keys are their own");
        }
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
