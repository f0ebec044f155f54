/* SPDX-License-Identifier: MIT
 *
 * copy_pairs.h: the copies of copy.points, each of a source and a target: copy.c finds them,
 * copy_columns.c gives them what their points have.
 */
#ifndef LOAM_OPS_COPY_PAIRS_H
#define LOAM_OPS_COPY_PAIRS_H

#include "core/base/mix.h"
#include "core/ops/operation.h"

enum { COPY_SOURCE, COPY_TARGET };
enum { COPY_METADATA, COPY_MAX_POINTS, COPY_TARGET_SCALE_MAX };
enum { OF_SOURCE, OF_TARGET, OF_BOTH };
#define COPY_SCALE_MOST UINT16_MAX

/* Both inputs, compact, and which of them each copy is of. */
typedef struct copy_pairs {
    point_set source, target;
    const uint64_t *source_ids, *target_ids;
    uint32_t *from, *to; /* rows of source and target */
    int32_t *x, *z;      /* from the rectangle's low corner */
    uint32_t count;
} copy_pairs;

static inline uint16_t scale_at(const uint16_t *scale, uint32_t i) {
    return scale == NULL ? LOAM_SCALE_ONE : scale[i];
}

/* A set's scale along z, and along y: its own where it has them, else that along x. */
static inline uint16_t scale_z_at(const point_set *set, uint32_t i) {
    return scale_at(set->scale_z != NULL ? set->scale_z : set->scale, i);
}

static inline uint16_t scale_y_at(const point_set *set, uint32_t i) {
    return scale_at(set->scale_y != NULL ? set->scale_y : set->scale, i);
}

static inline uint64_t copy_id(uint64_t key, uint64_t target_id, uint64_t source_id) {
    return mix_pair(mix_pair(key, target_id), source_id);
}

/* All columns of `out` but x and z. */
LOAM_MUST_USE loam_status copy_columns_put(node_call *call, copy_pairs *pairs, point_set *out);

#endif
