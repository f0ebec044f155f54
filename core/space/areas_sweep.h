/* SPDX-License-Identifier: MIT
 *
 * areas_sweep.h: whether rings cross, in n log n for any input.
 */
#ifndef LOAM_SPACE_AREAS_SWEEP_H
#define LOAM_SPACE_AREAS_SWEEP_H

#include "core/space/areas_parts.h"

typedef struct sweep_result {
    bool crosses;
    int64_t xz[2];  /* where, rounded down to units */
    uint64_t steps; /* edges that were compared with a point or another edge */
} sweep_result;

/* Rings consecutive in memory, of at least three vertices, none equal to its predecessor. */
LOAM_MUST_USE loam_status sweep_rings(const area_ring *rings, uint32_t ring_count,
                                      loam_arena *scratch, sweep_result *result);

#endif
