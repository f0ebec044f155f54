/* SPDX-License-Identifier: MIT
 *
 * response.h: what this room itself does with responses; the rest stands in http.h.
 */
#ifndef LOAM_SERVER_HTTP_RESPONSE_H
#define LOAM_SERVER_HTTP_RESPONSE_H

#include <microhttpd.h>

#include "server/http/http.h"

/* Borrowed from the response. */
struct MHD_Response *response_library(const http_response *response);
uint64_t response_body_bytes(const http_response *response);
/* The same response with more fields, over the same body. Owned; NULL when memory is short. */
LOAM_MUST_USE http_response *response_extend(http_response *base, const http_field *fields,
                                             size_t field_count);

/* The problem document of an error. Owned; NULL when memory is short. */
LOAM_MUST_USE http_response *response_of_error(const loam_error *error);

#endif
