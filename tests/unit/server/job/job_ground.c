/* SPDX-License-Identifier: MIT
 *
 * job_ground.c: see job_ground.h.
 */
#include "tests/unit/server/job/job_ground.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/flow_ground.h"
#include "tests/support/store_calls.h"

#define REQUEST                                                                                    \
    "{\"recipe\": \"maze\", \"seed\": \"%u\", \"params\": {\"width\": 32, \"height\": 24}}"
static const char leave[] =
    "INSERT INTO jobs (id, request_key, request, world, revision, state, total, done, cached, "
    "failed, evicted, created, started, finished, priority, keep, problems) "
    "VALUES (?1, ?2, ?3, '', ?2, 'queued', 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, '')";
#define ARENA_BYTES ((size_t)16 << 20)

enum { SQL_WAIT_MS = 5000, PATH_BYTES = 160, REQUEST_BYTES = 128 };
/* Looks at the loop, and how many of them at most: half a minute. */
enum { LOOK_MS = 1, LOOKS_MAX = 30000 };

static flow_state *flow;
static config settings;
static digest keys[GROUND_TASKS_MAX];
static char id[JOB_ID_BYTES];

flow_state *job_ground_make(bool paused) {
    flow = flow_ground_make();
    settings = *flow->settings;
    settings.job_cells_in_flight = GROUND_FLYING_MAX;
    flow->settings = &settings;
    flow->worlds = world_table_create(flow);
    cr_assert_not_null(flow->worlds);
    flow->jobs = job_table_create(flow);
    cr_assert_not_null(flow->jobs);
    flow->jobs->paused = paused;
    return flow;
}

void job_ground_restart(bool paused) {
    job_table_destroy(flow->jobs);
    flow->jobs = job_table_create(flow);
    cr_assert_not_null(flow->jobs);
    flow->jobs->paused = paused;
}

void job_ground_remove(void) {
    job_table_destroy(flow->jobs);
    world_table_destroy(flow->worlds);
    flow_ground_remove(flow);
}

/* ---- Starting ------------------------------------------------------------------------------- */

static void keep_request(uint32_t task, loam_arena *arena) {
    char text[REQUEST_BYTES];
    const loam_dungeon_plan *plan = NULL;
    dungeon_document document;
    fault_list faults;
    loam_error error = {0};
    text_buffer request;
    fault_clear(&faults);
    buffer_init(&request, JSON_BYTES_MAX);
    snprintf(text, sizeof text, REQUEST, task);
    cr_assert_eq(dungeon_document_read(loam_text_of(text), NULL, arena, &document, &faults),
                 LOAM_OK);
    cr_assert_eq(loam_dungeon_plan_build(&document.request, arena, &plan, &error), LOAM_OK);
    dungeon_document_write(&request, plan);
    keys[task] = key_of_dungeon(plan);
    document_row row = {
        .kind = DOCUMENT_DUNGEON, .digest = keys[task], .document = buffer_view(&request)};
    control_request put = {
        .operation = CONTROL_DOCUMENTS_PUT, .documents = &row, .document_count = 1};
    cr_assert_eq(store_control_wait(flow->store, &put), LOAM_OK, "%s", put.base.error.text);
    control_result_fini(&put.result);
    buffer_fini(&request);
}

static void keep_requests(uint32_t tasks) {
    void *memory = malloc(ARENA_BYTES);
    cr_assert_not_null(memory);
    for (uint32_t i = 0; i < tasks; i++) {
        loam_arena arena;
        loam_arena_init(&arena, memory, ARENA_BYTES);
        keep_request(i, &arena);
    }
    free(memory);
}

static void write_request(text_buffer *to, const digest *of, uint32_t tasks, bool keep) {
    buffer_open_object(to);
    buffer_key(to, "dungeons");
    buffer_open_array(to);
    for (uint32_t i = 0; i < tasks; i++) {
        buffer_digest(to, &of[i]);
    }
    buffer_close_array(to);
    buffer_key(to, "keep");
    buffer_bool(to, keep);
    buffer_close_object(to);
}

static job_reading *read_request(const digest *of, uint32_t tasks, bool keep) {
    fault_list faults;
    text_buffer request;
    fault_clear(&faults);
    buffer_init(&request, JSON_BYTES_MAX);
    write_request(&request, of, tasks, keep);
    job_reading *reading = job_reading_create_kept(flow, buffer_view(&request), &faults);
    cr_assert_not_null(reading);
    buffer_fini(&request);
    return reading;
}

job_entry *job_ground_start(uint32_t tasks, bool keep) {
    cr_assert_leq(tasks, GROUND_TASKS_MAX);
    keep_requests(tasks);
    job_reading *reading = read_request(keys, tasks, keep);
    const job *of = &reading->job;
    job_row row = {.id = loam_text_of(of->id),
                   .request_key = of->key,
                   .request = of->canonical,
                   .state = loam_text_of(job_state_name(JOB_QUEUED)),
                   .total = tasks,
                   .created_ms = 1,
                   .keep = keep};
    snprintf(id, sizeof id, "%s", of->id);
    control_request insert = {.operation = CONTROL_JOB_INSERT, .job = row};
    cr_assert_eq(store_control_wait(flow->store, &insert), LOAM_OK, "%s", insert.base.error.text);
    control_result_fini(&insert.result);
    job_entry *entry = job_table_add(flow->jobs, reading, &row, true);
    cr_assert_not_null(entry);
    return entry;
}

/* ---- Looking -------------------------------------------------------------------------------- */

const digest *job_ground_keys(void) {
    return keys;
}

job_entry *job_ground_entry(void) {
    return job_table_find(flow->jobs, loam_text_of(id));
}

static bool is_over(const void *table) {
    return job_table_find(table, loam_text_of(id)) == NULL;
}

bool job_ground_finish(void) {
    return flow_ground_run(flow, is_over, flow->jobs);
}

typedef struct loop_look {
    bool (*is_so)(const void *what);
    const void *what;
    int left;
    bool so;
} loop_look;

static void look_again(void *context) {
    loop_look *look = context;
    look->so = look->is_so(look->what);
    if (look->so || --look->left == 0) {
        loop_stop(flow->loop);
    }
}

bool job_ground_run(bool (*is_so)(const void *what), const void *what) {
    loop_look look = {.is_so = is_so, .what = what, .left = LOOKS_MAX};
    loop_timer *timer = loop_timer_create(flow->loop, look_again, &look);
    cr_assert_not_null(timer);
    loop_timer_start(timer, LOOK_MS, LOOK_MS);
    loop_run(flow->loop);
    loop_timer_destroy(timer);
    return look.so;
}

static control_request look(control_operation operation) {
    control_request request = {
        .operation = operation, .name = loam_text_of(id), .limit = GROUND_TASKS_MAX};
    cr_assert_eq(store_control_wait(flow->store, &request), LOAM_OK, "%s", request.base.error.text);
    return request;
}

control_request job_ground_row(void) {
    return look(CONTROL_JOB_GET);
}

control_request job_ground_results(void) {
    return look(CONTROL_JOB_RESULTS);
}

/* ---- Behind the store's back ---------------------------------------------------------------- */

static sqlite3 *open_file(const char *name) {
    char path[PATH_BYTES];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/../%s", store_uploads_dir(flow->store), name);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, SQL_WAIT_MS);
    return db;
}

static void run_sql(const char *name, const char *sql) {
    sqlite3 *db = open_file(name);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
}

void job_ground_sql(const char *sql) {
    run_sql("control.db", sql);
}

void job_ground_cache_sql(const char *sql) {
    run_sql("cache.db", sql);
}

static void leave_job(sqlite3_stmt *insert, uint32_t number) {
    const digest key = test_key(number);
    job_reading *reading = read_request(&key, 1, false);
    const job *of = &reading->job;
    sqlite3_bind_text(insert, 1, of->id, -1, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 2, of->key.bytes, DIGEST_BYTES, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, of->canonical.bytes, (int)of->canonical.size, SQLITE_STATIC);
    cr_assert_eq(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
    job_reading_destroy(reading);
}

void job_ground_leave(uint32_t first, uint32_t jobs) {
    sqlite3 *db = open_file("control.db");
    sqlite3_stmt *insert;
    cr_assert_eq(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_prepare_v2(db, leave, -1, &insert, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    for (uint32_t i = 0; i < jobs; i++) {
        leave_job(insert, first + i);
    }
    sqlite3_finalize(insert);
    cr_assert_eq(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

int64_t job_ground_number(const char *sql) {
    sqlite3 *db = open_file("control.db");
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK, "%s",
                 sqlite3_errmsg(db));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW, "%s", sqlite3_errmsg(db));
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}
