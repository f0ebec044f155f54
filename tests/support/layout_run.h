/* SPDX-License-Identifier: MIT
 *
 * layout_run.h: one attempt of a layout recipe, from parameters in JSON, as core/dungeon runs it:
 * with the memory and the steps that the recipe says are enough, and no more.
 */
#ifndef LOAM_TESTS_SUPPORT_LAYOUT_RUN_H
#define LOAM_TESTS_SUPPORT_LAYOUT_RUN_H

#include "core/grid/grid.h"
#include "core/layout/layout.h"

typedef struct layout_run {
    const loam_spot *reserved; /* set before a run, or none */
    uint32_t reserved_count;
    const int *cancel; /* or NULL */
    loam_arena values, memory;
    layout_call call;
    loam_layout layout;
    loam_error error;
    uint64_t bytes; /* that the recipe asked for */
} layout_run;

/* Room for parameters and for results of so many bytes. */
void layout_run_init(layout_run *run, size_t bytes);

/* Reads and checks parameters, then makes the layout; what was there before is gone. */
loam_status layout_run_make(layout_run *run, const loam_recipe *recipe, const recipe_code *code,
                            const char *params, uint64_t seed);

/* The layout's cells; and how many walk regions they have, by a plain flood. */
cell_grid layout_run_cells(const layout_run *run);
uint32_t layout_run_regions(const layout_run *run);
uint32_t layout_run_open(const layout_run *run);

/* Whether entrance and exit are two cells that one can walk on. */
bool layout_run_has_ends(const layout_run *run);

/* Rows of '#', '.' and '+', a line each, in memory that the next call writes over. */
const char *layout_run_text(const layout_run *run);

#endif
