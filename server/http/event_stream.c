/* SPDX-License-Identifier: MIT
 *
 * event_stream.c: a buffer between writer and library. When it is empty the connection is
 * suspended: the library would ask again and again. A reader that lets the buffer overflow is cut,
 * and comes back with Last-Event-ID.
 */
#include "server/http/event_stream.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "core/base/assert.h"
#include "server/http/connection.h"
#include "server/http/preflight.h"
#include "server/http/request.h"

/* What the library copies in one turn. */
enum { STREAM_BLOCK_BYTES = 4096 };

struct http_stream {
    http_request *request; /* NULL when the library is done */
    struct MHD_Response *library;
    void (*left)(void *context);
    void *context;
    uint64_t sent;
    bool closing;
    bool ending; /* closing because the server does */
    bool cut;
    size_t used;
    char buffer[STREAM_BUFFER_BYTES];
};

static ssize_t read_stream(void *context, uint64_t position, char *to, size_t size_max) {
    (void)position;
    http_stream *stream = context;
    http_request *request = stream->request;
    if (stream->cut || request->gone) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (stream->used == 0) {
        if (stream->closing) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        }
        connection_enter(request->connection, CONNECTION_WORK);
        request_suspend(request);
        if (request->connection->peer_closed) {
            request_client_left(request);
        }
        return 0;
    }
    size_t size = stream->used < size_max ? stream->used : size_max;
    memcpy(to, stream->buffer, size);
    stream->used -= size;
    memmove(stream->buffer, stream->buffer + size, stream->used);
    stream->sent += size;
    return (ssize_t)size;
}

static void free_stream(void *context) {
    free(context);
}

static http_stream *make_stream(http_request *request) {
    http_stream *stream = malloc(sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    memset(stream, 0, offsetof(http_stream, buffer));
    stream->request = request;
    stream->library = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES,
                                                        read_stream, stream, free_stream);
    if (stream->library == NULL) {
        free(stream);
        return NULL;
    }
    MHD_add_response_header(stream->library, "Content-Type", "text/event-stream");
    MHD_add_response_header(stream->library, "Cache-Control", "no-store");
    /* Proxies hold answers back to fill their buffers; this is how nginx is told not to. */
    MHD_add_response_header(stream->library, "X-Accel-Buffering", "no");
    return stream;
}

http_stream *http_stream_open(http_request *request, void (*left)(void *context), void *context) {
    http_stream *stream =
        request->gone || request->connection == NULL ? NULL : make_stream(request);
    if (stream == NULL) {
        http_reply(request, NULL);
        return NULL;
    }
    stream->left = left;
    stream->context = context;
    request->stream = stream;
    http_reply(request, NULL);
    return stream;
}

enum MHD_Result event_stream_send(http_stream *stream) {
    http_field fields[PREFLIGHT_ANSWER_FIELDS];
    size_t count = preflight_answer_fields(stream->request, fields);
    for (size_t i = 0; i < count; i++) {
        MHD_add_response_header(stream->library, fields[i].name, fields[i].value);
    }
    return MHD_queue_response(stream->request->mhd, MHD_HTTP_OK, stream->library);
}

void event_stream_end(http_stream *stream) {
    stream->request = NULL;
    stream->left(stream->context);
    /* The library's own count is the last one; it frees. */
    MHD_destroy_response(stream->library);
}

uint64_t event_stream_bytes(const http_stream *stream) {
    return stream->sent;
}

static void wake(http_stream *stream) {
    http_request *request = stream->request;
    if (request->step == REQUEST_SENT && request->suspended) {
        connection_enter(request->connection, CONNECTION_SENDING);
        request_wake(request);
    }
}

/* The library waits for room that never comes: only the socket's end wakes it. */
static void cut(http_stream *stream) {
    stream->cut = true;
    if (stream->request->connection != NULL) {
        shutdown(stream->request->connection->descriptor, SHUT_RDWR);
    }
    wake(stream);
}

bool http_stream_write(http_stream *stream, const void *bytes, size_t size) {
    LOAM_ASSERT(!stream->closing || stream->ending);
    if (stream->ending) {
        return false;
    }
    if (stream->cut || size > STREAM_BUFFER_BYTES - stream->used) {
        cut(stream);
        return false;
    }
    memcpy(stream->buffer + stream->used, bytes, size);
    stream->used += size;
    wake(stream);
    return true;
}

void http_stream_close(http_stream *stream) {
    stream->closing = true;
    wake(stream);
}

void event_stream_cut(http_stream *stream) {
    stream->ending = true;
    http_stream_close(stream);
}
