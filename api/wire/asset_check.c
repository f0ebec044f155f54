/* SPDX-License-Identifier: MIT
 *
 * asset_check.c: whether a large text is JSON, before asset_scan.c walks it: a recursive descent of
 * limited depth that allocates nothing.
 */
#include "api/wire/asset_scan.h"

#include "core/base/try.h"

#include <string.h>

typedef struct checker {
    const unsigned char *start;
    const unsigned char *at;
    const unsigned char *end;
    scan_limits limits;
    uint32_t numbers;
    loam_error *error;
} checker;

/* Where a text stops making sense is told by line and byte: there is no pointer into what is no
 * document. */
static loam_status scan_fault(const checker *check, const char *what) {
    unsigned long long line = 1;
    unsigned long long column = 1;
    for (const unsigned char *byte = check->start; byte < check->at; byte++) {
        column = *byte == '\n' ? 1 : column + 1;
        line += *byte == '\n';
    }
    return loam_fail(check->error, LOAM_MALFORMED, NULL, "%s at line %llu, byte %llu of it", what,
                     line, column);
}

static bool is_space(unsigned char byte) {
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

static bool is_digit(unsigned char byte) {
    return byte >= '0' && byte <= '9';
}

static bool is_hex(unsigned char byte) {
    return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

static void check_spaces(checker *check) {
    while (check->at < check->end && is_space(*check->at)) {
        check->at++;
    }
}

static unsigned char peek(const checker *check) {
    return check->at < check->end ? *check->at : 0;
}

static bool check_digits(checker *check) {
    const unsigned char *first = check->at;
    while (is_digit(peek(check))) {
        check->at++;
    }
    return check->at > first;
}

static bool check_integer(checker *check) {
    check->at += peek(check) == '-';
    if (peek(check) != '0') {
        return check_digits(check);
    }
    check->at++;
    return !is_digit(peek(check));
}

static bool check_fraction(checker *check) {
    if (peek(check) != '.') {
        return true;
    }
    check->at++;
    return check_digits(check);
}

static bool check_exponent(checker *check) {
    if (peek(check) != 'e' && peek(check) != 'E') {
        return true;
    }
    check->at++;
    check->at += peek(check) == '+' || peek(check) == '-';
    return check_digits(check);
}

static loam_status check_number(checker *check) {
    const unsigned char *first = check->at;
    if (!check_integer(check) || !check_fraction(check) || !check_exponent(check)) {
        return scan_fault(check, "no JSON number");
    }
    if (check->at - first > SCAN_NUMBER_BYTES_MAX) {
        return scan_fault(check, "a number that is too long");
    }
    if (++check->numbers > check->limits.numbers_max) {
        return loam_fail(check->error, LOAM_TOO_MANY, NULL, "more than %u numbers",
                         check->limits.numbers_max);
    }
    return LOAM_OK;
}

/* The four digits of a \uXXXX. */
static bool check_hex(checker *check, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char digit = peek(check);
        if (!is_hex(digit)) {
            return false;
        }
        *code = *code << 4 | (uint32_t)(is_digit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
        check->at++;
    }
    return true;
}

/* Behind the u of an escape. Half of a surrogate pair is no character, and no UTF-8 can hold it. */
static bool check_unicode(checker *check) {
    uint32_t code;
    if (!check_hex(check, &code)) {
        return false;
    }
    if (code < 0xd800 || code > 0xdfff) {
        return true;
    }
    if (code > 0xdbff || check->end - check->at < 2 || memcmp(check->at, "\\u", 2) != 0) {
        return false;
    }
    check->at += 2;
    return check_hex(check, &code) && code >= 0xdc00 && code <= 0xdfff;
}

/* Past one escape, `at` behind its backslash. */
static bool check_escape(checker *check) {
    unsigned char kind = peek(check);
    if (kind == 0 || strchr("\"\\/bfnrtu", kind) == NULL) {
        return false;
    }
    check->at++;
    return kind != 'u' || check_unicode(check);
}

/* Past one character beyond ASCII: well-formed UTF-8 (Unicode 15, table 3-7). */
static bool check_sequence(checker *check) {
    unsigned char lead = *check->at++;
    unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    int follow = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
    if (follow == 0 || check->end - check->at < follow) {
        return false;
    }
    for (int i = 0; i < follow; i++) {
        if (*check->at < low || *check->at > high) {
            return false;
        }
        check->at++;
        low = 0x80;
        high = 0xbf;
    }
    return true;
}

static loam_status check_string(checker *check) {
    check->at++;
    for (;;) {
        unsigned char byte = peek(check);
        if (byte < 0x20) {
            return scan_fault(check, check->at < check->end ? "a control character in a string"
                                                            : "a string without its end");
        }
        if (byte >= 0x80) {
            if (!check_sequence(check)) {
                return scan_fault(check, "no UTF-8");
            }
            continue;
        }
        check->at++;
        if (byte == '"') {
            return LOAM_OK;
        }
        if (byte == '\\' && !check_escape(check)) {
            return scan_fault(check, "no JSON escape");
        }
    }
}

static loam_status check_word(checker *check, const char *word) {
    size_t size = strlen(word);
    if ((size_t)(check->end - check->at) < size || memcmp(check->at, word, size) != 0) {
        return scan_fault(check, "no JSON value");
    }
    check->at += size;
    return LOAM_OK;
}

static loam_status check_value(checker *check, uint32_t depth);

static loam_status check_key(checker *check) {
    if (peek(check) != '"') {
        return scan_fault(check, "no member name");
    }
    LOAM_TRY(check_string(check));
    check_spaces(check);
    if (peek(check) != ':') {
        return scan_fault(check, "no colon after a member name");
    }
    check->at++;
    check_spaces(check);
    return LOAM_OK;
}

/* An array or object, `at` at its bracket. */
static loam_status check_items(checker *check, bool object, uint32_t depth) {
    unsigned char close = object ? '}' : ']';
    if (depth == check->limits.depth_max) {
        return scan_fault(check, "nesting that is too deep");
    }
    check->at++;
    check_spaces(check);
    if (peek(check) == close) {
        check->at++;
        return LOAM_OK;
    }
    for (;;) {
        if (object) {
            LOAM_TRY(check_key(check));
        }
        LOAM_TRY(check_value(check, depth + 1));
        check_spaces(check);
        unsigned char byte = peek(check);
        if (byte != ',' && byte != close) {
            return scan_fault(check, "no comma or closing bracket");
        }
        check->at++;
        if (byte == close) {
            return LOAM_OK;
        }
        check_spaces(check);
    }
}

static loam_status check_value(checker *check, uint32_t depth) {
    switch (peek(check)) {
    case '{':
        return check_items(check, true, depth);
    case '[':
        return check_items(check, false, depth);
    case '"':
        return check_string(check);
    case 't':
        return check_word(check, "true");
    case 'f':
        return check_word(check, "false");
    case 'n':
        return check_word(check, "null");
    default:
        return check_number(check);
    }
}

loam_status scan_check(loam_text document, scan_limits limits, uint32_t *numbers,
                       loam_error *error) {
    const unsigned char *start = (const unsigned char *)document.bytes;
    checker check = {.start = start,
                     .at = start,
                     .end = start + document.size,
                     .limits = limits,
                     .error = error};
    check_spaces(&check);
    LOAM_TRY(check_value(&check, 0));
    check_spaces(&check);
    *numbers = check.numbers;
    return check.at == check.end ? LOAM_OK : scan_fault(&check, "more than one JSON value");
}
