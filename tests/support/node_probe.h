/* SPDX-License-Identifier: MIT
 *
 * node_probe.h: one operation by itself, over points of the test's choice, seen as far as the
 * operation asks or less: how a test shows that a reach is exact.
 */
#ifndef LOAM_TESTS_SUPPORT_NODE_PROBE_H
#define LOAM_TESTS_SUPPORT_NODE_PROBE_H

#include "core/ops/operation.h"
#include "tests/support/graph_world.h"

/* A compact set of points at x, z, x, z, ..., with origins (index, 0). */
point_set probe_points(graph_world *world, const int64_t *xz, uint32_t count);

/* The result of a node of a world for a rectangle, out of those points of `inputs` (one a port,
 * NULL for others) that lie in what it asks of the port, less `less` units on every side. */
point_set probe_run(graph_world *world, const char *node, loam_rect rect,
                    const point_set *const *inputs, int64_t less);

#endif
