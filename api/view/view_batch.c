/* SPDX-License-Identifier: MIT
 *
 * view_batch.c: see view_batch.h and BATCH.md.
 */
#include "api/view/view_batch.h"

#include "api/wire/problem.h"
#include "core/base/try.h"

#include <nettle/base64.h>

enum { BATCH_ALIGNMENT = 8, BASE64_BLOCK_BYTES = 3 << 10 };

static void add_number(text_buffer *to, uint64_t value, size_t size) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    buffer_add(to, bytes, size);
}

static void add_padded(text_buffer *to, loam_text bytes) {
    static const char zeros[BATCH_ALIGNMENT] = {0};
    add_number(to, bytes.size, 8);
    buffer_add(to, bytes.bytes, bytes.size);
    buffer_add(to, zeros, (BATCH_ALIGNMENT - bytes.size % BATCH_ALIGNMENT) % BATCH_ALIGNMENT);
}

static loam_status add_entry(const batch_entry *entry, text_buffer *to) {
    text_buffer problem;
    loam_text bytes = entry->bytes;
    buffer_init(&problem, PROBLEM_BYTES_MAX);
    if (entry->error != NULL) {
        problem_write_reasons(entry->error, entry->reasons, &problem);
        bytes = buffer_view(&problem);
    }
    add_number(to, (uint64_t)entry->x, 8);
    add_number(to, (uint64_t)entry->z, 8);
    add_number(to, (uint64_t)entry->level, 4);
    add_number(to, (uint64_t)entry->status, 4);
    buffer_add(to, entry->build_key.bytes, DIGEST_BYTES);
    buffer_add(to, entry->digest.bytes, DIGEST_BYTES);
    add_padded(to, bytes);
    buffer_fini(&problem);
    return buffer_status(to);
}

loam_status view_batch_bytes(const batch_entry *entries, uint32_t count, text_buffer *to) {
    buffer_add_text(to, "LOAMBTCH");
    add_number(to, BATCH_FORMAT, 2);
    add_number(to, 0, 2);
    add_number(to, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        LOAM_TRY(add_entry(&entries[i], to));
    }
    return buffer_status(to);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* In blocks of whole triples, so that only the last one is padded. */
static void add_base64(text_buffer *to, loam_text bytes) {
    char coded[BASE64_ENCODE_RAW_LENGTH(BASE64_BLOCK_BYTES)];
    buffer_add_text(to, "\"");
    for (size_t at = 0; at < bytes.size; at += BASE64_BLOCK_BYTES) {
        size_t left = bytes.size - at;
        size_t size = left < BASE64_BLOCK_BYTES ? left : BASE64_BLOCK_BYTES;
        base64_encode_raw(coded, size, (const uint8_t *)bytes.bytes + at);
        buffer_add(to, coded, BASE64_ENCODE_RAW_LENGTH(size));
    }
    buffer_add_text(to, "\"");
}

static void write_entry(const batch_entry *entry, text_buffer *to) {
    buffer_open_object(to);
    buffer_field_integer(to, "level", entry->level);
    buffer_field_integer(to, "x", entry->x);
    buffer_field_integer(to, "z", entry->z);
    buffer_field_integer(to, "status", entry->status);
    if (entry->status == 200 || entry->status == 304) {
        buffer_key(to, "build_key");
        buffer_digest(to, &entry->build_key);
        buffer_key(to, "digest");
        buffer_digest(to, &entry->digest);
    }
    if (entry->warning.size > 0) {
        buffer_key(to, "warning");
        buffer_string_text(to, entry->warning);
    }
    if (entry->status == 200) {
        buffer_key(to, "bytes");
        add_base64(to, entry->bytes);
    }
    if (entry->error != NULL) {
        buffer_key(to, "problem");
        problem_write_reasons(entry->error, entry->reasons, to);
    }
    buffer_close_object(to);
}

loam_status view_batch_json(const batch_entry *entries, uint32_t count, text_buffer *to) {
    buffer_open_object(to);
    buffer_key(to, "cells");
    buffer_open_array(to);
    for (uint32_t i = 0; i < count && !to->failed; i++) {
        write_entry(&entries[i], to);
    }
    buffer_close_array(to);
    buffer_close_object(to);
    return buffer_status(to);
}
