/* SPDX-License-Identifier: MIT
 *
 * test_shedding.c: the queue of the workers fills step by step, and requests are refused in their
 * order: jobs first, then batches, then single requests that need a worker; what is in memory is
 * answered to the end.
 */
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* One cell is being built, so many wait; a cell takes a good part of a second. */
enum { QUEUE = 8, SLOW_CELL_M = 1024, CELLS = 64, TRIES_MAX = 5 };

static int asked;
static int clients[CELLS];

static void stop(void) {
    for (int i = 0; i < asked; i++) {
        close(clients[i]);
    }
    server_stop();
}

static void start(void) {
    server = daemon_start(NULL, (const char *const[]){"--workers", "1", "--queue-interactive", "8",
                                                      "--drain-s", "0", NULL});
    slow_put(&server, NULL, SLOW_CELL_M);
    forest_put(&server);
    answer first = ask_get(&server, "/v1/worlds/forest/cells/1/1/1/trees");
    cr_assert_eq(first.status, 200);
    answer_free(&first);
}

static double waiting(void) {
    return daemon_metric(&server, "loam_queue_length{class=\"interactive\"}");
}

/* Asks for a cell that nobody has, on a connection of its own, and leaves it waiting. */
static void send_slow(void) {
    char text[256];
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(server.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_lt(asked, CELLS);
    int size = snprintf(text, sizeof text,
                        "GET /v1/worlds/slow/cells/0/%d/%d/trees HTTP/1.1\r\n"
                        "Host: localhost\r\n\r\n",
                        asked % 8, asked / 8);
    cr_assert_eq(connect(client, (struct sockaddr *)&to, sizeof to), 0);
    cr_assert_eq(send(client, text, (size_t)size, MSG_NOSIGNAL), size);
    clients[asked++] = client;
}

/* Until so many wait. The one worker takes one off now and then, so it is looked at each time. */
static void fill_to(double count) {
    while (waiting() < count) {
        send_slow();
    }
}

static answer ask_slow(void) {
    const char *at_once[] = {"Prefer: respond-async", NULL};
    return ask(&server, "GET", &(ask_options){.headers = at_once},
               "/v1/worlds/slow/cells/0/7/7/trees");
}

static answer post_job(void) {
    return ask_json(&server, "POST",
                    "{\"world\": \"forest\", \"outputs\": [\"trees\"], \"level\": 1, "
                    "\"cells\": [[2, 2]]}",
                    "/v1/jobs");
}

static answer post_batch(void) {
    return ask_json(&server, "POST", "{\"output\": \"trees\", \"cells\": [[1, 1, 1]]}",
                    "/v1/worlds/forest/cell-batches");
}

/* Asked while so many wait: the worker may have taken one off just before. */
static answer ask_behind(double count, answer (*make)(void)) {
    answer of = {0};
    for (int i = 0; i < TRIES_MAX && of.status != 503; i++) {
        answer_free(&of);
        fill_to(count);
        of = make();
    }
    return of;
}

static void expect_cached(void) {
    answer of = ask_get(&server, "/v1/worlds/forest/cells/1/1/1/trees");
    cr_expect_eq(of.status, 200, "what is in memory: %d", of.status);
    const char *from = answer_header(&of, "Cache-Status");
    cr_expect(from != NULL && strcmp(from, "loam; hit") == 0, "%s", from);
    answer_free(&of);
}

static void expect_refused(answer of, const char *retry_after, const char *class) {
    char name[64];
    const char *later = answer_header(&of, "Retry-After");
    cr_expect(later != NULL && strcmp(later, retry_after) == 0, "%s: Retry-After %s", class, later);
    expect_problem(of, 503, "overloaded", NULL);
    (void)snprintf(name, sizeof name, "loam_overloaded_total{class=\"%s\"}", class);
    cr_expect_geq(daemon_metric(&server, name), 1);
}

static void expect_not_refused(answer of) {
    cr_expect(of.status == 200 || of.status == 202 || of.status == 201, "%d: %s", of.status,
              of.body);
    answer_free(&of);
}

Test(shedding, jobs_go_first_then_batches_then_what_needs_a_worker, .init = start, .fini = stop) {
    expect_not_refused(post_job());
    expect_not_refused(post_batch());

    expect_refused(ask_behind(QUEUE / 2 + 1, post_job), "5", "job");
    expect_cached();

    expect_refused(ask_behind(QUEUE * 3 / 4 + 1, post_job), "5", "job");
    expect_refused(ask_behind(QUEUE * 3 / 4 + 1, post_batch), "2", "bulk");
    expect_cached();

    expect_refused(ask_behind(QUEUE, ask_slow), "1", "single");
    expect_refused(ask_behind(QUEUE, post_batch), "2", "bulk");
    expect_refused(ask_behind(QUEUE, post_job), "5", "job");
    expect_cached();
}

Test(shedding, all_are_taken_again_when_the_queue_has_drained, .init = start, .fini = stop) {
    expect_refused(ask_behind(QUEUE / 2 + 1, post_job), "5", "job");
    /* Between a worker that made its key and one that builds it, a cell is in no queue. */
    for (int i = 0; i < 600 && daemon_metric(&server, "loam_flights") > 0; i++) {
        pause_ms(50);
    }
    expect_not_refused(post_job());
    expect_not_refused(post_batch());
    expect_not_refused(ask_slow());
}
