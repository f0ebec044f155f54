/* SPDX-License-Identifier: MIT
 *
 * dungeon_parts.h: what a request for a dungeon, an entry of a job and a world's binding have in
 * common. Internal to api/wire.
 */
#ifndef LOAM_API_WIRE_DUNGEON_PARTS_H
#define LOAM_API_WIRE_DUNGEON_PARTS_H

#include "api/wire/document.h"
#include "api/wire/dungeon_document.h"
#include "api/wire/rules_reference.h"
#include "core/loam_dungeon.h"

/* "recipe", "version"?, "params"? and "policy"? of an object, each looked at. Owned by `arena` but
 * for documents of the resolver, which may be NULL. */
LOAM_MUST_USE loam_status dungeon_parts_read(const item *at, const rules_resolver *resolver,
                                             loam_arena *arena, loam_dungeon_request *to);
/* A whole request; see dungeon_document_read. */
LOAM_MUST_USE loam_status dungeon_item_read(const item *document, const rules_resolver *resolver,
                                            loam_arena *arena, dungeon_document *to);

/* "content"? and "secret_seed"? of it: what it hides, likewise. */
typedef struct dungeon_hidden {
    const loam_rules *content; /* NULL: the default */
    bool secret_given;
    uint64_t secret_seed;
} dungeon_hidden;

LOAM_MUST_USE loam_status dungeon_hidden_read(const item *at, const rules_resolver *resolver,
                                              loam_arena *arena, dungeon_hidden *to);

#endif
