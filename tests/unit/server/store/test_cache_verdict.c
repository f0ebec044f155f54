/* SPDX-License-Identifier: MIT
 *
 * test_cache_verdict.c: verdicts come back as they went in, and go with their artifacts.
 */
#include "tests/unit/server/store/store_suite.h"

#include <string.h>

enum { BLOB_BYTES = 5000, LARGE_BYTES = 300000, MANY = 12 };

TestSuite(cache_verdict, .init = suite_open, .fini = suite_close);

static digest artifact_of(uint64_t number, size_t size) {
    blob *value = test_blob(number, size);
    digest of = value->digest;
    blob_release(value);
    return of;
}

static loam_status put(digest artifact, uint64_t checks, const char *text) {
    test_latch *latch = test_latch_create();
    blob *held = blob_create(text, strlen(text));
    store_verdict request = {.base = {.done = test_latch_done, .context = latch},
                             .artifact = artifact,
                             .checks = test_key(checks),
                             .text = held};
    cr_assert_eq(store_verdict_put(opened, &request), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    blob_release(held);
    return request.base.error.status;
}

/* Fails the test unless the verdict's text is this; NULL: there is none. */
static void expect(digest artifact, uint64_t checks, const char *text) {
    test_latch *latch = test_latch_create();
    store_verdict request = {.base = {.done = test_latch_done, .context = latch},
                             .artifact = artifact,
                             .checks = test_key(checks)};
    cr_assert_eq(store_verdict_get(opened, &request), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    cr_assert_eq(request.base.error.status, LOAM_OK);
    if (text == NULL) {
        cr_expect_null(request.text);
    } else {
        cr_assert_not_null(request.text);
        cr_expect_eq(request.text->size, strlen(text));
        cr_expect_eq(memcmp(request.text->bytes, text, strlen(text)), 0);
    }
    blob_release(request.text);
}

Test(cache_verdict, a_verdict_is_found_by_artifact_and_checks) {
    digest artifact = artifact_of(1, BLOB_BYTES), other = artifact_of(2, BLOB_BYTES);
    test_put(opened, 1, BLOB_BYTES, false);
    expect(artifact, 7, NULL);
    cr_assert_eq(put(artifact, 7, "count: too few\n[]"), LOAM_OK);
    cr_assert_eq(put(artifact, 8, ""), LOAM_OK);
    expect(artifact, 7, "count: too few\n[]");
    expect(artifact, 8, "");
    expect(artifact, 9, NULL);
    expect(other, 7, NULL);
}

Test(cache_verdict, a_verdict_survives_a_restart) {
    digest artifact = artifact_of(1, BLOB_BYTES);
    test_put(opened, 1, BLOB_BYTES, false);
    cr_assert_eq(put(artifact, 7, "no"), LOAM_OK);
    suite_reopen(0);
    expect(artifact, 7, "no");
}

Test(cache_verdict, the_last_word_on_an_artifact_stays) {
    digest artifact = artifact_of(1, BLOB_BYTES);
    test_put(opened, 1, BLOB_BYTES, false);
    cr_assert_eq(put(artifact, 7, "no"), LOAM_OK);
    cr_assert_eq(put(artifact, 7, "no"), LOAM_OK);
    expect(artifact, 7, "no");
}

Test(cache_verdict, without_its_artifact_a_verdict_is_not_kept) {
    digest artifact = artifact_of(1, BLOB_BYTES);
    cr_assert_eq(put(artifact, 7, "no"), LOAM_OK);
    expect(artifact, 7, NULL);
}

Test(cache_verdict, a_verdict_goes_with_its_artifact) {
    suite_reopen((uint64_t)2 << 20);
    digest first = artifact_of(0, LARGE_BYTES), last = artifact_of(MANY - 1, LARGE_BYTES);
    for (uint64_t i = 0; i < MANY; i++) {
        test_put(opened, i, LARGE_BYTES, false);
        cr_assert_eq(put(artifact_of(i, LARGE_BYTES), 7, "no"), LOAM_OK);
    }
    cr_assert_not(test_contains(opened, 0));
    expect(first, 7, NULL);
    expect(last, 7, "no");
}
