/* SPDX-License-Identifier: MIT
 *
 * test_control_jobs.c: jobs and their finished tasks over updates and restarts.
 */
#include "server/store/control_writer.h"
#include "tests/unit/server/store/store_suite.h"

#include <string.h>

TestSuite(control_jobs, .init = suite_open, .fini = suite_close);

static job_row job_of(const char *id, uint64_t request_key) {
    return (job_row){.id = loam_text_of(id),
                     .request_key = test_key(request_key),
                     .request = loam_text_of("{\"world\":\"demo\"}"),
                     .world = loam_text_of("demo"),
                     .revision = test_key(9),
                     .state = loam_text_of("queued"),
                     .total = 16777216,
                     .created_ms = 1000,
                     .priority = 7,
                     .keep = true,
                     .problems = loam_text_of("[]"),
                     .owner = loam_text_of("farm")};
}

static loam_status insert(const job_row *job) {
    control_request request = {.operation = CONTROL_JOB_INSERT, .job = *job};
    return store_control_wait(opened, &request);
}

static task_row task_of(uint64_t n, int64_t x) {
    return (task_row){.n = n,
                      .output = loam_text_of("trees"),
                      .level = 1,
                      .x = x,
                      .z = -x,
                      .build_key = test_key(n),
                      .digest = test_key(n + 1000),
                      .count = 20371,
                      .bytes = 600000,
                      .cached = n % 2 == 0};
}

static loam_status update(const job_row *job, const task_row *tasks, size_t count) {
    control_request request = {
        .operation = CONTROL_JOB_UPDATE, .job = *job, .tasks = tasks, .task_count = count};
    return store_control_wait(opened, &request);
}

static loam_status ask(control_request *request, control_operation operation, const char *name) {
    *request = (control_request){.operation = operation, .name = loam_text_of(name)};
    return store_control_wait(opened, request);
}

Test(control_jobs, come_back_whole_after_a_restart) {
    control_request request;
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    suite_reopen(0);
    cr_assert_eq(ask(&request, CONTROL_JOB_GET, "17"), LOAM_OK);
    const job_row *row = &request.result.jobs[0];
    cr_assert(loam_text_equal(row->id, job.id));
    cr_assert(digest_equal(&row->request_key, &job.request_key));
    cr_assert(loam_text_equal(row->request, job.request));
    cr_assert(loam_text_equal(row->world, job.world));
    cr_assert(digest_equal(&row->revision, &job.revision));
    cr_assert(loam_text_equal(row->state, job.state));
    cr_assert_eq(row->total, job.total);
    cr_assert_eq(row->done, 0);
    cr_assert_eq(row->created_ms, 1000);
    cr_assert_eq(row->finished_ms, 0);
    cr_assert_eq(row->priority, 7);
    cr_assert(row->keep);
    cr_assert(loam_text_equal(row->problems, job.problems));
    cr_assert(loam_text_equal(row->owner, job.owner));
    control_result_fini(&request.result);
}

Test(control_jobs, change_only_what_changes) {
    control_request request;
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    job_row changed = {.id = job.id,
                       .state = loam_text_of("failed"),
                       .total = 5,
                       .done = 3,
                       .cached = 2,
                       .failed = 1,
                       .evicted = 4,
                       .started_ms = 2000,
                       .finished_ms = 3000,
                       .problems = loam_text_of("[1]"),
                       .owner = loam_text_of("night")};
    cr_assert_eq(update(&changed, NULL, 0), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_JOB_GET, "17"), LOAM_OK);
    const job_row *row = &request.result.jobs[0];
    cr_assert(loam_text_equal(row->state, changed.state));
    cr_assert_eq(row->total, 5);
    cr_assert_eq(row->done, 3);
    cr_assert_eq(row->cached, 2);
    cr_assert_eq(row->failed, 1);
    cr_assert_eq(row->evicted, 4);
    cr_assert_eq(row->started_ms, 2000);
    cr_assert_eq(row->finished_ms, 3000);
    cr_assert(loam_text_equal(row->problems, changed.problems));
    cr_assert(loam_text_equal(row->owner, changed.owner));
    cr_assert(loam_text_equal(row->world, job.world));
    cr_assert_eq(row->created_ms, 1000);
    control_result_fini(&request.result);
}

Test(control_jobs, do_not_take_an_id_twice_nor_update_nothing) {
    control_request request;
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    cr_assert_eq(insert(&job), LOAM_DUPLICATE);
    job.id = loam_text_of("18");
    cr_assert_eq(update(&job, NULL, 0), LOAM_NOT_FOUND);
    cr_assert_eq(ask(&request, CONTROL_JOB_GET, "18"), LOAM_NOT_FOUND);
    cr_assert_eq(ask(&request, CONTROL_JOB_RESULTS, "18"), LOAM_NOT_FOUND);
}

Test(control_jobs, are_listed_in_order_of_creation_and_by_state) {
    control_request request;
    const char *ids[] = {"z", "m", "a"};
    for (uint64_t i = 0; i < 3; i++) {
        job_row job = job_of(ids[i], i);
        job.state = loam_text_of(i == 1 ? "running" : "queued");
        cr_assert_eq(insert(&job), LOAM_OK);
    }
    cr_assert_eq(ask(&request, CONTROL_JOB_LIST, ""), LOAM_OK);
    cr_assert_eq(request.result.count, 3);
    cr_assert(loam_text_equal(request.result.jobs[0].id, loam_text_of("z")));
    control_result_fini(&request.result);
    request.after = loam_text_of("z");
    request.limit = 1;
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    cr_assert(loam_text_equal(request.result.jobs[0].id, loam_text_of("m")));
    control_result_fini(&request.result);
    cr_assert_eq(ask(&request, CONTROL_JOB_LIST, "running"), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    control_result_fini(&request.result);
}

Test(control_jobs, are_listed_without_their_requests) {
    static const char *const states[] = {"", "queued"};
    control_request request;
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(ask(&request, CONTROL_JOB_LIST, states[i]), LOAM_OK);
        cr_assert_eq(request.result.count, 1);
        const job_row *row = &request.result.jobs[0];
        cr_expect_eq(row->request.size, 0);
        cr_expect(loam_text_equal(row->world, job.world));
        cr_expect(loam_text_equal(row->owner, job.owner));
        control_result_fini(&request.result);
    }
}

/* What SQLite says first of how it runs a statement. */
static void read_plan(control_statement which, char plan[200]) {
    char path[FOLDER_PATH_BYTES];
    char sql[1000];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(path, sizeof path, "%s/control.db", suite_dir);
    snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN %s", control_sql[which]);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    snprintf(plan, 200, "%s", (const char *)sqlite3_column_text(statement, 3));
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

Test(control_jobs, of_one_state_are_found_by_an_index) {
    char plan[200];
    read_plan(JOB_SELECT_STATE, plan);
    cr_expect_not_null(strstr(plan, "INDEX jobs_state (state=? AND number>?)"), "%s", plan);
    read_plan(JOB_SELECT_LIST, plan);
    cr_expect_not_null(strstr(plan, "PRIMARY KEY (rowid>?)"), "%s", plan);
}

Test(control_jobs, give_their_tasks_back_in_order_page_by_page) {
    control_request request;
    task_row tasks[] = {task_of(1, 5), task_of(2, -3), task_of(3, 0)};
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    job.done = 3;
    cr_assert_eq(update(&job, tasks, 3), LOAM_OK);
    suite_reopen(0);
    cr_assert_eq(ask(&request, CONTROL_JOB_RESULTS, "17"), LOAM_OK);
    cr_assert_eq(request.result.count, 3);
    const task_row *row = &request.result.tasks[1];
    cr_assert_eq(row->n, 2);
    cr_assert(loam_text_equal(row->output, loam_text_of("trees")));
    cr_assert_eq(row->level, 1);
    cr_assert_eq(row->x, -3);
    cr_assert_eq(row->z, 3);
    cr_assert(digest_equal(&row->build_key, &tasks[1].build_key));
    cr_assert(digest_equal(&row->digest, &tasks[1].digest));
    cr_assert_eq(row->count, 20371);
    cr_assert_eq(row->bytes, 600000);
    cr_assert(row->cached);
    control_result_fini(&request.result);
    request.after_n = 1;
    request.limit = 1;
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    cr_assert_eq(request.result.tasks[0].n, 2);
    control_result_fini(&request.result);
}

Test(control_jobs, keep_a_cell_once) {
    control_request request;
    task_row first = task_of(1, 5);
    task_row again[] = {task_of(2, 5), task_of(3, 6)};
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    cr_assert_eq(update(&job, &first, 1), LOAM_OK);
    cr_assert_eq(update(&job, again, 2), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_JOB_RESULTS, "17"), LOAM_OK);
    cr_assert_eq(request.result.count, 2);
    cr_assert_eq(request.result.tasks[0].n, 1);
    cr_assert_eq(request.result.tasks[1].n, 3);
    control_result_fini(&request.result);
}

Test(control_jobs, keep_what_is_said_of_a_task_and_let_a_result_follow_a_failure) {
    control_request request;
    const task_row failed = {
        .n = 1, .x = 5, .status = loam_text_of("failed"), .reasons = loam_text_of("[1]")};
    task_row worse = failed, done = task_of(3, 5), more = task_of(4, 5);
    worse.n = 2;
    done.output = more.output = (loam_text){0};
    done.status = more.status = loam_text_of("ok");
    done.level = more.level = 0;
    done.z = more.z = 0;
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    cr_assert_eq(update(&job, &failed, 1), LOAM_OK);
    cr_assert_eq(update(&job, &worse, 1), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_JOB_RESULTS, "17"), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    cr_assert_eq(request.result.tasks[0].n, 2);
    cr_assert(loam_text_equal(request.result.tasks[0].status, failed.status));
    cr_assert(loam_text_equal(request.result.tasks[0].reasons, failed.reasons));
    control_result_fini(&request.result);
    cr_assert_eq(update(&job, &done, 1), LOAM_OK);
    cr_assert_eq(update(&job, &more, 1), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_JOB_RESULTS, "17"), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    cr_assert_eq(request.result.tasks[0].n, 3);
    cr_assert(digest_equal(&request.result.tasks[0].digest, &done.digest));
    cr_assert(loam_text_equal(request.result.tasks[0].status, loam_text_of("ok")));
    cr_assert_eq(request.result.tasks[0].reasons.size, 0);
    control_result_fini(&request.result);
}

Test(control_jobs, change_no_count_when_a_task_is_refused) {
    control_request request;
    task_row first = task_of(1, 5);
    task_row taken[] = {task_of(2, 7), task_of(1, 8)};
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    job.done = 1;
    cr_assert_eq(update(&job, &first, 1), LOAM_OK);
    job.done = 3;
    cr_assert_eq(update(&job, taken, 2), LOAM_DUPLICATE, "n is taken by another cell");
    cr_assert_eq(ask(&request, CONTROL_JOB_GET, "17"), LOAM_OK);
    cr_assert_eq(request.result.jobs[0].done, 1);
    control_result_fini(&request.result);
    cr_assert_eq(ask(&request, CONTROL_JOB_RESULTS, "17"), LOAM_OK);
    cr_assert_eq(request.result.count, 1);
    control_result_fini(&request.result);
}

Test(control_jobs, give_no_more_rows_than_a_page_has) {
    control_request request;
    static task_row tasks[CONTROL_ROWS_MAX + 10];
    job_row job = job_of("17", 1);
    cr_assert_eq(insert(&job), LOAM_OK);
    for (uint64_t i = 0; i < CONTROL_ROWS_MAX + 10; i++) {
        tasks[i] = task_of(i + 1, (int64_t)i);
    }
    cr_assert_eq(update(&job, tasks, CONTROL_ROWS_MAX + 10), LOAM_OK);
    cr_assert_eq(ask(&request, CONTROL_JOB_RESULTS, "17"), LOAM_OK);
    cr_assert_eq(request.result.count, CONTROL_ROWS_MAX);
    uint64_t last = request.result.tasks[CONTROL_ROWS_MAX - 1].n;
    control_result_fini(&request.result);
    request.after_n = last;
    cr_assert_eq(store_control_wait(opened, &request), LOAM_OK);
    cr_assert_eq(request.result.count, 10);
    control_result_fini(&request.result);
}
