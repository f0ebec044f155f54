/* SPDX-License-Identifier: MIT
 *
 * distance_map.c: density.distance and attribute.distance: what a distance to lines, areas or
 * points does to a point. The distance in 1/65,536 m is already the attribute's number.
 */
#include "core/base/try.h"
#include "core/ops/attribute.h"
#include "core/ops/combine.h"
#include "core/ops/curve.h"
#include "core/ops/distance.h"

enum {
    DENSITY_NEAR_M,
    DENSITY_FAR_M,
    DENSITY_NEAR,
    DENSITY_FAR,
    DENSITY_CURVE,
    DENSITY_INSIDE,
    DENSITY_COMBINE,
};
enum { INSIDE_KEEP, INSIDE_ZERO, INSIDE_ONE };
enum { NUMBER_NAME, NUMBER_MAX_M };

/* A unit of length in a distance. */
enum { DISTANCE_PER_UNIT = 256 };

static const char *const inside_choices[] = {"keep", "zero", "one", NULL};

static const loam_param_schema density_params[] = {
    PARAM("near_m", "Near", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, 0, REACH_UNITS_MAX, 256,
          "Up to this distance the density is `near`."),
    PARAM("far_m", "Far", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED | LOAM_PARAM_NONZERO, 0, 1,
          REACH_UNITS_MAX, 256, "From this distance on the density is `far`."),
    PARAM("near", "Near density", "", FLOAT, BITS_DENSITY, 0, LOAM_DENSITY_ONE, 0, LOAM_DENSITY_ONE,
          1 << 17, "Density at near_m and nearer."),
    PARAM("far", "Far density", "", FLOAT, BITS_DENSITY, 0, 0, 0, LOAM_DENSITY_ONE, 1 << 17,
          "Density at far_m and farther."),
    PARAM_CURVE("Shape of the way from near_m to far_m."),
    PARAM_CHOICE("inside", "Inside", INSIDE_KEEP, inside_choices, 3,
                 "Points inside an area: by their distance to its border, density 0, or 1."),
    PARAM_COMBINE(COMBINE_MULTIPLY, "How the new density meets the one that is there."),
};

static const loam_param_schema number_params[] = {
    PARAM("name", "Name", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,
          "The attribute that gets the distance in metres."),
    PARAM("max_m", "Largest", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED | LOAM_PARAM_NONZERO, 0,
          1, REACH_UNITS_MAX, 256, "The distance where there is nothing nearer."),
};

static loam_status density_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (param_integer(node, DENSITY_NEAR_M) >= param_integer(node, DENSITY_FAR_M)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "near_m must be less than far_m");
    }
    return curve_check(node, DENSITY_CURVE, pointer, error);
}

static loam_status number_check(const loam_node *node, const char *pointer, loam_error *error) {
    return attribute_name_check(node, NUMBER_NAME, ATTRIBUTE_WRITTEN, pointer, error);
}

static int64_t density_reach(const loam_node *node) {
    return param_integer(node, DENSITY_FAR_M) - 1;
}

static int64_t number_reach(const loam_node *node) {
    return param_integer(node, NUMBER_MAX_M) - 1;
}

static loam_rect density_ask(const loam_node *node, uint32_t port, loam_rect rect) {
    return distance_ask(param_integer(node, DENSITY_FAR_M), port, rect);
}

static loam_rect number_ask(const loam_node *node, uint32_t port, loam_rect rect) {
    return distance_ask(param_integer(node, NUMBER_MAX_M), port, rect);
}

static void map_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                     node_cost *cost) {
    (void)rect;
    distance_cost(node, inputs, DISTANCE_BYTES_EACH + 4, cost);
}

static loam_status density_see(const loam_node *node, uint32_t port, loam_rect rect,
                               const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    return distance_see(param_integer(node, DENSITY_FAR_M), rect, asset, writer, scratch);
}

static loam_status number_see(const loam_node *node, uint32_t port, loam_rect rect,
                              const loam_asset *asset, byte_writer *writer, loam_arena *scratch) {
    (void)port;
    return distance_see(param_integer(node, NUMBER_MAX_M), rect, asset, writer, scratch);
}

static uint32_t density_at(const loam_node *node, int64_t distance) {
    int64_t near = param_integer(node, DENSITY_NEAR_M) * DISTANCE_PER_UNIT;
    int64_t far = param_integer(node, DENSITY_FAR_M) * DISTANCE_PER_UNIT;
    int64_t fraction = 0;
    if (distance >= far) {
        fraction = CURVE_ONE;
    } else if (distance > near) {
        fraction = (2 * (distance - near) * CURVE_ONE + far - near) / (2 * (far - near));
    }
    return (uint32_t)ramp(param_integer(node, DENSITY_NEAR), param_integer(node, DENSITY_FAR),
                          curve_at(&node->params[DENSITY_CURVE], fraction));
}

static uint32_t density_for(const loam_node *node, int64_t distance, bool inside) {
    int64_t rule = param_integer(node, DENSITY_INSIDE);
    if (inside && rule != INSIDE_KEEP) {
        return rule == INSIDE_ONE ? LOAM_DENSITY_ONE : 0;
    }
    return density_at(node, distance);
}

static loam_status density_evaluate(node_call *call) {
    asked_points asked;
    int64_t *distance;
    uint8_t *inside;
    LOAM_TRY(asked_take(call, DISTANCE_POINTS, &asked));
    LOAM_TRY(distance_measure(call, &asked, param_integer(call->node, DENSITY_FAR_M), &distance,
                              &inside));
    uint32_t *density = asked_density(call, &asked);
    LOAM_TRY_MEMORY(density, call->error);
    combine_mode mode = (combine_mode)param_integer(call->node, DENSITY_COMBINE);
    for (uint32_t k = 0; k < asked.count; k++) {
        uint32_t *at = &density[asked.rows[k]];
        *at = density_combine(mode, density_for(call->node, distance[k], inside[k] != 0), *at);
    }
    *call->out = asked.set;
    call->out->density = density;
    return LOAM_OK;
}

static loam_status number_evaluate(node_call *call) {
    asked_points asked;
    int64_t *distance;
    uint8_t *inside;
    int64_t most = param_integer(call->node, NUMBER_MAX_M);
    LOAM_TRY(asked_take(call, DISTANCE_POINTS, &asked));
    LOAM_TRY(distance_measure(call, &asked, most, &distance, &inside));
    int32_t *numbers =
        loam_arena_take_zero(call->arena, column_size(asked.set.count), sizeof *numbers);
    LOAM_TRY_MEMORY(numbers, call->error);
    for (uint32_t k = 0; k < asked.count; k++) {
        int64_t number = distance[k] == DISTANCE_NONE ? most * DISTANCE_PER_UNIT : distance[k];
        numbers[asked.rows[k]] = (int32_t)number;
    }
    *call->out = asked.set;
    return attribute_put(call, call->out, call->node->params[NUMBER_NAME].text,
                         LOAM_ATTRIBUTE_FLOAT, numbers);
}

const loam_operation density_distance_operation = {
    .name = "density.distance",
    .version = 1,
    .category = "density",
    .title = "Density by distance",
    .description = "Density by the distance to a line, to the border of an area or to the nearest "
                   "of other points: near up to near_m, far from far_m on.",
    .reach = "far_m",
    .ports = distance_ports,
    .port_count = DISTANCE_PORTS,
    .params = density_params,
    .param_count = COUNT_OF(density_params),
};
const operation_code density_distance_code = {.check = density_check,
                                              .reach = density_reach,
                                              .ask = density_ask,
                                              .cost = map_cost,
                                              .see = density_see,
                                              .evaluate = density_evaluate};

const loam_operation attribute_distance_operation = {
    .name = "attribute.distance",
    .version = 1,
    .category = "attributes",
    .title = "Distance as attribute",
    .description = "The distance in metres to a line, to the border of an area or to the nearest "
                   "of other points; max_m where that is farther.",
    .reach = "max_m",
    .ports = distance_ports,
    .port_count = DISTANCE_PORTS,
    .params = number_params,
    .param_count = COUNT_OF(number_params),
};
const operation_code attribute_distance_code = {.check = number_check,
                                                .reach = number_reach,
                                                .ask = number_ask,
                                                .cost = map_cost,
                                                .see = number_see,
                                                .evaluate = number_evaluate};
