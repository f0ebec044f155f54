/* SPDX-License-Identifier: MIT
 *
 * test_framing.c: the guard, header by header.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "server/http/framing.h"

typedef struct probe {
    http_method method;
    framing_version version;
    const char *headers; /* "Name:value" pieces, separated by ';' */
    loam_status status;
    uint64_t body_bytes;
} probe;

static loam_status check(const probe *from, uint64_t *body_bytes) {
    framing gathered = {0};
    loam_error error = {0};
    const char *at = from->headers;
    while (*at != 0) {
        size_t size = strcspn(at, ";");
        size_t name_size = strcspn(at, ":");
        framing_note(&gathered, (loam_text){at, name_size},
                     (loam_text){at + name_size + 1, size - name_size - 1});
        at += size + (at[size] == ';');
    }
    return framing_check(&gathered, from->method, from->version, body_bytes, &error);
}

static void expect_all(const probe *probes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t body_bytes = 0;
        loam_status status = check(&probes[i], &body_bytes);
        cr_expect_eq(status, probes[i].status, "%s: got %s, want %s", probes[i].headers,
                     loam_status_code(status), loam_status_code(probes[i].status));
        if (status == LOAM_OK) {
            cr_expect_eq(body_bytes, probes[i].body_bytes, "%s", probes[i].headers);
        }
    }
}

Test(framing, sound_requests_pass_with_their_length) {
    static const probe probes[] = {
        {HTTP_GET, HTTP_1_1, "Host:a", LOAM_OK, 0},
        {HTTP_GET, HTTP_1_0, "", LOAM_OK, 0},
        {HTTP_GET, HTTP_1_1, "Host:a;Content-Length:0", LOAM_OK, 0},
        {HTTP_POST, HTTP_1_1, "Host:a", LOAM_OK, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:12;Content-Type:t", LOAM_OK, 12},
        {HTTP_POST, HTTP_1_1, "host:a;content-length:007;content-type:t", LOAM_OK, 7},
        {HTTP_PUT, HTTP_1_1, "Host:a;Transfer-Encoding:Chunked;Content-Type:t", LOAM_OK,
         BODY_CHUNKED},
        {HTTP_POST, HTTP_1_1, "Host:a;Expect:100-Continue", LOAM_OK, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:1;Content-Type:t;Content-Encoding:identity",
         LOAM_OK, 1},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:9223372036854775807;Content-Type:t", LOAM_OK,
         INT64_MAX},
        {HTTP_GET, HTTP_1_1, "Host:a;Accept:x;Accept:y", LOAM_OK, 0},
    };
    expect_all(probes, sizeof probes / sizeof probes[0]);
}

Test(framing, doubtful_requests_are_refused) {
    static const probe probes[] = {
        {HTTP_GET, HTTP_1_1, "", LOAM_MALFORMED, 0},
        {HTTP_GET, HTTP_1_1, "Host:a;Host:a", LOAM_MALFORMED, 0},
        {HTTP_GET, HTTP_1_1, "Host:a;X :1", LOAM_MALFORMED, 0},
        {HTTP_GET, HTTP_1_1, "Host:a; X:1", LOAM_MALFORMED, 0},
        {HTTP_GET, HTTP_1_1, "Host:a;:1", LOAM_MALFORMED, 0},
        {HTTP_GET, HTTP_1_1, "Host:a;Content-Length:1", LOAM_MALFORMED, 0},
        {HTTP_DELETE, HTTP_1_1, "Host:a;Content-Length:1", LOAM_MALFORMED, 0},
        {HTTP_HEAD, HTTP_1_1, "Host:a;Transfer-Encoding:chunked", LOAM_MALFORMED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:1;Content-Length:1", LOAM_MALFORMED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:1;Transfer-Encoding:chunked", LOAM_MALFORMED,
         0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:-1", LOAM_MALFORMED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:1,1", LOAM_MALFORMED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:", LOAM_MALFORMED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:9223372036854775808", LOAM_MALFORMED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Transfer-Encoding:chunked;Transfer-Encoding:chunked",
         LOAM_MALFORMED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Transfer-Encoding:gzip, chunked", LOAM_NOT_IMPLEMENTED, 0},
        {HTTP_POST, HTTP_1_0, "Transfer-Encoding:chunked", LOAM_MALFORMED, 0},
        {HTTP_OTHER, HTTP_1_1, "Host:a", LOAM_NOT_IMPLEMENTED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Expect:202-accepted", LOAM_EXPECTATION_FAILED, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:1;Content-Type:t;Content-Encoding:gzip",
         LOAM_UNSUPPORTED_MEDIA, 0},
        {HTTP_POST, HTTP_1_1, "Host:a;Content-Length:1", LOAM_UNSUPPORTED_MEDIA, 0},
        {HTTP_GET, HTTP_1_1, "Host:a;Range:x;Range:y", LOAM_MALFORMED, 0},
    };
    expect_all(probes, sizeof probes / sizeof probes[0]);
}
