/* SPDX-License-Identifier: MIT
 *
 * connection.h: the list of open sockets, their deadlines, and who has left. The library knows
 * inactivity only, and nothing at all of a socket whose request waits.
 */
#ifndef LOAM_SERVER_HTTP_CONNECTION_H
#define LOAM_SERVER_HTTP_CONNECTION_H

#include "server/http/http_state.h"

/* Whether a socket that was just accepted may stay: no address takes all connections. Loopback,
 * unix sockets and trusted proxies are not counted. */
enum MHD_Result connection_may_open(void *listener, const struct sockaddr *address, socklen_t size);
/* The library's news of sockets; the context is the listener. */
void connection_notify(void *context, struct MHD_Connection *mhd, void **socket_context,
                       enum MHD_ConnectionNotificationCode code);

/* Starts the clock of a phase. */
void connection_enter(http_connection *connection, connection_phase phase);

/* Shuts its socket down; the library notices and ends it. */
void connection_cut(http_connection *connection);
/* Shuts down every socket that is past its deadline; once a second, the rest of very
 * many soon after. */
void connection_sweep(void *server);
/* Shuts down those without a request, and closes streams, for the end. */
void connection_close_idle(http_server *server);

/* Reads the set of sockets whose peer has left. */
void connection_read_departures(void *server);

#endif
