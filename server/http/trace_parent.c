/* SPDX-License-Identifier: MIT
 *
 * trace_parent.c: see trace_parent.h.
 */
#include "server/http/trace_parent.h"

#include <string.h>

/* Where the parts begin and end: version, trace, parent, flags. */
enum { TRACE_AT = 3, PARENT_AT = 36, FLAGS_AT = 53 };

static bool is_hex(char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
}

static bool is_zero(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '0') {
            return false;
        }
    }
    return true;
}

static bool has_form(loam_text header) {
    for (size_t i = 0; i < TRACE_PARENT_SIZE; i++) {
        bool dash = i == TRACE_AT - 1 || i == PARENT_AT - 1 || i == FLAGS_AT - 1;
        if (dash ? header.bytes[i] != '-' : !is_hex(header.bytes[i])) {
            return false;
        }
    }
    bool later = header.size > TRACE_PARENT_SIZE && header.bytes[TRACE_PARENT_SIZE] == '-' &&
                 !is_zero(header.bytes, 2);
    return (header.size == TRACE_PARENT_SIZE || later) && memcmp(header.bytes, "ff", 2) != 0 &&
           !is_zero(header.bytes + TRACE_AT, 32) && !is_zero(header.bytes + PARENT_AT, 16);
}

void trace_parent_read(loam_text header, char to[TRACE_PARENT_BYTES]) {
    to[0] = 0;
    if (header.size >= TRACE_PARENT_SIZE && has_form(header)) {
        memcpy(to, header.bytes, TRACE_PARENT_SIZE);
        to[TRACE_PARENT_SIZE] = 0;
    }
}
