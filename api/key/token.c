/* SPDX-License-Identifier: MIT
 *
 * token.c: see token.h.
 */
#include "api/key/token.h"

#include "core/base/text.h"

#include <nettle/memops.h>
#include <string.h>

#define TOKEN_PREFIX "loam_"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* Base64url, RFC 4648, section 5, without padding: 32 bytes are 42 full letters and four bits. */
static void write_secret(const secret_key *secret, char text[TOKEN_SECRET_CHARS + 1]) {
    uint32_t bits = 0;
    uint32_t count = 0;
    size_t used = 0;
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        bits = bits << 8 | secret->bytes[i];
        count += 8;
        while (count >= 6) {
            count -= 6;
            text[used++] = letters[bits >> count & 63];
        }
    }
    text[used++] = letters[bits << (6 - count) & 63];
    text[used] = 0;
}

loam_status token_write(loam_text id, const secret_key *secret, char text[TOKEN_TEXT_BYTES],
                        loam_error *error) {
    if (!text_is_name(id)) {
        return loam_fail(error, LOAM_BAD_NAME, NULL,
                         "the id of a token is a name: a-z, 0-9, then also . _ -, at most %d bytes",
                         NAME_BYTES_MAX);
    }
    size_t prefix = sizeof TOKEN_PREFIX - 1;
    memcpy(text, TOKEN_PREFIX, prefix);
    memcpy(text + prefix, id.bytes, id.size);
    text[prefix + id.size] = '.';
    write_secret(secret, text + prefix + id.size + 1);
    return LOAM_OK;
}

/* Whether it is written with these letters alone. */
static bool is_secret(const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == 0 || strchr(letters, bytes[i]) == NULL) {
            return false;
        }
    }
    return size == TOKEN_SECRET_CHARS;
}

bool token_read(loam_text text, loam_text *id, digest *of) {
    size_t prefix = sizeof TOKEN_PREFIX - 1;
    size_t fixed = prefix + 1 + TOKEN_SECRET_CHARS;
    if (text.size <= fixed || memcmp(text.bytes, TOKEN_PREFIX, prefix) != 0) {
        return false;
    }
    *id = (loam_text){text.bytes + prefix, text.size - fixed};
    const char *dot = id->bytes + id->size;
    if (*dot != '.' || !text_is_name(*id) || !is_secret(dot + 1, TOKEN_SECRET_CHARS)) {
        return false;
    }
    *of = digest_of(text.bytes, text.size);
    return true;
}

bool token_digest_equal(const digest *a, const digest *b) {
    return memeql_sec(a->bytes, b->bytes, DIGEST_BYTES) != 0;
}
