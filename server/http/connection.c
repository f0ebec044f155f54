/* SPDX-License-Identifier: MIT
 *
 * connection.c: every socket is registered once, edge triggered, in an epoll set of our own that
 * only asks for the peer's leaving: data does not wake it, and the set forgets a socket when it is
 * closed. So a request that waits is watched at no cost of its own.
 *
 * A late socket is shut down, not closed: the library owns it and finds its end by itself.
 */
#include "server/http/connection.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "server/http/crowd.h"
#include "server/http/event_stream.h"
#include "server/http/request.h"

enum { DEPARTURES_AT_ONCE = 64 };

static bool watch_departure(http_connection *connection) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = connection};
    return epoll_ctl(connection->server->departures, EPOLL_CTL_ADD, connection->descriptor,
                     &event) == 0;
}

/* Whether connections of this address are counted. */
static bool is_counted(const http_server *server, const peer_address *address) {
    return !peer_is_loopback(address) && !proxy_is_trusted(&server->proxies, address);
}

enum MHD_Result connection_may_open(void *context, const struct sockaddr *address, socklen_t size) {
    http_server *server = ((http_listener *)context)->server;
    peer_address peer;
    (void)size;
    if (!peer_of_socket(address, &peer) || !is_counted(server, &peer) ||
        peer_table_count(server->peers, &peer) < server->per_address_limit) {
        return MHD_YES;
    }
    server->refused_count++;
    return MHD_NO;
}

/* Who is at the other end. */
static void read_peer(http_connection *connection, struct MHD_Connection *mhd) {
    http_server *server = connection->server;
    struct ucred who = {.uid = UINT32_MAX};
    socklen_t size = sizeof who;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    connection->uid = UINT32_MAX;
    if (connection->listener->is_local) {
        connection->proxy = server->proxies.local;
        if (getsockopt(connection->descriptor, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0) {
            connection->uid = who.uid;
        }
    } else if (info != NULL && peer_of_socket(info->client_addr, &connection->peer)) {
        connection->proxy = proxy_is_trusted(&server->proxies, &connection->peer);
        connection->counted = is_counted(server, &connection->peer) &&
                              peer_table_enter(server->peers, &connection->peer, UINT32_MAX);
    }
}

static void link_connection(http_connection *connection) {
    http_server *server = connection->server;
    connection->next = server->connections;
    if (server->connections != NULL) {
        server->connections->previous = connection;
    }
    server->connections = connection;
    server->connection_count++;
    connection->crowded = crowd_is_full(server) && !crowd_yield(server);
}

static void open_connection(http_listener *listener, struct MHD_Connection *mhd,
                            void **socket_context) {
    http_connection *connection = calloc(1, sizeof *connection);
    *socket_context = connection;
    if (connection == NULL) {
        return;
    }
    connection->server = listener->server;
    connection->listener = listener;
    connection->descriptor =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    read_peer(connection, mhd);
    link_connection(connection);
    connection_enter(connection, CONNECTION_OPENED);
    crowd_join(connection);
    if (!watch_departure(connection)) {
        /* It could not be watched, so it must not wait: refused like one too many. */
        connection->crowded = true;
    }
}

static void close_connection(http_connection *connection) {
    http_server *server = connection->server;
    if (connection->request != NULL) {
        request_end(connection->request, false);
    }
    crowd_leave(connection);
    /* The descriptor is closed by the library after this; a copy elsewhere must not keep it. */
    epoll_ctl(server->departures, EPOLL_CTL_DEL, connection->descriptor, NULL);
    if (connection->previous == NULL) {
        server->connections = connection->next;
    } else {
        connection->previous->next = connection->next;
    }
    if (connection->next != NULL) {
        connection->next->previous = connection->previous;
    }
    if (connection->counted) {
        peer_table_leave(server->peers, &connection->peer);
    }
    /* At the limit the library looks away from the listening socket until it runs again. */
    connection->listener->pump_due |= crowd_is_full(server);
    server->connection_count--;
    free(connection);
}

void connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
                       enum MHD_ConnectionNotificationCode code) {
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        open_connection(context, mhd, socket_context);
    } else if (*socket_context != NULL) {
        close_connection(*socket_context);
        *socket_context = NULL;
    }
}

/* Bytes of the answer that have reached the peer, or at least changed with them. */
static uint64_t sent_bytes(const http_connection *connection) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (!connection->listener->is_local &&
        getsockopt(connection->descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
        return info.tcpi_bytes_acked;
    }
    int unsent = 0;
    return ioctl(connection->descriptor, SIOCOUTQ, &unsent) == 0 ? (uint64_t)unsent : 0;
}

static void restart(http_connection *connection, uint64_t progress) {
    connection->since_ms = connection->server->now_ms;
    connection->progress = progress;
}

void connection_enter(http_connection *connection, connection_phase phase) {
    bool first_line = connection->phase == CONNECTION_OPENED && phase == CONNECTION_HEADERS;
    connection->phase = phase;
    if (first_line) {
        return; /* one deadline for both, from the accept on */
    }
    restart(connection, 0);
    crowd_leave(connection);
    if (phase == CONNECTION_HEADERS || phase == CONNECTION_IDLE) {
        crowd_join(connection);
    }
}

/* A window has passed: was enough received in it? Then the next one begins. */
static bool is_body_slow(http_connection *connection, uint64_t elapsed_ms) {
    uint64_t received = connection->request->body_bytes - connection->progress;
    if (received * 1000 < elapsed_ms * BODY_BYTES_PER_SECOND_MIN) {
        return true;
    }
    restart(connection, connection->request->body_bytes);
    return false;
}

static bool is_answer_stalled(http_connection *connection, uint64_t elapsed_ms) {
    uint64_t sent = sent_bytes(connection);
    if (sent != connection->progress) {
        restart(connection, sent);
        return false;
    }
    return elapsed_ms >= connection->server->response_stall_ms;
}

/* The end of a stream can arrive with its last bytes, and the library, which is told of new bytes
 * only, then waits for ever. When all is read and more is due, nothing will come. */
static bool is_abandoned(const http_connection *connection) {
    int unread = 0;
    return connection->peer_closed && connection->phase != CONNECTION_WORK &&
           connection->phase != CONNECTION_SENDING &&
           ioctl(connection->descriptor, SIOCINQ, &unread) == 0 && unread == 0;
}

static bool is_late(http_connection *connection) {
    const http_server *server = connection->server;
    uint64_t elapsed_ms = server->now_ms - connection->since_ms;
    if (is_abandoned(connection)) {
        return true;
    }
    switch (connection->phase) {
    case CONNECTION_OPENED:
    case CONNECTION_HEADERS:
        return elapsed_ms >= server->headers_ms;
    case CONNECTION_BODY:
        return elapsed_ms >= server->body_ms && is_body_slow(connection, elapsed_ms);
    case CONNECTION_WORK:
        return false;
    case CONNECTION_SENDING:
        return elapsed_ms >= SWEEP_MS && is_answer_stalled(connection, elapsed_ms);
    case CONNECTION_IDLE:
        return server->stopping || elapsed_ms >= server->idle_ms;
    }
    return false;
}

void connection_cut(http_connection *connection) {
    connection->cut = true;
    shutdown(connection->descriptor, SHUT_RDWR);
}

/* False when so many are late that some have to wait for the next look. */
static bool cut_late(http_server *server) {
    uint32_t room = CUTS_AT_ONCE;
    for (http_connection *at = server->connections; at != NULL; at = at->next) {
        if (at->cut || !is_late(at)) {
            continue;
        }
        if (room == 0) {
            return false;
        }
        room--;
        connection_cut(at);
    }
    return true;
}

void connection_sweep(void *context) {
    http_server *server = context;
    server->now_ms = loop_now_ms();
    loop_timer_start(server->sweep_timer, cut_late(server) ? SWEEP_MS : CUTS_PAUSE_MS, SWEEP_MS);
    /* When a connection could not be accepted for want of descriptors, the library looks away from
     * the listening socket until it runs after one has ended; no event tells of that. */
    for (uint32_t i = 0; i < server->listener_count; i++) {
        server->listeners[i].pump_due = true;
    }
}

void connection_close_idle(http_server *server) {
    for (http_connection *at = server->connections; at != NULL; at = at->next) {
        if (at->phase == CONNECTION_IDLE || at->phase == CONNECTION_OPENED) {
            shutdown(at->descriptor, SHUT_RDWR);
        } else if (at->request != NULL && at->request->stream != NULL) {
            event_stream_cut(at->request->stream);
        }
    }
}

void connection_read_departures(void *context) {
    http_server *server = context;
    struct epoll_event events[DEPARTURES_AT_ONCE];
    int count = epoll_wait(server->departures, events, DEPARTURES_AT_ONCE, 0);
    for (int i = 0; i < count; i++) {
        http_connection *connection = events[i].data.ptr;
        connection->peer_closed = true;
        if (connection->request != NULL) {
            request_client_left(connection->request);
        }
        if (is_abandoned(connection)) {
            connection_cut(connection);
        }
    }
}
