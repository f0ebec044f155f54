/* SPDX-License-Identifier: MIT
 *
 * test_kept_files.c: every digest that a row names is found, by either column, and no other.
 */
#include "server/store/kept_files.h"

#include "server/store/folder.h"
#include "server/store/migrate.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { ASSETS = 1000 };

static char dir[TEST_DIR_BYTES];
static sqlite3 *db;

static void begin(void) {
    char path[FOLDER_PATH_BYTES];
    test_dir_make(dir);
    snprintf(path, sizeof path, "%s/control.db", dir);
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
}

static void end(void) {
    database_close(db);
    test_dir_remove(dir);
}

TestSuite(kept_files, .init = begin, .fini = end);

static void insert(uint64_t number, uint64_t content) {
    static const char SQL[] = "INSERT INTO assets VALUES (?1, 'areas', ?2, 1, '{}', '{}', 1)";
    sqlite3_stmt *statement;
    digest of = test_key(number), within = test_key(content);
    cr_assert_eq(database_prepare(db, SQL, &statement, NULL), LOAM_OK);
    database_bind_digest(statement, 1, &of);
    database_bind_digest(statement, 2, &within);
    cr_assert_eq(database_step_done(statement, NULL), LOAM_OK);
    sqlite3_finalize(statement);
}

static bool has(const kept_files *kept, uint64_t number) {
    digest of = test_key(number);
    return kept_files_has(kept, &of);
}

Test(kept_files, none_is_kept_where_there_is_no_row) {
    kept_files kept = {0};
    cr_assert_eq(kept_files_read(&kept, db, NULL), LOAM_OK);
    cr_expect_not(has(&kept, 1));
    kept_files_fini(&kept);
}

Test(kept_files, each_is_found_by_its_digest_and_by_its_content_s) {
    kept_files kept = {0};
    cr_assert_eq(database_run(db, "BEGIN", NULL), LOAM_OK);
    for (uint64_t i = 0; i < ASSETS; i++) {
        insert(i, i % 2 == 0 ? i : ASSETS + i);
    }
    cr_assert_eq(database_run(db, "COMMIT", NULL), LOAM_OK);
    cr_assert_eq(kept_files_read(&kept, db, NULL), LOAM_OK);
    for (uint64_t i = 0; i < ASSETS; i++) {
        cr_assert(has(&kept, i), "%llu", (unsigned long long)i);
        cr_assert_eq(has(&kept, ASSETS + i), i % 2 == 1, "%llu", (unsigned long long)i);
        cr_assert_not(has(&kept, 2 * ASSETS + i));
    }
    kept_files_fini(&kept);
    cr_expect_not(has(&kept, 1));
}
