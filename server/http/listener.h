/* SPDX-License-Identifier: MIT
 *
 * listener.h: one listening socket and the library's daemon that serves it. A server may have
 * several (an address, a unix socket, what systemd hands over); they share everything else.
 */
#ifndef LOAM_SERVER_HTTP_LISTENER_H
#define LOAM_SERVER_HTTP_LISTENER_H

#include "server/http/address.h"
#include "server/http/http_state.h"

/* Serves the socket, which is taken; `secure`: by TLS. False when something can not be had; what
 * was made stays for listener_end. */
bool listener_start(http_listener *listener, http_server *server, const listening *socket,
                    bool secure);
/* Runs the library when something of it was woken. */
void listener_pump_due(http_listener *listener);
/* Closes the socket; connections go on. */
void listener_quiesce(http_listener *listener);
void listener_end(http_listener *listener);

#endif
