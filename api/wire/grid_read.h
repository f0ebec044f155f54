/* SPDX-License-Identifier: MIT
 *
 * grid_read.h: the grid of a world: cell sizes by level, and bounds that every size divides.
 */
#ifndef LOAM_API_WIRE_GRID_READ_H
#define LOAM_API_WIRE_GRID_READ_H

#include "api/wire/document.h"
#include "api/wire/world_document.h"

/* Reads into the level and bounds fields of `to`; faults are noted at their places. */
LOAM_MUST_USE loam_status grid_read(const item *at, world *to);
/* A pair of whole numbers [x, z] of -max..max. */
LOAM_MUST_USE loam_status pair_read(const item *at, int64_t max, int64_t pair[2]);

#endif
