/* SPDX-License-Identifier: MIT
 *
 * access.c: a request's way through this room. It reads from top to bottom: name, headers (guard,
 * host, origin, admission), body, handler, answer.
 *
 * An answer given in the library's first call closes the connection, which is right for what may be
 * framed wrongly or has a body that nobody will read; other refusals wait for the second call.
 */
#include "server/http/access.h"

#include <string.h>

#include "core/base/try.h"
#include "server/http/connection.h"
#include "server/http/event_stream.h"
#include "server/http/preflight.h"
#include "server/http/request.h"
#include "server/http/request_body.h"
#include "server/http/response.h"

static http_connection *connection_of(struct MHD_Connection *mhd) {
    return MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* ---- The request line ---------------------------------------------------------------------- */

static void read_target(http_request *request, const char *text) {
    size_t size = strlen(text);
    loam_status status = LOAM_OK;
    if (size > TARGET_BYTES_MAX) {
        status = loam_fail(&request->error, LOAM_URI_TOO_LONG, NULL,
                           "the address has %zu bytes, more than %d", size, TARGET_BYTES_MAX);
    } else {
        memcpy(request->target_bytes, text, size);
        status = target_parse(&request->target, request->target_bytes, size, &request->error);
    }
    if (status != LOAM_OK) {
        request->target.path = (loam_text){"", 0};
    }
}

void *access_name(void *context, const char *text, struct MHD_Connection *mhd) {
    http_connection *connection = connection_of(mhd);
    http_request *request = connection == NULL ? NULL : request_take(context);
    if (request == NULL) {
        return NULL;
    }
    request->connection = connection;
    request->mhd = mhd;
    connection->request = request;
    connection_enter(connection, CONNECTION_HEADERS);
    read_target(request, text);
    return request;
}

size_t access_keep_encoded(void *context, struct MHD_Connection *mhd, char *text) {
    (void)context;
    (void)mhd;
    return strlen(text);
}

/* ---- The answer ---------------------------------------------------------------------------- */

/* What differs from client to client can not stand in a shared response. */
static http_response *personal(http_request *request) {
    http_field fields[PREFLIGHT_ANSWER_FIELDS + 1];
    size_t count = preflight_answer_fields(request, fields);
    if (request->server->stopping) {
        fields[count++] = (http_field){"Connection", "close"};
    }
    return count == 0 ? http_response_retain(request->response)
                      : response_extend(request->response, fields, count);
}

static enum MHD_Result queue_response(http_request *request) {
    if (request->response == NULL) {
        loam_fail(&request->error, LOAM_INTERNAL, NULL, "the request was not answered");
        request->response = response_of_error(&request->error);
    }
    http_response *sent = request->response == NULL ? NULL : personal(request);
    if (sent == NULL) {
        return MHD_NO;
    }
    enum MHD_Result result = MHD_queue_response(request->mhd, (unsigned)http_response_status(sent),
                                                response_library(sent));
    http_response_release(sent);
    return result;
}

static enum MHD_Result send_answer(http_request *request) {
    if (request->gone) {
        return MHD_NO;
    }
    enum MHD_Result result =
        request->stream != NULL ? event_stream_send(request->stream) : queue_response(request);
    if (result == MHD_YES) {
        request->step = REQUEST_SENT;
        connection_enter(request->connection, CONNECTION_SENDING);
    }
    return result;
}

typedef enum refusal_kind { REFUSE_AND_CLOSE, REFUSE_AND_KEEP } refusal_kind;

static enum MHD_Result refuse(http_request *request, http_response *refusal, refusal_kind kind) {
    request->response = refusal;
    request->step = REQUEST_ANSWERED;
    return kind == REFUSE_AND_CLOSE ? send_answer(request) : MHD_YES;
}

/* ---- Headers ------------------------------------------------------------------------------- */

static http_method find_method(const char *name) {
    for (http_method method = HTTP_GET; method < HTTP_OTHER; method++) {
        if (strcmp(name, http_method_name(method)) == 0) {
            return method;
        }
    }
    return HTTP_OTHER;
}

static enum MHD_Result note_header(void *context, enum MHD_ValueKind kind, const char *name,
                                   size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    framing_note(context, (loam_text){name, name_size}, (loam_text){value, value_size});
    return MHD_YES;
}

static loam_status check_crowd(http_request *request) {
    if (!request->connection->crowded) {
        return LOAM_OK;
    }
    request->server->crowded_count++;
    return loam_fail(&request->error, LOAM_OVERLOADED, NULL, "too many connections are open");
}

/* For whom a trusted proxy asks, and whether that one has not too many requests under way. */
static loam_status check_client(http_request *request) {
    http_server *server = request->server;
    peer_address client;
    if (!request->connection->proxy) {
        return LOAM_OK;
    }
    bool is_rfc = server->proxies.kind == FORWARDED_RFC;
    loam_text header = http_header(request, is_rfc ? "Forwarded" : "X-Forwarded-For");
    if (!forwarded_client(&server->proxies, header, &client)) {
        return LOAM_OK;
    }
    if (!peer_table_enter(server->peers, &client, server->per_address_limit)) {
        return loam_fail(&request->error, LOAM_TOO_MANY_REQUESTS, NULL,
                         "more than %u requests of this address are under way",
                         server->per_address_limit);
    }
    request->client = client;
    request->forwarded = true;
    return LOAM_OK;
}

/* Whether we are meant, and asked by someone who may. */
static loam_status check_origin(http_request *request) {
    const framing *headers = &request->framing;
    const origin_rules *rules = &request->server->origins;
    loam_text host = headers->host;
    if (request->target.authority.bytes != NULL) {
        host = request->target.authority;
        if (request->target.is_secure != request->connection->listener->is_secure) {
            return loam_fail(&request->error, LOAM_MISDIRECTED, NULL,
                             "the scheme is not the one that is spoken here");
        }
    }
    if (host.bytes != NULL && !host_is_ours(rules, host)) {
        return loam_fail(&request->error, LOAM_MISDIRECTED, NULL,
                         "the host is not one of this daemon's");
    }
    origin_verdict verdict = origin_judge(rules, host, headers->origin, headers->fetch_site);
    if (verdict == ORIGIN_FOREIGN) {
        return loam_fail(&request->error, LOAM_FORBIDDEN, NULL, "pages of that origin may not ask");
    }
    request->allowed_origin = verdict == ORIGIN_ALLOWED;
    return LOAM_OK;
}

static loam_status check_admitted(http_request *request, const http_admission *admission,
                                  uint64_t body_bytes) {
    request->body_bytes_max = admission->body_bytes_max;
    request->chunked = body_bytes == BODY_CHUNKED;
    bool is_framed = request->chunked || request->framing.content_length.bytes != NULL;
    if (admission->body_required && !is_framed) {
        return loam_fail(&request->error, LOAM_LENGTH_REQUIRED, NULL,
                         "the request has neither Content-Length nor chunks");
    }
    if (!request->chunked && body_bytes > admission->body_bytes_max) {
        return loam_fail(&request->error, LOAM_TOO_LARGE, NULL,
                         "the body has %llu bytes, at most %llu are taken",
                         (unsigned long long)body_bytes,
                         (unsigned long long)admission->body_bytes_max);
    }
    return admission->body_to_file ? request_body_open_file(request, &request->error) : LOAM_OK;
}

static enum MHD_Result admit(http_request *request, uint64_t body_bytes) {
    refusal_kind kind = body_bytes == 0 ? REFUSE_AND_KEEP : REFUSE_AND_CLOSE;
    const http_handler *handler = &request->server->handler;
    http_admission admission = {0};
    handler->admit(handler->context, request, &admission);
    if (admission.refusal != NULL) {
        return refuse(request, admission.refusal, kind);
    }
    if (check_admitted(request, &admission, body_bytes) != LOAM_OK) {
        return refuse(request, response_of_error(&request->error), kind);
    }
    request->step = REQUEST_ADMITTED;
    connection_enter(request->connection, CONNECTION_BODY);
    return MHD_YES;
}

static loam_status check_headers(http_request *request, const char *version, uint64_t *body_bytes) {
    bool is_old = strcmp(version, "HTTP/1.0") == 0;
    LOAM_TRY(check_crowd(request));
    LOAM_TRY(framing_check(&request->framing, request->method, is_old ? HTTP_1_0 : HTTP_1_1,
                           body_bytes, &request->error));
    return request->error.status;
}

static enum MHD_Result take_headers(http_request *request, const char *method,
                                    const char *version) {
    uint64_t body_bytes = 0;
    request->method = find_method(method);
    MHD_get_connection_values_n(request->mhd, MHD_HEADER_KIND, note_header, &request->framing);
    if (check_headers(request, version, &body_bytes) != LOAM_OK) {
        return refuse(request, response_of_error(&request->error), REFUSE_AND_CLOSE);
    }
    trace_parent_read(request->framing.trace_parent, request->trace);
    if (check_client(request) != LOAM_OK || check_origin(request) != LOAM_OK) {
        return refuse(request, response_of_error(&request->error),
                      body_bytes == 0 ? REFUSE_AND_KEEP : REFUSE_AND_CLOSE);
    }
    if (request->allowed_origin && preflight_is_asked(request)) {
        return refuse(request, preflight_answer(), REFUSE_AND_KEEP);
    }
    return admit(request, body_bytes);
}

/* ---- Body and handler ---------------------------------------------------------------------- */

static enum MHD_Result call_handler(http_request *request) {
    const http_handler *handler = &request->server->handler;
    if (request->error.status != LOAM_OK) {
        return refuse(request, response_of_error(&request->error), REFUSE_AND_CLOSE);
    }
    request->step = REQUEST_HANDLED;
    request->server->waiting++;
    connection_enter(request->connection, CONNECTION_WORK);
    request->inside_handler = true;
    handler->handle(handler->context, request);
    request->inside_handler = false;
    if (request->step == REQUEST_ANSWERED) {
        return send_answer(request);
    }
    request_suspend(request);
    if (request->connection->peer_closed) {
        request_client_left(request);
    }
    return MHD_YES;
}

static enum MHD_Result take_body(http_request *request, const char *bytes, size_t *size) {
    if (*size > 0) {
        return request_body_take(request, bytes, size) ? MHD_YES : MHD_NO;
    }
    return request_body_finish(request) ? call_handler(request) : MHD_YES;
}

enum MHD_Result access_step(void *context, struct MHD_Connection *mhd, const char *url,
                            const char *method, const char *version, const char *bytes,
                            size_t *size, void **state) {
    (void)context;
    (void)mhd;
    (void)url;
    http_request *request = *state;
    if (request == NULL || request->gone) {
        return MHD_NO;
    }
    switch (request->step) {
    case REQUEST_NAMED:
        return take_headers(request, method, version);
    case REQUEST_ADMITTED:
        return take_body(request, bytes, size);
    case REQUEST_STORING:
        return call_handler(request);
    case REQUEST_ANSWERED:
        return send_answer(request);
    case REQUEST_HANDLED:
    case REQUEST_SENT:
        break;
    }
    return MHD_NO;
}

void access_completed(void *context, struct MHD_Connection *mhd, void **state,
                      enum MHD_RequestTerminationCode code) {
    (void)context;
    (void)mhd;
    if (*state != NULL) {
        request_end(*state, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
        *state = NULL;
    }
}
