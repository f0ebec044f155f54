/* SPDX-License-Identifier: MIT
 *
 * key.c: see key.h. The hash itself is nettle's, which picks the processor's own instructions.
 */
#include "api/key/key.h"

#include "core/base/try.h"

#include <nettle/sha2.h>
#include <string.h>

_Static_assert(sizeof(struct sha256_ctx) <= DIGEST_STREAM_BYTES, "the stream holds the state");
_Static_assert(_Alignof(struct sha256_ctx) <= _Alignof(digest_stream), "and aligns it");
_Static_assert(DIGEST_BYTES == SHA256_DIGEST_SIZE, "a digest is a SHA-256");

#define DIGEST_PREFIX "sha256-"
enum { DIGEST_PREFIX_SIZE = sizeof DIGEST_PREFIX - 1 };

static struct sha256_ctx *stream_context(digest_stream *stream) {
    return (struct sha256_ctx *)(void *)stream;
}

void digest_begin(digest_stream *stream) {
    sha256_init(stream_context(stream));
}

void digest_begin_domain(digest_stream *stream, const char *domain) {
    digest_begin(stream);
    digest_update(stream, domain, strlen(domain));
    digest_update(stream, "\n", 1);
}

void digest_update(digest_stream *stream, const void *bytes, size_t size) {
    if (size > 0) {
        sha256_update(stream_context(stream), size, bytes);
    }
}

static void sink_write(void *context, const void *bytes, size_t size) {
    digest_update(context, bytes, size);
}

loam_sink digest_sink(digest_stream *stream) {
    return (loam_sink){.write = sink_write, .context = stream};
}

digest digest_end(digest_stream *stream) {
    digest result;
    sha256_digest(stream_context(stream), DIGEST_BYTES, result.bytes);
    return result;
}

digest digest_of(const void *bytes, size_t size) {
    digest_stream stream;
    digest_begin(&stream);
    digest_update(&stream, bytes, size);
    return digest_end(&stream);
}

digest digest_of_domain(const char *domain, const void *bytes, size_t size) {
    digest_stream stream;
    digest_begin_domain(&stream, domain);
    digest_update(&stream, bytes, size);
    return digest_end(&stream);
}

bool digest_equal(const digest *a, const digest *b) {
    return memcmp(a->bytes, b->bytes, DIGEST_BYTES) == 0;
}

void digest_text(const digest *from, char text[DIGEST_TEXT_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    memcpy(text, DIGEST_PREFIX, DIGEST_PREFIX_SIZE);
    char *to = text + DIGEST_PREFIX_SIZE;
    for (int i = 0; i < DIGEST_BYTES; i++) {
        *to++ = digits[from->bytes[i] >> 4];
        *to++ = digits[from->bytes[i] & 15];
    }
    *to = 0;
}

/* The value of a lower-case hex digit, or -1: one digest has one spelling. */
static int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool digest_parse(loam_text text, digest *to) {
    if (text.size != DIGEST_TEXT_SIZE ||
        memcmp(text.bytes, DIGEST_PREFIX, DIGEST_PREFIX_SIZE) != 0) {
        return false;
    }
    const char *from = text.bytes + DIGEST_PREFIX_SIZE;
    for (int i = 0; i < DIGEST_BYTES; i++) {
        int high = hex_value(from[2 * i]);
        int low = hex_value(from[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        to->bytes[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

loam_status key_of_cell(const loam_query *query, loam_arena *scratch, digest *key,
                        loam_error *error) {
    digest_stream stream;
    digest_begin(&stream);
    LOAM_TRY(loam_cell_key(query, digest_sink(&stream), scratch, error));
    *key = digest_end(&stream);
    return LOAM_OK;
}

loam_status key_of_asset(const loam_asset *asset, digest *key) {
    digest_stream stream;
    digest_begin(&stream);
    LOAM_TRY(loam_asset_encode(asset, digest_sink(&stream)));
    *key = digest_end(&stream);
    return LOAM_OK;
}
