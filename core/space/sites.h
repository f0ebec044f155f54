/* SPDX-License-Identifier: MIT
 *
 * sites.h: given points (an asset of kind points) as the rest of core sees them: their normal form,
 * those of a rectangle, how far other points are from them, and what a rectangle sees of them as
 * bytes of a build key.
 */
#ifndef LOAM_SPACE_SITES_H
#define LOAM_SPACE_SITES_H

#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/loam.h"
#include "core/space/areas.h"

/* Builds what has been in normal form: keys stay what they are, even where they should be alike. */
LOAM_MUST_USE loam_status sites_restore(const loam_sites_source *source, loam_arena *arena,
                                        const loam_sites **sites, loam_error *error);

/* The nearest point nearer than `limit_units`, in the ground plane: distance2[i] in
 * 1/AREA_DISTANCE2_SCALE squared unit, or AREA_DISTANCE2_NONE. Looks at what lies within
 * limit_units - 1. Scratch is given back. */
LOAM_MUST_USE loam_status sites_nearest(const loam_sites *sites, int64_t limit_units,
                                        const areas_points *points, uint64_t *distance2,
                                        loam_arena *scratch);

/* Numbers of the points inside the half-open rectangle grown by `reach_units`, rising; memory is
 * the arena's. */
LOAM_MUST_USE loam_status sites_collect(const loam_sites *sites, loam_rect rect,
                                        int64_t reach_units, loam_arena *arena, uint32_t **numbers,
                                        uint32_t *count);
/* How many they are. */
uint32_t sites_count_inside(const loam_sites *sites, loam_rect rect, int64_t reach_units);

/* The least half-open rectangle that holds all points; empty when there are none. */
loam_rect sites_bounds(const loam_sites *sites);

/* What a node reads of points. */
typedef enum sites_what {
    SITES_PLACES, /* x and z, equal ones once */
    SITES_ALL,    /* also y, keys and properties */
} sites_what;

/* What points of the half-open rectangle can see within `reach_units`, as canonical bytes
 * (FORMAT.md). Scratch is given back. */
LOAM_MUST_USE loam_status sites_key_write(byte_writer *writer, const loam_sites *sites,
                                          loam_rect rect, int64_t reach_units, sites_what what,
                                          loam_arena *scratch);

#endif
