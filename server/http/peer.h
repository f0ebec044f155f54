/* SPDX-License-Identifier: MIT
 *
 * peer.h: who is at the other end: addresses in one form (IPv4 as IPv6 maps it), ranges of them,
 * and how many connections and forwarded requests each has now. A client of IPv6 owns 64 bits of
 * addresses, so those count as one.
 */
#ifndef LOAM_SERVER_HTTP_PEER_H
#define LOAM_SERVER_HTTP_PEER_H

#include "core/loam.h"

#include <sys/socket.h>

typedef struct peer_address {
    unsigned char bytes[16];
} peer_address;

/* "2001:db8:1234:5678:9abc:def0:1234:5678" and a zero; IPv4 is shorter. */
enum { PEER_TEXT_BYTES = 46 };

/* False for a socket that is not of the internet. */
bool peer_of_socket(const struct sockaddr *from, peer_address *to);
/* "192.0.2.1", "2001:db8::1", "[2001:db8::1]"; each may have ":port" behind it where that leaves no
 * doubt. */
bool peer_read(loam_text text, peer_address *to);
void peer_write(const peer_address *from, char text[PEER_TEXT_BYTES]);
bool peer_is_loopback(const peer_address *of);

typedef struct peer_range {
    peer_address base;
    uint32_t bits; /* that must agree, of 128 */
} peer_range;

/* An address, or "10.0.0.0/8", "2001:db8::/32". */
bool peer_range_read(loam_text text, peer_range *to);
bool peer_range_has(const peer_range *range, const peer_address *address);

/* ---- How many ------------------------------------------------------------------------------- */

typedef struct peer_table peer_table;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE peer_table *peer_table_create(void);
void peer_table_destroy(peer_table *table);
/* One more of this address; false, and not counted, when it has `limit` already. */
bool peer_table_enter(peer_table *table, const peer_address *address, uint32_t limit);
void peer_table_leave(peer_table *table, const peer_address *address);
uint32_t peer_table_count(const peer_table *table, const peer_address *address);

#endif
