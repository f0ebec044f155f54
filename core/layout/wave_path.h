/* SPDX-License-Identifier: MIT
 *
 * wave_path.h: how a grid of tiles comes to be walkable in one piece: cells are pre-set before it
 * is solved. A tree of paths over the whole grid must be walked on; what still lies apart then is
 * solved again, pre-set as rock, with all around it pre-set as it is. No cell is changed but by
 * solving.
 */
#ifndef LOAM_LAYOUT_WAVE_PATH_H
#define LOAM_LAYOUT_WAVE_PATH_H

#include "core/grid/regions.h"
#include "core/layout/wave_blocks.h"

/* What the paths look like; the later ones ask less of a tile set. */
typedef enum wave_path_style {
    WAVE_PATH_HALLS, /* a tree over the grid, with a square of 3 x 3 at each joint */
    WAVE_PATH_TREE,  /* without the squares */
    WAVE_PATH_LINE,  /* from west to east alone */
    WAVE_PATH_NONE,
} wave_path_style;

typedef struct wave_paths {
    loam_box inside;           /* where one may walk */
    const loam_spot *reserved; /* cells that must be walked on, and are joined to the paths */
    uint32_t reserved_count;
    wave_path_style style;
    uint64_t key;
} wave_paths;

/* Memory of the paths and of cutting, at most; given back. */
uint64_t wave_path_bytes(int32_t width, int32_t height);

/* Sets all wishes of the grid: rock outside, paths and reserved cells inside. */
LOAM_MUST_USE loam_status wave_path_lay(wave_grid *grid, wave_paths paths, loam_arena *arena,
                                        loam_error *error);

/* What of a solved grid one can walk on, in regions; they stay in the arena of the work. */
LOAM_MUST_USE loam_status wave_path_regions(wave_work *work, grid_regions *regions);

/* Solves again where regions lie apart from the largest, one region after another. WAVE_NONE when
 * one of the reserved cells is apart, or a place has no solution. */
LOAM_MUST_USE loam_status wave_path_cut(wave_work *work, wave_paths paths, wave_verdict *verdict);

#endif
