/* SPDX-License-Identifier: MIT
 *
 * test_crash.c: kill -9 during a bake, ten times. Each time the store opens, nothing that is served
 * is partial, and the job goes on; in the end it has succeeded and every result is what an
 * undisturbed daemon makes.
 */
#include "tests/support/daemon.h"
#include "tests/support/pause.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KILLS = 10, KILLS_AT_WORK_MIN = 5, CELLS = 32 * 32 };

#define JOB "{\"world\": \"wide\", \"outputs\": [\"trees\"], \"level\": 0, \"cells\": \"all\"}"

static const char *const options[] = {"--workers", "1", "--log-level", "warning", NULL};

/* The forest's graph over 1,024 cells of 32 m. Owned. */
static char *wide_world(void) {
    json_t *world = json_loads(forest_world_json(), 0, NULL);
    json_object_set_new(world, "grid",
                        json_pack("{s:[{s:i}], s:{s:[ii], s:[ii]}}", "levels", "cell_size_m", 32,
                                  "bounds_m", "min", 0, 0, "max", 1024, 1024));
    char *text = json_dumps(world, 0);
    json_decref(world);
    return text;
}

static json_int_t count_of(const answer *of, const char *key) {
    json_t *root = answer_json(of);
    json_int_t value = json_integer_value(json_object_get(root, key));
    json_decref(root);
    return value;
}

static bool is_at_work(const answer *of) {
    return strstr(of->body, "\"state\":\"running\"") != NULL ||
           strstr(of->body, "\"state\":\"queued\"") != NULL;
}

/* Every result that the job names is there, whole, and what its row says. */
static int check_results(const test_daemon *server, const char *id) {
    int count = 0;
    for (;;) {
        answer page = ask_get(server, "/v1/jobs/%s/results?after=%d&limit=200", id, count);
        cr_assert_eq(page.status, 200);
        int before = count;
        for (char *at = page.body, *end = NULL; (end = strchr(at, '\n')) != NULL; at = end + 1) {
            json_t *row = json_loadb(at, (size_t)(end - at), 0, NULL);
            json_t *cell = json_object_get(row, "cell");
            count = (int)json_integer_value(json_object_get(row, "n"));
            answer one = ask_get(server, "/v1/worlds/wide/cells/0/%d/%d/trees",
                                 (int)json_integer_value(json_array_get(cell, 0)),
                                 (int)json_integer_value(json_array_get(cell, 1)));
            cr_assert_eq(one.status, 200);
            expect_hashes(&one);
            cr_assert_str_eq(answer_header(&one, "Loam-Digest"),
                             json_string_value(json_object_get(row, "digest")));
            answer_free(&one);
            json_decref(row);
        }
        answer_free(&page);
        if (count == before) {
            return count;
        }
    }
}

static void check_some_cells(const test_daemon *server, unsigned seed) {
    for (int i = 0; i < 8; i++) {
        seed = seed * 1664525u + 1013904223u;
        answer one = ask_get(server, "/v1/worlds/wide/cells/0/%u/%u/trees?cached=only",
                             seed >> 8 & 31, seed >> 16 & 31);
        cr_assert(one.status == 200 || one.status == 404, "%d %s", one.status, one.body);
        if (one.status == 200) {
            expect_hashes(&one);
        }
        answer_free(&one);
    }
}

/* Digest of each cell, by asking for all of them. */
static void read_digests(const test_daemon *server, char digests[CELLS][96]) {
    for (int i = 0; i < CELLS; i++) {
        answer one = ask_get(server, "/v1/worlds/wide/cells/0/%d/%d/trees", i % 32, i / 32);
        cr_assert_eq(one.status, 200);
        snprintf(digests[i], 96, "%s", answer_header(&one, "Loam-Digest"));
        answer_free(&one);
    }
}

static void wait_for_progress(const test_daemon *server, const char *id, json_int_t beyond) {
    for (int i = 0; i < 2000; i++) {
        answer now = ask_get(server, "/v1/jobs/%s", id);
        bool enough = count_of(&now, "done") > beyond || !is_at_work(&now);
        answer_free(&now);
        if (enough) {
            return;
        }
        pause_ms(2);
    }
}

Test(crash, ten_times_kill_nine_during_a_bake_lose_and_break_nothing, .timeout = 280) {
    char id[64];
    int at_work = 0;
    json_int_t done = 0;
    char *world = wide_world();
    test_daemon server = daemon_start(NULL, options);
    forest_put(&server);
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/wide");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer made = ask_json(&server, "POST", JOB, "/v1/jobs");
    cr_assert_eq(made.status, 202);
    json_t *root = answer_json(&made);
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(root, "id")));
    json_decref(root);
    for (int i = 0; i < KILLS; i++) {
        wait_for_progress(&server, id, done + 20);
        answer before = ask_get(&server, "/v1/jobs/%s", id);
        at_work += is_at_work(&before);
        done = count_of(&before, "done");
        answer_free(&before);
        daemon_kill(&server);
        server = daemon_start(server.folder, options);
        check_some_cells(&server, (unsigned)i);
    }
    cr_expect_geq(at_work, KILLS_AT_WORK_MIN, "only %d kills hit a running job", at_work);
    const char *patient[] = {"Prefer: wait=30", NULL};
    answer ended = {0};
    do {
        answer_free(&ended);
        ended = ask(&server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s", id);
        cr_assert_eq(ended.status, 200);
    } while (is_at_work(&ended));
    cr_expect(strstr(ended.body, "\"state\":\"succeeded\"") != NULL, "%s", ended.body);
    cr_expect_eq(count_of(&ended, "done"), CELLS);
    cr_expect_eq(count_of(&ended, "failed"), 0);
    cr_expect_eq(check_results(&server, id), CELLS);
    cr_expect_eq(daemon_metric(&server, "loam_determinism_alarms_total"), 0);
    cr_expect_eq(daemon_metric(&server, "loam_store_damaged_total"), 0);

    static char crashed[CELLS][96];
    static char quiet[CELLS][96];
    read_digests(&server, crashed);
    test_daemon other = daemon_start(NULL, NULL);
    forest_put(&other);
    answer same = ask_json(&other, "PUT", world, "/v1/worlds/wide");
    cr_assert_eq(same.status, 201);
    read_digests(&other, quiet);
    for (int i = 0; i < CELLS; i++) {
        cr_expect_str_eq(crashed[i], quiet[i]);
    }
    free(world);
    answer_free(&put);
    answer_free(&made);
    answer_free(&ended);
    answer_free(&same);
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect_eq(daemon_end(&other), 0);
    daemon_remove_folder(&server);
    daemon_remove_folder(&other);
}
