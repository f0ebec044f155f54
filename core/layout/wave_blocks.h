/* SPDX-License-Identifier: MIT
 *
 * wave_blocks.h: a whole grid by wave function collapse: one block up to 64 x 64, above that fixed
 * blocks that overlap, row by row (Merrell's modifying in blocks), so that a contradiction costs
 * its block alone. Which blocks there are, the grid's size says and nothing else.
 */
#ifndef LOAM_LAYOUT_WAVE_BLOCKS_H
#define LOAM_LAYOUT_WAVE_BLOCKS_H

#include "core/layout/wave_solve.h"

/* Backtracks in a block: four a cell. */
#define WAVE_BACKTRACKS_USUAL UINT64_MAX

/* What solving goes on with. */
typedef struct wave_work {
    const wave_model *model;
    wave_solver *solver;
    wave_grid *grid;
    wave_limits limits; /* restarts are set for each block */
    wave_counts counts;
    loam_arena *arena;
    loam_error *error;
} wave_work;

/* Cells of the largest block of such a grid, and how many blocks it has. */
size_t wave_blocks_cells(int32_t width, int32_t height);
uint32_t wave_blocks_count(const wave_grid *grid);

/* A block under the work's limits, begun anew so often. */
wave_verdict wave_block_solve(wave_work *work, loam_box block, uint64_t key, uint64_t restarts_max);

/* All cells, whatever they were. */
wave_verdict wave_blocks_solve(wave_work *work, uint64_t key);

#endif
