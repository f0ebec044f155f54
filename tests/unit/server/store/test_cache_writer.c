/* SPDX-License-Identifier: MIT
 *
 * test_cache_writer.c: put if absent, groups in order, alarms, pins.
 */
#include "server/store/cache_writer.h"
#include "tests/unit/server/store/store_suite.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 200, BLOB_BYTES = 5000 };

TestSuite(cache_writer, .init = suite_open, .fini = suite_close);

static void check_hit(uint64_t number, size_t size) {
    digest key = test_key(number);
    blob *expected = test_blob(number, size);
    blob *found;
    cr_assert_eq(test_get(opened, &key, &found), STORE_HIT, "blob %llu",
                 (unsigned long long)number);
    cr_assert_eq(found->size, size);
    cr_assert_eq(memcmp(found->bytes, expected->bytes, size), 0);
    cr_assert(digest_equal(&found->digest, &expected->digest));
    blob_release(found);
    blob_release(expected);
}

/* Puts another blob under key(number). */
static store_put put_other(uint64_t number, uint64_t other) {
    test_latch *latch = test_latch_create();
    blob *value = test_blob(other, BLOB_BYTES);
    store_put request = {.base = {.done = test_latch_done, .context = latch},
                         .key = test_key(number),
                         .blob = value};
    cr_assert_eq(store_result_put(opened, &request), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    blob_release(value);
    return request;
}

Test(cache_writer, stores_blobs_of_every_size) {
    static const size_t sizes[] = {0, 1, 2031, 16349, 16384, 65536, 3000000};
    for (uint64_t i = 0; i < 7; i++) {
        store_put put = test_put(opened, i, sizes[i], i % 2 == 0);
        cr_assert_eq(put.base.error.status, LOAM_OK, "%s", put.base.error.text);
        cr_assert_not(put.existed);
        cr_assert_not(put.alarm);
        check_hit(i, sizes[i]);
    }
    suite_reopen(0);
    for (uint64_t i = 0; i < 7; i++) {
        check_hit(i, sizes[i]);
    }
    cr_assert_eq(store_statistics_read(opened).blobs, 7);
}

Test(cache_writer, refuses_a_blob_that_is_too_large_at_once) {
    blob huge = {.size = STORE_BLOB_BYTES_MAX + 1};
    store_put request = {.key = test_key(1), .blob = &huge};
    cr_assert_eq(store_result_put(opened, &request), LOAM_TOO_LARGE);
}

Test(cache_writer, says_when_the_result_was_there) {
    test_put(opened, 1, BLOB_BYTES, false);
    store_put again = test_put(opened, 1, BLOB_BYTES, false);
    cr_assert(again.existed);
    cr_assert_not(again.alarm);
    cr_assert_eq(store_statistics_read(opened).blobs, 1);
    cr_assert_eq(store_statistics_read(opened).alarms, 0);
}

Test(cache_writer, stores_equal_bytes_of_two_keys_once) {
    test_put(opened, 1, BLOB_BYTES, false);
    store_put second = put_other(2, 1);
    cr_assert_not(second.existed);
    cr_assert_eq(store_statistics_read(opened).blobs, 1);
    digest key = test_key(2);
    cr_assert_eq(test_get(opened, &key, NULL), STORE_HIT);
}

Test(cache_writer, keeps_the_first_of_two_digests_and_raises_the_alarm) {
    test_put(opened, 1, BLOB_BYTES, false);
    store_put other = put_other(1, 2);
    blob *first = test_blob(1, BLOB_BYTES);
    cr_assert_eq(other.base.error.status, LOAM_OK);
    cr_assert(other.alarm);
    cr_assert_not(other.existed);
    cr_assert(digest_equal(&other.kept, &first->digest));
    cr_assert_eq(store_statistics_read(opened).alarms, 1);
    check_hit(1, BLOB_BYTES);
    blob_release(first);
}

typedef struct order {
    store_put put;
    uint64_t number;
    uint64_t *next;
    bool in_order;
    test_latch *latch;
} order;

static void note_order(void *context) {
    order *at = context;
    at->in_order = *at->next == at->number;
    *at->next += 1;
    test_latch_done(at->latch);
}

Test(cache_writer, answers_groups_in_the_order_they_came) {
    static order orders[MANY];
    test_latch *latch = test_latch_create();
    uint64_t next = 0;
    uint64_t commits = store_statistics_read(opened).cache_commits;
    for (uint64_t i = 0; i < MANY; i++) {
        orders[i] = (order){.number = i, .next = &next, .latch = latch};
        orders[i].put = (store_put){.base = {.done = note_order, .context = &orders[i]},
                                    .key = test_key(i),
                                    .blob = test_blob(i, BLOB_BYTES)};
        cr_assert_eq(store_result_put(opened, &orders[i].put), LOAM_OK);
        blob_release(orders[i].put.blob);
    }
    test_latch_wait(latch, MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        cr_assert(orders[i].in_order, "put %llu", (unsigned long long)i);
        cr_assert_eq(orders[i].put.base.error.status, LOAM_OK);
        check_hit(i, BLOB_BYTES);
    }
    commits = store_statistics_read(opened).cache_commits - commits;
    cr_assert_geq(commits, MANY / CACHE_GROUP_PUTS);
    cr_assert_lt(commits, MANY, "puts are grouped");
    test_latch_destroy(latch);
}

Test(cache_writer, commits_a_lone_put_without_waiting_for_others) {
    uint64_t commits = store_statistics_read(opened).cache_commits;
    test_put(opened, 1, BLOB_BYTES, true);
    cr_assert_eq(store_statistics_read(opened).cache_commits, commits + 1);
}

Test(cache_writer, says_of_pinned_keys_which_are_there) {
    test_put(opened, 1, BLOB_BYTES, false);
    cr_assert(test_pin(opened, 1));
    cr_assert_not(test_pin(opened, 2));
    cr_assert_eq(store_statistics_read(opened).pinned, 2);
    digest keys[] = {test_key(1), test_key(2)};
    store_result_unpin(opened, keys, 2);
    cr_assert_eq(store_statistics_read(opened).pinned, 0);
}

Test(cache_writer, answers_what_is_queued_when_the_store_closes) {
    store_put *puts = calloc(MANY, sizeof *puts);
    test_latch *latch = test_latch_create();
    for (uint64_t i = 0; i < MANY; i++) {
        puts[i] = (store_put){.base = {.done = test_latch_done, .context = latch},
                              .key = test_key(i),
                              .blob = test_blob(i, BLOB_BYTES)};
        cr_assert_eq(store_result_put(opened, &puts[i]), LOAM_OK);
        blob_release(puts[i].blob);
    }
    suite_reopen(0);
    test_latch_wait(latch, MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        check_hit(i, BLOB_BYTES);
    }
    test_latch_destroy(latch);
    free(puts);
}
