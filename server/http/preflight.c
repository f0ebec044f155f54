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
         "Accept, Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Prefer, "
         "Range"},
        {"Access-Control-Max-Age", "600"},
    };
    return http_response_create(204, fields, sizeof fields / sizeof fields[0], (http_body){0});
}

size_t preflight_answer_fields(const char *origin, http_field *fields) {
    fields[0] = (http_field){"Access-Control-Allow-Origin", origin};
    fields[1] = (http_field){
        "Access-Control-Expose-Headers",
        "Cache-Status, Content-Location, ETag, Location, Loam-Build-Key, Loam-Content-Key, "
        "Loam-Digest, Preference-Applied, Repr-Digest, Retry-After"};
    fields[2] = (http_field){"Vary", "Origin"};
    return PREFLIGHT_ANSWER_FIELDS;
}
