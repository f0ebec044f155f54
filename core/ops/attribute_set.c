/* SPDX-License-Identifier: MIT
 *
 * attribute_set.c: attribute.set.float, .int and .string: one value for every point. Floats may go
 * to reserved attributes, a text to `asset`, which is what stands at the point.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/attribute.h"

enum { SET_NAME, SET_VALUE };

/* Beside the rows: the new column, and one of a reserved attribute. */
enum { SET_BYTES_EACH = ASKED_BYTES_EACH + 8 };

static const loam_port_schema set_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

#define PARAM_NAME                                                                                 \
    PARAM("name", "Name", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,                          \
          "The attribute that is written.")

static const loam_param_schema float_params[] = {
    PARAM_NAME,
    PARAM("value", "Value", "", FLOAT, BITS_RATIO, LOAM_PARAM_REQUIRED, 0, -INT32_MAX, INT32_MAX,
          655, "What every point gets."),
};
static const loam_param_schema int_params[] = {
    PARAM_NAME,
    PARAM("value", "Value", "", INT, 0, LOAM_PARAM_REQUIRED, 0, -INT32_MAX, INT32_MAX, 1,
          "What every point gets."),
};
static const loam_param_schema string_params[] = {
    PARAM_NAME,
    PARAM("value", "Value", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,
          "What every point gets."),
};

static loam_status float_check(const loam_node *node, const char *pointer, loam_error *error) {
    return attribute_name_check(node, SET_NAME, ATTRIBUTE_WRITTEN, pointer, error);
}

static loam_status int_check(const loam_node *node, const char *pointer, loam_error *error) {
    return attribute_name_check(node, SET_NAME, ATTRIBUTE_WRITTEN_INT, pointer, error);
}

static loam_status string_check(const loam_node *node, const char *pointer, loam_error *error) {
    return attribute_name_check(node, SET_NAME, ATTRIBUTE_WRITTEN_TEXT, pointer, error);
}

static void set_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                     node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], SET_BYTES_EACH, cost);
}

static loam_status set_all(node_call *call, loam_attribute_kind kind, int32_t value) {
    asked_points asked;
    LOAM_TRY(asked_take(call, 0, &asked));
    int32_t *values = COLUMN_TAKE(call->arena, asked.set.count, int32_t);
    LOAM_TRY_MEMORY(values, call->error);
    for (uint32_t i = 0; i < asked.set.count; i++) {
        values[i] = value;
    }
    *call->out = asked.set;
    call->path = asked.set.lattice != NULL ? "lattice" : "compact";
    return attribute_put(call, call->out, call->node->params[SET_NAME].text, kind, values);
}

static loam_status float_evaluate(node_call *call) {
    return set_all(call, LOAM_ATTRIBUTE_FLOAT, (int32_t)param_integer(call->node, SET_VALUE));
}

static loam_status int_evaluate(node_call *call) {
    return set_all(call, LOAM_ATTRIBUTE_INT, (int32_t)param_integer(call->node, SET_VALUE));
}

static loam_status string_evaluate(node_call *call) {
    uint32_t text = call->text_params[SET_VALUE];
    if (!attribute_is_asset(call->node->params[SET_NAME].text)) {
        return set_all(call, LOAM_ATTRIBUTE_STRING, (int32_t)text);
    }
    asked_points asked;
    LOAM_TRY(asked_take(call, 0, &asked));
    *call->out = asked.set;
    call->out->asset = NULL;
    call->out->asset_all = text;
    call->path = asked.set.lattice != NULL ? "lattice" : "compact";
    return LOAM_OK;
}

#define SETTER(symbol, name_, title_, text_, params_, check_, evaluate_)                           \
    const loam_operation symbol##_operation = {                                                    \
        .name = name_,                                                                             \
        .version = 1,                                                                              \
        .category = "attributes",                                                                  \
        .title = title_,                                                                           \
        .description = text_,                                                                      \
        .reach = "0",                                                                              \
        .ports = set_ports,                                                                        \
        .port_count = COUNT_OF(set_ports),                                                         \
        .params = params_,                                                                         \
        .param_count = COUNT_OF(params_),                                                          \
    };                                                                                             \
    const operation_code symbol##_code = {.check = check_, .cost = set_cost, .evaluate = evaluate_}

SETTER(attribute_set_float, "attribute.set.float", "Set a number",
       "Gives every point the same number; $density $height $yaw_deg $scale can be written.",
       float_params, float_check, float_evaluate);
SETTER(attribute_set_int, "attribute.set.int", "Set a whole number",
       "Gives every point the same whole number.", int_params, int_check, int_evaluate);
SETTER(attribute_set_string, "attribute.set.string", "Set a text",
       "Gives every point the same text; `asset` is what stands there.", string_params,
       string_check, string_evaluate);
