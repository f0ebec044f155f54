/* SPDX-License-Identifier: MIT
 *
 * text_buffer.c: see text_buffer.h.
 */
#include "api/wire/text_buffer.h"

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES_FIRST = 256 };

void buffer_init(text_buffer *buffer, size_t bytes_max) {
    *buffer = (text_buffer){.bytes_max = bytes_max};
}

loam_status buffer_init_copy(text_buffer *buffer, loam_text text) {
    buffer_init(buffer, text.size);
    buffer_add(buffer, text.bytes, text.size);
    return buffer_status(buffer);
}

void buffer_fini(text_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (text_buffer){0};
}

void buffer_clear(text_buffer *buffer) {
    buffer->size = 0;
    buffer->failed = buffer->memory_short = false;
}

loam_status buffer_status(const text_buffer *buffer) {
    if (buffer->memory_short) {
        return LOAM_OVERLOADED;
    }
    return buffer->failed ? LOAM_TOO_LARGE : LOAM_OK;
}

loam_text buffer_view(const text_buffer *buffer) {
    return (loam_text){buffer->bytes, buffer->size};
}

loam_status buffer_copy(const text_buffer *buffer, loam_arena *arena, loam_text *copy) {
    LOAM_TRY(buffer_status(buffer));
    return text_copy(buffer_view(buffer), arena, copy);
}

char *buffer_take(text_buffer *buffer, size_t *size) {
    if (buffer->failed) {
        return NULL;
    }
    char *bytes = buffer->bytes;
    *size = buffer->size;
    *buffer = (text_buffer){.bytes_max = buffer->bytes_max};
    return bytes;
}

static bool buffer_grow(text_buffer *buffer, size_t needed) {
    size_t capacity = buffer->capacity == 0 ? BUFFER_BYTES_FIRST : buffer->capacity;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *bytes = realloc(buffer->bytes, capacity);
    if (bytes == NULL) {
        buffer->memory_short = true;
        return false;
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

void buffer_add(text_buffer *buffer, const void *bytes, size_t size) {
    if (buffer->failed || size == 0) {
        return;
    }
    bool fits = size <= buffer->bytes_max - buffer->size;
    if (!fits ||
        (buffer->size + size > buffer->capacity && !buffer_grow(buffer, buffer->size + size))) {
        buffer->failed = true;
        return;
    }
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

void buffer_add_text(text_buffer *buffer, const char *terminated) {
    buffer_add(buffer, terminated, strlen(terminated));
}

static void sink_write(void *context, const void *bytes, size_t size) {
    buffer_add(context, bytes, size);
}

loam_sink buffer_sink(text_buffer *buffer) {
    return (loam_sink){.write = sink_write, .context = buffer};
}

/* No value ends in one of these bytes, so the last byte tells whether one came before. */
static void add_comma(text_buffer *buffer) {
    if (buffer->size > 0 && strchr("{[:\n", buffer->bytes[buffer->size - 1]) == NULL) {
        buffer_add(buffer, ",", 1);
    }
}

static void add_value(text_buffer *buffer, const void *bytes, size_t size) {
    add_comma(buffer);
    buffer_add(buffer, bytes, size);
}

void buffer_open_object(text_buffer *buffer) {
    add_value(buffer, "{", 1);
}

void buffer_close_object(text_buffer *buffer) {
    buffer_add(buffer, "}", 1);
}

void buffer_open_array(text_buffer *buffer) {
    add_value(buffer, "[", 1);
}

void buffer_close_array(text_buffer *buffer) {
    buffer_add(buffer, "]", 1);
}

void buffer_key(text_buffer *buffer, const char *key) {
    buffer_key_text(buffer, loam_text_of(key));
}

void buffer_key_text(text_buffer *buffer, loam_text key) {
    buffer_string_text(buffer, key);
    buffer_add(buffer, ":", 1);
}

void buffer_string(text_buffer *buffer, const char *value) {
    buffer_string_text(buffer, loam_text_of(value));
}

/* Bytes of the well-formed UTF-8 sequence at `at` (RFC 3629, section 4), or 0. */
static size_t sequence_size(const unsigned char *at, size_t left) {
    static const struct {
        unsigned char first_min, first_max, second_min, second_max, size;
    } forms[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    if (at[0] < 0x80) {
        return 1;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (at[0] < forms[i].first_min || at[0] > forms[i].first_max) {
            continue;
        }
        bool well =
            left >= forms[i].size && at[1] >= forms[i].second_min && at[1] <= forms[i].second_max;
        for (size_t j = 2; well && j < forms[i].size; j++) {
            well = (at[j] & 0xc0) == 0x80;
        }
        return well ? forms[i].size : 0;
    }
    return 0;
}

static void add_escape(text_buffer *buffer, unsigned char byte) {
    static const char digits[] = "0123456789abcdef";
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    const char *found = byte == 0 ? NULL : strchr(plain, byte);
    if (found != NULL) {
        buffer_add(buffer, (const char[]){'\\', letters[found - plain]}, 2);
        return;
    }
    buffer_add(buffer, (const char[]){'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]},
               6);
}

/* Copies runs of plain bytes whole. */
static void add_escaped(text_buffer *buffer, const unsigned char *at, size_t left) {
    while (left > 0) {
        size_t run = 0;
        size_t step = 1;
        while (run < left && at[run] >= 0x20 && at[run] != '"' && at[run] != '\\' &&
               (step = sequence_size(at + run, left - run)) > 0) {
            run += step;
        }
        buffer_add(buffer, at, run);
        at += run;
        left -= run;
        if (left > 0) {
            if (at[0] < 0x80) {
                add_escape(buffer, at[0]);
            } else {
                buffer_add_text(buffer, "\xef\xbf\xbd");
            }
            at++;
            left--;
        }
    }
}

void buffer_string_text(text_buffer *buffer, loam_text value) {
    add_value(buffer, "\"", 1);
    add_escaped(buffer, (const unsigned char *)value.bytes, value.size);
    buffer_add(buffer, "\"", 1);
}

void buffer_digest(text_buffer *buffer, const digest *value) {
    char text[DIGEST_TEXT_BYTES];
    digest_text(value, text);
    buffer_string(buffer, text);
}

void buffer_integer(text_buffer *buffer, int64_t value) {
    buffer_decimal(buffer, value, 0);
}

/* 20 digits at most, and quotes. */
static size_t print_unsigned(char text[24], uint64_t value) {
    size_t at = 24;
    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    memmove(text, text + at, 24 - at);
    return 24 - at;
}

void buffer_unsigned(text_buffer *buffer, uint64_t value) {
    char text[24];
    add_value(buffer, text, print_unsigned(text, value));
}

void buffer_unsigned_string(text_buffer *buffer, uint64_t value) {
    char text[24];
    buffer_string_text(buffer, (loam_text){text, print_unsigned(text, value)});
}

void buffer_decimal(text_buffer *buffer, int64_t value, unsigned scale_bits) {
    char text[DECIMAL_BYTES_MAX];
    add_value(buffer, text, decimal_print(text, sizeof text, value, scale_bits));
}

void buffer_field_place(text_buffer *buffer, const char *key, const int64_t *units, uint32_t axes) {
    enum { UNIT_BITS = 8 };
    _Static_assert(1 << UNIT_BITS == LOAM_UNITS_PER_METRE, "units in a metre");
    buffer_key(buffer, key);
    buffer_open_array(buffer);
    for (uint32_t axis = 0; axis < axes; axis++) {
        buffer_decimal(buffer, units[axis], UNIT_BITS);
    }
    buffer_close_array(buffer);
}

void buffer_bool(text_buffer *buffer, bool value) {
    buffer_json(buffer, loam_text_of(value ? "true" : "false"));
}

void buffer_null(text_buffer *buffer) {
    buffer_json(buffer, loam_text_of("null"));
}

void buffer_json(text_buffer *buffer, loam_text json) {
    add_value(buffer, json.bytes, json.size);
}

void buffer_field_integer(text_buffer *buffer, const char *key, int64_t value) {
    buffer_key(buffer, key);
    buffer_integer(buffer, value);
}

void buffer_field_string(text_buffer *buffer, const char *key, const char *value) {
    buffer_key(buffer, key);
    buffer_string(buffer, value);
}
