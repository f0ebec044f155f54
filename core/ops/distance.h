/* SPDX-License-Identifier: MIT
 *
 * distance.h: how far points are from what is bound at a port: a line, the border of an area, or
 * the nearest of other points, which may be an asset's or a node's. Distances are in the ground
 * plane and in 1/65,536 m, roots of squares that were rounded down once.
 */
#ifndef LOAM_OPS_DISTANCE_H
#define LOAM_OPS_DISTANCE_H

#include "core/ops/asked.h"

/* Ports of every operation that measures: whose distance, and to what. */
enum { DISTANCE_POINTS, DISTANCE_TO };
extern const loam_port_schema distance_ports[];
enum { DISTANCE_PORTS = 2 };

/* Beside the rows: places, distances and whether inside. */
enum { DISTANCE_BYTES_EACH = ASKED_BYTES_EACH + 24 };

/* No distance below the limit. */
#define DISTANCE_NONE INT64_MAX

/* distance[k] of asked row k where it is below `limit` units, else DISTANCE_NONE; inside[k] is 1 in
 * an area or on its border, else 0. Both are taken from the arena. */
LOAM_MUST_USE loam_status distance_measure(node_call *call, const asked_points *asked,
                                           int64_t limit, int64_t **distance, uint8_t **inside);

/* What of an asset decides distances below `limit`, as bytes of a key. */
LOAM_MUST_USE loam_status distance_see(int64_t limit, loam_rect rect, const loam_asset *asset,
                                       byte_writer *writer, loam_arena *scratch);
/* What is asked of a port: others within the limit decide, those at it do not. */
loam_rect distance_ask(int64_t limit, uint32_t port, loam_rect rect);
void distance_cost(const loam_node *node, const node_cost *inputs, uint64_t bytes_each,
                   node_cost *cost);

#endif
