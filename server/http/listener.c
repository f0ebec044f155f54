/* SPDX-License-Identifier: MIT
 *
 * listener.c: the library on the loop. Its epoll descriptor is one watch, its next timeout one
 * timer; after something was woken it runs once, just before the loop waits. It never sees the
 * listening address, only the socket.
 */
#include "server/http/listener.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/http/access.h"
#include "server/http/certificate.h"
#include "server/http/connection.h"

/* 0.9.75 gains one check from being strict (Host is there), which we make ourselves, and answers
 * twice when it fails; from 1.0 on strictness covers framing and is worth having. */
#if MHD_VERSION >= 0x01000000
#define LIBRARY_STRICTNESS 1
#else
#define LIBRARY_STRICTNESS 0
#endif

/* What is older has known faults, and no client that speaks HTTP/1.1 by TLS lacks 1.2. */
#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

enum { LOG_TEXT_BYTES = 256 };

static void pump(void *context) {
    http_listener *listener = context;
    listener->server->now_ms = loop_now_ms();
    listener->pump_due = false;
    MHD_UNSIGNED_LONG_LONG timeout_ms = 0;
    for (int round = 0; round < PUMP_ROUNDS_MAX && timeout_ms == 0; round++) {
        MHD_run(listener->daemon);
        if (MHD_get_timeout(listener->daemon, &timeout_ms) != MHD_YES) {
            loop_timer_stop(listener->timer);
            return;
        }
    }
    loop_timer_start(listener->timer, timeout_ms, 0);
}

void listener_pump_due(http_listener *listener) {
    if (listener->pump_due) {
        pump(listener);
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

static struct MHD_Daemon *start_library(http_listener *listener, int descriptor, bool secure) {
    http_server *server = listener->server;
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(uintptr_t)certificate_give},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)TLS_PRIORITIES},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        flags | (secure ? MHD_USE_TLS : 0), 0, connection_may_open, listener, access_step, server,
        MHD_OPTION_EXTERNAL_LOGGER, take_log, server, MHD_OPTION_LISTEN_SOCKET, descriptor,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_STRICT_FOR_CLIENT, LIBRARY_STRICTNESS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY_BYTES,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)server->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, 0U, MHD_OPTION_URI_LOG_CALLBACK, access_name, server,
        MHD_OPTION_UNESCAPE_CALLBACK, access_keep_encoded, server, MHD_OPTION_NOTIFY_CONNECTION,
        connection_notify, listener, MHD_OPTION_NOTIFY_COMPLETED, access_completed, server,
        MHD_OPTION_ARRAY, secure ? tls : plain, MHD_OPTION_END);
}

static bool join_loop(http_listener *listener) {
    event_loop *loop = listener->server->loop;
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(listener->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (info == NULL) {
        return false;
    }
    listener->watch = loop_watch_create(loop, info->epoll_fd, LOOP_WATCH_READABLE, pump, listener);
    listener->timer = loop_timer_create(loop, pump, listener);
    /* The library registers its socket in its first run. */
    listener->pump_due = true;
    return listener->watch != NULL && listener->timer != NULL;
}

bool listener_start(http_listener *listener, http_server *server, const listening *socket,
                    bool secure) {
    *listener = (http_listener){
        .server = server, .port = socket->port, .is_local = socket->is_local, .is_secure = secure};
    if (socket->local_path != NULL) {
        listener->local_path = strdup(socket->local_path);
    }
    /* From here on the socket is the library's. */
    listener->daemon = start_library(listener, socket->descriptor, secure);
    if (listener->daemon == NULL) {
        close(socket->descriptor);
        return false;
    }
    return join_loop(listener);
}

void listener_quiesce(http_listener *listener) {
    MHD_socket descriptor = MHD_quiesce_daemon(listener->daemon);
    if (descriptor != MHD_INVALID_SOCKET) {
        close(descriptor);
    }
}

void listener_end(http_listener *listener) {
    loop_watch_destroy(listener->watch);
    loop_timer_destroy(listener->timer);
    if (listener->daemon != NULL) {
        MHD_stop_daemon(listener->daemon);
    }
    if (listener->local_path != NULL) {
        unlink(listener->local_path);
        free(listener->local_path);
    }
    *listener = (http_listener){0};
}
