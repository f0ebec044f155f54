/* SPDX-License-Identifier: MIT
 *
 * zone_buffer.c: zone.buffer, the soft border of zones: density falls to 0 towards what
 * zone.exclude with the same margin vetoes. It comes before pruning, so that what is thinned leaves
 * no holes of its own. Zones do not grow the rectangle asked: a zone's own bounds grow.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/combine.h"
#include "core/ops/curve.h"

enum { BUFFER_POINTS, BUFFER_ZONES };
enum { BUFFER_WIDTH, BUFFER_MARGIN, BUFFER_CURVE, BUFFER_INVERT };

/* Beside the rows: places, fractions, the new density. */
enum { BUFFER_BYTES_EACH = ASKED_BYTES_EACH + 16 };

#define WIDTH_UNITS_INITIAL (4 * LOAM_UNITS_PER_METRE)

static const loam_port_schema buffer_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"zones", LOAM_PORT_AREAS, true, 0, false},
};

static const loam_param_schema buffer_params[] = {
    PARAM("width_m", "Width", "m", FLOAT, BITS_UNITS, 0, WIDTH_UNITS_INITIAL, 0,
          ZONE_MARGIN_UNITS_MAX, 64,
          "Density is full so far outward; a feature's own buffer_m stands in for it."),
    PARAM("margin_m", "Margin", "m", FLOAT, BITS_UNITS, LOAM_PARAM_ROUND_UP, 0, 0,
          ZONE_MARGIN_UNITS_MAX, 64,
          "Density is 0 up to this distance from a zone; a feature's own margin_m adds to it."),
    PARAM_CHOICE("curve", "Curve", CURVE_LINEAR, curve_choices, 2,
                 "Shape of the way from none to full density."),
    PARAM("invert", "Invert", "", BOOL, 0, 0, 0, 0, 1, 1,
          "Full density inside, none from the width on."),
};

static areas_view buffer_view(const loam_node *node) {
    return (areas_view){.margin_units = param_integer(node, BUFFER_MARGIN),
                        .width_units = param_integer(node, BUFFER_WIDTH),
                        .feature_margin = true,
                        .feature_buffer = true};
}

static void buffer_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                        node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[BUFFER_POINTS], BUFFER_BYTES_EACH, cost);
}

static loam_status buffer_see(const loam_node *node, uint32_t port, loam_rect rect,
                              const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    areas_view view = buffer_view(node);
    return areas_key_write(writer, asset->areas, &view, rect, false, scratch);
}

static loam_status buffer_evaluate(node_call *call) {
    const loam_areas *areas = call->assets[BUFFER_ZONES]->areas;
    areas_view view = buffer_view(call->node);
    asked_points asked;
    areas_points places;
    LOAM_TRY(asked_take(call, BUFFER_POINTS, &asked));
    LOAM_TRY(asked_places(call, &asked, &places));
    LOAM_TRY(areas_tests_check(call, areas, &view, asked.count));
    uint32_t *fraction = COLUMN_TAKE(call->arena, asked.count, uint32_t);
    uint32_t *density = asked_density(call, &asked);
    LOAM_TRY_MEMORY(fraction, call->error);
    LOAM_TRY_MEMORY(density, call->error);
    LOAM_TRY(node_fail(call, areas_fade(areas, &view, &places, fraction, call->arena)));
    const loam_value *curve = &call->node->params[BUFFER_CURVE];
    bool invert = param_integer(call->node, BUFFER_INVERT) != 0;
    for (uint32_t k = 0; k < asked.count; k++) {
        uint32_t *at = &density[asked.rows[k]];
        uint32_t factor = (uint32_t)curve_at(curve, fraction[k]);
        *at = density_multiply(*at, invert ? LOAM_DENSITY_ONE - factor : factor);
    }
    *call->out = asked.set;
    call->out->density = density;
    call->path = asked.set.lattice != NULL ? "lattice" : "compact";
    return poll_cancel(call);
}

const loam_operation zone_buffer_operation = {
    .name = "zone.buffer",
    .version = 1,
    .category = "filters",
    .title = "Zone buffer",
    .description = "Scales density by the distance from zones: 0 inside and at the vetoed border, "
                   "full at the width outward.",
    .reach = "0; a zone's own bounds grow by its margin and its buffer",
    .ports = buffer_ports,
    .port_count = COUNT_OF(buffer_ports),
    .params = buffer_params,
    .param_count = COUNT_OF(buffer_params),
};
const operation_code zone_buffer_code = {
    .cost = buffer_cost, .see = buffer_see, .evaluate = buffer_evaluate};
