/* SPDX-License-Identifier: MIT
 *
 * test_jobs.c: jobs over HTTP: asked for, waited for, listed, paused, cancelled, asked for again.
 */
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void start(void) {
    server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
    forest_put(&server);
}

TestSuite(jobs, .init = start, .fini = server_stop);

#define ALL_LARGE                                                                                  \
    "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 0, \"cells\": \"all\"}"
#define ALL_SMALL                                                                                  \
    "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 1, \"cells\": \"all\"}"

static answer post(const char *json) {
    return ask_json(&server, "POST", json, "/v1/jobs");
}

static answer post_to(const char *id, const char *what) {
    return ask(&server, "POST", NULL, "/v1/jobs/%s/%s", id, what);
}

static void read_field(const answer *of, const char *key, char text[64]) {
    json_t *root = answer_json(of);
    const char *value = json_string_value(json_object_get(root, key));
    snprintf(text, 64, "%s", value == NULL ? "" : value);
    json_decref(root);
}

static json_int_t read_count(const answer *of, const char *key) {
    json_t *root = answer_json(of);
    json_int_t value = json_integer_value(json_object_get(root, key));
    json_decref(root);
    return value;
}

static answer get_waiting(const char *id, const char *header, const char *second) {
    const char *headers[] = {header, second, NULL};
    return ask(&server, "GET", &(ask_options){.headers = headers}, "/v1/jobs/%s", id);
}

/* Waits until the job has ended; its document. */
static answer wait_end(const char *id) {
    for (int i = 0; i < 6; i++) {
        answer of = get_waiting(id, "Prefer: wait=30", NULL);
        char state[64];
        cr_assert_eq(of.status, 200, "%s", of.body);
        read_field(&of, "state", state);
        if (strcmp(state, "running") != 0 && strcmp(state, "queued") != 0) {
            return of;
        }
        answer_free(&of);
    }
    cr_assert_fail("the job does not end");
    return (answer){0};
}

static void expect_state(const char *id, const char *state) {
    char now[64];
    answer of = ask_get(&server, "/v1/jobs/%s", id);
    read_field(&of, "state", now);
    cr_expect_str_eq(now, state);
    answer_free(&of);
}

Test(jobs, a_job_builds_its_cells_and_lists_them) {
    char id[64];
    char state[64];
    answer made = post(ALL_LARGE);
    cr_assert_eq(made.status, 202, "%s", made.body);
    read_field(&made, "id", id);
    char location[96];
    snprintf(location, sizeof location, "/v1/jobs/%s", id);
    cr_expect_str_eq(answer_header(&made, "Location"), location);
    cr_expect_eq(read_count(&made, "total"), 16);
    answer ended = wait_end(id);
    read_field(&ended, "state", state);
    cr_expect_str_eq(state, "succeeded");
    cr_expect_eq(read_count(&ended, "done"), 16);
    cr_expect_eq(read_count(&ended, "failed"), 0);
    expect_hashes(&ended);

    answer results = ask_get(&server, "/v1/jobs/%s/results", id);
    cr_expect_str_eq(answer_header(&results, "Content-Type"), "application/x-ndjson");
    int lines = 0;
    for (char *line = strtok(results.body, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *row = json_loads(line, 0, NULL);
        cr_assert_not_null(row);
        cr_expect_eq(json_integer_value(json_object_get(row, "n")), ++lines);
        json_t *cell = json_object_get(row, "cell");
        answer one = ask_get(&server, "/v1/worlds/forest/cells/0/%d/%d/trees?cached=only",
                             (int)json_integer_value(json_array_get(cell, 0)),
                             (int)json_integer_value(json_array_get(cell, 1)));
        cr_assert_eq(one.status, 200);
        cr_expect_str_eq(answer_header(&one, "Loam-Digest"),
                         json_string_value(json_object_get(row, "digest")));
        cr_expect_str_eq(answer_header(&one, "Loam-Build-Key"),
                         json_string_value(json_object_get(row, "build_key")));
        cr_expect_eq(json_integer_value(json_object_get(row, "bytes")), (json_int_t)one.size);
        answer_free(&one);
        json_decref(row);
    }
    cr_expect_eq(lines, 16);
    answer rest = ask_get(&server, "/v1/jobs/%s/results?after=10&limit=3", id);
    cr_expect(strncmp(rest.body, "{\"n\":11,", 8) == 0, "%s", rest.body);
    cr_expect(strstr(rest.body, "{\"n\":13,") != NULL && strstr(rest.body, "{\"n\":14,") == NULL);
    cr_expect_eq(daemon_metric(&server, "loam_job_cells_total"), 16);
    answer_free(&made);
    answer_free(&ended);
    answer_free(&results);
    answer_free(&rest);
}

Test(jobs, the_same_request_is_the_same_job) {
    char first[64];
    char second[64];
    answer made = post(ALL_LARGE);
    read_field(&made, "id", first);
    answer again = post("{\"cells\": \"all\", \"level\": 0, \"outputs\": [\"trees\"], "
                        "\"world\": \"forest\"}");
    cr_expect_eq(again.status, 200, "%d %s", again.status, again.body);
    read_field(&again, "id", second);
    cr_expect_str_eq(first, second);
    answer ended = wait_end(first);
    answer later = post(ALL_LARGE);
    cr_expect_eq(later.status, 200);
    read_field(&later, "state", second);
    cr_expect_str_eq(second, "succeeded");
    answer_free(&made);
    answer_free(&again);
    answer_free(&ended);
    answer_free(&later);
}

Test(jobs, what_is_there_already_counts_as_cached) {
    char id[64];
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/0/0/0/trees");
    cr_assert_eq(cell.status, 200);
    answer made = post(ALL_LARGE);
    read_field(&made, "id", id);
    answer ended = wait_end(id);
    cr_expect_eq(read_count(&ended, "done"), 16);
    cr_expect_eq(read_count(&ended, "cached"), 1);
    answer_free(&cell);
    answer_free(&made);
    answer_free(&ended);
}

Test(jobs, a_list_of_cells_and_a_rectangle_are_taken_too) {
    char id[64];
    answer listed = post("{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 0, "
                         "\"cells\": [[0, 0], [3, 3], [0, 0]]}");
    cr_assert_eq(listed.status, 202, "%s", listed.body);
    cr_expect_eq(read_count(&listed, "total"), 2);
    read_field(&listed, "id", id);
    answer ended = wait_end(id);
    cr_expect_eq(read_count(&ended, "done"), 2);
    answer rectangle = post("{\"world\": \"forest\", \"outputs\": [\"trees\"], "
                            "\"cells\": {\"min\": [0, 0], \"max\": [1, 2]}, \"priority\": 9}");
    cr_expect_eq(read_count(&rectangle, "total"), 6, "%s", rectangle.body);
    answer_free(&listed);
    answer_free(&ended);
    answer_free(&rectangle);
}

Test(jobs, a_job_that_is_paused_stands_still_and_then_goes_on) {
    char id[64];
    answer made = post(ALL_SMALL);
    read_field(&made, "id", id);
    answer paused = post_to(id, "pause");
    cr_assert_eq(paused.status, 202, "%s", paused.body);
    expect_state(id, "paused");
    pause_ms(300);
    answer one = ask_get(&server, "/v1/jobs/%s", id);
    pause_ms(300);
    answer two = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect_str_eq(one.body, two.body);
    cr_expect_lt(read_count(&two, "done"), 256);
    answer list = ask_get(&server, "/v1/jobs?state=paused");
    cr_expect(strstr(list.body, id) != NULL);
    answer resumed = post_to(id, "resumption");
    cr_expect_eq(resumed.status, 202);
    answer ended = wait_end(id);
    cr_expect_eq(read_count(&ended, "done"), 256);
    answer_free(&made);
    answer_free(&paused);
    answer_free(&one);
    answer_free(&two);
    answer_free(&list);
    answer_free(&resumed);
    answer_free(&ended);
}

Test(jobs, a_job_that_is_cancelled_ends_within_two_seconds_and_can_be_asked_for_again) {
    char id[64];
    struct timespec before;
    struct timespec after;
    answer made = post(ALL_SMALL);
    read_field(&made, "id", id);
    clock_gettime(CLOCK_MONOTONIC, &before);
    answer cancelled = post_to(id, "cancellation");
    clock_gettime(CLOCK_MONOTONIC, &after);
    cr_assert_eq(cancelled.status, 202, "%s", cancelled.body);
    cr_expect_lt(after.tv_sec - before.tv_sec, 3);
    expect_state(id, "cancelled");
    expect_problem(post_to(id, "cancellation"), 409, "bad-state", NULL);
    expect_problem(post_to(id, "pause"), 409, "bad-state", NULL);
    expect_problem(post_to(id, "resumption"), 409, "bad-state", NULL);
    expect_problem(post_to(id, "retries"), 409, "bad-state", NULL);
    answer again = post(ALL_SMALL);
    cr_expect_eq(again.status, 202);
    answer ended = wait_end(id);
    cr_expect_eq(read_count(&ended, "done"), 256);
    answer results = ask_get(&server, "/v1/jobs/%s/results", id);
    int lines = 0;
    for (const char *at = results.body; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    cr_expect_eq(lines, 256);
    answer_free(&made);
    answer_free(&cancelled);
    answer_free(&again);
    answer_free(&ended);
    answer_free(&results);
}

Test(jobs, a_wait_for_a_change_ends_with_the_change) {
    char id[64];
    char tag[128];
    answer made = post(ALL_SMALL);
    read_field(&made, "id", id);
    answer now = ask_get(&server, "/v1/jobs/%s", id);
    snprintf(tag, sizeof tag, "If-None-Match: %s", answer_header(&now, "ETag"));
    answer changed = get_waiting(id, "Prefer: wait=20", tag);
    cr_expect_eq(changed.status, 200);
    cr_expect_str_neq(changed.body, now.body);
    answer ended = wait_end(id);
    snprintf(tag, sizeof tag, "If-None-Match: %s", answer_header(&ended, "ETag"));
    answer same = get_waiting(id, "Prefer: wait=1", tag);
    cr_expect_eq(same.status, 304);
    answer_free(&made);
    answer_free(&now);
    answer_free(&changed);
    answer_free(&ended);
    answer_free(&same);
}

Test(jobs, requests_go_before_the_cells_of_jobs) {
    char id[64];
    answer made = post(ALL_SMALL);
    read_field(&made, "id", id);
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/0/3/3/trees");
    answer now = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect_eq(cell.status, 200);
    cr_expect_lt(read_count(&now, "done"), 256, "the cell waited for the job");
    answer ended = wait_end(id);
    answer_free(&made);
    answer_free(&cell);
    answer_free(&now);
    answer_free(&ended);
}

Test(jobs, what_is_wrong_with_a_job_is_named) {
    static const struct {
        const char *json;
        const char *code;
        const char *pointer;
    } bad[] = {
        {"{\"world\": \"desert\", \"outputs\": [\"trees\"], \"cells\": \"all\"}", "not-found",
         "/world"},
        {"{\"world\": \"forest\", \"outputs\": [\"rocks\"], \"cells\": \"all\"}", "unknown-output",
         "/outputs/0"},
        {"{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 7, \"cells\": \"all\"}",
         "out-of-range", "/level"},
        {"{\"world\": \"forest\", \"outputs\": [\"trees\"], \"cells\": [[9, 9]]}", "outside-world",
         "/cells/0"},
        {"{\"world\": \"forest\", \"outputs\": [\"trees\"]}", "missing-field", "/cells"},
        {"{\"world\": \"forest\", \"outputs\": [\"trees\"], \"cells\": \"all\", \"bogus\": 1}",
         "unknown-field", "/bogus"},
        {"{\"world\": \"forest\", \"outputs\": [\"trees\"], \"cells\": \"all\", \"priority\": 10}",
         "out-of-range", "/priority"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_problem(post(bad[i].json), 422, bad[i].code, bad[i].pointer);
    }
    expect_problem(post("{\"world\": "), 400, "malformed", NULL);
    expect_problem(ask_get(&server, "/v1/jobs/0123456789abcdef0123456789abcdef"), 404, "not-found",
                   NULL);
    expect_problem(ask_get(&server, "/v1/jobs/x"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/jobs/x/results"), 404, "not-found", NULL);
    expect_problem(ask_get(&server, "/v1/jobs?state=asleep"), 422, "out-of-range", NULL);
    answer list = ask_get(&server, "/v1/jobs");
    cr_expect_str_eq(list.body, "{\"jobs\":[]}");
    answer_free(&list);
}

static json_t *list_page(const char *query) {
    answer of = ask_get(&server, "/v1/jobs?%s", query);
    json_t *root = json_loads(of.body, 0, NULL);
    cr_assert_eq(of.status, 200, "%s", of.body);
    answer_free(&of);
    return root;
}

Test(jobs, a_list_tells_where_its_next_page_begins) {
    char last[64];
    char query[96];
    for (int i = 0; i < 3; i++) {
        char json[128];
        snprintf(json, sizeof json,
                 "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"cells\": [[%d, 0]]}", i);
        answer made = post(json);
        read_field(&made, "id", last);
        answer_free(&made);
    }
    json_t *first = list_page("limit=2");
    const char *next = json_string_value(json_object_get(first, "next"));
    cr_assert_eq(json_array_size(json_object_get(first, "jobs")), 2);
    cr_assert_not_null(next);
    snprintf(query, sizeof query, "limit=2&after=%s", next);
    json_t *second = list_page(query);
    json_t *jobs = json_object_get(second, "jobs");
    cr_assert_eq(json_array_size(jobs), 1);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(jobs, 0), "id")), last);
    cr_expect_null(json_object_get(second, "next"));
    json_t *whole = list_page("limit=0");
    cr_expect_eq(json_array_size(json_object_get(whole, "jobs")), 3);
    json_decref(first);
    json_decref(second);
    json_decref(whole);
    expect_problem(ask_get(&server, "/v1/jobs?limit=257"), 422, "out-of-range", NULL);
}

Test(jobs, results_that_would_not_fit_in_the_cache_are_refused_unless_not_kept) {
    char folder[DAEMON_FOLDER_BYTES];
    snprintf(folder, sizeof folder, "%s", server.folder);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(folder, (const char *const[]){"--cache-bytes", "16M", NULL});
    static const char large[] =
        "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": "
        "\"grid.sample\", \"params\": {\"spacing_m\": 1}}}, \"outputs\": {\"g\": {\"node\": \"g\", "
        "\"level\": 0}}}, \"grid\": {\"levels\": [{\"cell_size_m\": 256}], \"bounds_m\": "
        "{\"min\": [0, 0], \"max\": [25600, 25600]}}}";
    answer put = ask_json(&server, "PUT", large, "/v1/worlds/large");
    cr_assert_eq(put.status, 201, "%s", put.body);
    expect_problem(post("{\"world\": \"large\", \"outputs\": [\"g\"], \"cells\": \"all\"}"), 422,
                   "cache-too-small", "/cells");
    answer fine = post("{\"world\": \"large\", \"outputs\": [\"g\"], "
                       "\"cells\": {\"min\": [0, 0], \"max\": [1, 1]}}");
    cr_expect_eq(fine.status, 202, "%s", fine.body);
    answer_free(&put);
    answer_free(&fine);
    static const char tiny[] =
        "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": "
        "\"grid.sample\", \"params\": {\"spacing_m\": 4}}}, \"outputs\": {\"g\": {\"node\": \"g\", "
        "\"level\": 0}}}, \"grid\": {\"levels\": [{\"cell_size_m\": 4}], \"bounds_m\": "
        "{\"min\": [0, 0], \"max\": [1024, 1024]}}}";
    put = ask_json(&server, "PUT", tiny, "/v1/worlds/tiny");
    cr_assert_eq(put.status, 201, "%s", put.body);
    expect_problem(post("{\"world\": \"tiny\", \"outputs\": [\"g\"], \"cells\": \"all\"}"), 422,
                   "cache-too-small", "/cells"); /* a cell is no less than its rows */
    fine = post("{\"world\": \"tiny\", \"outputs\": [\"g\"], "
                "\"cells\": {\"min\": [0, 0], \"max\": [31, 31]}}");
    cr_expect_eq(fine.status, 202, "%s", fine.body);
    answer_free(&put);
    answer_free(&fine);
}

/* ---- The funnel ----------------------------------------------------------------------------- */

/* Puts the forest with one text in place of another and bakes it; the job's problems. */
static json_t *bake_changed(const char *name, const char *from, const char *to) {
    char world[4096];
    char job[256];
    char id[64];
    const char *was = forest_world_json(), *at = strstr(was, from);
    cr_assert_not_null(at);
    snprintf(world, sizeof world, "%.*s%s%s", (int)(at - was), was, to, at + strlen(from));
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/%s", name);
    cr_assert_eq(put.status, 201, "%s", put.body);
    snprintf(job, sizeof job,
             "{\"world\": \"%s\", \"outputs\": [\"trees\"], \"level\": 0, \"cells\": \"all\"}",
             name);
    answer made = post(job);
    read_field(&made, "id", id);
    answer end = wait_end(id);
    json_t *root = answer_json(&end);
    cr_expect_str_eq(json_string_value(json_object_get(root, "state")), "succeeded");
    json_t *problems = json_incref(json_object_get(root, "problems"));
    json_decref(root);
    answer_free(&put);
    answer_free(&made);
    answer_free(&end);
    return problems;
}

static void expect_node(json_t *problems, const char *node, const char *code) {
    cr_assert_eq(json_array_size(problems), 1);
    json_t *problem = json_array_get(problems, 0);
    cr_expect_str_eq(json_string_value(json_object_get(problem, "node")), node);
    cr_expect_str_eq(json_string_value(json_object_get(problem, "code")), code);
    cr_expect_eq(json_integer_value(json_object_get(problem, "cells")), 16);
    cr_expect_gt(json_integer_value(json_object_get(problem, "points_in")), 10000);
    json_decref(problems);
}

Test(jobs, the_first_node_that_lets_nothing_out_is_named) {
    expect_node(bake_changed("cliffs", "\"max_deg\": 25", "\"max_deg\": 0"), "gentle",
                "node-empty");
}

Test(jobs, a_node_that_drops_more_than_99_of_100_is_named) {
    expect_node(bake_changed("steppe", "\"in\": {\"points\": \"field\"}}",
                             "\"in\": {\"points\": \"field\"}, \"params\": {\"multiplier\": "
                             "0.0078125}}"),
                "drawn", "node-drops");
}

Test(jobs, a_healthy_funnel_is_no_problem) {
    json_t *problems = bake_changed("woods", "\"seed\": \"42\"", "\"seed\": \"43\"");
    cr_expect_eq(json_array_size(problems), 0);
    json_decref(problems);
}
