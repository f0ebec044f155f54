/* SPDX-License-Identifier: MIT
 *
 * value_default.c: the value that a parameter has when nobody gives one.
 */
#include "core/base/try.h"
#include "core/schema/schema.h"

/* A list of numbers begins with as many as it must have, any other is empty. */
static loam_status default_list(const loam_param_schema *schema, loam_arena *arena,
                                loam_value *value, loam_error *error) {
    *value = (loam_value){.kind = LOAM_VALUE_LIST};
    if (schema->fields != NULL || schema->item == LOAM_PARAM_STRING || schema->items_min == 0) {
        return LOAM_OK;
    }
    loam_value *items = loam_arena_take(arena, schema->items_min, sizeof *items);
    LOAM_TRY_MEMORY(items, error);
    for (uint32_t i = 0; i < schema->items_min; i++) {
        items[i] = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = schema->initial};
    }
    value->items = items;
    value->item_count = schema->items_min;
    return LOAM_OK;
}

/* A number that goes by an attribute unless told otherwise. */
static loam_status default_attribute(const loam_param_schema *schema, loam_arena *arena,
                                     loam_value *value, loam_error *error) {
    loam_value *items = loam_arena_take(arena, 2, sizeof *items);
    LOAM_TRY_MEMORY(items, error);
    items[0] = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = schema->initial};
    items[1] = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = schema->max};
    *value = (loam_value){.kind = LOAM_VALUE_ATTRIBUTE,
                          .text = loam_text_of(schema->initial_text),
                          .items = items,
                          .item_count = 2};
    return LOAM_OK;
}

loam_status loam_value_default(const loam_param_schema *schema, loam_arena *arena,
                               loam_value *value, loam_error *error) {
    *value = (loam_value){0};
    bool without = schema->kind == LOAM_PARAM_RECORD || schema->kind == LOAM_PARAM_RULES;
    if (without || (schema->flags & LOAM_PARAM_REQUIRED) != 0 || schema->initial == LOAM_UNSET) {
        return LOAM_OK;
    }
    if (schema->kind == LOAM_PARAM_LIST) {
        return default_list(schema, arena, value, error);
    }
    const char *text = schema->initial_text;
    if (schema->kind == LOAM_PARAM_STRING) {
        *value = (loam_value){.kind = LOAM_VALUE_TEXT, .text = loam_text_of(text ? text : "")};
    } else if (text != NULL) {
        return default_attribute(schema, arena, value, error);
    } else {
        *value = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = schema->initial};
    }
    return LOAM_OK;
}
