/* SPDX-License-Identifier: MIT
 *
 * test_asset.c: assets as they are sent, their payloads and digests.
 */
#include "api/wire/asset.h"

#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAW_QUERY                                                                                  \
    "kind=heightfield&width=3&height=2&spacing_m=30&encoding=u16le&row0=south&origin_x_m=-8"
#define AREAS_QUERY "kind=areas&crs=local"

static const char raw[] = "\1\0\2\0\3\0\4\0\5\0\6\1";
static const char recipe[] = "{\"recipe\":\"heightmap.fbm\",\"seed\":\"7\",\"params\":{\"width\":9,"
                             "\"height\":5,\"spacing_m\":8,\"wavelength_m\":64}}";
static const char square[] =
    "{\"type\":\"Polygon\",\"coordinates\":[[[-1,0],[4,0],[4,4.5],[0,4],[-1,0]]]}";

static loam_status read_bytes_of(const char *query, const char *media, loam_text body,
                                 asset_data **data, loam_error *error) {
    query_fixture fixture;
    query_fixture_init(&fixture, query);
    asset_request request = {
        .media_type = loam_text_of(media), .query = fixture.query, .body = body};
    return asset_read(&request, data, error);
}

static asset_data *must_read(const char *query, const char *media, loam_text body) {
    asset_data *data = NULL;
    loam_error error = {0};
    cr_assert_eq(read_bytes_of(query, media, body, &data, &error), LOAM_OK, "%s: %s", error.pointer,
                 error.text);
    return data;
}

static void expect_refused(const char *query, const char *media, const char *body,
                           loam_status status, const char *pointer, const char *named) {
    asset_data *data = NULL;
    loam_error error = {0};
    cr_expect_eq(read_bytes_of(query, media, loam_text_of(body), &data, &error), status, "%s: %s",
                 query, error.text);
    cr_expect_null(data);
    cr_expect_str_eq(error.pointer, pointer, "%s", query);
    cr_expect(strstr(error.text, named) != NULL, "%s: %s", query, error.text);
}

static void expect_summary(const asset_data *data, const char *expected) {
    text_buffer summary;
    buffer_init(&summary, 1 << 12);
    asset_summary(&data->asset, &summary);
    cr_expect(summary.size == strlen(expected) &&
                  strncmp(summary.bytes, expected, summary.size) == 0,
              "got %.*s", (int)summary.size, summary.bytes);
    buffer_fini(&summary);
}

/* The payload loads to an asset with the same payload and digest; `data` is destroyed. */
static digest expect_round_trip(asset_data *data) {
    text_buffer first;
    text_buffer second;
    asset_data *loaded = NULL;
    digest digests[2];
    buffer_init(&first, ASSET_BYTES_MAX);
    buffer_init(&second, ASSET_BYTES_MAX);
    cr_assert_eq(asset_payload(&data->asset, &first), LOAM_OK);
    cr_assert_eq(asset_load(buffer_view(&first), &loaded, NULL), LOAM_OK);
    cr_assert_eq(asset_payload(&loaded->asset, &second), LOAM_OK);
    cr_expect_eq(first.size, second.size);
    cr_expect_eq(memcmp(first.bytes, second.bytes, first.size), 0);
    cr_assert_eq(key_of_asset(&data->asset, &digests[0]), LOAM_OK);
    cr_assert_eq(key_of_asset(&loaded->asset, &digests[1]), LOAM_OK);
    cr_expect(digest_equal(&digests[0], &digests[1]));
    buffer_fini(&first);
    buffer_fini(&second);
    asset_destroy(loaded);
    asset_destroy(data);
    return digests[0];
}

Test(asset, raw_samples_become_a_heightfield_and_come_back) {
    asset_data *data = must_read(RAW_QUERY, "Application/Octet-Stream", (loam_text){raw, 12});
    cr_assert_eq(data->asset.kind, LOAM_PORT_HEIGHTFIELD);
    cr_assert_eq(data->asset.heightfield->origin_x, -2048);
    cr_assert_eq(data->asset.heightfield->relief, 260u * 65536);
    expect_summary(data, "{\"width\":3,\"height\":2,\"spacing_m\":30,\"min_m\":1,\"max_m\":262}");
    (void)expect_round_trip(data);
}

Test(asset, a_picture_of_the_same_heights_has_the_same_digest) {
    static const unsigned char rows[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 1, 6};
    png_fixture picture = {.width = 3, .height = 2, .bit_depth = 16, .rows = rows};
    loam_text png = png_make(&picture);
    digest from_raw =
        expect_round_trip(must_read(RAW_QUERY, "application/octet-stream", (loam_text){raw, 12}));
    digest from_png = expect_round_trip(
        must_read("row0=south&kind=heightfield&origin_x_m=-8.0&spacing_m=3e1", "image/png", png));
    cr_expect(digest_equal(&from_raw, &from_png));
    free((void *)png.bytes);
}

Test(asset, a_recipe_is_a_heightfield_with_or_without_its_kind) {
    digest named = expect_round_trip(
        must_read("kind=heightfield", "application/json; charset=utf-8", loam_text_of(recipe)));
    digest plain = expect_round_trip(must_read("", "application/json", loam_text_of(recipe)));
    cr_expect(digest_equal(&named, &plain));
}

Test(asset, geojson_becomes_areas_and_comes_back) {
    asset_data *data = must_read(AREAS_QUERY, "application/geo+json", loam_text_of(square));
    cr_assert_eq(data->asset.kind, LOAM_PORT_AREAS);
    expect_summary(data, "{\"features\":1,\"polygons\":1,\"vertices\":5,\"bounds_m\":{\"min\":"
                         "[-1,0],\"max\":[4,4.5]}}");
    (void)expect_round_trip(data);
}

Test(asset, areas_without_any_are_legal) {
    asset_data *data = must_read(AREAS_QUERY, "application/geo+json",
                                 loam_text_of("{\"type\":\"FeatureCollection\",\"features\":[]}"));
    expect_summary(data, "{\"features\":0,\"polygons\":0,\"vertices\":0,\"bounds_m\":null}");
    (void)expect_round_trip(data);
}

Test(asset, the_query_is_named_when_it_is_wrong) {
    static const char octets[] = "application/octet-stream";
    expect_refused("width=3", octets, "", LOAM_MISSING_FIELD, "", "kind");
    expect_refused("kind=terrain", octets, "", LOAM_OUT_OF_RANGE, "", "kind");
    expect_refused(RAW_QUERY "&row1=north", octets, "", LOAM_UNKNOWN_PARAMETER, "", "row1");
    expect_refused(RAW_QUERY "&width=3", octets, "", LOAM_DUPLICATE, "", "width");
    expect_refused(RAW_QUERY, octets, "short", LOAM_SIZE_MISMATCH, "", "received 5");
    expect_refused(RAW_QUERY "&crs=local", octets, "", LOAM_UNKNOWN_PARAMETER, "", "crs");
    expect_refused("seed=7", "application/json", recipe, LOAM_UNKNOWN_PARAMETER, "", "seed");
}

Test(asset, a_reference_system_must_be_given_and_local) {
    static const char geojson[] = "application/geo+json";
    expect_refused("kind=areas", geojson, square, LOAM_CRS_MISSING, "", "crs=local");
    expect_refused("kind=areas&crs=EPSG:4326", geojson, square, LOAM_CRS_MISSING, "", "crs=local");
}

Test(asset, media_types_that_do_not_fit_the_kind_are_refused) {
    expect_refused(RAW_QUERY, "text/plain", "", LOAM_UNSUPPORTED_MEDIA, "", "image/png");
    expect_refused(RAW_QUERY, "", "", LOAM_UNSUPPORTED_MEDIA, "", "image/png");
    expect_refused("kind=heightfield", "application/geo+json", "", LOAM_UNSUPPORTED_MEDIA, "",
                   "image/png");
    expect_refused(AREAS_QUERY, "application/json", square, LOAM_UNSUPPORTED_MEDIA, "",
                   "application/geo+json");
}

Test(asset, rules_are_no_geojson) {
    expect_refused("kind=rules&crs=local", "application/geo+json", square, LOAM_UNSUPPORTED_MEDIA,
                   "", "rules");
}

Test(asset, every_kind_of_geojson_takes_its_own_geometry_in_local_metres) {
    static const char *const kinds[] = {"lines", "points"};
    for (size_t i = 0; i < 2; i++) {
        char query[64];
        snprintf(query, sizeof query, "kind=%s&crs=local", kinds[i]);
        expect_refused(query, "application/geo+json", square, LOAM_GEOMETRY_UNSUPPORTED, "/type",
                       kinds[i]);
        expect_refused(query, "application/json", square, LOAM_UNSUPPORTED_MEDIA, "", kinds[i]);
        snprintf(query, sizeof query, "kind=%s", kinds[i]);
        expect_refused(query, "application/geo+json", square, LOAM_CRS_MISSING, "", "crs");
    }
}

Test(asset, a_recipe_is_refused_at_its_place) {
    expect_refused("", "application/json", "{\"recipe\":\"heightmap.fbm\",\"seed\":7}",
                   LOAM_SEED_OUT_OF_RANGE, "/seed", "seed");
    expect_refused("", "application/json", "{", LOAM_MALFORMED, "", "");
}

Test(asset, a_ring_that_crosses_itself_is_placed_in_the_document) {
    expect_refused(AREAS_QUERY, "application/geo+json",
                   "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\","
                   "\"geometry\":null},{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\","
                   "\"coordinates\":[[[0,0],[4,4],[4,0],[0,4],[0,0]]]}}]}",
                   LOAM_RING_CROSSES, "/features/1", "");
}

Test(asset, a_damaged_payload_is_refused_wherever_it_ends) {
    asset_data *data = must_read(AREAS_QUERY, "application/geo+json", loam_text_of(square));
    text_buffer payload;
    buffer_init(&payload, ASSET_BYTES_MAX);
    cr_assert_eq(asset_payload(&data->asset, &payload), LOAM_OK);
    for (size_t size = 0; size < payload.size; size++) {
        asset_data *loaded = NULL;
        cr_expect_neq(asset_load((loam_text){payload.bytes, size}, &loaded, NULL), LOAM_OK, "%zu",
                      size);
        cr_expect_null(loaded);
    }
    buffer_fini(&payload);
    asset_destroy(data);
}

Test(asset, a_payload_that_does_not_fit_its_buffer_is_refused) {
    asset_data *data = must_read(RAW_QUERY, "application/octet-stream", (loam_text){raw, 12});
    text_buffer payload;
    buffer_init(&payload, 16);
    cr_expect_eq(asset_payload(&data->asset, &payload), LOAM_TOO_LARGE);
    buffer_fini(&payload);
    asset_destroy(data);
}

Test(asset, a_body_beyond_the_limit_is_refused_unread) {
    asset_data *data = NULL;
    loam_text body = {raw, ASSET_BYTES_MAX + 1};
    cr_expect_eq(read_bytes_of(RAW_QUERY, "application/octet-stream", body, &data, NULL),
                 LOAM_TOO_LARGE);
}

Test(asset, real_settlements_are_183_features) {
    loam_text document = data_read("vector/bayreuth_settlement.local.geojson");
    if (document.bytes == NULL) {
        return;
    }
    asset_data *data = must_read(AREAS_QUERY, "application/geo+json", document);
    text_buffer summary;
    buffer_init(&summary, 1 << 12);
    asset_summary(&data->asset, &summary);
    cr_expect(strncmp(summary.bytes, "{\"features\":183,", 16) == 0, "%.*s", (int)summary.size,
              summary.bytes);
    buffer_fini(&summary);
    (void)expect_round_trip(data);
    free((void *)document.bytes);
}

/* A grid of small triangles: `count` of them. */
static char *make_triangles(uint32_t count, size_t *size) {
    size_t capacity = (size_t)count * 80 + 100;
    char *text = malloc(capacity);
    size_t used = (size_t)snprintf(text, capacity, "{\"type\":\"MultiPolygon\",\"coordinates\":[");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = i % 500 * 4;
        uint32_t z = i / 500 * 4;
        used +=
            (size_t)snprintf(text + used, capacity - used, "%s[[[%u,%u],[%u,%u],[%u,%u],[%u,%u]]]",
                             i == 0 ? "" : ",", x, z, x + 2, z, x, z + 2, x, z);
    }
    used += (size_t)snprintf(text + used, capacity - used, "]}");
    *size = used;
    return text;
}

Test(asset, as_many_vertices_as_geojson_may_have_become_areas, .timeout = 60) {
    size_t size = 0;
    char *text = make_triangles(250000, &size);
    asset_data *data = must_read(AREAS_QUERY, "application/geo+json", (loam_text){text, size});
    expect_summary(data, "{\"features\":1,\"polygons\":250000,\"vertices\":1000000,\"bounds_m\":{"
                         "\"min\":[0,0],\"max\":[1998,1998]}}");
    asset_destroy(data);
    free(text);
}
