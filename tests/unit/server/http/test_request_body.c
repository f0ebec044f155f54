/* SPDX-License-Identifier: MIT
 *
 * test_request_body.c: bodies in memory and in files, whole, too large and broken off.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/pause.h"
#include "tests/unit/server/http/http_fixture.h"

#define H "Host: localhost\r\nContent-Type: t\r\n"

static int count_files(const char *folder) {
    int count = 0;
    DIR *files = opendir(folder);
    for (struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        count += entry->d_name[0] != '.';
    }
    closedir(files);
    return count;
}

static bool folder_empties(const char *folder) {
    for (int waited = 0; waited < 2000 && count_files(folder) > 0; waited++) {
        pause_ms(1);
    }
    return count_files(folder) == 0;
}

static char *make_body(size_t size) {
    char *body = malloc(size + 1);
    for (size_t i = 0; i < size; i++) {
        body[i] = (char)('a' + (i * 7 + i / 1000) % 26);
    }
    body[size] = 0;
    return body;
}

/* Sends a body with its length and reads what comes back. */
static size_t send_whole(const http_fixture *fixture, const char *line, const char *body,
                         size_t size, char *to, size_t to_size) {
    char head[256];
    snprintf(head, sizeof head, "%s\r\n" H "Content-Length: %zu\r\nConnection: close\r\n\r\n", line,
             size);
    int client = client_connect(fixture, head);
    client_send(client, body, size);
    size_t got = client_read(client, to, to_size, 3000);
    close(client);
    return got;
}

static size_t send_chunked(const http_fixture *fixture, const char *line, const char *body,
                           size_t size, size_t chunk, char *to, size_t to_size) {
    char head[256];
    snprintf(head, sizeof head,
             "%s\r\n" H "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n", line);
    int client = client_connect(fixture, head);
    for (size_t at = 0; at < size; at += chunk) {
        size_t piece = size - at < chunk ? size - at : chunk;
        snprintf(head, sizeof head, "%zx\r\n", piece);
        client_send(client, head, strlen(head));
        client_send(client, body + at, piece);
        client_send(client, "\r\n", 2);
    }
    client_send(client, "0\r\n\r\n", 5);
    size_t got = client_read(client, to, to_size, 3000);
    close(client);
    return got;
}

static void expect_sum(const char *answer, const char *body, size_t size) {
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum = sum * 31 + (unsigned)body[i];
    }
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%zu %u\n", size, sum);
    cr_expect_not_null(strstr(answer, wanted), "%zu bytes: %s", size, answer);
}

Test(request_body, a_body_up_to_the_limit_arrives_unchanged) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    static const size_t sizes[] = {1, 16383, 16384, 16385, 70000, ECHO_BYTES_MAX};
    char *answer = malloc(ECHO_BYTES_MAX + 2000);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *body = make_body(sizes[i]);
        send_whole(&fixture, "POST /echo HTTP/1.1", body, sizes[i], answer, ECHO_BYTES_MAX + 1000);
        const char *echoed = strstr(answer, "\r\n\r\n");
        cr_assert_not_null(echoed);
        cr_expect_str_eq(echoed + 4, body, "%zu bytes", sizes[i]);
        send_chunked(&fixture, "POST /echo HTTP/1.1", body, sizes[i], 5000, answer,
                     ECHO_BYTES_MAX + 1000);
        echoed = strstr(answer, "\r\n\r\n");
        cr_assert_not_null(echoed);
        cr_expect_str_eq(echoed + 4, body, "%zu bytes in chunks", sizes[i]);
        free(body);
    }
    free(answer);
    fixture_stop(&fixture);
}

Test(request_body, chunks_are_counted_and_one_byte_too_many_is_413) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    char *body = make_body(ECHO_BYTES_MAX + 1);
    char answer[2000];
    send_chunked(&fixture, "POST /echo HTTP/1.1", body, ECHO_BYTES_MAX + 1, 65536, answer,
                 sizeof answer - 1);
    cr_expect_eq(strncmp(answer, "HTTP/1.1 413", 12), 0, "%s", answer);
    cr_expect_eq(fixture.handled, 0);
    free(body);
    fixture_stop(&fixture);
}

Test(request_body, a_client_that_never_stops_is_cut) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int client =
        client_connect(&fixture, "POST /echo HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n");
    char *chunk = malloc(0x100000 + 16);
    memset(chunk, 'x', 0x100000 + 16);
    memcpy(chunk, "100000\r\n", 8);
    memcpy(chunk + 8 + 0x100000, "\r\n", 2);
    bool ended = false;
    for (int i = 0; i < 64 && !ended; i++) {
        client_send(client, chunk, 0x100000 + 10);
        ended = client_sees_end(client, 1);
    }
    cr_expect(ended);
    free(chunk);
    close(client);
    fixture_stop(&fixture);
}

Test(request_body, all_bodies_together_have_a_limit) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){.body_memory_bytes = 100000});
    char *body = make_body(200000);
    char answer[2000];
    send_whole(&fixture, "POST /echo HTTP/1.1", body, 200000, answer, sizeof answer - 1);
    cr_expect_eq(strncmp(answer, "HTTP/1.1 503", 12), 0, "%s", answer);
    send_whole(&fixture, "POST /echo HTTP/1.1", body, 50000, answer, sizeof answer - 1);
    cr_expect_eq(strncmp(answer, "HTTP/1.1 200", 12), 0, "%s", answer);
    free(body);
    fixture_stop(&fixture);
}

Test(request_body, a_body_goes_to_a_file_that_ends_with_the_request) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 131072, 3000000};
    char answer[2000];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *body = make_body(sizes[i]);
        send_whole(&fixture, "PUT /file HTTP/1.1", body, sizes[i], answer, sizeof answer - 1);
        expect_sum(answer, body, sizes[i]);
        send_chunked(&fixture, "PUT /file HTTP/1.1", body, sizes[i], 30000, answer,
                     sizeof answer - 1);
        expect_sum(answer, body, sizes[i]);
        free(body);
    }
    cr_expect(folder_empties(fixture.folder));
    fixture_stop(&fixture);
}

Test(request_body, an_upload_that_breaks_off_leaves_no_file) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    int client =
        client_connect(&fixture, "PUT /file HTTP/1.1\r\n" H "Content-Length: 1000000\r\n\r\n");
    char *body = make_body(300000);
    client_send(client, body, 300000);
    for (int waited = 0; waited < 2000 && count_files(fixture.folder) == 0; waited++) {
        pause_ms(1);
    }
    cr_expect_eq(count_files(fixture.folder), 1);
    close(client);
    cr_expect(folder_empties(fixture.folder));
    cr_expect_eq(fixture.handled, 0);
    free(body);
    fixture_stop(&fixture);
}

Test(request_body, an_upload_that_can_not_be_stored_is_an_error) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    char away[80];
    snprintf(away, sizeof away, "%s-away", fixture.folder);
    cr_assert_eq(rename(fixture.folder, away), 0);
    char *body = make_body(300000);
    char answer[2000];
    static const size_t sizes[] = {0, 10, 300000};
    for (size_t i = 0; i < 3; i++) {
        send_whole(&fixture, "PUT /file HTTP/1.1", body, sizes[i], answer, sizeof answer - 1);
        cr_expect_eq(strncmp(answer, "HTTP/1.1 503", 12), 0, "%zu: %s", sizes[i], answer);
    }
    free(body);
    cr_assert_eq(rename(away, fixture.folder), 0);
    fixture_stop(&fixture);
}

Test(request_body, an_upload_faster_than_the_disk_waits_and_is_whole) {
    http_fixture fixture;
    fixture_start(&fixture, (http_options){0});
    size_t size = 10000000;
    char *body = make_body(size);
    char answer[2000];
    send_whole(&fixture, "PUT /file HTTP/1.1", body, size, answer, sizeof answer - 1);
    expect_sum(answer, body, size);
    free(body);
    fixture_stop(&fixture);
}
