/* SPDX-License-Identifier: MIT
 *
 * point_order.h: from the last point set of an evaluation to the points of a cell: only those
 * inside, in canonical order (z, x, y, id), with a palette of the names that are used.
 */
#ifndef LOAM_POINTS_POINT_ORDER_H
#define LOAM_POINTS_POINT_ORDER_H

#include "core/points/point_set.h"

/* The names that asset indices mean. */
typedef struct point_names {
    const loam_text *names;
    uint32_t count;
} point_names;

LOAM_MUST_USE loam_status points_of_cell(const point_set *set, loam_rect rect, point_names names,
                                         loam_arena *arena, loam_points *points);

#endif
