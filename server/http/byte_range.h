/* SPDX-License-Identifier: MIT
 *
 * byte_range.h: what part of a body a Range header asks for (RFC 9110, section 14), for those who
 * answer.
 */
#ifndef LOAM_SERVER_HTTP_BYTE_RANGE_H
#define LOAM_SERVER_HTTP_BYTE_RANGE_H

#include "core/loam.h"

typedef enum range_kind {
    RANGE_NONE,         /* absent, not understood or more than one: send the whole */
    RANGE_PART,         /* first and last are set */
    RANGE_UNSATISFIABLE /* 416 */
} range_kind;

typedef struct byte_range {
    range_kind kind;
    uint64_t first;
    uint64_t last; /* inclusive */
} byte_range;

/* What a Range header asks of a body of `size` bytes. */
byte_range range_parse(loam_text header, uint64_t size);

#endif
