/* SPDX-License-Identifier: MIT
 *
 * coding.c: see coding.h. Levels are the fastest: cells are near their entropy, and text gives most
 * of what it has at once.
 */
#include "api/view/coding.h"

#include <zlib.h>
#include <zstd.h>

enum { ZSTD_LEVEL = 1, GZIP_LEVEL = 1, GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8 };

const char *coding_name(content_coding coding) {
    static const char *const names[CODINGS] = {NULL, "gzip", "zstd", "gzip", "zstd"};
    return names[coding];
}

static bool is_zstd(content_coding coding) {
    return coding == CODING_ZSTD || coding == CODING_ZSTD_ALWAYS;
}

size_t coding_bound(content_coding coding, size_t size) {
    /* A gzip head is 12 bytes longer than the one that compressBound counts. */
    return is_zstd(coding) ? ZSTD_compressBound(size) : compressBound(size) + 12;
}

static loam_status encode_zstd(loam_text bytes, void *buffer, size_t capacity, size_t *size) {
    size_t coded = ZSTD_compress(buffer, capacity, bytes.bytes, bytes.size, ZSTD_LEVEL);
    if (ZSTD_isError(coded)) {
        return LOAM_INTERNAL;
    }
    *size = coded;
    return LOAM_OK;
}

/* zlib counts in 32 bits: bodies beyond 4 GB are none of ours. */
static loam_status encode_gzip(loam_text bytes, void *buffer, size_t capacity, size_t *size) {
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)bytes.bytes,
                       .avail_in = (uInt)bytes.size,
                       .next_out = buffer,
                       .avail_out = (uInt)capacity};
    if (bytes.size > UINT32_MAX || capacity > UINT32_MAX ||
        deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return LOAM_INTERNAL;
    }
    int ended = deflate(&stream, Z_FINISH);
    *size = stream.total_out;
    deflateEnd(&stream);
    return ended == Z_STREAM_END ? LOAM_OK : LOAM_BUFFER_TOO_SMALL;
}

loam_status coding_encode(content_coding coding, loam_text bytes, void *buffer, size_t capacity,
                          size_t *size) {
    return is_zstd(coding) ? encode_zstd(bytes, buffer, capacity, size)
                           : encode_gzip(bytes, buffer, capacity, size);
}
