/* SPDX-License-Identifier: MIT
 *
 * sample.h: the lattice of a sampler over a rectangle, and the kernel that places its candidates.
 */
#ifndef LOAM_OPS_SAMPLE_H
#define LOAM_OPS_SAMPLE_H

#include "core/base/simd.h"
#include "core/ops/operation.h"
#include "core/space/heightfield.h"

/* Candidates to place: those in `rect` live, no other does. */
typedef struct sample_request {
    loam_rect rect;
    int64_t spacing; /* units */
    int64_t jitter;  /* 1/65,536 */
    uint32_t density;
} sample_request;

#define SAMPLE_SPACING_UNITS_MAX ((int64_t)1 << 20)

/* A dense set with a base of its own, drawn with the node's seed. Its y and live columns are still
 * the caller's to write; y is not yet set. */
typedef struct sampled_sites {
    point_set set;
    int32_t *y;
    uint32_t *live;
} sampled_sites;

LOAM_MUST_USE loam_status sample_sites(node_call *call, const sample_request *request,
                                       sampled_sites *sites);
/* Heights of sites: all of one; or of a surface, with slopes, and dead outside of it. */
void sample_flat(sampled_sites *sites, int32_t y);
LOAM_MUST_USE loam_status sample_surface(node_call *call, const loam_heightfield *surface,
                                         sampled_sites *sites);
/* Bounds of placing candidates in a rectangle. */
void sample_cost(int64_t spacing, loam_rect rect, node_cost *cost);

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
