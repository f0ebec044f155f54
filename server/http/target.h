/* SPDX-License-Identifier: MIT
 *
 * target.h: the request target, decoded strictly: what could be read in two ways is refused. A
 * target is decoded once, in place, before routing; afterwards nobody sees a percent sign that
 * means something else.
 */
#ifndef LOAM_SERVER_HTTP_TARGET_H
#define LOAM_SERVER_HTTP_TARGET_H

#include "core/loam.h"
#include "server/http/http_limits.h"

typedef struct target_parameter {
    loam_text name;
    loam_text value;
} target_parameter;

typedef struct target {
    loam_text path;      /* decoded, begins with a slash, or is "*" */
    loam_text authority; /* of an absolute target; {NULL, 0} otherwise... */
    bool is_secure;      /* ...and its scheme is https */
    uint32_t segment_count;
    uint32_t parameter_count;
    loam_text segments[TARGET_SEGMENTS_MAX];
    target_parameter parameters[TARGET_PARAMETERS_MAX];
} target;

/* Takes apart `bytes` (changed, and borrowed as long as the target is used): "/path?a=b",
 * "http://host/path" or "https://...", or "*". LOAM_MALFORMED for what is not a target: %00 and
 * other controls, encoded slashes, bad hex, bytes outside visible ASCII, text that is not UTF-8,
 * more parameters than any route has; LOAM_NOT_FOUND for more segments than that. */
LOAM_MUST_USE loam_status target_parse(target *to, char *bytes, size_t size, loam_error *error);

/* The first of that name; {NULL, 0} when absent. */
loam_text target_find(const target *from, const char *name);

#endif
