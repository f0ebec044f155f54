/* SPDX-License-Identifier: MIT
 *
 * crowd.h: who gives way when connections run out. Those that nothing is done for (no request yet,
 * or between two) stand in a queue by how long; beyond the reserve the first of it is cut for one
 * who comes, so that silent sockets, however many, keep nobody out.
 */
#ifndef LOAM_SERVER_HTTP_CROWD_H
#define LOAM_SERVER_HTTP_CROWD_H

#include "server/http/http_state.h"

/* To the end of the queue. */
void crowd_join(http_connection *connection);
/* Out of it; nothing when it is not in it. */
void crowd_leave(http_connection *connection);
/* Whether the reserve has begun. */
bool crowd_is_full(const http_server *server);
/* Cuts the one that has been silent longest, when that is YIELD_MS, or the part of it that the
 * places left are of the reserve: a newcomer may well have come a moment before its request. False
 * when there is none, all are busy. */
bool crowd_yield(http_server *server);

#endif
