/* SPDX-License-Identifier: MIT
 *
 * rules_shelf.h: documents of rules by the name or the digest of their asset, for a worker: read
 * from the store when first asked for, held until the end.
 */
#ifndef LOAM_SERVER_WORLD_RULES_SHELF_H
#define LOAM_SERVER_WORLD_RULES_SHELF_H

#include "api/wire/asset.h"
#include "api/wire/dungeon_document.h"
#include "server/store/store.h"

/* Different documents of one request: its parameters that take one, content and table are some ten;
 * of one world: one for each of its dungeons. */
enum { RULES_SHELF_MAX = 64 };

typedef struct rules_shelf {
    rules_resolver resolver; /* of this shelf */
    store *from;
    uint32_t count;
    digest digests[RULES_SHELF_MAX];
    asset_data *assets[RULES_SHELF_MAX];
} rules_shelf;

/* The shelf must not move. End it with rules_shelf_fini. */
void rules_shelf_init(rules_shelf *shelf, store *from);
void rules_shelf_fini(rules_shelf *shelf);

#endif
