/* SPDX-License-Identifier: MIT
 *
 * cell_checks.h: the checks of a world on cells that are made here. What fails them is written all
 * the same, for whoever mends the graph wants to look at it; the exit code tells.
 */
#ifndef API_CLI_CELL_CHECKS_H
#define API_CLI_CELL_CHECKS_H

#include "api/cli/cell_view.h"
#include "api/cli/offline.h"

/* Judges the cell's points into its verdict; passes where nothing is asked. */
LOAM_MUST_USE loam_status cell_checks_run(const offline_world *offline, const loam_run *run,
                                          offline_cell *cell, loam_error *error);
/* The same from canonical bytes, for a cell that was made earlier. */
LOAM_MUST_USE loam_status cell_checks_read(const offline_world *offline, loam_rect rect,
                                           loam_text bytes, const loam_run *run, offline_cell *cell,
                                           loam_error *error);
/* Whether the world wants its output checked. */
bool cell_checks_wanted(const offline_world *offline);
/* A line on stderr for a cell that failed; true when its world does not only warn. */
bool cell_checks_tell(const offline_world *offline, cell_address address, const offline_cell *cell);

#endif
