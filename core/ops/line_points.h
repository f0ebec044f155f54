/* SPDX-License-Identifier: MIT
 *
 * line_points.h: points along lines while they are made, one after the other, into columns that
 * were taken for as many as there can be: what line.sample and grammar.generate have in common.
 */
#ifndef LOAM_OPS_LINE_POINTS_H
#define LOAM_OPS_LINE_POINTS_H

#include "core/ops/operation.h"

typedef struct line_points {
    loam_rect rect; /* what is asked */
    uint32_t count;
    int32_t *x, *y, *z, *station;
    uint32_t *a, *b;
    uint16_t *yaw;
} line_points;

typedef struct line_point {
    const int64_t *xz; /* units; inside what is asked */
    int64_t station;   /* from where stations are counted, 1/65,536 unit */
    uint64_t origin;
    uint16_t yaw;
} line_point;

/* Columns of `most` points from the node's arena. */
LOAM_MUST_USE loam_status line_points_take(const node_call *call, uint32_t most,
                                           line_points *points);
/* Whether a place lies in what is asked. */
bool line_points_hold(const line_points *points, const int64_t xz[2]);
/* Adds a point, at height 0; returns its row. */
uint32_t line_points_add(line_points *points, const line_point *point);
/* The set of them; what else a point has is the caller's to add. */
point_set line_points_set(const line_points *points, const node_call *call);

/* A length in 1/65,536 unit as an attribute, metres in 1/65,536; beyond 32 km, what an attribute
 * can hold at most. */
int32_t line_attribute_of(int64_t fine);

#endif
