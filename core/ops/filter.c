/* SPDX-License-Identifier: MIT
 *
 * filter.c: filters that look at one point alone: filter.slope, filter.height, filter.density. Both
 * ends of a band belong to it. They share every column of their input but `live`.
 */
#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/ops/attribute.h"
#include "core/ops/column_kernel.h"
#include "core/ops/filter_begin.h"
#include "core/space/heightfield.h"

enum { FILTER_MIN, FILTER_MAX, FILTER_INVERT };

#define DEGREES(whole) ((int64_t)(whole)*65536)
#define HEIGHT_UNITS_MAX (1 << 22)

const loam_port_schema filter_ports[FILTER_PORTS] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

static const loam_param_schema slope_params[] = {
    PARAM("min_deg", "Least slope", "deg", FLOAT, BITS_DEGREES, 0, 0, 0, DEGREES(90), DEGREES(1),
          "Points on flatter ground are dropped."),
    PARAM("max_deg", "Largest slope", "deg", FLOAT, BITS_DEGREES, 0, DEGREES(90), 0, DEGREES(90),
          DEGREES(1), "Points on steeper ground are dropped; 90 is no limit."),
    PARAM_INVERT,
};

static const loam_param_schema height_params[] = {
    PARAM("min_m", "Lowest", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, -HEIGHT_UNITS_MAX,
          HEIGHT_UNITS_MAX, 256, "Lower points are dropped."),
    PARAM("max_m", "Highest", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, -HEIGHT_UNITS_MAX,
          HEIGHT_UNITS_MAX, 256, "Higher points are dropped."),
    PARAM_INVERT,
};

static const loam_param_schema density_params[] = {
    PARAM("min", "Least density", "", FLOAT, BITS_DENSITY, 0, 0, 0, LOAM_DENSITY_ONE, 1 << 17,
          "Thinner points are dropped."),
    PARAM("max", "Largest density", "", FLOAT, BITS_DENSITY, 0, LOAM_DENSITY_ONE, 0,
          LOAM_DENSITY_ONE, 1 << 17, "Denser points are dropped."),
    PARAM_INVERT,
};

static loam_status check_band(const loam_node *node, const char *pointer, loam_error *error) {
    if (param_integer(node, FILTER_MIN) > param_integer(node, FILTER_MAX)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "%s is larger than %s",
                         node->operation->params[FILTER_MIN].key,
                         node->operation->params[FILTER_MAX].key);
    }
    return LOAM_OK;
}

void filter_cost(const loam_node *node, loam_rect rect, const node_cost *inputs, node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], FILTER_BYTES_EACH, cost);
}

loam_status filter_begin(node_call *call, const uint32_t **live, uint32_t **kept) {
    const point_set *in = call->inputs[0];
    *live = live_column(call, in);
    *kept = COLUMN_TAKE(call->arena, in->count, uint32_t);
    LOAM_TRY_MEMORY(*live, call->error);
    LOAM_TRY_MEMORY(*kept, call->error);
    *call->out = *in;
    call->out->live = *kept;
    call->path = "vector";
    return LOAM_OK;
}

/* 90 degrees is no limit: every gradient passes. */
static int64_t slope_limit(int64_t degrees_q16) {
    return degrees_q16 == DEGREES(90) ? (int64_t)1 << 46 : fixed_tan_squared(degrees_q16);
}

static loam_status slope_evaluate(node_call *call) {
    const point_set *in = call->inputs[0];
    const uint32_t *live;
    uint32_t *kept;
    LOAM_TRY(filter_begin(call, &live, &kept));
    int64_t low = slope_limit(param_integer(call->node, FILTER_MIN));
    int64_t high = slope_limit(param_integer(call->node, FILTER_MAX));
    bool invert = param_integer(call->node, FILTER_INVERT) != 0;
    if (in->gradient_x == NULL) {
        bool keep = (low == 0) != invert;
        for (uint32_t i = 0; i < in->count; i++) {
            kept[i] = keep ? live[i] : 0;
        }
        return LOAM_OK;
    }
    SIMD_SELECT(column_kernels, call->run->level)
        ->keep_slope(in->gradient_x, in->gradient_z, low, high, invert, live, in->count, kept);
    return LOAM_OK;
}

static loam_status keep_band(node_call *call, const int32_t *value) {
    const uint32_t *live;
    uint32_t *kept;
    LOAM_TRY(filter_begin(call, &live, &kept));
    SIMD_SELECT(column_kernels, call->run->level)
        ->keep_between(value, (int32_t)param_integer(call->node, FILTER_MIN),
                       (int32_t)param_integer(call->node, FILTER_MAX),
                       param_integer(call->node, FILTER_INVERT) != 0, live, call->inputs[0]->count,
                       kept);
    return LOAM_OK;
}

static loam_status height_evaluate(node_call *call) {
    return keep_band(call, call->inputs[0]->y);
}

static loam_status density_evaluate(node_call *call) {
    const uint32_t *density = density_column(call, call->inputs[0]);
    LOAM_TRY_MEMORY(density, call->error);
    return keep_band(call, (const int32_t *)density);
}

static void reason_of_band(node_call *call, const char *word, int64_t value, int64_t low,
                           int64_t high, node_reason *reason) {
    bool invert = param_integer(call->node, FILTER_INVERT) != 0;
    *reason = (node_reason){.word = word,
                            .measured = true,
                            .scale_bits = call->node->operation->params[FILTER_MIN].scale_bits,
                            .value = value,
                            .limit = (value < low) != invert ? low : high};
}

/* Angles are made for all points at the first question. */
static void slope_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    const int32_t *degrees = call->explained;
    if (degrees == NULL && attribute_numbers(call, call->inputs[port], loam_text_of("$slope_deg"),
                                             &degrees) != LOAM_OK) {
        return;
    }
    call->explained = degrees;
    reason_of_band(call, "slope", degrees[row], param_integer(call->node, FILTER_MIN),
                   param_integer(call->node, FILTER_MAX), reason);
}

static void height_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    reason_of_band(call, "height", call->inputs[port]->y[row],
                   param_integer(call->node, FILTER_MIN), param_integer(call->node, FILTER_MAX),
                   reason);
}

static void density_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    const point_set *in = call->inputs[port];
    int64_t density = in->density == NULL ? in->density_all : in->density[row];
    reason_of_band(call, "density", density, param_integer(call->node, FILTER_MIN),
                   param_integer(call->node, FILTER_MAX), reason);
}

FILTER_OPERATION(
    filter_slope, "filter.slope", "Slope filter",
    "Keeps points whose ground is as steep as the band says, by squared tangent in integers.",
    slope_params, check_band, filter_cost, slope_evaluate, slope_explain);
FILTER_OPERATION(filter_height, "filter.height", "Height filter",
                 "Keeps points whose height lies in the band.", height_params, check_band,
                 filter_cost, height_evaluate, height_explain);
FILTER_OPERATION(filter_density, "filter.density", "Density filter",
                 "Keeps points whose density lies in the band.", density_params, check_band,
                 filter_cost, density_evaluate, density_explain);
