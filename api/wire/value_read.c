/* SPDX-License-Identifier: MIT
 *
 * value_read.c: JSON to parameter values; see value.h.
 */
#include "api/wire/value.h"

#include "api/wire/value_parts.h"
#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <math.h>
#include <string.h>

const loam_param_schema *value_schema(const loam_param_schema *params, uint32_t count,
                                      const char *key) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(params[i].key, key) == 0) {
            return &params[i];
        }
    }
    return NULL;
}

/* floor(x + 1/2) without the rounding of the sum: the difference is exact. */
static double round_half_up(double x) {
    double whole = floor(x);
    return x - whole >= 0.5 ? whole + 1 : whole;
}

static loam_status refuse_range(const item *at, const loam_param_schema *schema) {
    char min[DECIMAL_BYTES_MAX];
    char max[DECIMAL_BYTES_MAX];
    decimal_print(min, sizeof min, schema->min, schema->scale_bits);
    decimal_print(max, sizeof max, schema->max, schema->scale_bits);
    return item_fail(at, LOAM_OUT_OF_RANGE, "%s must be in %s..%s", schema->key, min, max);
}

/* The range is checked in binary64, so that the conversion is always defined. */
static loam_status convert(const item *at, const loam_param_schema *schema, double number,
                           int64_t *integer) {
    double scaled = ldexp(number, schema->scale_bits);
    bool up = (schema->flags & LOAM_PARAM_ROUND_UP) != 0;
    double rounded = up ? ceil(scaled) : round_half_up(scaled);
    if (rounded == 0 && (schema->flags & LOAM_PARAM_NONZERO) != 0) {
        char step[DECIMAL_BYTES_MAX];
        decimal_print(step, sizeof step, 1, schema->scale_bits);
        return item_fail(at, LOAM_OUT_OF_RANGE, "%s must not become 0; a step is %s", schema->key,
                         step);
    }
    if ((up ? rounded : scaled) < (double)schema->min || scaled > (double)schema->max) {
        return refuse_range(at, schema);
    }
    *integer = (int64_t)rounded;
    return LOAM_OK;
}

loam_status value_read_number(const item *at, const loam_param_schema *schema, loam_value *value) {
    double number = 0;
    LOAM_TRY(item_number(at, &number));
    loam_param_kind kind = schema->kind == LOAM_PARAM_LIST ? schema->item : schema->kind;
    if (kind == LOAM_PARAM_INT && number != floor(number)) {
        return item_fail(at, LOAM_WRONG_TYPE, "a whole number is wanted");
    }
    value->kind = LOAM_VALUE_INTEGER;
    return convert(at, schema, number, &value->integer);
}

/* Texts are names of assets and attributes: short, and without controls. */
loam_status value_read_text(const item *at, loam_value *value) {
    loam_text text;
    LOAM_TRY(item_text(at, &text));
    bool legal = text.size <= ASSET_NAME_BYTES_MAX;
    for (size_t i = 0; i < text.size && legal; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        legal = byte >= 0x20 && byte != 0x7f;
    }
    if (!legal) {
        return item_fail(at, LOAM_OUT_OF_RANGE, "a text has at most %d bytes and no controls",
                         ASSET_NAME_BYTES_MAX);
    }
    *value = (loam_value){.kind = LOAM_VALUE_TEXT, .text = text};
    return LOAM_OK;
}

loam_status value_read_choice(const item *at, const loam_param_schema *schema, loam_value *value) {
    loam_text text;
    LOAM_TRY(item_text(at, &text));
    char all[LOAM_ERROR_TEXT_BYTES / 2] = "";
    for (int64_t i = 0; schema->choices[i] != NULL; i++) {
        if (loam_text_equal(text, loam_text_of(schema->choices[i]))) {
            *value = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = i};
            return LOAM_OK;
        }
        strncat(all, i == 0 ? "" : ", ", sizeof all - strlen(all) - 1);
        strncat(all, schema->choices[i], sizeof all - strlen(all) - 1);
    }
    return item_fail(at, LOAM_OUT_OF_RANGE, "%s is one of: %s", schema->key, all);
}

/* A name of a user's attribute, or a property of a feature, or a reserved one, which begins with
 * '$'; which of those there are is the graph's to check. */
static loam_status read_attribute_name(const item *at, loam_text *name) {
    loam_value text;
    LOAM_TRY(value_read_text(at, &text));
    *name = text.text;
    bool bare = name->size == 1 && name->bytes[0] == '$';
    if (name->size == 0 || bare) {
        return item_fail(at, LOAM_BAD_NAME, "it is no name of an attribute");
    }
    return LOAM_OK;
}

/* What a point counts as that has no such attribute: the default, which may be left out where the
 * schema has one, and of a reserved attribute, which every point has. */
static loam_status read_attribute_default(const item *at, const loam_param_schema *schema,
                                          loam_text name, loam_value *value) {
    bool none = (schema->flags & LOAM_PARAM_REQUIRED) != 0 || schema->initial == LOAM_UNSET;
    bool reserved = name.bytes[0] == '$';
    if (item_present(at) || (none && !reserved)) {
        return value_read_number(at, schema, value);
    }
    int64_t initial = none ? 0 : schema->initial;
    *value = (loam_value){.kind = LOAM_VALUE_INTEGER,
                          .integer = initial < schema->min ? schema->min : initial};
    return LOAM_OK;
}

/* Whether a text stands for a reserved attribute where a number may go by one. */
static bool is_reserved_name(const item *at, const loam_param_schema *schema) {
    const char *text = json_string_value(at->value);
    return text != NULL && text[0] == '$' && (schema->flags & LOAM_PARAM_ATTRIBUTE) != 0;
}

/* {"attribute", "default", "max"}, or the name of a reserved one alone. A length must give `max`,
 * so that reach is known beforehand; of others it is the schema's. */
static loam_status read_attribute(const item *at, const loam_param_schema *schema,
                                  loam_arena *arena, loam_value *value) {
    static const char *const fields[] = {"attribute", "default", "max", NULL};
    if ((schema->flags & LOAM_PARAM_ATTRIBUTE) == 0) {
        return item_fail(at, LOAM_WRONG_TYPE, "%s cannot be driven by an attribute", schema->key);
    }
    bool alone = json_is_string(at->value);
    if (!alone) {
        LOAM_TRY(item_fields(at, fields));
    }
    item name = alone ? *at : item_field(at, "attribute");
    item initial = item_field(at, "default");
    item max = item_field(at, "max");
    loam_value *items = NULL;
    LOAM_TRY(value_take(at, 2, arena, &items));
    *value = (loam_value){.kind = LOAM_VALUE_ATTRIBUTE, .items = items, .item_count = 2};
    LOAM_TRY(read_attribute_name(&name, &value->text));
    LOAM_TRY(read_attribute_default(&initial, schema, value->text, &items[0]));
    items[1] = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = schema->max};
    if (item_present(&max) || strcmp(schema->unit, "m") == 0) {
        LOAM_TRY(value_read_number(&max, schema, &items[1]));
    }
    return LOAM_OK;
}

loam_status value_read(const item *at, const loam_param_schema *schema, loam_arena *arena,
                       loam_value *value) {
    *value = (loam_value){0};
    if (json_is_object(at->value) || is_reserved_name(at, schema)) {
        return read_attribute(at, schema, arena, value);
    }
    bool boolean = false;
    switch (schema->kind) {
    case LOAM_PARAM_INT:
    case LOAM_PARAM_FLOAT:
        return value_read_number(at, schema, value);
    case LOAM_PARAM_BOOL:
        LOAM_TRY(item_bool(at, &boolean));
        *value = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = boolean};
        return LOAM_OK;
    case LOAM_PARAM_STRING:
        return value_read_text(at, value);
    case LOAM_PARAM_CHOICE:
        return value_read_choice(at, schema, value);
    case LOAM_PARAM_LIST:
        return value_read_list(at, schema, arena, value);
    case LOAM_PARAM_CURVE:
        return value_read_curve(at, schema, arena, value);
    case LOAM_PARAM_RECORD:
    case LOAM_PARAM_RULES:
        break; /* of recipes, whose documents core reads by rules_read */
    }
    return item_fail(at, LOAM_INTERNAL, "%s", loam_status_text(LOAM_INTERNAL));
}
