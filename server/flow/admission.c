/* SPDX-License-Identifier: MIT
 *
 * admission.c: see admission.h.
 */
#include "server/flow/admission.h"

#include "api/wire/document.h"
#include "api/wire/unknown.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/slot/caller.h"
#include "server/slot/negotiate.h"
#include "server/slot/reply.h"
#include "server/slot/route.h"
#include "server/slot/shed.h"
#include "server/world/asset_put.h"

#include <stdio.h>

static loam_status check_once(const http_request *request, size_t index, loam_error *error) {
    loam_text name = http_query_name(request, index);
    for (size_t i = 0; i < index; i++) {
        if (loam_text_equal(name, http_query_name(request, i))) {
            return loam_fail(error, LOAM_DUPLICATE, NULL, "the query parameter %.*s is given twice",
                             TEXT_ARGS(name));
        }
    }
    return LOAM_OK;
}

/* A slip of the pen in a query must not become a silent default. */
static loam_status check_query(const http_request *request, const flow_route *route,
                               loam_error *error) {
    static const char *const NONE[] = {NULL};
    const char *const *known = route->queries == NULL ? NONE : route->queries;
    bool takes_any = *known != NULL && (*known)[0] == '*';
    for (size_t i = 0; !takes_any && i < http_query_count(request); i++) {
        LOAM_TRY(query_name_check(http_query_name(request, i), known, error));
        LOAM_TRY(check_once(request, i, error));
    }
    return LOAM_OK;
}

static loam_status check_media(http_request *request, const flow_route *route, loam_error *error) {
    loam_text type = http_header(request, "Content-Type");
    if (route->body == BODY_JSON && !media_type_is(type, MEDIA_JSON)) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "the body is %s", MEDIA_JSON);
    }
    if (route->body == BODY_ASSET && type.bytes == NULL) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "the body needs a Content-Type");
    }
    return LOAM_OK;
}

/* A coding that is refused is refused for every answer, so it is judged before one is made. */
static loam_status check_codings(http_request *request, loam_error *error) {
    if (negotiate_has_coding(http_header(request, "Accept-Encoding"))) {
        return LOAM_OK;
    }
    return loam_fail(error, LOAM_NOT_ACCEPTABLE, NULL,
                     "the codings are zstd, gzip and identity, all of which are refused");
}

static void admit_body(const flow_route *route, http_admission *admission) {
    if (route->body == BODY_JSON) {
        admission->body_bytes_max = JSON_BYTES_MAX;
        admission->body_required = true;
    } else if (route->body == BODY_ASSET) {
        admission->body_bytes_max = ASSET_BODY_BYTES_MAX;
        admission->body_to_file = true;
        admission->body_required = true;
    }
}

/* What may be done here, asked without doing it; "*" asks about the whole daemon. */
static http_response *answer_options(const http_request *request, const char *allow) {
    char allowed[80];
    bool whole = loam_text_equal(http_path(request), loam_text_of("*"));
    snprintf(allowed, sizeof allowed, "%s, OPTIONS",
             whole ? "GET, HEAD, POST, PUT, DELETE" : allow);
    return whole || allow[0] != 0
               ? reply_create(&(reply_form){.status = 204, .allow = allowed}, (http_body){0})
               : NULL;
}

static loam_status check_draining(const flow_state *flow, const http_request *request,
                                  loam_error *error) {
    http_method method = http_request_method(request);
    if (!flow->draining || method == HTTP_GET || method == HTTP_HEAD) {
        return LOAM_OK;
    }
    return loam_fail(error, LOAM_SHUTTING_DOWN, NULL, "%s", loam_status_text(LOAM_SHUTTING_DOWN));
}

/* A single request may be one that needs no worker: the queue refuses it when it does. */
static loam_status check_load(flow_state *flow, const flow_route *route, loam_error *error) {
    return route->shed == SHED_SINGLE ? LOAM_OK : shed_check(flow, route->shed, error);
}

/* In the order in which one would ask: who is it, may he, what does he want. */
static loam_status check_request(flow_state *flow, http_request *request, const flow_route *route,
                                 loam_error *error) {
    LOAM_TRY(caller_identify(flow, request, error));
    LOAM_TRY(caller_check(flow, request, route, error));
    LOAM_TRY(check_query(request, route, error));
    LOAM_TRY(check_media(request, route, error));
    LOAM_TRY(check_codings(request, error));
    LOAM_TRY(check_draining(flow, request, error));
    return check_load(flow, route, error);
}

static http_response *refuse(http_request *request, const flow_route *route,
                             const loam_error *error, const char *allow) {
    bool again = error->status == LOAM_SHUTTING_DOWN || error->status == LOAM_TOO_MANY_REQUESTS;
    int32_t again_s = error->status == LOAM_OVERLOADED ? shed_retry_after_s(route->shed)
                      : again                          ? RETRY_AFTER_S
                                                       : 0;
    reply_form form = {.allow = error->status == LOAM_METHOD_NOT_ALLOWED ? allow : NULL,
                       .authenticate = caller_challenge(request, route, error),
                       .retry_after_s = again_s};
    return reply_problem(error, &form);
}

void admission_judge(void *context, http_request *request, http_admission *admission) {
    flow_state *flow = context;
    loam_error error = {0};
    char allow[64];
    const flow_route *route = route_find(request, allow, &error);
    if (http_request_method(request) == HTTP_OPTIONS) {
        admission->refusal = answer_options(request, allow);
    }
    if (admission->refusal != NULL) {
        return;
    }
    if (route != NULL) {
        http_set_route(request, route->template);
        http_set_user(request, (void *)(uintptr_t)route);
        admit_body(route, admission);
    }
    if (route == NULL || check_request(flow, request, route, &error) != LOAM_OK) {
        admission->refusal = refuse(request, route, &error, allow);
    }
}
