/* SPDX-License-Identifier: MIT
 *
 * line_filter.c: filter.line_distance keeps points whose distance to the nearest line, in the
 * ground plane, is in a band; both ends belong to it. It shares every column but `live`.
 */
#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/operation.h"
#include "core/space/lines.h"

#include <string.h>

enum { FILTER_POINTS, FILTER_LINES };
enum { FILTER_MIN, FILTER_MAX, FILTER_INVERT };

/* Live and a distance. */
enum { FILTER_BYTES_EACH = 12 + ASKED_BYTES_EACH };

static const loam_port_schema filter_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"lines", LOAM_PORT_LINES, true, 0, false},
};

static const loam_param_schema filter_params[] = {
    PARAM("min_m", "Least distance", "m", FLOAT, BITS_UNITS, 0, 0, 0, REACH_UNITS_MAX, 64,
          "Points nearer to a line are dropped."),
    PARAM("max_m", "Largest distance", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, 0,
          REACH_UNITS_MAX, 64, "Points farther from every line are dropped."),
    PARAM_INVERT,
};

static loam_status filter_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (param_integer(node, FILTER_MIN) > param_integer(node, FILTER_MAX)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "min_m is larger than max_m");
    }
    return LOAM_OK;
}

/* Lines are in sight this far. What is asked of the points is not grown by it. */
static int64_t filter_reach(const loam_node *node) {
    return param_integer(node, FILTER_MAX);
}

static loam_rect filter_ask(const loam_node *node, uint32_t port, loam_rect rect) {
    (void)node;
    (void)port;
    return rect;
}

static void filter_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                        node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[FILTER_POINTS], FILTER_BYTES_EACH, cost);
}

static loam_status filter_see(const loam_node *node, uint32_t port, loam_rect rect,
                              const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    return lines_key_write(writer, asset->lines, rect, filter_reach(node), LINES_SHAPE, scratch);
}

/* Points times segments in sight; bands make it far less, but this is a bound. */
static loam_status check_tests(const node_call *call, uint32_t count) {
    uint64_t segments = lines_segment_count(call->assets[FILTER_LINES]->lines, call->rect,
                                            filter_reach(call->node));
    uint64_t tests = multiply_saturated(segments, count);
    if (tests > TESTS_PER_CELL_MAX) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                         "%llu segment tests are more than %llu; use smaller cells or simpler "
                         "lines",
                         (unsigned long long)tests, (unsigned long long)TESTS_PER_CELL_MAX);
    }
    return LOAM_OK;
}

static uint64_t distance2_of(int64_t units) {
    return (uint64_t)(units * units) * AREA_DISTANCE2_SCALE;
}

static loam_status filter_evaluate(node_call *call) {
    asked_points asked;
    areas_points places;
    LOAM_TRY(asked_take(call, FILTER_POINTS, &asked));
    LOAM_TRY(asked_places(call, &asked, &places));
    LOAM_TRY(check_tests(call, asked.count));
    uint64_t *distance2 = COLUMN_TAKE(call->arena, asked.count, uint64_t);
    uint32_t *live = COLUMN_TAKE(call->arena, asked.set.count, uint32_t);
    LOAM_TRY_MEMORY(distance2, call->error);
    LOAM_TRY_MEMORY(live, call->error);
    LOAM_TRY(node_fail(call, lines_nearest(call->assets[FILTER_LINES]->lines,
                                           filter_reach(call->node) + 1, &places, distance2,
                                           call->arena)));
    uint64_t low = distance2_of(param_integer(call->node, FILTER_MIN));
    uint64_t high = distance2_of(param_integer(call->node, FILTER_MAX));
    bool invert = param_integer(call->node, FILTER_INVERT) != 0;
    memset(live, 0, asked.set.count * sizeof *live);
    for (uint32_t k = 0; k < asked.count; k++) {
        bool inside = distance2[k] >= low && distance2[k] <= high;
        live[asked.rows[k]] = inside != invert ? UINT32_MAX : 0;
    }
    *call->out = asked.set;
    call->out->live = live;
    call->path = asked.set.lattice == NULL ? "compact" : "lattice";
    return poll_cancel(call);
}

/* The distance, where a line is in sight, and the end of the band that it passed. */
static void filter_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    const point_set *in = call->inputs[port];
    const areas_points place = {in->base_x, in->base_z, in->x + row, in->z + row, 1};
    int64_t low = param_integer(call->node, FILTER_MIN);
    uint64_t distance2 = AREA_DISTANCE2_NONE;
    *reason = (node_reason){.word = "distance", .scale_bits = BITS_UNITS};
    if (lines_nearest(call->assets[FILTER_LINES]->lines, filter_reach(call->node) + 1, &place,
                      &distance2, call->arena) != LOAM_OK ||
        distance2 == AREA_DISTANCE2_NONE) {
        return;
    }
    reason->measured = true;
    reason->value = (int64_t)(integer_root(distance2) >> 8);
    reason->limit = distance2 < distance2_of(low) ? low : filter_reach(call->node);
}

const loam_operation filter_line_distance_operation = {
    .name = "filter.line_distance",
    .version = 1,
    .category = "filters",
    .title = "Line distance filter",
    .description = "Keeps points whose distance to the nearest line lies in the band.",
    .reach = "max(min_m, max_m)",
    .ports = filter_ports,
    .port_count = COUNT_OF(filter_ports),
    .params = filter_params,
    .param_count = COUNT_OF(filter_params),
};
const operation_code filter_line_distance_code = {.check = filter_check,
                                                  .reach = filter_reach,
                                                  .ask = filter_ask,
                                                  .cost = filter_cost,
                                                  .see = filter_see,
                                                  .evaluate = filter_evaluate,
                                                  .explain = filter_explain};
