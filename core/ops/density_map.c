/* SPDX-License-Identifier: MIT
 *
 * density_map.c: density.remap, density.raster and normal.to_density: density made of a number that
 * a point has, or that a raster has at its place. Numbers go to a fraction of their range in 1/2^24
 * by integers, through a curve, and to the density's range; both ends come out exact.
 */
#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/combine.h"
#include "core/ops/curve.h"
#include "core/ops/sample.h"
#include "core/space/heightfield.h"

#include <math.h>

enum {
    REMAP_FROM,
    REMAP_IN_MIN,
    REMAP_IN_MAX,
    REMAP_OUT_MIN,
    REMAP_OUT_MAX,
    REMAP_CLAMP,
    REMAP_CURVE,
    REMAP_COMBINE,
};
enum { RASTER_POINTS, RASTER_MASK };
enum { RASTER_IN_MIN, RASTER_IN_MAX, RASTER_COMBINE };
enum { NORMAL_STRENGTH };

/* Beside the rows: numbers, wide numbers, the new density. */
enum { MAP_BYTES_EACH = ASKED_BYTES_EACH + 16 };

/* Numbers of attributes: all that int32 in 1/65,536 holds. */
#define NUMBER_MAX ((int64_t)INT32_MAX)
/* From 1/65,536 to 1/2^24. */
enum { NUMBER_SHIFT = BITS_DENSITY - BITS_RATIO };
/* Unclamped, a line goes on so far beyond its ends; density ends long before. */
#define FRACTION_MAX ((int64_t)1 << 36)

#define RATIO(whole) ((int64_t)(whole)*65536)

static const loam_port_schema remap_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};
static const loam_port_schema raster_ports[] = {
    {"points", LOAM_PORT_POINTS, true, 0, false},
    {"mask", LOAM_PORT_HEIGHTFIELD, true, 0, false},
};

#define PARAM_NUMBER(key_, label_, flags_, initial_, text_)                                        \
    PARAM(key_, label_, "", FLOAT, BITS_RATIO, flags_, initial_, -NUMBER_MAX, NUMBER_MAX, 655,     \
          text_)
#define PARAM_OUT(key_, label_, initial_, text_)                                                   \
    PARAM(key_, label_, "", FLOAT, BITS_DENSITY, 0, initial_, 0, LOAM_DENSITY_ONE, 1 << 17, text_)

static const loam_param_schema remap_params[] = {
    {.key = "from",
     .label = "From",
     .description = "The number that density is made of.",
     .unit = "",
     .kind = LOAM_PARAM_FLOAT,
     .scale_bits = BITS_RATIO,
     .flags = LOAM_PARAM_ATTRIBUTE,
     .min = -NUMBER_MAX,
     .max = NUMBER_MAX,
     .step = 655,
     .initial_text = "$density"},
    PARAM_NUMBER("in_min", "From the number", 0, 0, "The number that gives out_min."),
    PARAM_NUMBER("in_max", "To the number", 0, RATIO(1), "The number that gives out_max."),
    PARAM_OUT("out_min", "From the density", 0, "Density at in_min."),
    PARAM_OUT("out_max", "To the density", LOAM_DENSITY_ONE, "Density at in_max."),
    PARAM("clamp", "Clamp", "", BOOL, 0, 0, 1, 0, 1, 1,
          "Numbers outside count as the nearer end; else a line goes on beyond its ends."),
    PARAM_CURVE("Shape of the way from in_min to in_max."),
    PARAM_COMBINE(COMBINE_REPLACE, "How the new density meets the one that is there."),
};

static const loam_param_schema raster_params[] = {
    PARAM_NUMBER("in_min", "Value of none", LOAM_PARAM_REQUIRED, 0,
                 "The raster's value that gives density 0."),
    PARAM_NUMBER("in_max", "Value of all", LOAM_PARAM_REQUIRED, 0,
                 "The raster's value that gives density 1."),
    PARAM_COMBINE(COMBINE_MULTIPLY, "How the raster's density meets the one that is there."),
};

static const loam_param_schema normal_params[] = {
    PARAM("strength", "Strength", "", FLOAT, BITS_RATIO, 0, RATIO(1), 0, RATIO(256), 655,
          "How much of 1 - cos(slope) is taken from 1; flat ground stays 1."),
};

static loam_status check_range(const loam_node *node, uint32_t low, uint32_t high,
                               const char *pointer, loam_error *error) {
    if (param_integer(node, low) == param_integer(node, high)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "%s and %s are the same number",
                         node->operation->params[low].key, node->operation->params[high].key);
    }
    return LOAM_OK;
}

static loam_status remap_check(const loam_node *node, const char *pointer, loam_error *error) {
    LOAM_TRY(attribute_source_check(node, REMAP_FROM, pointer, error));
    LOAM_TRY(check_range(node, REMAP_IN_MIN, REMAP_IN_MAX, pointer, error));
    return curve_check(node, REMAP_CURVE, pointer, error);
}

static loam_status raster_check(const loam_node *node, const char *pointer, loam_error *error) {
    return check_range(node, RASTER_IN_MIN, RASTER_IN_MAX, pointer, error);
}

static void map_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                     node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], MAP_BYTES_EACH, cost);
}

/* Where a number in 1/2^24 lies between two others, in 1/2^24; beyond [0, 1] too. */
static int64_t fraction_of(int64_t number, int64_t low, int64_t high) {
    int64_t way = number - low, whole = high - low;
    if (whole < 0) {
        way = -way;
        whole = -whole;
    }
    int64_t steps = floor_divide(way, whole);
    int64_t most = FRACTION_MAX >> BITS_DENSITY;
    if (steps >= most || steps < -most) {
        return steps < 0 ? -FRACTION_MAX : FRACTION_MAX;
    }
    /* The rest is below the whole, which is below 2^41: its last bits give way. */
    int64_t rest = way - steps * whole;
    while (whole >= (int64_t)1 << 38) {
        rest >>= 1;
        whole >>= 1;
    }
    return steps * LOAM_DENSITY_ONE + rest * LOAM_DENSITY_ONE / whole;
}

static int64_t clamp_one(int64_t value) {
    return value < 0 ? 0 : value > LOAM_DENSITY_ONE ? LOAM_DENSITY_ONE : value;
}

static uint32_t remap_number(const loam_node *node, int64_t number) {
    const loam_value *curve = &node->params[REMAP_CURVE];
    int64_t fraction = fraction_of(number, param_integer(node, REMAP_IN_MIN) * (1 << NUMBER_SHIFT),
                                   param_integer(node, REMAP_IN_MAX) * (1 << NUMBER_SHIFT));
    int64_t inside = clamp_one(fraction);
    int64_t bent = curve_at(curve, inside);
    if (param_integer(node, REMAP_CLAMP) == 0 && curve_is_line(curve)) {
        bent = fraction;
    }
    return (uint32_t)clamp_one(
        ramp(param_integer(node, REMAP_OUT_MIN), param_integer(node, REMAP_OUT_MAX), bent));
}

/* $density is read as it is, not rounded to 1/65,536 like the number of an attribute. */
static bool reads_density(const loam_value *from) {
    return from->kind == LOAM_VALUE_ATTRIBUTE &&
           loam_text_equal(from->text, loam_text_of("$density"));
}

static loam_status remap_evaluate(node_call *call) {
    asked_points asked;
    LOAM_TRY(asked_take(call, 0, &asked));
    uint32_t *density = asked_density(call, &asked);
    LOAM_TRY_MEMORY(density, call->error);
    bool own = reads_density(&call->node->params[REMAP_FROM]);
    param_column from = {0};
    if (!own) {
        LOAM_TRY(param_column_read(call, &asked.set, REMAP_FROM, &from));
    }
    combine_mode mode = (combine_mode)param_integer(call->node, REMAP_COMBINE);
    for (uint32_t k = 0; k < asked.count; k++) {
        uint32_t i = asked.rows[k];
        int64_t number = own ? density[i] : param_at(&from, i) * (1 << NUMBER_SHIFT);
        density[i] = density_combine(mode, remap_number(call->node, number), density[i]);
    }
    *call->out = asked.set;
    call->out->density = density;
    call->path = asked.set.lattice != NULL ? "lattice" : "compact";
    return poll_cancel(call);
}

static loam_status raster_evaluate(node_call *call) {
    const loam_heightfield *mask = call->assets[RASTER_MASK]->heightfield;
    asked_points asked;
    LOAM_TRY(asked_take(call, RASTER_POINTS, &asked));
    uint32_t *density = asked_density(call, &asked);
    LOAM_TRY_MEMORY(density, call->error);
    combine_mode mode = (combine_mode)param_integer(call->node, RASTER_COMBINE);
    int64_t low = param_integer(call->node, RASTER_IN_MIN);
    int64_t high = param_integer(call->node, RASTER_IN_MAX);
    const point_set *set = &asked.set;
    for (uint32_t k = 0; k < asked.count; k++) {
        uint32_t i = asked.rows[k];
        int64_t value = 0, made = 0;
        if (heightfield_value(mask, set->base_x + set->x[i], set->base_z + set->z[i], &value)) {
            made = clamp_one(fraction_of(value, low, high));
        }
        density[i] = density_combine(mode, (uint32_t)made, density[i]);
    }
    *call->out = asked.set;
    call->out->density = density;
    call->path = asked.set.lattice != NULL ? "lattice" : "compact";
    return poll_cancel(call);
}

/* The upright part of the normal is 1 / sqrt(1 + slope^2). */
static uint32_t density_of_slope(int64_t gradient_x, int64_t gradient_z, int64_t strength) {
    double square = (double)(gradient_x * gradient_x + gradient_z * gradient_z);
    double one = (double)GRADIENT_ONE;
    int32_t upright = round_to_int(one / sqrt(one * one + square) * (double)LOAM_DENSITY_ONE);
    int64_t lost = (LOAM_DENSITY_ONE - upright) * strength;
    return (uint32_t)clamp_one(LOAM_DENSITY_ONE - ((lost + 32768) >> BITS_RATIO));
}

static loam_status normal_evaluate(node_call *call) {
    asked_points asked;
    LOAM_TRY(asked_take(call, 0, &asked));
    uint32_t *density = asked_density(call, &asked);
    LOAM_TRY_MEMORY(density, call->error);
    int64_t strength = param_integer(call->node, NORMAL_STRENGTH);
    const point_set *set = &asked.set;
    bool flat = set->gradient_x == NULL;
    for (uint32_t k = 0; k < asked.count; k++) {
        uint32_t i = asked.rows[k];
        density[i] = flat ? LOAM_DENSITY_ONE
                          : density_of_slope(set->gradient_x[i], set->gradient_z[i], strength);
    }
    *call->out = asked.set;
    call->out->density = density;
    call->path = set->lattice != NULL ? "lattice" : "compact";
    return poll_cancel(call);
}

const loam_operation density_remap_operation = {
    .name = "density.remap",
    .version = 1,
    .category = "density",
    .title = "Density remap",
    .description = "Density from any number of a point: from in_min..in_max to out_min..out_max.",
    .reach = "0",
    .ports = remap_ports,
    .port_count = COUNT_OF(remap_ports),
    .params = remap_params,
    .param_count = COUNT_OF(remap_params),
};
const operation_code density_remap_code = {
    .check = remap_check, .cost = map_cost, .evaluate = remap_evaluate};

const loam_operation density_raster_operation = {
    .name = "density.raster",
    .version = 1,
    .category = "density",
    .title = "Density raster",
    .description = "Density from a raster, as material layers are: 0 at in_min and outside of it, "
                   "1 at in_max.",
    .reach = "0",
    .ports = raster_ports,
    .port_count = COUNT_OF(raster_ports),
    .params = raster_params,
    .param_count = COUNT_OF(raster_params),
};
const operation_code density_raster_code = {
    .check = raster_check, .cost = map_cost, .see = surface_see, .evaluate = raster_evaluate};

const loam_operation normal_to_density_operation = {
    .name = "normal.to_density",
    .version = 1,
    .category = "density",
    .title = "Normal to density",
    .description = "Density from the slope of the ground: 1 where it is flat, 1 less strength "
                   "times (1 - cos(slope)) elsewhere.",
    .reach = "0",
    .ports = remap_ports,
    .port_count = COUNT_OF(remap_ports),
    .params = normal_params,
    .param_count = COUNT_OF(normal_params),
};
const operation_code normal_to_density_code = {.cost = map_cost, .evaluate = normal_evaluate};
