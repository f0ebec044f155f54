/* SPDX-License-Identifier: MIT
 *
 * test_control_assets.c: rows of assets, their names, and when their files go.
 */
#include "tests/unit/server/store/store_suite.h"

#include <string.h>

TestSuite(control_assets, .init = suite_open, .fini = suite_close);

/* Writes the file and asks for the row. */
static control_request try_asset(const char *name, uint64_t number, write_premise premise) {
    blob *asset = test_blob(number, 100);
    control_request request = {.operation = CONTROL_ASSET_PUT, .premise = premise};
    request.asset = (asset_row){.name = loam_text_of(name),
                                .kind = loam_text_of("areas"),
                                .digest = asset->digest,
                                .content_digest = test_key(number),
                                .bytes = 100,
                                .summary = loam_text_of("{\"a\":1}"),
                                .params = loam_text_of("{}"),
                                .created_ms = 1700000000123};
    cr_assert_eq(store_asset_write(opened, asset, NULL), LOAM_OK);
    blob_release(asset);
    cr_assert_eq(store_control_wait(opened, &request), request.base.error.status);
    return request;
}

static control_request put_asset(const char *name, uint64_t number) {
    control_request request = try_asset(name, number, (write_premise){.kind = PREMISE_NONE});
    cr_assert_eq(request.base.error.status, LOAM_OK, "%s", request.base.error.text);
    return request;
}

static loam_status ask(control_request *request, control_operation operation, const char *name) {
    *request = (control_request){.operation = operation, .name = loam_text_of(name)};
    return store_control_wait(opened, request);
}

static digest digest_of_asset(uint64_t number) {
    blob *asset = test_blob(number, 100);
    digest of = asset->digest;
    blob_release(asset);
    return of;
}

static loam_status read_file(uint64_t number) {
    digest of = digest_of_asset(number);
    blob *read;
    loam_status status = store_asset_read(opened, &of, &read, NULL);
    blob_release(read);
    return status;
}

static loam_status bind(const char *world, uint64_t number) {
    digest bound = digest_of_asset(number);
    control_request request = {
        .operation = CONTROL_WORLD_PUT, .bindings = &bound, .binding_count = 1};
    request.revision = (revision_row){.world = loam_text_of(world),
                                      .revision = test_key(number + 100),
                                      .document = loam_text_of("{}"),
                                      .created_ms = 1};
    return store_control_wait(opened, &request);
}

Test(control_assets, come_back_as_they_were_put) {
    control_request request;
    cr_assert(put_asset("village", 1).result.created);
    cr_assert_eq(ask(&request, CONTROL_ASSET_GET, "village"), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    const asset_row *row = &request.result.assets[0];
    digest expected = digest_of_asset(1);
    digest content = test_key(1);
    cr_assert(loam_text_equal(row->name, loam_text_of("village")));
    cr_assert(loam_text_equal(row->kind, loam_text_of("areas")));
    cr_assert(digest_equal(&row->digest, &expected));
    cr_assert(digest_equal(&row->content_digest, &content));
    cr_assert_eq(row->bytes, 100);
    cr_assert(loam_text_equal(row->summary, loam_text_of("{\"a\":1}")));
    cr_assert(loam_text_equal(row->params, loam_text_of("{}")));
    cr_assert_eq(row->created_ms, 1700000000123);
    control_result_fini(&request.result);
}

Test(control_assets, are_found_by_digest_too) {
    control_request request = {.operation = CONTROL_ASSET_GET, .key = digest_of_asset(1)};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_NOT_FOUND);
    put_asset("b", 1);
    put_asset("a", 1);
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert(loam_text_equal(request.result.assets[0].name, loam_text_of("a")));
    control_result_fini(&request.result);
}

Test(control_assets, are_refused_without_their_file) {
    control_request request = {.operation = CONTROL_ASSET_PUT};
    request.asset.name = loam_text_of("ghost");
    cr_assert_eq(store_control_wait(opened, &request), LOAM_IO);
    cr_assert_eq(ask(&request, CONTROL_ASSET_GET, "ghost"), LOAM_NOT_FOUND);
}

Test(control_assets, are_listed_by_name_page_by_page) {
    control_request request;
    put_asset("c", 1);
    put_asset("a", 2);
    put_asset("b", 3);
    cr_assert_eq(ask(&request, CONTROL_ASSET_LIST, ""), LOAM_OK);
    cr_assert_eq(request.result.count, 3);
    control_result_fini(&request.result);
    request.limit = 1;
    request.after = loam_text_of("a");
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    cr_assert(loam_text_equal(request.result.assets[0].name, loam_text_of("b")));
    control_result_fini(&request.result);
}

Test(control_assets, drop_what_a_name_pointed_at_before) {
    put_asset("village", 1);
    cr_assert_not(put_asset("village", 2).result.created);
    cr_assert_eq(read_file(2), LOAM_OK);
    cr_assert_eq(read_file(1), LOAM_NOT_FOUND);
}

Test(control_assets, keep_what_a_revision_still_binds) {
    put_asset("village", 1);
    cr_assert_eq(bind("demo", 1), LOAM_OK);
    put_asset("village", 2);
    cr_assert_eq(read_file(1), LOAM_OK);
    control_request request = {.operation = CONTROL_ASSET_GET, .key = digest_of_asset(1)};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(request.result.assets[0].name.size, 0, "no name points at it");
    control_result_fini(&request.result);
}

Test(control_assets, in_use_are_not_deleted_and_say_where) {
    control_request request;
    put_asset("village", 1);
    cr_assert_eq(bind("demo", 1), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_ASSET_DELETE, "village"), LOAM_IN_USE);
    cr_assert_not_null(strstr(request.base.error.text, "world demo"));
    cr_assert_eq(ask(&request, CONTROL_WORLD_DELETE, "demo"), LOAM_OK);
    cr_assert_eq(read_file(1), LOAM_OK, "its name still holds it");
    cr_assert_eq(ask(&request, CONTROL_ASSET_DELETE, "village"), LOAM_OK);
    cr_assert_eq(read_file(1), LOAM_NOT_FOUND);
    cr_assert_eq(ask(&request, CONTROL_ASSET_DELETE, "village"), LOAM_NOT_FOUND);
}

Test(control_assets, share_a_file_under_two_names) {
    control_request request;
    put_asset("a", 1);
    put_asset("b", 1);
    cr_assert_eq(ask(&request, CONTROL_ASSET_DELETE, "a"), LOAM_OK);
    cr_assert_eq(read_file(1), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_ASSET_DELETE, "b"), LOAM_OK);
    cr_assert_eq(read_file(1), LOAM_NOT_FOUND);
}

Test(control_assets, whose_row_never_came_lose_their_file_at_the_next_start) {
    blob *orphan = test_blob(7, 100);
    cr_assert_eq(store_asset_write(opened, orphan, NULL), LOAM_OK);
    put_asset("village", 1);
    suite_reopen(0);
    cr_assert_eq(read_file(7), LOAM_NOT_FOUND);
    cr_assert_eq(read_file(1), LOAM_OK);
    blob_release(orphan);
}

Test(control_assets, keep_the_file_of_their_content) {
    control_request request;
    blob *content = test_blob(50, 40);
    blob *asset = test_blob(1, 100);
    blob *read;
    cr_assert_eq(store_asset_write(opened, content, NULL), LOAM_OK);
    cr_assert_eq(store_asset_write(opened, asset, NULL), LOAM_OK);
    request = (control_request){.operation = CONTROL_ASSET_PUT};
    request.asset = (asset_row){
        .name = loam_text_of("a"), .digest = asset->digest, .content_digest = content->digest};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    suite_reopen(0);
    cr_assert_eq(store_asset_read(opened, &content->digest, &read, NULL), LOAM_OK);
    blob_release(read);
    cr_assert_eq(ask(&request, CONTROL_ASSET_DELETE, "a"), LOAM_OK);
    cr_assert_eq(store_asset_read(opened, &content->digest, &read, NULL), LOAM_NOT_FOUND);
    blob_release(content);
    blob_release(asset);
}

static loam_status put_status(const char *name, uint64_t number, premise_kind kind, uint64_t seen) {
    write_premise premise = {.kind = kind, .seen = digest_of_asset(seen)};
    return try_asset(name, number, premise).base.error.status;
}

Test(control_assets, that_were_to_be_new_are_refused_when_another_came_first) {
    cr_assert_eq(put_status("village", 1, PREMISE_SAME, 1), LOAM_PRECONDITION_FAILED);
    cr_assert_eq(put_status("village", 1, PREMISE_PRESENT, 1), LOAM_PRECONDITION_FAILED);
    cr_assert_eq(put_status("village", 1, PREMISE_ABSENT, 0), LOAM_OK);
    cr_assert_eq(put_status("village", 2, PREMISE_ABSENT, 0), LOAM_PRECONDITION_FAILED);
    cr_assert_eq(read_file(1), LOAM_OK, "what a refused one would have replaced stays");
}

Test(control_assets, that_changed_since_they_were_seen_are_neither_put_nor_deleted) {
    control_request request;
    write_premise seen = {.kind = PREMISE_SAME, .seen = digest_of_asset(1)};
    put_asset("village", 1);
    cr_assert_eq(put_status("village", 2, PREMISE_SAME, 1), LOAM_OK);
    cr_assert_eq(put_status("village", 3, PREMISE_SAME, 1), LOAM_PRECONDITION_FAILED);
    cr_assert_eq(put_status("village", 3, PREMISE_PRESENT, 1), LOAM_OK, "whatever is there");
    request = (control_request){
        .operation = CONTROL_ASSET_DELETE, .name = loam_text_of("village"), .premise = seen};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_PRECONDITION_FAILED);
    request.premise.seen = digest_of_asset(3);
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_ASSET_GET, "village"), LOAM_NOT_FOUND);
}

/* The second is judged on what the first does in the same transaction. */
Test(control_assets, that_were_to_be_new_are_so_once_in_a_group_too) {
    enum { MANY = 16 };
    static control_request requests[MANY];
    test_latch *latch = test_latch_create();
    put_asset("other", 1);
    for (int i = 0; i < MANY; i++) {
        requests[i] = (control_request){
            .base = {.done = test_latch_done, .context = latch},
            .operation = CONTROL_ASSET_PUT,
            .asset = {.name = loam_text_of("village"), .digest = digest_of_asset(1)},
            .premise = {.kind = PREMISE_ABSENT}};
        cr_assert_eq(store_control(opened, &requests[i]), LOAM_OK);
    }
    test_latch_wait(latch, MANY);
    test_latch_destroy(latch);
    for (int i = 0; i < MANY; i++) {
        cr_assert_eq(requests[i].base.error.status, i == 0 ? LOAM_OK : LOAM_PRECONDITION_FAILED);
    }
}
