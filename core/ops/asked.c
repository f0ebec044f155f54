/* SPDX-License-Identifier: MIT
 *
 * asked.c: see asked.h.
 */
#include "core/ops/asked.h"

#include "core/base/try.h"

#include <string.h>

/* Places stay this near to the base of their set, as the paths of heightfields want them. */
#define BASE_DISTANCE_MAX ((int64_t)1 << 23)

loam_status node_fail(const node_call *call, loam_status status) {
    return status == LOAM_OK
               ? LOAM_OK
               : loam_fail(call->error, status, status == LOAM_ARENA_FULL ? NULL : call->pointer,
                           "%s", loam_status_text(status));
}

static loam_status shift_column(node_call *call, uint32_t count, int64_t shift,
                                const int32_t **column) {
    int32_t *shifted = COLUMN_TAKE(call->arena, count, int32_t);
    LOAM_TRY_MEMORY(shifted, call->error);
    for (uint32_t i = 0; i < count; i++) {
        shifted[i] = (int32_t)((*column)[i] + shift);
    }
    *column = shifted;
    return LOAM_OK;
}

static loam_status bring_base_near(node_call *call, loam_rect rect, point_set *compact) {
    if (rect.x1 - compact->base_x <= BASE_DISTANCE_MAX &&
        rect.z1 - compact->base_z <= BASE_DISTANCE_MAX) {
        return LOAM_OK;
    }
    LOAM_TRY(shift_column(call, compact->count, compact->base_x - rect.x0, &compact->x));
    LOAM_TRY(shift_column(call, compact->count, compact->base_z - rect.z0, &compact->z));
    compact->base_x = rect.x0;
    compact->base_z = rect.z0;
    return LOAM_OK;
}

static loam_status gather_rows(node_call *call, const point_set *in, const uint32_t *rows,
                               uint32_t count, loam_rect rect, point_set *compact) {
    if (count == in->count && in->lattice == NULL) {
        *compact = *in;
        compact->live = NULL;
    } else {
        LOAM_TRY(node_fail(call, point_set_gather(in, rows, count, call->arena, compact)));
    }
    return bring_base_near(call, rect, compact);
}

loam_status asked_compact(node_call *call, uint32_t port, loam_rect rect, point_set *compact) {
    const point_set *in = call->inputs[port];
    uint32_t *rows;
    uint32_t count;
    LOAM_TRY(node_fail(call, point_set_select(in, rect, call->arena, &rows, &count)));
    return gather_rows(call, in, rows, count, rect, compact);
}

loam_status asked_take(node_call *call, uint32_t port, asked_points *asked) {
    const point_set *in = call->inputs[port];
    uint32_t *rows;
    LOAM_TRY(node_fail(call, point_set_select(in, call->rect, call->arena, &rows, &asked->count)));
    asked->rows = rows;
    if (in->lattice == NULL) {
        LOAM_TRY(gather_rows(call, in, rows, asked->count, call->rect, &asked->set));
        for (uint32_t k = 0; k < asked->count; k++) {
            rows[k] = k;
        }
        return LOAM_OK;
    }
    uint32_t *live = COLUMN_TAKE(call->arena, in->count, uint32_t);
    LOAM_TRY_MEMORY(live, call->error);
    memset(live, 0, in->count * sizeof *live);
    for (uint32_t k = 0; k < asked->count; k++) {
        live[rows[k]] = UINT32_MAX;
    }
    asked->set = *in;
    asked->set.live = live;
    return LOAM_OK;
}

loam_status asked_places(node_call *call, const asked_points *asked, areas_points *places) {
    const point_set *set = &asked->set;
    *places = (areas_points){set->base_x, set->base_z, set->x, set->z, asked->count};
    if (set->lattice == NULL) {
        return LOAM_OK;
    }
    int32_t *x = COLUMN_TAKE(call->arena, asked->count, int32_t);
    int32_t *z = COLUMN_TAKE(call->arena, asked->count, int32_t);
    LOAM_TRY_MEMORY(x, call->error);
    LOAM_TRY_MEMORY(z, call->error);
    for (uint32_t k = 0; k < asked->count; k++) {
        x[k] = set->x[asked->rows[k]];
        z[k] = set->z[asked->rows[k]];
    }
    places->x = x;
    places->z = z;
    return LOAM_OK;
}

uint32_t *asked_density(node_call *call, const asked_points *asked) {
    const point_set *set = &asked->set;
    uint32_t *density = COLUMN_TAKE(call->arena, set->count, uint32_t);
    for (uint32_t i = 0; density != NULL && i < set->count; i++) {
        density[i] = set->density == NULL ? set->density_all : set->density[i];
    }
    return density;
}

loam_status areas_tests_check(const node_call *call, const loam_areas *areas,
                              const areas_view *view, uint32_t count) {
    uint64_t tests = multiply_saturated(areas_edge_count(areas, view, call->rect), count);
    if (tests > TESTS_PER_CELL_MAX) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                         "%llu segment tests are more than %llu; use smaller cells or simpler "
                         "areas",
                         (unsigned long long)tests, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    return LOAM_OK;
}
