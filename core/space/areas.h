/* SPDX-License-Identifier: MIT
 *
 * areas.h: polygons with holes, as the rest of core sees them: their normal form (for the codec),
 * questions about points (for operations) and what a rectangle can see of them (for build keys).
 *
 * Even-odd within one polygon, any polygon covers; a point on a border is inside. A polygon means
 * the same however its rings are wound, where they start and in which order they stand. Everything
 * is decided on integers and from what areas_key_write writes of the points' rectangle, no more.
 */
#ifndef LOAM_SPACE_AREAS_H
#define LOAM_SPACE_AREAS_H

#include "core/base/bytes.h"
#include "core/base/limits.h"
#include "core/loam.h"

/* What a node wants of areas. Zero: only what is inside. A feature's border matters at distances
 * below its margin + its width; further ones are not looked at. */
typedef struct areas_view {
    int64_t margin_units;
    int64_t width_units;
    bool feature_margin; /* a feature's own margin is added to margin_units */
    bool feature_buffer; /* a feature's own buffer stands in for width_units */
} areas_view;

/* Margin and width together; so that squares of distances times squares of world lengths fit. */
#define AREA_REACH_UNITS_MAX (REACH_UNITS_MAX + 2 * ZONE_MARGIN_UNITS_MAX)

/* Points at (base_x + x[i], base_z + z[i]); columns borrowed for the call. */
typedef struct areas_points {
    int64_t base_x;
    int64_t base_z;
    const int32_t *x;
    const int32_t *z;
    uint32_t count;
} areas_points;

/* inside[i] = 1 where the point is inside a polygon, on its border, or nearer to it than the
 * feature's margin; else 0. Widths are not looked at. Scratch is given back, here and below. */
LOAM_MUST_USE loam_status areas_veto(const loam_areas *areas, const areas_view *view,
                                     const areas_points *points, uint8_t *inside,
                                     loam_arena *scratch);

/* fraction[i] rises from 0 inside, on the border and up to the margin to LOAM_DENSITY_ONE at the
 * width beyond it, linearly and rounded down; the least over all polygons. */
LOAM_MUST_USE loam_status areas_fade(const loam_areas *areas, const areas_view *view,
                                     const areas_points *points, uint32_t *fraction,
                                     loam_arena *scratch);

/* A squared distance is kept in 1/65,536 of a squared unit, so its root is in 1/256 unit. */
#define AREA_DISTANCE2_SCALE 65536
#define AREA_DISTANCE2_NONE UINT64_MAX

/* The nearest border nearer than `limit_units`, over all polygons: distance2[i] rounded down, or
 * AREA_DISTANCE2_NONE; and whether the point is inside any (or on a border). */
LOAM_MUST_USE loam_status areas_nearest(const loam_areas *areas, int64_t limit_units,
                                        const areas_points *points, uint8_t *inside,
                                        uint64_t *distance2, loam_arena *scratch);

/* Points in no polygon. */
#define AREA_FEATURE_NONE UINT32_MAX

/* feature[i]: the first feature of the normal form (so, that of the smallest key) with a polygon
 * that holds the point at least `edge_units` from its own border; AREA_FEATURE_NONE if none. */
LOAM_MUST_USE loam_status areas_cover(const loam_areas *areas, int64_t edge_units,
                                      const areas_points *points, uint32_t *feature,
                                      loam_arena *scratch);

/* How many edges a rectangle sees through a view: each point costs at most so many tests. */
uint32_t areas_edge_count(const loam_areas *areas, const areas_view *view, loam_rect rect);

/* What points of the half-open rectangle can see through a view, as canonical bytes: entries in
 * order, each a polygon with its margin and width (what the view reads of them), the feature's key
 * if asked, whether it holds the rectangle's low corner, and its edges that reach the rectangle.
 * Equal entries are one: polygons that cannot be told apart cover as one does. */
LOAM_MUST_USE loam_status areas_key_write(byte_writer *writer, const loam_areas *areas,
                                          const areas_view *view, loam_rect rect,
                                          bool with_feature_keys, loam_arena *scratch);

#endif
