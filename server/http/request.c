/* SPDX-License-Identifier: MIT
 *
 * request.c: taking and giving back, waiting and waking, the answer and the end. Two parties hold a
 * request, the library (connection is set) and the handler (REQUEST_HANDLED); the last one frees.
 */
#include "server/http/request.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "core/base/assert.h"
#include "server/http/connection.h"
#include "server/http/event_stream.h"
#include "server/http/request_body.h"
#include "server/http/response.h"

http_request *request_take(http_server *server) {
    http_request *request = server->free_requests;
    if (request != NULL) {
        server->free_requests = request->next_free;
    } else {
        request = malloc(sizeof *request);
        if (request == NULL) {
            return NULL;
        }
    }
    /* All but the long last members: parsing sets what it uses of those. */
    memset(request, 0, offsetof(http_request, error));
    request->error.status = LOAM_OK;
    memset(&request->body_bytes_max, 0,
           offsetof(http_request, target) - offsetof(http_request, body_bytes_max));
    request->server = server;
    request->id = ++server->next_id;
    request->start_us = loop_now_us();
    return request;
}

static void forget_caller(http_request *request) {
    const http_handler *handler = &request->server->handler;
    if (request->forwarded) {
        peer_table_leave(request->server->peers, &request->client);
    }
    if (request->caller != NULL && handler->forget != NULL) {
        handler->forget(handler->context, request->caller);
    }
    request->caller = NULL;
}

static void give_back(http_request *request) {
    http_server *server = request->server;
    forget_caller(request);
    request_body_drop(request);
    request_drop_joined(request);
    http_response_release(request->response);
    request->response = NULL;
    request->next_free = server->free_requests;
    server->free_requests = request;
}

/* Who asked, for the log: nobody needs to read 127.0.0.1 there. */
static void write_client(const http_request *request, const http_connection *connection,
                         char text[PEER_TEXT_BYTES]) {
    const peer_address *client = request->forwarded ? &request->client : &connection->peer;
    text[0] = 0;
    if (request->forwarded || (!connection->listener->is_local && !peer_is_loopback(client))) {
        peer_write(client, text);
    }
}

static void report(const http_request *request, const http_connection *connection) {
    const http_handler *handler = &request->server->handler;
    if (handler->finished == NULL) {
        return;
    }
    char client[PEER_TEXT_BYTES];
    const http_response *response = request->step == REQUEST_SENT ? request->response : NULL;
    uint64_t body_bytes = response == NULL ? 0 : response_body_bytes(response);
    int status = response == NULL ? 0 : http_response_status(response);
    if (request->stream != NULL && request->step == REQUEST_SENT) {
        status = MHD_HTTP_OK;
        body_bytes = event_stream_bytes(request->stream);
    }
    write_client(request, connection, client);
    handler->finished(handler->context, &(http_finish){
                                            .method = request->method,
                                            .route = request->route,
                                            .path = request->target.path,
                                            .id = request->id,
                                            .status = status,
                                            .sent = request->sent_whole,
                                            .body_bytes = body_bytes,
                                            .request_bytes = request->body_bytes,
                                            .microseconds = loop_now_us() - request->start_us,
                                            .client = client,
                                            .trace = request->trace,
                                            .caller = request->caller,
                                        });
}

void request_end(http_request *request, bool sent_whole) {
    http_connection *connection = request->connection;
    connection->request = NULL;
    connection_enter(connection, CONNECTION_IDLE);
    request->connection = NULL;
    request->mhd = NULL;
    request->sent_whole = sent_whole;
    report(request, connection);
    if (request->stream != NULL) {
        event_stream_end(request->stream);
    }
    if (request->step != REQUEST_HANDLED) {
        give_back(request);
    }
}

void request_suspend(http_request *request) {
    MHD_suspend_connection(request->mhd);
    request->suspended = true;
}

void request_wake(http_request *request) {
    if (request->suspended) {
        request->suspended = false;
        request->connection->listener->pump_due = true;
        MHD_resume_connection(request->mhd);
    }
}

void request_client_left(http_request *request) {
    if (!request->suspended || request->gone) {
        return;
    }
    request->gone = true;
    const http_handler *handler = &request->server->handler;
    bool with_handler = request->step == REQUEST_HANDLED;
    request_wake(request);
    if (with_handler && handler->gone != NULL) {
        handler->gone(handler->context, request);
    }
}

void http_reply(http_request *request, http_response *response) {
    LOAM_ASSERT(request->step == REQUEST_HANDLED);
    http_server *server = request->server;
    server->waiting--;
    request->step = REQUEST_ANSWERED;
    request->response = response;
    if (request->connection == NULL) {
        give_back(request);
        request_free_last(server);
        return;
    }
    if (!request->inside_handler) {
        request_wake(request);
    }
}

void request_free_last(http_server *server) {
    if (!server->stopped || server->waiting > 0) {
        return;
    }
    http_request *next = NULL;
    for (http_request *request = server->free_requests; request != NULL; request = next) {
        next = request->next_free;
        free(request);
    }
    peer_table_destroy(server->peers);
    free(server);
}
