/* SPDX-License-Identifier: MIT
 *
 * test_assets.c: assets over HTTP: every way to send one, what each refusal names, and that a
 * refused one leaves nothing behind.
 */
#include "api/key/key.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define RAW_QUERY                                                                                  \
    "kind=heightfield&width=4&height=3&spacing_m=8&offset_m=-11&scale_m=0.5&encoding=u16le&row0="  \
    "north"

TestSuite(assets, .init = server_start, .fini = server_stop);

static answer put(const char *name, const char *query, const char *type, const void *body,
                  size_t size) {
    return ask(&server, "PUT", &(ask_options){.body = body, .body_bytes = size, .type = type},
               "/v1/assets/%s%s%s", name, query[0] == 0 ? "" : "?", query);
}

static const unsigned char samples[24] = {0, 0, 1, 0, 2, 0, 3, 0, 4,  0, 5,  0,
                                          6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0};

static answer put_raw(const char *query, size_t size) {
    return put("raw", query, "application/octet-stream", samples, size);
}

static answer put_areas(const char *rings) {
    char text[2048];
    snprintf(text, sizeof text,
             "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", "
             "\"properties\": {}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": %s}}]}",
             rings);
    return put("zone", "kind=areas&crs=local", "application/geo+json", text, strlen(text));
}

/* A refused asset is not there, and nothing of it. */
static void expect_nothing(void) {
    answer list = ask_get(&server, "/v1/assets");
    cr_expect_str_eq(list.body, "{\"assets\":[]}");
    answer_free(&list);
}

Test(assets, raw_samples_are_taken_listed_served_and_deleted) {
    answer made = put_raw(RAW_QUERY, sizeof samples);
    cr_assert_eq(made.status, 201, "%s", made.body);
    cr_expect_str_eq(answer_header(&made, "Location"), "/v1/assets/raw");
    json_t *root = answer_json(&made);
    cr_expect_str_eq(json_string_value(json_object_get(root, "kind")), "heightfield");
    const char *digest_word = json_string_value(json_object_get(root, "digest"));

    answer one = ask_get(&server, "/v1/assets/raw");
    cr_expect_str_eq(one.body, made.body);
    expect_hashes(&one);
    answer by_digest = ask_get(&server, "/v1/assets/%s", digest_word);
    cr_expect_str_eq(by_digest.body, made.body);
    answer list = ask_get(&server, "/v1/assets");
    cr_expect(strstr(list.body, made.body) != NULL);

    answer content = ask_get(&server, "/v1/assets/%s/content", digest_word);
    cr_assert_eq(content.status, 200);
    expect_hashes(&content);
    char quoted[DIGEST_TEXT_BYTES + 2];
    snprintf(quoted, sizeof quoted, "\"%s\"", digest_word);
    cr_expect_str_eq(answer_header(&content, "ETag"), quoted);
    cr_expect_str_eq(answer_header(&content, "Cache-Control"),
                     "public, max-age=31536000, immutable");

    answer again = put_raw(RAW_QUERY, sizeof samples);
    cr_expect_eq(again.status, 200);
    cr_expect_str_eq(again.body, made.body);
    answer gone = ask(&server, "DELETE", NULL, "/v1/assets/raw");
    cr_expect_eq(gone.status, 204);
    expect_problem(ask_get(&server, "/v1/assets/raw"), 404, "not-found", NULL);
    expect_problem(ask(&server, "DELETE", NULL, "/v1/assets/raw"), 404, "not-found", NULL);
    expect_nothing();
    answer_free(&made);
    answer_free(&one);
    answer_free(&by_digest);
    answer_free(&list);
    answer_free(&content);
    answer_free(&again);
    answer_free(&gone);
    json_decref(root);
}

Test(assets, a_recipe_is_made_by_the_daemon_and_the_same_each_time) {
    static const char recipe[] = "{\"recipe\": \"heightmap.fbm\", \"seed\": \"7\", \"params\": "
                                 "{\"width\": 33, \"height\": 33, \"spacing_m\": 8}}";
    answer one = ask_json(&server, "PUT", recipe, "/v1/assets/one");
    answer two = ask_json(&server, "PUT", recipe, "/v1/assets/two");
    cr_assert_eq(one.status, 201, "%s", one.body);
    json_t *first = answer_json(&one);
    json_t *second = answer_json(&two);
    cr_expect(json_equal(json_object_get(first, "digest"), json_object_get(second, "digest")));
    json_decref(first);
    json_decref(second);
    answer_free(&one);
    answer_free(&two);
}

Test(assets, areas_are_taken_with_their_summary) {
    answer made = put_areas("[[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]");
    cr_assert_eq(made.status, 201, "%s", made.body);
    cr_expect(strstr(made.body, "\"kind\":\"areas\"") != NULL);
    answer_free(&made);
}

Test(assets, a_name_points_at_its_newest) {
    answer first = put_areas("[[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]");
    answer second = put_areas("[[[0, 0], [10, 0], [10, 11], [0, 10], [0, 0]]]");
    cr_expect_eq(second.status, 200);
    answer now = ask_get(&server, "/v1/assets/zone");
    cr_expect_str_eq(now.body, second.body);
    cr_expect_str_neq(now.body, first.body);
    answer_free(&first);
    answer_free(&second);
    answer_free(&now);
}

Test(assets, a_bound_asset_cannot_be_deleted) {
    forest_put(&server);
    expect_problem(ask(&server, "DELETE", NULL, "/v1/assets/hills"), 409, "in-use", NULL);
    answer still = ask_get(&server, "/v1/assets/hills");
    cr_expect_eq(still.status, 200);
    answer_free(&still);
    answer gone = ask(&server, "DELETE", NULL, "/v1/worlds/forest");
    cr_expect_eq(gone.status, 204);
    answer_free(&gone);
    answer free_now = ask(&server, "DELETE", NULL, "/v1/assets/hills");
    cr_expect_eq(free_now.status, 204);
    answer_free(&free_now);
}

Test(assets, conditions_of_a_put_are_kept) {
    const char *absent[] = {"If-None-Match: *", NULL};
    const char *other[] = {"If-Match: \"x\"", NULL};
    ask_options options = {.headers = absent,
                           .body = samples,
                           .body_bytes = sizeof samples,
                           .type = "application/octet-stream"};
    answer made = ask(&server, "PUT", &options, "/v1/assets/raw?" RAW_QUERY);
    cr_assert_eq(made.status, 201);
    answer_free(&made);
    expect_problem(ask(&server, "PUT", &options, "/v1/assets/raw?" RAW_QUERY), 412,
                   "precondition-failed", NULL);
    options.headers = other;
    expect_problem(ask(&server, "PUT", &options, "/v1/assets/raw?" RAW_QUERY), 412,
                   "precondition-failed", NULL);
    expect_problem(ask(&server, "DELETE", &(ask_options){.headers = other}, "/v1/assets/raw"), 412,
                   "precondition-failed", NULL);
    char match[128];
    answer now = ask_get(&server, "/v1/assets/raw");
    snprintf(match, sizeof match, "If-Match: %s", answer_header(&now, "ETag"));
    const char *same[] = {match, NULL};
    options.headers = same;
    answer taken = ask(&server, "PUT", &options, "/v1/assets/raw?" RAW_QUERY);
    cr_expect_eq(taken.status, 200);
    answer_free(&now);
    answer_free(&taken);
}

Test(assets, a_body_of_the_wrong_size_says_both_sizes) {
    answer of = put_raw(RAW_QUERY, sizeof samples - 1);
    cr_assert_eq(of.status, 422);
    cr_expect(strstr(of.body, "24") != NULL && strstr(of.body, "23") != NULL, "%s", of.body);
    expect_problem(of, 422, "size-mismatch", NULL);
    expect_nothing();
}

Test(assets, a_query_that_is_wrong_names_the_parameter) {
    static const struct {
        const char *query;
        const char *code;
        int status;
        const char *named;
    } bad[] = {
        {"kind=heightfield&width=4&height=3&spacing_m=8&offset_m=0&scale_m=1&encoding=u16le",
         "missing-field", 422, "row0"},
        {RAW_QUERY "&bogus=1", "unknown-parameter", 422, "bogus"},
        {"kind=heightfield&width=4&height=3&spacing_m=0&offset_m=0&scale_m=1&encoding=u16le"
         "&row0=north",
         "out-of-range", 422, "spacing_m"},
        {"kind=heightfield&width=4&height=3&spacing_m=8&offset_m=0&scale_m=1&encoding=u32"
         "&row0=north",
         "out-of-range", 422, "encoding"},
        {"kind=castle", "out-of-range", 422, "kind"},
        {"", "missing-field", 422, "kind"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        answer of = put_raw(bad[i].query, sizeof samples);
        cr_expect(strstr(of.body, bad[i].named) != NULL, "%s: %s", bad[i].query, of.body);
        expect_problem(of, bad[i].status, bad[i].code, NULL);
    }
    expect_nothing();
}

Test(assets, a_height_that_is_not_finite_is_refused) {
    float heights[12] = {0};
    heights[5] = 1.0f / (heights[0]);
    expect_problem(put("raw",
                       "kind=heightfield&width=4&height=3&spacing_m=8&offset_m=0&scale_m=1"
                       "&encoding=f32le&row0=south",
                       "application/octet-stream", heights, sizeof heights),
                   422, "not-finite", NULL);
    expect_nothing();
}

/* ---- Pictures ------------------------------------------------------------------------------- */

typedef struct picture {
    unsigned char bytes[4096];
    size_t size;
} picture;

static void add_number(picture *to, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        to->bytes[to->size++] = (unsigned char)(value >> shift);
    }
}

static void add_chunk(picture *to, const char *type, const void *data, uint32_t size) {
    add_number(to, size);
    size_t start = to->size;
    memcpy(to->bytes + to->size, type, 4);
    memcpy(to->bytes + to->size + 4, data, size);
    to->size += 4 + size;
    add_number(to, (uint32_t)crc32(0, to->bytes + start, (uInt)(to->size - start)));
}

/* A gray PNG of the given size and depth, all black; `rows` of it are really there. */
static picture picture_make(uint32_t width, uint32_t height, unsigned char depth, uint32_t rows) {
    picture made = {.size = 8};
    memcpy(made.bytes, "\x89PNG\r\n\x1a\n", 8);
    unsigned char head[13] = {
        (unsigned char)(width >> 24), (unsigned char)(width >> 16),  (unsigned char)(width >> 8),
        (unsigned char)width,         (unsigned char)(height >> 24), (unsigned char)(height >> 16),
        (unsigned char)(height >> 8), (unsigned char)height,         depth};
    add_chunk(&made, "IHDR", head, sizeof head);
    static unsigned char raw[65536];
    unsigned char packed[3000];
    uLongf packed_size = sizeof packed;
    uLong raw_size = (uLong)rows * (1 + width * depth / 8);
    cr_assert_leq(raw_size, sizeof raw);
    cr_assert_eq(compress(packed, &packed_size, raw, raw_size), Z_OK);
    add_chunk(&made, "IDAT", packed, (uint32_t)packed_size);
    add_chunk(&made, "IEND", "", 0);
    return made;
}

#define PNG_QUERY "kind=heightfield&spacing_m=8&offset_m=0&scale_m=1&row0=north"

Test(assets, a_16_bit_picture_is_a_terrain) {
    picture good = picture_make(5, 4, 16, 4);
    answer made = put("png", PNG_QUERY, "image/png", good.bytes, good.size);
    cr_assert_eq(made.status, 201, "%s", made.body);
    cr_expect(strstr(made.body, "\"width\":5,\"height\":4") != NULL, "%s", made.body);
    answer_free(&made);
}

Test(assets, an_8_bit_picture_is_refused) {
    picture flat = picture_make(5, 4, 8, 4);
    expect_problem(put("png", PNG_QUERY, "image/png", flat.bytes, flat.size), 422,
                   "png-unsupported", NULL);
    expect_nothing();
}

Test(assets, a_picture_that_claims_to_be_huge_is_refused_by_its_head) {
    picture bomb = picture_make(60000, 60000, 16, 0);
    answer of = put("png", PNG_QUERY, "image/png", bomb.bytes, bomb.size);
    cr_assert_eq(of.status, 413, "%d %s", of.status, of.body);
    answer_free(&of);
    expect_nothing();
}

Test(assets, a_cut_picture_is_refused) {
    picture good = picture_make(5, 4, 16, 4);
    answer of = put("png", PNG_QUERY, "image/png", good.bytes, good.size - 30);
    cr_expect(of.status == 400 || of.status == 422, "%d %s", of.status, of.body);
    answer_free(&of);
    answer empty = put("png", PNG_QUERY, "image/png", "", 0);
    cr_expect(empty.status == 400 || empty.status == 422, "%d %s", empty.status, empty.body);
    answer_free(&empty);
    expect_nothing();
}

/* ---- Areas ---------------------------------------------------------------------------------- */

Test(assets, rings_must_be_closed_and_not_cross_themselves) {
    expect_problem(put_areas("[[[0, 0], [10, 0], [10, 10], [0, 10]]]"), 422, "ring-open",
                   "/features/0/geometry/coordinates/0");
    answer crossed = put_areas("[[[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]]");
    cr_expect(strstr(crossed.body, "\"pointer\":\"/features/0") != NULL, "%s", crossed.body);
    cr_expect(strstr(crossed.body, "\"code\":\"ring-crosses\"") != NULL, "%s", crossed.body);
    cr_expect_eq(crossed.status, 422);
    answer_free(&crossed);
    expect_nothing();
}

Test(assets, lon_lat_is_refused) {
    static const char text[] = "{\"type\": \"FeatureCollection\", \"features\": []}";
    expect_problem(put("zone", "kind=areas", "application/geo+json", text, strlen(text)), 422,
                   "crs-missing", NULL);
    expect_nothing();
}

Test(assets, a_document_that_does_not_parse_is_400) {
    expect_problem(put("zone", "kind=areas&crs=local", "application/geo+json", "{\"type\":", 8),
                   400, "malformed", NULL);
    expect_problem(put_areas("[[[0, NaN], [10, 0], [10, 10], [0, 0]]]"), 400, "malformed", NULL);
    expect_problem(ask_json(&server, "PUT", "{\"recipe\": ", "/v1/assets/one"), 400, "malformed",
                   NULL);
    expect_nothing();
}

Test(assets, a_recipe_with_unknown_or_wrong_fields_points_at_them) {
    expect_problem(ask_json(&server, "PUT", "{\"recipe\": \"heightmap.moon\", \"seed\": \"7\"}",
                            "/v1/assets/one"),
                   422, "unknown-recipe", "/recipe");
    expect_problem(ask_json(&server, "PUT",
                            "{\"recipe\": \"heightmap.fbm\", \"seed\": \"7\", \"bogus\": 1}",
                            "/v1/assets/one"),
                   422, "unknown-field", "/bogus");
    expect_problem(ask_json(&server, "PUT",
                            "{\"recipe\": \"heightmap.fbm\", \"seed\": 7, \"params\": {}}",
                            "/v1/assets/one"),
                   422, "seed-out-of-range", "/seed");
    expect_nothing();
}

Test(assets, a_body_of_another_kind_is_415) {
    expect_problem(put("zone", "kind=areas&crs=local", "text/plain", "{}", 2), 415,
                   "unsupported-media", NULL);
    expect_problem(put("zone", "kind=areas&crs=local", NULL, "{}", 2), 415, "unsupported-media",
                   NULL);
    const char *coded[] = {"Content-Encoding: gzip", NULL};
    expect_problem(ask(&server, "PUT",
                       &(ask_options){.headers = coded,
                                      .body = samples,
                                      .body_bytes = sizeof samples,
                                      .type = "application/octet-stream"},
                       "/v1/assets/raw?" RAW_QUERY),
                   415, "unsupported-media", NULL);
    expect_nothing();
}

Test(assets, a_name_that_is_none_is_refused) {
    expect_problem(put("Big", RAW_QUERY, "application/octet-stream", samples, sizeof samples), 422,
                   "bad-name", NULL);
    expect_problem(put(".dot", RAW_QUERY, "application/octet-stream", samples, sizeof samples), 422,
                   "bad-name", NULL);
    expect_nothing();
}

Test(assets, lists_come_in_pages) {
    for (int i = 0; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "a%d", i);
        answer made = put(name, RAW_QUERY, "application/octet-stream", samples, sizeof samples);
        cr_assert_eq(made.status, 201);
        answer_free(&made);
    }
    answer page = ask_get(&server, "/v1/assets?after=a1&limit=2");
    json_t *root = answer_json(&page);
    json_t *assets = json_object_get(root, "assets");
    cr_assert_eq(json_array_size(assets), 2);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(assets, 0), "name")), "a2");
    json_decref(root);
    answer_free(&page);
    expect_problem(ask_get(&server, "/v1/assets?limit=x"), 422, "out-of-range", NULL);
    expect_problem(ask_get(&server, "/v1/assets?limit=99999"), 422, "out-of-range", NULL);
}
