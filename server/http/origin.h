/* SPDX-License-Identifier: MIT
 *
 * origin.h: who may ask. A daemon without tokens is open to everybody on its machine, so a browser
 * must not be led to it by a foreign page: the host must be one of ours (a rebound DNS name is not)
 * and a script's origin its own or an allowed one.
 */
#ifndef LOAM_SERVER_HTTP_ORIGIN_H
#define LOAM_SERVER_HTTP_ORIGIN_H

#include "core/loam.h"

typedef struct origin_rules {
    const char *const *hosts; /* besides localhost, 127.0.0.1 and [::1] */
    size_t host_count;
    bool any_host; /* there are tokens: a page that was led here has none to show */
    const char *const *origins;
    size_t origin_count;
} origin_rules;

/* "name" or "name:port", without regard to case. */
bool host_is_ours(const origin_rules *rules, loam_text host);

typedef enum origin_verdict {
    ORIGIN_OWN,     /* no browser, or a page of our own */
    ORIGIN_ALLOWED, /* a page of an allowed origin: it must be told so */
    ORIGIN_FOREIGN
} origin_verdict;

/* Absent headers are {NULL, 0}. `host` has been found to be ours. */
origin_verdict origin_judge(const origin_rules *rules, loam_text host, loam_text origin,
                            loam_text fetch_site);

#endif
