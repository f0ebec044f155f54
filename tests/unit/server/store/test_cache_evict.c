/* SPDX-License-Identifier: MIT
 *
 * test_cache_evict.c: the cap holds, the oldest go first, pinned results never.
 */
#include "server/store/cache_writer.h"
#include "tests/unit/server/store/store_suite.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { BLOB_BYTES = 40000, PUTS = 120, TINY_BYTES = 200, TINY_PUTS = 4000 };
enum { MANY_PINNED = 5 * EVICT_SPARED_MAX / 2, MANY_CAP = 4 << 20 };
enum {
    ALL_PINNED = EVICT_WALKS_MAX * EVICT_SPARED_MAX + 3232,
    ALL_CAP = 24 << 20,
    LARGE_BYTES = 1 << 20
};

/* 2 MB and a page: a put is given a page more than the one that an equal one left behind, so
 * something must be free beside it. */
static const uint64_t CAP = ((uint64_t)2 << 20) + CACHE_PAGE_BYTES;

static void open_small(void) {
    test_dir_make(suite_dir);
    opened = test_store_open(suite_dir, CAP);
}

TestSuite(cache_evict, .init = open_small, .fini = suite_close);

static unsigned count_present(uint64_t from, uint64_t to) {
    unsigned present = 0;
    for (uint64_t i = from; i < to; i++) {
        present += test_contains(opened, i);
    }
    return present;
}

static off_t size_of_cache(void) {
    char path[FOLDER_PATH_BYTES];
    struct stat found;
    snprintf(path, sizeof path, "%s/cache.db", suite_dir);
    cr_assert_eq(stat(path, &found), 0);
    return found.st_size;
}

Test(cache_evict, keeps_the_file_below_its_cap) {
    for (uint64_t i = 0; i < PUTS; i++) {
        store_put put = test_put(opened, i, BLOB_BYTES, false);
        cr_assert_eq(put.base.error.status, LOAM_OK);
        cr_assert_leq(store_statistics_read(opened).cache_bytes, CAP);
    }
    cr_assert_gt(store_statistics_read(opened).evicted, 0);
    cr_assert_gt(store_statistics_read(opened).cache_bytes, CAP / 2, "it is used, too");
    store_close(opened);
    cr_assert_leq((uint64_t)size_of_cache(), CAP);
    opened = test_store_open(suite_dir, CAP);
}

Test(cache_evict, takes_the_oldest_first) {
    for (uint64_t i = 0; i < PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
    }
    uint64_t kept = store_statistics_read(opened).blobs;
    cr_assert_gt(kept, 20);
    cr_assert_eq(count_present(PUTS - kept, PUTS), kept);
    cr_assert_eq(count_present(0, PUTS - kept), 0);
}

Test(cache_evict, counts_a_read_as_a_use) {
    digest hot = test_key(0);
    for (uint64_t i = 0; i < PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
        cr_assert_eq(test_get(opened, &hot, NULL), STORE_HIT, "after %llu", (unsigned long long)i);
    }
}

Test(cache_evict, counts_a_touch_as_a_use) {
    digest hot = test_key(0);
    for (uint64_t i = 0; i < PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
        store_result_touch(opened, &hot);
    }
    cr_assert(test_contains(opened, 0));
    cr_assert_not(test_contains(opened, 1));
}

Test(cache_evict, leaves_pinned_results_alone_until_they_are_unpinned) {
    digest keys[10];
    for (uint64_t i = 0; i < 10; i++) {
        keys[i] = test_key(i);
        test_put(opened, i, BLOB_BYTES, false);
        cr_assert(test_pin(opened, i));
    }
    for (uint64_t i = 10; i < PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
    }
    cr_assert_eq(count_present(0, 10), 10);
    store_result_unpin(opened, keys, 10);
    for (uint64_t i = PUTS; i < 2 * PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
    }
    cr_assert_eq(count_present(0, 10), 0);
}

static void evict_all_but_pinned(uint64_t first) {
    for (uint64_t i = first; i < first + PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
    }
}

Test(cache_evict, leaves_what_is_in_a_set_alone_until_the_set_ends) {
    digest keys[10];
    store_pin_set *set = store_pin_set_create(opened);
    cr_assert_not_null(set);
    for (uint64_t i = 0; i < 10; i++) {
        keys[i] = test_key(i);
        test_put(opened, i, BLOB_BYTES, false);
    }
    cr_assert(test_pin_in(opened, set, keys, 10));
    cr_assert_eq(store_statistics_read(opened).pinned, 10);
    evict_all_but_pinned(10);
    cr_assert_eq(count_present(0, 10), 10);
    store_pin_set_destroy(opened, set);
    cr_assert_eq(store_statistics_read(opened).pinned, 0);
    evict_all_but_pinned(10 + PUTS);
    cr_assert_eq(count_present(0, 10), 0);
}

Test(cache_evict, refuses_a_put_when_all_room_is_pinned_and_recovers) {
    uint64_t stored = 0;
    while (test_put(opened, stored, BLOB_BYTES, false).base.error.status == LOAM_OK) {
        cr_assert(test_pin(opened, stored));
        stored++;
        cr_assert_lt(stored, PUTS);
    }
    cr_assert_gt(stored, 20);
    store_put refused = test_put(opened, PUTS, BLOB_BYTES, false);
    cr_assert_eq(refused.base.error.status, LOAM_CACHE_TOO_SMALL);
    cr_assert_eq(count_present(0, stored), stored);
    cr_assert_leq(store_statistics_read(opened).cache_bytes, CAP);
    digest first = test_key(0);
    store_result_unpin(opened, &first, 1);
    cr_assert_eq(test_put(opened, PUTS, BLOB_BYTES, false).base.error.status, LOAM_OK);
    cr_assert_eq(count_present(1, stored), stored - 1);
    cr_assert_not(test_contains(opened, 0));
}

Test(cache_evict, refuses_a_blob_larger_than_the_cap_and_loses_little) {
    store_put refused = test_put(opened, 1, (size_t)CAP, false);
    cr_assert_eq(refused.base.error.status, LOAM_CACHE_TOO_SMALL);
    cr_assert_eq(test_put(opened, 2, BLOB_BYTES, false).base.error.status, LOAM_OK);
}

/* Many at once: a put a group would take TINY_PUTS times the linger. */
static void put_tiny(uint64_t from, store_put *puts, unsigned count) {
    test_latch *latch = test_latch_create();
    for (unsigned i = 0; i < count; i++) {
        puts[i] = (store_put){.base = {.done = test_latch_done, .context = latch},
                              .key = test_key(from + i),
                              .blob = test_blob(from + i, TINY_BYTES)};
        cr_assert_eq(store_result_put(opened, &puts[i]), LOAM_OK);
        blob_release(puts[i].blob);
    }
    test_latch_wait(latch, count);
    test_latch_destroy(latch);
    for (unsigned i = 0; i < count; i++) {
        cr_assert_eq(puts[i].base.error.status, LOAM_OK);
    }
}

Test(cache_evict, keeps_the_cap_with_results_far_smaller_than_a_page) {
    static store_put puts[TINY_PUTS / 10];
    suite_reopen(STORE_CACHE_BYTES_MIN);
    for (uint64_t from = 0; from < TINY_PUTS; from += TINY_PUTS / 10) {
        put_tiny(from, puts, TINY_PUTS / 10);
        cr_assert_leq(store_statistics_read(opened).cache_bytes, STORE_CACHE_BYTES_MIN);
    }
    cr_assert_gt(store_statistics_read(opened).evicted, 0);
    cr_assert(test_contains(opened, TINY_PUTS - 1));
}

static store_pin_set *pin_tiny(unsigned count) {
    digest *keys = calloc(count, sizeof *keys);
    bool *present = calloc(count, sizeof *present);
    test_latch *latch = test_latch_create();
    store_pin_set *set = store_pin_set_create(opened);
    cr_assert(keys != NULL && present != NULL && set != NULL);
    for (unsigned i = 0; i < count; i++) {
        keys[i] = test_key(i);
    }
    store_keys request = {.base = {.done = test_latch_done, .context = latch},
                          .keys = keys,
                          .count = count,
                          .present = present,
                          .set = set};
    cr_assert_eq(store_result_pin(opened, &request), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    free(keys);
    free(present);
    return set;
}

/* The oldest are pinned, and more of them than a transaction passes over: room is behind them. */
Test(cache_evict, finds_room_behind_many_pinned_results) {
    static store_put puts[MANY_PINNED];
    suite_reopen(MANY_CAP);
    put_tiny(0, puts, MANY_PINNED);
    store_pin_set *set = pin_tiny(MANY_PINNED);
    for (uint64_t from = MANY_PINNED; store_statistics_read(opened).evicted < MANY_PINNED;
         from += CACHE_GROUP_PUTS) {
        put_tiny(from, puts, CACHE_GROUP_PUTS);
        cr_assert_leq(store_statistics_read(opened).cache_bytes, MANY_CAP);
        cr_assert_lt(from, 10 * MANY_PINNED);
    }
    cr_assert_eq(count_present(0, 100), 100);
    cr_assert_eq(count_present(MANY_PINNED - 100, MANY_PINNED), 100);
    store_pin_set_destroy(opened, set);
}

static loam_status put_large(uint64_t number) {
    return test_put(opened, number, LARGE_BYTES, false).base.error.status;
}

/* Until it is told something else than to come again. */
static loam_status put_again(uint64_t number, unsigned *tries) {
    loam_status status = LOAM_OVERLOADED;
    for (*tries = 0; status == LOAM_OVERLOADED && *tries < 10; *tries += 1) {
        status = put_large(number);
    }
    return status;
}

/* More are pinned than a group passes over. */
Test(cache_evict, says_too_small_only_when_all_was_met, .timeout = 60) {
    static store_put puts[TINY_PUTS];
    unsigned tries = 0;
    suite_reopen(ALL_CAP);
    for (uint64_t from = 0; from < ALL_PINNED; from += TINY_PUTS) {
        put_tiny(from, puts, TINY_PUTS);
    }
    store_pin_set *set = pin_tiny(ALL_PINNED);
    uint64_t number = ALL_PINNED;
    while (put_large(number) == LOAM_OK && store_statistics_read(opened).evicted == 0) {
        number++;
        cr_assert_lt(number, 2 * ALL_PINNED);
    }
    cr_expect_eq(put_again(number, &tries), LOAM_OK, "there are some that may go");
    for (uint64_t end = number + 100; put_again(number, &tries) == LOAM_OK; number++) {
        const digest key = test_key(number);
        cr_assert(test_pin_in(opened, set, &key, 1));
        cr_assert_lt(number, end);
    }
    cr_expect_gt(tries, 1);
    cr_expect_eq(put_large(number), LOAM_CACHE_TOO_SMALL);
    uint64_t commits = store_statistics_read(opened).cache_commits;
    cr_expect_eq(put_large(number), LOAM_CACHE_TOO_SMALL);
    cr_expect_eq(store_statistics_read(opened).cache_commits, commits + 1, "it is known by now");
    store_pin_set_destroy(opened, set);
    cr_expect_eq(put_large(number), LOAM_OK);
}

Test(cache_evict, shrinks_to_a_cap_that_became_smaller) {
    for (uint64_t i = 0; i < 30; i++) {
        test_put(opened, i, BLOB_BYTES, false);
    }
    suite_reopen(STORE_CACHE_BYTES_MIN);
    cr_assert_eq(test_put(opened, 1000, BLOB_BYTES, false).base.error.status, LOAM_OK);
    cr_assert_leq(store_statistics_read(opened).cache_bytes, STORE_CACHE_BYTES_MIN);
    cr_assert(test_contains(opened, 1000));
}

Test(cache_evict, keeps_the_order_over_a_restart) {
    test_put(opened, 0, BLOB_BYTES, false);
    suite_reopen(CAP);
    for (uint64_t i = 1; i < PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
    }
    cr_assert_not(test_contains(opened, 0));
    cr_assert(test_contains(opened, PUTS - 1));
}

Test(cache_evict, keeps_shared_bytes_while_one_of_their_results_is_young) {
    blob *shared = test_blob(0, BLOB_BYTES);
    digest young = test_key(5000);
    test_put(opened, 0, BLOB_BYTES, false);
    for (uint64_t i = 1; i < PUTS; i++) {
        test_latch *latch = test_latch_create();
        store_put put = {
            .base = {.done = test_latch_done, .context = latch}, .key = young, .blob = shared};
        cr_assert_eq(store_result_put(opened, &put), LOAM_OK);
        test_latch_wait(latch, 1);
        test_latch_destroy(latch);
        test_put(opened, i, BLOB_BYTES, false);
        store_result_touch(opened, &young);
    }
    cr_assert_not(test_contains(opened, 0));
    cr_assert_eq(test_get(opened, &young, NULL), STORE_HIT);
    blob_release(shared);
}
