/* SPDX-License-Identifier: MIT
 *
 * test_scrub.c: every digest is held against its bytes, and one changed byte is found.
 */
#include "tests/support/pause.h"
#include "tests/unit/server/store/upkeep_calls.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOB_BYTES = 40000, PUTS = 20, FAST = 1 << 30 };

TestSuite(scrub, .init = suite_open, .fini = suite_close, .timeout = 60);

static store_report scrub_at(uint64_t bytes_per_s) {
    store_upkeep request = {.kind = STORE_SCRUB, .bytes_per_s = bytes_per_s};
    upkeep_wait(&request);
    cr_assert_eq(request.base.error.status, LOAM_OK, "%s", request.base.error.text);
    return request.report;
}

static void put_some(void) {
    for (uint64_t i = 0; i < PUTS; i++) {
        test_put(opened, i, BLOB_BYTES, false);
    }
}

Test(scrub, counts_what_is_well_and_changes_nothing) {
    put_some();
    upkeep_put_asset("hills", 1);
    store_report of = scrub_at(FAST);
    cr_expect_eq(of.blobs, PUTS);
    cr_expect_eq(of.assets, 1);
    cr_expect_eq(of.bytes, PUTS * BLOB_BYTES + 5000);
    cr_expect_eq(of.blobs_damaged + of.results_wrong + of.assets_damaged + of.assets_missing, 0);
    cr_expect_not(of.file_damaged);
    cr_expect_eq(store_statistics_read(opened).damaged, 0);
    cr_expect_eq(store_statistics_read(opened).blobs, PUTS);
}

Test(scrub, takes_an_empty_store_for_well) {
    store_report of = scrub_at(FAST);
    cr_expect_eq(of.blobs + of.assets + of.bytes + of.blobs_damaged, 0);
}

Test(scrub, finds_a_byte_flipped_in_a_blob_that_was_served_before) {
    digest key = test_key(7);
    put_some();
    cr_assert_eq(test_get(opened, &key, NULL), STORE_HIT);
    suite_sql("cache.db", "UPDATE blobs SET bytes = CAST(substr(bytes, 1, 100) || x'55' || "
                          "substr(bytes, 102) AS BLOB) WHERE id = 8");
    store_report of = scrub_at(FAST);
    cr_expect_eq(of.blobs, PUTS);
    cr_expect_eq(of.blobs_damaged, 1);
    cr_expect_eq(of.results_wrong, 0);
    cr_expect_eq(store_statistics_read(opened).damaged, 1);
    cr_expect_eq(store_statistics_read(opened).blobs, PUTS - 1, "it is gone when the scrub ends");
    cr_expect_eq(test_get(opened, &key, NULL), STORE_MISS);
    cr_expect_not(test_put(opened, 7, BLOB_BYTES, false).alarm, "the same bytes come back");
    cr_expect_eq(scrub_at(FAST).blobs_damaged, 0);
}

Test(scrub, finds_a_result_that_names_other_bytes) {
    digest key = test_key(3);
    put_some();
    suite_sql("cache.db", "UPDATE results SET digest = zeroblob(32) WHERE id = 4");
    store_report of = scrub_at(FAST);
    cr_expect_eq(of.blobs_damaged, 0);
    cr_expect_eq(of.results_wrong, 1);
    cr_expect_eq(test_get(opened, &key, NULL), STORE_MISS);
}

static void change_byte(const char *path) {
    int fd = open(path, O_WRONLY);
    cr_assert_geq(fd, 0);
    cr_assert_eq(pwrite(fd, "", 1, 2000), 1);
    close(fd);
}

Test(scrub, sets_a_damaged_asset_aside_so_that_it_can_be_put_again) {
    char path[FOLDER_PATH_BYTES];
    char aside[FOLDER_PATH_BYTES];
    digest hills = upkeep_put_asset("hills", 1);
    digest coast = upkeep_put_asset("coast", 2);
    upkeep_path(suite_dir, &hills, "", path);
    upkeep_path(suite_dir, &hills, ".damaged", aside);
    change_byte(path);
    store_report of = scrub_at(FAST);
    cr_expect_eq(of.assets, 2);
    cr_expect_eq(of.assets_damaged, 1);
    cr_expect_neq(access(path, F_OK), 0);
    cr_expect_eq(access(aside, F_OK), 0);
    store_report again = scrub_at(FAST);
    cr_expect_eq(again.assets_missing, 1);
    cr_expect_eq(again.assets_damaged, 0);
    upkeep_put_asset("hills", 1);
    upkeep_path(suite_dir, &coast, "", path);
    cr_expect_eq(scrub_at(FAST).assets_missing, 0);
    cr_expect_eq(access(path, F_OK), 0);
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

Test(scrub, reads_no_faster_than_it_may) {
    put_some();
    double began = now_s();
    scrub_at(4 * PUTS * BLOB_BYTES);
    cr_expect_geq(now_s() - began, 0.2, "a quarter of a second, but for the last pause");
}

Test(scrub, tells_of_pages_that_cannot_be_read_and_still_looks_at_assets) {
    static const char zeros[16384];
    char path[FOLDER_PATH_BYTES];
    digest hills = upkeep_put_asset("hills", 1);
    put_some();
    suite_reopen(0);
    snprintf(path, sizeof path, "%s/cache.db", suite_dir);
    int fd = open(path, O_WRONLY);
    for (off_t at = 16384; at < lseek(fd, 0, SEEK_END); at += 16384) {
        cr_assert_eq(pwrite(fd, zeros, sizeof zeros, at), (ssize_t)sizeof zeros);
    }
    close(fd);
    upkeep_path(suite_dir, &hills, "", path);
    change_byte(path);
    store_report of = scrub_at(FAST);
    cr_expect(of.file_damaged);
    cr_expect_eq(of.assets_damaged, 1);
}

Test(scrub, says_how_far_it_is_while_it_runs) {
    store_upkeep request = {.kind = STORE_SCRUB, .bytes_per_s = PUTS * BLOB_BYTES};
    test_latch *latch = test_latch_create();
    unsigned last = 0, steps = 0;
    put_some();
    cr_expect_eq(store_statistics_read(opened).upkeep_kind, -1);
    request.base = (store_request){.done = test_latch_done, .context = latch};
    cr_assert_eq(store_upkeep_begin(opened, &request), LOAM_OK);
    for (int i = 0; i < 60; i++) {
        store_statistics of = store_statistics_read(opened);
        if (of.upkeep_kind == STORE_SCRUB) {
            cr_expect_geq(of.upkeep_permille, last);
            steps += of.upkeep_permille > last;
            last = of.upkeep_permille;
        }
        pause_ms(10);
    }
    cr_expect_gt(steps, 3, "it stood at %u", last);
    cr_expect_lt(last, 1000);
    test_latch_wait(latch, 1);
    test_latch_destroy(latch);
    cr_expect_eq(store_statistics_read(opened).upkeep_permille, 1000);
}

Test(scrub, tells_of_damaged_pages_of_control_db) {
    static const char junk[2048] = {1};
    char path[FOLDER_PATH_BYTES];
    upkeep_put_asset("hills", 1);
    suite_reopen(0);
    snprintf(path, sizeof path, "%s/control.db", suite_dir);
    int fd = open(path, O_WRONLY);
    off_t last = lseek(fd, 0, SEEK_END) - 4096; /* of an index that is empty */
    cr_assert_eq(pwrite(fd, junk, sizeof junk, last), (ssize_t)sizeof junk);
    close(fd);
    store_report of = scrub_at(FAST);
    cr_expect(of.control_damaged);
    cr_expect_eq(of.assets, 1, "the rest is looked at");
    cr_expect_not(of.file_damaged);
}

static void expect_control_damaged(void) {
    put_some();
    store_report of = scrub_at(FAST);
    cr_expect(of.control_damaged);
    cr_expect_eq(of.blobs, PUTS, "the rest is looked at");
    cr_expect_not(of.file_damaged);
    cr_expect_eq(store_statistics_read(opened).damaged, 1, "told once");
}

Test(scrub, tells_of_a_control_db_without_its_table_of_assets) {
    suite_sql("control.db", "DROP TABLE assets");
    expect_control_damaged();
}

Test(scrub, tells_of_a_control_db_without_another_table_and_looks_at_assets) {
    upkeep_put_asset("hills", 1);
    suite_sql("control.db", "ALTER TABLE job_tasks RENAME TO others");
    expect_control_damaged();
    cr_expect_eq(scrub_at(FAST).assets, 1);
}

Test(scrub, tells_of_a_control_db_whose_schema_cannot_be_read) {
    upkeep_put_asset("hills", 1);
    suite_sql("control.db", "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE "
                            "TABLE assets (' WHERE name = 'assets'");
    expect_control_damaged();
}
