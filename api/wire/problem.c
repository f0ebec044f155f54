/* SPDX-License-Identifier: MIT
 *
 * problem.c: see problem.h. The switch has no default, so that a new status does not compile until
 * it has an answer here.
 */
#include "api/wire/problem.h"

#include <stddef.h>

static int status_number(loam_status status) {
    switch (status) {
    case LOAM_OK:
        return 200;
    case LOAM_MALFORMED:
        return 400;
    case LOAM_UNAUTHORIZED:
        return 401;
    case LOAM_FORBIDDEN:
        return 403;
    case LOAM_OUTSIDE_WORLD:
    case LOAM_NOT_GENERATED:
    case LOAM_NOT_FOUND:
        return 404;
    case LOAM_METHOD_NOT_ALLOWED:
        return 405;
    case LOAM_NOT_ACCEPTABLE:
        return 406;
    case LOAM_VERSION_UNAVAILABLE:
    case LOAM_IN_USE:
    case LOAM_BAD_STATE:
        return 409;
    case LOAM_LENGTH_REQUIRED:
        return 411;
    case LOAM_PRECONDITION_FAILED:
        return 412;
    case LOAM_TOO_LARGE:
        return 413;
    case LOAM_URI_TOO_LONG:
        return 414;
    case LOAM_UNSUPPORTED_MEDIA:
        return 415;
    case LOAM_RANGE_UNSATISFIABLE:
        return 416;
    case LOAM_EXPECTATION_FAILED:
        return 417;
    case LOAM_MISDIRECTED:
        return 421;
    case LOAM_UNKNOWN_FIELD:
    case LOAM_UNKNOWN_OPERATION:
    case LOAM_UNKNOWN_PARAMETER:
    case LOAM_WRONG_TYPE:
    case LOAM_OUT_OF_RANGE:
    case LOAM_MISSING_FIELD:
    case LOAM_BAD_NAME:
    case LOAM_SEED_OUT_OF_RANGE:
    case LOAM_CYCLE:
    case LOAM_MISSING_INPUT:
    case LOAM_UNKNOWN_NODE:
    case LOAM_PORT_MISMATCH:
    case LOAM_UNKNOWN_PORT:
    case LOAM_SLOT_UNBOUND:
    case LOAM_SLOT_MISMATCH:
    case LOAM_UNKNOWN_SLOT:
    case LOAM_UNKNOWN_OUTPUT:
    case LOAM_BUDGET_EXCEEDED:
    case LOAM_TOO_MANY:
    case LOAM_DUPLICATE:
    case LOAM_BOUNDS_NOT_ALIGNED:
    case LOAM_COORDINATE_RANGE:
    case LOAM_NO_BOUNDS:
    case LOAM_UNKNOWN_RECIPE:
    case LOAM_SIZE_MISMATCH:
    case LOAM_NOT_FINITE:
    case LOAM_CRS_MISSING:
    case LOAM_RING_OPEN:
    case LOAM_RING_CROSSES:
    case LOAM_RING_DEGENERATE:
    case LOAM_LINE_DEGENERATE:
    case LOAM_PNG_UNSUPPORTED:
    case LOAM_GEOMETRY_UNSUPPORTED:
    case LOAM_CACHE_TOO_SMALL:
    case LOAM_UNBOUNDED_SOURCE:
    case LOAM_INFEASIBLE:
    case LOAM_NOT_ACHIEVED:
        return 422;
    case LOAM_CHECK_FAILED:
        return 424;
    case LOAM_TOO_MANY_REQUESTS:
        return 429;
    case LOAM_HEADERS_TOO_LARGE:
        return 431;
    case LOAM_INTERNAL:
    case LOAM_SELF_TEST_FAILED:
    case LOAM_ROUNDING_MODE:
    case LOAM_BUFFER_TOO_SMALL:
    case LOAM_DAMAGED:
        return 500;
    case LOAM_NOT_IMPLEMENTED:
        return 501;
    case LOAM_ARENA_FULL:
    case LOAM_CANCELLED:
    case LOAM_OVERLOADED:
    case LOAM_SHUTTING_DOWN:
    case LOAM_IO:
    case LOAM_LOCKED:
        return 503;
    case LOAM_STORAGE_FULL:
        return 507;
    }
    return 500;
}

int problem_http_status(const loam_error *error) {
    int number = status_number(error->status);
    bool in_body = error->pointer[0] != 0;
    return in_body && (number == 404 || number == 501) ? 422 : number;
}

const char *problem_reason(int http_status) {
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {409, "Conflict"},
        {411, "Length Required"},
        {412, "Precondition Failed"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {415, "Unsupported Media Type"},
        {416, "Range Not Satisfiable"},
        {417, "Expectation Failed"},
        {421, "Misdirected Request"},
        {422, "Unprocessable Content"},
        {424, "Failed Dependency"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {507, "Insufficient Storage"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].status == http_status) {
            return reasons[i].reason;
        }
    }
    return "Unknown";
}

static const char *detail(const loam_error *error) {
    return error->text[0] == 0 ? loam_status_text(error->status) : error->text;
}

void problem_write(const loam_error *error, text_buffer *buffer) {
    problem_write_reasons(error, (loam_text){0}, buffer);
}

void problem_write_reasons(const loam_error *error, loam_text reasons, text_buffer *buffer) {
    int http_status = problem_http_status(error);
    buffer_open_object(buffer);
    buffer_key(buffer, "type");
    buffer_string(buffer, "about:blank");
    buffer_key(buffer, "title");
    buffer_string(buffer, problem_reason(http_status));
    buffer_key(buffer, "status");
    buffer_integer(buffer, http_status);
    buffer_key(buffer, "detail");
    buffer_string(buffer, detail(error));
    buffer_key(buffer, "code");
    buffer_string(buffer, loam_status_code(error->status));
    if (error->pointer[0] != 0) {
        buffer_key(buffer, "pointer");
        buffer_string(buffer, error->pointer);
    }
    if (reasons.size > 0) {
        buffer_key(buffer, "reasons");
        buffer_json(buffer, reasons);
    }
    buffer_close_object(buffer);
}

void problem_write_line(const loam_error *error, text_buffer *buffer) {
    buffer_add_text(buffer, loam_status_code(error->status));
    if (error->pointer[0] != 0) {
        buffer_add_text(buffer, " at ");
        buffer_add_text(buffer, error->pointer);
    }
    buffer_add_text(buffer, ": ");
    buffer_add_text(buffer, detail(error));
    buffer_add_text(buffer, "\n");
}
