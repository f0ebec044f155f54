/* SPDX-License-Identifier: MIT
 *
 * test_job_million.c: a job of a million cells costs no more at its beginning than one of ten: it
 * is accepted at once, held in memory as a bit for each cell, and neither its run nor its way back
 * after a restart keeps others waiting. Bounds are wide, for machines that do other things too; the
 * figures are tests/bench/job_bench.c.
 */
#include "tests/support/sanitized.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Ten times what a quiet machine needs, or more. */
enum { ACCEPT_MS_MAX = 1000, GET_MS_MAX = 1000, CANCEL_MS_MAX = 2000 };
/* Of the process beside mapped files: caches, and 64 tasks in the air. A list of a million tasks
 * alone would take as much. A sanitizer keeps what is freed, 256 MB of it. */
enum { MEMORY_KB_MAX = (LOAM_SANITIZED ? 1024 : 128) << 10 };
enum { PAGE_ROWS = 700 };

static void start(void) {
    static const char world[] =
        "{\"seed\": \"3\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"sites\": {\"op\": "
        "\"grid.sample\", \"params\": {\"spacing_m\": 4}}}, \"outputs\": {\"sites\": {\"node\": "
        "\"sites\", \"level\": 0}}}, \"grid\": {\"levels\": [{\"cell_size_m\": 4}]}}";
    server = daemon_start(NULL, (const char *const[]){"--workers", "2", NULL});
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/grid");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer_free(&put);
}

TestSuite(job_million, .init = start, .fini = server_stop, .timeout = 120);

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* What the process holds for itself, in KB. */
static long memory_kb(void) {
    char path[64];
    char line[256];
    long kb = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)server.pid);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    while (kb < 0 && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, "RssAnon: %ld", &kb);
    }
    fclose(file);
    return kb;
}

static json_int_t count_of(const answer *of, const char *key) {
    json_t *root = answer_json(of);
    json_int_t value = json_integer_value(json_object_get(root, key));
    json_decref(root);
    return value;
}

static void post_range(int x, char id[64]) {
    char document[256];
    snprintf(document, sizeof document,
             "{\"world\": \"grid\", \"outputs\": [\"sites\"], \"cells\": {\"min\": [%d, 0], "
             "\"max\": [%d, 999]}}",
             x, x + 999);
    double began = now_ms();
    answer made = ask_json(&server, "POST", document, "/v1/jobs");
    double took = now_ms() - began;
    cr_assert_eq(made.status, 202, "%s", made.body);
    cr_expect_eq(count_of(&made, "total"), 1000000);
    cr_expect_lt(took, ACCEPT_MS_MAX, "accepted after %.0f ms", took);
    json_t *root = answer_json(&made);
    snprintf(id, 64, "%s", json_string_value(json_object_get(root, "id")));
    json_decref(root);
    answer_free(&made);
}

static json_int_t done_of(const char *id) {
    answer of = ask_get(&server, "/v1/jobs/%s", id);
    cr_assert_eq(of.status, 200, "%s", of.body);
    json_int_t done = count_of(&of, "done");
    answer_free(&of);
    return done;
}

/* Until so many are done, asking for a cell of the cache all the while; the longest wait for it. */
static double watch(const char *id, json_int_t done) {
    double longest = 0;
    do {
        double began = now_ms();
        answer cell = ask_get(&server, "/v1/worlds/grid/cells/0/-1/-1/sites");
        double took = now_ms() - began;
        cr_assert_eq(cell.status, 200, "%s", cell.body);
        answer_free(&cell);
        longest = took > longest ? took : longest;
    } while (done_of(id) < done);
    return longest;
}

static void act(const char *id, const char *what) {
    answer done = ask(&server, "POST", NULL, "/v1/jobs/%s/%s", id, what);
    cr_assert_eq(done.status, 202, "%s", done.body);
    answer_free(&done);
}

Test(job_million, is_accepted_at_once_and_held_as_bits) {
    char ids[6][64];
    long before = memory_kb();
    for (int i = 0; i < 6; i++) {
        post_range(i, ids[i]);
    }
    double longest = watch(ids[0], 3000);
    cr_expect_lt(longest, GET_MS_MAX, "a cached cell took %.0f ms", longest);
    long grown = memory_kb() - before;
    cr_expect_lt(grown, MEMORY_KB_MAX, "six jobs of a million cells take %ld KB", grown);
    for (int i = 0; i < 6; i++) {
        double began = now_ms();
        act(ids[i], "cancellation");
        double took = now_ms() - began;
        cr_expect_lt(took, CANCEL_MS_MAX, "cancelled after %.0f ms", took);
    }
}

/* Rows of the results from here on, read page by page; each follows the one before. */
static json_int_t read_results(const char *id) {
    json_int_t rows = 0;
    for (bool more = true; more;) {
        answer page = ask_get(&server, "/v1/jobs/%s/results?after=%lld&limit=%d", id,
                              (long long)rows, PAGE_ROWS);
        cr_assert_eq(page.status, 200, "%s", page.body);
        more = page.size > 0;
        for (const char *at = page.body; *at != 0; at = strchr(at, '\n') + 1) {
            cr_assert_eq(strtoll(at + strlen("{\"n\":"), NULL, 10), ++rows, "%.40s", at);
        }
        answer_free(&page);
    }
    return rows;
}

Test(job_million, goes_on_behind_a_restart_without_a_second_look_at_what_is_done) {
    char id[64];
    post_range(0, id);
    watch(id, 6000);
    act(id, "pause");
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, (const char *const[]){"--workers", "2", NULL});
    json_int_t done = done_of(id);
    cr_expect_geq(done, 6000, "what is done is told before it has been read again");
    act(id, "resumption");
    double longest = watch(id, done + 1000);
    cr_expect_lt(longest, GET_MS_MAX, "a cached cell took %.0f ms", longest);
    cr_expect_lt(daemon_metric(&server, "loam_cells_built_total"),
                 (double)(done_of(id) - done + 200), "what was done was built again");
    act(id, "pause");
    cr_expect_lt(memory_kb(), MEMORY_KB_MAX);
    /* Told first: what was in the air at the pause may still land. */
    json_int_t told = done_of(id);
    json_int_t rows = read_results(id);
    cr_expect_geq(rows, told);
}

Test(job_million, may_be_a_list_of_as_many_cells_as_a_document_holds) {
    enum { LISTED = 6600 };
    char *document = malloc((size_t)LISTED * 24);
    cr_assert_not_null(document);
    size_t size = (size_t)sprintf(document, "{\"world\": \"grid\", \"outputs\": [\"sites\"], "
                                            "\"cells\": [");
    for (int i = 0; i < LISTED; i++) {
        size += (size_t)sprintf(document + size, "%s[%d, 7]", i == 0 ? "" : ", ", -i);
    }
    (void)sprintf(document + size, "]}");
    double began = now_ms();
    answer made = ask_json(&server, "POST", document, "/v1/jobs");
    double took = now_ms() - began;
    cr_assert_eq(made.status, 202, "%s", made.body);
    cr_expect_eq(count_of(&made, "total"), LISTED);
    cr_expect_lt(took, ACCEPT_MS_MAX, "accepted after %.0f ms", took);
    answer_free(&made);
    free(document);
}
