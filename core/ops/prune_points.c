/* SPDX-License-Identifier: MIT
 *
 * prune_points.c: what everything that prunes has in common: which of the two paths a set takes,
 * the reach and the bound of its tests. self.prune and poisson.sample stand on it.
 */
#include "core/base/try.h"
#include "core/ops/prune.h"

int64_t prune_rule_reach(int64_t conflict, int64_t rounds) {
    return (2 * rounds - 1) * (conflict - 1);
}

/* A test for every pair that a window of three conflict distances can hold, at most every pair: few
 * points search, for most are dead before their turn, so that this is more than is done. */
void prune_add_tests(const node_cost *input, int64_t conflict, node_cost *cost) {
    uint64_t spacing = input->spacing_min > 0 ? (uint64_t)input->spacing_min : 1;
    uint64_t across = 3 * ((uint64_t)conflict / spacing + 1) + 2;
    uint64_t around = multiply_saturated(multiply_saturated(across, across), input->crowd);
    around = around < input->candidates ? around : input->candidates;
    cost->tests = add_saturated(cost->tests, multiply_saturated(input->candidates, around));
}

/* Rows that are accepted and in what was asked. */
static loam_status keep_accepted(node_call *call, const point_set *set, const uint8_t *accepted) {
    uint32_t *rows;
    uint32_t count;
    if (point_set_select_marked(set, accepted, call->rect, call->arena, &rows, &count) != LOAM_OK ||
        point_set_gather(set, rows, count, call->arena, call->out) != LOAM_OK) {
        return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                         loam_status_text(LOAM_ARENA_FULL));
    }
    return LOAM_OK;
}

loam_status prune_points(node_call *call, const point_set *set, const prune_rule *rule) {
    bool dense = !call->run->general_path && prune_lattice_fits(set, rule);
    point_set compact;
    if (!dense) {
        if (point_set_compact(set, call->arena, &compact) != LOAM_OK) {
            return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                             loam_status_text(LOAM_ARENA_FULL));
        }
        set = &compact;
    }
    uint8_t *accepted = COLUMN_TAKE(call->arena, set->count, uint8_t);
    LOAM_TRY_MEMORY(accepted, call->error);
    call->path = dense ? "lattice" : "general";
    LOAM_TRY(dense ? prune_lattice(call, set, rule, accepted)
                   : prune_general(call, set, rule, accepted));
    return keep_accepted(call, set, accepted);
}
