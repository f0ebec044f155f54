/* SPDX-License-Identifier: MIT
 *
 * preflight.c: fixed lists. What a page may send is what the routes know; what it may read is what
 * the routes answer with.
 */
#include "server/http/preflight.h"

bool preflight_is_asked(http_request *request) {
    return request->method == HTTP_OPTIONS &&
           http_header(request, "Access-Control-Request-Method").bytes != NULL;
}

http_response *preflight_answer(void) {
    static const http_field fields[] = {
        {"Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE"},
        {"Access-Control-Allow-Headers",
         "Accept, Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, "
         "Prefer, Range, traceparent"},
        {"Access-Control-Max-Age", "600"},
    };
    return http_response_create(204, fields, sizeof fields / sizeof fields[0], (http_body){0});
}

size_t preflight_answer_fields(const http_request *request, http_field *fields) {
    size_t count = 0;
    if (request->allowed_origin) {
        /* The library ends every header's value with a zero. */
        fields[count++] =
            (http_field){"Access-Control-Allow-Origin", request->framing.origin.bytes};
        fields[count++] = (http_field){
            "Access-Control-Expose-Headers",
            "Accept-Ranges, Allow, Cache-Status, Content-Location, Content-Range, ETag, Location, "
            "Loam-Build-Key, Loam-Content-Key, Loam-Digest, Preference-Applied, Repr-Digest, "
            "Retry-After, Warning, WWW-Authenticate"};
    }
    /* Also where no page asks: a cache may have a page ask next. */
    if (request->server->origins.origin_count > 0) {
        fields[count++] = (http_field){"Vary", "Origin"};
    }
    return count;
}
