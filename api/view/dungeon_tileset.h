/* SPDX-License-Identifier: MIT
 *
 * dungeon_tileset.h: the assets and variants of all floors as one list, for editors that want one
 * tile set a map. Internal to api/view.
 */
#ifndef LOAM_VIEW_DUNGEON_TILESET_H
#define LOAM_VIEW_DUNGEON_TILESET_H

#include "core/loam_dungeon.h"

/* A pixel size that editors show well. */
enum { DUNGEON_TILE_PIXELS = 16 };

typedef struct dungeon_tile {
    loam_tile_kind kind;
    loam_text asset;
    uint8_t variant;
} dungeon_tile;

typedef struct dungeon_tileset {
    dungeon_tile *tiles; /* owned; by kind, asset, variant; each once */
    uint32_t count;
} dungeon_tileset;

/* Texts are borrowed from the dungeon. */
LOAM_MUST_USE loam_status dungeon_tileset_init(dungeon_tileset *tileset,
                                               const loam_dungeon *dungeon);
void dungeon_tileset_fini(dungeon_tileset *tileset);
/* The place of a tile in the list; it is there. */
uint32_t dungeon_tileset_find(const dungeon_tileset *tileset, const loam_tile *tile);

#endif
