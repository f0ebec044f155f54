/* SPDX-License-Identifier: MIT
 *
 * test_backup_check.c: a copy that lacks a row, or is no database, is none.
 */
#include "server/store/backup_check.h"

#include "server/store/folder.h"
#include "server/store/migrate.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char dir[TEST_DIR_BYTES];
static char copy[FOLDER_PATH_BYTES];
static sqlite3 *original;

static void run_on(sqlite3 *db, const char *sql) {
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
}

/* control.db with some rows, and its copy. */
static void begin(void) {
    char path[FOLDER_PATH_BYTES];
    char statement[2 * FOLDER_PATH_BYTES];
    test_dir_make(dir);
    snprintf(path, sizeof path, "%s/control.db", dir);
    snprintf(copy, sizeof copy, "%s/copy.db", dir);
    cr_assert_eq(control_database_open(path, &original, NULL), LOAM_OK);
    run_on(original, "INSERT INTO worlds VALUES ('a', x'01', 1, 1), ('b', x'02', 1, 1);"
                     "INSERT INTO revisions VALUES (1, 'a', x'01', '{}', 1)");
    snprintf(statement, sizeof statement, "VACUUM INTO '%s'", copy);
    run_on(original, statement);
}

static void end(void) {
    database_close(original);
    test_dir_remove(dir);
}

TestSuite(backup_check, .init = begin, .fini = end);

static void change_copy(const char *sql) {
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(copy, &db), SQLITE_OK);
    run_on(db, sql);
    sqlite3_close(db);
}

static row_census census_of_original(void) {
    row_census census;
    cr_assert_eq(row_census_take(original, &census, NULL), LOAM_OK);
    return census;
}

static loam_status check(const row_census *after) {
    row_census copied;
    row_census before = census_of_original();
    return backup_check(copy, &before, after == NULL ? &before : after, &copied, NULL);
}

Test(backup_check, takes_a_copy_that_is_one) {
    row_census copied;
    row_census before = census_of_original();
    cr_expect_eq(backup_check(copy, &before, &before, &copied, NULL), LOAM_OK);
    cr_expect_eq(copied.worlds, 2);
    cr_expect_eq(copied.revisions, 1);
}

Test(backup_check, a_row_that_is_missing_is_found) {
    change_copy("DELETE FROM worlds WHERE name = 'b'");
    cr_expect_eq(check(NULL), LOAM_DAMAGED);
}

Test(backup_check, rows_are_not_compared_when_the_original_went_on) {
    row_census after = census_of_original();
    after.data_version++;
    change_copy("DELETE FROM worlds WHERE name = 'b'");
    cr_expect_eq(check(&after), LOAM_OK);
}

Test(backup_check, a_reference_to_nothing_is_found_whatever_the_original_did) {
    row_census after = census_of_original();
    after.data_version++;
    change_copy("PRAGMA foreign_keys = 0; DELETE FROM worlds");
    cr_expect_eq(check(&after), LOAM_DAMAGED);
}

Test(backup_check, damaged_pages_are_found) {
    static const char zeros[8192];
    int fd = open(copy, O_WRONLY);
    cr_assert_eq(pwrite(fd, zeros, sizeof zeros, 4096), (ssize_t)sizeof zeros);
    close(fd);
    cr_expect_eq(check(NULL), LOAM_DAMAGED);
    cr_assert_eq(truncate(copy, 0), 0);
    cr_expect_neq(check(NULL), LOAM_OK);
}
