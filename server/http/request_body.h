/* SPDX-License-Identifier: MIT
 *
 * request_body.h: where the bytes of a body go: into memory up to a limit, or into a file, or, once
 * an error is noted for the request, nowhere.
 */
#ifndef LOAM_SERVER_HTTP_REQUEST_BODY_H
#define LOAM_SERVER_HTTP_REQUEST_BODY_H

#include "server/http/http_state.h"

/* Prepares for a body in a file. */
LOAM_MUST_USE loam_status request_body_open_file(http_request *request, loam_error *error);
/* Takes a piece; what it can not take yet is left in `size`, and the request suspended. False when
 * the connection must be cut: too much came after the body had been refused. */
LOAM_MUST_USE bool request_body_take(http_request *request, const char *bytes, size_t *size);
/* The last piece was taken. False when the request is suspended until the file is whole. */
LOAM_MUST_USE bool request_body_finish(http_request *request);
/* A block of the file was written (or failed: `failure` is an errno). Called by the upload. */
void request_body_stored(http_request *request, int failure);
/* Frees memory, removes the file. */
void request_body_drop(http_request *request);

#endif
