/* SPDX-License-Identifier: MIT
 *
 * http_server.c: start and stop: the listening sockets and what they share. Each has the library
 * to itself (listener.c); connections, requests, deadlines and limits are the server's.
 */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/base/assert.h"
#include "core/base/try.h"
#include "server/http/access.h"
#include "server/http/certificate.h"
#include "server/http/connection.h"
#include "server/http/listener.h"
#include "server/http/request.h"

/* ---- Start --------------------------------------------------------------------------------- */

static uint32_t or_default(uint32_t value, uint32_t fallback) {
    return value == 0 ? fallback : value;
}

static void set_limits(http_server *server, const http_options *options) {
    server->connection_limit = or_default(options->connection_limit, CONNECTION_LIMIT_DEFAULT);
    server->per_address_limit = or_default(options->per_address_limit, PER_ADDRESS_LIMIT_DEFAULT);
    server->headers_ms = or_default(options->headers_ms, HEADERS_MS_DEFAULT);
    server->body_ms = or_default(options->body_ms, BODY_MS_DEFAULT);
    server->response_stall_ms = or_default(options->response_stall_ms, RESPONSE_STALL_MS_DEFAULT);
    server->idle_ms = or_default(options->idle_ms, IDLE_MS_DEFAULT);
    server->body_memory_bytes_max =
        options->body_memory_bytes == 0 ? BODY_MEMORY_BYTES_DEFAULT : options->body_memory_bytes;
}

static http_server *make_server(event_loop *loop, const http_options *options) {
    http_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return NULL;
    }
    server->loop = loop;
    server->departures = epoll_create1(EPOLL_CLOEXEC);
    server->peers = peer_table_create();
    server->handler = options->handler;
    server->origins = (origin_rules){options->hosts, options->host_count, options->any_host,
                                     options->origins, options->origin_count};
    server->proxies = options->proxies;
    server->upload_folder = options->io == NULL ? NULL : options->upload_folder;
    server->io = options->io;
    set_limits(server, options);
    server->now_ms = loop_now_ms();
    return server;
}

static void pump_if_due(loop_hook *hook) {
    http_server *server =
        (http_server *)(void *)((char *)hook - offsetof(http_server, before_poll));
    for (uint32_t i = 0; i < server->listener_count; i++) {
        listener_pump_due(&server->listeners[i]);
    }
}

/* False when something can not be had; what was made stays for end_server. */
static bool join_loop(http_server *server) {
    server->departure_watch = loop_watch_create(
        server->loop, server->departures, LOOP_WATCH_READABLE, connection_read_departures, server);
    server->sweep_timer = loop_timer_create(server->loop, connection_sweep, server);
    if (server->departure_watch == NULL || server->sweep_timer == NULL) {
        return false;
    }
    server->before_poll.run = pump_if_due;
    loop_before_poll_add(server->loop, &server->before_poll);
    loop_timer_start(server->sweep_timer, SWEEP_MS, SWEEP_MS);
    return true;
}

static void end_server(http_server *server) {
    loop_before_poll_remove(server->loop, &server->before_poll);
    loop_watch_destroy(server->departure_watch);
    loop_timer_destroy(server->sweep_timer);
    for (uint32_t i = 0; i < server->listener_count; i++) {
        listener_end(&server->listeners[i]);
    }
    if (server->departures >= 0) {
        close(server->departures);
    }
    certificate_unload();
    server->stopped = true;
    request_free_last(server);
}

static loam_status add_listener(http_server *server, const listening *socket, bool secure,
                                loam_error *error) {
    LOAM_ASSERT(server->listener_count < HTTP_LISTENERS_MAX);
    http_listener *listener = &server->listeners[server->listener_count++];
    if (!listener_start(listener, server, socket, secure && !socket->is_local)) {
        return loam_fail(error, LOAM_IO, NULL, "no memory or descriptors to listen");
    }
    server->port = server->port == 0 ? socket->port : server->port;
    return LOAM_OK;
}

static loam_status listen_at(http_server *server, const http_options *options, const char *address,
                             loam_error *error) {
    listening socket = {.descriptor = -1};
    LOAM_TRY(address_listen(
        &(listen_wish){address, options->port, options->exposure, options->local_mode}, &socket,
        error));
    return add_listener(server, &socket, options->certificate_file != NULL, error);
}

static loam_status listen_everywhere(http_server *server, const http_options *options,
                                     loam_error *error) {
    for (size_t i = 0; i < options->inherited_count; i++) {
        listening socket = {.descriptor = -1};
        LOAM_TRY(address_adopt(options->inherited[i], options->exposure, &socket, error));
        LOAM_TRY(add_listener(server, &socket, options->certificate_file != NULL, error));
    }
    if (options->address != NULL) {
        LOAM_TRY(listen_at(server, options, options->address, error));
    }
    return options->local_address == NULL
               ? LOAM_OK
               : listen_at(server, options, options->local_address, error);
}

static loam_status start(http_server *server, const http_options *options, loam_error *error) {
    if (server->departures < 0 || server->peers == NULL || !join_loop(server)) {
        return loam_fail(error, LOAM_IO, NULL, "no memory or descriptors to listen");
    }
    if (options->certificate_file != NULL) {
        LOAM_TRY(certificate_load(options->certificate_file, options->certificate_key_file, error));
    }
    return listen_everywhere(server, options, error);
}

http_server *http_start(event_loop *loop, const http_options *options, loam_error *error) {
    /* A client that leaves while it is written to is an error of that write, no more. */
    signal(SIGPIPE, SIG_IGN);
    http_server *server = make_server(loop, options);
    if (server == NULL) {
        loam_fail(error, LOAM_IO, NULL, "no memory to listen");
        return NULL;
    }
    if (start(server, options, error) != LOAM_OK) {
        end_server(server);
        return NULL;
    }
    return server;
}

loam_status http_reload_certificate(const char *certificate_file, const char *key_file,
                                    loam_error *error) {
    return certificate_load(certificate_file, key_file, error);
}

uint16_t http_port(const http_server *server) {
    return server->port;
}

uint32_t http_connections(const http_server *server) {
    return server->connection_count;
}

uint64_t http_connections_refused(const http_server *server) {
    return server->refused_count;
}

uint64_t http_requests_crowded(const http_server *server) {
    return server->crowded_count;
}

uint64_t http_connections_yielded(const http_server *server) {
    return server->yielded_count;
}

uint32_t http_waiting(const http_server *server) {
    return server->waiting;
}

/* Asked by a drain only, so it is looked up and not counted. */
uint32_t http_busy(const http_server *server) {
    uint32_t busy = 0;
    for (const http_connection *at = server->connections; at != NULL; at = at->next) {
        const http_request *request = at->request;
        busy += request != NULL && request->step != REQUEST_NAMED && request->stream == NULL;
    }
    return busy;
}

/* ---- Stop ---------------------------------------------------------------------------------- */

void http_stop_accepting(http_server *server) {
    if (server->stopping) {
        return;
    }
    server->stopping = true;
    for (uint32_t i = 0; i < server->listener_count; i++) {
        listener_quiesce(&server->listeners[i]);
    }
    connection_close_idle(server);
}

void http_stop(http_server *server) {
    if (server == NULL) {
        return;
    }
    http_stop_accepting(server);
    for (http_connection *at = server->connections; at != NULL; at = at->next) {
        if (at->request != NULL) {
            request_client_left(at->request);
        }
    }
    end_server(server);
}
