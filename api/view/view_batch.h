/* SPDX-License-Identifier: MIT
 *
 * view_batch.h: many cells in one answer, as bytes or as JSON. The binary form is a list, every
 * number little endian (api/view/BATCH.md).
 */
#ifndef LOAM_VIEW_BATCH_H
#define LOAM_VIEW_BATCH_H

#include "api/key/key.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

enum { BATCH_FORMAT = 1 };

/* One cell of the answer. `status` is what a GET of it would have been: 200 with its bytes, 304
 * when the client has them, 202 when it is not there yet, else a failure that `error` tells. */
typedef struct batch_entry {
    int64_t level, x, z;
    int status;
    digest build_key, digest; /* of 200 and 304 */
    loam_text bytes;          /* canonical, of 200 */
    loam_text warning;        /* of 200 and 304: why it failed checks that only warn; else empty */
    const loam_error *error;  /* of a failure */
    loam_text reasons;        /* of one by checks: a JSON array; else empty */
} batch_entry;

/* Add to the buffer: LOAM_TOO_LARGE at its limit. */
LOAM_MUST_USE loam_status view_batch_bytes(const batch_entry *entries, uint32_t count,
                                           text_buffer *to);
/* {cells: [{level, x, z, status, build_key, digest, warning, bytes}]}, bytes in base64 (RFC 4648).
 */
LOAM_MUST_USE loam_status view_batch_json(const batch_entry *entries, uint32_t count,
                                          text_buffer *to);

#endif
