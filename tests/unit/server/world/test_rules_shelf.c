/* SPDX-License-Identifier: MIT
 *
 * test_rules_shelf.c: documents of rules from the store, by name and by digest, each read once.
 */
#include "server/world/rules_shelf.h"
#include "tests/unit/server/store/store_suite.h"

static rules_shelf shelf;

static void set_up(void) {
    suite_open();
    rules_shelf_init(&shelf, opened);
}

static void tear_down(void) {
    rules_shelf_fini(&shelf);
    suite_close();
}

TestSuite(rules_shelf, .init = set_up, .fini = tear_down);

/* Puts bytes under a name, as an asset of a kind. */
static digest put_bytes(const char *name, const char *kind, const void *bytes, size_t size) {
    blob *asset = blob_create(bytes, size);
    control_request request = {.operation = CONTROL_ASSET_PUT};
    request.asset = (asset_row){.name = loam_text_of(name),
                                .kind = loam_text_of(kind),
                                .digest = asset->digest,
                                .content_digest = asset->digest,
                                .bytes = size,
                                .summary = loam_text_of("{}"),
                                .params = loam_text_of("{}"),
                                .created_ms = 1};
    digest of = asset->digest;
    cr_assert_eq(store_asset_write(opened, asset, NULL), LOAM_OK);
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK, "%s", request.base.error.text);
    control_result_fini(&request.result);
    blob_release(asset);
    return of;
}

static digest put_rules(const char *name, const char *json) {
    const asset_param kind = {loam_text_of("kind"), loam_text_of("rules")};
    const asset_request request = {.media_type = loam_text_of("application/json"),
                                   .query = {&kind, 1},
                                   .body = loam_text_of(json)};
    asset_data *data = NULL;
    text_buffer payload;
    loam_error error = {0};
    cr_assert_eq(asset_read(&request, &data, &error), LOAM_OK, "%s", error.text);
    buffer_init(&payload, 1 << 16);
    cr_assert_eq(asset_payload(&data->asset, &payload), LOAM_OK);
    digest of = put_bytes(name, "rules", payload.bytes, payload.size);
    buffer_fini(&payload);
    asset_destroy(data);
    return of;
}

static loam_status find(const char *name, const loam_rules **rules) {
    return shelf.resolver.find_rules(shelf.resolver.context, loam_text_of(name), rules);
}

Test(rules_shelf, a_document_is_found_by_its_name_and_by_its_digest_once) {
    const loam_rules *named = NULL, *addressed = NULL;
    char text[DIGEST_TEXT_BYTES];
    digest of = put_rules("crypt", "{\"rules\": []}");
    digest_text(&of, text);
    cr_assert_eq(find("crypt", &named), LOAM_OK);
    cr_assert_eq(find(text, &addressed), LOAM_OK);
    cr_expect_eq(named, addressed);
    cr_expect_eq(shelf.count, 1);
    cr_assert_eq(named->kind, LOAM_RULES_OBJECT);
    cr_expect(loam_text_equal(named->keys[0], loam_text_of("rules")));
}

Test(rules_shelf, what_is_not_there_or_of_another_kind_is_not_found) {
    const loam_rules *rules = NULL;
    digest absent = test_key(7);
    char text[DIGEST_TEXT_BYTES];
    digest_text(&absent, text);
    put_bytes("meadow", "areas", "{}", 2);
    cr_expect_eq(find("nobody", &rules), LOAM_NOT_FOUND);
    cr_expect_eq(find(text, &rules), LOAM_NOT_FOUND);
    cr_expect_eq(find("meadow", &rules), LOAM_NOT_FOUND);
    cr_expect_eq(find("", &rules), LOAM_NOT_FOUND);
    cr_expect_eq(shelf.count, 0);
}

Test(rules_shelf, bytes_that_are_no_document_are_an_error_and_take_no_place) {
    const loam_rules *rules = NULL;
    put_bytes("torn", "rules", "LOAM", 4);
    cr_expect_neq(find("torn", &rules), LOAM_OK);
    cr_expect_eq(shelf.count, 0);
    cr_expect_null(rules);
}

Test(rules_shelf, a_name_that_points_elsewhere_later_gives_the_newer_document) {
    const loam_rules *before = NULL, *after = NULL;
    put_rules("crypt", "{\"rules\": [1]}");
    cr_assert_eq(find("crypt", &before), LOAM_OK);
    put_rules("crypt", "{\"rules\": [1, 2]}");
    cr_assert_eq(find("crypt", &after), LOAM_OK);
    cr_expect_eq(before->items[0].count, 1);
    cr_expect_eq(after->items[0].count, 2);
}

Test(rules_shelf, one_document_too_many_is_refused_and_those_on_it_stay) {
    const loam_rules *rules = NULL;
    char name[16], json[64];
    for (int i = 0; i <= RULES_SHELF_MAX; i++) {
        snprintf(name, sizeof name, "rules-%d", i);
        snprintf(json, sizeof json, "{\"rules\": [%d]}", i);
        put_rules(name, json);
        cr_expect_eq(find(name, &rules), i < RULES_SHELF_MAX ? LOAM_OK : LOAM_TOO_MANY);
    }
    cr_expect_eq(shelf.count, RULES_SHELF_MAX);
    cr_assert_eq(find("rules-0", &rules), LOAM_OK);
    cr_expect_eq(rules->items[0].items[0].kind, LOAM_RULES_NUMBER);
    cr_expect_eq(rules->items[0].items[0].mantissa, 0);
}
