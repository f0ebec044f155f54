/* SPDX-License-Identifier: MIT
 *
 * address.h: the socket that is listened on. Without tokens the daemon is for its own machine:
 * anything but loopback and unix sockets is refused.
 */
#ifndef LOAM_SERVER_HTTP_ADDRESS_H
#define LOAM_SERVER_HTTP_ADDRESS_H

#include "core/loam.h"

typedef struct listening {
    int descriptor;         /* owned by the caller */
    uint16_t port;          /* that was bound; 0 for a unix socket */
    const char *local_path; /* of a unix socket, within `address`; NULL otherwise */
} listening;

/* Binds and listens: "127.0.0.1", "localhost", "::1", "[::1]", or "unix:/path" (mode 0600; one that
 * nobody listens on any more is replaced). LOAM_OUT_OF_RANGE, LOAM_FORBIDDEN or LOAM_IO, the text
 * with the address. */
LOAM_MUST_USE loam_status address_listen(const char *address, uint16_t port, listening *to,
                                         loam_error *error);

#endif
