/* SPDX-License-Identifier: MIT
 *
 * walk_field.h: how many steps it is from one cell to others, by the four sides, through all cells
 * that are not 0; and the cell that is farthest. Steps are kept only of the cells that were asked
 * for before. In order: walk_field_open, walk_field_ask for each of those, walk_field_fill.
 */
#ifndef LOAM_GRID_WALK_FIELD_H
#define LOAM_GRID_WALK_FIELD_H

#include "core/grid/grid.h"

/* No way there; no cell to walk on, or none that was asked for. What is reached is below both. */
#define WALK_UNREACHED (UINT32_MAX - 1)
#define WALK_CLOSED UINT32_MAX

/* A block of 8 x 8 cells, a bit each, row by row. */
typedef struct walk_block {
    uint64_t open;  /* to be reached yet */
    uint64_t front; /* reached in this step */
    uint64_t asked;
} walk_block;

/* Blocks lie in a closed ring of blocks. */
typedef struct walk_field {
    int32_t width, height;
    uint32_t stride, block_count;
    walk_block *blocks;
    uint32_t *lists[2]; /* blocks with a front: of this step and of the one before, in turns */
    uint64_t *fronts;   /* of the step before, by its list */
    uint32_t *firsts;   /* of the blocks' asked cells, in asked_steps */
    uint32_t *asked_steps;
    uint32_t asked_count, asked_capacity;
    int64_t walkable, reached; /* cells */
    loam_spot from;
    loam_spot farthest; /* the first of them row by row */
    uint32_t farthest_steps;
} walk_field;

/* Memory of the field of so many cells, of which so many are asked for. */
uint64_t walk_field_bytes(int32_t width, int32_t height, uint64_t asked);

LOAM_MUST_USE loam_status walk_field_take(const cell_grid *cells, uint32_t asked_capacity,
                                          loam_arena *arena, walk_field *field, loam_error *error);
/* The cells, nothing asked for and nothing reached. */
void walk_field_open(walk_field *field, const cell_grid *cells);
/* Nothing where one cannot walk. */
void walk_field_ask(walk_field *field, loam_spot at);
/* From a cell that is not 0. */
void walk_field_fill(walk_field *field, loam_spot from);

/* Of a cell that was asked for, or the farthest. */
uint32_t walk_field_at(const walk_field *field, loam_spot at);

#endif
