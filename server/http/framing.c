/* SPDX-License-Identifier: MIT
 *
 * framing.c: the guard of RFC 9112, sections 5 and 6, and of RFC 9110, section 10.1.1.
 */
#include "server/http/framing.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "core/base/try.h"
#include "server/http/field_value.h"

typedef struct known_header {
    const char *name;
    size_t size;
    size_t offset;
    bool may_repeat; /* but then none of them counts */
} known_header;

#define KNOWN(text, member)                                                                        \
    { text, sizeof text - 1, offsetof(framing, member), false }

/* None of these may come twice: two values, two readings. */
static const known_header known_headers[] = {
    KNOWN("Host", host),
    KNOWN("Origin", origin),
    KNOWN("Sec-Fetch-Site", fetch_site),
    KNOWN("Content-Length", content_length),
    KNOWN("Transfer-Encoding", transfer_encoding),
    KNOWN("Content-Encoding", content_encoding),
    KNOWN("Content-Type", content_type),
    KNOWN("Expect", expect),
    KNOWN("Authorization", authorization),
    KNOWN("Range", range),
    {"traceparent", sizeof "traceparent" - 1, offsetof(framing, trace_parent), true},
};

/* A token of RFC 9110, section 5.6.2. */
static bool is_token_byte(char byte) {
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
        (byte >= '0' && byte <= '9')) {
        return true;
    }
    return byte != 0 && strchr("!#$%&'*+-.^_`|~", byte) != NULL;
}

static bool is_token(loam_text text) {
    for (size_t i = 0; i < text.size; i++) {
        if (!is_token_byte(text.bytes[i])) {
            return false;
        }
    }
    return text.size > 0;
}

/* The library cuts lines in place, so a value stands right behind its name. A folded line it glues
 * on to the name instead of the value (0.9.75), and so hides the header: then the two are apart. */
static bool is_apart(loam_text name, loam_text value) {
    uintptr_t end = (uintptr_t)name.bytes + name.size;
    if (value.bytes == NULL || (uintptr_t)value.bytes <= end) {
        return value.bytes != NULL;
    }
    for (const char *at = name.bytes + name.size; at < value.bytes; at++) {
        if (*at != 0 && *at != ':' && *at != ' ' && *at != '\t') {
            return true;
        }
    }
    return false;
}

void framing_note(framing *to, loam_text name, loam_text value) {
    if (!is_token(name) || is_apart(name, value)) {
        to->bad_name = true;
        return;
    }
    for (size_t i = 0; i < sizeof known_headers / sizeof known_headers[0]; i++) {
        const known_header *known = &known_headers[i];
        if (known->size != name.size || strncasecmp(known->name, name.bytes, name.size) != 0) {
            continue;
        }
        loam_text *slot = (loam_text *)(void *)((char *)to + known->offset);
        if (slot->bytes != NULL) {
            to->repeated = known->may_repeat ? to->repeated : known->name;
            value.size = known->may_repeat ? 0 : value.size;
        }
        *slot = (loam_text){value.bytes == NULL ? "" : value.bytes, value.size};
        return;
    }
}

static loam_status check_fields(const framing *from, http_method method, framing_version version,
                                loam_error *error) {
    if (from->bad_name) {
        return loam_fail(error, LOAM_MALFORMED, NULL,
                         "a header's name is not a token, or its line is folded");
    }
    if (from->repeated != NULL) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the header %s comes twice", from->repeated);
    }
    if (method == HTTP_OTHER) {
        return loam_fail(error, LOAM_NOT_IMPLEMENTED, NULL, "the method is not known here");
    }
    if (from->host.bytes == NULL && version == HTTP_1_1) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the header Host is missing");
    }
    if (from->expect.bytes != NULL && !field_is(from->expect, "100-continue")) {
        return loam_fail(error, LOAM_EXPECTATION_FAILED, NULL, "only 100-continue can be expected");
    }
    return LOAM_OK;
}

static loam_status check_chunked(const framing *from, framing_version version, loam_error *error) {
    if (from->content_length.bytes != NULL) {
        return loam_fail(error, LOAM_MALFORMED, NULL,
                         "the headers Content-Length and Transfer-Encoding exclude each other");
    }
    if (!field_is(from->transfer_encoding, "chunked")) {
        return loam_fail(error, LOAM_NOT_IMPLEMENTED, NULL,
                         "the only Transfer-Encoding known here is chunked");
    }
    if (version == HTTP_1_0) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "HTTP/1.0 has no chunks");
    }
    return LOAM_OK;
}

static loam_status read_length(loam_text text, uint64_t *length, loam_error *error) {
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned digit = (unsigned)(unsigned char)text.bytes[i] - '0';
        if (digit > 9 || value > ((uint64_t)INT64_MAX - digit) / 10) {
            text.size = 0;
        } else {
            value = value * 10 + digit;
        }
    }
    if (text.size == 0) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the header Content-Length is not a length");
    }
    *length = value;
    return LOAM_OK;
}

static bool takes_body(http_method method) {
    return method == HTTP_POST || method == HTTP_PUT || method == HTTP_PATCH;
}

loam_status framing_check(const framing *from, http_method method, framing_version version,
                          uint64_t *body_bytes, loam_error *error) {
    *body_bytes = 0;
    LOAM_TRY(check_fields(from, method, version, error));
    if (from->transfer_encoding.bytes != NULL) {
        LOAM_TRY(check_chunked(from, version, error));
        *body_bytes = BODY_CHUNKED;
    } else if (from->content_length.bytes != NULL) {
        LOAM_TRY(read_length(from->content_length, body_bytes, error));
    }
    if (*body_bytes == 0) {
        return LOAM_OK;
    }
    if (!takes_body(method)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "a %s request has no body",
                         http_method_name(method));
    }
    if (from->content_encoding.bytes != NULL && !field_is(from->content_encoding, "identity")) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL,
                         "the only Content-Encoding of a request is identity");
    }
    if (from->content_type.size == 0) {
        return loam_fail(error, LOAM_UNSUPPORTED_MEDIA, NULL, "the header Content-Type is missing");
    }
    return LOAM_OK;
}
