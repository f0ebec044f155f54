/* SPDX-License-Identifier: MIT
 *
 * asked.h: the points of an input that a node is asked for. An input may hold more than one user
 * asked of it, so operations that can fail at a point, or that work on few points with much effort,
 * begin here: points outside the rectangle are dead, and neither cost nor fail.
 */
#ifndef LOAM_OPS_ASKED_H
#define LOAM_OPS_ASKED_H

#include "core/ops/operation.h"
#include "core/space/areas.h"

typedef struct asked_points {
    point_set set;        /* dense when the input is, its other rows dead; else compact */
    const uint32_t *rows; /* of `set`, rising: those that are asked */
    uint32_t count;
} asked_points;

/* All columns of a compact copy, the list of rows, and some attributes. */
enum { ASKED_BYTES_EACH = 120 };

/* Those in the node's own rectangle. */
LOAM_MUST_USE loam_status asked_take(node_call *call, uint32_t port, asked_points *asked);
/* Those in a rectangle, compact, with a base near it. */
LOAM_MUST_USE loam_status asked_compact(node_call *call, uint32_t port, loam_rect rect,
                                        point_set *compact);
/* Places of the asked rows, one after the other. */
LOAM_MUST_USE loam_status asked_places(node_call *call, const asked_points *asked,
                                       areas_points *places);
/* A copy of the density column, to be changed. NULL when the arena is full. */
uint32_t *asked_density(node_call *call, const asked_points *asked);

/* So many points against the edges of areas that the node's rectangle sees: a bound before a
 * question is asked of them. */
LOAM_MUST_USE loam_status areas_tests_check(const node_call *call, const loam_areas *areas,
                                            const areas_view *view, uint32_t count);

/* Fills in the error of a status that came without one. */
loam_status node_fail(const node_call *call, loam_status status);

#endif
