/* SPDX-License-Identifier: MIT
 *
 * http_server.c: the library on the loop. Its epoll descriptor is one watch, its next timeout one
 * timer; after something was woken it runs once, just before the loop waits. It never sees the
 * listening address, only the socket.
 */
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "server/http/access.h"
#include "server/http/address.h"
#include "server/http/connection.h"
#include "server/http/request.h"

/* 0.9.75 gains one check from being strict (Host is there), which we make ourselves, and answers
 * twice when it fails; from 1.0 on strictness covers framing and is worth having. */
#if MHD_VERSION >= 0x01000000
#define LIBRARY_STRICTNESS 1
#else
#define LIBRARY_STRICTNESS 0
#endif

enum { LOG_TEXT_BYTES = 256 };

/* ---- Running the library ------------------------------------------------------------------- */

static void pump(void *context) {
    http_server *server = context;
    server->now_ms = loop_now_ms();
    server->pump_due = false;
    MHD_UNSIGNED_LONG_LONG timeout_ms = 0;
    for (int round = 0; round < PUMP_ROUNDS_MAX && timeout_ms == 0; round++) {
        MHD_run(server->daemon);
        if (MHD_get_timeout(server->daemon, &timeout_ms) != MHD_YES) {
            loop_timer_stop(server->library_timer);
            return;
        }
    }
    loop_timer_start(server->library_timer, timeout_ms, 0);
}

static void pump_if_due(loop_hook *hook) {
    http_server *server =
        (http_server *)(void *)((char *)hook - offsetof(http_server, before_poll));
    if (server->pump_due) {
        pump(server);
    }
}

/* The library's log has a line for each bad request: whoever sends those must not fill a disk. */
static void take_log(void *context, const char *format, va_list arguments) {
    http_server *server = context;
    uint64_t second = loop_now_ms() / 1000;
    if (second != server->log_second) {
        server->log_second = second;
        server->log_lines = 0;
    }
    if (server->handler.log == NULL || server->log_lines == LOG_LINES_PER_SECOND) {
        server->log_dropped++;
        return;
    }
    char text[LOG_TEXT_BYTES];
    int size = vsnprintf(text, sizeof text, format, arguments);
    if (size > 0 && size < LOG_TEXT_BYTES && text[size - 1] == '\n') {
        text[size - 1] = 0;
    }
    server->log_lines++;
    server->handler.log(server->handler.context, text, server->log_dropped);
    server->log_dropped = 0;
}

/* ---- Start --------------------------------------------------------------------------------- */

static uint32_t or_default(uint32_t value, uint32_t fallback) {
    return value == 0 ? fallback : value;
}

static http_server *make_server(event_loop *loop, const http_options *options) {
    http_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return NULL;
    }
    server->loop = loop;
    server->departures = -1;
    server->handler = options->handler;
    server->origins = (origin_rules){options->hosts, options->host_count, options->origins,
                                     options->origin_count};
    server->upload_folder = options->io == NULL ? NULL : options->upload_folder;
    server->io = options->io;
    server->connection_limit = or_default(options->connection_limit, CONNECTION_LIMIT_DEFAULT);
    server->headers_ms = or_default(options->headers_ms, HEADERS_MS_DEFAULT);
    server->body_ms = or_default(options->body_ms, BODY_MS_DEFAULT);
    server->response_stall_ms = or_default(options->response_stall_ms, RESPONSE_STALL_MS_DEFAULT);
    server->idle_ms = or_default(options->idle_ms, IDLE_MS_DEFAULT);
    server->body_memory_bytes_max =
        options->body_memory_bytes == 0 ? BODY_MEMORY_BYTES_DEFAULT : options->body_memory_bytes;
    server->now_ms = loop_now_ms();
    return server;
}

static struct MHD_Daemon *start_library(http_server *server, int descriptor) {
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL,
                            NULL, access_step, server, MHD_OPTION_EXTERNAL_LOGGER, take_log, server,
                            MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_SIGPIPE_HANDLED_BY_APP,
                            1, MHD_OPTION_STRICT_FOR_CLIENT, LIBRARY_STRICTNESS,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY_BYTES,
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)server->connection_limit,
                            MHD_OPTION_CONNECTION_TIMEOUT, 0U, MHD_OPTION_URI_LOG_CALLBACK,
                            access_name, server, MHD_OPTION_UNESCAPE_CALLBACK, access_keep_encoded,
                            server, MHD_OPTION_NOTIFY_CONNECTION, connection_notify, server,
                            MHD_OPTION_NOTIFY_COMPLETED, access_completed, server, MHD_OPTION_END);
}

/* False when something can not be had; what was made stays for end_server. */
static bool join_loop(http_server *server) {
    event_loop *loop = server->loop;
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (info == NULL) {
        return false;
    }
    server->library_watch =
        loop_watch_create(loop, info->epoll_fd, LOOP_WATCH_READABLE, pump, server);
    server->departure_watch = loop_watch_create(loop, server->departures, LOOP_WATCH_READABLE,
                                                connection_read_departures, server);
    server->library_timer = loop_timer_create(loop, pump, server);
    server->sweep_timer = loop_timer_create(loop, connection_sweep, server);
    if (server->library_watch == NULL || server->departure_watch == NULL ||
        server->library_timer == NULL || server->sweep_timer == NULL) {
        return false;
    }
    server->before_poll.run = pump_if_due;
    loop_before_poll_add(loop, &server->before_poll);
    loop_timer_start(server->sweep_timer, SWEEP_MS, SWEEP_MS);
    /* The library registers its socket in its first run. */
    server->pump_due = true;
    return true;
}

static void leave_loop(http_server *server) {
    loop_before_poll_remove(server->loop, &server->before_poll);
    loop_watch_destroy(server->library_watch);
    loop_watch_destroy(server->departure_watch);
    loop_timer_destroy(server->library_timer);
    loop_timer_destroy(server->sweep_timer);
}

static void end_server(http_server *server) {
    leave_loop(server);
    if (server->daemon != NULL) {
        MHD_stop_daemon(server->daemon);
    }
    if (server->departures >= 0) {
        close(server->departures);
    }
    if (server->local_path != NULL) {
        unlink(server->local_path);
        free(server->local_path);
    }
    server->stopped = true;
    request_free_last(server);
}

static bool start(http_server *server, const listening *socket) {
    server->port = socket->port;
    server->is_local_socket = socket->local_path != NULL;
    if (server->is_local_socket) {
        server->local_path = strdup(socket->local_path);
    }
    server->departures = epoll_create1(EPOLL_CLOEXEC);
    if (server->departures < 0) {
        close(socket->descriptor);
        return false;
    }
    /* From here on the socket is the library's. */
    server->daemon = start_library(server, socket->descriptor);
    if (server->daemon == NULL) {
        close(socket->descriptor);
        return false;
    }
    return join_loop(server);
}

http_server *http_start(event_loop *loop, const http_options *options, loam_error *error) {
    /* A client that leaves while it is written to is an error of that write, no more. */
    signal(SIGPIPE, SIG_IGN);
    listening socket = {0};
    if (address_listen(options->address, options->port, &socket, error) != LOAM_OK) {
        return NULL;
    }
    http_server *server = make_server(loop, options);
    if (server == NULL) {
        close(socket.descriptor);
    } else if (!start(server, &socket)) {
        end_server(server);
        server = NULL;
    }
    if (server == NULL) {
        loam_fail(error, LOAM_IO, NULL, "no memory or descriptors to listen on %s",
                  options->address);
    }
    return server;
}

uint16_t http_port(const http_server *server) {
    return server->port;
}

uint32_t http_connections(const http_server *server) {
    return server->connection_count;
}

uint32_t http_waiting(const http_server *server) {
    return server->waiting;
}

/* ---- Stop ---------------------------------------------------------------------------------- */

void http_stop_accepting(http_server *server) {
    if (server->stopping) {
        return;
    }
    server->stopping = true;
    MHD_socket descriptor = MHD_quiesce_daemon(server->daemon);
    if (descriptor != MHD_INVALID_SOCKET) {
        close(descriptor);
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
