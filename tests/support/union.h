/* SPDX-License-Identifier: MIT
 *
 * union.h: the points of many cells as one set that does not depend on how they were cut or
 * ordered, and its smallest distance.
 */
#ifndef LOAM_TESTS_SUPPORT_UNION_H
#define LOAM_TESTS_SUPPORT_UNION_H

#include "core/loam.h"

/* A point in the world, whole. */
typedef struct union_point {
    int64_t x, z;
    uint64_t id;
    uint64_t rest; /* a hash of y, angles, scales, density, asset name, attributes */
} union_point;

typedef struct point_union {
    union_point *points;
    uint32_t count, capacity;
} point_union;

void union_add(point_union *all, const loam_points *points);
/* Sorts by (z, x, id), so that equal unions are equal arrays. */
void union_sort(point_union *all);
/* Index of the first point that differs, or -1. Both sorted. */
int64_t union_difference(const point_union *a, const point_union *b);
/* The smallest squared distance of two points in the ground plane, units; INT64_MAX for fewer than
 * two. Sorted; brute force over a band of z, which shares nothing with pruning. */
int64_t union_distance_squared(const point_union *all, int64_t at_most_units);
void union_fini(point_union *all);

#endif
