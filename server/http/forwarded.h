/* SPDX-License-Identifier: MIT
 *
 * forwarded.h: for whom a proxy asks. Each proxy adds the address that it saw at the end of the
 * list, so the list is read from its end: the first one that is no trusted proxy is the client, and
 * what stands before it anybody may have written.
 */
#ifndef LOAM_SERVER_HTTP_FORWARDED_H
#define LOAM_SERVER_HTTP_FORWARDED_H

#include "server/http/peer.h"

typedef enum forwarded_kind {
    FORWARDED_LIST, /* X-Forwarded-For: a, b */
    FORWARDED_RFC   /* Forwarded: for=a;proto=http, for="[b]" (RFC 7239) */
} forwarded_kind;

typedef struct proxy_rules {
    const peer_range *ranges; /* of proxies that are trusted */
    size_t range_count;
    bool local; /* unix sockets are a proxy's */
    forwarded_kind kind;
} proxy_rules;

bool proxy_is_trusted(const proxy_rules *rules, const peer_address *peer);
/* The client of a request that a trusted proxy brings. False when the header does not say: then the
 * proxy itself is the client. */
bool forwarded_client(const proxy_rules *rules, loam_text header, peer_address *client);

#endif
