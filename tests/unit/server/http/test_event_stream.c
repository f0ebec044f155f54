/* SPDX-License-Identifier: MIT
 *
 * test_event_stream.c: answers without end.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pause.h"
#include "tests/unit/server/http/http_fixture.h"

#define H "Host: localhost\r\n"

static void say(const http_fixture *fixture, const char *text, int status) {
    reply got;
    char request[9000];
    snprintf(request, sizeof request, "GET /say?text=%s HTTP/1.1\r\n" H "\r\n", text);
    exchange(fixture, request, &got);
    cr_expect_eq(got.status, status);
}

Test(event_stream, what_is_written_arrives_and_close_ends_it) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    char text[2000];
    int client = client_connect(&fixture, "GET /events HTTP/1.1\r\n" H "\r\n");
    cr_assert(wait_for(&fixture.handled, 1, 1000));
    client_read(client, text, sizeof text - 1, 100);
    cr_expect_not_null(strstr(text, "text/event-stream"), "%s", text);
    say(&fixture, "first", 200);
    client_read(client, text, sizeof text - 1, 200);
    cr_expect_str_eq(text, "5\r\nfirst\r\n");
    say(&fixture, "second", 200);
    client_read(client, text, sizeof text - 1, 200);
    cr_expect_str_eq(text, "6\r\nsecond\r\n");
    reply got;
    exchange(&fixture, "GET /hush HTTP/1.1\r\n" H "\r\n", &got);
    client_read(client, text, sizeof text - 1, 200);
    cr_expect_str_eq(text, "0\r\n\r\n");
    cr_expect(wait_for(&fixture.streams_left, 1, 1000));
    close(client);
    fixture_stop(&fixture);
}

Test(event_stream, a_reader_that_leaves_is_noticed) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int client = client_connect(&fixture, "GET /events HTTP/1.1\r\n" H "\r\n");
    cr_assert(wait_for(&fixture.handled, 1, 1000));
    pause_ms(50);
    close(client);
    cr_expect(wait_for(&fixture.streams_left, 1, 2000));
    cr_expect_eq(fixture.gone, 0);
    say(&fixture, "more", 409);
    fixture_stop(&fixture);
}

Test(event_stream, a_reader_that_does_not_read_is_cut) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int client = client_connect(&fixture, "GET /events HTTP/1.1\r\n" H "\r\n");
    cr_assert(wait_for(&fixture.handled, 1, 1000));
    char long_text[3001];
    memset(long_text, 'y', 3000);
    long_text[3000] = 0;
    char request[3200];
    snprintf(request, sizeof request, "GET /say?text=%s HTTP/1.1\r\n" H "\r\n", long_text);
    int talker = client_connect(&fixture, NULL);
    for (int i = 0; i < 4000 && fixture.streams_left == 0; i++) {
        char answer[600];
        client_send(talker, request, strlen(request));
        client_read(talker, answer, 100, 100);
    }
    cr_expect(wait_for(&fixture.streams_left, 1, 2000));
    close(talker);
    close(client);
    fixture_stop(&fixture);
}

Test(event_stream, a_stream_ends_with_the_server) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int client = client_connect(&fixture, "GET /events HTTP/1.1\r\n" H "\r\n");
    cr_assert(wait_for(&fixture.handled, 1, 1000));
    pause_ms(20);
    fixture_stop(&fixture);
    cr_expect_eq(fixture.streams_left, 1);
    close(client);
}
