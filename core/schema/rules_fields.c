/* SPDX-License-Identifier: MIT
 *
 * rules_fields.c: a document of rules, read by a schema. Numbers become integers here as api/wire
 * makes those of parameters: the exact value times 2^scale_bits, to nearest (halves up), or up.
 * Documents in the document are not read but kept.
 */
#include "core/base/decimal.h"
#include "core/base/pointer.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/schema/schema.h"

#include <stdio.h>

/* A place in the document, and what is read from it. */
typedef struct rules_reading {
    loam_arena *arena;
    loam_error *error;
} rules_reading;

static loam_status wrong_type(const rules_reading *reading, const loam_param_schema *schema,
                              const char *pointer) {
    return loam_fail(reading->error, LOAM_WRONG_TYPE, pointer, "%s has another type", schema->key);
}

static loam_status refuse_range(const rules_reading *reading, const loam_param_schema *schema,
                                const char *pointer) {
    char least[DECIMAL_BYTES_MAX], most[DECIMAL_BYTES_MAX];
    decimal_print(least, sizeof least, schema->min, schema->scale_bits);
    decimal_print(most, sizeof most, schema->max, schema->scale_bits);
    return loam_fail(reading->error, LOAM_OUT_OF_RANGE, pointer, "%s is at least %s and at most %s",
                     schema->key, least, most);
}

/* A number times 2^scale_bits: the whole below it, and whether there is a rest, and a large one. */
typedef struct scaled_number {
    int64_t whole;
    bool rest, half;
    bool huge;
} scaled_number;

static scaled_number scale_number(const loam_rules *number, unsigned scale_bits) {
    int64_t shift = (int64_t)number->exponent + scale_bits;
    int64_t mantissa = number->mantissa;
    int64_t size = mantissa < 0 ? -mantissa : mantissa;
    if (shift >= 0) {
        bool huge = size != 0 && (shift > 62 || size > ((int64_t)1 << 62) >> shift);
        return (scaled_number){
            .whole = huge ? 0 : mantissa * ((int64_t)1 << (size == 0 ? 0 : shift)), .huge = huge};
    }
    if (shift < -62) {
        return (scaled_number){
            .whole = mantissa < 0 ? -1 : 0, .rest = mantissa != 0, .half = mantissa < 0};
    }
    int64_t step = (int64_t)1 << -shift;
    int64_t whole = mantissa >> -shift;
    int64_t rest = mantissa - whole * step;
    return (scaled_number){
        .whole = whole, .rest = rest != 0, .half = rest >= step / 2 && rest != 0};
}

static loam_status read_number(const rules_reading *reading, const loam_rules *from,
                               const loam_param_schema *schema, loam_param_kind kind,
                               const char *pointer, loam_value *value) {
    if (from->kind != LOAM_RULES_NUMBER) {
        return wrong_type(reading, schema, pointer);
    }
    if (kind == LOAM_PARAM_INT && from->exponent < 0) {
        return loam_fail(reading->error, LOAM_WRONG_TYPE, pointer, "%s is a whole number",
                         schema->key);
    }
    scaled_number scaled = scale_number(from, schema->scale_bits);
    bool up = (schema->flags & LOAM_PARAM_ROUND_UP) != 0;
    bool above = scaled.whole > schema->max || (scaled.whole == schema->max && scaled.rest);
    int64_t rounded = scaled.whole + (up ? scaled.rest : scaled.half);
    if (scaled.huge || above || (up ? rounded : scaled.whole) < schema->min) {
        return refuse_range(reading, schema, pointer);
    }
    if (rounded == 0 && (schema->flags & LOAM_PARAM_NONZERO) != 0) {
        return loam_fail(reading->error, LOAM_OUT_OF_RANGE, pointer, "%s must not become 0",
                         schema->key);
    }
    *value = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = rounded};
    return LOAM_OK;
}

static loam_status read_text_value(const rules_reading *reading, const loam_rules *from,
                                   const loam_param_schema *schema, const char *pointer,
                                   loam_value *value) {
    if (from->kind != LOAM_RULES_TEXT) {
        return wrong_type(reading, schema, pointer);
    }
    bool legal = from->text.size <= ASSET_NAME_BYTES_MAX;
    for (size_t i = 0; i < from->text.size && legal; i++) {
        unsigned char byte = (unsigned char)from->text.bytes[i];
        legal = byte >= 0x20 && byte != 0x7f;
    }
    if (!legal) {
        return loam_fail(reading->error, LOAM_OUT_OF_RANGE, pointer,
                         "a text has at most %d bytes and no controls", ASSET_NAME_BYTES_MAX);
    }
    *value = (loam_value){.kind = LOAM_VALUE_TEXT, .text = from->text};
    return LOAM_OK;
}

static loam_status read_choice(const rules_reading *reading, const loam_rules *from,
                               const loam_param_schema *schema, const char *pointer,
                               loam_value *value) {
    if (from->kind != LOAM_RULES_TEXT) {
        return wrong_type(reading, schema, pointer);
    }
    for (int64_t i = 0; schema->choices[i] != NULL; i++) {
        if (loam_text_equal(from->text, loam_text_of(schema->choices[i]))) {
            *value = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = i};
            return LOAM_OK;
        }
    }
    return loam_fail(reading->error, LOAM_OUT_OF_RANGE, pointer, "%s is none of its choices",
                     schema->key);
}

static loam_status read_value(const rules_reading *reading, const loam_rules *from,
                              const loam_param_schema *schema, const char *pointer,
                              loam_value *value);

/* The field of an object, or NULL. */
static const loam_rules *find_field(const loam_rules *object, const char *key) {
    for (uint32_t i = 0; i < object->count; i++) {
        if (loam_text_equal(object->keys[i], loam_text_of(key))) {
            return &object->items[i];
        }
    }
    return NULL;
}

static loam_status refuse_unknown(const rules_reading *reading, const loam_rules *object,
                                  const loam_param_schema *fields, uint32_t field_count,
                                  const char *pointer) {
    for (uint32_t i = 0; i < object->count; i++) {
        bool known = false;
        for (uint32_t f = 0; f < field_count && !known; f++) {
            known = loam_text_equal(object->keys[i], loam_text_of(fields[f].key));
        }
        if (!known) {
            char key[NAME_BYTES_MAX + 1];
            snprintf(key, sizeof key, "%.*s",
                     (int)(object->keys[i].size < NAME_BYTES_MAX ? object->keys[i].size
                                                                 : NAME_BYTES_MAX),
                     object->keys[i].bytes);
            return loam_fail(reading->error, LOAM_UNKNOWN_FIELD,
                             pointer_below(pointer, key, 0).text, "%s is not known here", key);
        }
    }
    return LOAM_OK;
}

static loam_status read_fields(const rules_reading *reading, const loam_rules *object,
                               const loam_param_schema *fields, uint32_t field_count,
                               const char *pointer, loam_value *values) {
    if (object->kind != LOAM_RULES_OBJECT) {
        return loam_fail(reading->error, LOAM_WRONG_TYPE, pointer, "an object is wanted here");
    }
    LOAM_TRY(refuse_unknown(reading, object, fields, field_count, pointer));
    for (uint32_t f = 0; f < field_count; f++) {
        const loam_rules *from = find_field(object, fields[f].key);
        pointer_text at = pointer_below(pointer, fields[f].key, 0);
        if (from != NULL) {
            LOAM_TRY(read_value(reading, from, &fields[f], at.text, &values[f]));
        } else if ((fields[f].flags & LOAM_PARAM_REQUIRED) != 0) {
            return loam_fail(reading->error, LOAM_MISSING_FIELD, at.text, "%s is required",
                             fields[f].key);
        } else {
            LOAM_TRY(loam_value_default(&fields[f], reading->arena, &values[f], reading->error));
        }
    }
    return LOAM_OK;
}

static loam_status read_record(const rules_reading *reading, const loam_rules *from,
                               const loam_param_schema *schema, const char *pointer,
                               loam_value *value) {
    loam_value *values = loam_arena_take_zero(reading->arena, schema->field_count, sizeof *values);
    LOAM_TRY_MEMORY(values, reading->error);
    *value =
        (loam_value){.kind = LOAM_VALUE_LIST, .items = values, .item_count = schema->field_count};
    return read_fields(reading, from, schema->fields, schema->field_count, pointer, values);
}

static loam_status read_item(const rules_reading *reading, const loam_rules *from,
                             const loam_param_schema *schema, const char *pointer,
                             loam_value *value) {
    if (schema->fields != NULL) {
        return read_record(reading, from, schema, pointer, value);
    }
    return schema->item == LOAM_PARAM_STRING
               ? read_text_value(reading, from, schema, pointer, value)
               : read_number(reading, from, schema, schema->item, pointer, value);
}

static loam_status read_list(const rules_reading *reading, const loam_rules *from,
                             const loam_param_schema *schema, const char *pointer,
                             loam_value *value) {
    uint32_t most = schema->items_max > 0 ? schema->items_max : LIST_ITEMS_MAX;
    if (from->kind != LOAM_RULES_LIST) {
        return wrong_type(reading, schema, pointer);
    }
    if (from->count < schema->items_min || from->count > most) {
        return loam_fail(reading->error, LOAM_TOO_MANY, pointer, "%s has %u to %u items",
                         schema->key, schema->items_min, most);
    }
    loam_value *items = loam_arena_take_zero(reading->arena, from->count, sizeof *items);
    LOAM_TRY_MEMORY(items, reading->error);
    for (uint32_t i = 0; i < from->count; i++) {
        pointer_text at = pointer_below(pointer, NULL, i);
        LOAM_TRY(read_item(reading, &from->items[i], schema, at.text, &items[i]));
    }
    *value = (loam_value){.kind = LOAM_VALUE_LIST, .items = items, .item_count = from->count};
    return LOAM_OK;
}

static loam_status read_value(const rules_reading *reading, const loam_rules *from,
                              const loam_param_schema *schema, const char *pointer,
                              loam_value *value) {
    switch (schema->kind) {
    case LOAM_PARAM_INT:
    case LOAM_PARAM_FLOAT:
        return read_number(reading, from, schema, schema->kind, pointer, value);
    case LOAM_PARAM_BOOL:
        if (from->kind != LOAM_RULES_FALSE && from->kind != LOAM_RULES_TRUE) {
            return wrong_type(reading, schema, pointer);
        }
        *value = (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = from->kind == LOAM_RULES_TRUE};
        return LOAM_OK;
    case LOAM_PARAM_STRING:
        return read_text_value(reading, from, schema, pointer, value);
    case LOAM_PARAM_CHOICE:
        return read_choice(reading, from, schema, pointer, value);
    case LOAM_PARAM_LIST:
        return read_list(reading, from, schema, pointer, value);
    case LOAM_PARAM_RECORD:
        return read_record(reading, from, schema, pointer, value);
    case LOAM_PARAM_RULES:
        *value = (loam_value){.kind = LOAM_VALUE_RULES, .rules = from};
        return LOAM_OK;
    case LOAM_PARAM_CURVE:
        break;
    }
    return wrong_type(reading, schema, pointer);
}

loam_status rules_read(const loam_rules *document, const loam_param_schema *fields,
                       uint32_t field_count, const char *pointer, loam_arena *arena,
                       const loam_value **values, loam_error *error) {
    rules_reading reading = {arena, error};
    loam_value *read = loam_arena_take_zero(arena, field_count, sizeof *read);
    LOAM_TRY_MEMORY(read, error);
    *values = read;
    return read_fields(&reading, document, fields, field_count, pointer, read);
}
