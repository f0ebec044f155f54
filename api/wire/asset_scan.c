/* SPDX-License-Identifier: MIT
 *
 * asset_scan.c: the walk through a text that asset_check.c accepted; see asset_scan.h.
 */
#include "api/wire/asset_scan.h"

#include <stdlib.h>
#include <string.h>

/* Longest known member name, escapes written out (\u0074 is six bytes for one). */
enum { NAME_WRITTEN_BYTES_MAX = 128 };

static bool is_space(char byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

static const char *past_spaces(const char *at) {
    while (is_space(*at)) {
        at++;
    }
    return at;
}

static const char *past_string(const char *at) {
    for (at++; *at != '"'; at++) {
        at += *at == '\\';
    }
    return at + 1;
}

const char *scan_begin(loam_text document) {
    return past_spaces(document.bytes);
}

scan_kind scan_kind_of(const char *value) {
    switch (*value) {
    case '{':
        return SCAN_OBJECT;
    case '[':
        return SCAN_ARRAY;
    case '"':
        return SCAN_STRING;
    case 't':
    case 'f':
        return SCAN_BOOL;
    case 'n':
        return SCAN_NULL;
    default:
        return SCAN_NUMBER;
    }
}

/* Letters, digits and signs run together: true, null, -1.5e3. */
static const char *past_scalar(const char *at) {
    while (is_digit(*at) || (*at >= 'a' && *at <= 'z') || *at == 'E' || *at == '.' || *at == '+' ||
           *at == '-') {
        at++;
    }
    return at;
}

void scan_skip(const char **at) {
    const char *byte = *at;
    size_t depth = 0;
    do {
        if (*byte == '"') {
            byte = past_string(byte);
            continue;
        }
        depth += *byte == '[' || *byte == '{';
        depth -= *byte == ']' || *byte == '}';
        byte++;
    } while (depth > 0);
    bool scalar = scan_kind_of(*at) >= SCAN_NUMBER;
    *at = scalar ? past_scalar(*at) : byte;
}

void scan_enter(const char **at) {
    *at = past_spaces(*at + 1);
}

bool scan_more(const char **at) {
    *at = past_spaces(*at);
    if (**at == ']' || **at == '}') {
        *at += 1;
        return false;
    }
    if (**at == ',') {
        *at = past_spaces(*at + 1);
    }
    return true;
}

loam_text scan_key(const char **at) {
    loam_text key = scan_token(at);
    *at = past_spaces(*at);
    *at = past_spaces(*at + 1);
    return key;
}

loam_text scan_token(const char **at) {
    const char *first = *at;
    if (*first == '"') {
        *at = past_string(first);
        return (loam_text){first + 1, (size_t)(*at - first) - 2};
    }
    *at = past_scalar(first);
    return (loam_text){first, (size_t)(*at - first)};
}

bool scan_equal(loam_text written, const char *plain) {
    char buffer[NAME_WRITTEN_BYTES_MAX];
    if (written.size > 0 && memchr(written.bytes, '\\', written.size) != NULL) {
        if (written.size > sizeof buffer) {
            return false;
        }
        written = (loam_text){buffer, scan_unescape(written, buffer)};
    }
    return loam_text_equal(written, loam_text_of(plain));
}

/* Digits as one integer when there are few enough to be exact, and the power of ten that is left
 * over: most coordinates are one exact division away (Clinger 1990). */
static bool short_decimal(loam_text written, double *number) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    size_t i = written.bytes[0] == '-';
    uint64_t digits = 0;
    size_t places = 0;
    bool point = false;
    if (written.size > 16) {
        return false;
    }
    for (; i < written.size; i++) {
        if (is_digit(written.bytes[i])) {
            digits = digits * 10 + (uint64_t)(written.bytes[i] - '0');
            places += point;
        } else if (written.bytes[i] == '.') {
            point = true;
        } else {
            return false;
        }
    }
    if (digits >> 53 != 0 || places > 9) {
        return false;
    }
    double value = (double)digits / powers[places];
    *number = written.bytes[0] == '-' ? -value : value;
    return true;
}

double scan_number(loam_text written) {
    double number = 0;
    if (short_decimal(written, &number)) {
        return number;
    }
    char terminated[SCAN_NUMBER_BYTES_MAX + 1];
    memcpy(terminated, written.bytes, written.size);
    terminated[written.size] = 0;
    return strtod(terminated, NULL);
}

static uint32_t hex_value(const char *digits) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t digit = (uint32_t)(unsigned char)digits[i];
        value = value << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
    return value;
}

static size_t put_utf8(uint32_t code, char *to) {
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t follow = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char leads[4] = {0, 0xc0, 0xe0, 0xf0};
    for (size_t i = follow; i > 0; i--) {
        to[i] = (char)(unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    to[0] = (char)(unsigned char)(leads[follow] | code);
    return follow + 1;
}

/* The code of \uXXXX at `from`, two of them when they are a surrogate pair: scan_check accepted no
 * half of one. */
static uint32_t read_unicode(const char **from) {
    uint32_t code = hex_value(*from + 2);
    *from += 6;
    if (code >> 10 == 0x36) {
        code = 0x10000 + ((code & 0x3ff) << 10) + (hex_value(*from + 2) & 0x3ff);
        *from += 6;
    }
    return code;
}

size_t scan_unescape(loam_text written, char *to) {
    static const char escapes[] = "\"\\/bfnrt";
    static const char plain[] = "\"\\/\b\f\n\r\t";
    const char *from = written.bytes;
    const char *end = from + written.size;
    size_t size = 0;
    while (from < end) {
        if (*from != '\\') {
            to[size++] = *from++;
        } else if (from[1] == 'u') {
            size += put_utf8(read_unicode(&from), to + size);
        } else {
            to[size++] = plain[strchr(escapes, from[1]) - escapes];
            from += 2;
        }
    }
    return size;
}
