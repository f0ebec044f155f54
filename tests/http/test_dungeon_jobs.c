/* SPDX-License-Identifier: MIT
 *
 * test_dungeon_jobs.c: jobs of dungeons over HTTP: accepted whole or not at all, each entry with
 * its result and its reasons, behind requests, and nothing of a secret in them.
 */
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAZE(seed) "{\"recipe\": \"maze\", \"seed\": \"" seed "\", \"params\": {\"width\": 32}}"
#define LOOPS                                                                                      \
    "\"recipe\": \"dungeon.rooms\", \"params\": {\"width\": 48, \"height\": 32, \"checks\": "      \
    "{\"min_loops\": 99}}"

enum { ID_BYTES = 64, LIST_BYTES = 1 << 20 };

static char list_json[LIST_BYTES];

static void start(void) {
    server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
}

TestSuite(dungeon_jobs, .init = start, .fini = server_stop, .timeout = 60);

static answer post(const char *json) {
    return ask_json(&server, "POST", json, "/v1/jobs");
}

static answer post_to(const char *id, const char *what) {
    return ask(&server, "POST", NULL, "/v1/jobs/%s/%s", id, what);
}

/* So many dungeons of `side` cells with rising seeds. */
static const char *many(int count, int side) {
    size_t size = (size_t)snprintf(list_json, LIST_BYTES, "{\"dungeons\":[");
    for (int i = 0; i < count; i++) {
        size += (size_t)snprintf(list_json + size, LIST_BYTES - size,
                                 "%s{\"recipe\":\"dungeon.rooms\",\"seed\":\"%d\",\"params\":{"
                                 "\"width\":%d,\"height\":%d}}",
                                 i == 0 ? "" : ",", i, side, side);
    }
    snprintf(list_json + size, LIST_BYTES - size, "]}");
    return list_json;
}

static void read_text(const answer *of, const char *key, char text[ID_BYTES]) {
    json_t *root = answer_json(of);
    const char *value = json_string_value(json_object_get(root, key));
    snprintf(text, ID_BYTES, "%s", value == NULL ? "" : value);
    json_decref(root);
}

static int read_count(const answer *of, const char *key) {
    json_t *root = answer_json(of);
    int value = (int)json_integer_value(json_object_get(root, key));
    json_decref(root);
    return value;
}

/* The id of a job that is taken now. */
static void begin(const char *json, char id[ID_BYTES]) {
    answer made = post(json);
    cr_assert_eq(made.status, 202, "%d %.400s", made.status, made.body);
    read_text(&made, "id", id);
    answer_free(&made);
}

static answer wait_end(const char *id) {
    const char *headers[] = {"Prefer: wait=30", NULL};
    for (int i = 0; i < 2; i++) {
        char state[ID_BYTES];
        answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "/v1/jobs/%s", id);
        cr_assert_eq(of.status, 200, "%s", of.body);
        read_text(&of, "state", state);
        if (strcmp(state, "running") != 0 && strcmp(state, "queued") != 0) {
            return of;
        }
        answer_free(&of);
    }
    cr_assert_fail("the job does not end");
    return (answer){0};
}

/* Waits for the end, which must be this one; cached -1: any number. */
static void expect_end(const char *id, const char *state, int done, int cached, int failed) {
    char now[ID_BYTES];
    answer of = wait_end(id);
    read_text(&of, "state", now);
    cr_expect_str_eq(now, state);
    cr_expect_eq(read_count(&of, "done"), done, "%s", of.body);
    cr_expect(cached < 0 || read_count(&of, "cached") == cached, "%s", of.body);
    cr_expect_eq(read_count(&of, "failed"), failed, "%s", of.body);
    answer_free(&of);
}

/* The rows behind `after`, as an array. The caller lets go of it. */
static json_t *results(const char *id, int after, int limit) {
    json_t *rows = json_array();
    answer of = ask_get(&server, "/v1/jobs/%s/results?after=%d&limit=%d", id, after, limit);
    cr_assert_eq(of.status, 200, "%s", of.body);
    cr_expect_str_eq(answer_header(&of, "Content-Type"), "application/x-ndjson");
    for (char *line = strtok(of.body, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *row = json_loads(line, 0, NULL);
        cr_assert_not_null(row, "%s", line);
        json_array_append_new(rows, row);
    }
    answer_free(&of);
    return rows;
}

static const char *text_of(const json_t *row, const char *key) {
    const char *text = json_string_value(json_object_get(row, key));
    return text == NULL ? "" : text;
}

static json_int_t number_of(const json_t *row, const char *key) {
    return json_integer_value(json_object_get(row, key));
}

/* The row of an entry of the list; the same memory. */
static const json_t *row_of(const json_t *rows, int entry) {
    for (size_t i = 0; i < json_array_size(rows); i++) {
        if (number_of(json_array_get(rows, i), "dungeon") == entry) {
            return json_array_get(rows, i);
        }
    }
    cr_assert_fail("entry %d has no result", entry);
    return NULL;
}

static void expect_served(const json_t *row) {
    const char *headers[] = {"Accept: application/vnd.loam.dungeon", NULL};
    answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "/v1/dungeons/%s",
                    text_of(row, "build_key"));
    cr_assert_eq(of.status, 200, "%s", of.body);
    expect_hashes(&of);
    cr_expect_str_eq(answer_header(&of, "Loam-Digest"), text_of(row, "digest"));
    cr_expect_eq((json_int_t)of.size, number_of(row, "bytes"));
    answer_free(&of);
}

/* ---- Results -------------------------------------------------------------------------------- */

Test(dungeon_jobs, a_job_builds_each_dungeon_once_and_lists_every_entry) {
    char id[ID_BYTES], location[96];
    answer made = post("{\"dungeons\": [" MAZE("1") ", " MAZE("2") ", " MAZE("1") "]}");
    cr_assert_eq(made.status, 202, "%s", made.body);
    read_text(&made, "id", id);
    snprintf(location, sizeof location, "/v1/jobs/%s", id);
    cr_expect_str_eq(answer_header(&made, "Location"), location);
    cr_expect_eq(read_count(&made, "total"), 3);
    cr_expect_null(strstr(made.body, "\"world\""), "%s", made.body);
    cr_expect_null(strstr(made.body, "maze"), "%s", made.body);
    expect_end(id, "succeeded", 3, -1, 0);
    json_t *rows = results(id, 0, 100);
    cr_assert_eq(json_array_size(rows), 3);
    for (int i = 0; i < 3; i++) {
        const json_t *row = row_of(rows, i);
        cr_expect_str_eq(text_of(row, "status"), "ok");
        cr_expect_null(json_object_get(row, "reasons"));
        cr_expect_null(json_object_get(row, "cell"));
        cr_expect_eq(number_of(json_array_get(rows, (size_t)i), "n"), i + 1);
        expect_served(row);
    }
    cr_expect_str_eq(text_of(row_of(rows, 0), "digest"), text_of(row_of(rows, 2), "digest"));
    cr_expect_str_neq(text_of(row_of(rows, 0), "digest"), text_of(row_of(rows, 1), "digest"));
    cr_expect_eq((int)daemon_metric(&server, "loam_job_dungeons_total"), 3);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 2);
    json_decref(rows);
    answer_free(&made);
}

Test(dungeon_jobs, results_are_read_page_by_page) {
    char id[ID_BYTES];
    begin(many(50, 16), id);
    expect_end(id, "succeeded", 50, 0, 0);
    json_t *page = results(id, 10, 3);
    cr_assert_eq(json_array_size(page), 3);
    cr_expect_eq(number_of(json_array_get(page, 0), "n"), 11);
    cr_expect_eq(number_of(json_array_get(page, 2), "n"), 13);
    json_decref(page);
    page = results(id, 50, 3);
    cr_expect_eq(json_array_size(page), 0);
    json_decref(page);
}

Test(dungeon_jobs, the_same_dungeons_are_the_same_job) {
    char id[ID_BYTES], other[ID_BYTES];
    begin("{\"dungeons\": [" MAZE("1") "]}", id);
    answer again =
        post("{\"keep\": true, \"dungeons\": [{\"seed\": \"1\", \"version\": 1, "
             "\"params\": {\"width\": 32, \"max_attempts\": 8}, \"recipe\": \"maze\"}]}");
    cr_expect_eq(again.status, 200, "%d %s", again.status, again.body);
    read_text(&again, "id", other);
    cr_expect_str_eq(other, id);
    expect_end(id, "succeeded", 1, 0, 0);
    answer later = post("{\"dungeons\": [" MAZE("1") "]}");
    cr_expect_eq(later.status, 200);
    read_text(&later, "state", other);
    cr_expect_str_eq(other, "succeeded");
    begin("{\"dungeons\": [" MAZE("1") "], \"priority\": 6}", other);
    cr_expect_str_neq(other, id);
    expect_end(other, "succeeded", 1, 1, 0);
    answer_free(&again);
    answer_free(&later);
}

Test(dungeon_jobs, what_was_built_before_is_not_built_again) {
    char id[ID_BYTES];
    answer one = ask_json(&server, "POST", MAZE("7"), "/v1/dungeons");
    cr_assert_eq(one.status, 201);
    begin("{\"dungeons\": [" MAZE("7") ", " MAZE("8") "]}", id);
    expect_end(id, "succeeded", 2, 1, 0);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 2);
    answer two = ask_json(&server, "POST", MAZE("8"), "/v1/dungeons");
    cr_expect_eq(two.status, 200);
    cr_expect_str_eq(answer_header(&two, "Cache-Status"), "loam; hit");
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 2);
    json_t *rows = results(id, 0, 10);
    cr_expect(json_is_true(json_object_get(row_of(rows, 0), "cached")));
    cr_expect(json_is_false(json_object_get(row_of(rows, 1), "cached")));
    json_decref(rows);
    answer_free(&one);
    answer_free(&two);
}

/* ---- How dungeons end ----------------------------------------------------------------------- */

static bool has_reason(const json_t *row, const char *code) {
    json_t *reasons = json_object_get(row, "reasons");
    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const json_t *reason = json_array_get(reasons, i);
        if (strcmp(text_of(reason, "code"), code) == 0 && *text_of(reason, "detail") != 0) {
            return true;
        }
    }
    return false;
}

#define THREE_POLICIES                                                                             \
    "{\"dungeons\": [{\"seed\": \"1\", " LOOPS                                                     \
    "}, {\"seed\": \"1\", \"policy\": \"fallback\", " LOOPS                                        \
    "}, {\"seed\": \"1\", \"policy\": \"strict\", " LOOPS "}, " MAZE("1") "]}"

Test(dungeon_jobs, each_entry_says_how_it_went_and_why) {
    char id[ID_BYTES];
    begin(THREE_POLICIES, id);
    expect_end(id, "failed", 3, 0, 1);
    json_t *rows = results(id, 0, 10);
    cr_assert_eq(json_array_size(rows), 4);
    cr_expect_str_eq(text_of(row_of(rows, 0), "status"), "degraded");
    cr_expect(has_reason(row_of(rows, 0), "loops"));
    cr_expect_str_eq(text_of(row_of(rows, 1), "status"), "fallback");
    cr_expect(has_reason(row_of(rows, 1), "loops"));
    cr_expect_str_eq(text_of(row_of(rows, 2), "status"), "failed");
    cr_expect(has_reason(row_of(rows, 2), "not-achieved"));
    cr_expect_null(json_object_get(row_of(rows, 2), "digest"));
    cr_expect_str_eq(text_of(row_of(rows, 3), "status"), "ok");
    expect_served(row_of(rows, 0));
    expect_served(row_of(rows, 1));
    answer of = ask_get(&server, "/v1/jobs/%s", id);
    json_t *document = answer_json(&of);
    json_t *problems = json_object_get(document, "problems");
    cr_assert_eq(json_array_size(problems), 1, "%s", of.body);
    const json_t *problem = json_array_get(problems, 0);
    cr_expect_eq(number_of(problem, "dungeon"), 2);
    cr_expect_str_eq(text_of(problem, "code"), "not-achieved");
    cr_expect_str_eq(text_of(problem, "build_key"), text_of(row_of(rows, 2), "build_key"));
    json_decref(document);
    answer_free(&of);
    json_decref(rows);
}

Test(dungeon_jobs, a_retry_builds_what_failed_and_nothing_else) {
    char id[ID_BYTES];
    begin(THREE_POLICIES, id);
    expect_end(id, "failed", 3, 0, 1);
    answer again = post_to(id, "retries");
    cr_expect_eq(again.status, 202, "%s", again.body);
    expect_end(id, "failed", 3, 0, 1);
    json_t *rows = results(id, 0, 10);
    cr_expect_eq(json_array_size(rows), 4, "an entry has one row");
    cr_expect_eq(number_of(row_of(rows, 2), "n"), 5);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 3);
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_failed_total"), 2);
    json_decref(rows);
    answer_free(&again);
}

/* ---- What clients do ------------------------------------------------------------------------ */

Test(dungeon_jobs, a_paused_job_stands_still_and_goes_on_and_a_cancelled_one_starts_again) {
    char id[ID_BYTES], state[ID_BYTES];
    begin(many(300, 128), id);
    answer paused = post_to(id, "pause");
    cr_assert_eq(paused.status, 202, "%s", paused.body);
    pause_ms(200);
    answer one = ask_get(&server, "/v1/jobs/%s", id);
    pause_ms(200);
    answer two = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect_str_eq(one.body, two.body);
    cr_expect_lt(read_count(&two, "done"), 300);
    answer resumed = post_to(id, "resumption");
    cr_expect_eq(resumed.status, 202);
    answer cancelled = post_to(id, "cancellation");
    cr_expect_eq(cancelled.status, 202, "%s", cancelled.body);
    read_text(&cancelled, "state", state);
    cr_expect_str_eq(state, "cancelled");
    expect_problem(post_to(id, "pause"), 409, "bad-state", NULL);
    answer again = post(many(300, 128));
    cr_expect_eq(again.status, 202);
    answer ended = wait_end(id);
    cr_expect_eq(read_count(&ended, "done"), 300, "%s", ended.body);
    json_t *rows = results(id, 0, 1000);
    cr_expect_eq(json_array_size(rows), 300);
    json_decref(rows);
    answer_free(&paused);
    answer_free(&one);
    answer_free(&two);
    answer_free(&resumed);
    answer_free(&cancelled);
    answer_free(&again);
    answer_free(&ended);
}

Test(dungeon_jobs, a_wait_for_a_change_ends_with_the_change) {
    char id[ID_BYTES], tag[128];
    begin(many(300, 128), id);
    answer now = ask_get(&server, "/v1/jobs/%s", id);
    snprintf(tag, sizeof tag, "If-None-Match: %s", answer_header(&now, "ETag"));
    const char *headers[] = {"Prefer: wait=20", tag, NULL};
    answer changed = ask(&server, "GET", &(ask_options){.headers = headers}, "/v1/jobs/%s", id);
    cr_expect_eq(changed.status, 200);
    cr_expect_str_neq(changed.body, now.body);
    answer cancelled = post_to(id, "cancellation");
    answer_free(&now);
    answer_free(&changed);
    answer_free(&cancelled);
}

Test(dungeon_jobs, requests_go_before_the_dungeons_of_jobs) {
    char id[ID_BYTES];
    begin(many(400, 128), id);
    answer one = ask_json(&server, "POST", MAZE("99"), "/v1/dungeons");
    answer now = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect_eq(one.status, 201);
    cr_expect_lt(read_count(&now, "done"), 400, "the request waited for the job");
    answer joined = ask_json(&server, "POST",
                             "{\"recipe\": \"dungeon.rooms\", \"seed\": \"399\", \"params\": "
                             "{\"width\": 128, \"height\": 128}}",
                             "/v1/dungeons");
    cr_expect_eq(joined.status, 200, "its request is kept since the job was taken");
    answer then = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect_lt(read_count(&then, "done"), 400, "the last one was built before its turn");
    expect_end(id, "succeeded", 400, 1, 0);
    answer_free(&one);
    answer_free(&now);
    answer_free(&joined);
    answer_free(&then);
}

/* ---- What is refused ------------------------------------------------------------------------ */

Test(dungeon_jobs, a_job_is_taken_whole_or_not_at_all) {
    static const struct {
        const char *json;
        const char *code;
        const char *pointer;
    } bad[] = {
        {"{\"dungeons\": []}", "out-of-range", "/dungeons"},
        {"{\"dungeons\": {}}", "wrong-type", "/dungeons"},
        {"{\"dungeons\": [" MAZE("1") "], \"world\": \"w\"}", "unknown-field", "/world"},
        {"{\"dungeons\": [" MAZE("1") ", " MAZE("x") "]}", "seed-out-of-range", "/dungeons/1/seed"},
        {"{\"dungeons\": [" MAZE("1") ", " MAZE("2") ", " MAZE(
             "3") ", {\"recipe\": \"maze\", "
                  "\"seed\": \"1\", \"params\": {\"width\": 4}}]}",
         "out-of-range", "/dungeons/3/params/width"},
        {"{\"dungeons\": [{\"recipe\": \"mazes\", \"seed\": \"1\"}]}", "unknown-recipe",
         "/dungeons/0/recipe"},
        {"{\"dungeons\": [{\"recipe\": \"maze\", \"seed\": \"1\", \"content\": {\"rules\": "
         "[{\"name\": \"a\", \"object\": \"cake\", \"where\": \"any\"}]}}]}",
         "out-of-range", "/dungeons/0/content/rules/0/object"},
        {"{\"dungeons\": [{\"recipe\": \"dungeon.rooms\", \"seed\": \"1\", \"policy\": \"strict\", "
         "\"params\": {\"width\": 64, \"height\": 64, \"rooms\": 100, \"room_min\": 8, "
         "\"room_max\": 8, \"gap\": 2}}]}",
         "infeasible", "/dungeons/0/params/rooms"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_problem(post(bad[i].json), 422, bad[i].code, bad[i].pointer);
    }
    expect_problem(post("{\"dungeons\": ["), 400, "malformed", NULL);
    expect_problem(post(many(10001, 8)), 422, "too-many", "/dungeons");
    answer list = ask_get(&server, "/v1/jobs");
    cr_expect_str_eq(list.body, "{\"jobs\":[]}");
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeon_misses_total"), 0);
    answer_free(&list);
}

Test(dungeon_jobs, results_that_would_not_fit_in_the_cache_are_refused_unless_not_kept) {
    char folder[DAEMON_FOLDER_BYTES];
    static char loose[256];
    snprintf(folder, sizeof folder, "%s", server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(folder, (const char *const[]){"--cache-bytes", "16M", NULL});
    expect_problem(post(many(1000, 64)), 422, "cache-too-small", "/dungeons");
    snprintf(
        loose, sizeof loose,
        "{\"dungeons\": [{\"recipe\": \"maze\", \"seed\": \"1\", \"params\": {\"width\": 1024, "
        "\"height\": 512}}], \"keep\": false}");
    answer fine = post(loose);
    cr_expect_eq(fine.status, 202, "%s", fine.body);
    answer_free(&fine);
}

/* ---- Secrets -------------------------------------------------------------------------------- */

#define HIDDEN                                                                                     \
    "{\"recipe\": \"dungeon.rooms\", \"seed\": \"5\", \"secret_seed\": \"987654321\", "            \
    "\"content\":"                                                                                 \
    " {\"rules\": [{\"name\": \"gilded\", \"object\": \"chest\", \"where\": \"any\", "             \
    "\"chance_permille\": 900}]}}"

static void expect_hidden(const char *path) {
    answer of = ask_get(&server, "%s", path);
    cr_assert_eq(of.status, 200);
    cr_expect_null(strstr(of.body, "987654321"), "%s: %s", path, of.body);
    cr_expect_null(strstr(of.body, "gilded"), "%s: %s", path, of.body);
    answer_free(&of);
}

Test(dungeon_jobs, a_job_shows_nothing_of_secrets_and_keeps_what_they_hide) {
    char id[ID_BYTES], other[ID_BYTES], path[256];
    begin("{\"dungeons\": [" HIDDEN "]}", id);
    expect_end(id, "succeeded", 1, 0, 0);
    snprintf(path, sizeof path, "/v1/jobs/%s", id);
    expect_hidden(path);
    expect_hidden("/v1/jobs");
    snprintf(path, sizeof path, "/v1/jobs/%s/results", id);
    expect_hidden(path);
    answer plain = post("{\"dungeons\": [{\"recipe\": \"dungeon.rooms\", \"seed\": \"5\"}]}");
    cr_expect_eq(plain.status, 200, "another secret is no other job");
    read_text(&plain, "id", other);
    cr_expect_str_eq(other, id);

    answer one = ask_json(&server, "POST", HIDDEN, "/v1/dungeons");
    cr_assert_eq(one.status, 200, "%s", one.body);
    json_t *rows = results(id, 0, 10);
    answer content =
        ask_get(&server, "/v1/dungeons/%s/content?content=%s",
                text_of(row_of(rows, 0), "build_key"), answer_header(&one, "Loam-Content-Key"));
    cr_expect_eq(content.status, 200, "%s", content.body);
    cr_expect_not_null(strstr(content.body, "gilded"));
    cr_expect_eq((int)daemon_metric(&server, "loam_dungeons_built_total"), 1);
    json_decref(rows);
    answer_free(&plain);
    answer_free(&one);
    answer_free(&content);
}

Test(dungeon_jobs, a_secret_needs_the_server_scope) {
    char folder[DAEMON_FOLDER_BYTES];
    snprintf(folder, sizeof folder, "%s", server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    server =
        daemon_start(folder, (const char *const[]){"--anonymous-scopes", "read,generate", NULL});
    expect_problem(post("{\"dungeons\": [" MAZE("1") ", " HIDDEN "]}"), 403, "forbidden",
                   "/dungeons/1/secret_seed");
    answer fine = post("{\"dungeons\": [" MAZE("1") "]}");
    cr_expect_eq(fine.status, 202, "%s", fine.body);
    answer_free(&fine);
}
