/* SPDX-License-Identifier: MIT
 *
 * anchor_document.h: `dungeons` of a world: {name: {anchors, recipe, version?, params?, policy?,
 * content?, secret_seed?}}.
 * Each point of `anchors`, an asset, is a place with a dungeon of its own, addressed as "name:id"
 * by the id of its feature. Where the recipe takes a document of rules, the name or the digest of
 * an asset stands for it when a world is sent; the canonical text has the document itself.
 *
 * Internal to api/wire but for what is asked of a world that has been read.
 */
#ifndef LOAM_API_WIRE_ANCHOR_DOCUMENT_H
#define LOAM_API_WIRE_ANCHOR_DOCUMENT_H

#include "api/wire/document.h"
#include "api/wire/world_document.h"

/* Reads, and plans each once: parameters that no dungeon can have are faults here. The slots of
 * `to` are bound by now. */
LOAM_MUST_USE loam_status anchors_read(const item *at, const world_resolver *resolver,
                                       loam_arena *arena, world *to);
/* The canonical form; nothing where a world has none. `hidden`: with what they hide. */
void anchors_write(text_buffer *buffer, const world *of, bool hidden);

/* ---- Of a world that has been read ----------------------------------------------------------- */

/* "name:id" cut at its first colon, which no name has. False when there is none. */
bool anchor_parse(loam_text address, loam_text *name, loam_text *id);
/* NULL when the world has none of this name. */
const world_dungeon *anchors_find(const world *of, loam_text name);
/* The feature key of an id as it stands in an address. */
uint64_t anchor_key(loam_text id);
/* The request (dungeon_document.h) for the dungeon at the point of this key. */
void anchor_request_write(text_buffer *buffer, const world *of, const world_dungeon *dungeon,
                          uint64_t key, bool hidden);

#endif
