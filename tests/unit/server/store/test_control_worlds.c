/* SPDX-License-Identifier: MIT
 *
 * test_control_worlds.c: documents, worlds and revisions.
 */
#include "tests/unit/server/store/store_suite.h"

#include <stdlib.h>
#include <string.h>

enum { LONG_BYTES = 1000000 };

TestSuite(control_worlds, .init = suite_open, .fini = suite_close);

static control_request put_world(const char *name, uint64_t revision, const char *document) {
    control_request request = {.operation = CONTROL_WORLD_PUT};
    request.revision = (revision_row){.world = loam_text_of(name),
                                      .revision = test_key(revision),
                                      .document = loam_text_of(document),
                                      .created_ms = (int64_t)revision * 10};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK, "%s", request.base.error.text);
    return request;
}

static loam_status ask(control_request *request, control_operation operation, const char *name,
                       uint64_t key) {
    *request =
        (control_request){.operation = operation, .name = loam_text_of(name), .key = test_key(key)};
    return store_control_wait(opened, request);
}

Test(control_worlds, keep_documents_under_their_digest_once) {
    control_request put = {.operation = CONTROL_DOCUMENT_PUT};
    put.document = (document_row){.kind = DOCUMENT_GRAPH,
                                  .digest = test_key(1),
                                  .document = loam_text_of("{\"loam_graph\":1}"),
                                  .created_ms = 5};
    cr_assert_eq(store_control_wait(opened, &put), LOAM_OK);
    cr_assert(put.result.created);
    cr_assert_eq(store_control_wait(opened, &put), LOAM_OK);
    cr_assert_not(put.result.created);
    control_request get = {.operation = CONTROL_DOCUMENT_GET, .key = test_key(1)};
    get.document.kind = DOCUMENT_DUNGEON;
    cr_assert_eq(store_control_wait(opened, &get), LOAM_NOT_FOUND, "of another kind");
    get.document.kind = DOCUMENT_GRAPH;
    cr_assert_eq(store_control_wait(opened, &get), LOAM_OK);
    cr_assert(loam_text_equal(get.result.documents[0].document, put.document.document));
    cr_assert_eq(get.result.documents[0].created_ms, 5);
    control_result_fini(&get.result);
}

Test(control_worlds, keep_documents_as_long_as_they_may_be) {
    char *text = malloc(LONG_BYTES);
    memset(text, ' ', LONG_BYTES);
    control_request put = {.operation = CONTROL_DOCUMENT_PUT};
    put.document = (document_row){.digest = test_key(1), .document = {text, LONG_BYTES}};
    cr_assert_eq(store_control_wait(opened, &put), LOAM_OK);
    control_request get = {.operation = CONTROL_DOCUMENT_GET, .key = test_key(1)};
    cr_assert_eq(store_control_wait(opened, &get), LOAM_OK);
    cr_assert(loam_text_equal(get.result.documents[0].document, put.document.document));
    control_result_fini(&get.result);
    free(text);
}

Test(control_worlds, point_at_their_newest_revision_and_keep_the_old) {
    control_request request;
    cr_assert(put_world("demo", 1, "one").result.created);
    cr_assert_not(put_world("demo", 2, "two").result.created);
    suite_reopen(0);
    cr_assert_eq(ask(&request, CONTROL_WORLD_GET, "demo", 0), LOAM_OK);
    digest newest = test_key(2);
    cr_assert(digest_equal(&request.result.worlds[0].revision, &newest));
    cr_assert_eq(request.result.worlds[0].created_ms, 10);
    cr_assert_eq(request.result.worlds[0].updated_ms, 20);
    control_result_fini(&request.result);
    cr_assert_eq(ask(&request, CONTROL_REVISION_GET, "demo", 1), LOAM_OK);
    cr_assert(loam_text_equal(request.result.revisions[0].document, loam_text_of("one")));
    control_result_fini(&request.result);
    cr_assert_eq(ask(&request, CONTROL_REVISION_LIST, "demo", 0), LOAM_OK);
    cr_assert_eq(request.result.count, 2);
    cr_assert(digest_equal(&request.result.revisions[0].revision, &newest));
    cr_assert_eq(request.result.revisions[0].document.size, 0);
    control_result_fini(&request.result);
}

static loam_status put_seen(uint64_t revision, premise_kind kind, uint64_t seen) {
    control_request request = {.operation = CONTROL_WORLD_PUT,
                               .revision = {.world = loam_text_of("demo"),
                                            .revision = test_key(revision),
                                            .document = loam_text_of("{}")},
                               .premise = {.kind = kind, .seen = test_key(seen)}};
    return store_control_wait(opened, &request);
}

Test(control_worlds, that_changed_since_they_were_seen_are_neither_put_nor_deleted) {
    control_request request;
    cr_assert_eq(put_seen(1, PREMISE_PRESENT, 0), LOAM_PRECONDITION_FAILED);
    cr_assert_eq(put_seen(1, PREMISE_ABSENT, 0), LOAM_OK);
    cr_assert_eq(put_seen(2, PREMISE_ABSENT, 0), LOAM_PRECONDITION_FAILED);
    cr_assert_eq(put_seen(2, PREMISE_SAME, 1), LOAM_OK);
    cr_assert_eq(put_seen(3, PREMISE_SAME, 1), LOAM_PRECONDITION_FAILED);
    cr_assert_eq(ask(&request, CONTROL_REVISION_GET, "demo", 3), LOAM_NOT_FOUND);
    request = (control_request){.operation = CONTROL_WORLD_DELETE,
                                .name = loam_text_of("demo"),
                                .premise = {.kind = PREMISE_SAME, .seen = test_key(1)}};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_PRECONDITION_FAILED);
    request.premise.seen = test_key(2);
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_WORLD_GET, "demo", 0), LOAM_NOT_FOUND);
}

Test(control_worlds, may_go_back_to_an_old_revision) {
    control_request request;
    put_world("demo", 1, "one");
    put_world("demo", 2, "two");
    put_world("demo", 1, "one");
    digest first = test_key(1);
    cr_assert_eq(ask(&request, CONTROL_WORLD_GET, "demo", 0), LOAM_OK);
    cr_assert(digest_equal(&request.result.worlds[0].revision, &first));
    control_result_fini(&request.result);
    cr_assert_eq(ask(&request, CONTROL_REVISION_LIST, "demo", 0), LOAM_OK);
    cr_assert_eq(request.result.count, 2);
    control_result_fini(&request.result);
}

Test(control_worlds, have_revisions_of_their_own_with_equal_digests) {
    control_request request;
    put_world("a", 1, "same");
    put_world("b", 1, "same");
    cr_assert_eq(ask(&request, CONTROL_WORLD_DELETE, "a", 0), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_REVISION_GET, "a", 1), LOAM_NOT_FOUND);
    cr_assert_eq(ask(&request, CONTROL_REVISION_GET, "b", 1), LOAM_OK);
    control_result_fini(&request.result);
    cr_assert_eq(ask(&request, CONTROL_WORLD_DELETE, "a", 0), LOAM_NOT_FOUND);
}

Test(control_worlds, are_listed_by_name) {
    control_request request;
    put_world("b", 1, "{}");
    put_world("a", 2, "{}");
    cr_assert_eq(ask(&request, CONTROL_WORLD_LIST, "", 0), LOAM_OK);
    cr_assert_eq(request.result.count, 2);
    cr_assert(loam_text_equal(request.result.worlds[0].name, loam_text_of("a")));
    control_result_fini(&request.result);
    request.after = loam_text_of("a");
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    control_result_fini(&request.result);
}

Test(control_worlds, leave_no_trace_when_an_asset_is_missing) {
    digest missing = test_key(77);
    control_request request = {
        .operation = CONTROL_WORLD_PUT, .bindings = &missing, .binding_count = 1};
    request.revision = (revision_row){.world = loam_text_of("demo"), .revision = test_key(1)};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_NOT_FOUND);
    cr_assert_not_null(strstr(request.base.error.text, "sha256-"));
    cr_assert_eq(ask(&request, CONTROL_WORLD_GET, "demo", 0), LOAM_NOT_FOUND);
    cr_assert_eq(ask(&request, CONTROL_REVISION_GET, "demo", 1), LOAM_NOT_FOUND);
}

Test(control_worlds, are_not_harmed_by_a_request_that_fails_in_the_same_group) {
    enum { PAIRS = 20 };
    static control_request requests[2 * PAIRS];
    static char names[PAIRS][16];
    digest missing = test_key(77);
    test_latch *latch = test_latch_create();
    for (int i = 0; i < PAIRS; i++) {
        control_request good = {.operation = CONTROL_WORLD_PUT,
                                .base = {.done = test_latch_done, .context = latch}};
        snprintf(names[i], sizeof names[i], "world-%d", i);
        good.revision = (revision_row){.world = loam_text_of(names[i]), .revision = test_key(1)};
        control_request bad = good;
        bad.bindings = &missing;
        bad.binding_count = 1;
        bad.revision.world = loam_text_of("bad");
        requests[2 * i] = good;
        requests[2 * i + 1] = bad;
        cr_assert_eq(store_control(opened, &requests[2 * i]), LOAM_OK);
        cr_assert_eq(store_control(opened, &requests[2 * i + 1]), LOAM_OK);
    }
    test_latch_wait(latch, 2 * PAIRS);
    test_latch_destroy(latch);
    control_request list;
    cr_assert_eq(ask(&list, CONTROL_WORLD_LIST, "", 0), LOAM_OK);
    cr_assert_eq(list.result.count, PAIRS);
    control_result_fini(&list.result);
    for (int i = 0; i < PAIRS; i++) {
        cr_assert_eq(requests[2 * i].base.error.status, LOAM_OK);
        cr_assert_eq(requests[2 * i + 1].base.error.status, LOAM_NOT_FOUND);
    }
}

Test(control_worlds, know_no_other_operation) {
    control_request request = {.operation = CONTROL_OPERATIONS};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_INTERNAL);
}
