/* SPDX-License-Identifier: MIT
 *
 * open_layout.h: what recipes without rooms end with: a grid of open cells becomes a layout, all of
 * it in one piece, with an entrance and an exit that are far apart.
 */
#ifndef LOAM_LAYOUT_OPEN_LAYOUT_H
#define LOAM_LAYOUT_OPEN_LAYOUT_H

#include "core/grid/grid.h"
#include "core/layout/layout.h"

/* Memory of both functions together, at most. */
uint64_t open_layout_bytes(layout_size size);
uint64_t open_layout_steps(layout_size size);

/* The grid of the layout, all wall, from the arena. */
LOAM_MUST_USE loam_status open_layout_begin(layout_call *call, loam_box box, cell_grid *cells);

/* Joins what is apart by passages of this width, then picks the two cells. With width 0 what is
 * apart stays so, and both may be one cell; else a single cell to walk on is a fault, "too-small".
 * No cell at all is one anyway, "no-floor". */
LOAM_MUST_USE loam_status open_layout_end(layout_call *call, cell_grid *cells, int32_t join_width);

/* Notes why an attempt is no good; the first reason stays. */
void layout_give_up(layout_call *call, const char *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Counts steps; false, and a fault of "budget", when there are too many. */
bool layout_count(layout_call *call, uint64_t steps);

/* LOAM_CANCELLED when somebody asked for it. */
LOAM_MUST_USE loam_status layout_poll(const layout_call *call);

#endif
