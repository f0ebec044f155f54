/* SPDX-License-Identifier: MIT
 *
 * store_suite.h: a store in a folder of its own for every test of the files that include it.
 */
#ifndef LOAM_TESTS_UNIT_STORE_SUITE_H
#define LOAM_TESTS_UNIT_STORE_SUITE_H

#include "server/store/folder.h"
#include "server/store/store.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>

static char suite_dir[TEST_DIR_BYTES];
static store *opened;

__attribute__((unused)) static void suite_open(void) {
    test_dir_make(suite_dir);
    opened = test_store_open(suite_dir, 0);
}

static void suite_close(void) {
    store_close(opened);
    test_dir_remove(suite_dir);
}

/* Closes and opens again, with a cap of the cache (0: the default). */
__attribute__((unused)) static void suite_reopen(uint64_t cache_bytes_max) {
    store_close(opened);
    opened = test_store_open(suite_dir, cache_bytes_max);
}

/* Changes a database behind the store's back. */
__attribute__((unused)) static void suite_sql(const char *file, const char *sql) {
    char path[FOLDER_PATH_BYTES];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/%s", suite_dir, file);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

#endif
