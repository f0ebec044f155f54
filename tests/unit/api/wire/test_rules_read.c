/* SPDX-License-Identifier: MIT
 *
 * test_rules_read.c: documents of rules as assets: what means the same is the same bytes.
 */
#include "api/wire/asset.h"
#include "tests/unit/api/wire/asset_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static loam_status read_rules(const char *query, const char *media, const char *json,
                              asset_data **data, loam_error *error) {
    query_fixture fixture;
    query_fixture_init(&fixture, query);
    asset_request request = {
        .media_type = loam_text_of(media), .query = fixture.query, .body = loam_text_of(json)};
    return asset_read(&request, data, error);
}

static text_buffer payload_of(const char *json) {
    asset_data *data = NULL;
    loam_error error = {0};
    text_buffer payload;
    cr_assert_eq(read_rules("kind=rules", "application/json", json, &data, &error), LOAM_OK,
                 "%s: %s %s", json, error.pointer, error.text);
    cr_assert_eq(data->asset.kind, LOAM_PORT_RULES);
    buffer_init(&payload, 1 << 20);
    cr_assert_eq(asset_payload(&data->asset, &payload), LOAM_OK);
    asset_destroy(data);
    return payload;
}

static bool same_payload(const char *a, const char *b) {
    text_buffer first = payload_of(a), second = payload_of(b);
    bool same = loam_text_equal(buffer_view(&first), buffer_view(&second));
    buffer_fini(&first);
    buffer_fini(&second);
    return same;
}

Test(rules_read, order_of_fields_and_spelling_of_numbers_do_not_matter) {
    cr_expect(same_payload("{\"a\":0.6,\"b\":[1,-0]}", "{ \"b\" : [1.0, 0], \"a\": 6e-1 }"));
    cr_expect(same_payload("{\"a\":1000000}", "{\"a\":1e6}"));
    cr_expect_not(same_payload("{\"a\":0.6}", "{\"a\":0.60000001}"));
    cr_expect_not(same_payload("{\"a\":[1,2]}", "{\"a\":[2,1]}"));
    cr_expect_not(same_payload("{\"a\":1}", "{\"a\":true}"));
    cr_expect_not(same_payload("{\"a\":1}", "{\"a\":\"1\"}"));
}

Test(rules_read, a_payload_is_loaded_and_is_its_own_payload) {
    text_buffer first =
        payload_of("{\"layers\":[{\"name\":\"p\",\"density\":0.1}],\"x\":[1e300,5e-324,null]}");
    asset_data *loaded = NULL;
    text_buffer second;
    buffer_init(&second, 1 << 20);
    cr_assert_eq(asset_load(buffer_view(&first), &loaded, NULL), LOAM_OK);
    cr_assert_eq(asset_payload(&loaded->asset, &second), LOAM_OK);
    cr_expect(loam_text_equal(buffer_view(&first), buffer_view(&second)));
    text_buffer summary;
    buffer_init(&summary, 1 << 12);
    asset_summary(&loaded->asset, &summary);
    cr_expect(
        loam_text_equal(buffer_view(&summary), loam_text_of("{\"fields\":[\"layers\",\"x\"]}")));
    asset_destroy(loaded);
    buffer_fini(&first);
    buffer_fini(&second);
    buffer_fini(&summary);
}

static void expect_refused(const char *query, const char *media, const char *json,
                           loam_status status, const char *pointer) {
    asset_data *data = NULL;
    loam_error error = {0};
    cr_expect_eq(read_rules(query, media, json, &data, &error), status, "%s: %s", json, error.text);
    cr_expect_null(data);
    cr_expect_str_eq(error.pointer, pointer, "%s", json);
}

Test(rules_read, what_is_no_document_is_refused) {
    expect_refused("kind=rules", "text/plain", "{}", LOAM_UNSUPPORTED_MEDIA, "");
    expect_refused("kind=rules", "application/json", "[]", LOAM_WRONG_TYPE, "");
    expect_refused("kind=rules", "application/json", "{\"a\":", LOAM_MALFORMED, "");
    expect_refused("kind=rules", "application/json", "{\"a\":1,\"a\":2}", LOAM_MALFORMED, "");
    expect_refused("kind=rules", "application/json", "{\"a\":1e999}", LOAM_OUT_OF_RANGE, "");
    expect_refused("kind=rules", "application/json", "{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}",
                   LOAM_TOO_MANY, "/a/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0");
}

Test(rules_read, the_largest_document_fits_its_memory) {
    size_t size = 0;
    char *json = malloc(1 << 20);
    size += (size_t)sprintf(json, "{\"a\":[");
    for (int i = 0; i < 6000; i++) {
        size += (size_t)sprintf(json + size, "%s{\"key%d\":\"text%d\"}", i == 0 ? "" : ",", i, i);
    }
    sprintf(json + size, "]}");
    text_buffer payload = payload_of(json);
    cr_expect_gt(payload.size, 100000);
    buffer_fini(&payload);
    free(json);
}
