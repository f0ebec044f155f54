/* SPDX-License-Identifier: MIT
 *
 * http_state.h: what the files of this room share: server, connection and request. A connection is
 * one socket and what deadline it is under; a request lives from its request line until both the
 * library and the handler are done with it, and then goes back to a free list.
 */
#ifndef LOAM_SERVER_HTTP_HTTP_STATE_H
#define LOAM_SERVER_HTTP_HTTP_STATE_H

#include <microhttpd.h>

#include "server/http/forwarded.h"
#include "server/http/framing.h"
#include "server/http/http.h"
#include "server/http/http_limits.h"
#include "server/http/origin.h"
#include "server/http/peer.h"
#include "server/http/target.h"
#include "server/http/trace_parent.h"
#include "server/loop/loop.h"

typedef struct http_connection http_connection;
typedef struct upload upload;

/* What a connection is waited on for; each has its own deadline. */
typedef enum connection_phase {
    CONNECTION_OPENED,  /* no request yet */
    CONNECTION_HEADERS, /* the request line is in */
    CONNECTION_BODY,
    CONNECTION_WORK, /* the handler's turn, or a file's: no deadline */
    CONNECTION_SENDING,
    CONNECTION_IDLE
} connection_phase;

typedef struct http_listener {
    http_server *server;
    struct MHD_Daemon *daemon;
    loop_watch *watch;
    loop_timer *timer;
    char *local_path; /* of a unix socket that we made; owned */
    uint16_t port;
    bool is_local; /* a unix socket */
    bool is_secure;
    bool pump_due; /* something was resumed */
} http_listener;

struct http_connection {
    http_server *server;
    http_listener *listener;
    http_connection *next;
    http_connection *previous;
    http_connection *silent_next; /* crowd.h */
    http_connection *silent_previous;
    http_request *request; /* the current one; NULL between two */
    uint64_t since_ms;     /* when phase, or window of it, began */
    uint64_t progress;     /* bytes through at that time */
    int descriptor;
    connection_phase phase;
    peer_address peer;
    uint32_t uid;     /* of a unix socket's peer */
    bool counted;     /* among the connections of its address */
    bool proxy;       /* trusted to say for whom it asks */
    bool crowded;     /* opened above the reserve */
    bool peer_closed; /* at least for writing */
    bool is_silent;   /* among those who give way */
    bool cut;         /* shut down; the library will notice */
};

/* A request's way; each step is entered once. */
typedef enum request_step {
    REQUEST_NAMED,    /* the request line is in */
    REQUEST_ADMITTED, /* headers are in, the body comes */
    REQUEST_STORING,  /* the body is in, its file not yet */
    REQUEST_HANDLED,  /* with the handler */
    REQUEST_ANSWERED, /* there is a response */
    REQUEST_SENT      /* the library has it */
} request_step;

typedef struct memory_body {
    char *bytes;
    size_t size;
    size_t capacity;
} memory_body;

/* Joined values of a header that came more than once. */
typedef struct joined_header joined_header;

struct http_request {
    http_server *server;
    http_request *next_free;
    http_connection *connection; /* NULL when the library is done with the request */
    struct MHD_Connection *mhd;
    http_response *response;
    http_stream *stream;
    void *user;
    const char *route;
    uint64_t id;
    uint64_t start_us;
    http_method method;
    request_step step;
    bool suspended;
    bool inside_handler;
    bool gone;
    bool sent_whole;
    bool chunked;
    bool allowed_origin; /* the answer must say so */
    bool forwarded;      /* by a proxy, for `client`, among whose requests it counts */
    peer_address client;
    void *caller; /* what the handler found out about who asks */
    uint32_t rights;
    char trace[TRACE_PARENT_BYTES];
    loam_error error; /* the first that was found; its answer is due */
    uint64_t body_bytes_max;
    uint64_t body_bytes;
    memory_body body;
    upload *upload;
    joined_header *joined;
    framing framing;
    target target;
    char target_bytes[TARGET_BYTES_MAX];
};

struct http_server {
    event_loop *loop;
    http_listener listeners[HTTP_LISTENERS_MAX];
    uint32_t listener_count;
    http_handler handler;
    origin_rules origins;
    const char *upload_folder;
    worker_pool *io;
    uint32_t headers_ms;
    uint32_t body_ms;
    uint32_t response_stall_ms;
    uint32_t idle_ms;
    uint64_t body_memory_bytes_max;
    uint64_t body_memory_bytes;
    proxy_rules proxies;
    peer_table *peers; /* connections and forwarded requests of each address */
    uint32_t per_address_limit;
    uint64_t refused_count; /* connections that were one too many of their address */
    uint64_t crowded_count; /* requests refused on connections that were too many */
    uint64_t yielded_count; /* connections that gave way to others */
    uint16_t port;          /* of the first that has one */
    bool stopping;
    bool stopped; /* only requests that the handler has keep the memory */
    uint64_t now_ms;
    uint64_t next_id;
    uint32_t connection_limit;
    uint32_t connection_count;
    uint32_t waiting;
    int departures; /* descriptor of the set of sockets watched for their peer's leaving */
    http_connection *connections;
    http_connection *silent_first; /* the one that has been silent longest */
    http_connection *silent_last;
    http_request *free_requests;
    loop_hook before_poll;
    loop_watch *departure_watch;
    loop_timer *sweep_timer;
    uint64_t log_second;
    uint32_t log_lines;
    uint64_t log_dropped;
};

#endif
