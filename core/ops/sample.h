/* SPDX-License-Identifier: MIT
 *
 * sample.h: the lattice of a sampler over a rectangle, and the kernel that places its candidates.
 */
#ifndef LOAM_OPS_SAMPLE_H
#define LOAM_OPS_SAMPLE_H

#include "core/base/simd.h"
#include "core/ops/operation.h"

/* What a lattice sampler does, whatever its parameters are called. */
typedef struct sample_rule {
    int64_t spacing;
    int64_t jitter; /* 1/65,536 */
    uint32_t density;
} sample_rule;

/* The columns of a fresh set, written by the samplers and frozen into the set. */
typedef struct fresh_columns {
    int32_t *x, *z, *y;
    uint32_t *live;
} fresh_columns;

/* A dense set of candidates, one a site, as call->out; y is still to be written. */
LOAM_MUST_USE loam_status sample_lattice(node_call *call, const sample_rule *rule,
                                         fresh_columns *columns);
/* Heights of those candidates, and slopes: of a surface, dead outside of it; 0 where it is NULL. */
LOAM_MUST_USE loam_status sample_ground(node_call *call, const loam_asset *surface,
                                        fresh_columns *columns);
/* What it costs, with the columns that a surface adds. */
void sample_lattice_cost(int64_t spacing, loam_rect rect, node_cost *cost);

/* Key bytes of a surface, and of a raster, of which a point reads what lies at its place. */
LOAM_MUST_USE loam_status surface_see(const loam_node *node, uint32_t port, loam_rect rect,
                                      const loam_asset *asset, byte_writer *writer,
                                      loam_arena *scratch);

typedef struct site_row {
    uint64_t key_x, key_z; /* row keys of the two jitters */
    uint32_t first;        /* site of column 0 */
    int32_t spacing;
    uint32_t span;          /* jitter in [0, span) */
    int32_t z;              /* of the row's low side, in the window */
    int32_t x0, z0, x1, z1; /* what was asked, in the window */
} site_row;

typedef struct sample_kernels {
    /* Positions of one row of sites, and whether they lie in what was asked. */
    void (*place)(const site_row *row, uint32_t count, int32_t *restrict x, int32_t *restrict z,
                  uint32_t *restrict live);
} sample_kernels;

SIMD_DECLARE(sample_kernels, sample_kernels);

#endif
