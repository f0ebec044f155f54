/* SPDX-License-Identifier: MIT
 *
 * http_fixture.h: a small server on the HTTP room alone, in a thread, and a raw client, so that the
 * room is proven without the flow. Its routes:
 *
 *   GET  /ok            200 "ok\n", one shared response
 *   GET  /none          204;  GET /same  304
 *   GET  /big           8 MB
 *   GET  /show/...      segments and parameters as it read them
 *   GET  /header        the joined value of the header X-List
 *   POST /echo          the body, at most ECHO_BYTES_MAX
 *   POST /need          the same, but a body is required
 *   PUT  /file          "SIZE SUM\n" of a body in a file, at most FILE_BYTES_MAX
 *   GET  /later         "later\n", from a worker after a millisecond
 *   GET  /wait          nothing, until the client leaves or /release
 *   GET  /release       answers all that wait
 *   GET  /events        a stream of what /say?text=... says, closed by /hush
 *   else                404, not handled
 */
#ifndef LOAM_TESTS_HTTP_FIXTURE_H
#define LOAM_TESTS_HTTP_FIXTURE_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/http/http.h"
#include "server/loop/loop.h"
#include "server/loop/pool.h"

enum { ECHO_BYTES_MAX = 1000000, FILE_BYTES_MAX = 64 << 20, WAITING_MAX = 1024 };

typedef struct http_fixture {
    pthread_t thread;
    event_loop *loop;
    worker_pool *workers;
    worker_pool *io;
    http_server *server;
    http_options options;
    http_response *ok;
    http_response *big;
    char folder[64];
    uint16_t port;
    loop_task stop;
    http_request *waiting[WAITING_MAX];
    uint32_t waiting_count;
    bool answers_late; /* what waits is answered after the stop */
    http_stream *stream;
    atomic_uint handled;
    atomic_uint finished;
    atomic_uint gone;
    atomic_uint streams_left;
    atomic_uint log_lines;
    atomic_int last_status;
} http_fixture;

/* `options`: what differs from the defaults; address and handler are the fixture's own. */
void fixture_start(http_fixture *fixture, http_options options);
void fixture_stop(http_fixture *fixture);

/* A socket to the fixture; sends `text` when it is not NULL. */
int client_connect(const http_fixture *fixture, const char *text);
void client_send(int client, const void *bytes, size_t size);
/* Reads until `size_max` bytes, the end, or `timeout_ms` without any; terminates. */
size_t client_read(int client, char *to, size_t size_max, int timeout_ms);
/* Whether the peer closes within the time. */
bool client_sees_end(int client, int timeout_ms);

typedef struct reply {
    int status; /* 0: none */
    bool closed;
    size_t size;
    size_t body_size;
    const char *body; /* in bytes */
    char bytes[16384];
} reply;

/* Sends `text` on a new socket, reads one answer, and sees whether the server closes within the
 * time. */
void exchange_until(const http_fixture *fixture, const char *text, int end_ms, reply *to);
/* The same without waiting for the end. */
void exchange(const http_fixture *fixture, const char *text, reply *to);
/* The value of a header of the reply, copied; empty when absent. */
void reply_header(const reply *from, const char *name, char *to, size_t size);
bool wait_for(atomic_uint *counter, uint32_t value, int timeout_ms);

#endif
