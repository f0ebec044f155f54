/* SPDX-License-Identifier: MIT
 *
 * large_asset.c: see large_asset.h.
 */
#include "tests/support/large_asset.h"

#include "tests/support/pause.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* What the kernel keeps for a client that does not read. */
enum { NARROW_BYTES = 32768 };
/* 256 KB between two breaks of 10 ms: some 300 ms for the whole. */
enum { GULP_BYTES = 16384, GULPS = 16, BREAK_MS = 10 };

void large_put(const test_daemon *daemon) {
    unsigned char *samples = malloc(LARGE_BYTES);
    cr_assert_not_null(samples);
    for (size_t i = 0; i < LARGE_BYTES; i++) {
        samples[i] = (unsigned char)(i * 31 >> 3);
    }
    answer put =
        ask(daemon, "PUT",
            &(ask_options){
                .body = samples, .body_bytes = LARGE_BYTES, .type = "application/octet-stream"},
            "/v1/assets/large?" LARGE_QUERY);
    cr_assert(put.status == 201 || put.status == 200, "%d %s", put.status, put.body);
    answer_free(&put);
    free(samples);
}

int narrow_client(const test_daemon *daemon, const char *text) {
    int bytes = NARROW_BYTES;
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(daemon->port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_geq(client, 0);
    setsockopt(client, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    cr_assert_eq(connect(client, (struct sockaddr *)&to, sizeof to), 0);
    cr_assert_eq(send(client, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
    return client;
}

/* The head's size, once it is whole; 0 before. */
static size_t head_size(const char *head, size_t *promised) {
    const char *end = strstr(head, "\r\n\r\n");
    const char *length = strstr(head, "Content-Length: ");
    if (end == NULL || length == NULL) {
        return 0;
    }
    *promised = strtoul(length + strlen("Content-Length: "), NULL, 10);
    return (size_t)(end - head) + 4;
}

size_t read_steadily(int client, size_t *promised) {
    static char gulp[GULP_BYTES + 1];
    size_t total = 0;
    size_t head = 0;
    *promised = 0;
    for (int i = 1; total == 0 || total < head + *promised; i++) {
        size_t left = head + *promised - total;
        ssize_t count = recv(client, gulp, total > 0 && left < GULP_BYTES ? left : GULP_BYTES, 0);
        if (count <= 0) {
            break;
        }
        gulp[count] = 0;
        head = total == 0 ? head_size(gulp, promised) : head;
        total += (size_t)count;
        if (i % GULPS == 0) {
            pause_ms(BREAK_MS);
        }
    }
    return total - head;
}
