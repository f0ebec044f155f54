/* SPDX-License-Identifier: MIT
 *
 * rules_document.c: see rules_document.h.
 */
#include "api/wire/rules_document.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Memory of one value: itself, the key and the text that it may have, each on a line of its own. */
enum { BYTES_PER_VALUE = 384, RULES_BYTES_MIN = 1 << 14 };
/* Bits of a binary64's mantissa. */
enum { MANTISSA_BITS = 53 };

static loam_status copy_text(const item *at, loam_text text, loam_arena *arena, loam_text *copy) {
    return text_copy(text, arena, copy) == LOAM_OK ? LOAM_OK : item_fail_memory(at);
}

/* mantissa * 2^exponent with an odd mantissa; -0 is 0. */
static void set_number(double number, loam_rules *to) {
    int exponent = 0;
    double fraction = frexp(number, &exponent);
    int64_t mantissa = (int64_t)ldexp(fraction, MANTISSA_BITS);
    exponent -= MANTISSA_BITS;
    while (mantissa != 0 && mantissa % 2 == 0) {
        mantissa /= 2;
        exponent++;
    }
    *to = (loam_rules){
        .kind = LOAM_RULES_NUMBER, .mantissa = mantissa, .exponent = mantissa == 0 ? 0 : exponent};
}

static loam_status read_rules(const item *at, uint32_t depth, loam_arena *arena, loam_rules *to);

static loam_status read_list(const item *at, uint32_t depth, loam_arena *arena, loam_rules *to) {
    uint32_t count = (uint32_t)item_count(at);
    loam_rules *items = loam_arena_take_zero(arena, count, sizeof *items);
    if (items == NULL) {
        return item_fail_memory(at);
    }
    for (uint32_t i = 0; i < count; i++) {
        item child = item_at(at, i);
        LOAM_TRY(read_rules(&child, depth + 1, arena, &items[i]));
    }
    *to = (loam_rules){.kind = LOAM_RULES_LIST, .items = items, .count = count};
    return LOAM_OK;
}

static int key_compare(const void *a, const void *b) {
    const loam_text *p = a, *q = b;
    return loam_text_compare(*p, *q);
}

static loam_status read_object(const item *at, uint32_t depth, loam_arena *arena, loam_rules *to) {
    uint32_t count = (uint32_t)item_count(at);
    loam_rules *items = loam_arena_take_zero(arena, count, sizeof *items);
    loam_text *keys = loam_arena_take_zero(arena, count, sizeof *keys);
    if (items == NULL || keys == NULL) {
        return item_fail_memory(at);
    }
    item child;
    uint32_t taken = 0;
    for (void *i = item_next(at, NULL, &child); i != NULL; i = item_next(at, i, &child)) {
        LOAM_TRY(copy_text(at, loam_text_of(child.key), arena, &keys[taken++]));
    }
    if (count > 0) {
        qsort(keys, count, sizeof *keys, key_compare);
    }
    for (uint32_t i = 0; i < count; i++) {
        item field = item_field(at, keys[i].bytes);
        LOAM_TRY(read_rules(&field, depth + 1, arena, &items[i]));
    }
    *to = (loam_rules){.kind = LOAM_RULES_OBJECT, .items = items, .keys = keys, .count = count};
    return LOAM_OK;
}

static loam_status read_rules(const item *at, uint32_t depth, loam_arena *arena, loam_rules *to) {
    if (depth > RULES_DEPTH_MAX) {
        return item_fail(at, LOAM_TOO_MANY, "rules are nested at most %d deep", RULES_DEPTH_MAX);
    }
    switch (json_typeof(at->value)) {
    case JSON_OBJECT:
        return read_object(at, depth, arena, to);
    case JSON_ARRAY:
        return read_list(at, depth, arena, to);
    case JSON_STRING:
        *to = (loam_rules){.kind = LOAM_RULES_TEXT};
        return copy_text(at,
                         (loam_text){json_string_value(at->value), json_string_length(at->value)},
                         arena, &to->text);
    case JSON_INTEGER:
    case JSON_REAL:
        set_number(json_number_value(at->value), to);
        return LOAM_OK;
    case JSON_TRUE:
    case JSON_FALSE:
        *to = (loam_rules){.kind = json_is_true(at->value) ? LOAM_RULES_TRUE : LOAM_RULES_FALSE};
        return LOAM_OK;
    case JSON_NULL:
        break;
    }
    *to = (loam_rules){.kind = LOAM_RULES_NULL};
    return LOAM_OK;
}

loam_status rules_document_read(const item *at, loam_arena *arena, loam_rules *to) {
    return read_rules(at, 1, arena, to);
}

size_t rules_document_bytes(size_t values, size_t json_bytes) {
    return RULES_BYTES_MIN + values * BYTES_PER_VALUE + 2 * json_bytes;
}

/* What buffer_decimal prints without a rest. */
enum { PLACES_MAX = 24, WHOLE_BITS = 62 };

static void write_number(text_buffer *buffer, const loam_rules *number) {
    if (number->exponent <= 0 && number->exponent >= -PLACES_MAX) {
        buffer_decimal(buffer, number->mantissa, (unsigned)-number->exponent);
        return;
    }
    double value = ldexp((double)number->mantissa, number->exponent);
    if (number->exponent > 0 && fabs(value) < ldexp(1, WHOLE_BITS)) {
        buffer_integer(buffer, (int64_t)value);
        return;
    }
    char text[32];
    int size = snprintf(text, sizeof text, "%.17g", value);
    buffer_json(buffer, (loam_text){text, size > 0 ? (size_t)size : 0});
}

/* As deep as reading went. */
void rules_document_write(text_buffer *buffer, const loam_rules *rules) {
    switch (rules->kind) {
    case LOAM_RULES_NULL:
        buffer_null(buffer);
        return;
    case LOAM_RULES_FALSE:
    case LOAM_RULES_TRUE:
        buffer_bool(buffer, rules->kind == LOAM_RULES_TRUE);
        return;
    case LOAM_RULES_NUMBER:
        write_number(buffer, rules);
        return;
    case LOAM_RULES_TEXT:
        buffer_string_text(buffer, rules->text);
        return;
    case LOAM_RULES_LIST:
        buffer_open_array(buffer);
        for (uint32_t i = 0; i < rules->count; i++) {
            rules_document_write(buffer, &rules->items[i]);
        }
        buffer_close_array(buffer);
        return;
    case LOAM_RULES_OBJECT:
        buffer_open_object(buffer);
        for (uint32_t i = 0; i < rules->count; i++) {
            buffer_key_text(buffer, rules->keys[i]);
            rules_document_write(buffer, &rules->items[i]);
        }
        buffer_close_object(buffer);
        return;
    }
}
