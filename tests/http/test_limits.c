/* SPDX-License-Identifier: MIT
 *
 * test_limits.c: full queues, clients that lose patience or leave, and jobs that are larger than
 * the queue.
 */
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Cells of the slow world; bounds leave 64 of them. */
enum { SLOW_CELL_M = 1024 };

static void start_with(const char *const *args) {
    server = daemon_start(NULL, args);
    slow_put(&server, NULL, SLOW_CELL_M);
}

/* Waits until a metric has the value. */
static bool becomes(const char *metric, double value) {
    for (int i = 0; i < 500; i++) {
        if (daemon_metric(&server, metric) == value) {
            return true;
        }
        pause_ms(20);
    }
    return false;
}

/* ---- A full queue --------------------------------------------------------------------------- */

enum { CROWD = 12 };

typedef struct asked {
    int x;
    answer of;
} asked;

static void *ask_cell(void *context) {
    asked *one = context;
    one->of = ask_get(&server, "/v1/worlds/slow/cells/0/%d/0/trees", one->x % 8);
    return NULL;
}

Test(limits, a_full_queue_says_503_and_when_to_come_back, .fini = server_stop) {
    pthread_t threads[CROWD];
    asked crowd[CROWD];
    int refused = 0;
    int served = 0;
    start_with((const char *const[]){"--workers", "1", "--queue-interactive", "1", NULL});
    for (int i = 0; i < CROWD; i++) {
        crowd[i].x = i;
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_cell, &crowd[i]), 0);
    }
    for (int i = 0; i < CROWD; i++) {
        pthread_join(threads[i], NULL);
        served += crowd[i].of.status == 200;
        if (crowd[i].of.status == 503) {
            refused++;
            cr_expect_not_null(answer_header(&crowd[i].of, "Retry-After"));
            expect_problem(crowd[i].of, 503, "overloaded", NULL);
        } else {
            answer_free(&crowd[i].of);
        }
    }
    cr_expect_gt(refused, 0);
    cr_expect_gt(served, 0);
    cr_expect_eq(refused + served, CROWD);
    cr_expect_gt(daemon_metric(&server, "loam_overloaded_total{class=\"single\"}"), 0);
    answer later = ask_get(&server, "/v1/worlds/slow/cells/0/7/0/trees");
    cr_expect_eq(later.status, 200, "who comes back is served");
    answer_free(&later);
}

Test(limits, a_job_larger_than_the_queue_ends_all_the_same, .fini = server_stop) {
    start_with((const char *const[]){"--workers", "1", "--queue-batch", "16",
                                     "--job-cells-in-flight", "64", NULL});
    forest_put(&server);
    answer made = ask_json(&server, "POST",
                           "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 1, "
                           "\"cells\": \"all\"}",
                           "/v1/jobs");
    json_t *root = answer_json(&made);
    const char *patient[] = {"Prefer: wait=30", NULL};
    answer ended = ask(&server, "GET", &(ask_options){.headers = patient}, "/v1/jobs/%s",
                       json_string_value(json_object_get(root, "id")));
    cr_expect(strstr(ended.body, "\"state\":\"succeeded\"") != NULL, "%s", ended.body);
    cr_expect(strstr(ended.body, "\"done\":256,") != NULL, "%s", ended.body);
    json_decref(root);
    answer_free(&made);
    answer_free(&ended);
}

/* ---- Clients -------------------------------------------------------------------------------- */

Test(limits, work_that_nobody_waits_for_any_more_is_given_up, .fini = server_stop) {
    char reply[1024];
    static const char get[] = "GET /v1/worlds/slow/cells/0/1/1/trees HTTP/1.1\r\n"
                              "Host: localhost\r\n\r\n";
    start_with((const char *const[]){"--workers", "1", NULL});
    cr_expect_eq(daemon_raw(&server, get, strlen(get), 30, reply, sizeof reply), 0,
                 "the cell is made too fast to leave");
    cr_expect(becomes("loam_flights", 0));
    cr_expect(becomes("loam_workers_busy", 0));
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 0);
    expect_problem(ask_get(&server, "/v1/worlds/slow/cells/0/1/1/trees?cached=only"), 404,
                   "not-generated", NULL);
}

Test(limits, one_who_leaves_does_not_take_the_cell_from_another, .fini = server_stop) {
    char reply[1024];
    static const char get[] = "GET /v1/worlds/slow/cells/0/1/1/trees HTTP/1.1\r\n"
                              "Host: localhost\r\n\r\n";
    pthread_t thread;
    asked other = {.x = 1};
    start_with((const char *const[]){"--workers", "1", NULL});
    cr_assert_eq(pthread_create(&thread, NULL, ask_cell, &other), 0);
    daemon_raw(&server, get, strlen(get), 30, reply, sizeof reply);
    pthread_join(thread, NULL);
    cr_expect_eq(other.of.status, 200);
    answer_free(&other.of);
}

Test(limits, patience_that_ends_gets_202_and_the_work_goes_on, .fini = server_stop) {
    const char *headers[] = {"Prefer: wait=1, respond-async", NULL};
    struct timespec before;
    struct timespec after;
    start_with((const char *const[]){"--workers", "1", NULL});
    /* Three cells queue before the one that is waited for. */
    for (int x = 3; x < 8; x++) {
        const char *none[] = {"Prefer: wait=0", NULL};
        answer of = ask(&server, "GET", &(ask_options){.headers = none},
                        "/v1/worlds/slow/cells/0/%d/2/trees", x);
        cr_expect_eq(of.status, 202);
        answer_free(&of);
    }
    clock_gettime(CLOCK_MONOTONIC, &before);
    answer of = ask(&server, "GET", &(ask_options){.headers = headers},
                    "/v1/worlds/slow/cells/0/2/2/trees");
    clock_gettime(CLOCK_MONOTONIC, &after);
    double waited =
        (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9;
    cr_expect(of.status == 202 ? waited >= 0.99 : of.status == 200, "%d after %f s", of.status,
              waited);
    cr_expect(becomes("loam_flights", 0));
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 6);
    answer_free(&of);
}

Test(limits, a_crowd_of_slow_requests_does_not_hold_up_what_is_in_memory, .fini = server_stop) {
    start_with((const char *const[]){"--workers", "1", NULL});
    forest_put(&server);
    answer first = ask_get(&server, "/v1/worlds/forest/cells/1/1/1/trees");
    cr_assert_eq(first.status, 200);
    for (int x = 0; x < 8; x++) {
        const char *none[] = {"Prefer: wait=0", NULL};
        answer of = ask(&server, "GET", &(ask_options){.headers = none},
                        "/v1/worlds/slow/cells/0/%d/3/trees", x);
        answer_free(&of);
    }
    answer hit = ask_get(&server, "/v1/worlds/forest/cells/1/1/1/trees");
    cr_expect_eq(hit.status, 200);
    cr_expect_lt(daemon_metric(&server, "loam_cells_built_total"), 9);
    answer_free(&first);
    answer_free(&hit);
}

Test(limits, a_drain_without_patience_cancels_what_is_under_way) {
    pthread_t thread;
    asked one = {.x = 1};
    struct timespec before;
    struct timespec after;
    start_with((const char *const[]){"--workers", "1", "--drain-s", "0", NULL});
    for (int x = 0; x < 8; x++) {
        const char *none[] = {"Prefer: wait=0", NULL};
        answer of = ask(&server, "GET", &(ask_options){.headers = none},
                        "/v1/worlds/slow/cells/0/%d/5/trees", x);
        answer_free(&of);
    }
    cr_assert_eq(pthread_create(&thread, NULL, ask_cell, &one), 0);
    pause_ms(100);
    clock_gettime(CLOCK_MONOTONIC, &before);
    cr_expect_eq(daemon_end(&server), 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    pthread_join(thread, NULL);
    cr_expect(one.of.status == 503 || one.of.status == 0, "%d", one.of.status);
    cr_expect_lt(after.tv_sec - before.tv_sec, 4);
    answer_free(&one.of);
    daemon_remove_folder(&server);
}

/* ---- A herd --------------------------------------------------------------------------------- */

/* More than a thousand, on one cold cell. */
enum { HERD = 1100 };

/* One who has asked for a cell and waits. */
static int connect_for(int x, int z) {
    char head[128];
    int size = snprintf(head, sizeof head,
                        "HEAD /v1/worlds/slow/cells/0/%d/%d/trees HTTP/1.1\r\n"
                        "Host: localhost\r\n\r\n",
                        x, z);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(server.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_geq(client, 0);
    cr_assert_eq(connect(client, (struct sockaddr *)&to, sizeof to), 0);
    cr_assert_eq(send(client, head, (size_t)size, MSG_NOSIGNAL), (ssize_t)size);
    return client;
}

Test(limits, a_herd_of_a_thousand_gets_one_cell_built_once, .fini = server_stop, .timeout = 120) {
    static int clients[HERD];
    static char replies[HERD][64];
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    start_with((const char *const[]){"--workers", "1", NULL});
    answer before =
        ask(&server, "GET", &(ask_options){.headers = (const char *[]){"Prefer: wait=0", NULL}},
            "/v1/worlds/slow/cells/0/0/6/trees");
    answer_free(&before); /* the worker is busy while the herd gathers */
    for (int i = 0; i < HERD; i++) {
        clients[i] = connect_for(1, 6);
    }
    for (int i = 0; i < HERD; i++) {
        struct pollfd waits = {.fd = clients[i], .events = POLLIN};
        cr_assert_eq(poll(&waits, 1, 60000), 1);
        cr_expect_gt(recv(clients[i], replies[i], 15, 0), 0);
        cr_expect_str_eq(replies[i], "HTTP/1.1 200 OK", "client %d", i);
        close(clients[i]);
    }
    cr_expect_eq(daemon_metric(&server, "loam_cells_built_total"), 2);
}

/* ---- The end -------------------------------------------------------------------------------- */

Test(limits, a_daemon_that_drains_listens_no_more_and_a_second_signal_ends_it_at_once) {
    struct timespec before;
    struct timespec after;
    int status = 0;
    start_with((const char *const[]){"--workers", "1", "--drain-s", "600", NULL});
    int clients[32]; /* whose cells take longer than this test looks on */
    for (int i = 0; i < 32; i++) {
        clients[i] = connect_for(i % 8, i / 8);
    }
    cr_assert(becomes("loam_flights", 32));
    kill(server.pid, SIGTERM);
    pause_ms(100);
    answer refused = ask_get(&server, "/healthz/ready");
    cr_expect_eq(refused.status, 0, "nobody listens any more");
    answer_free(&refused);
    clock_gettime(CLOCK_MONOTONIC, &before);
    kill(server.pid, SIGTERM);
    waitpid(server.pid, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    cr_expect_leq(after.tv_sec - before.tv_sec, 1);
    for (int i = 0; i < 32; i++) {
        close(clients[i]);
    }
    daemon_remove_folder(&server);
}
