/* SPDX-License-Identifier: MIT
 *
 * test_drain.c: a daemon that is told to end lets what is on the wire arrive: answers are sent to
 * their end, bodies are taken, and who takes nothing holds nobody up longer than drain-s.
 */
#include "tests/support/large_asset.h"
#include "tests/support/pause.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GET_CONTENT "GET " LARGE_CONTENT " HTTP/1.1\r\nHost: localhost\r\n\r\n"

static test_daemon server;

static void start_patient(const char *drain_s) {
    server =
        daemon_start(NULL, (const char *const[]){"--workers", "1", "--drain-s", drain_s, NULL});
    large_put(&server);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* How it ended, and that it did so within the time. */
static int wait_for_end(double patience_s) {
    double before = seconds();
    int status = 0;
    while (waitpid(server.pid, &status, WNOHANG) == 0) {
        if (seconds() - before > patience_s) {
            kill(server.pid, SIGKILL);
            waitpid(server.pid, &status, 0);
            break;
        }
        pause_ms(10);
    }
    server.pid = 0;
    daemon_remove_folder(&server);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(drain, an_answer_that_is_being_sent_is_sent_to_its_end, .timeout = 60) {
    size_t promised = 0;
    char first[16];
    start_patient("30");
    int client = narrow_client(&server, GET_CONTENT);
    cr_assert_eq(recv(client, first, sizeof first, MSG_PEEK), (ssize_t)sizeof first);
    kill(server.pid, SIGTERM);
    pause_ms(200);
    size_t got = read_steadily(client, &promised);
    cr_expect_gt(promised, LARGE_BYTES);
    cr_expect_eq(got, promised, "%zu of %zu", got, promised);
    cr_expect_eq(wait_for_end(5), 0, "nor does it stay when all is sent");
    close(client);
}

/* Only who has a connection can still ask: behind an answer that is being sent. */
Test(drain, what_a_get_is_answered_a_head_is_too, .timeout = 60) {
    size_t promised = 0;
    char reply[512] = "";
    start_patient("30");
    int client =
        narrow_client(&server, GET_CONTENT "HEAD /v1/worlds HTTP/1.1\r\nHost: localhost\r\n\r\n");
    cr_assert_eq(recv(client, reply, 16, MSG_PEEK), 16);
    kill(server.pid, SIGTERM);
    pause_ms(200);
    cr_expect_eq(read_steadily(client, &promised), promised);
    recv(client, reply, sizeof reply - 1, MSG_WAITALL);
    cr_expect_eq(strncmp(reply, "HTTP/1.1 200 ", 13), 0, "%s", reply);
    cr_expect_eq(wait_for_end(5), 0);
    close(client);
}

Test(drain, a_body_that_is_arriving_is_taken_and_answered, .timeout = 60) {
    char head[512];
    char reply[256] = "";
    static char half[LARGE_BYTES / 2];
    start_patient("30");
    snprintf(head, sizeof head,
             "PUT /v1/assets/later?" LARGE_QUERY " HTTP/1.1\r\nHost: localhost\r\n"
             "Content-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n",
             LARGE_BYTES);
    int client = narrow_client(&server, head);
    cr_assert_eq(send(client, half, sizeof half, MSG_NOSIGNAL), (ssize_t)sizeof half);
    kill(server.pid, SIGTERM);
    pause_ms(200);
    cr_expect_eq(send(client, half, sizeof half, MSG_NOSIGNAL), (ssize_t)sizeof half);
    recv(client, reply, sizeof reply - 1, 0);
    cr_expect_eq(strncmp(reply, "HTTP/1.1 201 ", 13), 0, "%s", reply);
    cr_expect_eq(wait_for_end(5), 0);
    close(client);
}

Test(drain, one_who_takes_nothing_holds_it_up_no_longer_than_drain_s, .timeout = 60) {
    char first[16];
    start_patient("1");
    int client = narrow_client(&server, GET_CONTENT);
    cr_assert_eq(recv(client, first, sizeof first, MSG_PEEK), (ssize_t)sizeof first);
    double before = seconds();
    kill(server.pid, SIGTERM);
    cr_expect_eq(wait_for_end(10), 0);
    cr_expect_geq(seconds() - before, 0.9);
    cr_expect_leq(seconds() - before, 4);
    close(client);
}
