/* SPDX-License-Identifier: MIT
 *
 * domain.h: what operations do with a port that takes a spatial value. Such a port also takes a
 * slot of areas, which stand for an infinite prism, and of a heightfield, which stands for the
 * half-space on it and below.
 */
#ifndef LOAM_OPS_DOMAIN_H
#define LOAM_OPS_DOMAIN_H

#include "core/ops/operation.h"

/* Kinds of slots that stand for spatial values. */
#define DOMAIN_ALSO ((uint16_t)(1u << LOAM_PORT_AREAS | 1u << LOAM_PORT_HEIGHTFIELD))

/* Of one row: place, mark and row number. */
enum { DOMAIN_BYTES_EACH = 24 };

/* The value at a port. Two ports of one value give one value. */
LOAM_MUST_USE loam_status domain_take(node_call *call, uint32_t port, const volume **domain);
/* Its parts, tests of a point and extent, known without the asset. */
node_cost domain_cost(const loam_node *node, uint32_t port, const node_cost *inputs);
/* What asking `count` points costs beside their columns. */
void domain_add_cost(const node_cost *domain, uint64_t count, node_cost *cost);
/* Key bytes of a slot at such a port: its kind, and what of it the rectangle sees. */
LOAM_MUST_USE loam_status domain_see(const loam_node *node, uint32_t port, loam_rect rect,
                                     const loam_asset *asset, byte_writer *writer,
                                     loam_arena *scratch);
/* inside[i] = 1 where the domain holds a point of the node's rectangle. Fails before the work when
 * areas and lines in sight would take too many tests. */
LOAM_MUST_USE loam_status domain_hold(node_call *call, const volume *domain,
                                      const volume_points *points, uint8_t *inside);

#endif
