/* SPDX-License-Identifier: MIT
 *
 * view_content_json.h: what is in a dungeon, as JSON, for the server scope alone: objects, keys,
 * traps, locks, whether it can be played, a way through, and what was measured; and its spawns.
 */
#ifndef LOAM_VIEW_CONTENT_JSON_H
#define LOAM_VIEW_CONTENT_JSON_H

#include "api/key/key.h"
#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"

/* What the document says of keys. */
typedef struct content_keys {
    digest build_key, content_key;
    digest rules;   /* of the document of rules */
    digest content; /* of the canonical bytes */
} content_keys;

/* The digest of content's canonical bytes. */
digest content_digest_of(const loam_content *content);

/* The whole document: of a single floor at the top, of several under "floors". */
LOAM_MUST_USE loam_status view_content_json(const loam_content *content, const content_keys *keys,
                                            text_buffer *to);
/* An array of spawns; of several floors each says which. */
LOAM_MUST_USE loam_status view_spawns_json(const loam_content *content, text_buffer *to);

#endif
