/* SPDX-License-Identifier: MIT
 *
 * test_eviction.c: a cache that is too small: a job ends well all the same, and who asks for it
 * again gets what was lost built anew; and many who ask at once, one of them slowly, get whole
 * answers while what they read is evicted, and the cap holds all the time.
 */
#include "tests/support/daemon.h"
#include "tests/support/pause.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char world[] =
    "{\"seed\": \"1\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": \"grid.sample\", "
    "\"params\": {\"spacing_m\": 0.75}}}, \"outputs\": {\"g\": {\"node\": \"g\", \"level\": 0}}}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 256}], \"bounds_m\": {\"min\": [0, 0], "
    "\"max\": [1024, 1024]}}}";

static const char job[] =
    "{\"world\": \"wide\", \"outputs\": [\"g\"], \"cells\": \"all\", \"keep\": false}";

static answer job_end(const test_daemon *server, const answer *posted) {
    json_t *root = answer_json(posted);
    const char *patient[] = {"Prefer: wait=30", NULL};
    answer of = ask(server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s",
                    json_string_value(json_object_get(root, "id")));
    json_decref(root);
    return of;
}

Test(eviction, a_job_that_lost_results_is_run_again_when_it_is_asked_for_again) {
    test_daemon server = daemon_start(NULL, (const char *const[]){"--cache-bytes", "16M", NULL});
    answer put = ask_json(&server, "PUT", world, "/v1/worlds/wide");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer made = ask_json(&server, "POST", job, "/v1/jobs");
    cr_assert_eq(made.status, 202, "%s", made.body);
    answer ended = job_end(&server, &made);
    cr_expect(strstr(ended.body, "\"state\":\"succeeded\"") != NULL, "%s", ended.body);
    cr_expect(strstr(ended.body, "\"done\":16,") != NULL, "%s", ended.body);
    cr_expect(strstr(ended.body, "\"evicted\":0,") == NULL, "%s", ended.body);
    cr_expect_lt(daemon_metric(&server, "loam_store_bytes"), 17 << 20);
    cr_expect_lt(daemon_metric(&server, "loam_store_blobs"), 16, "nothing had to go");
    answer again = ask_json(&server, "POST", job, "/v1/jobs");
    cr_expect_eq(again.status, 202, "%d %s", again.status, again.body);
    cr_expect(strstr(again.body, "\"evicted\":0,") == NULL, "%s", again.body);
    answer rebuilt = job_end(&server, &again);
    cr_expect(strstr(rebuilt.body, "\"state\":\"succeeded\"") != NULL, "%s", rebuilt.body);
    cr_expect(strstr(rebuilt.body, "\"done\":16,") != NULL, "%s", rebuilt.body);
    answer results = ask_get(&server, "/v1/jobs%s/results", answer_header(&made, "Location") + 8);
    int lines = 0;
    for (const char *at = results.body; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    cr_expect_eq(lines, 16, "a cell that was built twice is listed once");
    answer_free(&put);
    answer_free(&made);
    answer_free(&ended);
    answer_free(&again);
    answer_free(&rebuilt);
    answer_free(&results);
    cr_expect_eq(daemon_end(&server), 0);
    daemon_remove_folder(&server);
}

/* ---- Under load ------------------------------------------------------------------------------ */

enum {
    CAP_BYTES = 16 << 20,
    READERS = 3,
    SIDE_CELLS = 8, /* so many cells of about 1 MB a side: four times the cap */
    LOAD_MS = 4000,
    SLOW_STEP_BYTES = 16384,
    SLOW_PAUSE_MS = 25,
    /* The write-ahead log at its longest (CHECKPOINT_PAGES_HARD) and what is written meanwhile. */
    LOG_BYTES_MAX = 300 << 20,
};

static const char wider[] =
    "{\"seed\": \"2\", \"graph\": {\"loam_graph\": 1, \"nodes\": {\"g\": {\"op\": \"grid.sample\", "
    "\"params\": {\"spacing_m\": 0.75}}}, \"outputs\": {\"g\": {\"node\": \"g\", \"level\": 0}}}, "
    "\"grid\": {\"levels\": [{\"cell_size_m\": 256}], \"bounds_m\": {\"min\": [0, 0], "
    "\"max\": [2048, 2048]}}}";

static test_daemon loaded;
static atomic_bool load_ended;
static atomic_uint answers, wrong_answers;

static void *ask_for_cells(void *context) {
    unsigned number = *(const unsigned *)context;
    while (!atomic_load(&load_ended)) {
        number = number * 1664525u + 1013904223u;
        answer of =
            ask_get(&loaded, "/v1/worlds/wider/cells/0/%u/%u/g", number >> 8 & 7, number >> 16 & 7);
        if (of.status == 200) {
            expect_hashes(&of);
        }
        atomic_fetch_add(&answers, 1);
        atomic_fetch_add(&wrong_answers, of.status != 200);
        answer_free(&of);
    }
    return NULL;
}

static int open_connection(void) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(loaded.port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int small = SLOW_STEP_BYTES; /* else the kernel takes the whole answer at once */
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_geq(fd, 0);
    cr_assert_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    cr_assert_eq(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

/* Reads one cell in small steps with pauses; whether its end is the end of `expected`. */
static bool read_slowly(const answer *expected) {
    static const char question[] = "GET /v1/worlds/wider/cells/0/0/0/g HTTP/1.1\r\n"
                                   "Host: localhost\r\nConnection: close\r\n\r\n";
    char *all = malloc(expected->size + 8192);
    size_t used = 0;
    ssize_t got = 1;
    int fd = open_connection();
    cr_assert_eq(send(fd, question, sizeof question - 1, 0), (ssize_t)sizeof question - 1);
    while (got > 0 && used < expected->size + 8192) {
        size_t left = expected->size + 8192 - used;
        got = recv(fd, all + used, left < SLOW_STEP_BYTES ? left : SLOW_STEP_BYTES, 0);
        used += got > 0 ? (size_t)got : 0;
        pause_ms(SLOW_PAUSE_MS);
    }
    close(fd);
    bool same = used > expected->size &&
                memcmp(all + used - expected->size, expected->body, expected->size) == 0;
    free(all);
    return same;
}

static long long file_bytes(const char *name) {
    char path[DAEMON_PATH_BYTES];
    struct stat found = {0};
    snprintf(path, sizeof path, "%s/data/%s", loaded.folder, name);
    return stat(path, &found) == 0 ? (long long)found.st_size : 0;
}

static void expect_below_cap(void) {
    cr_assert_leq(daemon_metric(&loaded, "loam_store_bytes"), CAP_BYTES);
    cr_assert_leq(file_bytes("cache.db"), CAP_BYTES);
    cr_assert_leq(file_bytes("cache.db-wal"), LOG_BYTES_MAX);
}

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* The figures of a daemon that is asked as its operator. */
static long long evicted(void) {
    char socket_path[DAEMON_PATH_BYTES];
    snprintf(socket_path, sizeof socket_path, "%s/socket", loaded.folder);
    answer of = ask(&loaded, "GET", &(ask_options){.unix_path = socket_path}, "/v1/admin/stats");
    json_t *root = answer_json(&of);
    long long count =
        (long long)json_integer_value(json_object_get(json_object_get(root, "store"), "evicted"));
    json_decref(root);
    answer_free(&of);
    return count;
}

Test(eviction, readers_get_whole_answers_and_the_cap_holds_under_load, .timeout = 120) {
    char folder[] = "/tmp/loam-load-XXXXXX";
    char socket_path[DAEMON_PATH_BYTES];
    pthread_t threads[READERS];
    static unsigned seeds[READERS] = {1, 2, 3};
    cr_assert_not_null(mkdtemp(folder));
    snprintf(socket_path, sizeof socket_path, "%s/socket", folder);
    loaded = daemon_start(folder, (const char *const[]){"--cache-bytes", "16M", "--ram-cache-bytes",
                                                        "1M", "--unix", socket_path, NULL});
    answer put = ask_json(&loaded, "PUT", wider, "/v1/worlds/wider");
    cr_assert_eq(put.status, 201, "%s", put.body);
    answer first = ask_get(&loaded, "/v1/worlds/wider/cells/0/0/0/g");
    cr_assert_eq(first.status, 200);
    cr_assert_gt((long long)first.size * SIDE_CELLS * SIDE_CELLS, 3LL * CAP_BYTES);
    for (int i = 0; i < READERS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_for_cells, &seeds[i]), 0);
    }
    uint64_t until_ms = now_ms() + LOAD_MS;
    unsigned slow = 0;
    while (now_ms() < until_ms || slow < 2) {
        cr_expect(read_slowly(&first), "what was read slowly is not what was built");
        expect_below_cap();
        slow++;
    }
    atomic_store(&load_ended, true);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    long long gone = evicted();
    cr_expect_eq(atomic_load(&wrong_answers), 0);
    cr_expect_gt(gone, SIDE_CELLS, "%lld of the cells had to go", gone);
    cr_expect_eq(daemon_metric(&loaded, "loam_store_damaged_total"), 0);
    cr_expect_eq(daemon_metric(&loaded, "loam_determinism_alarms_total"), 0);
    fprintf(stderr, "eviction: %u answers, %u slow ones, %lld results evicted, %lld KB in use\n",
            atomic_load(&answers), slow, gone,
            (long long)daemon_metric(&loaded, "loam_store_bytes") >> 10);
    cr_expect_eq(daemon_end(&loaded), 0);
    cr_expect_leq(file_bytes("cache.db"), CAP_BYTES, "nor does the end write more");
    answer_free(&put);
    answer_free(&first);
    daemon_remove_folder(&loaded);
}
