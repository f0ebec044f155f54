/* SPDX-License-Identifier: MIT
 *
 * view_dungeon_json.h: the public document of a dungeon (API.md): what was asked, what came of it,
 * layout and assembly. It never depends on content or secrets, which it does not get to see.
 */
#ifndef LOAM_VIEW_DUNGEON_JSON_H
#define LOAM_VIEW_DUNGEON_JSON_H

#include "api/key/key.h"
#include "api/wire/text_buffer.h"
#include "core/loam_dungeon.h"

/* What the document says of keys. */
typedef struct dungeon_digests {
    digest build_key;
    digest layout, assembly; /* of the stages' canonical bytes, all floors */
} dungeon_digests;

/* Digests of the stages of a dungeon. */
dungeon_digests dungeon_digests_of(const loam_dungeon *dungeon, const digest *build_key);

/* The whole document: of a single floor at the top, of several under "floors". */
LOAM_MUST_USE loam_status view_dungeon_json(const loam_dungeon *dungeon,
                                            const dungeon_digests *digests, text_buffer *to);
/* One stage alone: {"build_key", "stage", "digest", ...its fields}, in the same shape. */
LOAM_MUST_USE loam_status view_dungeon_stage_json(const loam_dungeon *dungeon,
                                                  const dungeon_digests *digests,
                                                  loam_dungeon_stage stage, text_buffer *to);

#endif
