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

/* For a write: LOAM_PRECONDITION_FAILED when If-Match does not name what is there, or If-None-Match
 * does. Missing headers (no bytes) ask nothing. */
LOAM_MUST_USE loam_status condition_check_write(loam_text if_match, loam_text if_none_match,
                                                const char *etag, loam_error *error);

#endif
