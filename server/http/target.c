/* SPDX-License-Identifier: MIT
 *
 * target.c: percent decoding in place, the result never longer than the source; then cutting at
 * slashes, which is safe because no decoded byte may be one.
 */
#include "server/http/target.h"

#include <string.h>
#include <strings.h>

#include "core/base/try.h"

static int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    char lower = (char)(digit | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* How many bytes a UTF-8 sequence has by its first one; 0 when it can not be first. */
static size_t utf8_length(unsigned char first) {
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return 2;
    }
    if (first >= 0xe0 && first <= 0xef) {
        return 3;
    }
    return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/* Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte. */
static bool is_second_byte(unsigned char first, unsigned char second) {
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high;
}

static bool is_utf8(const char *text, size_t size) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t i = 0;
    while (i < size) {
        size_t length = utf8_length(bytes[i]);
        if (length == 0 || length > size - i) {
            return false;
        }
        if (length > 1 && !is_second_byte(bytes[i], bytes[i + 1])) {
            return false;
        }
        for (size_t j = 2; j < length; j++) {
            if ((bytes[i + j] & 0xc0) != 0x80) {
                return false;
            }
        }
        i += length;
    }
    return true;
}

/* Controls of C0 and DEL, and of C1 as UTF-8 writes them, have no place in a name. */
static bool has_control(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte < 0x20 || byte == 0x7f) {
            return true;
        }
        if (byte == 0xc2 && i + 1 < size && (unsigned char)text[i + 1] < 0xa0) {
            return true;
        }
    }
    return false;
}

typedef enum part_kind { PART_PATH, PART_QUERY } part_kind;

/* Decodes one part in place and returns its new size through `size`. */
static loam_status decode(char *bytes, size_t *size, part_kind kind, loam_error *error) {
    size_t used = 0;
    bool encoded = false;
    for (size_t i = 0; i < *size; i++) {
        char byte = bytes[i];
        if (byte == '%') {
            int high = i + 2 < *size ? hex_value(bytes[i + 1]) : -1;
            int low = i + 2 < *size ? hex_value(bytes[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return loam_fail(error, LOAM_MALFORMED, NULL,
                                 "the address has a %s without two hex digits", "%");
            }
            byte = (char)(high * 16 + low);
            encoded = true;
            i += 2;
            if (byte == '/' && kind == PART_PATH) {
                return loam_fail(error, LOAM_MALFORMED, NULL, "the path has an encoded slash");
            }
        } else if (byte == '+' && kind == PART_QUERY) {
            byte = ' ';
        }
        bytes[used++] = byte;
    }
    *size = used;
    if (encoded && (has_control(bytes, used) || !is_utf8(bytes, used))) {
        return loam_fail(error, LOAM_MALFORMED, NULL,
                         "the address holds an encoded control or is not UTF-8");
    }
    return LOAM_OK;
}

/* Before decoding only visible ASCII may stand in a target; a fragment is never sent. */
static loam_status check_raw(const char *bytes, size_t size, loam_error *error) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] <= ' ' || bytes[i] > '~' || bytes[i] == '#' || bytes[i] == '\\') {
            return loam_fail(error, LOAM_MALFORMED, NULL,
                             "the address has a byte that must be encoded, at %zu", i);
        }
    }
    return LOAM_OK;
}

/* Clients and proxies resolve these, each in its own way: an address with one has two readings. */
static bool is_dots(const char *bytes, size_t size) {
    return (size == 1 && bytes[0] == '.') || (size == 2 && bytes[0] == '.' && bytes[1] == '.');
}

static loam_status cut_segments(target *to, loam_error *error) {
    const char *at = to->path.bytes + 1;
    const char *end = to->path.bytes + to->path.size;
    for (;;) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        const char *stop = slash == NULL ? end : slash;
        if (to->segment_count == TARGET_SEGMENTS_MAX) {
            return loam_fail(error, LOAM_NOT_FOUND, NULL, "the path has more than %d segments",
                             TARGET_SEGMENTS_MAX);
        }
        if (is_dots(at, (size_t)(stop - at))) {
            return loam_fail(error, LOAM_MALFORMED, NULL, "the path has a segment of dots");
        }
        to->segments[to->segment_count++] = (loam_text){at, (size_t)(stop - at)};
        if (slash == NULL) {
            return LOAM_OK;
        }
        at = slash + 1;
    }
}

static loam_status add_parameter(target *to, char *bytes, size_t size, loam_error *error) {
    if (size == 0) {
        return LOAM_OK;
    }
    if (to->parameter_count == TARGET_PARAMETERS_MAX) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the query has more than %d parameters",
                         TARGET_PARAMETERS_MAX);
    }
    char *equals = memchr(bytes, '=', size);
    size_t name_size = equals == NULL ? size : (size_t)(equals - bytes);
    char *value = equals == NULL ? bytes + size : equals + 1;
    size_t value_size = equals == NULL ? 0 : size - name_size - 1;
    LOAM_TRY(decode(bytes, &name_size, PART_QUERY, error));
    LOAM_TRY(decode(value, &value_size, PART_QUERY, error));
    to->parameters[to->parameter_count++] =
        (target_parameter){{bytes, name_size}, {value, value_size}};
    return LOAM_OK;
}

static loam_status cut_parameters(target *to, char *query, size_t size, loam_error *error) {
    char *at = query;
    char *end = query + size;
    while (at < end) {
        char *ampersand = memchr(at, '&', (size_t)(end - at));
        char *stop = ampersand == NULL ? end : ampersand;
        LOAM_TRY(add_parameter(to, at, (size_t)(stop - at), error));
        at = stop + 1;
    }
    return LOAM_OK;
}

static bool has_scheme(const char *bytes, size_t size, const char *scheme) {
    size_t scheme_size = strlen(scheme);
    return size > scheme_size && strncasecmp(bytes, scheme, scheme_size) == 0;
}

/* Moves past "http://host" of an absolute target. The path that it may lack is "/". */
static loam_status take_authority(target *to, char **bytes, size_t *size, loam_error *error) {
    static const char plain[] = "http://";
    static const char secure[] = "https://";
    to->is_secure = has_scheme(*bytes, *size, secure);
    if (!to->is_secure && !has_scheme(*bytes, *size, plain)) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the address begins with neither / nor http");
    }
    size_t scheme_size = to->is_secure ? sizeof secure - 1 : sizeof plain - 1;
    char *host = *bytes + scheme_size;
    size_t host_size = 0;
    while (host_size < *size - scheme_size && host[host_size] != '/' && host[host_size] != '?') {
        host_size++;
    }
    to->authority = (loam_text){host, host_size};
    *bytes = host + host_size;
    *size -= scheme_size + host_size;
    return LOAM_OK;
}

loam_status target_parse(target *to, char *bytes, size_t size, loam_error *error) {
    to->path = (loam_text){"/", 1};
    to->authority = (loam_text){NULL, 0};
    to->is_secure = false;
    to->segment_count = 0;
    to->parameter_count = 0;
    LOAM_TRY(check_raw(bytes, size, error));
    if (size == 1 && bytes[0] == '*') {
        to->path = (loam_text){"*", 1};
        return LOAM_OK;
    }
    if (size == 0 || bytes[0] != '/') {
        LOAM_TRY(take_authority(to, &bytes, &size, error));
    }
    char *question = size == 0 ? NULL : memchr(bytes, '?', size);
    size_t path_size = question == NULL ? size : (size_t)(question - bytes);
    size_t query_size = question == NULL ? 0 : size - path_size - 1;
    if (path_size > 0) {
        LOAM_TRY(decode(bytes, &path_size, PART_PATH, error));
        to->path = (loam_text){bytes, path_size};
    }
    LOAM_TRY(cut_segments(to, error));
    return query_size == 0 ? LOAM_OK : cut_parameters(to, question + 1, query_size, error);
}

loam_text target_find(const target *from, const char *name) {
    loam_text wanted = loam_text_of(name);
    for (uint32_t i = 0; i < from->parameter_count; i++) {
        if (loam_text_equal(from->parameters[i].name, wanted)) {
            return from->parameters[i].value;
        }
    }
    return (loam_text){NULL, 0};
}
