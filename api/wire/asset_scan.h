/* SPDX-License-Identifier: MIT
 *
 * asset_scan.h: walks a large JSON text in place. GeoJSON may be 32 MB, and a tree of it would be
 * ten times that: so the text is checked once, whole, and then walked with a pointer, without any
 * allocation.
 *
 * Invariant: every function but scan_check expects a text that scan_check accepted and whose root
 * is an array or object, and a pointer at the first byte of a value, a key or a separator inside
 * it: so no step can run past the end.
 */
#ifndef LOAM_WIRE_ASSET_SCAN_H
#define LOAM_WIRE_ASSET_SCAN_H

#include "core/loam.h"

/* A number's digits: the exact decimal form of any binary64 is shorter. */
enum { SCAN_NUMBER_BYTES_MAX = 1100 };

typedef struct scan_limits {
    uint32_t depth_max;
    uint32_t numbers_max;
} scan_limits;

/* The whole text is one JSON value (RFC 8259), valid UTF-8, within the limits. `numbers` becomes
 * how many numbers it holds. */
LOAM_MUST_USE loam_status scan_check(loam_text document, scan_limits limits, uint32_t *numbers,
                                     loam_error *error);

typedef enum scan_kind {
    SCAN_OBJECT,
    SCAN_ARRAY,
    SCAN_STRING,
    SCAN_NUMBER,
    SCAN_BOOL,
    SCAN_NULL,
} scan_kind;

/* The first value of a checked document. */
const char *scan_begin(loam_text document);
scan_kind scan_kind_of(const char *value);
/* Past the value. */
void scan_skip(const char **at);

/* Into an array or object; then, while `scan_more` is true, `at` stands at an item (or at a key for
 * scan_key, which leaves it at the member's value), which the caller reads or skips. */
void scan_enter(const char **at);
bool scan_more(const char **at);
/* The key as it is written, without the quotes. Borrowed. */
loam_text scan_key(const char **at);

/* The text of a number, or of a string between its quotes. Borrowed. */
loam_text scan_token(const char **at);
/* Whether a string between quotes, escapes resolved, is `plain`. */
bool scan_equal(loam_text written, const char *plain);
/* The correctly rounded binary64 of a number's text; infinite when it is beyond all of them. */
double scan_number(loam_text written);
/* Resolves escapes; `to` holds at least as many bytes as `written`. Returns the size. */
size_t scan_unescape(loam_text written, char *to);

#endif
