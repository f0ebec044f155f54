/* SPDX-License-Identifier: MIT
 *
 * loam_assembly.h: the assembly of a dungeon: masks of neighbours, the tiles that cells show,
 * sorted for engines that place instances, rectangles to collide with and bits to walk on.
 */
#ifndef LOAM_ASSEMBLY_H
#define LOAM_ASSEMBLY_H

#include "core/loam_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Two orders of the bits of a mask. Clockwise from north, N 1, NE 2, E 4, SE 8, S 16, SW 32, W 64,
 * NW 128, is the one of every mask here; edges first is N 1, E 2, S 4, W 8, then NE 16, SE 32, SW
 * 64, NW 128. */
typedef enum loam_mask_order { LOAM_MASK_CLOCKWISE, LOAM_MASK_EDGES_FIRST } loam_mask_order;

/* "clockwise", "edges-first". */
const char *loam_mask_order_name(loam_mask_order order);
/* A mask from one order into the other. */
uint8_t loam_mask_convert(uint8_t mask, loam_mask_order from, loam_mask_order to);
/* A corner counts only where both edges beside it do: 47 masks are left of 256. Clockwise. */
uint8_t loam_mask_reduce(uint8_t mask);
/* Rank of a mask among the 47 reduced ones in rising order; and the mask of a rank. */
enum { LOAM_BLOB_COUNT = 47 };
uint8_t loam_blob_index(uint8_t mask);
uint8_t loam_blob_mask(uint8_t index);

typedef enum loam_tile_kind {
    LOAM_TILE_FLOOR,
    LOAM_TILE_WALL,
    LOAM_TILE_DOOR,
    LOAM_TILE_JUNCTION,
} loam_tile_kind;

/* A look that cells have: an asset, turned clockwise by quarters. */
typedef struct loam_tile {
    loam_tile_kind kind;
    loam_text asset;
    uint8_t turn;
    uint8_t variant; /* below the asset's count of variants; 0 where it has none */
} loam_tile;

/* No rule of the tile map fits the cell. */
#define LOAM_TILE_NONE UINT16_MAX

typedef struct loam_instance {
    loam_spot at;
    uint8_t turn;
} loam_instance;

/* All cells that show one variant of an asset of floors or walls, row by row. */
typedef struct loam_batch {
    loam_tile_kind kind; /* LOAM_TILE_FLOOR or LOAM_TILE_WALL */
    loam_text asset;
    uint8_t variant;
    const loam_instance *instances;
    uint32_t instance_count;
} loam_batch;

/* A piece that stands alone: a door or a junction of corridors. */
typedef struct loam_actor {
    loam_tile_kind kind; /* LOAM_TILE_DOOR or LOAM_TILE_JUNCTION */
    uint32_t index;      /* of the layout's doors or junctions */
    loam_spot at;
    int32_t width;
    uint16_t tile; /* of the palette, or LOAM_TILE_NONE */
} loam_actor;

typedef struct loam_assembly {
    const uint8_t *mask;    /* of walkable neighbours, one a cell */
    const uint8_t *blob;    /* index among the 47 */
    const loam_tile *tiles; /* sorted by kind, asset, variant, turn; used ones only */
    uint32_t tile_count;
    const uint16_t *grid;      /* index in tiles, or LOAM_TILE_NONE */
    uint32_t unmatched;        /* cells and actors without a tile */
    const loam_batch *batches; /* sorted by kind, asset, variant */
    uint32_t batch_count;
    const loam_actor *actors;
    uint32_t actor_count;
    const loam_box *colliders; /* cover exactly the walls, none twice; by y, then x */
    uint32_t collider_count;
    const uint8_t *walk; /* rows of loam_walk_stride bytes: bit x % 8 of byte x / 8 is walkable */
} loam_assembly;

static inline uint32_t loam_walk_stride(int32_t width) {
    return ((uint32_t)width + 7) / 8;
}

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
