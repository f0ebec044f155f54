/* SPDX-License-Identifier: MIT
 *
 * token.h: a bearer token is "loam_ID.SECRET": the id says whose it is and may be told, the secret
 * is 256 random bits. Who checks it keeps the SHA-256 of the whole text and never the text; a
 * guess of 256 bits needs no slow hash.
 */
#ifndef LOAM_API_KEY_TOKEN_H
#define LOAM_API_KEY_TOKEN_H

#include "api/key/key.h"
#include "core/base/limits.h"

enum {
    TOKEN_SECRET_CHARS = 43, /* 32 bytes in base64url without padding */
    TOKEN_TEXT_BYTES = 5 + NAME_BYTES_MAX + 1 + TOKEN_SECRET_CHARS + 1,
};

/* The token of a secret, terminated. LOAM_BAD_NAME when the id is no name. */
LOAM_MUST_USE loam_status token_write(loam_text id, const secret_key *secret,
                                      char text[TOKEN_TEXT_BYTES], loam_error *error);
/* Its id (within the text) and its digest; false when it has not the form of a token. */
bool token_read(loam_text text, loam_text *id, digest *of);
/* Compares in a time that does not depend on where the two differ. */
bool token_digest_equal(const digest *a, const digest *b);

#endif
