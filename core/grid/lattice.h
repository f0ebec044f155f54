/* SPDX-License-Identifier: MIT
 *
 * lattice.h: mazes on a lattice: places in columns and rows, each with the ways that are open. All
 * algorithms open just enough that every place can be reached in one way alone (a spanning tree);
 * braiding then opens dead ends.
 */
#ifndef LOAM_GRID_LATTICE_H
#define LOAM_GRID_LATTICE_H

#include "core/grid/grid.h"

typedef enum lattice_algorithm {
    LATTICE_BACKTRACKER, /* depth first: long winding ways */
    LATTICE_GROWING,     /* now the newest place, now any: between the two beside it */
    LATTICE_PRIM,        /* any place at the edge of what is open: many short dead ends */
    LATTICE_DIVISION,    /* walls with one gap, again and again: long straight walls */
} lattice_algorithm;

typedef struct lattice_grid {
    int32_t columns, rows;
    uint8_t *links; /* a bit for each way (1 << WAY_...) that is open */
} lattice_grid;

/* Memory of a lattice and of making a maze on it, at most. */
uint64_t lattice_bytes(int32_t columns, int32_t rows);

/* All closed, from the arena. */
LOAM_MUST_USE loam_status lattice_take(int32_t columns, int32_t rows, loam_arena *arena,
                                       lattice_grid *lattice, loam_error *error);

static inline size_t lattice_count(const lattice_grid *lattice) {
    return (size_t)lattice->columns * (size_t)lattice->rows;
}

static inline bool lattice_is_open(const lattice_grid *lattice, size_t place, uint32_t way) {
    return (lattice->links[place] >> way & 1) != 0;
}

/* Opens a tree on a lattice that is all closed. Scratch is given back. */
LOAM_MUST_USE loam_status lattice_maze(lattice_grid *lattice, lattice_algorithm algorithm,
                                       uint64_t key, loam_arena *arena, loam_error *error);

/* Opens a second way from so many of the dead ends, to another dead end where there is one. */
void lattice_braid(lattice_grid *lattice, int64_t percent, uint64_t key);

#endif
