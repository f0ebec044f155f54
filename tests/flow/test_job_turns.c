/* SPDX-License-Identifier: MIT
 *
 * test_job_turns.c: jobs among others: behind more urgent ones they still come to their end, beside
 * each other they build what they share once, requests pass all of them, and one that is cancelled
 * lets the workers go while its cells are being built. Bounds of time are wide; what would break
 * them is slower by far.
 */
#include "tests/support/job_calls.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { WORKERS = 2, CANCEL_MS_MAX = 2000 };

/* Cells of level 0 take a second and more, those of level 1 some 0.2 s, those of level 2 nothing.
 */
static const char world[] =
    "{\"seed\": \"7\", \"graph\": {\"loam_graph\": 1, \"nodes\": {"
    "\"sites\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 0.25}},"
    "\"spaced\": {\"op\": \"self.prune\", \"in\": {\"points\": \"sites\"},"
    " \"params\": {\"radius_m\": 0.75, \"rounds\": 6}},"
    "\"few\": {\"op\": \"grid.sample\", \"params\": {\"spacing_m\": 4}}},"
    " \"outputs\": {\"spaced\": {\"node\": \"spaced\", \"level\": 0},"
    " \"few\": {\"node\": \"few\", \"level\": 2}}},"
    " \"grid\": {\"levels\": [{\"cell_size_m\": 512}, {\"cell_size_m\": 128},"
    " {\"cell_size_m\": 4}]}}";

static void start(void) {
    server = daemon_start(NULL, (const char *const[]){"--workers", "2", NULL});
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/slow");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer_free(&put);
}

TestSuite(job_turns, .init = start, .fini = server_stop, .timeout = 120);

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

typedef struct range {
    const char *output;
    int level;
    int x_min, x_max, z_max; /* from z 0 */
    int priority;
} range;

static void post(range of, char id[64]) {
    char document[256];
    snprintf(document, sizeof document,
             "{\"world\": \"slow\", \"outputs\": [\"%s\"], \"level\": %d, \"cells\": {\"min\": "
             "[%d, 0], \"max\": [%d, %d]}, \"priority\": %d}",
             of.output, of.level, of.x_min, of.x_max, of.z_max, of.priority);
    job_post(&server, document, id);
}

static json_int_t count_of(const char *id, const char *key) {
    return job_count(&server, id, key);
}

/* How long it took; fails when it is not so after `ms_max`. */
static double wait_until(const char *id, const char *state, double ms_max) {
    double began = now_ms();
    while (!job_is(&server, id, state)) {
        cr_assert_lt(now_ms() - began, ms_max, "the job is not %s", state);
        pause_ms(5);
    }
    return now_ms() - began;
}

Test(job_turns, a_job_behind_an_urgent_one_comes_to_its_end_before_it) {
    char urgent[64];
    char small[64];
    post((range){"few", 2, 0, 999, 999, 9}, urgent);
    post((range){"few", 2, -2, -1, 0, 7}, small);
    wait_until(small, "succeeded", 60000);
    cr_expect(job_is(&server, urgent, "running"));
    cr_expect_gt(count_of(urgent, "done"), 100, "the urgent one stood still");
}

Test(job_turns, the_urgent_one_goes_first) {
    char calm[64];
    char urgent[64];
    post((range){"few", 2, 0, 999, 999, 0}, calm);
    post((range){"few", 2, -1000, -1, 1, 9}, urgent);
    wait_until(urgent, "succeeded", 60000);
    cr_expect_lt(count_of(calm, "done"), 1000, "half of the workers went to the other one");
}

Test(job_turns, cells_of_two_jobs_are_built_once) {
    char one[64];
    char other[64];
    post((range){"spaced", 1, 0, 5, 1, 5}, one);
    post((range){"spaced", 1, 2, 7, 1, 5}, other);
    wait_until(one, "succeeded", 60000);
    wait_until(other, "succeeded", 60000);
    cr_expect_eq(count_of(one, "done"), 12);
    cr_expect_eq(count_of(other, "done"), 12);
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 16);
}

/* How long a cell takes that nobody has asked for yet. */
static double fresh_cell_ms(int x) {
    double began = now_ms();
    answer cell = ask_get(&server, "/v1/worlds/slow/cells/1/%d/-9/spaced", x);
    cr_assert_eq(cell.status, 200, "%s", cell.body);
    answer_free(&cell);
    return now_ms() - began;
}

/* In the queue, a request would stand behind 64 cells and wait for 32 of them. */
Test(job_turns, a_request_waits_for_cells_at_work_and_not_for_those_that_wait) {
    char one[64];
    char other[64];
    double longest = 0;
    post((range){"spaced", 1, 0, 49, 49, 9}, one);
    post((range){"spaced", 1, 1000, 1049, 49, 9}, other);
    pause_ms(300);
    double began = now_ms();
    double built = daemon_metric(&server, "loam_cells_built_total");
    for (int i = 0; i < 8; i++) {
        double took = fresh_cell_ms(i);
        longest = took > longest ? took : longest;
    }
    /* What a cell takes of a worker while all are at work. */
    built = daemon_metric(&server, "loam_cells_built_total") - built;
    double each = (now_ms() - began) * WORKERS / built;
    cr_expect_lt(longest, 8 * each, "%.0f ms; a cell takes %.0f ms", longest, each);
    cr_expect(job_is(&server, one, "running") && job_is(&server, other, "running"));
    cr_expect_gt(daemon_metric(&server, "loam_queue_length{class=\"batch\"}"), 32,
                 "no cell was waiting");
}

Test(job_turns, a_job_that_is_cancelled_lets_the_workers_go_while_they_build) {
    char id[64];
    post((range){"spaced", 0, 0, 9, 9, 5}, id);
    while (daemon_metric(&server, "loam_workers_busy") < WORKERS) {
        pause_ms(1);
    }
    pause_ms(50); /* well into it */
    double began = now_ms();
    answer cancelled = ask(&server, "POST", NULL, "/v1/jobs/%s/cancellation", id);
    cr_assert_eq(cancelled.status, 202, "%s", cancelled.body);
    while (daemon_metric(&server, "loam_workers_busy") > 0) {
        pause_ms(1);
    }
    double took = now_ms() - began;
    cr_expect_lt(took, CANCEL_MS_MAX, "the workers are free after %.0f ms", took);
    cr_expect(job_is(&server, id, "cancelled"));
    cr_expect_eq(daemon_metric(&server, "loam_queue_length{class=\"batch\"}"), 0);
    answer_free(&cancelled);
}

Test(job_turns, a_pause_takes_back_what_is_not_made_and_no_cell_is_lost) {
    char id[64];
    post((range){"spaced", 1, 0, 11, 1, 5}, id);
    while (count_of(id, "done") == 0) {
        pause_ms(1);
    }
    answer paused = ask(&server, "POST", NULL, "/v1/jobs/%s/pause", id);
    cr_assert_eq(paused.status, 202, "%s", paused.body);
    pause_ms(300);
    json_int_t done = count_of(id, "done");
    cr_expect_lt(done, 24);
    cr_expect_eq(daemon_metric(&server, "loam_workers_busy"), 0);
    pause_ms(300);
    cr_expect_eq(count_of(id, "done"), done);
    answer resumed = ask(&server, "POST", NULL, "/v1/jobs/%s/resumption", id);
    cr_assert_eq(resumed.status, 202, "%s", resumed.body);
    wait_until(id, "succeeded", 60000);
    cr_expect_eq(count_of(id, "done"), 24);
    /* A worker that ends a cell in the very moment of the pause stores it, and it is found later.
     */
    cr_expect_leq(count_of(id, "cached"), WORKERS, "what it built itself counts as found");
    answer_free(&paused);
    answer_free(&resumed);
}
