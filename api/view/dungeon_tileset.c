/* SPDX-License-Identifier: MIT
 *
 * dungeon_tileset.c: see dungeon_tileset.h.
 */
#include "api/view/dungeon_tileset.h"

#include <stdlib.h>

static int tile_compare(const void *a, const void *b) {
    const dungeon_tile *one = a, *other = b;
    if (one->kind != other->kind) {
        return one->kind < other->kind ? -1 : 1;
    }
    int order = loam_text_compare(one->asset, other->asset);
    return order != 0 ? order : (one->variant > other->variant) - (one->variant < other->variant);
}

static void drop_repeated(dungeon_tileset *tileset) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tileset->count; i++) {
        if (kept == 0 || tile_compare(&tileset->tiles[kept - 1], &tileset->tiles[i]) != 0) {
            tileset->tiles[kept++] = tileset->tiles[i];
        }
    }
    tileset->count = kept;
}

loam_status dungeon_tileset_init(dungeon_tileset *tileset, const loam_dungeon *dungeon) {
    size_t count = 0;
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        count += dungeon->floors[i].assembly.tile_count;
    }
    *tileset = (dungeon_tileset){.tiles = calloc(count + 1, sizeof *tileset->tiles)};
    if (tileset->tiles == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < dungeon->floor_count; i++) {
        const loam_assembly *assembly = &dungeon->floors[i].assembly;
        for (uint32_t k = 0; k < assembly->tile_count; k++) {
            const loam_tile *tile = &assembly->tiles[k];
            tileset->tiles[tileset->count++] =
                (dungeon_tile){tile->kind, tile->asset, tile->variant};
        }
    }
    if (tileset->count > 0) {
        qsort(tileset->tiles, tileset->count, sizeof *tileset->tiles, tile_compare);
    }
    drop_repeated(tileset);
    return LOAM_OK;
}

void dungeon_tileset_fini(dungeon_tileset *tileset) {
    free(tileset->tiles);
}

uint32_t dungeon_tileset_find(const dungeon_tileset *tileset, const loam_tile *tile) {
    const dungeon_tile wanted = {tile->kind, tile->asset, tile->variant};
    uint32_t low = 0, high = tileset->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (tile_compare(&tileset->tiles[middle], &wanted) <= 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
