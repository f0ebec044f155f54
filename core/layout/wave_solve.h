/* SPDX-License-Identifier: MIT
 *
 * wave_solve.h: wave function collapse in one block of a grid: a tile for every cell of the block,
 * so that all fit each other and those around the block. The cell with the fewest tiles left is
 * decided first (ties: the smallest hash), a tile drawn by weight; what no longer has a support is
 * taken away (arc consistency, by sets); what leads nowhere is undone by a trail.
 *
 * Sources: Gumin (2016); Merrell, Model Synthesis (2009): blocks; Mackworth (1977): AC-3.
 */
#ifndef LOAM_LAYOUT_WAVE_SOLVE_H
#define LOAM_LAYOUT_WAVE_SOLVE_H

#include "core/layout/wave_model.h"

/* Blocks are this large at most; a little more where one is tried again with more around it. */
enum { WAVE_BLOCK_SIDE = 64, WAVE_BLOCK_MORE = 8 };

/* What a cell must be, beside fitting. */
typedef enum wave_wish { WAVE_ANY, WAVE_WALK, WAVE_ROCK } wave_wish;

/* No tile yet. */
#define WAVE_OPEN UINT16_MAX

/* The whole grid. */
typedef struct wave_grid {
    int32_t width, height;
    bool periodic;   /* cells at an edge have those opposite beside them */
    uint16_t *tiles; /* or WAVE_OPEN */
    uint8_t *wishes; /* wave_wish */
} wave_grid;

typedef enum wave_verdict {
    WAVE_DONE,
    WAVE_NONE,  /* there is no solution */
    WAVE_SPENT, /* too many backtracks */
    WAVE_STEPS, /* too many steps */
    WAVE_CANCELLED,
} wave_verdict;

/* How long one may try. */
typedef struct wave_limits {
    uint64_t backtracks_max, restarts_max; /* of one block; backtracks in each restart */
    uint64_t steps_max;                    /* tiles taken away, in all blocks */
    const int *cancel;
} wave_limits;

typedef struct wave_counts {
    uint64_t steps, backtracks, restarts;
} wave_counts;

typedef struct wave_solver wave_solver;

/* Memory of a solver for blocks of so many cells. */
uint64_t wave_solver_bytes(uint32_t tile_count, size_t cell_count);

LOAM_MUST_USE loam_status wave_solver_take(const wave_model *model, size_t cell_count,
                                           loam_arena *arena, wave_solver **solver,
                                           loam_error *error);

/* Decides the cells of a block, whatever they were; the block lies inside the grid. All others that
 * have a tile keep it. Where it fails the block is as it was. */
wave_verdict wave_solve(wave_solver *solver, wave_grid *grid, loam_box block, uint64_t key,
                        wave_limits limits, wave_counts *counts);

/* Pairs of neighbours that do not fit, and cells without a tile, in the whole grid. */
uint64_t wave_faults(const wave_model *model, const wave_grid *grid);

#endif
