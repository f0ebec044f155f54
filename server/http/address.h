/* SPDX-License-Identifier: MIT
 *
 * address.h: the sockets that are listened on. Without tokens the daemon is for its own machine:
 * anything but loopback and unix sockets is refused.
 */
#ifndef LOAM_SERVER_HTTP_ADDRESS_H
#define LOAM_SERVER_HTTP_ADDRESS_H

#include "server/http/http.h"

typedef struct listening {
    int descriptor; /* owned by the caller */
    uint16_t port;  /* that was bound; 0 for a unix socket */
    bool is_local;
    const char *local_path; /* of a unix socket that was made, within `address`; NULL otherwise */
} listening;

typedef struct listen_wish {
    const char *address; /* "127.0.0.1", "localhost", "::1", "[::1]", or "unix:/path" */
    uint16_t port;
    http_exposure exposure;
    uint32_t local_mode; /* of a unix socket; 0: 0600 */
} listen_wish;

/* Binds and listens; a unix socket that nobody listens on any more is replaced. LOAM_OUT_OF_RANGE,
 * LOAM_FORBIDDEN or LOAM_IO, the text with the address. */
LOAM_MUST_USE loam_status address_listen(const listen_wish *wish, listening *to, loam_error *error);
/* Takes a socket that listens already, with its descriptor. */
LOAM_MUST_USE loam_status address_adopt(int descriptor, http_exposure exposure, listening *to,
                                        loam_error *error);

#endif
