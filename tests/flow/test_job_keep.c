/* SPDX-License-Identifier: MIT
 *
 * test_job_keep.c: a cache that is nearly too small, and others who fill it: what a job keeps stays
 * until the job has ended and goes then; what is not kept may go, and the job tells how much. The
 * daemon keeps next to nothing in memory beside the store, so that what is there is on the disk.
 */
#include "tests/support/job_calls.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Cells of level 0 have 1.4 MB, eleven of which fill the cache; those of level 1 some 22 KB. */
static const char world[] =
    "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": \"grid.sample\", "
    "\"params\": {\"spacing_m\": 0.75}}}, \"outputs\": {\"g\": {\"node\": \"g\", \"level\": 0}}}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 256}, {\"cell_size_m\": 32}]}}";

enum { LARGE_CELLS = 20, SMALL_CELLS = 256 };

/* One cell after the other, so that a job can be stopped in its midst. */
static const char *const args[] = {"--cache-bytes",
                                   "16M",
                                   "--ram-cache-bytes",
                                   "1M",
                                   "--workers",
                                   "1",
                                   "--job-cells-in-flight",
                                   "1",
                                   NULL};

static void start(void) {
    server = daemon_start(NULL, args);
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/wide");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer_free(&put);
}

TestSuite(job_keep, .init = start, .fini = server_stop, .timeout = 120);

static void post(int level, int x_min, int x_max, bool keep, char id[64]) {
    char document[256];
    snprintf(document, sizeof document,
             "{\"world\": \"wide\", \"outputs\": [\"g\"], \"level\": %d, \"cells\": {\"min\": "
             "[%d, 0], \"max\": [%d, 0]}, \"keep\": %s}",
             level, x_min, x_max, keep ? "true" : "false");
    job_post(&server, document, id);
}

static json_int_t count_of(const char *id, const char *key) {
    return job_count(&server, id, key);
}

static void wait_until(const char *id, const char *state) {
    for (int i = 0; i < 3000; i++) {
        if (job_is(&server, id, state)) {
            return;
        }
        pause_ms(10);
    }
    cr_assert_fail("the job is not %s", state);
}

static void act(const char *id, const char *what) {
    answer done = ask(&server, "POST", NULL, "/v1/jobs/%s/%s", id, what);
    cr_assert_eq(done.status, 202, "%s", done.body);
    answer_free(&done);
}

static void ask_for(int level, int x, int z) {
    answer cell = ask_get(&server, "/v1/worlds/wide/cells/%d/%d/%d/g", level, x, z);
    cr_assert_eq(cell.status, 200, "%s", cell.body);
    answer_free(&cell);
}

/* Others ask for more than the cache holds, the one on the disk and the one in memory. */
static void fill_cache(int z) {
    for (int x = 0; x < LARGE_CELLS; x++) {
        ask_for(0, x, z);
    }
    for (int x = 0; x < 80; x++) {
        ask_for(1, x, -z);
    }
    pause_ms(100); /* an answer does not wait for the disk */
}

static bool is_there(int level, int x) {
    answer cell = ask_get(&server, "/v1/worlds/wide/cells/%d/%d/0/g?cached=only", level, x);
    bool there = cell.status == 200;
    answer_free(&cell);
    return there;
}

static int count_there(const char *id) {
    int there = 0;
    answer results = ask_get(&server, "/v1/jobs/%s/results", id);
    for (char *line = strtok(results.body, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *row = json_loads(line, 0, NULL);
        cr_assert_not_null(row);
        there +=
            is_there(1, (int)json_integer_value(json_array_get(json_object_get(row, "cell"), 0)));
        json_decref(row);
    }
    answer_free(&results);
    return there;
}

/* A job of small cells that stands in its midst, with some of them done. */
static json_int_t half_a_job(char id[64], bool keep) {
    post(1, 0, SMALL_CELLS - 1, keep, id);
    while (count_of(id, "done") < 8) {
    }
    act(id, "pause");
    pause_ms(200);
    json_int_t done = count_of(id, "done");
    cr_assert_lt(done, SMALL_CELLS);
    return done;
}

Test(job_keep, results_stay_while_the_job_stands_and_go_when_it_has_ended) {
    char id[64];
    json_int_t done = half_a_job(id, true);
    fill_cache(1);
    cr_expect_lt(daemon_metric(&server, "loam_store_bytes"), 17 << 20);
    cr_expect_eq(count_there(id), done, "of %d", (int)done);
    act(id, "cancellation");
    wait_until(id, "cancelled");
    fill_cache(2);
    cr_expect_eq(count_there(id), 0);
}

Test(job_keep, results_stay_behind_a_restart_too) {
    char id[64];
    json_int_t done = half_a_job(id, true);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, args);
    act(id, "resumption");
    while (count_of(id, "done") <= done) {
    }
    act(id, "pause");
    pause_ms(200);
    fill_cache(1);
    cr_expect_eq(count_there(id), count_of(id, "done"));
    act(id, "resumption");
    wait_until(id, "succeeded");
    cr_expect_eq(count_of(id, "done"), SMALL_CELLS);
    cr_expect_eq(count_of(id, "evicted"), 0);
}

Test(job_keep, what_is_not_kept_may_go_and_is_built_again) {
    char id[64];
    json_int_t done = half_a_job(id, false);
    fill_cache(1);
    cr_expect_eq(count_there(id), 0);
    act(id, "resumption");
    wait_until(id, "succeeded");
    cr_expect_eq(count_of(id, "evicted"), done, "the job tells what went");
    post(1, 0, SMALL_CELLS - 1, false, id);
    wait_until(id, "succeeded");
    cr_expect_eq(count_there(id), SMALL_CELLS);
    cr_expect_eq(count_of(id, "evicted"), 0);
}

Test(job_keep, a_job_that_finds_no_room_beside_what_others_keep_says_so_and_is_retried) {
    char first[64];
    char second[64];
    post(0, 0, 8, true, first);
    while (count_of(first, "done") < 6) {
    }
    act(first, "pause");
    post(0, 100, 108, true, second);
    wait_until(second, "failed");
    json_t *root = job_get(&server, second);
    json_t *problem = json_array_get(json_object_get(root, "problems"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(problem, "code")), "cache-too-small");
    json_decref(root);
    json_int_t failed = count_of(second, "failed");
    act(first, "cancellation");
    wait_until(first, "cancelled");
    double built = daemon_metric(&server, "loam_cells_built_total");
    act(second, "retries");
    wait_until(second, "succeeded");
    cr_expect_eq(count_of(second, "done"), 9);
    cr_expect_leq(daemon_metric(&server, "loam_cells_built_total") - built, (double)failed);
    answer cell = ask_get(&server, "/v1/worlds/wide/cells/0/0/5/g");
    cr_expect_eq(cell.status, 200, "others are served whatever is kept");
    answer_free(&cell);
}
