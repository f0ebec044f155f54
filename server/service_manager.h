/* SPDX-License-Identifier: MIT
 *
 * service_manager.h: what systemd and others like it say and want to hear: sockets that they hand
 * over (LISTEN_FDS), "ready" and "stopping" (NOTIFY_SOCKET), and a sign of life (WATCHDOG_USEC).
 * The protocol is a few lines of text, so no library is taken for it.
 */
#ifndef LOAM_SERVER_SERVICE_MANAGER_H
#define LOAM_SERVER_SERVICE_MANAGER_H

#include "server/http/http_limits.h"
#include "server/loop/loop.h"

typedef struct inherited_sockets {
    int descriptors[HTTP_LISTENERS_MAX];
    size_t count;
} inherited_sockets;

/* The sockets that were handed to this process; none is fine, and so are numbers that are
 * none. LOAM_TOO_MANY. The variables are removed, so that no child takes them for its own. */
LOAM_MUST_USE loam_status service_sockets(inherited_sockets *to, loam_error *error);

/* "READY=1" and the like, lines apart; nothing happens without a manager. */
void service_notify(const char *state);

/* Feeds the watchdog from the loop, twice as often as asked for: a loop that no longer turns is
 * found out. NULL when nobody watches. Destroyed with the loop. */
loop_timer *service_watchdog(event_loop *loop);

#endif
