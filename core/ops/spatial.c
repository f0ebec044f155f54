/* SPDX-License-Identifier: MIT
 *
 * spatial.c: spatial values: spatial.box, spatial.sphere, spatial.tube, spatial.prism and
 * spatial.points, and what set operations make of two: spatial.union, spatial.intersection and
 * spatial.difference. A value is a description; points are asked where it is used.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/domain.h"
#include "core/space/lines.h"

enum { BOX_MIN, BOX_MAX };
enum { SPHERE_CENTER, SPHERE_RADIUS };
enum { TUBE_RADIUS, TUBE_MIN_Y, TUBE_MAX_Y };
enum { PRISM_MIN_Y, PRISM_MAX_Y };
enum { POINTS_RADIUS };
enum { SET_A, SET_B };

/* A sphere is as large as it wants, tubes and balls look so far sideways: 1 km. */
#define SPHERE_RADIUS_MAX ((int64_t)1 << 28)
#define SIDEWAYS_RADIUS_MAX ((int64_t)1 << 18)
#define HEIGHT_UNITS_MAX ((int64_t)1 << 22)

/* A center, given and sorted, its numbers, and a compact copy of the input. */
enum { BALL_BYTES_EACH = 2 * 32 + 8 + ASKED_BYTES_EACH };
/* Structs of one value, but for its parts. */
enum { VALUE_BYTES = 1024 };

#define PARAM_PLACE(key_, label_, text_)                                                           \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = "m", .kind = LOAM_PARAM_LIST,  \
        .scale_bits = BITS_UNITS, .flags = LOAM_PARAM_REQUIRED, .min = -POSITION_UNITS_MAX,        \
        .max = POSITION_UNITS_MAX, .step = 256, .item = LOAM_PARAM_FLOAT, .items_min = SPACE_AXES, \
        .items_max = SPACE_AXES                                                                    \
    }
#define PARAM_HEIGHT(key_, label_, text_)                                                          \
    PARAM(key_, label_, "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, -HEIGHT_UNITS_MAX,         \
          HEIGHT_UNITS_MAX, 256, text_)
#define PARAM_RADIUS(most_, text_)                                                                 \
    PARAM("radius_m", "Radius", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, 0, most_, 64, text_)

static const loam_param_schema box_params[] = {
    PARAM_PLACE("min_m", "Low corner", "Least x, y and z; they belong to the box."),
    PARAM_PLACE("max_m", "High corner", "Largest x, y and z; they belong to the box."),
};
static const loam_param_schema sphere_params[] = {
    PARAM_PLACE("center_m", "Center", "x, y and z of the center."),
    PARAM_RADIUS(SPHERE_RADIUS_MAX, "Points as far as this belong to the sphere."),
};
static const loam_param_schema tube_params[] = {
    PARAM_RADIUS(SIDEWAYS_RADIUS_MAX,
                 "Points as far as this from a line, seen from above, belong."),
    PARAM_HEIGHT("min_y_m", "Floor", "Lower points do not belong."),
    PARAM_HEIGHT("max_y_m", "Ceiling", "Higher points do not belong."),
};
static const loam_param_schema prism_params[] = {
    PARAM_HEIGHT("min_y_m", "Floor", "Lower points do not belong."),
    PARAM_HEIGHT("max_y_m", "Ceiling", "Higher points do not belong."),
};
static const loam_param_schema points_params[] = {
    PARAM_RADIUS(SIDEWAYS_RADIUS_MAX, "Points as far as this from a given point belong."),
};

static const loam_port_schema tube_ports[] = {{"lines", LOAM_PORT_LINES, true, 0, false}};
static const loam_port_schema prism_ports[] = {{"areas", LOAM_PORT_AREAS, true, 0, false}};
static const loam_port_schema points_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, true}};
static const loam_port_schema set_ports[] = {
    {"a", LOAM_PORT_SPATIAL, true, DOMAIN_ALSO, false},
    {"b", LOAM_PORT_SPATIAL, true, DOMAIN_ALSO, false},
};

/* ---- Extents -------------------------------------------------------------------------------- */

static int64_t place_of(const loam_node *node, uint32_t param, uint32_t axis) {
    return node->params[param].items[axis].integer;
}

static volume_extent box_extent(const loam_node *node) {
    volume_extent extent;
    for (uint32_t axis = 0; axis < SPACE_AXES; axis++) {
        extent.low[axis] = place_of(node, BOX_MIN, axis);
        extent.high[axis] = place_of(node, BOX_MAX, axis);
    }
    return extent;
}

static volume_extent sphere_extent(const loam_node *node) {
    volume_extent extent;
    int64_t radius = param_integer(node, SPHERE_RADIUS);
    for (uint32_t axis = 0; axis < SPACE_AXES; axis++) {
        extent.low[axis] = place_of(node, SPHERE_CENTER, axis) - radius;
        extent.high[axis] = place_of(node, SPHERE_CENTER, axis) + radius;
    }
    return extent;
}

/* Between two heights; where the shape ends sideways, only its asset tells. */
static volume_extent layer_extent(const loam_node *node, uint32_t min_y, uint32_t max_y) {
    volume_extent extent = extent_free();
    extent.low[SPACE_Y] = param_integer(node, min_y);
    extent.high[SPACE_Y] = param_integer(node, max_y);
    return extent;
}

static volume_extent tube_extent(const loam_node *node) {
    return layer_extent(node, TUBE_MIN_Y, TUBE_MAX_Y);
}

static volume_extent prism_extent(const loam_node *node) {
    return layer_extent(node, PRISM_MIN_Y, PRISM_MAX_Y);
}

/* ---- Checks and costs ----------------------------------------------------------------------- */

static loam_status box_check(const loam_node *node, const char *pointer, loam_error *error) {
    volume_extent extent = box_extent(node);
    for (uint32_t axis = 0; axis < SPACE_AXES; axis++) {
        if (extent.low[axis] > extent.high[axis]) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "min_m is above max_m in %s",
                             axis == SPACE_X   ? "x"
                             : axis == SPACE_Y ? "y"
                                               : "z");
        }
    }
    return LOAM_OK;
}

static loam_status check_layer(const volume_extent *extent, const char *pointer,
                               loam_error *error) {
    return extent->low[SPACE_Y] <= extent->high[SPACE_Y]
               ? LOAM_OK
               : loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "min_y_m is larger than max_y_m");
}

static loam_status tube_check(const loam_node *node, const char *pointer, loam_error *error) {
    volume_extent extent = tube_extent(node);
    return check_layer(&extent, pointer, error);
}

static loam_status prism_check(const loam_node *node, const char *pointer, loam_error *error) {
    volume_extent extent = prism_extent(node);
    return check_layer(&extent, pointer, error);
}

static void leaf_cost(volume_extent extent, node_cost *cost) {
    *cost = (node_cost){.parts = 1, .bytes = VALUE_BYTES, .extent = extent};
}

#define LEAF_COST(name)                                                                            \
    static void name##_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,        \
                            node_cost *cost) {                                                     \
        (void)rect;                                                                                \
        (void)inputs;                                                                              \
        leaf_cost(name##_extent(node), cost);                                                      \
    }
LEAF_COST(box)
LEAF_COST(sphere)
LEAF_COST(tube)
LEAF_COST(prism)

/* A point meets the centers in a box of two radii by three, at most all of them. */
static void points_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                        node_cost *cost) {
    (void)rect;
    uint64_t radius = (uint64_t)param_integer(node, POINTS_RADIUS);
    uint64_t spacing = inputs[0].spacing_min > 0 ? (uint64_t)inputs[0].spacing_min : 1;
    uint64_t around = multiply_saturated((2 * radius / spacing + 2) * (3 * radius / spacing + 4),
                                         inputs[0].crowd);
    leaf_cost(extent_free(), cost);
    cost->point_tests = around < inputs[0].candidates ? around : inputs[0].candidates;
    cost->bytes =
        add_saturated(cost->bytes, multiply_saturated(inputs[0].candidates, BALL_BYTES_EACH));
}

static int64_t radius_reach(const loam_node *node) {
    return param_integer(node, 0);
}

_Static_assert(TUBE_RADIUS == 0 && POINTS_RADIUS == 0, "radius_reach reads the radius");

/* ---- Values --------------------------------------------------------------------------------- */

/* Ends an evaluation that gives a value of one part. */
static loam_status give_part(node_call *call, volume_part *part) {
    part->owner = call->node;
    *call->out = (point_set){0};
    call->path = "value";
    return node_fail(call, volume_of_part(part, call->arena, call->out_volume));
}

static loam_status box_evaluate(node_call *call) {
    volume_part part = {.kind = VOLUME_BOX, .extent = box_extent(call->node)};
    return give_part(call, &part);
}

static loam_status sphere_evaluate(node_call *call) {
    volume_part part = {.kind = VOLUME_BALL,
                        .extent = sphere_extent(call->node),
                        .radius = param_integer(call->node, SPHERE_RADIUS)};
    for (uint32_t axis = 0; axis < SPACE_AXES; axis++) {
        part.center[axis] = place_of(call->node, SPHERE_CENTER, axis);
    }
    return give_part(call, &part);
}

static loam_status tube_evaluate(node_call *call) {
    volume_part part = {.kind = VOLUME_TUBE,
                        .extent = tube_extent(call->node),
                        .radius = param_integer(call->node, TUBE_RADIUS),
                        .of.lines = call->assets[0]->lines};
    return give_part(call, &part);
}

static loam_status prism_evaluate(node_call *call) {
    volume_part part = {.kind = VOLUME_PRISM,
                        .extent = prism_extent(call->node),
                        .of.areas = call->assets[0]->areas};
    return give_part(call, &part);
}

/* The centers that a point of the rectangle can be near to. */
static loam_status points_evaluate(node_call *call) {
    int64_t radius = param_integer(call->node, POINTS_RADIUS);
    loam_rect near = call->rect;
    near.x0 -= radius;
    near.z0 -= radius;
    near.x1 += radius;
    near.z1 += radius;
    point_set set;
    LOAM_TRY(asked_compact(call, 0, near, &set));
    const volume_points centers = {set.base_x, set.base_z, set.x, set.y, set.z, set.count};
    volume_part part = {.kind = VOLUME_BALLS};
    LOAM_TRY(node_fail(call, volume_balls_build(&centers, radius, call->arena, &part.of.balls)));
    part.extent = volume_balls_extent(part.of.balls);
    return give_part(call, &part);
}

static loam_status tube_see(const loam_node *node, uint32_t port, loam_rect rect,
                            const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    return lines_key_write(writer, asset->lines, rect, param_integer(node, TUBE_RADIUS),
                           LINES_SHAPE, scratch);
}

static loam_status prism_see(const loam_node *node, uint32_t port, loam_rect rect,
                             const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)node;
    (void)port;
    const areas_view view = {0};
    return areas_key_write(writer, asset->areas, &view, rect, false, scratch);
}

/* ---- Set operations ------------------------------------------------------------------------- */

static void set_cost(volume_kind kind, const loam_node *node, const node_cost *inputs,
                     node_cost *cost) {
    node_cost a = domain_cost(node, SET_A, inputs), b = domain_cost(node, SET_B, inputs);
    uint64_t parts = a.parts + b.parts + 1;
    *cost = (node_cost){
        .parts = parts < VOLUME_PARTS_MAX ? parts : VOLUME_PARTS_MAX,
        .point_tests = add_saturated(a.point_tests, b.point_tests),
        .extent = extent_join(kind, &a.extent, &b.extent),
    };
    cost->bytes = VALUE_BYTES + (parts + 2) * sizeof(volume_part);
}

static loam_status set_evaluate(volume_kind kind, node_call *call) {
    const volume *a, *b;
    LOAM_TRY(domain_take(call, SET_A, &a));
    LOAM_TRY(domain_take(call, SET_B, &b));
    *call->out = (point_set){0};
    call->path = "value";
    return node_fail(call, volume_join(kind, call->node, a, b, call->arena, call->out_volume));
}

/* ---- The operations ------------------------------------------------------------------------- */

#define VALUE(symbol, name_, title_, text_, reach_, ...)                                           \
    const loam_operation symbol##_operation = {                                                    \
        .name = name_,                                                                             \
        .version = 1,                                                                              \
        .category = "spatial",                                                                     \
        .title = title_,                                                                           \
        .description = text_,                                                                      \
        .reach = reach_,                                                                           \
        .gives = LOAM_PORT_SPATIAL,                                                                \
        __VA_ARGS__,                                                                               \
    }
#define PARAMS(array) .params = array, .param_count = COUNT_OF(array)
#define PORTS(array) .ports = array, .port_count = COUNT_OF(array)

VALUE(spatial_box, "spatial.box", "Box", "A box along the axes; its sides belong to it.", "0",
      PARAMS(box_params));
const operation_code spatial_box_code = {
    .check = box_check, .cost = box_cost, .evaluate = box_evaluate};

VALUE(spatial_sphere, "spatial.sphere", "Sphere", "A ball; its surface belongs to it.", "0",
      PARAMS(sphere_params));
const operation_code spatial_sphere_code = {.cost = sphere_cost, .evaluate = sphere_evaluate};

VALUE(spatial_tube, "spatial.tube", "Tube",
      "What is near lines, seen from above, between two heights.", "radius_m", PORTS(tube_ports),
      PARAMS(tube_params));
const operation_code spatial_tube_code = {.check = tube_check,
                                          .reach = radius_reach,
                                          .cost = tube_cost,
                                          .see = tube_see,
                                          .evaluate = tube_evaluate};

VALUE(spatial_prism, "spatial.prism", "Prism", "What is inside areas, between two heights.", "0",
      PORTS(prism_ports), PARAMS(prism_params));
const operation_code spatial_prism_code = {
    .check = prism_check, .cost = prism_cost, .see = prism_see, .evaluate = prism_evaluate};

VALUE(spatial_points, "spatial.points", "Balls around points", "Balls of one radius around points.",
      "radius_m", PORTS(points_ports), PARAMS(points_params));
const operation_code spatial_points_code = {
    .reach = radius_reach, .cost = points_cost, .evaluate = points_evaluate};

#define SET_OPERATION(symbol, kind_, name_, title_, text_)                                         \
    static void symbol##_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,      \
                              node_cost *cost) {                                                   \
        (void)rect;                                                                                \
        set_cost(kind_, node, inputs, cost);                                                       \
    }                                                                                              \
    static loam_status symbol##_evaluate(node_call *call) {                                        \
        return set_evaluate(kind_, call);                                                          \
    }                                                                                              \
    VALUE(symbol, name_, title_, text_, "0", PORTS(set_ports));                                    \
    const operation_code symbol##_code = {                                                         \
        .cost = symbol##_cost, .see = domain_see, .evaluate = symbol##_evaluate}

SET_OPERATION(spatial_union, VOLUME_UNION, "spatial.union", "Union",
              "What is in one of two spatial values, or in both.");
SET_OPERATION(spatial_intersection, VOLUME_INTERSECTION, "spatial.intersection", "Intersection",
              "What is in both of two spatial values.");
SET_OPERATION(spatial_difference, VOLUME_DIFFERENCE, "spatial.difference", "Difference",
              "What is in the first of two spatial values and not in the second.");
