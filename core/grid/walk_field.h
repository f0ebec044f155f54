/* SPDX-License-Identifier: MIT
 *
 * walk_field.h: how many steps it is from one cell to every other, by the four sides, through all
 * cells that are not 0; and two cells that are far apart.
 */
#ifndef LOAM_GRID_WALK_FIELD_H
#define LOAM_GRID_WALK_FIELD_H

#include "core/grid/grid.h"

/* No way there, and no cell to walk on; all that is reached is below both. */
#define WALK_UNREACHED (UINT32_MAX - 1)
#define WALK_CLOSED UINT32_MAX

/* Steps lie on a grid with a closed ring around it: of (x, y) at (y + 1) * stride + x + 1. They are
 * one more than they count, which makes 0 of a closed cell: see walk_field_fill. */
typedef struct walk_field {
    size_t stride;
    uint32_t *steps;
    uint32_t *queue; /* the places reached, nearest first */
    size_t reached;
} walk_field;

/* Memory of the field of so many cells. */
uint64_t walk_field_bytes(int32_t width, int32_t height);

LOAM_MUST_USE loam_status walk_field_take(const cell_grid *cells, loam_arena *arena,
                                          walk_field *field, loam_error *error);
/* Fills the field from a cell that is not 0. */
void walk_field_fill(walk_field *field, const cell_grid *cells, loam_spot from);

static inline uint32_t walk_field_at(const walk_field *field, loam_spot at) {
    return field->steps[((size_t)at.y + 1) * field->stride + (size_t)at.x + 1] - 1;
}

/* The farthest cell; the first of them row by row. */
loam_spot walk_field_farthest(const walk_field *field);

#endif
