/* SPDX-License-Identifier: MIT
 *
 * condition.h: If-Match and If-None-Match against a resource's entity tag (RFC 9110 section 13).
 */
#ifndef LOAM_SERVER_SLOT_CONDITION_H
#define LOAM_SERVER_SLOT_CONDITION_H

#include "core/loam.h"

/* Whether a list of entity tags (or "*") names `etag`, which is quoted and strong; NULL: there is
 * no resource, which not even "*" names. `weak` lets W/"x" name "x", as If-None-Match wants. */
bool condition_names(loam_text list, const char *etag, bool weak);

/* Whether the list is "*": whatever there is. */
bool condition_is_any(loam_text list);

/* What a read's conditions make of it. */
typedef enum read_verdict {
    READ_ANSWERED,
    READ_UNCHANGED, /* the client has it: 304 */
    READ_REFUSED,   /* it is not what the client means: 412 */
} read_verdict;

/* If-Match is judged first (RFC 9110, 13.2.2). Missing headers (no bytes) ask nothing. */
read_verdict condition_check_read(loam_text if_match, loam_text if_none_match, const char *etag);

/* For a write: LOAM_PRECONDITION_FAILED when If-Match does not name what is there, or If-None-Match
 * does. Missing headers (no bytes) ask nothing. */
LOAM_MUST_USE loam_status condition_check_write(loam_text if_match, loam_text if_none_match,
                                                const char *etag, loam_error *error);

#endif
