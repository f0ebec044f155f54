/* SPDX-License-Identifier: MIT
 *
 * links.h: which points are joined: the exact Delaunay triangulation of a set of points with whole
 * coordinates, its shortest spanning tree, and the rest of it in an order that the seed shuffles.
 *
 * All of it is a function of the set: ties are broken by places, never by the order in which points
 * come. Sources: Guibas and Stolfi 1985 (divide and conquer over quad-edges); Kruskal 1956.
 */
#ifndef LOAM_GRID_LINKS_H
#define LOAM_GRID_LINKS_H

#include "core/loam_dungeon.h"

/* Largest difference of coordinates. The in-circle sum is below 12 * SPAN^4 < 2^63. Doubled centres
 * of a map of 8,192 cells are 16,384 apart. */
#define LINKS_SPAN_MAX 29570

/* Points of one set: quad-edges take 100 bytes a point. */
#define LINKS_POINTS_MAX 65536u

typedef struct point_link {
    uint32_t a, b; /* indices of points, a < b */
    int64_t length2;
    uint64_t place; /* the lower rank of both points in order of (x, y) << 32 | the higher */
} point_link;

typedef struct link_list {
    point_link *links; /* by (length2, place) */
    uint32_t count;
} link_list;

/* The edges of the triangulation. Collinear points give a chain; of four on a circle the diagonal
 * follows from their order by (x, y). Points at one place are joined to the first of them by a link
 * of length 0. The list stays in the arena, scratch is given back. */
LOAM_MUST_USE loam_status links_triangulate(const loam_spot *points, uint32_t count,
                                            loam_arena *arena, link_list *list, loam_error *error);

/* Puts links in order of (length2, place). */
LOAM_MUST_USE loam_status links_sort(link_list *list, loam_arena *arena, loam_error *error);

/* Marks the links of the shortest spanning tree; `in_tree` has room for all of them. Takes links in
 * their order, so that any list may be given. */
LOAM_MUST_USE loam_status links_tree(const link_list *list, uint32_t point_count, loam_arena *arena,
                                     bool *in_tree, loam_error *error);

/* Indices of the links that are not marked, in hash order of (seed, place): the order in which
 * loops are made of them. `order` stays in the arena. */
LOAM_MUST_USE loam_status links_shuffle(const link_list *list, const bool *in_tree, uint64_t seed,
                                        loam_arena *arena, uint32_t **order, uint32_t *count,
                                        loam_error *error);

/* How many of `count` links percent is, floored. */
static inline uint32_t links_share(uint32_t count, int64_t percent) {
    return (uint32_t)((int64_t)count * percent / 100);
}

/* Sets of joined things, the lower root stays. */
uint32_t union_root(uint32_t *parents, uint32_t item);
/* False when both are in one set already. */
bool union_join(uint32_t *parents, uint32_t a, uint32_t b);

#endif
