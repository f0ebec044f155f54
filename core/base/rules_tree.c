/* SPDX-License-Identifier: MIT
 *
 * rules_tree.c: see rules_tree.h.
 */
#include "core/base/rules_tree.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"

/* Of a binary64: a mantissa of 53 bits, and exponents down to that of the least one. */
#define MANTISSA_MAX ((int64_t)1 << 53)
enum { EXPONENT_MIN = -1074, EXPONENT_MAX = 1023 };

/* Bytes of the least value, and of the least field of an object: what is announced cannot be more
 * than what is left. */
enum { VALUE_BYTES_MIN = 1, FIELD_BYTES_MIN = 5 };

void rules_tree_write(byte_writer *writer, const loam_rules *rules) {
    write_u8(writer, (uint8_t)rules->kind);
    switch (rules->kind) {
    case LOAM_RULES_NUMBER:
        write_i64(writer, rules->mantissa);
        write_i32(writer, rules->exponent);
        return;
    case LOAM_RULES_TEXT:
        write_text(writer, rules->text);
        return;
    case LOAM_RULES_LIST:
    case LOAM_RULES_OBJECT:
        write_u32(writer, rules->count);
        for (uint32_t i = 0; i < rules->count; i++) {
            if (rules->kind == LOAM_RULES_OBJECT) {
                write_text(writer, rules->keys[i]);
            }
            rules_tree_write(writer, &rules->items[i]);
        }
        return;
    case LOAM_RULES_NULL:
    case LOAM_RULES_FALSE:
    case LOAM_RULES_TRUE:
        return;
    }
}

/* What is read so far of a document. */
typedef struct tree_reading {
    byte_reader *reader;
    loam_arena *arena;
    uint32_t values;
} tree_reading;

static loam_status read_number(byte_reader *reader, loam_rules *rules) {
    rules->mantissa = read_i64(reader);
    rules->exponent = read_i32(reader);
    bool zero = rules->mantissa == 0 && rules->exponent == 0;
    bool odd = (rules->mantissa & 1) != 0 && rules->mantissa < MANTISSA_MAX &&
               rules->mantissa > -MANTISSA_MAX;
    bool legal =
        zero || (odd && rules->exponent >= EXPONENT_MIN && rules->exponent <= EXPONENT_MAX);
    return legal ? LOAM_OK : LOAM_DAMAGED;
}

static loam_status read_copy(tree_reading *reading, loam_text *text) {
    loam_text read = read_text(reading->reader);
    return reading->reader->failed ? LOAM_DAMAGED : text_copy(read, reading->arena, text);
}

static loam_status read_value(tree_reading *reading, uint32_t depth, loam_rules *rules);

static loam_status read_items(tree_reading *reading, uint32_t depth, loam_rules *rules) {
    bool object = rules->kind == LOAM_RULES_OBJECT;
    rules->count = read_u32(reading->reader);
    if (rules->count > reading->reader->left / (object ? FIELD_BYTES_MIN : VALUE_BYTES_MIN) ||
        rules->count > RULES_VALUES_MAX - reading->values) {
        return LOAM_DAMAGED;
    }
    loam_rules *items = loam_arena_take_zero(reading->arena, rules->count, sizeof *items);
    loam_text *keys =
        object ? loam_arena_take_zero(reading->arena, rules->count, sizeof *keys) : NULL;
    LOAM_TRY_MEMORY(items, NULL);
    if (object && keys == NULL) {
        return LOAM_ARENA_FULL;
    }
    for (uint32_t i = 0; i < rules->count; i++) {
        if (object) {
            LOAM_TRY(read_copy(reading, &keys[i]));
            if (i > 0 && loam_text_compare(keys[i - 1], keys[i]) >= 0) {
                return LOAM_DAMAGED;
            }
        }
        LOAM_TRY(read_value(reading, depth + 1, &items[i]));
    }
    rules->items = items;
    rules->keys = keys;
    return LOAM_OK;
}

static loam_status read_value(tree_reading *reading, uint32_t depth, loam_rules *rules) {
    uint8_t kind = read_u8(reading->reader);
    *rules = (loam_rules){.kind = (loam_rules_kind)kind};
    if (reading->reader->failed || kind > LOAM_RULES_OBJECT || depth > RULES_DEPTH_MAX ||
        reading->values >= RULES_VALUES_MAX) {
        return LOAM_DAMAGED;
    }
    reading->values++;
    loam_status status = LOAM_OK;
    if (rules->kind == LOAM_RULES_NUMBER) {
        status = read_number(reading->reader, rules);
    } else if (rules->kind == LOAM_RULES_TEXT) {
        status = read_copy(reading, &rules->text);
    } else if (rules->kind == LOAM_RULES_LIST || rules->kind == LOAM_RULES_OBJECT) {
        status = read_items(reading, depth, rules);
    }
    return status == LOAM_OK && reading->reader->failed ? LOAM_DAMAGED : status;
}

loam_status rules_tree_read(byte_reader *reader, loam_arena *arena, loam_rules *rules) {
    tree_reading reading = {reader, arena, 0};
    return read_value(&reading, 1, rules);
}
