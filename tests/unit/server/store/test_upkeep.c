/* SPDX-License-Identifier: MIT
 *
 * test_upkeep.c: collections: down to what was asked for, the oldest first, nothing pinned; and
 * requests that nobody wants any more.
 */
#include "tests/unit/server/store/upkeep_calls.h"

#include "server/store/store_limits.h"

enum { BLOB_BYTES = 40000, PUTS = 400 };

TestSuite(upkeep, .init = suite_open, .fini = suite_close, .timeout = 60);

static void put_many(void) {
    for (uint64_t i = 0; i < PUTS; i++) {
        cr_assert_eq(test_put(opened, i, BLOB_BYTES, false).base.error.status, LOAM_OK);
    }
}

Test(upkeep, collects_down_to_so_many_bytes_the_oldest_first) {
    put_many();
    uint64_t before = store_statistics_read(opened).cache_bytes;
    store_upkeep request = {.kind = STORE_COLLECT, .bytes_max = before / 4};
    upkeep_wait(&request);
    cr_assert_eq(request.base.error.status, LOAM_OK, "%s", request.base.error.text);
    cr_expect_eq(request.report.bytes_before, before);
    cr_expect_leq(request.report.bytes, before / 4);
    cr_expect_gt(request.report.bytes, before / 8, "and not much further");
    cr_expect_eq(request.report.bytes, store_statistics_read(opened).cache_bytes);
    cr_expect_eq(request.report.evicted, store_statistics_read(opened).evicted);
    cr_expect_gt(request.report.evicted, COLLECT_BATCHES * 16, "more than one transaction");
    cr_expect_not(test_contains(opened, 0));
    cr_expect(test_contains(opened, PUTS - 1));
}

Test(upkeep, collects_nothing_when_few_bytes_are_in_use) {
    test_put(opened, 1, BLOB_BYTES, false);
    store_upkeep request = {.kind = STORE_COLLECT, .bytes_max = UINT64_MAX};
    upkeep_wait(&request);
    cr_assert_eq(request.base.error.status, LOAM_OK);
    cr_expect_eq(request.report.evicted, 0);
    cr_expect(test_contains(opened, 1));
}

Test(upkeep, never_collects_what_is_pinned) {
    put_many();
    cr_assert(test_pin(opened, 0));
    cr_assert(test_pin(opened, PUTS / 2));
    store_upkeep request = {.kind = STORE_COLLECT, .bytes_max = 0};
    upkeep_wait(&request);
    cr_assert_eq(request.base.error.status, LOAM_OK);
    cr_expect_eq(request.report.evicted, PUTS - 2);
    cr_expect(test_contains(opened, 0));
    cr_expect(test_contains(opened, PUTS / 2));
    cr_expect_not(test_contains(opened, 1));
}

Test(upkeep, ends_what_was_cancelled) {
    test_put(opened, 1, BLOB_BYTES, false);
    store_upkeep request = {.kind = STORE_COLLECT};
    store_upkeep_cancel(&request);
    upkeep_wait(&request);
    cr_expect_eq(request.base.error.status, LOAM_CANCELLED);
    cr_expect(test_contains(opened, 1));
}

Test(upkeep, answers_what_waits_when_the_store_closes) {
    put_many();
    test_latch *latch = test_latch_create();
    store_upkeep slow = {.kind = STORE_SCRUB,
                         .bytes_per_s = 1000,
                         .base = {.done = test_latch_done, .context = latch}};
    store_upkeep next = {.kind = STORE_COLLECT,
                         .base = {.done = test_latch_done, .context = latch}};
    cr_assert_eq(store_upkeep_begin(opened, &slow), LOAM_OK);
    cr_assert_eq(store_upkeep_begin(opened, &next), LOAM_OK);
    suite_reopen(0);
    test_latch_wait(latch, 2);
    test_latch_destroy(latch);
    cr_expect_eq(slow.base.error.status, LOAM_CANCELLED);
    cr_expect_eq(next.base.error.status, LOAM_CANCELLED);
}
