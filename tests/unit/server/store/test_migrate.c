/* SPDX-License-Identifier: MIT
 *
 * test_migrate.c: what the store does with databases that it finds.
 */
#include "server/store/folder.h"
#include "server/store/migrate.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[TEST_DIR_BYTES];
static char path[FOLDER_PATH_BYTES];

static void set_up(void) {
    test_dir_make(dir);
    snprintf(path, sizeof path, "%s/file.db", dir);
}

static void tear_down(void) {
    test_dir_remove(dir);
}

static void run_sql(const char *sql) {
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

static int64_t number_of(sqlite3 *db, const char *sql) {
    int64_t number = -1;
    cr_assert_eq(database_number(db, sql, &number, NULL), LOAM_OK);
    return number;
}

static bool has(const char *suffix) {
    char name[FOLDER_PATH_BYTES + 64];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    return access(name, F_OK) == 0;
}

TestSuite(migrate, .init = set_up, .fini = tear_down);

Test(migrate, makes_control_durable_and_marks_it_as_ours) {
    sqlite3 *db;
    struct stat found;
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(number_of(db, "PRAGMA application_id"), control_schema.application_id);
    cr_assert_eq(number_of(db, "PRAGMA user_version"), control_schema.version);
    cr_assert_eq(number_of(db, "PRAGMA synchronous"), 2);
    cr_assert_eq(number_of(db, "PRAGMA foreign_keys"), 1);
    cr_assert_eq(number_of(db, "SELECT count(*) FROM worlds"), 0);
    cr_assert_eq(stat(path, &found), 0);
    cr_assert_eq(found.st_mode & 0777, 0600);
    database_close(db);
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    database_close(db);
}

Test(migrate, makes_the_cache_with_large_pages_and_without_erasing) {
    sqlite3 *db;
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(number_of(db, "PRAGMA page_size"), CACHE_PAGE_BYTES);
    cr_assert_eq(number_of(db, "PRAGMA secure_delete"), 0);
    cr_assert_eq(number_of(db, "PRAGMA auto_vacuum"), 0);
    cr_assert_eq(number_of(db, "PRAGMA synchronous"), 1);
    cr_assert_gt(number_of(db, "PRAGMA mmap_size"), 2000000000);
    database_close(db);
}

Test(migrate, refuses_the_database_of_another_program_and_leaves_it_alone) {
    sqlite3 *db;
    loam_error error = {0};
    run_sql("PRAGMA application_id = 77; CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
    cr_assert_eq(control_database_open(path, &db, &error), LOAM_IO);
    cr_assert_null(db);
    cr_assert_not_null(strstr(error.text, "is not a database of loam"), "%s", error.text);
    cr_assert_not_null(strstr(error.text, path), "%s", error.text);
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_IO);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(number_of(db, "SELECT a FROM theirs"), 1);
    cr_assert_eq(number_of(db, "PRAGMA application_id"), 77);
    sqlite3_close(db);
    cr_assert_not(has("-wal"));
}

Test(migrate, refuses_tables_without_any_mark) {
    sqlite3 *db;
    run_sql("CREATE TABLE theirs (a)");
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_IO);
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_IO);
}

Test(migrate, does_not_take_control_for_the_cache) {
    sqlite3 *db;
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    database_close(db);
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_IO);
}

Test(migrate, refuses_what_is_no_database) {
    sqlite3 *db;
    loam_error error = {0};
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(write(fd, "not a database at all, sorry ...", 32), 32);
    }
    close(fd);
    cr_assert_eq(control_database_open(path, &db, &error), LOAM_IO);
    cr_assert_not_null(strstr(error.text, "is not a database of loam"), "%s", error.text);
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_IO);
}

Test(migrate, copies_control_before_it_migrates_it) {
    sqlite3 *db;
    char statement[128];
    snprintf(statement, sizeof statement,
             "PRAGMA application_id = %d; CREATE TABLE old (a); INSERT INTO old VALUES (5)",
             control_schema.application_id);
    run_sql(statement);
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(number_of(db, "PRAGMA user_version"), control_schema.version);
    cr_assert_eq(number_of(db, "SELECT a FROM old"), 5);
    database_close(db);
    snprintf(path, sizeof path, "%s/file.db.before-1", dir);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(number_of(db, "SELECT a FROM old"), 5);
    cr_assert_eq(number_of(db, "PRAGMA user_version"), 0);
    sqlite3_close(db);
}

/* The version before that of owners. */
enum { OWNERLESS_VERSION = 3 };

Test(migrate, jobs_of_an_earlier_version_are_nobodys) {
    schema older = control_schema;
    sqlite3 *db;
    older.version = OWNERLESS_VERSION;
    cr_assert_eq(database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(database_set(db, "application_id", older.application_id, NULL), LOAM_OK);
    cr_assert_eq(schema_migrate(db, &older, 0, NULL), LOAM_OK);
    cr_assert_eq(database_run(db,
                              "INSERT INTO jobs VALUES (1, 'a', x'01', '{}', 'demo', x'02', "
                              "'queued', 5, 1, 0, 0, 0, 1, 0, 0, 7, 1, '[]')",
                              NULL),
                 LOAM_OK);
    database_close(db);
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(number_of(db, "SELECT count(*) FROM jobs WHERE id = 'a' AND done = 1 AND "
                               "priority = 7 AND owner = ''"),
                 1);
    database_close(db);
}

Test(migrate, leaves_control_as_it_was_when_a_step_fails) {
    static const unsigned char GOOD[] = "CREATE TABLE one (a);";
    static const unsigned char BAD[] = "CREATE TABLE two (a); CREATE TABLE one (a);";
    const migration steps[] = {{GOOD, sizeof GOOD - 1}, {BAD, sizeof BAD - 1}};
    const schema broken = {.application_id = 5, .migrations = steps, .version = 2};
    sqlite3 *db;
    loam_error error = {0};
    cr_assert_eq(database_open(path, &db, NULL), LOAM_OK);
    cr_assert_neq(schema_migrate(db, &broken, 0, &error), LOAM_OK);
    cr_assert_not_null(strstr(error.text, "one"), "%s", error.text);
    cr_assert_eq(number_of(db, "PRAGMA user_version"), 1);
    cr_assert_eq(number_of(db, "SELECT count(*) FROM sqlite_schema"), 1);
    database_close(db);
}

static void check_cache_begins_anew(void) {
    sqlite3 *db;
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(number_of(db, "SELECT count(*) FROM blobs"), 0);
    cr_assert_eq(number_of(db, "PRAGMA user_version"), cache_schema.version);
    database_close(db);
    cr_assert(has(".aside"));
}

static void make_cache_with_a_blob(void) {
    sqlite3 *db;
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(database_run(db, "INSERT INTO blobs (digest, bytes) VALUES (x'01', x'02')", NULL),
                 LOAM_OK);
    database_close(db);
}

Test(migrate, sets_a_cache_of_another_schema_aside) {
    make_cache_with_a_blob();
    run_sql("PRAGMA user_version = 99");
    check_cache_begins_anew();
    make_cache_with_a_blob();
    run_sql("PRAGMA user_version = 98");
    check_cache_begins_anew();
}

Test(migrate, sets_a_cache_that_was_noted_as_damaged_aside_once) {
    sqlite3 *db;
    make_cache_with_a_blob();
    cache_database_note_damage(path);
    check_cache_begins_anew();
    make_cache_with_a_blob();
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(number_of(db, "SELECT count(*) FROM blobs"), 1);
    database_close(db);
}

Test(migrate, gives_readers_nothing_to_write_with) {
    sqlite3 *db;
    sqlite3 *reader;
    cr_assert_eq(cache_database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(database_open_reader(path, &reader, NULL), LOAM_OK);
    cr_assert_neq(database_run(reader, "DELETE FROM blobs", NULL), LOAM_OK);
    cr_assert_neq(database_run(reader, "PRAGMA wal_checkpoint", NULL), LOAM_OK);
    database_close(reader);
    database_close(db);
}
