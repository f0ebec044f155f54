/* SPDX-License-Identifier: MIT
 *
 * prune_lattice.c: self.prune on a dense set. Candidates stay inside their own lattice cells, so
 * with R <= 2 s + 1 unit only the 24 sites around one can be in conflict with it: bit words over
 * that stencil take the place of a spatial index, and every round is a few passes over all sites.
 */
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/prune.h"

#include <string.h>

bool prune_lattice_fits(const point_set *set, const prune_rule *rule) {
    return set->lattice != NULL && rule->rank == NULL && rule->radius == NULL &&
           set->lattice->spacing <= PRUNE_LATTICE_SPACING_MAX &&
           rule->conflict <= 2 * (int64_t)set->lattice->spacing + 1;
}

/* Columns over all sites; the border of two rows stays 0 and keeps every look inside. */
typedef struct prune_columns {
    uint32_t *priority, *words;
    uint8_t *undecided, *chosen, *five;
} prune_columns;

static loam_status take_columns(node_call *call, uint32_t count, prune_columns *columns) {
    *columns = (prune_columns){
        .priority = COLUMN_TAKE(call->arena, count, uint32_t),
        .words = COLUMN_TAKE(call->arena, count, uint32_t),
        .undecided = COLUMN_TAKE(call->arena, count, uint8_t),
        .chosen = loam_arena_take_zero(call->arena, column_size(count), 1),
        .five = loam_arena_take_zero(call->arena, column_size(count), 1),
    };
    LOAM_TRY_MEMORY(columns->priority, call->error);
    LOAM_TRY_MEMORY(columns->words, call->error);
    LOAM_TRY_MEMORY(columns->undecided, call->error);
    LOAM_TRY_MEMORY(columns->chosen, call->error);
    LOAM_TRY_MEMORY(columns->five, call->error);
    return LOAM_OK;
}

static void draw_priorities(const point_set *set, const prune_rule *rule,
                            const prune_kernels *kernels, prune_columns columns) {
    const site_lattice *lattice = set->lattice;
    for (uint32_t j = 0; j < lattice->rows; j++) {
        size_t at = (size_t)j * lattice->stride;
        uint64_t row_key = draw_row_key(rule->priority_key, (uint32_t)(lattice->site_z + j));
        kernels->priorities(row_key, (uint32_t)lattice->site_x, set->live + at, lattice->stride,
                            columns.priority + at, columns.undecided + at);
    }
}

/* Rows [LATTICE_BORDER, rows - LATTICE_BORDER), as one run of sites. */
typedef struct inner_rows {
    size_t first;
    uint32_t count;
} inner_rows;

static void run_round(const prune_kernels *kernels, uint32_t stride, inner_rows inner, bool last,
                      prune_columns columns, uint8_t *accepted) {
    size_t at = inner.first;
    const uint32_t *words = columns.words + at;
    kernels->gather_five(columns.undecided + at, inner.count, columns.five + at);
    kernels->accept(words, columns.five + at, stride, columns.undecided + at, inner.count,
                    columns.chosen + at);
    if (last) {
        for (uint32_t i = 0; i < inner.count; i++) {
            accepted[at + i] |= columns.chosen[at + i];
        }
        return;
    }
    kernels->gather_five(columns.chosen + at, inner.count, columns.five + at);
    kernels->settle(words, columns.five + at, stride, columns.chosen + at, inner.count,
                    columns.undecided + at, accepted + at);
}

loam_status prune_lattice(node_call *call, const point_set *set, const prune_rule *rule,
                          uint8_t *accepted) {
    const prune_kernels *kernels = SIMD_SELECT(prune_kernels, call->run->level);
    const site_lattice *lattice = set->lattice;
    prune_columns columns;
    LOAM_TRY(take_columns(call, set->count, &columns));
    memset(accepted, 0, set->count);
    draw_priorities(set, rule, kernels, columns);
    LOAM_TRY(poll_cancel(call));
    inner_rows inner = {(size_t)LATTICE_BORDER * lattice->stride,
                        (lattice->rows - 2 * LATTICE_BORDER) * lattice->stride};
    uint32_t ring = rule->conflict <= (int64_t)lattice->spacing + 1 ? 1 : 2;
    kernels->conflicts(set->x + inner.first, set->z + inner.first, columns.priority + inner.first,
                       lattice->stride, ring, (int32_t)(rule->conflict * rule->conflict),
                       inner.count, columns.words + inner.first);
    for (uint32_t round = 1; round <= rule->rounds; round++) {
        LOAM_TRY(poll_cancel(call));
        run_round(kernels, lattice->stride, inner, round == rule->rounds, columns, accepted);
    }
    return LOAM_OK;
}
