/* SPDX-License-Identifier: MIT
 *
 * test_schema_window.c: databases of other releases: older ones come with all that is in them,
 * newer ones only when they say that this program may write them, and what is refused is left byte
 * for byte.
 */
#include "server/store/schema_window.h"

#include "server/store/folder.h"
#include "server/store/migrate.h"
#include "tests/support/store_calls.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096, FILE_BYTES_MAX = 1 << 20 };

static char dir[TEST_DIR_BYTES];
static char path[FOLDER_PATH_BYTES];

static void set_up(void) {
    test_dir_make(dir);
    snprintf(path, sizeof path, "%s/control.db", dir);
}

static void tear_down(void) {
    test_dir_remove(dir);
}

TestSuite(schema_window, .init = set_up, .fini = tear_down);

static void run_on(sqlite3 *db, const char *sql) {
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
}

static void run_sql(const char *sql) {
    sqlite3 *db;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    run_on(db, sql);
    sqlite3_close(db);
}

/* ---- Older ---------------------------------------------------------------------------------- */

/* A row or two in every table of version 1. */
static const char contents_1[] =
    "INSERT INTO assets VALUES (x'a1', 'heightfield', x'c1', 12, '{\"s\":1}', '{}', 100),"
    " (x'a2', 'areas', x'c2', 34, '{}', '{\"p\":2}', 101);"
    "INSERT INTO asset_names VALUES ('hills', x'a1'), ('huts', x'a2'), ('same', x'a1');"
    "INSERT INTO documents VALUES (1, 0, x'd0', '{\"graph\":0}', 5), (2, 1, x'd1', '{}', 6);"
    "INSERT INTO worlds VALUES ('forest', x'b2', 7, 8);"
    "INSERT INTO revisions VALUES (3, 'forest', x'b1', '{\"r\":1}', 7),"
    " (4, 'forest', x'b2', '{\"r\":2}', 8);"
    "INSERT INTO bindings VALUES (x'a1', 3), (x'a1', 4), (x'a2', 4);"
    "INSERT INTO jobs VALUES (1, 'j1', x'e1', '{\"q\":1}', 'forest', x'b2', 'running', 10, 2, 1, "
    "0, 0, 9, 10, 0, 5, 1, '[]');"
    "INSERT INTO job_tasks (job, n, output, level, x, z, build_key, digest, count, bytes, cached) "
    "VALUES (1, 1, 'trees', 0, 3, -5, x'f1', x'f2', 77, 1234, 0),"
    " (1, 2, 'trees', 0, 4, -5, x'f3', x'f4', 78, 1235, 1);";
static const char contents_2[] =
    "INSERT INTO job_tasks VALUES (1, 3, '', 0, 0, 0, x'f5', x'f6', 0, "
    "9, 0, 'degraded', '[\"small\"]');";

/* All of it as text, by what version 1 had. */
static const char all_rows[] =
    "SELECT quote(digest)||kind||quote(content_digest)||bytes||summary||params||created FROM assets"
    " UNION ALL SELECT name||quote(digest) FROM asset_names"
    " UNION ALL SELECT id||kind||quote(digest)||document||created FROM documents"
    " UNION ALL SELECT name||quote(revision)||created||updated FROM worlds"
    " UNION ALL SELECT id||world||quote(revision)||document||created FROM revisions"
    " UNION ALL SELECT quote(asset)||revision FROM bindings"
    " UNION ALL SELECT "
    "number||id||quote(request_key)||request||world||quote(revision)||state||total"
    "||done||cached||failed||evicted||created||started||finished||priority||keep||problems FROM "
    "jobs"
    " UNION ALL SELECT job||n||output||level||x||z||quote(build_key)||quote(digest)||count||bytes"
    "||cached FROM job_tasks";

static void read_all(sqlite3 *db, char text[TEXT_BYTES]) {
    sqlite3_stmt *statement;
    size_t used = 0;
    int rows = 0;
    cr_assert_eq(sqlite3_prepare_v2(db, all_rows, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s\n",
                                 (const char *)sqlite3_column_text(statement, 0));
        cr_assert_lt(used, TEXT_BYTES);
        rows++;
    }
    sqlite3_finalize(statement);
    cr_assert_geq(rows, 16, "the fixture is not there");
}

/* As a release that knew `version` left it. */
static void make_older(int version, char text[TEXT_BYTES]) {
    schema older = control_schema;
    sqlite3 *db;
    older.version = version;
    cr_assert_eq(database_open(path, &db, NULL), LOAM_OK);
    cr_assert_eq(schema_migrate(db, &older, 0, NULL), LOAM_OK);
    run_on(db, contents_1);
    if (version >= 2) {
        run_on(db, contents_2);
    }
    read_all(db, text);
    database_close(db);
}

static int64_t number_of(sqlite3 *db, const char *sql) {
    int64_t number = -1;
    cr_assert_eq(database_number(db, sql, &number, NULL), LOAM_OK);
    return number;
}

static void contents_come_along(int version) {
    static const char HELD[] = "SELECT min_reader <= 3 AND min_writer <= 3 FROM schema_info";
    char before[TEXT_BYTES], after[TEXT_BYTES];
    sqlite3 *db;
    make_older(version, before);
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    cr_expect_eq(number_of(db, "PRAGMA user_version"), control_schema.version);
    read_all(db, after);
    cr_expect_str_eq(after, before, "from version %d", version);
    cr_expect_eq(number_of(db, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    cr_expect_eq(number_of(db, "SELECT count(*) FROM job_tasks WHERE n < 3 AND status = '' AND "
                               "reasons = ''"),
                 2);
    cr_expect_eq(number_of(db, "SELECT count(*) FROM job_tasks WHERE status = 'degraded'"),
                 version >= 2);
    cr_expect_eq(number_of(db, "SELECT count(*) FROM schema_info"), 1);
    cr_expect_eq(number_of(db, HELD), 1);
    database_close(db);
    char copy[SCHEMA_COPY_PATH_BYTES];
    schema_copy_path(path, version, copy);
    cr_assert_eq(sqlite3_open(copy, &db), SQLITE_OK);
    cr_expect_eq(number_of(db, "PRAGMA user_version"), version);
    read_all(db, after);
    cr_expect_str_eq(after, before, "the copy of version %d", version);
    sqlite3_close(db);
}

Test(schema_window, version_1_comes_with_all_that_is_in_it) {
    contents_come_along(1);
}

Test(schema_window, version_2_comes_with_all_that_is_in_it) {
    contents_come_along(2);
}

/* ---- Newer ---------------------------------------------------------------------------------- */

typedef struct file_image {
    size_t size;
    unsigned char bytes[FILE_BYTES_MAX];
} file_image;

static file_image file_before, file_after, log_before, log_after;

static void read_file(const char *suffix, file_image *image) {
    char name[FOLDER_PATH_BYTES + 8];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    FILE *file = fopen(name, "re");
    image->size = file == NULL ? 0 : fread(image->bytes, 1, FILE_BYTES_MAX, file);
    if (file != NULL) {
        fclose(file);
    }
}

static void expect_same(const file_image *a, const file_image *b, const char *which) {
    cr_expect_eq(a->size, b->size, "%s: %zu and %zu bytes", which, a->size, b->size);
    cr_expect_eq(memcmp(a->bytes, b->bytes, a->size), 0, "%s", which);
}

/* Made by this program, then marked as a newer one would. */
static void make_newer(const char *marks) {
    sqlite3 *db;
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    database_close(db);
    run_sql(marks);
}

static void expect_refused(const char *first, const char *second) {
    sqlite3 *db;
    loam_error error = {0};
    read_file("", &file_before);
    read_file("-wal", &log_before);
    cr_expect_eq(control_database_open(path, &db, &error), LOAM_VERSION_UNAVAILABLE);
    cr_expect_null(db);
    cr_expect_not_null(strstr(error.text, path), "%s", error.text);
    cr_expect_not_null(strstr(error.text, first), "%s", error.text);
    cr_expect_not_null(strstr(error.text, second), "%s", error.text);
    cr_expect_null(strchr(error.text, '\n'), "%s", error.text);
    read_file("", &file_after);
    read_file("-wal", &log_after);
    cr_expect_gt(file_before.size, 0);
    expect_same(&file_before, &file_after, "control.db");
    expect_same(&log_before, &log_after, "its log");
}

Test(schema_window, a_newer_file_that_must_not_be_read_is_refused_untouched) {
    make_newer("PRAGMA user_version = 99; UPDATE schema_info SET min_reader = 98, min_writer = 97");
    expect_refused("has schema 99", "may not read it: upgrade loamd to one that knows schema 98");
    expect_refused("has schema 99", "or put a backup from before in its place");
}

Test(schema_window, a_newer_file_that_must_not_be_written_is_refused_untouched) {
    make_newer("PRAGMA user_version = 99; UPDATE schema_info SET min_writer = 50");
    expect_refused("has schema 99",
                   "may read but not write it: upgrade loamd to one that knows schema 50");
}

Test(schema_window, a_newer_file_that_says_nothing_is_for_programs_of_its_version) {
    make_newer("PRAGMA user_version = 99; DROP TABLE schema_info");
    expect_refused("has schema 99", "may not read it: upgrade loamd to one that knows schema 99");
}

Test(schema_window, the_copy_that_the_newer_program_made_is_named) {
    char copy[SCHEMA_COPY_PATH_BYTES];
    make_newer("PRAGMA user_version = 99; UPDATE schema_info SET min_reader = 99, min_writer = 99");
    schema_copy_path(path, control_schema.version, copy);
    FILE *file = fopen(copy, "we");
    cr_assert_not_null(file);
    fclose(file);
    expect_refused("has schema 99", strrchr(copy, '/') + 1);
}

/* As kill -9 leaves it: what was committed last is in the log alone. */
Test(schema_window, the_log_of_a_newer_file_is_not_brought_in) {
    char sql[96];
    sqlite3 *db;
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    run_on(db, "PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 99; "
               "UPDATE schema_info SET min_writer = 99");
    database_keep_log(db, true);
    database_close(db);
    read_file("-wal", &log_before);
    cr_assert_gt(log_before.size, 0);
    expect_refused("has schema 99", "may read but not write it");
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d; UPDATE schema_info SET min_writer = %d",
             control_schema.version, control_schema.version);
    run_sql(sql);
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    database_close(db);
}

Test(schema_window, a_newer_file_that_may_be_written_is_opened_as_it_is) {
    sqlite3 *db;
    make_newer("PRAGMA user_version = 99; CREATE TABLE news (a); INSERT INTO news VALUES (4)");
    cr_assert_eq(control_database_open(path, &db, NULL), LOAM_OK);
    cr_expect_eq(number_of(db, "PRAGMA user_version"), 99);
    cr_expect_eq(number_of(db, "SELECT a FROM news"), 4);
    cr_expect_eq(number_of(db, "PRAGMA synchronous"), 2);
    database_close(db);
    store *opened = test_store_open(dir, 0);
    control_request put = {.operation = CONTROL_DOCUMENT_PUT,
                           .document = {.digest = test_key(1), .document = loam_text_of("{}")}};
    cr_expect_eq(store_control_wait(opened, &put), LOAM_OK);
    store_close(opened);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_expect_eq(number_of(db, "PRAGMA user_version"), 99, "nor does a commit change it");
    sqlite3_close(db);
}

Test(schema_window, says_at_the_limits_who_may) {
    const schema_window both = {7, 7}, reader = {5, 7};
    cr_expect_eq(schema_window_check(&both, path, 9, 7, NULL), LOAM_OK);
    cr_expect_eq(schema_window_check(&both, path, 9, 6, NULL), LOAM_VERSION_UNAVAILABLE);
    cr_expect_eq(schema_window_check(&reader, path, 9, 6, NULL), LOAM_VERSION_UNAVAILABLE);
    cr_expect_eq(schema_window_check(&reader, path, 9, 4, NULL), LOAM_VERSION_UNAVAILABLE);
}
