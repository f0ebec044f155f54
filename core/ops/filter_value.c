/* SPDX-License-Identifier: MIT
 *
 * filter_value.c: what looks at an attribute of a point: filter.float, filter.int, filter.string
 * and branch, which keeps both sides. Numbers are compared in 1/65,536, whole ones in 64 bits, so
 * that any of them can be compared. A point without the attribute is outside of every band and on
 * the false side.
 */
#include "core/base/try.h"
#include "core/ops/attribute.h"
#include "core/ops/filter_begin.h"

enum { NUMBER_NAME, NUMBER_MIN, NUMBER_MAX, NUMBER_MISSING, NUMBER_INVERT };
enum { MISSING_KEEP, MISSING_DROP };
enum { TEXT_NAME, TEXT_VALUES, TEXT_INVERT };
enum { BRANCH_NAME, BRANCH_OP, BRANCH_VALUE };
enum { BRANCH_LT, BRANCH_LE, BRANCH_EQ, BRANCH_GE, BRANCH_GT };

/* Beside the live column: the numbers, and the other side. */
enum { VALUE_BYTES_EACH = FILTER_BYTES_EACH + 8 };

static const char *const missing_choices[] = {"keep", "drop", NULL};
static const char *const branch_choices[] = {"lt", "le", "eq", "ge", "gt", NULL};

#define PARAM_NAME                                                                                 \
    PARAM("name", "Name", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0,                          \
          "The attribute that is looked at.")
#define NUMBER_PARAMS(kind_, bits_, step_)                                                         \
    {                                                                                              \
        PARAM_NAME,                                                                                \
            PARAM("min", "Least", "", kind_, bits_, LOAM_PARAM_REQUIRED, 0, -INT32_MAX, INT32_MAX, \
                  step_, "Smaller numbers are dropped."),                                          \
            PARAM("max", "Largest", "", kind_, bits_, LOAM_PARAM_REQUIRED, 0, -INT32_MAX,          \
                  INT32_MAX, step_, "Larger numbers are dropped."),                                \
            PARAM_CHOICE("missing", "Missing", MISSING_DROP, missing_choices, 2,                   \
                         "What becomes of points without the attribute, inverted or not."),        \
            PARAM_INVERT                                                                           \
    }

static const loam_param_schema float_params[] = NUMBER_PARAMS(FLOAT, BITS_RATIO, 655);
static const loam_param_schema int_params[] = NUMBER_PARAMS(INT, 0, 1);

static const loam_param_schema string_params[] = {
    PARAM_NAME,
    {.key = "values",
     .label = "Values",
     .description = "The texts that are kept; `asset` reads what stands at the point.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .item = LOAM_PARAM_STRING,
     .items_min = 1,
     .items_max = LIST_ITEMS_MAX},
    PARAM_INVERT,
};

static const loam_param_schema branch_params[] = {
    PARAM_NAME,
    {.key = "op",
     .label = "Comparison",
     .description = "How the number is compared with the value.",
     .unit = "",
     .kind = LOAM_PARAM_CHOICE,
     .flags = LOAM_PARAM_REQUIRED,
     .max = BRANCH_GT,
     .step = 1,
     .choices = branch_choices},
    PARAM("value", "Value", "", FLOAT, BITS_RATIO, LOAM_PARAM_REQUIRED, 0, -INT32_MAX, INT32_MAX,
          655, "What it is compared with."),
};

static loam_status number_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (param_integer(node, NUMBER_MIN) > param_integer(node, NUMBER_MAX)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "min is larger than max");
    }
    return attribute_name_check(node, NUMBER_NAME, ATTRIBUTE_READ, pointer, error);
}

static loam_status name_check(const loam_node *node, const char *pointer, loam_error *error) {
    return attribute_name_check(node, 0, ATTRIBUTE_READ, pointer, error);
}

static void value_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], VALUE_BYTES_EACH, cost);
}

/* An attribute's numbers, and what one of them counts in 1/65,536. */
typedef struct number_column {
    const int32_t *values;
    int64_t unit;
} number_column;

static loam_status read_numbers(node_call *call, loam_text name, number_column *column) {
    const point_set *in = call->inputs[0];
    int32_t found = attribute_find(in, name);
    *column = (number_column){.unit = 1};
    if (found >= 0 && in->attributes[found].kind == LOAM_ATTRIBUTE_INT) {
        *column = (number_column){in->attributes[found].values, ATTRIBUTE_ONE};
        return LOAM_OK;
    }
    return attribute_numbers(call, in, name, &column->values);
}

static loam_status keep_numbers(node_call *call, int64_t unit) {
    const loam_node *node = call->node;
    const uint32_t *live;
    uint32_t *kept;
    number_column column;
    LOAM_TRY(filter_begin(call, &live, &kept));
    LOAM_TRY(read_numbers(call, node->params[NUMBER_NAME].text, &column));
    const int64_t low = param_integer(node, NUMBER_MIN) * unit;
    const int64_t high = param_integer(node, NUMBER_MAX) * unit;
    const bool keep_missing = param_integer(node, NUMBER_MISSING) == MISSING_KEEP;
    const bool invert = param_integer(node, NUMBER_INVERT) != 0;
    for (uint32_t i = 0; i < call->out->count; i++) {
        int64_t number = column.values[i] * column.unit;
        bool inside = (number >= low && number <= high) != invert;
        bool missing = column.values[i] == ATTRIBUTE_MISSING;
        kept[i] = (missing ? keep_missing : inside) ? live[i] : 0;
    }
    call->path = "columns";
    return LOAM_OK;
}

static loam_status float_evaluate(node_call *call) {
    return keep_numbers(call, 1);
}

static loam_status int_evaluate(node_call *call) {
    return keep_numbers(call, ATTRIBUTE_ONE);
}

/* The number, and the end of the band that it missed; or that there is none. */
static void explain_number(node_call *call, uint32_t row, int64_t unit, node_reason *reason) {
    number_column column;
    if (read_numbers(call, call->node->params[NUMBER_NAME].text, &column) != LOAM_OK) {
        return;
    }
    if (column.values[row] == ATTRIBUTE_MISSING) {
        reason->word = "missing";
        return;
    }
    int64_t low = param_integer(call->node, NUMBER_MIN) * unit;
    int64_t high = param_integer(call->node, NUMBER_MAX) * unit;
    int64_t number = column.values[row] * column.unit;
    bool invert = param_integer(call->node, NUMBER_INVERT) != 0;
    *reason = (node_reason){.word = "value",
                            .measured = true,
                            .scale_bits = BITS_RATIO,
                            .value = number,
                            .limit = (number < low) != invert ? low : high};
}

static void float_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)port;
    explain_number(call, row, 1, reason);
}

static void int_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)port;
    explain_number(call, row, ATTRIBUTE_ONE, reason);
}

static void string_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    (void)call;
    (void)port;
    (void)row;
    reason->word = "value";
}

/* Indices of texts, one a row; NULL when the set has no such texts. */
static loam_status read_texts(node_call *call, loam_text name, const int32_t **texts) {
    const point_set *in = call->inputs[0];
    int32_t found = attribute_find(in, name);
    *texts = NULL;
    if (attribute_is_asset(name)) {
        int32_t *assets = COLUMN_TAKE(call->arena, in->count, int32_t);
        LOAM_TRY_MEMORY(assets, call->error);
        for (uint32_t i = 0; i < in->count; i++) {
            assets[i] = (int32_t)(in->asset == NULL ? in->asset_all : in->asset[i]);
        }
        *texts = assets;
    } else if (found >= 0 && in->attributes[found].kind == LOAM_ATTRIBUTE_STRING) {
        *texts = in->attributes[found].values;
    }
    return LOAM_OK;
}

/* The texts to keep as indices of names. */
static loam_status wanted_texts(node_call *call, const loam_value *values, uint32_t *wanted) {
    for (uint32_t i = 0; i < values->item_count; i++) {
        if (name_table_add(call->names, values->items[i].text, &wanted[i]) != LOAM_OK) {
            return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                             loam_status_text(LOAM_ARENA_FULL));
        }
    }
    return LOAM_OK;
}

static bool is_wanted(int32_t text, const uint32_t *wanted, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if ((int64_t)text == wanted[i]) {
            return true;
        }
    }
    return false;
}

static loam_status string_evaluate(node_call *call) {
    const loam_value *values = &call->node->params[TEXT_VALUES];
    const uint32_t *live;
    uint32_t *kept;
    const int32_t *texts;
    uint32_t wanted[LIST_ITEMS_MAX];
    LOAM_TRY(filter_begin(call, &live, &kept));
    LOAM_TRY(read_texts(call, call->node->params[TEXT_NAME].text, &texts));
    LOAM_TRY(wanted_texts(call, values, wanted));
    const bool invert = param_integer(call->node, TEXT_INVERT) != 0;
    for (uint32_t i = 0; i < call->out->count; i++) {
        bool inside = texts != NULL && is_wanted(texts[i], wanted, values->item_count);
        kept[i] = inside != invert ? live[i] : 0;
    }
    call->path = "columns";
    return poll_cancel(call);
}

static bool compare(int64_t op, int64_t number, int64_t value) {
    switch (op) {
    case BRANCH_LT:
        return number < value;
    case BRANCH_LE:
        return number <= value;
    case BRANCH_EQ:
        return number == value;
    case BRANCH_GE:
        return number >= value;
    default:
        return number > value;
    }
}

static loam_status branch_evaluate(node_call *call) {
    const loam_node *node = call->node;
    const uint32_t *live;
    uint32_t *yes;
    number_column column;
    LOAM_TRY(filter_begin(call, &live, &yes));
    LOAM_TRY(read_numbers(call, node->params[BRANCH_NAME].text, &column));
    uint32_t *no = COLUMN_TAKE(call->arena, call->out->count, uint32_t);
    LOAM_TRY_MEMORY(no, call->error);
    const int64_t op = param_integer(node, BRANCH_OP);
    const int64_t value = param_integer(node, BRANCH_VALUE);
    for (uint32_t i = 0; i < call->out->count; i++) {
        bool missing = column.values[i] == ATTRIBUTE_MISSING;
        bool is = !missing && compare(op, column.values[i] * column.unit, value);
        yes[i] = is ? live[i] : 0;
        no[i] = is ? 0 : live[i];
    }
    *call->out_false = *call->out;
    call->out_false->live = no;
    call->path = "columns";
    return LOAM_OK;
}

FILTER_OPERATION(filter_float, "filter.float", "Number filter",
                 "Keeps points whose attribute lies in the band.", float_params, number_check,
                 value_cost, float_evaluate, float_explain);
FILTER_OPERATION(filter_int, "filter.int", "Whole number filter",
                 "Keeps points whose attribute lies in the band of whole numbers.", int_params,
                 number_check, value_cost, int_evaluate, int_explain);
FILTER_OPERATION(filter_string, "filter.string", "Text filter",
                 "Keeps points whose attribute is one of the texts.", string_params, name_check,
                 value_cost, string_evaluate, string_explain);

const loam_operation branch_operation = {
    .name = "branch",
    .version = 1,
    .category = "flow",
    .title = "Branch",
    .description = "Splits points by an attribute: side #true where the comparison holds, #false "
                   "elsewhere, also for points without the attribute.",
    .reach = "0",
    .ports = filter_ports,
    .port_count = FILTER_PORTS,
    .params = branch_params,
    .param_count = COUNT_OF(branch_params),
    .sided = true,
};
const operation_code branch_code = {
    .check = name_check, .cost = value_cost, .evaluate = branch_evaluate};
