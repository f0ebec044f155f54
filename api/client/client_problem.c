/* SPDX-License-Identifier: MIT
 *
 * client_problem.c: the way back from a problem document (RFC 9457) to a loam_error. An answer
 * without one (a proxy's, say) still names the nearest status.
 */
#include "api/client/client.h"

#include <jansson.h>
#include <string.h>

typedef struct status_code {
    const char *code;
    loam_status status;
} status_code;

static const status_code status_codes[] = {
#define STATUS_CODE_ROW(name, number, code, text) {code, LOAM_##name},
    LOAM_STATUS_TABLE(STATUS_CODE_ROW)
#undef STATUS_CODE_ROW
};

static bool status_by_code(const char *code, loam_status *status) {
    for (size_t i = 0; i < sizeof status_codes / sizeof status_codes[0]; i++) {
        if (strcmp(status_codes[i].code, code) == 0) {
            *status = status_codes[i].status;
            return *status != LOAM_OK;
        }
    }
    return false;
}

typedef struct http_meaning {
    int http_status;
    loam_status status;
} http_meaning;

static const http_meaning http_meanings[] = {
    {400, LOAM_MALFORMED},
    {401, LOAM_UNAUTHORIZED},
    {403, LOAM_FORBIDDEN},
    {404, LOAM_NOT_FOUND},
    {405, LOAM_METHOD_NOT_ALLOWED},
    {406, LOAM_NOT_ACCEPTABLE},
    {409, LOAM_IN_USE},
    {411, LOAM_LENGTH_REQUIRED},
    {412, LOAM_PRECONDITION_FAILED},
    {413, LOAM_TOO_LARGE},
    {414, LOAM_URI_TOO_LONG},
    {415, LOAM_UNSUPPORTED_MEDIA},
    {416, LOAM_RANGE_UNSATISFIABLE},
    {417, LOAM_EXPECTATION_FAILED},
    {421, LOAM_MISDIRECTED},
    {422, LOAM_OUT_OF_RANGE},
    {424, LOAM_CHECK_FAILED},
    {429, LOAM_TOO_MANY_REQUESTS},
    {431, LOAM_HEADERS_TOO_LARGE},
    {501, LOAM_NOT_IMPLEMENTED},
    {503, LOAM_OVERLOADED},
};

static loam_status status_by_http(int http_status) {
    for (size_t i = 0; i < sizeof http_meanings / sizeof http_meanings[0]; i++) {
        if (http_meanings[i].http_status == http_status) {
            return http_meanings[i].status;
        }
    }
    return LOAM_INTERNAL;
}

static const char *member_text(const json_t *problem, const char *key) {
    const char *text = json_string_value(json_object_get(problem, key));
    return text != NULL ? text : "";
}

/* An unknown code (of a newer daemon) is kept in the text, so that nothing is lost. */
static loam_status problem_note(const json_t *problem, int http_status, loam_error *error) {
    const char *code = member_text(problem, "code");
    const char *detail = member_text(problem, "detail");
    const char *pointer = member_text(problem, "pointer");
    detail = detail[0] != '\0' ? detail : member_text(problem, "title");
    loam_status status;
    if (status_by_code(code, &status)) {
        return loam_fail(error, status, pointer, "%s", detail);
    }
    return loam_fail(error, status_by_http(http_status), pointer, "%s%s%s", code,
                     code[0] != '\0' ? ": " : "", detail);
}

loam_status client_problem_read(const loam_client_response *response, loam_error *error) {
    json_t *problem = response->body_size == 0
                          ? NULL
                          : json_loadb((const char *)response->body, response->body_size, 0, NULL);
    loam_status status;
    if (json_is_object(problem)) {
        status = problem_note(problem, response->http_status, error);
    } else {
        status = status_by_http(response->http_status);
        status = loam_fail(error, status, NULL, "the answer is HTTP %d without a problem document",
                           response->http_status);
    }
    json_decref(problem);
    return status;
}
