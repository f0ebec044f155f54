/* SPDX-License-Identifier: MIT
 *
 * script_server.c: see script_server.h.
 */
#include "tests/unit/api/client/script_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

static void demand(int holds, const char *what) {
    if (!holds) {
        perror(what);
        abort();
    }
}

/* Bytes of the body that the head announces. */
static size_t body_size(const char *head) {
    const char *line = strcasestr(head, "\r\nContent-Length:");
    return line != NULL ? strtoul(line + strlen("\r\nContent-Length:"), NULL, 10) : 0;
}

static int request_is_whole(const char *request, size_t size) {
    const char *end = strstr(request, "\r\n\r\n");
    return end != NULL && size >= (size_t)(end + 4 - request) + body_size(request);
}

static void request_read(int connection, char *request) {
    size_t size = 0;
    request[0] = '\0';
    while (!request_is_whole(request, size) && size + 1 < SCRIPT_REQUEST_BYTES) {
        ssize_t got = recv(connection, request + size, SCRIPT_REQUEST_BYTES - 1 - size, 0);
        if (got <= 0) {
            return;
        }
        size += (size_t)got;
        request[size] = '\0';
    }
}

static void *server_run(void *context) {
    script_server *server = context;
    for (size_t i = 0; server->answers[i] != NULL && i < SCRIPT_ANSWERS_MAX; i++) {
        int connection = accept(server->socket, NULL, NULL);
        demand(connection >= 0, "accept");
        request_read(connection, server->requests[i]);
        const char *answer = server->answers[i];
        size_t size = server->sizes != NULL ? server->sizes[i] : strlen(answer);
        demand(send(connection, answer, size, MSG_NOSIGNAL) >= 0, "send");
        (void)close(connection);
        server->answered++;
    }
    return NULL;
}

void script_start(script_server *server, const char *const *answers) {
    script_start_sized(server, answers, NULL);
}

void script_start_sized(script_server *server, const char *const *answers, const size_t *sizes) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    memset(server, 0, sizeof *server);
    server->answers = answers;
    server->sizes = sizes;
    server->socket = socket(AF_INET, SOCK_STREAM, 0);
    demand(server->socket >= 0, "socket");
    demand(bind(server->socket, (struct sockaddr *)&address, size) == 0, "bind");
    demand(listen(server->socket, 4) == 0, "listen");
    demand(getsockname(server->socket, (struct sockaddr *)&address, &size) == 0, "getsockname");
    (void)snprintf(server->url, sizeof server->url, "http://127.0.0.1:%d", ntohs(address.sin_port));
    demand(pthread_create(&server->thread, NULL, server_run, server) == 0, "pthread_create");
}

void script_join(script_server *server) {
    (void)pthread_join(server->thread, NULL);
    (void)close(server->socket);
}
