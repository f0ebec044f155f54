/* SPDX-License-Identifier: MIT
 *
 * test_restart.c: what was accepted outlives the process; how many workers there are changes no
 * byte; the end is orderly.
 */
#include "tests/support/daemon.h"
#include "tests/support/pause.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void remove_with(test_daemon *server) {
    cr_expect_eq(daemon_end(server), 0);
    daemon_remove_folder(server);
}

#define JOB "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 1, \"cells\": \"all\"}"

/* The id in a job's document. */
static void job_id(const answer *of, char id[64]) {
    json_t *root = answer_json(of);
    snprintf(id, 64, "%s", json_string_value(json_object_get(root, "id")));
    json_decref(root);
}

static bool job_is(const answer *of, const char *state) {
    char text[48];
    snprintf(text, sizeof text, "\"state\":\"%s\"", state);
    return strstr(of->body, text) != NULL;
}

static answer job_end(const test_daemon *server, const char *id) {
    const char *patient[] = {"Prefer: wait=30", NULL};
    for (int i = 0; i < 4; i++) {
        answer of = ask(server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s", id);
        if (!job_is(&of, "running") && !job_is(&of, "queued")) {
            return of;
        }
        answer_free(&of);
    }
    cr_assert_fail("the job does not end");
    return (answer){0};
}

/* The body of a GET. Owned. */
static char *body_of(const test_daemon *server, const char *path) {
    answer of = ask_get(server, "%s", path);
    cr_assert_eq(of.status, 200, "%s: %d", path, of.status);
    free(of.head);
    return of.body;
}

Test(restart, worlds_assets_graphs_jobs_and_cells_are_kept) {
    static const char *const paths[] = {"/v1/worlds", "/v1/assets", "/v1/worlds/forest",
                                        "/v1/worlds/forest/revisions", "/v1/jobs"};
    enum { PATHS = sizeof paths / sizeof *paths };
    char *before[PATHS];
    char id[64];
    test_daemon server = daemon_start(NULL, NULL);
    forest_put(&server);
    answer made = ask_json(&server, "POST", JOB, "/v1/jobs");
    job_id(&made, id);
    answer ended = job_end(&server, id);
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/1/2/3/trees");
    for (int i = 0; i < PATHS; i++) {
        before[i] = body_of(&server, paths[i]);
    }
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    for (int i = 0; i < PATHS; i++) {
        char *after = body_of(&server, paths[i]);
        cr_expect_str_eq(after, before[i], "%s", paths[i]);
        free(after);
        free(before[i]);
    }
    answer kept = ask_get(&server, "/v1/worlds/forest/cells/1/2/3/trees?cached=only");
    cr_assert_eq(kept.status, 200);
    cr_expect_eq(kept.size, cell.size);
    cr_expect_eq(memcmp(kept.body, cell.body, cell.size), 0);
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 0);
    answer again = ask_json(&server, "POST", JOB, "/v1/jobs");
    cr_expect_eq(again.status, 200, "a job that has succeeded is not run again");
    answer_free(&made);
    answer_free(&ended);
    answer_free(&cell);
    answer_free(&kept);
    answer_free(&again);
    remove_with(&server);
}

Test(restart, a_job_goes_on_where_an_orderly_end_left_it) {
    char id[64];
    test_daemon server =
        daemon_start(NULL, (const char *const[]){"--workers", "1", "--drain-s", "5", NULL});
    forest_put(&server);
    answer made = ask_json(&server, "POST", JOB, "/v1/jobs");
    job_id(&made, id);
    answer_free(&made);
    pause_ms(150);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer ended = job_end(&server, id);
    cr_expect(job_is(&ended, "succeeded"), "%s", ended.body);
    cr_expect(strstr(ended.body, "\"total\":256,\"done\":256") != NULL, "%s", ended.body);
    double built = daemon_metric(&server, "loam_cells_built_total");
    cr_expect_lt(built, 256, "nothing was kept of the first run");
    answer_free(&ended);
    remove_with(&server);
}

Test(restart, a_paused_job_stays_paused) {
    char id[64];
    test_daemon server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
    forest_put(&server);
    answer made = ask_json(&server, "POST", JOB, "/v1/jobs");
    job_id(&made, id);
    answer paused = ask(&server, "POST", NULL, "/v1/jobs/%s/pause", id);
    cr_assert_eq(paused.status, 202);
    daemon_kill(&server);
    server = daemon_start(server.folder, NULL);
    answer now = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect(job_is(&now, "paused"), "%s", now.body);
    answer resumed = ask(&server, "POST", NULL, "/v1/jobs/%s/resumption", id);
    cr_expect_eq(resumed.status, 202);
    answer ended = job_end(&server, id);
    cr_expect(job_is(&ended, "succeeded"));
    answer_free(&made);
    answer_free(&paused);
    answer_free(&now);
    answer_free(&resumed);
    answer_free(&ended);
    remove_with(&server);
}

Test(restart, a_job_whose_world_was_deleted_meanwhile_ends_as_failed) {
    char id[64];
    test_daemon server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
    forest_put(&server);
    answer made = ask_json(&server, "POST", JOB, "/v1/jobs");
    job_id(&made, id);
    answer paused = ask(&server, "POST", NULL, "/v1/jobs/%s/pause", id);
    answer gone = ask(&server, "DELETE", NULL, "/v1/worlds/forest");
    cr_assert_eq(gone.status, 204);
    cr_assert_eq(daemon_end(&server), 0);
    server = daemon_start(server.folder, NULL);
    answer now = ask_get(&server, "/v1/jobs/%s", id);
    cr_expect(job_is(&now, "failed"), "%s", now.body);
    cr_expect(strstr(now.body, "\"problems\":[{\"code\":") != NULL, "%s", now.body);
    answer_free(&made);
    answer_free(&paused);
    answer_free(&gone);
    answer_free(&now);
    remove_with(&server);
}

Test(restart, what_was_accepted_survives_kill_nine) {
    test_daemon server = daemon_start(NULL, NULL);
    forest_put(&server);
    daemon_kill(&server);
    server = daemon_start(server.folder, NULL);
    answer cell = ask_get(&server, "/v1/worlds/forest/cells/1/0/0/trees");
    cr_expect_eq(cell.status, 200, "%s", cell.body);
    answer gone = ask(&server, "DELETE", NULL, "/v1/worlds/forest");
    cr_assert_eq(gone.status, 204);
    daemon_kill(&server);
    server = daemon_start(server.folder, NULL);
    expect_problem(ask_get(&server, "/v1/worlds/forest"), 404, "not-found", NULL);
    answer_free(&cell);
    answer_free(&gone);
    remove_with(&server);
}

/* ---- Workers -------------------------------------------------------------------------------- */

Test(restart, one_worker_and_two_and_every_vector_level_give_the_same_digests) {
    static const char *const options[][5] = {{"--workers", "1", "--simd", "baseline", NULL},
                                             {"--workers", "2", "--simd", "best", NULL}};
    char first[16][96];
    for (int run = 0; run < 2; run++) {
        test_daemon server = daemon_start(NULL, options[run]);
        forest_put(&server);
        for (int i = 0; i < 16; i++) {
            int at = run == 0 ? i : 15 - i; /* in another order too */
            answer of = ask_get(&server, "/v1/worlds/forest/cells/0/%d/%d/trees", at % 4, at / 4);
            cr_assert_eq(of.status, 200);
            const char *digest_word = answer_header(&of, "Loam-Digest");
            if (run == 0) {
                snprintf(first[at], sizeof first[at], "%s", digest_word);
            } else {
                cr_expect_str_eq(digest_word, first[at]);
            }
            answer_free(&of);
        }
        remove_with(&server);
    }
}

/* ---- The end -------------------------------------------------------------------------------- */

typedef struct asked {
    const test_daemon *server;
    answer of;
} asked;

static void *ask_cell(void *context) {
    asked *one = context;
    one->of = ask_get(one->server, "/v1/worlds/forest/cells/0/2/2/trees");
    return NULL;
}

Test(restart, a_request_under_way_is_answered_before_the_end) {
    test_daemon server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
    forest_put(&server);
    answer job = ask_json(&server, "POST", JOB, "/v1/jobs");
    answer_free(&job);
    pthread_t thread;
    asked one = {.server = &server};
    cr_assert_eq(pthread_create(&thread, NULL, ask_cell, &one), 0);
    pause_ms(20);
    cr_expect_eq(daemon_end(&server), 0);
    pthread_join(thread, NULL);
    cr_expect(one.of.status == 200 || one.of.status == 0, "%d", one.of.status);
    answer_free(&one.of);
    daemon_remove_folder(&server);
}

typedef struct watching {
    const test_daemon *server;
    char id[64];
    answer of;
} watching;

static void *watch_job(void *context) {
    watching *one = context;
    const char *patient[] = {"Prefer: wait=30", NULL};
    one->of = ask(one->server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s", one->id);
    return NULL;
}

Test(restart, who_waits_for_a_job_that_stands_still_is_answered_at_the_end) {
    test_daemon server = daemon_start(NULL, (const char *const[]){"--workers", "1", NULL});
    pthread_t thread;
    watching one = {.server = &server};
    forest_put(&server);
    answer made = ask_json(&server, "POST", JOB, "/v1/jobs");
    job_id(&made, one.id);
    answer paused = ask(&server, "POST", NULL, "/v1/jobs/%s/pause", one.id);
    cr_assert_eq(paused.status, 202);
    cr_assert_eq(pthread_create(&thread, NULL, watch_job, &one), 0);
    pause_ms(300);
    cr_expect_eq(daemon_end(&server), 0);
    pthread_join(thread, NULL);
    cr_expect_eq(one.of.status, 200);
    cr_expect(job_is(&one.of, "paused"), "%s", one.of.body);
    answer_free(&made);
    answer_free(&paused);
    answer_free(&one.of);
    daemon_remove_folder(&server);
}

Test(restart, a_second_signal_ends_at_once) {
    test_daemon server = daemon_start(NULL, (const char *const[]){"--drain-s", "60", NULL});
    forest_put(&server);
    pid_t pid = server.pid;
    /* Somebody waits for a job that stands still, so that the drain would take long. */
    char id[64];
    answer made = ask_json(&server, "POST", JOB, "/v1/jobs");
    job_id(&made, id);
    answer_free(&made);
    kill(pid, SIGTERM);
    kill(pid, SIGTERM);
    int status = 0;
    cr_expect_eq(waitpid(pid, &status, 0), pid);
    cr_expect(WIFEXITED(status));
    server = daemon_start(server.folder, NULL);
    answer ended = job_end(&server, id);
    cr_expect(job_is(&ended, "succeeded"));
    answer_free(&ended);
    remove_with(&server);
}

Test(restart, the_port_file_goes_with_an_orderly_end) {
    char path[DAEMON_PATH_BYTES];
    test_daemon server = daemon_start(NULL, NULL);
    snprintf(path, sizeof path, "%s/port", server.folder);
    cr_expect_eq(access(path, F_OK), 0);
    cr_assert_eq(daemon_end(&server), 0);
    cr_expect_neq(access(path, F_OK), 0);
    daemon_remove_folder(&server);
}

Test(restart, a_damaged_result_is_built_again_and_never_served) {
    char command[512];
    test_daemon server = daemon_start(NULL, NULL);
    forest_put(&server);
    answer first = ask_get(&server, "/v1/worlds/forest/cells/0/1/1/trees");
    cr_assert_eq(first.status, 200);
    cr_assert_eq(daemon_end(&server), 0);
    /* One byte in the middle of the only blob: its first bytes are the format's magic word. */
    snprintf(command, sizeof command,
             "f=%s/data/cache.db; o=$(grep -obUa LOAMCELL $f | tail -n 1 | cut -d: -f1); "
             "[ -n \"$o\" ] && printf '\\377' | dd of=$f bs=1 seek=$((o + 200)) conv=notrunc "
             "2>/dev/null",
             server.folder);
    cr_assert_eq(system(command), 0);
    server = daemon_start(server.folder, NULL);
    answer again = ask_get(&server, "/v1/worlds/forest/cells/0/1/1/trees");
    cr_assert_eq(again.status, 200);
    expect_hashes(&again);
    cr_expect_eq(again.size, first.size);
    cr_expect_eq(memcmp(again.body, first.body, first.size), 0);
    cr_expect_eq(daemon_metric(&server, "loam_store_damaged_total"), 1);
    answer_free(&first);
    answer_free(&again);
    remove_with(&server);
}
