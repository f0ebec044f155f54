/* SPDX-License-Identifier: MIT
 *
 * assembly.h: from a layout to what an engine sets up: masks, tiles, batches, colliders, the grid
 * to walk on. Only tiles depend on more than cells: on the tile map and a seed. The rest follows
 * from the cells and is made again where bytes are decoded, so that it need not be believed.
 */
#ifndef LOAM_ASSEMBLY_ASSEMBLY_H
#define LOAM_ASSEMBLY_ASSEMBLY_H

#include "core/assembly/tile_map.h"

typedef struct assembly_input {
    const loam_layout *layout;
    const tile_map *map;
    bool outside_open;
    uint64_t seed; /* of the floor, the same in every attempt */
} assembly_input;

/* Memory of assembly_make at most, results included, for so many doors and junctions. */
uint64_t assembly_bytes(int32_t width, int32_t height, uint64_t pieces, const tile_map *map);

/* Everything. */
LOAM_MUST_USE loam_status assembly_make(const assembly_input *input, loam_arena *arena,
                                        loam_assembly *assembly, loam_error *error);

/* All but `tiles`, `grid`, `unmatched`, batches and the actors' tiles, which are left as they are.
 */
LOAM_MUST_USE loam_status assembly_derive(const loam_layout *layout, bool outside_open,
                                          loam_arena *arena, loam_assembly *assembly,
                                          loam_error *error);
/* Batches, and how many cells and actors have no tile, from grid, tiles and actors. */
LOAM_MUST_USE loam_status assembly_batch(const loam_layout *layout, loam_arena *arena,
                                         loam_assembly *assembly, loam_error *error);

/* Boxes that cover exactly the walls, none twice: each goes east as far as it can, then south. */
LOAM_MUST_USE loam_status colliders_make(const loam_layout *layout, loam_arena *arena,
                                         loam_assembly *assembly, loam_error *error);

#endif
