/* SPDX-License-Identifier: MIT
 *
 * value_write.c: parameter values to JSON; see value.h.
 */
#include "api/wire/value.h"

void value_write_integer(text_buffer *buffer, const loam_param_schema *schema, int64_t integer) {
    switch (schema->kind) {
    case LOAM_PARAM_BOOL:
        buffer_bool(buffer, integer != 0);
        return;
    case LOAM_PARAM_CHOICE:
    case LOAM_PARAM_CURVE:
        buffer_string(buffer, schema->choices[integer]);
        return;
    case LOAM_PARAM_INT:
    case LOAM_PARAM_FLOAT:
    case LOAM_PARAM_STRING:
    case LOAM_PARAM_LIST:
    case LOAM_PARAM_RECORD:
    case LOAM_PARAM_RULES:
        buffer_decimal(buffer, integer, schema->scale_bits);
    }
}

static void write_attribute(text_buffer *buffer, const loam_param_schema *schema,
                            const loam_value *value) {
    static const char *const keys[] = {"default", "max"};
    buffer_open_object(buffer);
    buffer_key(buffer, "attribute");
    buffer_string_text(buffer, value->text);
    for (uint32_t i = 0; i < value->item_count && i < 2; i++) {
        if (value->items[i].kind != LOAM_VALUE_UNSET) {
            buffer_key(buffer, keys[i]);
            value_write(buffer, schema, &value->items[i]);
        }
    }
    buffer_close_object(buffer);
}

static void write_curve_point(text_buffer *buffer, const loam_param_schema *schema,
                              const loam_value *point) {
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < point->item_count; i++) {
        buffer_decimal(buffer, point->items[i].integer, schema->scale_bits);
    }
    buffer_close_array(buffer);
}

/* Fields in the order of the schema, which is fixed; one that is unset stays out. */
static void write_record(text_buffer *buffer, const loam_param_schema *schema,
                         const loam_value *record) {
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < record->item_count && i < schema->field_count; i++) {
        if (record->items[i].kind != LOAM_VALUE_UNSET) {
            buffer_key(buffer, schema->fields[i].key);
            value_write(buffer, &schema->fields[i], &record->items[i]);
        }
    }
    buffer_close_object(buffer);
}

static void write_list(text_buffer *buffer, const loam_param_schema *schema,
                       const loam_value *value) {
    if (schema->kind == LOAM_PARAM_RECORD) {
        write_record(buffer, schema, value);
        return;
    }
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < value->item_count; i++) {
        if (schema->kind == LOAM_PARAM_CURVE) {
            write_curve_point(buffer, schema, &value->items[i]);
        } else if (schema->fields != NULL) {
            write_record(buffer, schema, &value->items[i]);
        } else {
            value_write(buffer, schema, &value->items[i]);
        }
    }
    buffer_close_array(buffer);
}

void value_write(text_buffer *buffer, const loam_param_schema *schema, const loam_value *value) {
    switch (value->kind) {
    case LOAM_VALUE_UNSET:
    case LOAM_VALUE_RULES: /* the host has the document itself */
        buffer_null(buffer);
        return;
    case LOAM_VALUE_INTEGER:
        value_write_integer(buffer, schema, value->integer);
        return;
    case LOAM_VALUE_TEXT:
        buffer_string_text(buffer, value->text);
        return;
    case LOAM_VALUE_LIST:
        write_list(buffer, schema, value);
        return;
    case LOAM_VALUE_ATTRIBUTE:
        write_attribute(buffer, schema, value);
    }
}
