/* SPDX-License-Identifier: MIT
 *
 * visit.c: see visit.h.
 */
#include "tests/disaster/visit.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Longer than the daemon lets anybody wait. */
enum { PATIENCE_MS = 120000, HEAD_BYTES = 4096, CHUNK_BYTES = 65536 };

static struct sockaddr_un place = {.sun_family = AF_UNIX};

void visit_at(const char *socket_path) {
    snprintf(place.sun_path, sizeof place.sun_path, "%s", socket_path);
}

static bool send_all(int to, const char *bytes, size_t size) {
    while (size > 0) {
        struct pollfd waits = {.fd = to, .events = POLLOUT};
        poll(&waits, 1, PATIENCE_MS);
        ssize_t sent = send(to, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool send_request(int to, const visit *of) {
    char head[HEAD_BYTES];
    size_t body_size = of->body == NULL ? 0 : strlen(of->body);
    bool sends = of->body != NULL || strcmp(of->method, "POST") == 0;
    int size =
        snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s",
                 of->method, of->path, of->headers == NULL ? "" : of->headers);
    if (sends) {
        size += snprintf(head + size, sizeof head - (size_t)size, "%sContent-Length: %zu\r\n",
                         of->body == NULL ? "" : "Content-Type: application/json\r\n", body_size);
    }
    size += snprintf(head + size, sizeof head - (size_t)size, "\r\n");
    return send_all(to, head, (size_t)size) && send_all(to, of->body, body_size);
}

/* Everything until the daemon closes. */
static char *receive_all(int from, const visit *of, size_t *size) {
    char *bytes = malloc(CHUNK_BYTES + 1);
    size_t capacity = CHUNK_BYTES;
    ssize_t got = 1;
    *size = 0;
    while (got > 0) {
        struct pollfd waits = {.fd = from, .events = POLLIN};
        if (poll(&waits, 1, PATIENCE_MS) == 0) {
            finding("%s %s: no answer in %d s", of->method, of->path, PATIENCE_MS / 1000);
        }
        if (*size == capacity) {
            capacity *= 2;
            bytes = realloc(bytes, capacity + 1);
        }
        got = recv(from, bytes + *size, capacity - *size, MSG_DONTWAIT);
        *size += got > 0 ? (size_t)got : 0;
    }
    bytes[*size] = 0;
    return bytes;
}

static reply take_apart(char *bytes, size_t size) {
    reply got = {0};
    char *end = strstr(bytes, "\r\n\r\n");
    if (end == NULL || sscanf(bytes, "HTTP/1.1 %d", &got.status) != 1) {
        free(bytes);
        return (reply){0};
    }
    end[2] = 0;
    got.head = bytes;
    got.body = end + 4;
    got.size = size - (size_t)(got.body - bytes);
    return got;
}

reply visit_make(const visit *of) {
    reply got = {0};
    int way = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool sent = connect(way, (struct sockaddr *)&place, sizeof place) == 0 && send_request(way, of);
    if (sent && !of->leave) {
        size_t size = 0;
        char *bytes = receive_all(way, of, &size);
        got = take_apart(bytes, size);
    }
    close(way);
    return got;
}

void reply_free(reply *of) {
    free(of->head);
    *of = (reply){0};
}

void reply_header(const reply *of, const char *name, char *value, size_t size) {
    size_t name_size = strlen(name);
    value[0] = 0;
    for (const char *line = of->head; line != NULL; line = strstr(line, "\r\n")) {
        line += line == of->head ? 0 : 2;
        if (strncasecmp(line, name, name_size) == 0 && line[name_size] == ':') {
            const char *from = line + name_size + 1 + strspn(line + name_size + 1, " ");
            snprintf(value, size, "%.*s", (int)strcspn(from, "\r\n"), from);
            return;
        }
    }
}

json_t *reply_json(const reply *of) {
    return json_loadb(of->body, of->size, 0, NULL);
}
