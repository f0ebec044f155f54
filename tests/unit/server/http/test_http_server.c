/* SPDX-License-Identifier: MIT
 *
 * test_http_server.c: many requests at once, and the beginning and end of a server.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/unit/server/http/http_fixture.h"

#define H "Host: localhost\r\n"

enum { PIPELINED = 300, SUSPENDED = 500 };

/* Checks that answers come as 0, 1, 2, ...; even ones at once, odd ones from a worker. */
static size_t count_in_order(const char *text) {
    size_t count = 0;
    char even[16];
    for (const char *at = text; (at = strstr(at, "\r\n\r\n")) != NULL; count++) {
        at += 4;
        snprintf(even, sizeof even, "/%zu", count);
        const char *wanted = count % 2 == 0 ? even : "later\n";
        if (strncmp(at, wanted, strlen(wanted)) != 0) {
            break;
        }
    }
    return count;
}

Test(http_server, three_hundred_pipelined_requests_are_answered_in_order) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    char *requests = calloc(PIPELINED, 100);
    for (int i = 0; i < PIPELINED; i++) {
        char one[100];
        if (i % 2 == 0) {
            snprintf(one, sizeof one, "GET /show/%d HTTP/1.1\r\n" H "\r\n", i);
        } else {
            snprintf(one, sizeof one, "GET /later HTTP/1.1\r\n" H "\r\n");
        }
        strcat(requests, one);
    }
    char *answers = malloc(200001);
    int client = client_connect(&fixture, requests);
    client_read(client, answers, 200000, 1000);
    cr_expect_eq(count_in_order(answers), PIPELINED, "%zu came", count_in_order(answers));
    close(client);
    free(answers);
    free(requests);
    fixture_stop(&fixture);
}

Test(http_server, five_hundred_waiting_requests_starve_nobody) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    static int clients[SUSPENDED];
    char text[512];
    for (int i = 0; i < SUSPENDED; i++) {
        clients[i] = client_connect(&fixture, "GET /wait HTTP/1.1\r\n" H "\r\n");
    }
    cr_assert(wait_for(&fixture.handled, SUSPENDED, 5000));
    for (int i = 0; i < 200; i++) {
        int client = client_connect(&fixture, i % 2 == 0 ? "GET /ok HTTP/1.1\r\n" H "\r\n"
                                                         : "GET /later HTTP/1.1\r\n" H "\r\n");
        size_t size = client_read(client, text, 15, 1000);
        cr_assert_eq(size, 15, "request %d got no answer", i);
        close(client);
    }
    cr_expect_eq(http_waiting(fixture.server), SUSPENDED);
    reply got;
    exchange(&fixture, "GET /release HTTP/1.1\r\n" H "\r\n", &got);
    for (int i = 0; i < SUSPENDED; i++) {
        cr_expect_eq(client_read(clients[i], text, 15, 1000), 15);
        close(clients[i]);
    }
    fixture_stop(&fixture);
}

Test(http_server, requests_that_wait_are_told_when_the_server_stops) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int client = client_connect(&fixture, "GET /wait HTTP/1.1\r\n" H "\r\n");
    int idle = client_connect(&fixture, NULL);
    cr_assert(wait_for(&fixture.handled, 1, 1000));
    fixture_stop(&fixture);
    cr_expect_eq(fixture.gone, 1);
    cr_expect(client_sees_end(client, 500));
    cr_expect(client_sees_end(idle, 500));
    close(client);
    close(idle);
}

Test(http_server, a_request_may_be_answered_after_the_server_has_stopped) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    fixture.answers_late = true;
    int clients[3];
    for (int i = 0; i < 3; i++) {
        clients[i] = client_connect(&fixture, "GET /wait HTTP/1.1\r\n" H "\r\n");
    }
    cr_assert(wait_for(&fixture.handled, 3, 1000));
    close(clients[0]);
    cr_assert(wait_for(&fixture.gone, 1, 1000));
    fixture_stop(&fixture);
    cr_expect_eq(fixture.gone, 3);
    cr_expect_eq(fixture.waiting_count, 0);
    close(clients[1]);
    close(clients[2]);
}

typedef struct quiesce {
    loop_task task;
    http_fixture *fixture;
    atomic_uint done;
} quiesce;

static void stop_accepting(loop_task *task) {
    quiesce *quiesce_task = (quiesce *)task;
    http_stop_accepting(quiesce_task->fixture->server);
    quiesce_task->done = 1;
}

Test(http_server, after_stop_accepting_what_waits_is_answered_and_closed) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int idle = client_connect(&fixture, NULL);
    int slow = client_connect(&fixture, "GET /later HTTP/1.1\r\n" H "\r\n"
                                        "GET /release HTTP/1.1\r\n" H "\r\n");
    int client = client_connect(&fixture, "GET /wait HTTP/1.1\r\n" H "\r\n");
    cr_assert(wait_for(&fixture.handled, 3, 2000));
    quiesce task = {.task = {stop_accepting, NULL}, .fixture = &fixture};
    loop_post(fixture.loop, &task.task);
    cr_assert(wait_for(&task.done, 1, 1000));
    cr_expect(client_sees_end(idle, 2500));
    cr_expect(client_sees_end(slow, 2500));
    close(idle);
    close(slow);
    close(client);
    cr_expect_eq(http_connections(fixture.server) <= 1, true);
    fixture_stop(&fixture);
}

Test(http_server, a_second_server_on_the_port_is_one_clear_error) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    loam_error error = {0};
    http_options options = fixture.options;
    options.port = fixture.port;
    cr_expect_null(http_start(fixture.loop, &options, &error));
    cr_expect_eq(error.status, LOAM_IO);
    cr_expect_not_null(strstr(error.text, "127.0.0.1:"), "%s", error.text);
    fixture_stop(&fixture);
}

Test(http_server, a_unix_socket_is_served_and_removed_at_the_end) {
    char folder[] = "/tmp/loam-local-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/admin", folder);
    char name[128];
    snprintf(name, sizeof name, "unix:%s", address.sun_path);
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.address = name});
    cr_expect_eq(fixture.port, 0);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(connect(client, (struct sockaddr *)&address, sizeof address), 0);
    const char *request = "GET /later HTTP/1.1\r\n" H "\r\n";
    client_send(client, request, strlen(request));
    char text[512];
    client_read(client, text, sizeof text - 1, 300);
    cr_expect_not_null(strstr(text, "later\n"), "%s", text);
    close(client);
    fixture_stop(&fixture);
    cr_expect_eq(rmdir(folder), 0, "the socket is left");
}

Test(http_server, what_the_library_logs_is_limited) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    for (int i = 0; i < 60; i++) {
        reply got;
        int client =
            client_connect(&fixture, "POST /echo HTTP/1.1\r\n" H "Content-Length: x\r\n\r\n");
        client_read(client, got.bytes, 12, 500);
        close(client);
    }
    cr_expect_geq(fixture.log_lines, 1);
    cr_expect_leq(fixture.log_lines, 40);
    fixture_stop(&fixture);
}

Test(http_server, finished_names_the_status_of_each_request) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    reply got;
    exchange(&fixture, "GET /nowhere HTTP/1.1\r\n" H "\r\n", &got);
    cr_assert(wait_for(&fixture.finished, 1, 1000));
    cr_expect_eq(fixture.last_status, 404);
    exchange(&fixture, "GET /later HTTP/1.1\r\n" H "\r\n", &got);
    cr_assert(wait_for(&fixture.finished, 2, 1000));
    cr_expect_eq(fixture.last_status, 200);
    fixture_stop(&fixture);
}
