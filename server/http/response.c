/* SPDX-License-Identifier: MIT
 *
 * response.c: responses, counted and shared. The library counts as well, since it may be sending
 * when we let go: the memory goes when its count ends, which ours holds up by one.
 */
#include "server/http/response.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/wire/problem.h"
#include "server/http/http_limits.h"

struct http_response {
    atomic_uint count;
    int status;
    struct MHD_Response *library;
    size_t bytes;
    http_body body;
    char copy[];
};

/* Lines, numbers and blocks of the library for one response and one field. */
enum { RESPONSE_OVERHEAD_BYTES = 400, FIELD_OVERHEAD_BYTES = 64 };

static void end_response(void *context) {
    http_response *response = context;
    if (response->body.release != NULL) {
        response->body.release(response->body.context);
    }
    free(response);
}

static bool add_fields(http_response *response, const http_field *fields, size_t field_count) {
    for (size_t i = 0; i < field_count; i++) {
        if (MHD_add_response_header(response->library, fields[i].name, fields[i].value) !=
            MHD_YES) {
            return false;
        }
        response->bytes += strlen(fields[i].name) + strlen(fields[i].value) + FIELD_OVERHEAD_BYTES;
    }
    return true;
}

/* Nobody reads the body of a HEAD. */
static ssize_t read_nothing(void *context, uint64_t position, char *to, size_t size_max) {
    (void)context;
    (void)position;
    (void)to;
    (void)size_max;
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

static struct MHD_Response *make_library(http_response *response) {
    size_t size = response->body.size;
    if (response->body.bytes == NULL && size > 0) {
        return MHD_create_response_from_callback(size, 1, read_nothing, response, end_response);
    }
    /* The library promises not to write to the buffer. */
    return MHD_create_response_from_buffer_with_free_callback_cls(
        size, (void *)(uintptr_t)response->body.bytes, end_response, response);
}

/* The bytes of `body`, or the copy that was made of them behind the response. */
static http_response *allocate(int status, const http_body *body) {
    size_t copied = body->release == NULL && body->bytes != NULL ? body->size : 0;
    http_response *response = malloc(sizeof *response + copied);
    if (response == NULL) {
        return NULL;
    }
    response->body = *body;
    if (copied > 0) {
        memcpy(response->copy, body->bytes, copied);
        response->body.bytes = response->copy;
    }
    atomic_init(&response->count, 1);
    response->status = status;
    response->bytes = RESPONSE_OVERHEAD_BYTES + body->size;
    response->library = make_library(response);
    if (response->library == NULL) {
        free(response);
        return NULL;
    }
    return response;
}

http_response *http_response_create(int status, const http_field *fields, size_t field_count,
                                    http_body body) {
    http_response *response = allocate(status, &body);
    if (response == NULL) {
        if (body.release != NULL) {
            body.release(body.context);
        }
        return NULL;
    }
    if (!add_fields(response, fields, field_count)) {
        http_response_release(response);
        return NULL;
    }
    return response;
}

http_response *http_response_retain(http_response *response) {
    atomic_fetch_add_explicit(&response->count, 1, memory_order_relaxed);
    return response;
}

void http_response_release(http_response *response) {
    if (response != NULL &&
        atomic_fetch_sub_explicit(&response->count, 1, memory_order_acq_rel) == 1) {
        MHD_destroy_response(response->library);
    }
}

int http_response_status(const http_response *response) {
    return response->status;
}

size_t http_response_bytes(const http_response *response) {
    return response->bytes;
}

struct MHD_Response *response_library(const http_response *response) {
    return response->library;
}

uint64_t response_body_bytes(const http_response *response) {
    return response->body.size;
}

static enum MHD_Result copy_field(void *context, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind;
    const http_field field = {name, value};
    return add_fields(context, &field, 1) ? MHD_YES : MHD_NO;
}

static void release_base(void *context) {
    http_response_release(context);
}

http_response *response_extend(http_response *base, const http_field *fields, size_t field_count) {
    http_body body = {base->body.bytes, base->body.size, release_base, http_response_retain(base)};
    http_response *response = http_response_create(base->status, fields, field_count, body);
    if (response == NULL) {
        return NULL;
    }
    MHD_get_response_headers(base->library, copy_field, response);
    return response;
}

static void free_bytes(void *context) {
    free(context);
}

http_response *response_of_error(const loam_error *error) {
    int status = problem_http_status(error);
    text_buffer buffer;
    buffer_init(&buffer, PROBLEM_BYTES_MAX);
    problem_write(error, &buffer);
    size_t size = 0;
    char *bytes = buffer_take(&buffer, &size);
    buffer_fini(&buffer);
    if (bytes == NULL) {
        return NULL;
    }
    const http_field fields[] = {
        {"Content-Type", PROBLEM_MEDIA_TYPE},
        {"Cache-Control", "no-store"},
        {"Retry-After", RETRY_AFTER_S},
    };
    /* Only who may come again is told when. */
    size_t field_count = status == 503 || status == 429 ? 3 : 2;
    return http_response_create(status, fields, field_count,
                                (http_body){bytes, size, free_bytes, bytes});
}
