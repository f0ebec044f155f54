/* SPDX-License-Identifier: MIT
 *
 * negotiate.c: see negotiate.h. All of these headers are lists of elements with parameters:
 * "a/b;q=0.5, c" and "wait=5, respond-async". One cursor walks them all.
 */
#include "server/slot/negotiate.h"

#include "server/http/field_value.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { QUALITY_ONE = 1000 };

/* Cuts what stands before the next `separator` outside of quotes off the rest. */
static loam_text cut(loam_text *rest, char separator) {
    bool quoted = false;
    size_t size = 0;
    while (size < rest->size && (quoted || rest->bytes[size] != separator)) {
        if (rest->bytes[size] == '"') {
            quoted = !quoted;
        } else if (quoted && rest->bytes[size] == '\\' && size + 1 < rest->size) {
            size++;
        }
        size++;
    }
    loam_text part = {rest->bytes, size};
    size_t skip = size < rest->size ? size + 1 : size;
    rest->bytes += skip;
    rest->size -= skip;
    return field_trim(part);
}

static bool starts_with(loam_text text, loam_text start) {
    return text.size >= start.size && strncasecmp(text.bytes, start.bytes, start.size) == 0;
}

/* "0.25" in thousandths; what is no weight counts as 0, so that it selects nothing. */
static uint32_t read_quality(loam_text text) {
    if (text.size == 0 || (text.bytes[0] != '0' && text.bytes[0] != '1')) {
        return 0;
    }
    uint32_t quality = text.bytes[0] == '1' ? QUALITY_ONE : 0;
    uint32_t unit = QUALITY_ONE / 10;
    for (size_t i = 2; i < text.size && i < 5 && text.bytes[1] == '.'; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9') {
            return 0;
        }
        quality += (uint32_t)(text.bytes[i] - '0') * unit;
        unit /= 10;
    }
    return quality > QUALITY_ONE ? QUALITY_ONE : quality;
}

/* The weight among an element's parameters. */
static uint32_t element_quality(loam_text parameters) {
    while (parameters.size > 0) {
        loam_text parameter = cut(&parameters, ';');
        loam_text name = cut(&parameter, '=');
        if (field_is(name, "q")) {
            return read_quality(field_trim(parameter));
        }
    }
    return QUALITY_ONE;
}

/* How exactly a media range names an offer: 3 itself, 2 its type, 1 anything, 0 not. */
static uint32_t range_match(loam_text range, const char *offer) {
    if (field_is(range, offer)) {
        return 3;
    }
    if (field_is(range, "*/*") || field_is(range, "*")) {
        return 1;
    }
    const char *slash = strchr(offer, '/');
    loam_text type = {offer, slash == NULL ? 0 : (size_t)(slash - offer) + 1};
    bool any = type.size > 0 && range.size == type.size + 1 && range.bytes[type.size] == '*';
    return any && starts_with(range, type) ? 2 : 0;
}

/* How exactly the most exact element names an offer, 0 for none, and the weight it gives. */
static uint32_t list_find(loam_text list, const char *offer, uint32_t *quality) {
    uint32_t best_match = 0;
    *quality = 0;
    while (list.size > 0) {
        loam_text element = cut(&list, ',');
        loam_text range = cut(&element, ';');
        uint32_t match = range_match(range, offer);
        if (match > best_match) {
            best_match = match;
            *quality = element_quality(element);
        }
    }
    return best_match;
}

static uint32_t list_quality(loam_text list, const char *offer) {
    uint32_t quality = 0;
    list_find(list, offer, &quality);
    return quality;
}

int32_t negotiate_media(loam_text accept, const char *const *offers) {
    if (accept.bytes == NULL || field_trim(accept).size == 0) {
        return 0;
    }
    int32_t best = -1;
    uint32_t best_quality = 0;
    for (int32_t i = 0; offers[i] != NULL; i++) {
        uint32_t quality = list_quality(accept, offers[i]);
        if (quality > best_quality) {
            best = i;
            best_quality = quality;
        }
    }
    return best;
}

uint32_t negotiate_coding(loam_text accept_encoding, const char *coding) {
    return accept_encoding.bytes == NULL ? 0 : list_quality(accept_encoding, coding);
}

/* Identity need not be named to be taken. */
static bool refuses_identity(loam_text accept_encoding) {
    uint32_t quality = 0;
    return accept_encoding.bytes != NULL && list_find(accept_encoding, "identity", &quality) != 0 &&
           quality == 0;
}

content_coding negotiate_content_coding(loam_text accept_encoding) {
    bool always = refuses_identity(accept_encoding);
    if (negotiate_coding(accept_encoding, coding_name(CODING_ZSTD)) > 0) {
        return always ? CODING_ZSTD_ALWAYS : CODING_ZSTD;
    }
    if (negotiate_coding(accept_encoding, coding_name(CODING_GZIP)) > 0) {
        return always ? CODING_GZIP_ALWAYS : CODING_GZIP;
    }
    return CODING_IDENTITY;
}

bool negotiate_has_coding(loam_text accept_encoding) {
    return negotiate_content_coding(accept_encoding) != CODING_IDENTITY ||
           !refuses_identity(accept_encoding);
}

bool media_type_is(loam_text content_type, const char *media_type) {
    return content_type.bytes != NULL && field_is(cut(&content_type, ';'), media_type);
}

/* Digits only; more than nine of them are as good as the largest. */
static bool read_seconds(loam_text text, uint32_t *seconds) {
    uint32_t value = 0;
    if (text.size >= 2 && text.bytes[0] == '"' && text.bytes[text.size - 1] == '"') {
        text = (loam_text){text.bytes + 1, text.size - 2};
    }
    for (size_t i = 0; i < text.size; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9') {
            return false;
        }
        value = i < 9 ? value * 10 + (uint32_t)(text.bytes[i] - '0') : 999999999u;
    }
    *seconds = value;
    return text.size > 0;
}

preference preference_read(loam_text prefer) {
    preference found = {0};
    if (prefer.bytes == NULL) {
        return found;
    }
    while (prefer.size > 0) {
        loam_text element = cut(&prefer, ',');
        loam_text value = cut(&element, ';');
        loam_text name = cut(&value, '=');
        if (field_is(name, "respond-async")) {
            found.respond_async = true;
        } else if (field_is(name, "wait") && !found.wait_given) {
            found.wait_given = read_seconds(field_trim(value), &found.wait_s);
        }
    }
    return found;
}

uint32_t preference_wait(const preference *prefer) {
    if (prefer->wait_given) {
        return prefer->wait_s < REQUEST_WAIT_S ? prefer->wait_s : (uint32_t)REQUEST_WAIT_S;
    }
    return prefer->respond_async ? 0 : REQUEST_WAIT_S;
}

const char *preference_applied(const preference *prefer, char text[PREFERENCE_BYTES]) {
    if (prefer->wait_given) {
        snprintf(text, PREFERENCE_BYTES, "wait=%u", preference_wait(prefer));
        return text;
    }
    return prefer->respond_async ? "respond-async" : NULL;
}
