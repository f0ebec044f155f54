/* SPDX-License-Identifier: MIT
 *
 * event_stream.h: the room's side of http_stream: an answer without end, sent as it is written.
 */
#ifndef LOAM_SERVER_HTTP_EVENT_STREAM_H
#define LOAM_SERVER_HTTP_EVENT_STREAM_H

#include "server/http/http_state.h"

/* Gives the stream to the library, as the answer of its request. */
enum MHD_Result event_stream_send(http_stream *stream);
/* The library is done with it. */
void event_stream_end(http_stream *stream);
/* Ends it after what was written, whether its writer knows or not: the server ends. */
void event_stream_cut(http_stream *stream);
uint64_t event_stream_bytes(const http_stream *stream);

#endif
