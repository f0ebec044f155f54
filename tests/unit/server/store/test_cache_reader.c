/* SPDX-License-Identifier: MIT
 *
 * test_cache_reader.c: look-ups, and damage: a miss and an alarm, never an answer.
 */
#include "server/store/cache_reader.h"
#include "tests/unit/server/store/store_suite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOB_BYTES = 50000, MANY = 300 };

TestSuite(cache_reader, .init = suite_open, .fini = suite_close);

static store_outcome look_up(uint64_t number) {
    digest key = test_key(number);
    return test_get(opened, &key, NULL);
}

/* Waits until the writer has done what was queued before: removals have no answer. */
static void settle(void) {
    test_pin(opened, 999999);
}

Test(cache_reader, misses_what_is_not_there) {
    cr_assert_eq(look_up(1), STORE_MISS);
    cr_assert_not(test_contains(opened, 1));
    cr_assert_eq(store_statistics_read(opened).misses, 1);
}

Test(cache_reader, finds_what_was_put_before) {
    test_put(opened, 1, BLOB_BYTES, false);
    cr_assert_eq(look_up(1), STORE_HIT);
    cr_assert(test_contains(opened, 1));
    cr_assert_eq(store_statistics_read(opened).hits, 1);
}

Test(cache_reader, says_of_many_keys_which_are_there_and_what_they_name) {
    digest keys[4] = {test_key(1), test_key(2), test_key(3), test_key(4)};
    digest named[4];
    bool present[4] = {true, true, true, true};
    test_put(opened, 1, BLOB_BYTES, false);
    test_put(opened, 3, BLOB_BYTES, false);
    test_latch *latch = test_latch_create();
    store_keys request = {.base = {.done = test_latch_done, .context = latch},
                          .keys = keys,
                          .count = 4,
                          .present = present,
                          .digests = named};
    cr_assert_eq(store_result_contains(opened, &request), LOAM_OK);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    cr_assert(present[0] && !present[1] && present[2] && !present[3]);
    blob *third = test_blob(3, BLOB_BYTES);
    cr_assert(digest_equal(&named[2], &third->digest));
    blob_release(third);
}

Test(cache_reader, takes_damaged_bytes_for_a_miss_and_counts_them) {
    test_put(opened, 1, BLOB_BYTES, false);
    suite_sql("cache.db", "UPDATE blobs SET bytes = CAST(x'00' || substr(bytes, 2) AS BLOB)");
    cr_assert_eq(look_up(1), STORE_DAMAGED);
    settle();
    cr_assert_eq(store_statistics_read(opened).damaged, 1);
    cr_assert_eq(store_statistics_read(opened).blobs, 0, "they are removed");
    cr_assert_eq(look_up(1), STORE_MISS);
    cr_assert_not(test_contains(opened, 1));
}

Test(cache_reader, lets_equal_bytes_fill_a_damaged_result_again) {
    test_put(opened, 1, BLOB_BYTES, false);
    suite_sql("cache.db", "UPDATE blobs SET bytes = zeroblob(50000)");
    cr_assert_eq(look_up(1), STORE_DAMAGED);
    store_put again = test_put(opened, 1, BLOB_BYTES, false);
    cr_assert_not(again.existed);
    cr_assert_not(again.alarm);
    cr_assert_eq(look_up(1), STORE_HIT);
}

Test(cache_reader, remembers_the_digest_of_a_damaged_result_for_the_alarm) {
    test_put(opened, 1, BLOB_BYTES, false);
    suite_sql("cache.db", "UPDATE blobs SET bytes = zeroblob(50000)");
    cr_assert_eq(look_up(1), STORE_DAMAGED);
    store_put other = test_put(opened, 1, BLOB_BYTES + 1, false);
    cr_assert(other.alarm);
    cr_assert_eq(look_up(1), STORE_HIT, "nobody can be served the first any more");
}

Test(cache_reader, takes_a_result_that_names_other_bytes_for_damaged) {
    test_put(opened, 1, BLOB_BYTES, false);
    suite_sql("cache.db", "UPDATE results SET digest = zeroblob(32)");
    cr_assert_eq(look_up(1), STORE_DAMAGED);
    settle();
    cr_assert_eq(look_up(1), STORE_MISS);
    cr_assert_eq(store_statistics_read(opened).blobs, 0);
    store_put again = test_put(opened, 1, BLOB_BYTES, false);
    cr_assert_not(again.alarm);
    cr_assert_eq(look_up(1), STORE_HIT);
}

Test(cache_reader, takes_a_result_without_its_blob_for_no_hit) {
    test_put(opened, 1, BLOB_BYTES, false);
    suite_sql("cache.db", "DELETE FROM blobs");
    cr_assert_not(test_contains(opened, 1));
    cr_assert_neq(look_up(1), STORE_HIT);
    test_put(opened, 1, BLOB_BYTES, false);
    cr_assert_eq(look_up(1), STORE_HIT);
}

Test(cache_reader, verifies_again_after_a_restart) {
    test_put(opened, 1, BLOB_BYTES, false);
    cr_assert_eq(look_up(1), STORE_HIT);
    store_close(opened);
    suite_sql("cache.db", "UPDATE blobs SET bytes = zeroblob(50000)");
    opened = test_store_open(suite_dir, 0);
    cr_assert_eq(look_up(1), STORE_DAMAGED);
}

/* Zeros over the middle of the file: pages of trees and of blobs alike. */
static void damage_pages(void) {
    char path[FOLDER_PATH_BYTES];
    static char zeros[16384];
    snprintf(path, sizeof path, "%s/cache.db", suite_dir);
    int fd = open(path, O_WRONLY);
    off_t end = lseek(fd, 0, SEEK_END);
    for (off_t at = 16384 * 3; at < end; at += 16384 * 2) {
        cr_assert_eq(pwrite(fd, zeros, sizeof zeros, at), 16384);
    }
    close(fd);
}

Test(cache_reader, never_answers_out_of_damaged_pages_and_begins_anew_at_the_next_start) {
    for (uint64_t i = 0; i < MANY; i++) {
        test_put(opened, i, BLOB_BYTES / 10, false);
    }
    store_close(opened);
    damage_pages();
    opened = test_store_open(suite_dir, 0);
    unsigned damaged = 0;
    for (uint64_t i = 0; i < MANY; i++) {
        digest key = test_key(i);
        blob *found;
        store_outcome outcome = test_get(opened, &key, &found);
        damaged += outcome == STORE_DAMAGED;
        if (outcome == STORE_HIT) {
            blob *expected = test_blob(i, BLOB_BYTES / 10);
            cr_assert(digest_equal(&found->digest, &expected->digest));
            blob_release(expected);
        }
        blob_release(found);
    }
    cr_assert_gt(damaged, 0);
    settle();
    suite_reopen(0);
    cr_assert_eq(test_put(opened, 0, BLOB_BYTES, false).base.error.status, LOAM_OK);
    cr_assert_eq(look_up(0), STORE_HIT);
}
