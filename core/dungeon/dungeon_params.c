/* SPDX-License-Identifier: MIT
 *
 * dungeon_params.c: the way back of rules_read: from values to a document in its one spelling,
 * defaults written out. Keys of builds and the answers to clients are made of it.
 */
#include "core/dungeon/dungeon_params.h"

#include "core/base/try.h"

static loam_rules number_of(int64_t value, unsigned scale_bits) {
    loam_rules number = {.kind = LOAM_RULES_NUMBER, .mantissa = value};
    if (value != 0) {
        int32_t zeros = (int32_t)__builtin_ctzll((uint64_t)value);
        number.mantissa = value / ((int64_t)1 << zeros);
        number.exponent = zeros - (int32_t)scale_bits;
    }
    return number;
}

static loam_rules text_of(loam_text text) {
    return (loam_rules){.kind = LOAM_RULES_TEXT, .text = text};
}

/* A number, a truth or the name of a choice. */
static loam_rules scalar_of(const loam_param_schema *schema, loam_param_kind kind,
                            const loam_value *value) {
    if (value->kind == LOAM_VALUE_TEXT) {
        return text_of(value->text);
    }
    if (kind == LOAM_PARAM_BOOL) {
        return (loam_rules){.kind = value->integer != 0 ? LOAM_RULES_TRUE : LOAM_RULES_FALSE};
    }
    if (kind == LOAM_PARAM_CHOICE) {
        return text_of(loam_text_of(schema->choices[value->integer]));
    }
    return number_of(value->integer, schema->scale_bits);
}

static loam_status list_of(const loam_param_schema *schema, const loam_value *value,
                           loam_arena *arena, loam_rules *document, loam_error *error) {
    loam_rules *items = loam_arena_take(arena, value->item_count, sizeof *items);
    LOAM_TRY_MEMORY(items, error);
    for (uint32_t i = 0; i < value->item_count; i++) {
        const loam_value *item = &value->items[i];
        if (schema->fields == NULL) {
            items[i] = scalar_of(schema, schema->item, item);
            continue;
        }
        LOAM_TRY(params_document(schema->fields, schema->field_count, item->items, arena, &items[i],
                                 error));
    }
    *document = (loam_rules){.kind = LOAM_RULES_LIST, .items = items, .count = value->item_count};
    return LOAM_OK;
}

static loam_status value_document(const loam_param_schema *schema, const loam_value *value,
                                  loam_arena *arena, loam_rules *document, loam_error *error) {
    switch (schema->kind) {
    case LOAM_PARAM_RULES:
        *document = value->kind == LOAM_VALUE_RULES ? *value->rules
                                                    : text_of(loam_text_of(schema->initial_text));
        return LOAM_OK;
    case LOAM_PARAM_RECORD:
        return params_document(schema->fields, schema->field_count, value->items, arena, document,
                               error);
    case LOAM_PARAM_LIST:
        return list_of(schema, value, arena, document, error);
    default:
        *document = scalar_of(schema, schema->kind, value);
        return LOAM_OK;
    }
}

/* What is unset is not in the document, but for what is built in by a name. */
static bool is_there(const loam_param_schema *schema, const loam_value *value) {
    return value->kind != LOAM_VALUE_UNSET ||
           (schema->kind == LOAM_PARAM_RULES && schema->initial_text != NULL);
}

loam_status params_document(const loam_param_schema *schema, uint32_t count,
                            const loam_value *values, loam_arena *arena, loam_rules *document,
                            loam_error *error) {
    loam_text *keys = loam_arena_take(arena, count, sizeof *keys);
    loam_rules *items = loam_arena_take(arena, count, sizeof *items);
    LOAM_TRY_MEMORY(keys, error);
    LOAM_TRY_MEMORY(items, error);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        loam_text key = loam_text_of(schema[i].key);
        loam_rules item;
        if (!is_there(&schema[i], &values[i])) {
            continue;
        }
        LOAM_TRY(value_document(&schema[i], &values[i], arena, &item, error));
        uint32_t at = used++;
        for (; at > 0 && loam_text_compare(key, keys[at - 1]) < 0; at--) {
            keys[at] = keys[at - 1];
            items[at] = items[at - 1];
        }
        keys[at] = key;
        items[at] = item;
    }
    *document =
        (loam_rules){.kind = LOAM_RULES_OBJECT, .keys = keys, .items = items, .count = used};
    return LOAM_OK;
}
