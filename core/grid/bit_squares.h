/* SPDX-License-Identifier: MIT
 *
 * bit_squares.h: which squares of a grid are all 1, without looking at one: a cell stands for the
 * square whose north-western cell it is.
 */
#ifndef LOAM_GRID_BIT_SQUARES_H
#define LOAM_GRID_BIT_SQUARES_H

#include "core/grid/bit_rows.h"

/* From squares of side a to those of side a + b, b at most a: four of them, b apart, cover it.
 * Two grids of one size. Returns whether any is left. */
bool bit_squares_grow(const bit_rows *from, int32_t by, bit_rows *to);

/* The side of the largest square. `squares` holds those of side 1, and `scratch` two grids. */
int32_t bit_squares_largest(const bit_rows *squares, bit_rows scratch[2]);

/* How many cells have exactly one 1 beside them, of those that are 1. */
uint64_t bit_ends_count(const bit_rows *rows);

/* Cells, pairs side by side and blocks of two by two: their sum with signs + - + is how many
 * 4-connected parts there are less how many holes. */
int64_t bit_euler(const bit_rows *rows);

#endif
