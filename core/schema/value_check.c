/* SPDX-License-Identifier: MIT
 *
 * value_check.c: whether a value fits the schema of its parameter: kind, range, and the same for
 * the items of lists, the fields of records, the points of curves and the ends of an attribute.
 * Pointers go down to the item.
 */
#include "core/base/decimal.h"
#include "core/base/limits.h"
#include "core/base/pointer.h"
#include "core/base/try.h"
#include "core/schema/schema.h"

static loam_status check_number(const loam_param_schema *schema, int64_t value, const char *pointer,
                                loam_error *error) {
    if ((schema->flags & LOAM_PARAM_NONZERO) != 0 && value == 0) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "%s must not be 0", schema->key);
    }
    if (value < schema->min || value > schema->max) {
        char least[DECIMAL_BYTES_MAX], most[DECIMAL_BYTES_MAX];
        decimal_print(least, sizeof least, schema->min, schema->scale_bits);
        decimal_print(most, sizeof most, schema->max, schema->scale_bits);
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "%s is at least %s and at most %s",
                         schema->key, least, most);
    }
    return LOAM_OK;
}

static loam_status check_text(const loam_param_schema *schema, loam_text text, const char *pointer,
                              loam_error *error) {
    if (text.size > ASSET_NAME_BYTES_MAX) {
        return loam_fail(error, LOAM_TOO_LARGE, pointer, "%s is longer than %d bytes", schema->key,
                         ASSET_NAME_BYTES_MAX);
    }
    return LOAM_OK;
}

static loam_status wrong_type(const loam_param_schema *schema, const char *pointer,
                              loam_error *error) {
    return loam_fail(error, LOAM_WRONG_TYPE, pointer, "%s has another type", schema->key);
}

/* Default and max of an attribute; a length must give its max, for reach to be known. */
static loam_status check_attribute(const loam_param_schema *schema, const loam_value *value,
                                   const char *pointer, loam_error *error) {
    if ((schema->flags & LOAM_PARAM_ATTRIBUTE) == 0 || value->item_count != 2) {
        return wrong_type(schema, pointer, error);
    }
    const loam_value *initial = &value->items[0], *most = &value->items[1];
    if (initial->kind != LOAM_VALUE_INTEGER || most->kind != LOAM_VALUE_INTEGER) {
        return loam_fail(error, LOAM_MISSING_FIELD, pointer,
                         "%s by attribute needs a default and a max", schema->key);
    }
    LOAM_TRY(check_number(schema, initial->integer, pointer, error));
    LOAM_TRY(check_number(schema, most->integer, pointer, error));
    if (initial->integer > most->integer) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "the default of %s is above its max",
                         schema->key);
    }
    return LOAM_OK;
}

/* A field without a default may stay unset unless it is required. */
static bool may_be_unset(const loam_param_schema *field) {
    bool optional = field->kind == LOAM_PARAM_RECORD || field->kind == LOAM_PARAM_RULES;
    return optional && (field->flags & LOAM_PARAM_REQUIRED) == 0;
}

static loam_status check_record(const loam_param_schema *schema, const loam_value *record,
                                const char *pointer, loam_error *error) {
    if (record->kind != LOAM_VALUE_LIST || record->item_count != schema->field_count) {
        return wrong_type(schema, pointer, error);
    }
    for (uint32_t f = 0; f < schema->field_count; f++) {
        const loam_param_schema *field = &schema->fields[f];
        pointer_text at = pointer_below(pointer, field->key, 0);
        if (record->items[f].kind != LOAM_VALUE_UNSET) {
            LOAM_TRY(value_check(field, &record->items[f], at.text, error));
        } else if (!may_be_unset(field)) {
            return loam_fail(error, LOAM_MISSING_FIELD, at.text, "%s is required", field->key);
        }
    }
    return LOAM_OK;
}

static loam_status check_item(const loam_param_schema *schema, const loam_value *item,
                              uint32_t index, const char *pointer, loam_error *error) {
    pointer_text at = pointer_below(pointer, NULL, index);
    if (schema->fields != NULL) {
        return check_record(schema, item, at.text, error);
    }
    if (schema->item == LOAM_PARAM_STRING) {
        return item->kind == LOAM_VALUE_TEXT ? check_text(schema, item->text, at.text, error)
                                             : wrong_type(schema, at.text, error);
    }
    return item->kind == LOAM_VALUE_INTEGER ? check_number(schema, item->integer, at.text, error)
                                            : wrong_type(schema, at.text, error);
}

static loam_status check_list(const loam_param_schema *schema, const loam_value *value,
                              const char *pointer, loam_error *error) {
    uint32_t most = schema->items_max > 0 ? schema->items_max : LIST_ITEMS_MAX;
    if (value->kind != LOAM_VALUE_LIST) {
        return wrong_type(schema, pointer, error);
    }
    if (value->item_count > most || value->item_count < schema->items_min) {
        return loam_fail(error, LOAM_TOO_MANY, pointer, "%s has %u to %u items", schema->key,
                         schema->items_min, most);
    }
    for (uint32_t i = 0; i < value->item_count; i++) {
        LOAM_TRY(check_item(schema, &value->items[i], i, pointer, error));
    }
    return LOAM_OK;
}

static loam_status check_curve_number(const loam_param_schema *schema, const loam_value *number,
                                      const char *pointer, loam_error *error) {
    if (number->kind != LOAM_VALUE_INTEGER) {
        return wrong_type(schema, pointer, error);
    }
    if (number->integer > CURVE_NUMBER_MAX || number->integer < -CURVE_NUMBER_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "a number of %s is too large",
                         schema->key);
    }
    return LOAM_OK;
}

/* A shape, or at least two points [x, y] with rising x; x and y in the schema's scale. */
static loam_status check_curve(const loam_param_schema *schema, const loam_value *value,
                               const char *pointer, loam_error *error) {
    if (value->kind == LOAM_VALUE_INTEGER) {
        return check_number(schema, value->integer, pointer, error);
    }
    if (value->kind != LOAM_VALUE_LIST || value->item_count < 2 ||
        value->item_count > LIST_ITEMS_MAX) {
        return wrong_type(schema, pointer, error);
    }
    for (uint32_t i = 0; i < value->item_count; i++) {
        const loam_value *point = &value->items[i];
        if (point->kind != LOAM_VALUE_LIST || point->item_count != 2) {
            return wrong_type(schema, pointer_below(pointer, NULL, i).text, error);
        }
        pointer_text at = pointer_below(pointer, NULL, i);
        for (uint32_t n = 0; n < 2; n++) {
            LOAM_TRY(check_curve_number(schema, &point->items[n],
                                        pointer_below(at.text, NULL, n).text, error));
        }
        if (i > 0 && point->items[0].integer <= value->items[i - 1].items[0].integer) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, pointer_below(pointer, NULL, i).text,
                             "the x of a curve rise");
        }
    }
    return LOAM_OK;
}

loam_status value_check(const loam_param_schema *schema, const loam_value *value,
                        const char *pointer, loam_error *error) {
    if (value->kind == LOAM_VALUE_ATTRIBUTE) {
        return check_attribute(schema, value, pointer, error);
    }
    if (schema->kind == LOAM_PARAM_LIST) {
        return check_list(schema, value, pointer, error);
    }
    if (schema->kind == LOAM_PARAM_RECORD) {
        return check_record(schema, value, pointer, error);
    }
    if (schema->kind == LOAM_PARAM_RULES) {
        return value->kind == LOAM_VALUE_RULES && value->rules != NULL
                   ? LOAM_OK
                   : wrong_type(schema, pointer, error);
    }
    if (schema->kind == LOAM_PARAM_CURVE) {
        return check_curve(schema, value, pointer, error);
    }
    if (schema->kind == LOAM_PARAM_STRING) {
        return value->kind == LOAM_VALUE_TEXT ? check_text(schema, value->text, pointer, error)
                                              : wrong_type(schema, pointer, error);
    }
    return value->kind == LOAM_VALUE_INTEGER ? check_number(schema, value->integer, pointer, error)
                                             : wrong_type(schema, pointer, error);
}
