/* SPDX-License-Identifier: MIT
 *
 * bit_reach.h: which cells hang together, by their sides, with some that are given: where only
 * that is asked, and not what lies apart from them. In order: bit_reach_take, bit_reach_start for
 * each of those, bit_reach_run.
 */
#ifndef LOAM_GRID_BIT_REACH_H
#define LOAM_GRID_BIT_REACH_H

#include "core/grid/bit_rows.h"

typedef struct bit_reach {
    const bit_rows *open;
    bit_rows reached;
    bit_rows fresh;  /* reached, and not gone on from yet */
    uint32_t *words; /* that hold any of those, each once */
    uint32_t word_count;
} bit_reach;

/* Memory for a grid of so many cells, at most. */
uint64_t bit_reach_bytes(int32_t width, int32_t height);

/* Nothing is reached; `open` is only read, and must stay. */
LOAM_MUST_USE loam_status bit_reach_take(const bit_rows *open, loam_arena *arena, bit_reach *reach,
                                         loam_error *error);
/* Nothing where the bit is 0, or outside. */
void bit_reach_start(bit_reach *reach, loam_spot at);
/* On from what was started with; `reached` is all of it then. */
void bit_reach_run(bit_reach *reach);

#endif
