/* SPDX-License-Identifier: MIT
 *
 * spatial_filter.c: filter.spatial keeps the points that a spatial value holds. It shares every
 * column of its input but `live`; only living points are asked.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/domain.h"
#include "core/ops/domain_rect.h"

#include <string.h>

enum { SPATIAL_POINTS, SPATIAL_DOMAIN };
enum { SPATIAL_INVERT };

static const loam_port_schema filter_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"domain", LOAM_PORT_SPATIAL, true, DOMAIN_ALSO, false},
};
static const loam_param_schema filter_params[] = {PARAM_INVERT};

static node_domain filter_domain(const loam_node *node, const node_domain *inputs,
                                 const loam_asset *const *assets) {
    (void)assets;
    bool inverted = param_integer(node, SPATIAL_INVERT) != 0;
    return inverted ? inputs[SPATIAL_POINTS]
                    : domain_meet(inputs[SPATIAL_POINTS], inputs[SPATIAL_DOMAIN]);
}

static void filter_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                        node_cost *cost) {
    (void)rect;
    node_cost domain = domain_cost(node, SPATIAL_DOMAIN, inputs);
    cost_of_columns(&inputs[SPATIAL_POINTS], sizeof(uint32_t) + ASKED_BYTES_EACH, cost);
    domain_add_cost(&domain, inputs[SPATIAL_POINTS].candidates, cost);
}

/* Places of the asked rows, one after the other. */
static loam_status take_places(node_call *call, const asked_points *asked, volume_points *places) {
    areas_points flat;
    LOAM_TRY(asked_places(call, asked, &flat));
    *places = (volume_points){flat.base_x, flat.base_z, flat.x, asked->set.y, flat.z, flat.count};
    if (asked->set.lattice == NULL) {
        return LOAM_OK;
    }
    int32_t *y = COLUMN_TAKE(call->arena, asked->count, int32_t);
    LOAM_TRY_MEMORY(y, call->error);
    for (uint32_t k = 0; k < asked->count; k++) {
        y[k] = asked->set.y[asked->rows[k]];
    }
    places->y = y;
    return LOAM_OK;
}

static loam_status filter_evaluate(node_call *call) {
    const volume *domain;
    asked_points asked;
    volume_points places;
    LOAM_TRY(domain_take(call, SPATIAL_DOMAIN, &domain));
    LOAM_TRY(asked_take(call, SPATIAL_POINTS, &asked));
    LOAM_TRY(take_places(call, &asked, &places));
    uint8_t *inside = COLUMN_TAKE(call->arena, asked.count, uint8_t);
    uint32_t *live = COLUMN_TAKE(call->arena, asked.set.count, uint32_t);
    LOAM_TRY_MEMORY(inside, call->error);
    LOAM_TRY_MEMORY(live, call->error);
    LOAM_TRY(domain_hold(call, domain, &places, inside));
    bool invert = param_integer(call->node, SPATIAL_INVERT) != 0;
    memset(live, 0, asked.set.count * sizeof *live);
    for (uint32_t k = 0; k < asked.count; k++) {
        live[asked.rows[k]] = (inside[k] != 0) != invert ? UINT32_MAX : 0;
    }
    *call->out = asked.set;
    call->out->live = live;
    call->path = asked.set.lattice == NULL ? "compact" : "lattice";
    return LOAM_OK;
}

static void filter_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)port;
    (void)row;
    reason->word = param_integer(call->node, SPATIAL_INVERT) != 0 ? "inside" : "outside";
}

const loam_operation filter_spatial_operation = {
    .name = "filter.spatial",
    .version = 1,
    .category = "filters",
    .title = "Spatial filter",
    .description = "Keeps points that a spatial value holds; its surface belongs to it.",
    .reach = "0",
    .ports = filter_ports,
    .port_count = COUNT_OF(filter_ports),
    .params = filter_params,
    .param_count = COUNT_OF(filter_params),
};
const operation_code filter_spatial_code = {.domain = filter_domain,
                                            .cost = filter_cost,
                                            .see = domain_see,
                                            .evaluate = filter_evaluate,
                                            .explain = filter_explain};
