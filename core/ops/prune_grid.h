/* SPDX-License-Identifier: MIT
 *
 * prune_grid.h: points that compete for room, found by place. They stand in buckets, a grid of them
 * for each class of radii (a class doubles), so that many small ones near a few large ones cost
 * what they cost alone. Neighbouring buckets of a row are one run of columns: a search is a few
 * runs, each looked at LANES rivals at a time.
 */
#ifndef LOAM_OPS_PRUNE_GRID_H
#define LOAM_OPS_PRUNE_GRID_H

#include "core/base/simd.h"
#include "core/ops/prune.h"

/* Classes by the highest bit of a radius, which is below 2^31. */
enum { PRUNE_CLASSES_MAX = 31 };
/* Rivals that are looked at together; columns reach so far beyond their end. */
enum { PRUNE_LANES = 16 };
/* Conflict distances up to here have squares that add up in int32. */
enum { PRUNE_NARROW_MAX = 32767 };

/* The buckets of one class. */
typedef struct prune_class {
    uint32_t *start;      /* columns * rows + 1: indices of rivals */
    uint32_t first, last; /* its rivals */
    int32_t columns, rows;
    uint64_t inverse; /* 2^32 / side: buckets by multiplication */
    int32_t radius;   /* the largest */
} prune_class;

/* Two rivals conflict below a distance made of their radii. */
typedef struct prune_grid {
    uint32_t count;
    const int32_t *x, *z;
    const int32_t *radius;
    const uint32_t *row;    /* of the set, by rival */
    const uint32_t *place;  /* rival, by row */
    int32_t x0, z0, x1, z1; /* least and largest place */
    bool sum;               /* below the sum of two radii, not below the larger */
    bool wide;              /* a conflict distance is beyond PRUNE_NARROW_MAX */
    uint32_t class_count;
    prune_class classes[PRUNE_CLASSES_MAX];
} prune_grid;

/* What makes rivals of points. */
typedef struct prune_terms {
    const int32_t *radius; /* a row's own, at least 1; NULL: `radius_all` */
    int32_t radius_all;
    int32_t asked_max; /* the largest radius that a search comes with */
    bool sum;
} prune_terms;

/* Sorts the points of a compact set into buckets; memory is the call's. */
LOAM_MUST_USE loam_status prune_grid_build(node_call *call, const point_set *set,
                                           const prune_terms *terms, prune_grid *grid);

/* Rivals in order of priority: rank, draw, (b, a) as signed numbers, id, the largest first. `place`
 * is where a row stands in the grid. */
LOAM_MUST_USE loam_status prune_order(node_call *call, const point_set *set, const prune_rule *rule,
                                      const uint32_t *place, uint32_t **order);

/* What became of a rival: a mark (1 << round - 1) for every round in which a blow fell on it, of
 * which the first killed it; and whether its turn is over. */
enum { FATE_OVER = 128 };
_Static_assert(1 << PRUNE_ROUNDS_MAX <= FATE_OVER, "marks of rounds fit beside it");

/* Turns that are searched for together, and pieces of runs in a search of them all. */
enum { PRUNE_BATCH = 64, PRUNE_PIECES = 1024 };

typedef struct prune_turns {
    prune_grid grid;
    const uint32_t *order; /* rivals by priority */
    uint32_t rounds;
    uint8_t *fate;     /* by rival */
    uint8_t *accepted; /* by row */
    uint32_t *hits;    /* room for all rivals */
    uint64_t tests;    /* rivals looked at so far */
} prune_turns;

/* Plans bound tests by how close lattices are; given points, copies and attributes may crowd more,
 * so that what is done is counted too. */
LOAM_MUST_USE loam_status prune_check_tests(const node_call *call, uint64_t tests, uint32_t points);

typedef struct prune_scan_kernels {
    /* Takes the turns order[first .. last); ends early past TESTS_PER_CELL_MAX tests. */
    void (*decide)(prune_turns *turns, uint32_t first, uint32_t last);
    /* near[i] = 1 where a rival is in conflict with place i of that radius; else 0. Returns how
     * many rivals were looked at. */
    uint64_t (*look)(const prune_grid *grid, const int32_t *x, const int32_t *z,
                     const int32_t *radius, uint32_t count, uint8_t *near);
} prune_scan_kernels;

SIMD_DECLARE(prune_scan_kernels, prune_scan_kernels);

static inline int32_t prune_conflict(bool sum, int32_t one, int32_t other) {
    return sum ? one + other : one > other ? one : other;
}

/* Rises with the distance from the low border, which is all that windows need. */
static inline int32_t prune_bucket_along(const prune_class *class, int32_t distance) {
    return (int32_t)(((uint64_t)distance * class->inverse) >> 32);
}

#endif
