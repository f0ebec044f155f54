/* SPDX-License-Identifier: MIT
 *
 * text_buffer.h: a growing text, and JSON written straight into it without a tree. Commas need no
 * care: a value or key puts one before itself unless it follows '{', '[', ':', a newline (NDJSON)
 * or nothing.
 *
 * Failure is sticky: when memory ends or `bytes_max` is passed, `failed` is set, later calls do
 * nothing, and whoever needs the text asks once, at the end.
 */
#ifndef LOAM_API_WIRE_TEXT_BUFFER_H
#define LOAM_API_WIRE_TEXT_BUFFER_H

#include "api/key/key.h"
#include "core/loam.h"

typedef struct text_buffer {
    char *bytes; /* owned; not terminated */
    size_t size;
    size_t capacity;
    size_t bytes_max;
    bool failed;
    bool memory_short; /* why it failed: not for its size */
} text_buffer;

/* An empty buffer that never grows beyond `bytes_max`. */
void buffer_init(text_buffer *buffer, size_t bytes_max);
/* Begins it with a copy of the text, and room for no more. */
LOAM_MUST_USE loam_status buffer_init_copy(text_buffer *buffer, loam_text text);
void buffer_fini(text_buffer *buffer);
/* Empties it and clears `failed`; keeps the memory. */
void buffer_clear(text_buffer *buffer);
/* LOAM_OK; LOAM_TOO_LARGE beyond `bytes_max`; LOAM_OVERLOADED when memory ended. */
LOAM_MUST_USE loam_status buffer_status(const text_buffer *buffer);
/* Borrowed until the buffer changes. */
loam_text buffer_view(const text_buffer *buffer);
/* Copied into the arena, terminated. */
LOAM_MUST_USE loam_status buffer_copy(const text_buffer *buffer, loam_arena *arena,
                                      loam_text *copy);
/* Owned by the caller, who frees it; the buffer is empty afterwards. NULL when it failed. */
char *buffer_take(text_buffer *buffer, size_t *size);

/* Raw bytes: no commas, no escaping. */
void buffer_add(text_buffer *buffer, const void *bytes, size_t size);
void buffer_add_text(text_buffer *buffer, const char *terminated);
/* A sink that adds; it borrows the buffer. */
loam_sink buffer_sink(text_buffer *buffer);

/* JSON. */
void buffer_open_object(text_buffer *buffer);
void buffer_close_object(text_buffer *buffer);
void buffer_open_array(text_buffer *buffer);
void buffer_close_array(text_buffer *buffer);
void buffer_key(text_buffer *buffer, const char *key);
void buffer_key_text(text_buffer *buffer, loam_text key);
/* A key with its value. */
void buffer_field_integer(text_buffer *buffer, const char *key, int64_t value);
void buffer_field_string(text_buffer *buffer, const char *key, const char *value);
/* Escaped; bytes that are no UTF-8 become U+FFFD. */
void buffer_string(text_buffer *buffer, const char *value);
void buffer_string_text(text_buffer *buffer, loam_text value);
void buffer_digest(text_buffer *buffer, const digest *value);
void buffer_integer(text_buffer *buffer, int64_t value);
void buffer_unsigned(text_buffer *buffer, uint64_t value);
/* A 64-bit identifier: a decimal string. */
void buffer_unsigned_string(text_buffer *buffer, uint64_t value);
/* value / 2^scale_bits, exactly. */
void buffer_decimal(text_buffer *buffer, int64_t value, unsigned scale_bits);
/* A key with a place, or a corner of a box: so many axes in units, as an array of metres. */
void buffer_field_place(text_buffer *buffer, const char *key, const int64_t *units, uint32_t axes);
void buffer_bool(text_buffer *buffer, bool value);
void buffer_null(text_buffer *buffer);
/* A value that is JSON already. */
void buffer_json(text_buffer *buffer, loam_text json);

#endif
