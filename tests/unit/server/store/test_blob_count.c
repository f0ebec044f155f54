/* SPDX-License-Identifier: MIT
 *
 * test_blob_count.c: a cache that is too large to be counted at once is counted all the same, and
 * rightly, whatever is written meanwhile.
 */
#include "server/store/blob_count.h"
#include "tests/support/pause.h"
#include "tests/unit/server/store/store_suite.h"

enum { BLOB_BYTES = 1 << 20, PUTS = 70, POLL_MS = 10, END_MS = 20000 };

TestSuite(blob_count, .init = suite_open, .fini = suite_close, .timeout = 120);

static void fill(void) {
    for (uint64_t i = 0; i < PUTS; i++) {
        cr_assert_eq(test_put(opened, i, BLOB_BYTES, false).base.error.status, LOAM_OK);
    }
    cr_assert_gt(store_statistics_read(opened).cache_bytes, COUNT_BYTES_AT_ONCE);
}

static void expect_blobs(uint64_t blobs) {
    for (int waited = 0; store_statistics_read(opened).blobs != blobs; waited += POLL_MS) {
        cr_assert_lt(waited, END_MS, "%llu of %llu",
                     (unsigned long long)store_statistics_read(opened).blobs,
                     (unsigned long long)blobs);
        pause_ms(POLL_MS);
    }
}

Test(blob_count, what_is_put_meanwhile_is_counted_once) {
    fill();
    suite_reopen(0);
    test_put(opened, PUTS, 100, false);
    test_put(opened, PUTS + 1, 100, false);
    expect_blobs(PUTS + 2);
    pause_ms(100);
    expect_blobs(PUTS + 2);
}

Test(blob_count, what_goes_meanwhile_is_too) {
    fill();
    suite_reopen(0);
    store_upkeep request = {.kind = STORE_COLLECT, .bytes_max = 0};
    test_latch *latch = test_latch_create();
    request.base = (store_request){.done = test_latch_done, .context = latch};
    cr_assert_eq(store_upkeep_begin(opened, &request), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    expect_blobs(0);
}

Test(blob_count, a_store_that_closes_does_not_wait_for_it) {
    fill();
    for (int i = 0; i < 5; i++) {
        suite_reopen(0);
    }
    expect_blobs(PUTS);
}

Test(blob_count, before_it_ends_there_are_never_less_than_none) {
    cache_counters counters = {0};
    cr_expect_eq(cache_blobs(&counters), 0);
    atomic_fetch_add(&counters.blobs, (uint64_t)-3);
    cr_expect_eq(cache_blobs(&counters), 0);
    atomic_fetch_add(&counters.blobs, 5);
    cr_expect_eq(cache_blobs(&counters), 2);
}
