/* SPDX-License-Identifier: MIT
 *
 * script_server.h: an HTTP server that says what a test tells it: for each request the next answer
 * of a list, byte for byte. It keeps what it was asked.
 */
#ifndef TESTS_UNIT_API_CLIENT_SCRIPT_SERVER_H
#define TESTS_UNIT_API_CLIENT_SCRIPT_SERVER_H

#include <pthread.h>
#include <stddef.h>

enum { SCRIPT_ANSWERS_MAX = 16, SCRIPT_REQUEST_BYTES = 4096 };

typedef struct script_server {
    const char *const *answers; /* whole HTTP answers; NULL-terminated */
    const size_t *sizes;        /* of them; NULL: they are texts */
    size_t answered;
    char requests[SCRIPT_ANSWERS_MAX][SCRIPT_REQUEST_BYTES]; /* as they came, terminated */
    char url[64];
    int socket;
    pthread_t thread;
} script_server;

/* Listens on a free port of the loopback; one connection for each answer, which are then all used
 * up. Aborts when the machine does not let it. */
void script_start(script_server *server, const char *const *answers);
/* The same with bytes among them that are no text. */
void script_start_sized(script_server *server, const char *const *answers, const size_t *sizes);
/* Waits until every answer was given. */
void script_join(script_server *server);

#endif
