/* SPDX-License-Identifier: MIT
 *
 * test_connection.c: deadlines, clients that leave, and the reserve.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/pause.h"
#include "tests/unit/server/http/http_fixture.h"

#define H "Host: localhost\r\n"

/* Sends a byte now and then, so that the socket is never idle; returns when it ended. */
static uint64_t dribble(int client, const char *text, uint64_t limit_ms) {
    uint64_t start_ms = loop_now_ms();
    size_t size = strlen(text);
    for (size_t i = 0; loop_now_ms() - start_ms < limit_ms; i++) {
        client_send(client, text + i % size, 1);
        if (client_sees_end(client, 100)) {
            break;
        }
    }
    return loop_now_ms() - start_ms;
}

Test(connection, slow_headers_are_cut_at_an_absolute_deadline) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.headers_ms = 1000});
    int client = client_connect(&fixture, "GET /ok HTTP/1.1\r\n" H "X-A: ");
    uint64_t took_ms = dribble(client, "abc", 5000);
    cr_expect_geq(took_ms, 900);
    cr_expect_leq(took_ms, 3500, "cut after %llu ms", (unsigned long long)took_ms);
    close(client);
    client = client_connect(&fixture, NULL);
    cr_expect(client_sees_end(client, 3500), "a client that says nothing stays");
    close(client);
    fixture_stop(&fixture);
}

Test(connection, a_stalled_body_is_cut_and_a_steady_one_is_not) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.body_ms = 1000});
    const char *head =
        "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nContent-Length: 200000\r\n\r\n";
    int stalled = client_connect(&fixture, head);
    int steady = client_connect(&fixture, head);
    char block[8000];
    memset(block, 'x', sizeof block);
    bool cut = false;
    for (int i = 0; i < 25; i++) {
        client_send(steady, block, sizeof block);
        client_send(stalled, "x", 1);
        cut = cut || client_sees_end(stalled, 1);
        pause_ms(120);
    }
    cr_expect(cut);
    client_read(steady, block, 15, 2000);
    cr_expect_eq(strncmp(block, "HTTP/1.1 200 OK", 15), 0);
    close(stalled);
    close(steady);
    fixture_stop(&fixture);
}

Test(connection, an_idle_connection_has_its_own_longer_limit) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.headers_ms = 300, .idle_ms = 2500});
    char text[512];
    int client = client_connect(&fixture, "GET /ok HTTP/1.1\r\n" H "\r\n");
    client_read(client, text, sizeof text - 1, 200);
    cr_expect_not(client_sees_end(client, 1500), "idle is not a slow header");
    cr_expect(client_sees_end(client, 4000));
    close(client);
    fixture_stop(&fixture);
}

Test(connection, an_answer_that_nobody_reads_is_given_up) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.response_stall_ms = 1000});
    int client = client_connect(&fixture, "GET /big HTTP/1.1\r\n" H "\r\n");
    cr_assert(wait_for(&fixture.finished, 1, 6000), "it is still being sent");
    close(client);
    fixture_stop(&fixture);
}

Test(connection, a_slow_reader_that_goes_on_reading_is_served) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.response_stall_ms = 1200});
    int client = client_connect(&fixture, "GET /big HTTP/1.1\r\n" H "\r\n");
    char *block = malloc(400001);
    size_t size = 0;
    for (int i = 0; i < 40; i++) {
        size_t more = client_read(client, block, 400000, 1000);
        size += more;
        if (size >= (size_t)8 << 20) {
            break;
        }
        pause_ms(110);
    }
    cr_expect_geq(size, (size_t)8 << 20, "got %zu", size);
    free(block);
    close(client);
    fixture_stop(&fixture);
}

Test(connection, a_client_that_leaves_while_its_request_waits_is_noticed) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int clients[50];
    for (int i = 0; i < 50; i++) {
        clients[i] = client_connect(&fixture, "GET /wait HTTP/1.1\r\n" H "\r\n");
    }
    cr_assert(wait_for(&fixture.handled, 50, 2000));
    for (int i = 0; i < 40; i++) {
        close(clients[i]);
    }
    cr_assert(wait_for(&fixture.gone, 40, 2000), "%u noticed", fixture.gone);
    reply got;
    exchange(&fixture, "GET /release HTTP/1.1\r\n" H "\r\n", &got);
    cr_expect_eq(got.status, 200);
    for (int i = 40; i < 50; i++) {
        char text[512];
        client_read(clients[i], text, 15, 1000);
        cr_expect_eq(strncmp(text, "HTTP/1.1 200 OK", 15), 0);
        close(clients[i]);
    }
    cr_expect_eq(fixture.gone, 40);
    fixture_stop(&fixture);
}

Test(connection, a_reset_while_waiting_is_noticed_too) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int client = client_connect(&fixture, "GET /wait HTTP/1.1\r\n" H "\r\n");
    cr_assert(wait_for(&fixture.handled, 1, 2000));
    struct linger at_once = {1, 0};
    setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(client);
    cr_expect(wait_for(&fixture.gone, 1, 2000));
    fixture_stop(&fixture);
}

Test(connection, above_the_reserve_new_clients_get_503_while_all_are_busy) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.connection_limit = 20});
    int clients[18];
    char text[1024];
    for (int i = 0; i < 18; i++) {
        clients[i] = client_connect(&fixture, "GET /wait HTTP/1.1\r\n" H "\r\n");
    }
    cr_assert(wait_for(&fixture.handled, 18, 2000));
    reply got;
    exchange_until(&fixture, "GET /ok HTTP/1.1\r\n" H "\r\n", 2000, &got);
    cr_expect_eq(got.status, 503);
    cr_expect(got.closed);
    reply_header(&got, "Retry-After", text, sizeof text);
    cr_expect_str_eq(text, "1");
    for (int i = 0; i < 18; i++) {
        close(clients[i]);
    }
    pause_ms(200);
    exchange(&fixture, "GET /ok HTTP/1.1\r\n" H "\r\n", &got);
    cr_expect_eq(got.status, 200);
    fixture_stop(&fixture);
}
