/* SPDX-License-Identifier: MIT
 *
 * request.h: the life of a request between the library's calls and the handler's answer.
 */
#ifndef LOAM_SERVER_HTTP_REQUEST_H
#define LOAM_SERVER_HTTP_REQUEST_H

#include "server/http/http_state.h"

/* From the free list, cleared as far as it must be. NULL when memory is short. */
LOAM_MUST_USE http_request *request_take(http_server *server);
/* The library is done with the request: sent (whole) or given up. It lives on while the handler
 * has it. */
void request_end(http_request *request, bool sent_whole);

/* Stops the library's work on the connection until request_wake. */
void request_suspend(http_request *request);
/* Lets the library call again; the loop runs it once for all that were woken. */
void request_wake(http_request *request);

/* The peer has closed: whoever waits is told. */
void request_client_left(http_request *request);

/* Frees values of headers that were joined for http_header. */
void request_drop_joined(http_request *request);

/* Frees the free list and the server, when the handler has no request of it any more. */
void request_free_last(http_server *server);

#endif
