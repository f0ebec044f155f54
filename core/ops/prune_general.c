/* SPDX-License-Identifier: MIT
 *
 * prune_general.c: self.prune on any compact set: points into a grid, and in order of priority each
 * to its turn.
 */
#include "core/base/try.h"
#include "core/ops/prune.h"
#include "core/ops/prune_grid.h"

#include <string.h>

/* Turns between two looks at the cancel flag. */
enum { TURNS = 8192 };

static loam_status turns_begin(node_call *call, const point_set *set, const prune_rule *rule,
                               prune_turns *turns) {
    prune_terms terms = {.radius = rule->radius,
                         .radius_all = (int32_t)rule->conflict,
                         .asked_max = (int32_t)(rule->sum ? rule->conflict / 2 : rule->conflict),
                         .sum = rule->sum};
    uint32_t *order;
    LOAM_TRY(prune_grid_build(call, set, &terms, &turns->grid));
    LOAM_TRY(prune_order(call, set, rule, turns->grid.place, &order));
    turns->order = order;
    turns->rounds = rule->rounds;
    turns->fate = loam_arena_take_zero(call->arena, column_size(set->count), 1);
    turns->hits = COLUMN_TAKE(call->arena, set->count, uint32_t);
    LOAM_TRY_MEMORY(turns->fate, call->error);
    LOAM_TRY_MEMORY(turns->hits, call->error);
    return LOAM_OK;
}

loam_status prune_general(node_call *call, const point_set *compact, const prune_rule *rule,
                          uint8_t *accepted) {
    const prune_scan_kernels *kernels = SIMD_SELECT(prune_scan_kernels, call->run->level);
    memset(accepted, 0, compact->count);
    if (compact->count == 0) {
        return LOAM_OK;
    }
    prune_turns turns = {.accepted = accepted};
    LOAM_TRY(turns_begin(call, compact, rule, &turns));
    for (uint32_t first = 0; first < compact->count; first += TURNS) {
        LOAM_TRY(poll_cancel(call));
        uint32_t left = compact->count - first;
        kernels->decide(&turns, first, first + (left < TURNS ? left : TURNS));
        LOAM_TRY(prune_check_tests(call, turns.tests, compact->count));
    }
    return LOAM_OK;
}
