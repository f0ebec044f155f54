/* SPDX-License-Identifier: MIT
 *
 * http.h: the HTTP side of the daemon. A request that arrives whole and well framed, for a host we
 * are and from an origin that may ask, is admitted by the handler (headers are in, no body yet),
 * gets its body, is handled, and is answered at once or later from the loop's thread. What is not
 * well formed is answered here. libmicrohttpd is known in this room only.
 *
 * Invariant: every request given to `handle` is answered by exactly one http_reply (or
 * http_stream_open), also after `gone`; until then the request and what it lends stay valid.
 * All calls are for the loop's thread, but for http_response_* which any thread may call.
 */
#ifndef LOAM_SERVER_HTTP_HTTP_H
#define LOAM_SERVER_HTTP_HTTP_H

#include "core/loam.h"
#include "server/http/forwarded.h"
#include "server/loop/loop.h"
#include "server/loop/pool.h"

typedef struct http_server http_server;
typedef struct http_request http_request;
typedef struct http_response http_response;
typedef struct http_stream http_stream;

typedef enum http_method {
    HTTP_GET,
    HTTP_HEAD,
    HTTP_POST,
    HTTP_PUT,
    HTTP_DELETE,
    HTTP_PATCH,
    HTTP_OPTIONS,
    HTTP_OTHER
} http_method;

/* "GET", ...; "OTHER". Static. */
const char *http_method_name(http_method method);

/* ---- Responses ----------------------------------------------------------------------------- */

/* Both terminated; copied. */
typedef struct http_field {
    const char *name;
    const char *value;
} http_field;

/* Bytes of a body. With `release` they are borrowed until it is called with `context` (on any
 * thread); without, they are copied. A size without bytes is what a HEAD is told; none are sent. */
typedef struct http_body {
    const void *bytes;
    size_t size;
    void (*release)(void *context);
    void *context;
} http_body;

/* A response that any number of requests may be answered with, at the same time; counted, owned
 * once by the caller. Content-Length, Date and Connection are added by the room; HEAD, 204 and 304
 * leave out the body. NULL when memory is short or a field is not legal; the body is released. */
LOAM_MUST_USE http_response *http_response_create(int status, const http_field *fields,
                                                  size_t field_count, http_body body);
http_response *http_response_retain(http_response *response);
void http_response_release(http_response *response);
int http_response_status(const http_response *response);
/* Body, fields and bookkeeping: what it weighs in a cache. */
size_t http_response_bytes(const http_response *response);

/* ---- Server -------------------------------------------------------------------------------- */

/* What the handler says once headers are in. Zero admits a request without body. */
typedef struct http_admission {
    http_response *refusal; /* taken; the request is answered with it and never handled */
    uint64_t body_bytes_max;
    bool body_to_file;  /* into upload_folder instead of memory */
    bool body_required; /* without Content-Length or chunks: 411 */
} http_admission;

/* For log and metrics, when an answer has been sent, given up or refused. Borrowed. */
typedef struct http_finish {
    http_method method;
    const char *route; /* as http_set_route said; NULL */
    loam_text path;
    uint64_t id;
    int status;             /* 0: nothing was answered */
    bool sent;              /* all of it went out */
    uint64_t body_bytes;    /* of the response */
    uint64_t request_bytes; /* of the request's body */
    uint64_t microseconds;  /* since the request line */
    const char *client;     /* address of who asked, "" on this machine */
    const char *trace;      /* W3C traceparent, "" without one */
    void *caller;           /* as http_set_caller said */
} http_finish;

typedef struct http_handler {
    void *context;
    void (*admit)(void *context, http_request *request, http_admission *admission);
    void (*handle)(void *context, http_request *request);
    /* The client has left while its request waited: http_reply is still due, with any response or
     * NULL, and sends nothing. May be NULL. */
    void (*gone)(void *context, http_request *request);
    void (*finished)(void *context, const http_finish *finish); /* may be NULL */
    /* The last use of a request whose caller was set. May be NULL. */
    void (*forget)(void *context, void *caller);
    void (*log)(void *context, const char *text, uint64_t dropped); /* may be NULL; rate limited */
} http_handler;

typedef enum http_exposure {
    EXPOSURE_LOOPBACK,  /* there are no tokens: only this machine may ask */
    EXPOSURE_NEEDS_TLS, /* there are, but they would cross the net in the open */
    EXPOSURE_ANY,
} http_exposure;

typedef struct http_options {
    const char *address;       /* "127.0.0.1", "::1", "localhost", or "unix:/path"; NULL: none */
    uint16_t port;             /* 0: any free one */
    http_exposure exposure;    /* how far `address` may reach */
    const char *local_address; /* "unix:/path", beside it; NULL: none */
    uint32_t local_mode;       /* of unix sockets; 0: 0600 */
    const int *inherited;      /* sockets that listen already; taken */
    size_t inherited_count;
    const char *certificate_file;     /* PEM; TLS on all but unix sockets. NULL: none */
    const char *certificate_key_file; /* PEM */
    proxy_rules proxies;
    const char *const *hosts; /* more names that may stand in Host */
    size_t host_count;
    bool any_host;              /* any name may: who asks proves who he is */
    const char *const *origins; /* scheme://host[:port] that may ask from a browser */
    size_t origin_count;
    worker_pool *io;           /* writes bodies to files; may be NULL when there is no folder */
    const char *upload_folder; /* for bodies in files; NULL: none */
    uint32_t connection_limit; /* 0 and the rest: the defaults of http_limits.h */
    uint32_t per_address_limit;
    uint32_t headers_ms;
    uint32_t body_ms;
    uint32_t response_stall_ms;
    uint32_t idle_ms;
    uint64_t body_memory_bytes;
    http_handler handler;
} http_options;

/* Owned; strings are borrowed until http_stop. SIGPIPE is ignored from here on. NULL with `error`:
 * LOAM_OUT_OF_RANGE for an address that is none, LOAM_FORBIDDEN for one beyond loopback, LOAM_IO
 * (with the address) when it is in use or can not be had, what certificate_load says. */
LOAM_MUST_USE http_server *http_start(event_loop *loop, const http_options *options,
                                      loam_error *error);
uint16_t http_port(const http_server *server);
uint32_t http_connections(const http_server *server);
/* Connections that were closed at once, being too many of their address. */
uint64_t http_connections_refused(const http_server *server);
/* How many requests were refused because too many connections were open. */
uint64_t http_requests_crowded(const http_server *server);
/* How many were closed because they were silent while others came and there was little room. */
uint64_t http_connections_yielded(const http_server *server);
/* Takes another certificate for TLS; when it fails the earlier one stays. */
LOAM_MUST_USE loam_status http_reload_certificate(const char *certificate_file,
                                                  const char *key_file, loam_error *error);
/* Requests that the handler has and did not answer yet; a stream counts as answered. */
uint32_t http_waiting(const http_server *server);
/* Connections whose client is owed something: a body is on its way in, a request is with the
 * handler, or its answer is not all sent. Streams, which have no end, do not count. */
uint32_t http_busy(const http_server *server);
/* Frees the ports, closes idle connections and streams, and lets the others end with their answer.
 */
void http_stop_accepting(http_server *server);
/* Cuts what is left: gone is called for requests that wait. One that the handler still has is
 * answered as ever, to nobody; the server's memory goes with the last of them. */
void http_stop(http_server *server);

/* ---- Requests ------------------------------------------------------------------------------ */

http_method http_request_method(const http_request *request);
/* The decoded path: no query, no controls, valid UTF-8. No segment holds a slash of its own. */
loam_text http_path(const http_request *request);
/* Parts of the path between slashes; "/" has one, empty. Out of range: {NULL, 0}. */
size_t http_segment_count(const http_request *request);
loam_text http_segment(const http_request *request, size_t index);
/* Query parameters, decoded ('+' is a blank); {NULL, 0} when absent; by name the first of
 * several, all by index. */
size_t http_query_count(const http_request *request);
loam_text http_query_name(const http_request *request, size_t index);
loam_text http_query_value(const http_request *request, size_t index);
loam_text http_query(const http_request *request, const char *name);
/* A header's value, without regard to case; several of one name are joined by ", ". {NULL, 0} when
 * absent, or when the client has gone. */
loam_text http_header(http_request *request, const char *name);
/* The whole body in memory; empty when there is none or it is in a file. */
loam_text http_request_body(const http_request *request);
/* The finished file with the body and its size; NULL when in memory. It is removed with the
 * request unless it has been moved away. */
const char *http_request_file(const http_request *request);
uint64_t http_request_body_bytes(const http_request *request);

/* Whether it came through a unix socket, and not from a proxy there that asks for others; and whose
 * process asks. */
bool http_is_local(const http_request *request);
uint32_t http_peer_uid(const http_request *request);
/* Who asks and what he may, as the handler found out; NULL and 0 at first. `forget` is called for
 * the caller when nobody has the request any more. */
void http_set_caller(http_request *request, void *caller, uint32_t rights);
void *http_caller(const http_request *request);
uint32_t http_rights(const http_request *request);

/* What the handler hangs on a request; NULL at first. */
void *http_user(const http_request *request);
void http_set_user(http_request *request, void *user);
/* A static template such as "/v1/worlds/{world}", for http_finish. */
void http_set_route(http_request *request, const char *route);
const char *http_route(const http_request *request);
/* Unique in this process. */
uint64_t http_request_id(const http_request *request);
/* loop_now_us() when the request line was read. */
uint64_t http_request_start_us(const http_request *request);

/* Answers; takes the reference. NULL: 500 (or nothing, when the client has gone). */
void http_reply(http_request *request, http_response *response);

/* ---- Event streams ------------------------------------------------------------------------- */

/* Answers with 200 and a body without end (text/event-stream). `left` is called when the client
 * has gone or the stream ended; it is the last use of the stream. Owned until then. NULL when the
 * client has gone already (left is not called). */
http_stream *http_stream_open(http_request *request, void (*left)(void *context), void *context);
/* Appends. False when the client reads too slowly and the buffer is full: the stream is closed. */
bool http_stream_write(http_stream *stream, const void *bytes, size_t size);
/* Ends the stream after what was written. */
void http_stream_close(http_stream *stream);

#endif
