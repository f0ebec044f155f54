/* SPDX-License-Identifier: MIT
 *
 * prune_bounds.c: bounds.prune drops points that are too close to any of another set. Who is
 * dropped does not depend on the rest of its own set, so only the other one is asked for around the
 * rectangle.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/prune_grid.h"

#include <string.h>

enum { BOUNDS_POINTS, BOUNDS_AGAINST };
enum { BOUNDS_DISTANCE, BOUNDS_INVERT };

/* Place, distance and mark of a point, beside its columns; a rival of the other set. */
enum { BOUNDS_BYTES_EACH = ASKED_BYTES_EACH + 48, AGAINST_BYTES_EACH = ASKED_BYTES_EACH + 48 };

static const loam_port_schema bounds_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"against", LOAM_PORT_POINTS, true, 0, true},
};

static const loam_param_schema bounds_params[] = {
    PARAM("distance_m", "Distance", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO | LOAM_PARAM_ATTRIBUTE, 0,
          1, 1 << 18, 16, "Points closer than this to any of the others are dropped."),
    PARAM_INVERT,
};

static loam_status bounds_check(const loam_node *node, const char *pointer, loam_error *error) {
    return attribute_source_check(node, BOUNDS_DISTANCE, pointer, error);
}

static int64_t bounds_reach(const loam_node *node) {
    return param_most(node, BOUNDS_DISTANCE) - 1;
}

static loam_rect bounds_ask(const loam_node *node, uint32_t port, loam_rect rect) {
    int64_t reach = port == BOUNDS_AGAINST ? bounds_reach(node) : 0;
    return (loam_rect){rect.x0 - reach, rect.z0 - reach, rect.x1 + reach, rect.z1 + reach};
}

static void bounds_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                        node_cost *cost) {
    (void)rect;
    const node_cost *against = &inputs[BOUNDS_AGAINST];
    cost_of_columns(&inputs[BOUNDS_POINTS], BOUNDS_BYTES_EACH, cost);
    cost->bytes =
        add_saturated(cost->bytes, multiply_saturated(against->candidates, AGAINST_BYTES_EACH));
    uint64_t spacing = against->spacing_min > 0 ? (uint64_t)against->spacing_min : 1;
    uint64_t across = 3 * ((uint64_t)param_most(node, BOUNDS_DISTANCE) / spacing + 1) + 2;
    uint64_t around = multiply_saturated(multiply_saturated(across, across), against->crowd);
    around = around < against->candidates ? around : against->candidates;
    cost->tests = multiply_saturated(cost->candidates, around);
}

/* Points that ask, with the base of the other set. */
typedef struct askers {
    int32_t *x, *z, *distance;
    uint8_t *near;
} askers;

static loam_status take_askers(node_call *call, const asked_points *asked, const point_set *against,
                               askers *made) {
    areas_points places;
    param_column distance;
    LOAM_TRY(asked_places(call, asked, &places));
    LOAM_TRY(param_column_read(call, &asked->set, BOUNDS_DISTANCE, &distance));
    *made = (askers){COLUMN_TAKE(call->arena, asked->count, int32_t),
                     COLUMN_TAKE(call->arena, asked->count, int32_t),
                     COLUMN_TAKE(call->arena, asked->count, int32_t),
                     COLUMN_TAKE(call->arena, asked->count, uint8_t)};
    LOAM_TRY_MEMORY(made->x, call->error);
    LOAM_TRY_MEMORY(made->z, call->error);
    LOAM_TRY_MEMORY(made->distance, call->error);
    LOAM_TRY_MEMORY(made->near, call->error);
    int64_t shift_x = places.base_x - against->base_x, shift_z = places.base_z - against->base_z;
    for (uint32_t k = 0; k < asked->count; k++) {
        made->x[k] = (int32_t)(places.x[k] + shift_x);
        made->z[k] = (int32_t)(places.z[k] + shift_z);
        made->distance[k] = (int32_t)param_at(&distance, asked->rows[k]);
    }
    return LOAM_OK;
}

static loam_status look_around(node_call *call, const point_set *against, uint32_t count,
                               askers *asking) {
    enum { BLOCK = 512 };
    const prune_scan_kernels *kernels = SIMD_SELECT(prune_scan_kernels, call->run->level);
    const prune_terms terms = {.radius_all = 1,
                               .asked_max = (int32_t)param_most(call->node, BOUNDS_DISTANCE)};
    prune_grid grid;
    uint64_t tests = 0;
    LOAM_TRY(prune_grid_build(call, against, &terms, &grid));
    for (uint32_t first = 0; first < count; first += BLOCK) {
        uint32_t left = count - first < BLOCK ? count - first : BLOCK;
        LOAM_TRY(poll_cancel(call));
        tests += kernels->look(&grid, asking->x + first, asking->z + first,
                               asking->distance + first, left, asking->near + first);
        LOAM_TRY(prune_check_tests(call, tests, against->count));
    }
    return LOAM_OK;
}

static loam_status bounds_evaluate(node_call *call) {
    asked_points asked;
    point_set against;
    askers asking;
    LOAM_TRY(asked_take(call, BOUNDS_POINTS, &asked));
    LOAM_TRY(asked_compact(call, BOUNDS_AGAINST, bounds_ask(call->node, BOUNDS_AGAINST, call->rect),
                           &against));
    LOAM_TRY(take_askers(call, &asked, &against, &asking));
    LOAM_TRY(look_around(call, &against, asked.count, &asking));
    uint32_t *live = COLUMN_TAKE(call->arena, asked.set.count, uint32_t);
    LOAM_TRY_MEMORY(live, call->error);
    memset(live, 0, asked.set.count * sizeof *live);
    uint8_t dropped = param_integer(call->node, BOUNDS_INVERT) != 0 ? 0 : 1;
    for (uint32_t k = 0; k < asked.count; k++) {
        live[asked.rows[k]] = asking.near[k] != dropped ? UINT32_MAX : 0;
    }
    *call->out = asked.set;
    call->out->live = live;
    call->path = asked.set.lattice == NULL ? "compact" : "lattice";
    return LOAM_OK;
}

static void bounds_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)port;
    (void)row;
    reason->word = param_integer(call->node, BOUNDS_INVERT) != 0 ? "far" : "near";
}

const loam_operation bounds_prune_operation = {
    .name = "bounds.prune",
    .version = 1,
    .category = "filters",
    .title = "Bounds prune",
    .description = "Drops points that are closer than a distance to any point of another set.",
    .reach = "distance - 1 unit, of the other set",
    .ports = bounds_ports,
    .port_count = COUNT_OF(bounds_ports),
    .params = bounds_params,
    .param_count = COUNT_OF(bounds_params),
};
const operation_code bounds_prune_code = {.check = bounds_check,
                                          .reach = bounds_reach,
                                          .ask = bounds_ask,
                                          .cost = bounds_cost,
                                          .evaluate = bounds_evaluate,
                                          .explain = bounds_explain};
