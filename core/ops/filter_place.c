/* SPDX-License-Identifier: MIT
 *
 * filter_place.c: filters that look at where a point is: filter.box, filter.radius, filter.polygon.
 * All borders belong to what is kept.
 */
#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/domain_rect.h"
#include "core/ops/filter_begin.h"

#include <stdio.h>

enum { BOX_MIN, BOX_MAX, BOX_INVERT };
enum { AXIS_X, AXIS_Y, AXIS_Z, AXES };
enum { RADIUS_X, RADIUS_Z, RADIUS_RADIUS, RADIUS_INVERT };
enum { POLYGON_POINTS, POLYGON_AREAS };
enum { POLYGON_INVERT };

/* Beside the rows: places and marks. */
enum { POLYGON_BYTES_EACH = ASKED_BYTES_EACH + 12 };

/* Squares of so large a radius stay in int64: a million kilometres. */
#define RADIUS_UNITS_MAX ((int64_t)1 << 30)

static const loam_port_schema polygon_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"areas", LOAM_PORT_AREAS, true, 0, false},
};

#define PARAM_CORNER(key_, label_, text_)                                                          \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = "m", .kind = LOAM_PARAM_LIST,  \
        .scale_bits = BITS_UNITS, .flags = LOAM_PARAM_REQUIRED, .min = -POSITION_UNITS_MAX,        \
        .max = POSITION_UNITS_MAX, .step = 256, .item = LOAM_PARAM_FLOAT, .items_min = AXES,       \
        .items_max = AXES                                                                          \
    }

static const loam_param_schema box_params[] = {
    PARAM_CORNER("min_m", "Low corner", "x, y and z of the box's low corner, which belongs to it."),
    PARAM_CORNER("max_m", "High corner", "x, y and z of its high corner, which belongs to it."),
    PARAM_INVERT,
};

static const loam_param_schema radius_params[] = {
    PARAM("x_m", "Centre x", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, -POSITION_UNITS_MAX,
          POSITION_UNITS_MAX, 256, "Middle of the circle."),
    PARAM("z_m", "Centre z", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, -POSITION_UNITS_MAX,
          POSITION_UNITS_MAX, 256, "Middle of the circle."),
    PARAM("radius_m", "Radius", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, 0, RADIUS_UNITS_MAX,
          256, "Points farther than this are dropped."),
    PARAM_INVERT,
};

static const loam_param_schema polygon_params[] = {PARAM_INVERT};

static int64_t corner(const loam_node *node, uint32_t param, uint32_t axis) {
    return node->params[param].items[axis].integer;
}

static loam_status box_check(const loam_node *node, const char *pointer, loam_error *error) {
    for (uint32_t axis = AXIS_X; axis < AXES; axis++) {
        if (corner(node, BOX_MIN, axis) > corner(node, BOX_MAX, axis)) {
            char at[LOAM_POINTER_BYTES];
            snprintf(at, sizeof at, "%s/min_m/%u", pointer, axis);
            return loam_fail(error, LOAM_OUT_OF_RANGE, at, "min_m is larger than max_m");
        }
    }
    return LOAM_OK;
}

/* The box belongs to it, and so do its far sides. */
static node_domain box_domain(const loam_node *node, const node_domain *inputs,
                              const loam_asset *const *assets) {
    (void)assets;
    const node_domain box = {true,
                             {corner(node, BOX_MIN, AXIS_X), corner(node, BOX_MIN, AXIS_Z),
                              corner(node, BOX_MAX, AXIS_X) + 1,
                              corner(node, BOX_MAX, AXIS_Z) + 1}};
    return param_integer(node, BOX_INVERT) != 0 ? inputs[0] : domain_meet(inputs[0], box);
}

static loam_status box_evaluate(node_call *call) {
    const point_set *in = call->inputs[0];
    const loam_node *node = call->node;
    const uint32_t *live;
    uint32_t *kept;
    LOAM_TRY(filter_begin(call, &live, &kept));
    const uint32_t flip = param_integer(node, BOX_INVERT) != 0 ? UINT32_MAX : 0;
    const int64_t x0 = corner(node, BOX_MIN, AXIS_X) - in->base_x;
    const int64_t x1 = corner(node, BOX_MAX, AXIS_X) - in->base_x;
    const int64_t z0 = corner(node, BOX_MIN, AXIS_Z) - in->base_z;
    const int64_t z1 = corner(node, BOX_MAX, AXIS_Z) - in->base_z;
    const int64_t y0 = corner(node, BOX_MIN, AXIS_Y), y1 = corner(node, BOX_MAX, AXIS_Y);
    for (uint32_t i = 0; i < in->count; i++) {
        bool inside = (in->x[i] >= x0) & (in->x[i] <= x1) & (in->z[i] >= z0) & (in->z[i] <= z1) &
                      (in->y[i] >= y0) & (in->y[i] <= y1);
        kept[i] = live[i] & ((uint32_t)-inside ^ flip);
    }
    return LOAM_OK;
}

static node_domain radius_domain(const loam_node *node, const node_domain *inputs,
                                 const loam_asset *const *assets) {
    (void)assets;
    int64_t x = param_integer(node, RADIUS_X), z = param_integer(node, RADIUS_Z);
    int64_t radius = param_integer(node, RADIUS_RADIUS);
    const node_domain square = {true, {x - radius, z - radius, x + radius + 1, z + radius + 1}};
    return param_integer(node, RADIUS_INVERT) != 0 ? inputs[0] : domain_meet(inputs[0], square);
}

static loam_status radius_evaluate(node_call *call) {
    const point_set *in = call->inputs[0];
    const loam_node *node = call->node;
    const uint32_t *live;
    uint32_t *kept;
    LOAM_TRY(filter_begin(call, &live, &kept));
    const uint32_t flip = param_integer(node, RADIUS_INVERT) != 0 ? UINT32_MAX : 0;
    const int64_t radius = param_integer(node, RADIUS_RADIUS);
    const int64_t x = param_integer(node, RADIUS_X) - in->base_x;
    const int64_t z = param_integer(node, RADIUS_Z) - in->base_z;
    for (uint32_t i = 0; i < in->count; i++) {
        int64_t dx = in->x[i] - x, dz = in->z[i] - z;
        bool inside = dx >= -radius && dx <= radius && dz >= -radius && dz <= radius &&
                      dx * dx + dz * dz <= radius * radius;
        kept[i] = live[i] & ((uint32_t)-inside ^ flip);
    }
    return LOAM_OK;
}

static void polygon_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                         node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[POLYGON_POINTS], POLYGON_BYTES_EACH, cost);
}

static loam_status polygon_see(const loam_node *node, uint32_t port, loam_rect rect,
                               const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)node;
    (void)port;
    const areas_view view = {0};
    return areas_key_write(writer, asset->areas, &view, rect, false, scratch);
}

static loam_status polygon_evaluate(node_call *call) {
    const loam_areas *areas = call->assets[POLYGON_AREAS]->areas;
    const areas_view view = {0};
    asked_points asked;
    areas_points places;
    LOAM_TRY(asked_take(call, POLYGON_POINTS, &asked));
    LOAM_TRY(asked_places(call, &asked, &places));
    LOAM_TRY(areas_tests_check(call, areas, &view, asked.count));
    uint8_t *inside = COLUMN_TAKE(call->arena, asked.count, uint8_t);
    uint32_t *kept = loam_arena_take_zero(call->arena, column_size(asked.set.count), sizeof *kept);
    LOAM_TRY_MEMORY(inside, call->error);
    LOAM_TRY_MEMORY(kept, call->error);
    LOAM_TRY(node_fail(call, areas_veto(areas, &view, &places, inside, call->arena)));
    bool invert = param_integer(call->node, POLYGON_INVERT) != 0;
    for (uint32_t k = 0; k < asked.count; k++) {
        kept[asked.rows[k]] = (inside[k] != 0) != invert ? UINT32_MAX : 0;
    }
    *call->out = asked.set;
    call->out->live = kept;
    call->path = asked.set.lattice != NULL ? "lattice" : "compact";
    return poll_cancel(call);
}

static void box_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)call;
    (void)port;
    (void)row;
    reason->word = "box";
}

/* The distance from the middle, rounded down. */
static void radius_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    const point_set *in = call->inputs[port];
    int64_t dx = in->base_x + in->x[row] - param_integer(call->node, RADIUS_X);
    int64_t dz = in->base_z + in->z[row] - param_integer(call->node, RADIUS_Z);
    double square = (double)dx * (double)dx + (double)dz * (double)dz;
    bool near = square < (double)RADIUS_UNITS_MAX * (double)RADIUS_UNITS_MAX;
    *reason =
        (node_reason){.word = "distance",
                      .measured = near,
                      .scale_bits = BITS_UNITS,
                      .value = near ? (int64_t)integer_root((uint64_t)(dx * dx + dz * dz)) : 0,
                      .limit = param_integer(call->node, RADIUS_RADIUS)};
}

static void polygon_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)call;
    (void)port;
    (void)row;
    reason->word = "polygon";
}

const loam_operation filter_box_operation = {
    .name = "filter.box",
    .version = 1,
    .category = "filters",
    .title = "Box filter",
    .description = "Keeps points in a box, its faces included.",
    .reach = "0",
    .ports = filter_ports,
    .port_count = FILTER_PORTS,
    .params = box_params,
    .param_count = COUNT_OF(box_params),
};
const operation_code filter_box_code = {.check = box_check,
                                        .domain = box_domain,
                                        .cost = filter_cost,
                                        .evaluate = box_evaluate,
                                        .explain = box_explain};

const loam_operation filter_radius_operation = {
    .name = "filter.radius",
    .version = 1,
    .category = "filters",
    .title = "Circle filter",
    .description = "Keeps points in a circle of the ground plane, its edge included.",
    .reach = "0",
    .ports = filter_ports,
    .port_count = FILTER_PORTS,
    .params = radius_params,
    .param_count = COUNT_OF(radius_params),
};
const operation_code filter_radius_code = {.domain = radius_domain,
                                           .cost = filter_cost,
                                           .evaluate = radius_evaluate,
                                           .explain = radius_explain};

const loam_operation filter_polygon_operation = {
    .name = "filter.polygon",
    .version = 1,
    .category = "filters",
    .title = "Polygon filter",
    .description = "Keeps points in areas or on their border; holes are outside.",
    .reach = "0",
    .ports = polygon_ports,
    .port_count = COUNT_OF(polygon_ports),
    .params = polygon_params,
    .param_count = COUNT_OF(polygon_params),
};
const operation_code filter_polygon_code = {.cost = polygon_cost,
                                            .see = polygon_see,
                                            .evaluate = polygon_evaluate,
                                            .explain = polygon_explain};
