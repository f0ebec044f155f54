/* SPDX-License-Identifier: MIT
 *
 * test_store.c: the whole: restarts, kill -9 in the middle of writing, a disk that fills up.
 */
#include "server/store/migrate.h"
#include "tests/support/pause.h"
#include "tests/unit/server/store/store_suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLS = 10, BLOB_BYTES = 30000, IN_FLIGHT = 40, TASKS_PER_ROUND = 1000000 };

TestSuite(store, .init = suite_open, .fini = suite_close);

Test(store, refuses_a_folder_that_another_store_holds) {
    store *second;
    loam_error error = {0};
    store_options options = {.dir = suite_dir};
    cr_assert_eq(store_open(&options, &second, &error), LOAM_LOCKED);
    cr_assert_null(second);
    cr_assert_not_null(strstr(error.text, "another loamd"), "%s", error.text);
}

Test(store, refuses_options_out_of_range) {
    store *second;
    char dir[TEST_DIR_BYTES];
    test_dir_make(dir);
    store_options small = {.dir = dir, .cache_bytes_max = 1000};
    store_options many = {.dir = dir, .reader_threads = STORE_READERS_MAX + 1};
    cr_assert_eq(store_open(&small, &second, NULL), LOAM_OUT_OF_RANGE);
    cr_assert_eq(store_open(&many, &second, NULL), LOAM_OUT_OF_RANGE);
    store_options good = {.dir = dir, .reader_threads = STORE_READERS_MAX};
    cr_assert_eq(store_open(&good, &second, NULL), LOAM_OK, "the folder was given back");
    store_close(second);
    test_dir_remove(dir);
}

Test(store, refuses_a_foreign_database_with_its_name) {
    store *second;
    loam_error error = {0};
    store_close(opened);
    suite_sql("control.db", "PRAGMA application_id = 1");
    store_options options = {.dir = suite_dir};
    cr_assert_eq(store_open(&options, &second, &error), LOAM_IO);
    cr_assert_not_null(strstr(error.text, "control.db is not a database of loam"), "%s",
                       error.text);
    char restore[64];
    snprintf(restore, sizeof restore, "PRAGMA application_id = %d", control_schema.application_id);
    suite_sql("control.db", restore);
    opened = test_store_open(suite_dir, 0);
}

Test(store, closes_nothing_without_harm) {
    store_close(NULL);
}

Test(store, leaves_no_log_behind_when_it_closes) {
    char path[FOLDER_PATH_BYTES];
    test_put(opened, 1, BLOB_BYTES, true);
    store_close(opened);
    snprintf(path, sizeof path, "%s/cache.db-wal", suite_dir);
    cr_assert_neq(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/control.db-wal", suite_dir);
    cr_assert_neq(access(path, F_OK), 0);
    opened = test_store_open(suite_dir, 0);
}

/* ---- kill -9 ------------------------------------------------------------------------------- */

/* What the child reports once the store has said "done": a result, or a task of its job. */
typedef struct report {
    uint64_t number;
    uint64_t is_task;
} report;

typedef struct flight {
    store_put put;
    uint64_t number;
    int to;
    test_latch *latch;
} flight;

static void tell(int to, uint64_t number, uint64_t is_task) {
    report said = {number, is_task};
    if (write(to, &said, sizeof said) != sizeof said) {
        _exit(3);
    }
}

static void note_put(void *context) {
    flight *at = context;
    if (at->put.base.error.status == LOAM_OK) {
        tell(at->to, at->number, 0);
    }
    test_latch_done(at->latch);
}

static void put_group(store *to, uint64_t first, int pipe_end) {
    static flight flights[IN_FLIGHT];
    test_latch *latch = test_latch_create();
    for (uint64_t i = 0; i < IN_FLIGHT; i++) {
        flights[i] = (flight){.number = first + i, .to = pipe_end, .latch = latch};
        flights[i].put = (store_put){.base = {.done = note_put, .context = &flights[i]},
                                     .key = test_key(first + i),
                                     .blob = test_blob(first + i, BLOB_BYTES),
                                     .durable = i % 8 == 0};
        if (store_result_put(to, &flights[i].put) != LOAM_OK) {
            _exit(4);
        }
        blob_release(flights[i].put.blob);
    }
    test_latch_wait(latch, IN_FLIGHT);
    test_latch_destroy(latch);
}

static void append_task(store *to, uint64_t n, int pipe_end) {
    task_row task = {.n = n, .output = loam_text_of("trees"), .x = (int64_t)n};
    control_request request = {.operation = CONTROL_JOB_UPDATE, .tasks = &task, .task_count = 1};
    request.job = (job_row){.id = loam_text_of("job"), .done = n};
    if (store_control_wait(to, &request) != LOAM_OK) {
        _exit(5);
    }
    tell(pipe_end, n, 1);
}

/* Writes without end; only kill ends it. */
static void write_until_killed(unsigned round, int pipe_end) {
    store *mine = test_store_open(suite_dir, 0);
    uint64_t number = (uint64_t)round * TASKS_PER_ROUND;
    for (;;) {
        put_group(mine, number, pipe_end);
        append_task(mine, number + 1, pipe_end);
        number += IN_FLIGHT;
    }
}

static size_t read_reports(int from, report *reports, size_t capacity) {
    size_t bytes = 0;
    for (;;) {
        ssize_t got = read(from, (char *)reports + bytes, capacity * sizeof(report) - bytes);
        if (got <= 0) {
            return bytes / sizeof(report);
        }
        bytes += (size_t)got;
    }
}

static void check_integrity(const char *file) {
    char path[FOLDER_PATH_BYTES];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(path, sizeof path, "%s/%s", suite_dir, file);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &statement, NULL), 0);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    cr_assert_str_eq((const char *)sqlite3_column_text(statement, 0), "ok");
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

/* Every blob, acknowledged or not, hashes to its digest. */
static void check_blobs(void) {
    char path[FOLDER_PATH_BYTES];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(path, sizeof path, "%s/cache.db", suite_dir);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, "SELECT digest, bytes FROM blobs", -1, &statement, NULL),
                 SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        digest found = digest_of(sqlite3_column_blob(statement, 1),
                                 (size_t)sqlite3_column_bytes(statement, 1));
        cr_assert_eq(memcmp(found.bytes, sqlite3_column_blob(statement, 0), DIGEST_BYTES), 0);
    }
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

static bool has_task(uint64_t n) {
    control_request request = {.operation = CONTROL_JOB_RESULTS,
                               .name = loam_text_of("job"),
                               .after_n = n - 1,
                               .limit = 1};
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    bool found = request.result.count == 1 && request.result.tasks[0].n == n;
    control_result_fini(&request.result);
    return found;
}

static void check_reports(const report *reports, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned long long number = (unsigned long long)reports[i].number;
        if (reports[i].is_task != 0) {
            cr_assert(has_task(reports[i].number), "task %llu", number);
        } else {
            digest key = test_key(reports[i].number);
            cr_assert_eq(test_get(opened, &key, NULL), STORE_HIT, "result %llu", number);
        }
    }
}

static void kill_one(unsigned round) {
    static report reports[1 << 16];
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        write_until_killed(round, ends[1]);
    }
    close(ends[1]);
    pause_ms(120 + 37 * (uint32_t)round);
    kill(child, SIGKILL);
    size_t count = read_reports(ends[0], reports, 1 << 16);
    int state;
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFSIGNALED(state), "round %u: the child ended by itself", round);
    close(ends[0]);
    check_integrity("cache.db");
    check_integrity("control.db");
    check_blobs();
    opened = test_store_open(suite_dir, 0);
    check_reports(reports, count);
    store_close(opened);
}

Test(store, loses_nothing_that_it_acknowledged_when_it_is_killed_ten_times, .timeout = 120) {
    control_request insert = {.operation = CONTROL_JOB_INSERT};
    insert.job = (job_row){.id = loam_text_of("job"), .state = loam_text_of("running")};
    cr_assert_eq(store_control_wait(opened, &insert), LOAM_OK);
    store_close(opened);
    for (unsigned round = 0; round < KILLS; round++) {
        kill_one(round);
    }
    opened = test_store_open(suite_dir, 0);
    for (int i = 0; i < 500 && store_statistics_read(opened).blobs == 0; i++) {
        pause_ms(10); /* those of a large cache are counted beside the work */
    }
    cr_assert_gt(store_statistics_read(opened).blobs, 0);
}

/* ---- A disk that fills up ------------------------------------------------------------------ */

static loam_status put_document(store *to, uint64_t number, loam_text text) {
    control_request request = {.operation = CONTROL_DOCUMENT_PUT};
    request.document = (document_row){.digest = test_key(number), .document = text};
    return store_control_wait(to, &request);
}

/* Fills both files until writes fail, and goes on a while; reports what was acknowledged. Files may
 * not grow beyond a limit: to SQLite that is a full disk. */
static int fill_disk(int pipe_end) {
    static char text[100000];
    struct rlimit limit = {6 << 20, RLIM_INFINITY};
    store *mine = test_store_open(suite_dir, 0);
    unsigned refused = 0;
    memset(text, 'x', sizeof text);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    for (uint64_t i = 1; i <= 400; i++) {
        store_put put = test_put(mine, i, BLOB_BYTES, i % 2 == 0);
        loam_status document = put_document(mine, i, (loam_text){text, sizeof text});
        if (put.base.error.status == LOAM_OK) {
            tell(pipe_end, i, 0);
        } else if (put.base.error.status != LOAM_STORAGE_FULL) {
            fprintf(stderr, "%s\n", put.base.error.text);
            return 6;
        }
        if (document == LOAM_OK) {
            tell(pipe_end, i, 2);
        } else if (document != LOAM_STORAGE_FULL) {
            fprintf(stderr, "the document ended with %d\n", (int)document);
            return 7;
        }
        refused += put.base.error.status != LOAM_OK && document != LOAM_OK;
    }
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
    bool recovered = test_put(mine, 1000, BLOB_BYTES, true).base.error.status == LOAM_OK &&
                     put_document(mine, 1000, (loam_text){text, sizeof text}) == LOAM_OK;
    bool counted = store_statistics_read(mine).write_failures > 0;
    store_close(mine);
    return refused > 0 && recovered && counted ? 0 : 8;
}

static void check_documents(const report *reports, size_t count) {
    for (size_t i = 0; i < count; i++) {
        digest key = test_key(reports[i].number);
        if (reports[i].is_task == 2) {
            control_request get = {.operation = CONTROL_DOCUMENT_GET, .key = key};
            cr_assert_eq(store_control_wait(opened, &get), LOAM_OK);
            cr_assert_eq(get.result.documents[0].document.size, 100000);
            control_result_fini(&get.result);
        } else {
            cr_assert_eq(test_get(opened, &key, NULL), STORE_HIT);
        }
    }
}

Test(store, says_that_the_disk_is_full_loses_nothing_and_recovers, .timeout = 60) {
    static report reports[2000];
    int ends[2];
    int state;
    store_close(opened);
    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(fill_disk(ends[1]));
    }
    close(ends[1]);
    size_t count = read_reports(ends[0], reports, 2000);
    close(ends[0]);
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFEXITED(state));
    cr_assert_eq(WEXITSTATUS(state), 0, "it ended with %d", WEXITSTATUS(state));
    cr_assert_gt(count, 50);
    check_integrity("cache.db");
    check_integrity("control.db");
    opened = test_store_open(suite_dir, 0);
    check_documents(reports, count);
    digest last = test_key(1000);
    cr_assert_eq(test_get(opened, &last, NULL), STORE_HIT);
}
