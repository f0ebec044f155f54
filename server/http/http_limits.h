/* SPDX-License-Identifier: MIT
 *
 * http_limits.h: every fixed limit of the HTTP side, each with its reason, and the defaults of
 * those that http_options can change (the daemon sets most of them: server/config/option.c).
 */
#ifndef LOAM_SERVER_HTTP_HTTP_LIMITS_H
#define LOAM_SERVER_HTTP_HTTP_LIMITS_H

#include <stdint.h>

/* The longest legal address is about 900 bytes; browsers and proxies stop at 4 to 8 KB. */
#define TARGET_BYTES_MAX 4096

/* The deepest route has 11 segments; no route takes more than 12 parameters. */
#define TARGET_SEGMENTS_MAX 16
#define TARGET_PARAMETERS_MAX 32

/* Buffer of a connection, which bounds its headers (431 beyond). The library clears all of it after
 * each request, so more costs time: 64 KB would be 2 us a request. */
#define CONNECTION_MEMORY_BYTES 16384

/* Waiting to be accepted: a burst of new clients while the loop is busy for some milliseconds. */
#define LISTEN_BACKLOG 4096

/* What one slow reader can hold in the kernel; a cell of 512 KB is sent in a few turns. */
#define SEND_BUFFER_BYTES (256 * 1024)

/* Open connections; each is one descriptor, of which a process may usually have far more when it
 * asks for them. The daemon's own default (connection-limit). */
#define CONNECTION_LIMIT_DEFAULT 4096

/* Listening sockets: an address and a unix socket of our own, or what systemd hands over. */
#define HTTP_LISTENERS_MAX 8

/* Connections of one address, or requests that proxies bring for it, at one time: a machine full of
 * game servers has as many, and no one machine can take all connections. */
#define PER_ADDRESS_LIMIT_DEFAULT 256

/* Above this share of the limit new connections are answered with 503 and closed: at the limit
 * itself the library falls silent. */
#define CONNECTION_RESERVE_PERCENT 90

/* There, whoever has been silent for so long gives way to one who comes: longer than a handshake of
 * TLS with the far side of the world. As the reserve fills it shrinks to nothing. */
#define YIELD_MS 500

/* Rounds of the library in one turn of the loop, so that others have theirs. */
#define PUMP_ROUNDS_MAX 32

/* Absolute time from accept, or from the request line, until headers are in. */
#define HEADERS_MS_DEFAULT 5000

/* A body is measured in windows of this length, and must come at least that fast in each. */
#define BODY_MS_DEFAULT 5000
#define BODY_BYTES_PER_SECOND_MIN 16384

/* An answer of which the client takes nothing for so long is given up. */
#define RESPONSE_STALL_MS_DEFAULT 30000

/* Between two requests of a connection: longer than the pauses of a game client, and than the
 * minute for which proxies keep one. The daemon's own default (idle-s). */
#define IDLE_MS_DEFAULT 75000

/* How often deadlines are looked at: a deadline is late by at most this. */
#define SWEEP_MS 1000

/* Connections that one look cuts, and when the next one goes on with the rest: closing one takes
 * some 20 us, and thousands that came together are late together. */
#define CUTS_AT_ONCE 128
#define CUTS_PAUSE_MS 10

/* Bodies in memory, all requests together: eight of the largest (GeoJSON, 32 MB). */
#define BODY_MEMORY_BYTES_DEFAULT ((uint64_t)256 << 20)

/* First block for a body of unknown size; doubles from there. */
#define BODY_BLOCK_BYTES 16384

/* Of a body that is too large (chunked, so not known at first) so much is read and dropped, to be
 * able to answer at its end. Beyond that the connection is cut. */
#define BODY_DISCARD_BYTES_MAX ((uint64_t)16 << 20)

/* Two of these per upload: one fills while the other is written. */
#define UPLOAD_BLOCK_BYTES 65536

/* Event streams: what a client may lag behind before it is dropped. Events are about 200 bytes. */
#define STREAM_BUFFER_BYTES 65536

/* Lines of the library's log that are passed on in a second; the rest is counted. */
#define LOG_LINES_PER_SECOND 10

/* Seconds that a refused client is asked to wait. */
#define RETRY_AFTER_S "1"

#endif
