/* SPDX-License-Identifier: MIT
 *
 * crowd.c: see crowd.h.
 */
#include "server/http/crowd.h"

#include "server/http/connection.h"

void crowd_join(http_connection *connection) {
    http_server *server = connection->server;
    connection->is_silent = true;
    connection->silent_next = NULL;
    connection->silent_previous = server->silent_last;
    *(server->silent_last == NULL ? &server->silent_first : &server->silent_last->silent_next) =
        connection;
    server->silent_last = connection;
}

void crowd_leave(http_connection *connection) {
    http_server *server = connection->server;
    http_connection *next = connection->silent_next;
    http_connection *previous = connection->silent_previous;
    if (!connection->is_silent) {
        return;
    }
    connection->is_silent = false;
    *(previous == NULL ? &server->silent_first : &previous->silent_next) = next;
    *(next == NULL ? &server->silent_last : &next->silent_previous) = previous;
}

bool crowd_is_full(const http_server *server) {
    return (uint64_t)server->connection_count * 100 >
           (uint64_t)server->connection_limit * CONNECTION_RESERVE_PERCENT;
}

/* The fewer places are left, the less; none for the last one. */
static uint64_t patience_ms(const http_server *server) {
    uint64_t reserve =
        (uint64_t)server->connection_limit * (100 - CONNECTION_RESERVE_PERCENT) / 100 + 1;
    uint64_t left = server->connection_count >= server->connection_limit
                        ? 0
                        : server->connection_limit - server->connection_count;
    return YIELD_MS * left / reserve;
}

bool crowd_yield(http_server *server) {
    http_connection *longest = server->silent_first;
    if (longest == NULL) {
        return false;
    }
    if (loop_now_ms() - longest->since_ms >= patience_ms(server)) {
        crowd_leave(longest);
        connection_cut(longest);
        server->yielded_count++;
    }
    return true;
}
