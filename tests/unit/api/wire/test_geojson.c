/* SPDX-License-Identifier: MIT */
#include "api/wire/geojson.h"

#include "core/base/limits.h"
#include "core/base/mix.h"
#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQUARE "[[0,0],[4,0],[4,4],[0,4],[0,0]]"
#define POLYGON "{\"type\":\"Polygon\",\"coordinates\":[" SQUARE "]}"
#define FEATURE(members) "{\"type\":\"Feature\"," members ",\"geometry\":" POLYGON "}"
#define COLLECTION(features) "{\"type\":\"FeatureCollection\",\"features\":[" features "]}"

static loam_status read_text(const char *text, geojson_areas *areas, loam_error *error) {
    return geojson_read_areas(loam_text_of(text), areas, error);
}

static void expect_refused(const char *text, loam_status status, const char *pointer) {
    geojson_areas areas;
    loam_error error = {0};
    cr_expect_eq(read_text(text, &areas, &error), status, "%s: %s", text, error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s", text);
    cr_expect_eq(areas.xz, NULL);
}

/* The only feature of a document. */
static loam_area_feature read_one(const char *text) {
    geojson_areas areas;
    loam_error error = {0};
    cr_assert_eq(read_text(text, &areas, &error), LOAM_OK, "%s: %s", text, error.text);
    cr_assert_eq(areas.source.feature_count, 1u, "%s", text);
    loam_area_feature feature = areas.source.features[0];
    geojson_fini(&areas);
    return feature;
}

Test(geojson, a_polygon_alone_is_one_feature_in_units) {
    geojson_areas areas;
    cr_assert_eq(read_text("{\"coordinates\":[[[0.001,-0.003,7],[4,0],[4,4.5],[0.001,-0.003,8]]],"
                           "\"bbox\":[1,2],\"type\":\"Polygon\"}",
                           &areas, NULL),
                 LOAM_OK);
    static const int64_t expected[] = {0, -1, 1024, 0, 1024, 1152, 0, -1};
    cr_assert_eq(areas.source.polygon_count, 1u);
    cr_assert_eq(areas.source.feature_count, 1u);
    cr_assert_eq(areas.source.polygons[0].ring_count, 1u);
    cr_assert_eq(areas.source.polygons[0].rings[0].count, 4u);
    cr_assert_eq(memcmp(areas.source.polygons[0].rings[0].xz, expected, sizeof expected), 0);
    cr_assert_eq(areas.source.features[0].margin, LOAM_UNSET);
    cr_assert_eq(areas.source.features[0].buffer, LOAM_UNSET);
    geojson_fini(&areas);
}

Test(geojson, a_multipolygon_with_a_hole_stays_one_feature) {
    geojson_areas areas;
    cr_assert_eq(read_text("{\"type\":\"Feature\",\"properties\":null,\"geometry\":{\"type\":"
                           "\"MultiPolygon\",\"coordinates\":[[" SQUARE
                           ",[[1,1],[2,1],[2,2],[1,1]]],[],"
                           "[[[9,9],[10,9],[10,10],[9,9]]]]}}",
                           &areas, NULL),
                 LOAM_OK);
    cr_assert_eq(areas.source.polygon_count, 2u);
    cr_assert_eq(areas.source.polygons[0].ring_count, 2u);
    cr_assert_eq(areas.source.polygons[1].ring_count, 1u);
    cr_assert_eq(areas.source.feature_count, 1u);
    cr_assert_eq(areas.vertex_count, 13u);
    geojson_fini(&areas);
}

Test(geojson, features_without_geometry_are_passed_over_and_places_stay_those_of_the_document) {
    geojson_areas areas;
    loam_error error = {.status = LOAM_RING_CROSSES, .pointer = "/features/0/x"};
    cr_assert_eq(read_text(COLLECTION("{\"type\":\"Feature\",\"geometry\":null,\"properties\":{}},"
                                      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\","
                                      "\"coordinates\":[]}}," FEATURE("\"id\":3")),
                           &areas, NULL),
                 LOAM_OK);
    cr_assert_eq(areas.source.feature_count, 1u);
    geojson_place_error(&areas, &error);
    cr_assert_str_eq(error.pointer, "/features/2/x");
    geojson_fini(&areas);
    cr_assert_eq(read_text(FEATURE("\"id\":3"), &areas, NULL), LOAM_OK);
    strcpy(error.pointer, "/features/0/x");
    geojson_place_error(&areas, &error);
    cr_assert_str_eq(error.pointer, "/x");
    geojson_fini(&areas);
}

Test(geojson, an_empty_collection_is_empty) {
    geojson_areas areas;
    cr_assert_eq(read_text(COLLECTION(""), &areas, NULL), LOAM_OK);
    cr_assert_eq(areas.source.feature_count, 0u);
    cr_assert_eq(areas.source.polygon_count, 0u);
    geojson_fini(&areas);
}

Test(geojson, margins_and_buffers_are_rounded_up_to_units) {
    loam_area_feature feature =
        read_one(FEATURE("\"properties\":{\"margin_m\":0.6,\"buffer_m\":12.5,\"name\":[{}]}"));
    cr_assert_eq(feature.margin, 154);
    cr_assert_eq(feature.buffer, 3200);
    feature = read_one(FEATURE("\"properties\":{\"margin_m\":0.0001,\"buffer_m\":1024}"));
    cr_assert_eq(feature.margin, 1);
    cr_assert_eq(feature.buffer, ZONE_MARGIN_UNITS_MAX);
    feature = read_one(FEATURE("\"properties\":{\"margin_m\":-0.0,\"buffer_m\":null}"));
    cr_assert_eq(feature.margin, 0);
    cr_assert_eq(feature.buffer, LOAM_UNSET);
}

Test(geojson, wrong_margins_and_buffers_are_placed) {
    expect_refused(COLLECTION(FEATURE("\"id\":1") "," FEATURE("\"properties\":{\"margin_m\":-1}")),
                   LOAM_OUT_OF_RANGE, "/features/1/properties/margin_m");
    expect_refused(FEATURE("\"properties\":{\"buffer_m\":1024.001}"), LOAM_OUT_OF_RANGE,
                   "/properties/buffer_m");
    expect_refused(FEATURE("\"properties\":{\"buffer_m\":1e999}"), LOAM_OUT_OF_RANGE,
                   "/properties/buffer_m");
    expect_refused(FEATURE("\"properties\":{\"margin_m\":\"4\"}"), LOAM_WRONG_TYPE,
                   "/properties/margin_m");
    expect_refused(FEATURE("\"properties\":[]"), LOAM_WRONG_TYPE, "/properties");
}

Test(geojson, an_id_is_the_same_as_number_or_text_of_either_spelling) {
    uint64_t key = read_one(FEATURE("\"id\":7")).key;
    cr_expect_eq(read_one(FEATURE("\"id\":\"7\"")).key, key);
    cr_expect_eq(read_one(FEATURE("\"id\":7.0")).key, key);
    cr_expect_eq(read_one(FEATURE("\"id\":0.7e1")).key, key);
    cr_expect_eq(read_one(FEATURE("\"id\":\"\\u0037\"")).key, key);
    cr_expect_eq(read_one(FEATURE("\"properties\":{\"id\":7}")).key, key);
    cr_expect_eq(read_one(FEATURE("\"id\":null,\"properties\":{\"id\":\"7\"}")).key, key);
    cr_expect_eq(read_one(FEATURE("\"id\":7,\"properties\":{\"id\":8}")).key, key);
    cr_expect_neq(read_one(FEATURE("\"id\":8")).key, key);
    cr_expect_neq(read_one(FEATURE("\"id\":\"07\"")).key, key);
}

Test(geojson, large_and_broken_ids_keep_their_digits) {
    uint64_t key = read_one(FEATURE("\"id\":9007199254740993")).key;
    cr_expect_eq(read_one(FEATURE("\"id\":\"9007199254740993\"")).key, key);
    cr_expect_neq(read_one(FEATURE("\"id\":9007199254740992")).key, key);
    cr_expect_eq(read_one(FEATURE("\"id\":1e20")).key,
                 read_one(FEATURE("\"id\":100000000000000000000")).key);
    cr_expect_eq(read_one(FEATURE("\"id\":7.50")).key, read_one(FEATURE("\"id\":\"7.5\"")).key);
    cr_expect_eq(read_one(FEATURE("\"id\":-0")).key, read_one(FEATURE("\"id\":0")).key);
}

Test(geojson, an_id_of_another_kind_is_placed) {
    expect_refused(FEATURE("\"id\":[7]"), LOAM_WRONG_TYPE, "/id");
    expect_refused(FEATURE("\"properties\":{\"id\":true}"), LOAM_WRONG_TYPE, "/properties/id");
    expect_refused(FEATURE("\"id\":1e999"), LOAM_OUT_OF_RANGE, "/id");
}

Test(geojson, without_an_id_the_first_vertex_is_the_key) {
    loam_area_feature alone = read_one(POLYGON);
    loam_area_feature other = read_one("{\"type\":\"Polygon\",\"coordinates\":[[[0,1],[4,0],[4,4],"
                                       "[0,1]]]}");
    loam_area_feature same = read_one("{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[9,0],[9,9],"
                                      "[0,0]]]}");
    cr_assert_neq(alone.key, other.key);
    cr_assert_eq(alone.key, same.key);
}

#define AT(id, x)                                                                                  \
    "{\"type\":\"Feature\",\"id\":" id ",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[" x \
    ",0],[9,0],[9,9],[" x ",0]]]}}"

Test(geojson, features_of_one_id_are_told_apart_by_their_first_vertex) {
    geojson_areas areas;
    uint64_t key = read_one(AT("7", "1")).key;
    cr_assert_eq(
        read_text(COLLECTION(AT("7", "1") "," AT("8", "1") "," AT("7", "2")), &areas, NULL),
        LOAM_OK);
    cr_assert_eq(areas.source.feature_count, 3u);
    uint64_t first = areas.source.features[0].key;
    uint64_t third = areas.source.features[2].key;
    cr_assert_neq(first, third);
    cr_assert_neq(first, key);
    cr_assert_neq(third, key);
    cr_assert_eq(areas.source.features[1].key, read_one(AT("8", "1")).key);
    geojson_fini(&areas);
    /* whatever the order */
    cr_assert_eq(read_text(COLLECTION(AT("7", "2") "," AT("7", "1")), &areas, NULL), LOAM_OK);
    cr_assert_eq(areas.source.features[0].key, third);
    cr_assert_eq(areas.source.features[1].key, first);
    geojson_fini(&areas);
}

Test(geojson, features_that_are_equal_in_all_are_one) {
    geojson_areas areas;
    cr_assert_eq(read_text(COLLECTION(AT("7", "1") "," AT("5", "3") "," AT("7", "1") "," AT(
                               "\"7\"", "1") "," AT("6", "3")),
                           &areas, NULL),
                 LOAM_OK);
    cr_assert_eq(areas.source.feature_count, 3u);
    cr_assert_eq(areas.source.polygon_count, 3u);
    cr_assert_eq(areas.source.features[0].key, read_one(AT("7", "1")).key);
    cr_assert_eq(areas.source.features[2].key, read_one(AT("6", "3")).key);
    cr_assert_eq(areas.places[2], 4u);
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_eq(areas.source.polygons[i].feature, i);
    }
    geojson_fini(&areas);
    cr_assert_eq(read_text(COLLECTION(FEATURE("\"properties\":{\"margin_m\":1}") "," FEATURE(
                               "\"properties\":{\"margin_m\":2}")),
                           &areas, NULL),
                 LOAM_OK);
    cr_assert_eq(areas.source.feature_count, 2u);
    geojson_fini(&areas);
}

static void expect_ring_refused(const char *ring, loam_status status, const char *tail) {
    char text[512];
    char pointer[128];
    snprintf(text, sizeof text,
             COLLECTION(FEATURE("\"id\":1") ",{\"type\":\"Feature\",\"geometry\":{\"type\":"
                                            "\"MultiPolygon\",\"coordinates\":[[" SQUARE ",%s]]}}"),
             ring);
    snprintf(pointer, sizeof pointer, "/features/1/geometry/coordinates/0/1%s", tail);
    expect_refused(text, status, pointer);
}

Test(geojson, a_bad_ring_is_placed_to_the_number) {
    expect_ring_refused("[[1,1],[2,1],[2,2],[1,1.01]]", LOAM_RING_OPEN, "");
    expect_ring_refused("[[1,1],[2,1],[1,1]]", LOAM_RING_DEGENERATE, "");
    expect_ring_refused("[]", LOAM_RING_DEGENERATE, "");
    expect_ring_refused("7", LOAM_WRONG_TYPE, "");
    expect_ring_refused("[[1,1],[2,1],7,[1,1]]", LOAM_WRONG_TYPE, "/2");
    expect_ring_refused("[[1,1],[2],[2,2],[1,1]]", LOAM_MALFORMED, "/1");
    expect_ring_refused("[[1,1],[],[2,2],[1,1]]", LOAM_MALFORMED, "/1");
    expect_ring_refused("[[1,1],[2,\"1\"],[2,2],[1,1]]", LOAM_WRONG_TYPE, "/1/1");
    expect_ring_refused("[[1,1],[2,null],[2,2],[1,1]]", LOAM_WRONG_TYPE, "/1/1");
    expect_ring_refused("[[1,1],[4294967297,1],[2,2],[1,1]]", LOAM_COORDINATE_RANGE, "/1/0");
    expect_ring_refused("[[1,1],[2,-1e400],[2,2],[1,1]]", LOAM_COORDINATE_RANGE, "/1/1");
}

Test(geojson, coordinates_reach_to_the_end_of_the_world) {
    geojson_areas areas;
    cr_assert_eq(read_text("{\"type\":\"Polygon\",\"coordinates\":[[[-4294967296,0],[4294967296,0],"
                           "[0,9],[-4294967296,0]]]}",
                           &areas, NULL),
                 LOAM_OK);
    cr_assert_eq(areas.xz[2], POSITION_UNITS_MAX);
    geojson_fini(&areas);
}

Test(geojson, other_geometries_and_shapes_of_document_are_placed) {
    expect_refused("[]", LOAM_WRONG_TYPE, "");
    expect_refused("7", LOAM_WRONG_TYPE, "");
    expect_refused("{}", LOAM_MISSING_FIELD, "/type");
    expect_refused("{\"type\":7}", LOAM_WRONG_TYPE, "/type");
    expect_refused("{\"type\":\"FeatureCollection\"}", LOAM_MISSING_FIELD, "/features");
    expect_refused("{\"type\":\"FeatureCollection\",\"features\":{}}", LOAM_WRONG_TYPE,
                   "/features");
    expect_refused(COLLECTION("7"), LOAM_WRONG_TYPE, "/features/0");
    expect_refused(COLLECTION(POLYGON), LOAM_WRONG_TYPE, "/features/0/type");
    expect_refused("{\"type\":\"Point\",\"coordinates\":[1,2]}", LOAM_GEOMETRY_UNSUPPORTED,
                   "/type");
    expect_refused(COLLECTION("{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\","
                              "\"coordinates\":[[1,2],[3,4]]}}"),
                   LOAM_GEOMETRY_UNSUPPORTED, "/features/0/geometry/type");
    expect_refused(COLLECTION("{\"type\":\"Feature\",\"geometry\":[]}"), LOAM_WRONG_TYPE,
                   "/features/0/geometry");
    expect_refused("{\"type\":\"Polygon\"}", LOAM_MISSING_FIELD, "/coordinates");
    expect_refused("{\"type\":\"Polygon\",\"coordinates\":[7]}", LOAM_WRONG_TYPE, "/coordinates/0");
    expect_refused("{\"type\":\"Polygon\",\"type\":\"Polygon\",\"coordinates\":[]}", LOAM_MALFORMED,
                   "");
}

Test(geojson, another_reference_system_is_refused) {
    geojson_areas areas;
    expect_refused("{\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:4326\"}},\"type\":"
                   "\"Polygon\",\"coordinates\":[]}",
                   LOAM_CRS_MISSING, "/crs");
    expect_refused("{\"crs\":\"EPSG:32632\",\"type\":\"Polygon\",\"coordinates\":[]}",
                   LOAM_CRS_MISSING, "/crs");
    expect_refused("{\"crs\":{},\"type\":\"Polygon\",\"coordinates\":[]}", LOAM_CRS_MISSING,
                   "/crs");
    static const char *const local[] = {
        "{\"crs\":\"local\",\"type\":\"Polygon\",\"coordinates\":[]}",
        "{\"crs\":null,\"type\":\"Polygon\",\"coordinates\":[]}",
        "{\"crs\":{\"properties\":{\"name\":\"local\"}},\"type\":\"Polygon\",\"coordinates\":[]}"};
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(read_text(local[i], &areas, NULL), LOAM_OK, "%s", local[i]);
        geojson_fini(&areas);
    }
}

Test(geojson, what_is_no_json_is_malformed) {
    expect_refused("{\"type\":\"Polygon\",\"coordinates\":[[[NaN,0]]]}", LOAM_MALFORMED, "");
    expect_refused("", LOAM_MALFORMED, "");
    expect_refused(FEATURE("\"id\":1") "x", LOAM_MALFORMED, "");
}

static char *repeat(const char *part, size_t count, size_t *size) {
    size_t length = strlen(part);
    char *text = malloc(count * length + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * length, part, length);
    }
    *size = count * length;
    return text;
}

Test(geojson, size_numbers_and_nesting_end_at_their_limits) {
    geojson_areas areas;
    size_t size = 0;
    char *spaces = repeat(" ", GEOJSON_BYTES_MAX + 1, &size);
    memcpy(spaces, POLYGON, strlen(POLYGON));
    cr_expect_eq(geojson_read_areas((loam_text){spaces, size - 1}, &areas, NULL), LOAM_OK);
    geojson_fini(&areas);
    cr_expect_eq(geojson_read_areas((loam_text){spaces, size}, &areas, NULL), LOAM_TOO_LARGE);
    free(spaces);
    char *numbers = repeat("[1,", GEOJSON_NUMBERS_MAX + 1, &size);
    for (size_t i = 3; i < size; i += 3) {
        numbers[i] = ' ';
    }
    cr_expect_eq(geojson_read_areas((loam_text){numbers, size}, &areas, NULL), LOAM_TOO_MANY);
    free(numbers);
    char *deep = repeat("{\"a\":", 100000, &size);
    cr_expect_eq(geojson_read_areas((loam_text){deep, size}, &areas, NULL), LOAM_MALFORMED);
    free(deep);
}

Test(geojson, real_settlements_load) {
    loam_text document = data_read("vector/bayreuth_settlement.local.geojson");
    if (document.bytes == NULL) {
        return;
    }
    geojson_areas areas;
    loam_error error = {0};
    cr_assert_eq(geojson_read_areas(document, &areas, &error), LOAM_OK, "%s %s", error.pointer,
                 error.text);
    cr_assert_eq(areas.source.feature_count, 183u);
    for (uint32_t i = 0; i < areas.vertex_count; i++) {
        cr_assert(areas.xz[2 * i] >= 0 && areas.xz[2 * i] <= 8192 * 256);
        cr_assert(areas.xz[2 * i + 1] >= 0 && areas.xz[2 * i + 1] <= 8192 * 256);
    }
    cr_assert_eq(areas.source.features[0].key, mix_bytes(0x6c6f616d2d696400u, "way/104107962", 13));
    geojson_fini(&areas);
    free((void *)document.bytes);
}
