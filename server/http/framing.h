/* SPDX-License-Identifier: MIT
 *
 * framing.h: where a request ends must be beyond doubt, or one connection carries requests that
 * nobody sent. The library lets several doubtful forms pass; here headers are gathered one by one
 * and judged before anything else happens.
 */
#ifndef LOAM_SERVER_HTTP_FRAMING_H
#define LOAM_SERVER_HTTP_FRAMING_H

#include "core/loam.h"
#include "server/http/http.h"

/* Headers that decide about framing and access; zero is absent. */
typedef struct framing {
    loam_text host;
    loam_text origin;
    loam_text fetch_site;
    loam_text content_length;
    loam_text transfer_encoding;
    loam_text content_encoding;
    loam_text content_type;
    loam_text expect;
    loam_text authorization;
    loam_text range;
    loam_text trace_parent;
    const char *repeated; /* a header that must not come twice, and did */
    bool bad_name;        /* a header's name holds what no name may, or its line is folded */
} framing;

/* One header as it came; both texts within the bytes that were received. */
void framing_note(framing *to, loam_text name, loam_text value);

typedef enum framing_version { HTTP_1_0, HTTP_1_1 } framing_version;

/* LOAM_OK, and the length of the body: UINT64_MAX when it comes in chunks. Otherwise the connection
 * must not be used any further. LOAM_MALFORMED, LOAM_NOT_IMPLEMENTED (unknown method or transfer
 * coding), LOAM_EXPECTATION_FAILED, LOAM_UNSUPPORTED_MEDIA (coded, or without a type). */
LOAM_MUST_USE loam_status framing_check(const framing *from, http_method method,
                                        framing_version version, uint64_t *body_bytes,
                                        loam_error *error);

#define BODY_CHUNKED UINT64_MAX

#endif
