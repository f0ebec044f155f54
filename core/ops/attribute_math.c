/* SPDX-License-Identifier: MIT
 *
 * attribute_math.c: attribute.math.float and attribute.noise. Numbers are int32 in 1/65,536, sums
 * and products 64-bit; what does not fit fails the node, at points that are asked.
 */
#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"
#include "core/ops/column_kernel.h"
#include "core/ops/curve.h"
#include "core/space/noise.h"

enum { MATH_OP, MATH_A, MATH_B, MATH_RESULT };
enum { MATH_ADD, MATH_SUBTRACT, MATH_MULTIPLY, MATH_DIVIDE, MATH_MIN, MATH_MAX };
enum { NOISE_NAME, NOISE_WAVELENGTH, NOISE_OCTAVES, NOISE_LOW, NOISE_HIGH };

/* Beside the rows: both numbers as they are and wide, and the result twice. */
enum { MATH_BYTES_EACH = ASKED_BYTES_EACH + 32 };

/* Gain of the noise: each octave half as strong as the one before. */
enum { NOISE_GAIN_Q16 = 32768 };

static const char *const math_choices[] = {"add", "subtract", "multiply", "divide",
                                           "min", "max",      NULL};
static const loam_port_schema math_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

#define PARAM_OPERAND(key_, text_)                                                                 \
    PARAM(key_, key_, "", FLOAT, BITS_RATIO, LOAM_PARAM_REQUIRED | LOAM_PARAM_ATTRIBUTE, 0,        \
          -INT32_MAX, INT32_MAX, 655, text_)
#define PARAM_RANGE(key_, label_, text_)                                                           \
    PARAM(key_, label_, "", FLOAT, BITS_RATIO, LOAM_PARAM_REQUIRED, 0, -INT32_MAX, INT32_MAX, 655, \
          text_)
#define PARAM_WRITTEN(key_, label_)                                                                \
    PARAM(key_, label_, "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,                            \
          "The attribute that is written.")

static const loam_param_schema math_params[] = {
    {.key = "op",
     .label = "Operation",
     .description = "What is done with a and b, in this order.",
     .unit = "",
     .kind = LOAM_PARAM_CHOICE,
     .flags = LOAM_PARAM_REQUIRED,
     .max = MATH_MAX,
     .step = 1,
     .choices = math_choices},
    PARAM_OPERAND("a", "The first number."),
    PARAM_OPERAND("b", "The second number."),
    PARAM_WRITTEN("result", "Result"),
};

static const loam_param_schema noise_params[] = {
    PARAM_WRITTEN("name", "Name"),
    PARAM("wavelength_m", "Wavelength", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_NONZERO, 0, 2, 1 << 24, 256,
          "Distance between two crests of the first octave."),
    PARAM("octaves", "Octaves", "", INT, 0, 0, 4, 1, OCTAVES_MAX, 1,
          "Layers of noise, each of half the wavelength of the one before."),
    PARAM_RANGE("min", "Least", "The number where the noise is lowest."),
    PARAM_RANGE("max", "Largest", "The number where the noise is highest."),
};

static loam_status math_check(const loam_node *node, const char *pointer, loam_error *error) {
    LOAM_TRY(attribute_source_check(node, MATH_A, pointer, error));
    LOAM_TRY(attribute_source_check(node, MATH_B, pointer, error));
    return attribute_name_check(node, MATH_RESULT, ATTRIBUTE_WRITTEN, pointer, error);
}

static loam_status noise_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (param_integer(node, NOISE_LOW) > param_integer(node, NOISE_HIGH)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "min is larger than max");
    }
    return attribute_name_check(node, NOISE_NAME, ATTRIBUTE_WRITTEN, pointer, error);
}

static void math_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                      node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], MATH_BYTES_EACH, cost);
}

/* To nearest, halves up. */
static int64_t quotient_of(int64_t a, int64_t b) {
    int64_t sign = b < 0 ? -1 : 1;
    return floor_divide(2 * a * sign * ATTRIBUTE_ONE + b * sign, 2 * b * sign);
}

static int64_t result_of(int64_t op, int64_t a, int64_t b) {
    switch (op) {
    case MATH_ADD:
        return a + b;
    case MATH_SUBTRACT:
        return a - b;
    case MATH_MULTIPLY:
        return (a * b + ATTRIBUTE_ONE / 2) >> BITS_RATIO;
    case MATH_DIVIDE:
        return quotient_of(a, b);
    case MATH_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static loam_status math_fail(const node_call *call, const char *what) {
    return loam_fail(call->error, LOAM_OUT_OF_RANGE, call->pointer, "%s at a point: %s", what,
                     math_choices[param_integer(call->node, MATH_OP)]);
}

static loam_status math_evaluate(node_call *call) {
    asked_points asked;
    param_column a, b;
    LOAM_TRY(asked_take(call, 0, &asked));
    LOAM_TRY(param_column_read(call, &asked.set, MATH_A, &a));
    LOAM_TRY(param_column_read(call, &asked.set, MATH_B, &b));
    int32_t *result =
        loam_arena_take_zero(call->arena, column_size(asked.set.count), sizeof *result);
    LOAM_TRY_MEMORY(result, call->error);
    int64_t op = param_integer(call->node, MATH_OP);
    for (uint32_t k = 0; k < asked.count; k++) {
        uint32_t i = asked.rows[k];
        if (op == MATH_DIVIDE && param_at(&b, i) == 0) {
            return math_fail(call, "division by zero");
        }
        int64_t value = result_of(op, param_at(&a, i), param_at(&b, i));
        if (value > INT32_MAX || value < -INT32_MAX) {
            return math_fail(call, "overflow");
        }
        result[i] = (int32_t)value;
    }
    *call->out = asked.set;
    call->path = asked.set.lattice != NULL ? "lattice" : "compact";
    return attribute_put(call, call->out, call->node->params[MATH_RESULT].text,
                         LOAM_ATTRIBUTE_FLOAT, result);
}

/* The noise in [0, 1], in 1/2^24, of every row. */
static loam_status noise_fractions(node_call *call, const point_set *set, uint32_t **fractions) {
    float *noise = COLUMN_TAKE(call->arena, set->count, float);
    *fractions = COLUMN_TAKE(call->arena, set->count, uint32_t);
    LOAM_TRY_MEMORY(noise, call->error);
    LOAM_TRY_MEMORY(*fractions, call->error);
    fbm_noise shape;
    noise_init(&shape, NOISE_GRADIENT, call->seed, param_integer(call->node, NOISE_WAVELENGTH),
               (uint32_t)param_integer(call->node, NOISE_OCTAVES), NOISE_GAIN_Q16);
    SIMD_SELECT(noise_kernels, call->run->level)
        ->fill(&shape, set->base_x, set->base_z, set->x, set->z, set->count, noise);
    SIMD_SELECT(column_kernels, call->run->level)
        ->noise_density(noise, 0.5f, 0.5f, COMBINE_REPLACE, NULL, set->count, *fractions);
    return LOAM_OK;
}

static loam_status noise_evaluate(node_call *call) {
    asked_points asked;
    uint32_t *fractions;
    LOAM_TRY(asked_take(call, 0, &asked));
    LOAM_TRY(noise_fractions(call, &asked.set, &fractions));
    int32_t *numbers = COLUMN_TAKE(call->arena, asked.set.count, int32_t);
    LOAM_TRY_MEMORY(numbers, call->error);
    int64_t low = param_integer(call->node, NOISE_LOW);
    int64_t high = param_integer(call->node, NOISE_HIGH);
    for (uint32_t i = 0; i < asked.set.count; i++) {
        numbers[i] = (int32_t)ramp(low, high, fractions[i]);
    }
    *call->out = asked.set;
    call->path = "vector";
    LOAM_TRY(poll_cancel(call));
    return attribute_put(call, call->out, call->node->params[NOISE_NAME].text, LOAM_ATTRIBUTE_FLOAT,
                         numbers);
}

const loam_operation attribute_math_float_operation = {
    .name = "attribute.math.float",
    .version = 1,
    .category = "attributes",
    .title = "Calculate",
    .description = "Two numbers to one, each constant or an attribute; division by zero and what "
                   "exceeds +-32,768 fail the node.",
    .reach = "0",
    .ports = math_ports,
    .port_count = COUNT_OF(math_ports),
    .params = math_params,
    .param_count = COUNT_OF(math_params),
};
const operation_code attribute_math_float_code = {
    .check = math_check, .cost = math_cost, .evaluate = math_evaluate};

const loam_operation attribute_noise_operation = {
    .name = "attribute.noise",
    .version = 1,
    .category = "attributes",
    .title = "Attribute noise",
    .description = "A number between min and max from noise that runs through the world; the "
                   "middle where the noise is 0.",
    .reach = "0",
    .ports = math_ports,
    .port_count = COUNT_OF(math_ports),
    .params = noise_params,
    .param_count = COUNT_OF(noise_params),
    .seeded = true,
};
const operation_code attribute_noise_code = {
    .check = noise_check, .cost = math_cost, .evaluate = noise_evaluate};
