/* SPDX-License-Identifier: MIT
 *
 * request_body.c: bytes are counted whatever their framing, since a chunked body says its size only
 * by ending. A body that was refused half-way is read on and dropped, for a while, so that the
 * client gets its answer instead of a reset.
 */
#include "server/http/request_body.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/try.h"
#include "server/http/connection.h"
#include "server/http/request.h"
#include "server/http/upload.h"

loam_status request_body_open_file(http_request *request, loam_error *error) {
    if (request->server->upload_folder == NULL) {
        return loam_fail(error, LOAM_NOT_IMPLEMENTED, NULL, "this daemon takes no uploads");
    }
    request->upload = upload_create(request);
    if (request->upload == NULL) {
        return loam_fail(error, LOAM_OVERLOADED, NULL, "no memory for another upload");
    }
    return LOAM_OK;
}

static size_t next_capacity(const http_request *request, size_t needed) {
    uint64_t capacity =
        request->body.capacity == 0 ? BODY_BLOCK_BYTES : (uint64_t)request->body.capacity * 2;
    while (capacity < needed) {
        capacity *= 2;
    }
    return (size_t)(capacity < request->body_bytes_max ? capacity : request->body_bytes_max);
}

static loam_status grow(http_request *request, size_t needed) {
    memory_body *body = &request->body;
    if (needed <= body->capacity) {
        return LOAM_OK;
    }
    http_server *server = request->server;
    size_t capacity = next_capacity(request, needed);
    size_t more = capacity - body->capacity;
    if (more > server->body_memory_bytes_max - server->body_memory_bytes) {
        return loam_fail(&request->error, LOAM_OVERLOADED, NULL,
                         "too many bodies are being received");
    }
    char *bytes = realloc(body->bytes, capacity);
    if (bytes == NULL) {
        return loam_fail(&request->error, LOAM_OVERLOADED, NULL, "no memory for the body");
    }
    server->body_memory_bytes += more;
    body->bytes = bytes;
    body->capacity = capacity;
    return LOAM_OK;
}

static loam_status take_to_memory(http_request *request, const char *bytes, size_t size) {
    memory_body *body = &request->body;
    LOAM_TRY(grow(request, body->size + size));
    memcpy(body->bytes + body->size, bytes, size);
    body->size += size;
    return LOAM_OK;
}

/* What does not fit waits in the library's buffer until a block is written. */
static void take_to_file(http_request *request, const char *bytes, size_t *size) {
    size_t taken = upload_take(request->upload, bytes, *size);
    request->body_bytes += taken;
    *size -= taken;
    if (*size > 0) {
        connection_enter(request->connection, CONNECTION_WORK);
        request_suspend(request);
    }
}

static void check_size(http_request *request, size_t size) {
    if (request->error.status == LOAM_OK && size > request->body_bytes_max - request->body_bytes) {
        loam_fail(&request->error, LOAM_TOO_LARGE, NULL, "the body has more than %llu bytes",
                  (unsigned long long)request->body_bytes_max);
    }
}

bool request_body_take(http_request *request, const char *bytes, size_t *size) {
    check_size(request, *size);
    if (request->error.status == LOAM_OK && request->upload != NULL) {
        take_to_file(request, bytes, size);
        return true;
    }
    request->body_bytes += *size;
    if (request->error.status != LOAM_OK || take_to_memory(request, bytes, *size) != LOAM_OK) {
        request_body_drop(request);
        *size = 0;
        return request->body_bytes <= BODY_DISCARD_BYTES_MAX ||
               request->body_bytes - BODY_DISCARD_BYTES_MAX <= request->body_bytes_max;
    }
    *size = 0;
    return true;
}

bool request_body_finish(http_request *request) {
    if (request->error.status != LOAM_OK || request->upload == NULL) {
        return true;
    }
    request->step = REQUEST_STORING;
    connection_enter(request->connection, CONNECTION_WORK);
    request_suspend(request);
    upload_finish(request->upload);
    return false;
}

void request_body_stored(http_request *request, int failure) {
    bool is_full = failure == ENOSPC || failure == EDQUOT || failure == EFBIG;
    if (failure == EAGAIN) {
        loam_fail(&request->error, LOAM_OVERLOADED, NULL, "too many uploads at once");
    } else if (failure != 0) {
        loam_fail(&request->error, is_full ? LOAM_STORAGE_FULL : LOAM_IO, NULL,
                  "the upload could not be stored: %s", strerror(failure));
    }
    if (!request->suspended) {
        return;
    }
    if (request->step == REQUEST_ADMITTED) {
        connection_enter(request->connection, CONNECTION_BODY);
        request->connection->progress = request->body_bytes;
    }
    request_wake(request);
}

void request_body_drop(http_request *request) {
    request->server->body_memory_bytes -= request->body.capacity;
    free(request->body.bytes);
    request->body = (memory_body){NULL, 0, 0};
    if (request->upload != NULL) {
        upload_abandon(request->upload);
        request->upload = NULL;
    }
}

loam_text http_request_body(const http_request *request) {
    return (loam_text){request->body.bytes == NULL ? "" : request->body.bytes, request->body.size};
}

const char *http_request_file(const http_request *request) {
    return request->upload == NULL ? NULL : upload_path(request->upload);
}
