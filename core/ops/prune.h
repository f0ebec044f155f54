/* SPDX-License-Identifier: MIT
 *
 * prune.h: the two paths of self.prune. Both run the same rounds: every point has a fixed priority;
 * in a round a live point without a live conflicting point of higher priority is accepted, then
 * every live point in conflict with an accepted one dies; what is undecided after the last round is
 * dropped. Acceptance in round k depends on points within (2k-1) links of the point, a link being
 * at most R - 1 units, and on nothing else: that is the reach, and why cells agree.
 *
 * Source of the rounds: Luby, "A Simple Parallel Algorithm for the Maximal Independent Set Problem"
 * (1986), with one random priority fixed for all rounds.
 */
#ifndef LOAM_OPS_PRUNE_H
#define LOAM_OPS_PRUNE_H

#include "core/base/simd.h"
#include "core/ops/operation.h"

/* A conflict word has a bit for each site of the 5 x 5 around its own, west to east, south to
 * north. */
enum { STENCIL_SIDE = 5, STENCIL_CENTRE = 12 };

/* The lattice path needs sums of two squares of three spacings in int32. */
enum { PRUNE_LATTICE_SPACING_MAX = 8192 };

typedef struct prune_rule {
    int64_t conflict; /* R: the largest distance below which two points are in conflict; units */
    uint32_t rounds;  /* K */
    uint64_t priority_key;
    const uint32_t *rank;  /* a priority above the random one, a row; NULL: none */
    const int32_t *radius; /* a row's own, units; NULL: all conflict below R */
    bool sum;              /* radii add up; else the larger one counts */
} prune_rule;

/* How far the rounds look: what is asked beyond the rectangle. */
int64_t prune_rule_reach(int64_t conflict, int64_t rounds);

/* Prunes a set, on whichever path can; `call->out` are those accepted in what was asked. Columns of
 * the rule are those of `set`, which is compact when there are any. */
LOAM_MUST_USE loam_status prune_points(node_call *call, const point_set *set,
                                       const prune_rule *rule);

/* The cost of pruning what `input` offers; adds to `cost`, which counts the columns. */
void prune_add_tests(const node_cost *input, int64_t conflict, node_cost *cost);

/* Whether the lattice path can take a set. */
bool prune_lattice_fits(const point_set *set, const prune_rule *rule);
/* Marks the accepted rows with 1. */
LOAM_MUST_USE loam_status prune_lattice(node_call *call, const point_set *set,
                                        const prune_rule *rule, uint8_t *accepted);
LOAM_MUST_USE loam_status prune_general(node_call *call, const point_set *compact,
                                        const prune_rule *rule, uint8_t *accepted);

/* Why a point was not accepted: its distance to the nearest accepted one in conflict with it. How
 * far such a one can be. */
void prune_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason);
int64_t prune_explain_reach(const loam_node *node);

/* A random priority in [1, 2^30]; 0 is a dead site. */
static inline uint32_t priority_of(uint32_t bits) {
    return (bits >> 2) + 1u;
}

typedef struct prune_kernels {
    /* priority[i] of one row of sites, 0 where dead; undecided[i] is 0 or 1. */
    void (*priorities)(uint64_t row_key, uint32_t first, const uint32_t *restrict live,
                       uint32_t count, uint32_t *restrict priority, uint8_t *restrict undecided);
    /* Conflict words of sites [0, count): which neighbours are closer than R and win. The columns
     * must reach `ring` rows and columns beyond. ring is 1 or 2. */
    void (*conflicts)(const int32_t *restrict x, const int32_t *restrict z,
                      const uint32_t *restrict priority, uint32_t stride, uint32_t ring,
                      int32_t conflict_squared, uint32_t count, uint32_t *restrict words);
    /* five[i] = bits of flags[i-2 .. i+2] */
    void (*gather_five)(const uint8_t *restrict flags, uint32_t count, uint8_t *restrict five);
    /* chosen[i] = undecided[i] and no flagged site wins over it */
    void (*accept)(const uint32_t *restrict words, const uint8_t *restrict five, uint32_t stride,
                   const uint8_t *restrict undecided, uint32_t count, uint8_t *restrict chosen);
    /* accepted |= chosen; undecided &= not chosen and in no conflict with a chosen one */
    void (*settle)(const uint32_t *restrict words, const uint8_t *restrict five, uint32_t stride,
                   const uint8_t *restrict chosen, uint32_t count, uint8_t *restrict undecided,
                   uint8_t *restrict accepted);
} prune_kernels;

SIMD_DECLARE(prune_kernels, prune_kernels);

#endif
