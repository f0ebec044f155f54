/* SPDX-License-Identifier: MIT
 *
 * test_crowd.c: who gives way when connections run out, and who does not.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/http/http_limits.h"
#include "tests/support/pause.h"
#include "tests/unit/server/http/http_fixture.h"

#define GET "GET /ok HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define WAIT "GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n"

/* The reserve begins behind the eighteenth. */
enum { LIMIT = 20, UNRESERVED = 18 };

static http_fixture fixture;
static int clients[UNRESERVED];

static void connect_all(const char *text) {
    char answer[512];
    fixture_start(&fixture, (http_options){.connection_limit = LIMIT});
    for (int i = 0; i < UNRESERVED; i++) {
        clients[i] = client_connect(&fixture, text);
        if (text != NULL && strcmp(text, GET) == 0) {
            client_read(clients[i], answer, 15, 1000);
            cr_assert_eq(strncmp(answer, "HTTP/1.1 200 OK", 15), 0);
        }
    }
}

static void grow_old(void) {
    pause_ms(YIELD_MS + 200);
}

static void stop(void) {
    for (int i = 0; i < UNRESERVED; i++) {
        close(clients[i]);
    }
    fixture_stop(&fixture);
}

static int status_of_new(void) {
    reply got;
    exchange(&fixture, GET, &got);
    return got.status;
}

Test(crowd, silent_sockets_keep_nobody_out, .fini = stop) {
    connect_all(NULL);
    grow_old();
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(status_of_new(), 200);
    }
    cr_expect(client_sees_end(clients[0], 1000), "the one that was silent longest stays");
    cr_expect_not(client_sees_end(clients[UNRESERVED - 1], 100), "the last one went too");
    cr_expect_gt(http_connections_yielded(fixture.server), 0);
}

Test(crowd, half_a_request_does_not_hold_a_place_either, .fini = stop) {
    connect_all("GET /ok HTTP/1.1\r\nHost: loc");
    grow_old();
    cr_expect_eq(status_of_new(), 200);
    cr_expect(client_sees_end(clients[0], 1000));
}

Test(crowd, who_was_served_and_is_idle_gives_way, .fini = stop) {
    connect_all(GET);
    grow_old();
    cr_expect_eq(status_of_new(), 200);
}

Test(crowd, who_has_just_come_keeps_its_place_and_the_next_one_is_served, .fini = stop) {
    connect_all(NULL);
    cr_expect_eq(status_of_new(), 200);
    cr_expect_eq(http_connections_yielded(fixture.server), 0);
}

Test(crowd, the_last_place_is_not_kept_for_anyone, .fini = stop) {
    int late[LIMIT];
    connect_all(NULL);
    for (int i = 0; i < LIMIT; i++) {
        late[i] = client_connect(&fixture, NULL);
    }
    cr_expect_eq(status_of_new(), 200);
    cr_expect_gt(http_connections_yielded(fixture.server), 0);
    for (int i = 0; i < LIMIT; i++) {
        close(late[i]);
    }
}

Test(crowd, who_waits_for_an_answer_does_not_give_way, .fini = stop) {
    reply got;
    connect_all(WAIT);
    cr_assert(wait_for(&fixture.handled, UNRESERVED, 2000));
    grow_old();
    cr_expect_eq(status_of_new(), 503);
    cr_expect_eq(http_connections_yielded(fixture.server), 0);
    cr_expect_eq(fixture.gone, 0);
    close(clients[0]);
    cr_assert(wait_for(&fixture.gone, 1, 2000));
    pause_ms(50);
    exchange(&fixture, "GET /release HTTP/1.1\r\nHost: localhost\r\n\r\n", &got);
    cr_expect_eq(got.status, 200);
}

Test(crowd, an_idle_connection_that_asks_again_stands_at_the_end, .fini = stop) {
    char answer[512];
    connect_all(GET);
    grow_old();
    client_send(clients[0], GET, strlen(GET));
    client_read(clients[0], answer, sizeof answer - 1, 300);
    cr_expect_eq(status_of_new(), 200);
    cr_expect_not(client_sees_end(clients[0], 300));
    cr_expect(client_sees_end(clients[1], 1000));
}
