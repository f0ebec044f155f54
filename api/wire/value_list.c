/* SPDX-License-Identifier: MIT
 *
 * value_list.c: the values that have items: lists of numbers, of texts and of records, and curves
 * that go through points. A record becomes a list of its fields in the order of the schema, those
 * left out filled with their defaults.
 */
#include "api/wire/value_parts.h"
#include "core/base/limits.h"
#include "core/base/try.h"

loam_status value_take(const item *at, uint32_t count, loam_arena *arena, loam_value **values) {
    *values = loam_arena_take_zero(arena, count, sizeof **values);
    if (*values == NULL) {
        return item_fail_memory(at);
    }
    return LOAM_OK;
}

static loam_status read_field(const item *at, const loam_param_schema *field, loam_arena *arena,
                              loam_value *value) {
    if (item_present(at)) {
        return value_read(at, field, arena, value);
    }
    if ((field->flags & LOAM_PARAM_REQUIRED) != 0) {
        return item_fail(at, LOAM_MISSING_FIELD, "%s is required here", field->key);
    }
    loam_status status = loam_value_default(field, arena, value, NULL);
    return status == LOAM_OK ? LOAM_OK : item_fail(at, status, "%s", loam_status_text(status));
}

static loam_status read_record(const item *at, const loam_param_schema *schema, loam_arena *arena,
                               loam_value *value) {
    const char *known[UINT8_MAX + 1] = {NULL};
    for (uint32_t i = 0; i < schema->field_count; i++) {
        known[i] = schema->fields[i].key;
    }
    LOAM_TRY(item_fields(at, known));
    loam_value *items = NULL;
    LOAM_TRY(value_take(at, schema->field_count, arena, &items));
    for (uint32_t i = 0; i < schema->field_count; i++) {
        item field = item_field(at, schema->fields[i].key);
        LOAM_TRY(read_field(&field, &schema->fields[i], arena, &items[i]));
    }
    *value =
        (loam_value){.kind = LOAM_VALUE_LIST, .items = items, .item_count = schema->field_count};
    return LOAM_OK;
}

static loam_status read_list_item(const item *at, const loam_param_schema *schema,
                                  loam_arena *arena, loam_value *value) {
    if (schema->fields != NULL) {
        return read_record(at, schema, arena, value);
    }
    return schema->item == LOAM_PARAM_STRING ? value_read_text(at, value)
                                             : value_read_number(at, schema, value);
}

loam_status value_read_list(const item *at, const loam_param_schema *schema, loam_arena *arena,
                            loam_value *value) {
    LOAM_TRY(item_array(at, schema->items_min,
                        schema->items_max > 0 ? schema->items_max : LIST_ITEMS_MAX));
    uint32_t count = (uint32_t)item_count(at);
    loam_value *items = NULL;
    LOAM_TRY(value_take(at, count, arena, &items));
    for (uint32_t i = 0; i < count; i++) {
        item child = item_at(at, i);
        LOAM_TRY(read_list_item(&child, schema, arena, &items[i]));
    }
    *value = (loam_value){.kind = LOAM_VALUE_LIST, .items = items, .item_count = count};
    return LOAM_OK;
}

/* [x, y]: the range of the schema is that of its shapes, so a point's numbers have their own. */
static loam_status read_curve_point(const item *at, const loam_param_schema *schema,
                                    loam_arena *arena, loam_value *value) {
    loam_param_schema number = {.key = schema->key,
                                .kind = LOAM_PARAM_FLOAT,
                                .scale_bits = schema->scale_bits,
                                .min = -CURVE_NUMBER_MAX,
                                .max = CURVE_NUMBER_MAX};
    LOAM_TRY(item_array(at, 2, 2));
    loam_value *items = NULL;
    LOAM_TRY(value_take(at, 2, arena, &items));
    for (uint32_t i = 0; i < 2; i++) {
        item child = item_at(at, i);
        LOAM_TRY(value_read_number(&child, &number, &items[i]));
    }
    *value = (loam_value){.kind = LOAM_VALUE_LIST, .items = items, .item_count = 2};
    return LOAM_OK;
}

loam_status value_read_curve(const item *at, const loam_param_schema *schema, loam_arena *arena,
                             loam_value *value) {
    if (!json_is_array(at->value)) {
        return value_read_choice(at, schema, value);
    }
    LOAM_TRY(item_array(at, 2, LIST_ITEMS_MAX));
    uint32_t count = (uint32_t)item_count(at);
    loam_value *items = NULL;
    LOAM_TRY(value_take(at, count, arena, &items));
    for (uint32_t i = 0; i < count; i++) {
        item child = item_at(at, i);
        LOAM_TRY(read_curve_point(&child, schema, arena, &items[i]));
        if (i > 0 && items[i].items[0].integer <= items[i - 1].items[0].integer) {
            return item_fail(&child, LOAM_OUT_OF_RANGE, "the x of a curve must rise");
        }
    }
    *value = (loam_value){.kind = LOAM_VALUE_LIST, .items = items, .item_count = count};
    return LOAM_OK;
}
