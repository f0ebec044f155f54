/* SPDX-License-Identifier: MIT
 *
 * draw_walk.h: draws of one channel over a compact set, in order: a run of points with one b shares
 * a row key.
 */
#ifndef LOAM_OPS_DRAW_WALK_H
#define LOAM_OPS_DRAW_WALK_H

#include "core/base/mix.h"
#include "core/points/point_set.h"

/* `key` is the channel's (draw_key); the rest begins as zero. */
typedef struct draw_walk {
    uint64_t key, row_key;
    uint32_t b;
    bool begun;
} draw_walk;

static inline uint32_t draw_next(draw_walk *walk, const point_set *set, uint32_t i) {
    if (!walk->begun || set->b[i] != walk->b) {
        walk->begun = true;
        walk->b = set->b[i];
        walk->row_key = draw_row_key(walk->key, walk->b);
    }
    return draw_bits(walk->row_key, set->a[i]);
}

#endif
