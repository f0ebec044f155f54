/* SPDX-License-Identifier: MIT
 *
 * negotiate.h: what a client accepts (RFC 9110 section 12.5), prefers (RFC 7240) and sends
 * (Content-Type). Texts come from headers; a missing header has no bytes.
 */
#ifndef LOAM_SERVER_SLOT_NEGOTIATE_H
#define LOAM_SERVER_SLOT_NEGOTIATE_H

#include "api/view/coding.h"
#include "core/loam.h"

/* The index of the offered media type (NULL-terminated, the first is the default) that Accept likes
 * best; -1 when it takes none. Of equals the earlier offer wins. */
int32_t negotiate_media(loam_text accept, const char *const *offers);

/* How much Accept-Encoding likes a coding, in thousandths; 0 is not at all. A missing header takes
 * identity alone. */
uint32_t negotiate_coding(loam_text accept_encoding, const char *coding);

/* The coding for a body, by what the client takes: zstd before gzip before identity; one of those
 * for bodies of any size when it refuses identity. */
content_coding negotiate_content_coding(loam_text accept_encoding);
/* False when it refuses all three: "identity;q=0" or "*;q=0" and no coding that is known here. */
bool negotiate_has_coding(loam_text accept_encoding);

/* Whether a Content-Type names this media type, whatever its parameters. */
bool media_type_is(loam_text content_type, const char *media_type);

/* The longest that a request waits for work, and what it waits when it does not say. */
enum { REQUEST_WAIT_S = 30, PREFERENCE_BYTES = 32 };

typedef struct preference {
    bool respond_async;
    bool wait_given;
    uint32_t wait_s; /* as given */
} preference;

/* Preferences that are unknown or malformed are ignored, as RFC 7240 wants. */
preference preference_read(loam_text prefer);
/* How long a request waits for work. */
uint32_t preference_wait(const preference *prefer);
/* What Preference-Applied says; NULL: nothing. */
const char *preference_applied(const preference *prefer, char text[PREFERENCE_BYTES]);

#endif
