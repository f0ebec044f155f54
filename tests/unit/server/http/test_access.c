/* SPDX-License-Identifier: MIT
 *
 * test_access.c: raw requests, one per socket: the status of the answer and whether the server
 * closes. Cases of which the library alone decides say so; another version of it may be stricter.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/server/http/http_fixture.h"

#define H "Host: localhost\r\n"
#define END "\r\n"

typedef struct probe {
    const char *name;
    const char *request;
    int status;
    bool closes;
} probe;

static const probe probes[] = {
    {"a plain GET", "GET /ok HTTP/1.1\r\n" H END, 200, false},
    {"HEAD", "HEAD /ok HTTP/1.1\r\n" H END, 200, false},
    {"HTTP/1.0", "GET /ok HTTP/1.0\r\n" H END, 200, true},
    {"HTTP/1.0 without Host", "GET /ok HTTP/1.0\r\n" END, 200, true},
    {"no Host", "GET /ok HTTP/1.1\r\n" END, 400, true},
    {"two Hosts", "GET /ok HTTP/1.1\r\n" H H END, 400, true},
    {"empty Host", "GET /ok HTTP/1.1\r\nHost:\r\n" END, 421, false},
    {"foreign Host", "GET /ok HTTP/1.1\r\nHost: evil.example\r\n" END, 421, false},
    {"Host with port", "GET /ok HTTP/1.1\r\nHost: 127.0.0.1:7373\r\n" END, 200, false},
    {"Host as IPv6", "GET /ok HTTP/1.1\r\nHost: [::1]:7373\r\n" END, 200, false},
    {"configured Host", "GET /ok HTTP/1.1\r\nHost: maps.example\r\n" END, 200, false},
    {"absolute target", "GET http://localhost/ok HTTP/1.1\r\n" H END, 200, false},
    {"absolute target elsewhere", "GET http://evil.example/ok HTTP/1.1\r\n" H END, 421, false},
    {"https target", "GET https://localhost/ok HTTP/1.1\r\n" H END, 421, false},
    {"foreign origin", "GET /ok HTTP/1.1\r\n" H "Origin: http://evil.example\r\n" END, 403, false},
    {"own origin", "GET /ok HTTP/1.1\r\n" H "Origin: http://localhost\r\n" END, 200, false},
    {"another site", "GET /ok HTTP/1.1\r\n" H "Sec-Fetch-Site: cross-site\r\n" END, 403, false},
    {"the same site", "GET /ok HTTP/1.1\r\n" H "Sec-Fetch-Site: same-origin\r\n" END, 200, false},
    {"unknown method", "FOO /ok HTTP/1.1\r\n" H END, 501, true},
    {"TRACE", "TRACE /ok HTTP/1.1\r\n" H END, 501, true},
    {"OPTIONS *", "OPTIONS * HTTP/1.1\r\n" H END, 404, false},
    {"refused by the handler", "GET /nowhere HTTP/1.1\r\n" H END, 404, false},
    {"encoded zero", "GET /%00 HTTP/1.1\r\n" H END, 400, true},
    {"encoded slash", "GET /a%2fb HTTP/1.1\r\n" H END, 400, true},
    {"bad hex", "GET /%g0 HTTP/1.1\r\n" H END, 400, true},
    {"half a percent", "GET /ok?x=% HTTP/1.1\r\n" H END, 400, true},
    {"not UTF-8", "GET /%ff HTTP/1.1\r\n" H END, 400, true},
    {"blank in the target", "GET /o k HTTP/1.1\r\n" H END, 400, true},
    {"raw byte above ASCII", "GET /\xc3\xa9 HTTP/1.1\r\n" H END, 400, true},
    {"blank after a name", "GET /ok HTTP/1.1\r\n" H "X-A : 1\r\n" END, 400, true},
    {"a folded line", "GET /ok HTTP/1.1\r\n" H "X-A: b\r\n c\r\n" END, 400, true},
    {"a folded line, many", "GET /ok HTTP/1.1\r\n" H "X-A: b\r\n\tc\r\n d\r\nX-B: e\r\n" END, 400,
     true},
    {"a folded length",
     "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nContent-Length:\r\n 5\r\n" END "abcde", 400,
     true},
    {"an empty value", "GET /ok HTTP/1.1\r\n" H "X-A:\r\nX-B:\t \r\n" END, 200, false},
    {"no colon (library)", "GET /ok HTTP/1.1\r\n" H "X-A\r\n" END, 400, true},
    {"body on GET", "GET /ok HTTP/1.1\r\n" H "Content-Length: 1\r\n" END "x", 400, true},
    {"body on DELETE", "DELETE /ok HTTP/1.1\r\n" H "Content-Length: 1\r\n" END "x", 400, true},
    {"two lengths",
     "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nContent-Length: 1\r\nContent-Length: 9\r\n" END
     "x",
     400, true},
    {"length and chunks",
     "POST /echo HTTP/1.1\r\n" H
     "Content-Type: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n" END "0\r\n\r\n",
     400, true},
    {"length 0 and chunks on GET",
     "GET /ok HTTP/1.1\r\n" H "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n" END "0\r\n\r\n",
     400, true},
    {"gzip as transfer coding",
     "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nTransfer-Encoding: gzip\r\n" END, 501, true},
    {"two transfer codings",
     "POST /echo HTTP/1.1\r\n" H
     "Content-Type: t\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" END
     "0\r\n\r\n",
     400, true},
    {"chunks in HTTP/1.0",
     "POST /echo HTTP/1.0\r\n" H "Content-Type: t\r\nTransfer-Encoding: chunked\r\n" END
     "0\r\n\r\n",
     400, true},
    {"negative length (library)",
     "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nContent-Length: -1\r\n" END, 400, true},
    {"length beyond 64 bits (library)",
     "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nContent-Length: 99999999999999999999\r\n" END,
     413, true},
    {"another expectation",
     "POST /echo HTTP/1.1\r\n" H "Content-Length: 1\r\nContent-Type: t\r\nExpect: cake\r\n" END,
     417, true},
    {"too long a body",
     "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nContent-Length: 1000001\r\n" END, 413, true},
    {"coded body",
     "POST /echo HTTP/1.1\r\n" H
     "Content-Type: t\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n" END "x",
     415, true},
    {"body without type", "POST /echo HTTP/1.1\r\n" H "Content-Length: 1\r\n" END "x", 415, true},
    {"no length where one is needed", "POST /need HTTP/1.1\r\n" H END, 411, false},
    {"length 0 where one is needed", "POST /need HTTP/1.1\r\n" H "Content-Length: 0\r\n" END, 200,
     false},
    {"bad chunk size (library)",
     "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\nTransfer-Encoding: chunked\r\n" END "xyz\r\n",
     400, true},
    {"HTTP/2 preface (library)", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, true},
    {"204", "GET /none HTTP/1.1\r\n" H END, 204, false},
    {"304", "GET /same HTTP/1.1\r\n" H END, 304, false},
};

static const char *const hosts[] = {"maps.example"};
static const char *const origins[] = {"https://editor.example"};

static void start(http_fixture *fixture) {
    fixture_start(
        fixture,
        (http_options){.hosts = hosts, .host_count = 1, .origins = origins, .origin_count = 1});
}

Test(access, every_probe_gets_its_status_and_close) {
    http_fixture fixture;
    start(&fixture);
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
        reply got;
        exchange_until(&fixture, probes[i].request, probes[i].closes ? 2000 : 30, &got);
        cr_expect_eq(got.status, probes[i].status, "%s: got %d, want %d", probes[i].name,
                     got.status, probes[i].status);
        cr_expect_eq(got.closed, probes[i].closes, "%s: closed is %d", probes[i].name, got.closed);
    }
    fixture_stop(&fixture);
}

Test(access, refusals_are_problem_documents) {
    http_fixture fixture;
    start(&fixture);
    reply got;
    char value[64];
    exchange(&fixture, "GET /ok HTTP/1.1\r\nHost: evil.example\r\n\r\n", &got);
    reply_header(&got, "Content-Type", value, sizeof value);
    cr_expect_str_eq(value, "application/problem+json");
    cr_expect_not_null(strstr(got.body, "\"code\":\"misdirected\""), "%s", got.body);
    exchange(&fixture, "GET /%00 HTTP/1.1\r\n" H END, &got);
    cr_expect_not_null(strstr(got.body, "\"status\":400"), "%s", got.body);
    fixture_stop(&fixture);
}

Test(access, an_answer_without_body_has_none) {
    http_fixture fixture;
    start(&fixture);
    reply got;
    char value[64];
    exchange(&fixture, "HEAD /ok HTTP/1.1\r\n" H END, &got);
    reply_header(&got, "Content-Length", value, sizeof value);
    cr_expect_str_eq(value, "3");
    cr_expect_eq(got.body_size, 0);
    exchange(&fixture, "GET /none HTTP/1.1\r\n" H END, &got);
    reply_header(&got, "Content-Length", value, sizeof value);
    cr_expect_str_eq(value, "");
    cr_expect_eq(got.body_size, 0);
    exchange(&fixture, "GET /same HTTP/1.1\r\n" H END, &got);
    cr_expect_eq(got.body_size, 0);
    fixture_stop(&fixture);
}

Test(access, segments_and_parameters_reach_the_handler_decoded) {
    http_fixture fixture;
    start(&fixture);
    reply got;
    exchange(&fixture, "GET /show/a%20b/%C3%A9+?x=1%262&y=+z HTTP/1.1\r\n" H END, &got);
    cr_expect_str_eq(got.body, "/a b/\xc3\xa9+&x=1&2&y= z");
    fixture_stop(&fixture);
}

Test(access, a_header_that_comes_twice_is_joined) {
    http_fixture fixture;
    start(&fixture);
    reply got;
    exchange(&fixture, "GET /header HTTP/1.1\r\n" H "X-List: a\r\nx-list: b, c\r\n" END, &got);
    cr_expect_str_eq(got.body, "a, b, c");
    exchange(&fixture, "GET /header HTTP/1.1\r\n" H "X-List: one\r\n" END, &got);
    cr_expect_str_eq(got.body, "one");
    exchange(&fixture, "GET /header HTTP/1.1\r\n" H END, &got);
    cr_expect_str_eq(got.body, "absent");
    fixture_stop(&fixture);
}

Test(access, a_long_address_is_414_and_long_headers_are_431) {
    http_fixture fixture;
    start(&fixture);
    static char text[40000];
    reply got;
    int size = snprintf(text, sizeof text, "GET /show/%04080d HTTP/1.1\r\n" H END, 0);
    cr_assert_gt(size, 4080);
    exchange(&fixture, text, &got);
    cr_expect_eq(got.status, 200);
    snprintf(text, sizeof text, "GET /show/%05000d HTTP/1.1\r\n" H END, 0);
    exchange(&fixture, text, &got);
    cr_expect_eq(got.status, 414);
    snprintf(text, sizeof text, "GET /ok HTTP/1.1\r\n" H "X-A: %030000d\r\n" END, 0);
    exchange(&fixture, text, &got);
    cr_expect_eq(got.status, 431);
    snprintf(text, sizeof text, "GET /ok HTTP/1.1\r\n" H "X-A: %08000d\r\n" END, 0);
    exchange(&fixture, text, &got);
    cr_expect_eq(got.status, 200);
    fixture_stop(&fixture);
}

Test(access, an_allowed_origin_is_told_so_and_gets_its_preflight) {
    http_fixture fixture;
    start(&fixture);
    reply got;
    char value[64];
    exchange(&fixture,
             "GET /ok HTTP/1.1\r\n" H
             "Origin: https://editor.example\r\nSec-Fetch-Site: cross-site\r\n" END,
             &got);
    cr_expect_eq(got.status, 200);
    reply_header(&got, "Access-Control-Allow-Origin", value, sizeof value);
    cr_expect_str_eq(value, "https://editor.example");
    cr_expect_str_eq(got.body, "ok\n");
    exchange(&fixture,
             "OPTIONS /ok HTTP/1.1\r\n" H "Origin: https://editor.example\r\n"
             "Access-Control-Request-Method: PUT\r\n" END,
             &got);
    cr_expect_eq(got.status, 204);
    reply_header(&got, "Access-Control-Allow-Methods", value, sizeof value);
    cr_expect_not_null(strstr(value, "PUT"));
    exchange(&fixture, "GET /ok HTTP/1.1\r\n" H END, &got);
    reply_header(&got, "Access-Control-Allow-Origin", value, sizeof value);
    cr_expect_str_eq(value, "");
    fixture_stop(&fixture);
}

#define EDITOR "Origin: https://editor.example\r\n"

/* A cache that heeds "public" must not give one origin's answer, or nobody's, to another. */
Test(access, where_origins_are_allowed_every_answer_varies_by_origin) {
    static const char *const asked[] = {
        "GET /ok HTTP/1.1\r\n" H END,
        "GET /ok HTTP/1.1\r\n" H EDITOR END,
        "GET /ok HTTP/1.1\r\n" H "Origin: http://evil.example\r\n" END,
        "GET /nowhere HTTP/1.1\r\n" H END,
        "OPTIONS /ok HTTP/1.1\r\n" H EDITOR "Access-Control-Request-Method: PUT\r\n" END,
    };
    http_fixture fixture;
    char value[64];
    reply got;
    start(&fixture);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        exchange(&fixture, asked[i], &got);
        reply_header(&got, "Vary", value, sizeof value);
        cr_expect_str_eq(value, "Origin", "%s", asked[i]);
    }
    fixture_stop(&fixture);
    fixture_start(&fixture, (http_options){0});
    exchange(&fixture, asked[0], &got);
    reply_header(&got, "Vary", value, sizeof value);
    cr_expect_str_eq(value, "", "there are no origins to tell apart");
    fixture_stop(&fixture);
}

Test(access, a_page_may_send_what_routes_read_and_read_what_they_say) {
    static const char *const sent[] = {"If-Match", "If-Range", "Range", "traceparent"};
    static const char *const shown[] = {"Content-Range", "Accept-Ranges", "Allow",
                                        "WWW-Authenticate", "Warning"};
    http_fixture fixture;
    char value[512];
    reply got;
    start(&fixture);
    exchange(&fixture,
             "OPTIONS /ok HTTP/1.1\r\n" H EDITOR "Access-Control-Request-Method: GET\r\n" END,
             &got);
    reply_header(&got, "Access-Control-Allow-Headers", value, sizeof value);
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        cr_expect_not_null(strstr(value, sent[i]), "%s", sent[i]);
    }
    exchange(&fixture, "GET /ok HTTP/1.1\r\n" H EDITOR END, &got);
    reply_header(&got, "Access-Control-Expose-Headers", value, sizeof value);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        cr_expect_not_null(strstr(value, shown[i]), "%s", shown[i]);
    }
    fixture_stop(&fixture);
}

Test(access, expect_continue_gets_its_interim_answer_only_when_admitted) {
    http_fixture fixture;
    start(&fixture);
    char text[512];
    int client = client_connect(&fixture, "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\n"
                                          "Content-Length: 3\r\nExpect: 100-continue\r\n" END);
    client_read(client, text, 25, 1000);
    cr_expect_str_eq(text, "HTTP/1.1 100 Continue\r\n\r\n");
    client_send(client, "abc", 3);
    client_read(client, text, sizeof text - 1, 300);
    cr_expect_not_null(strstr(text, "200 OK"));
    close(client);
    client = client_connect(&fixture, "POST /echo HTTP/1.1\r\n" H "Content-Type: t\r\n"
                                      "Content-Length: 1000001\r\nExpect: 100-continue\r\n" END);
    client_read(client, text, sizeof text - 1, 1000);
    cr_expect_eq(strncmp(text, "HTTP/1.1 413", 12), 0, "%s", text);
    close(client);
    fixture_stop(&fixture);
}

Test(access, a_refused_request_does_not_start_another) {
    http_fixture fixture;
    start(&fixture);
    reply got;
    exchange(&fixture,
             "POST /echo HTTP/1.1\r\n" H
             "Content-Type: t\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n" END
             "0\r\n\r\nGET /ok HTTP/1.1\r\n" H END,
             &got);
    cr_expect_eq(got.status, 400);
    cr_expect_null(strstr(got.bytes, "ok\n"));
    cr_expect_eq(fixture.handled, 0);
    fixture_stop(&fixture);
}
