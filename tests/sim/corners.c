/* SPDX-License-Identifier: MIT
 *
 * corners.c: see corners.h.
 */
#include "tests/sim/corners.h"

#include "core/base/limits.h"

#include <stdlib.h>
#include <string.h>

typedef struct corner_list {
    corner *corners;
    uint32_t count;
    loam_arena *arena;
} corner_list;

static void add(corner_list *list, loam_value value, corner_fit fit, const char *what) {
    if (list->count == CORNERS_MAX) {
        abort();
    }
    list->corners[list->count++] = (corner){value, fit, what};
}

static loam_value integer_of(int64_t integer) {
    return (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = integer};
}

static loam_value text_of(const char *text) {
    return (loam_value){.kind = LOAM_VALUE_TEXT, .text = loam_text_of(text)};
}

/* A list of one value `count` times. */
static loam_value list_of(corner_list *list, loam_value item, uint32_t count) {
    loam_value *items = loam_arena_take(list->arena, count + 1u, sizeof *items);
    if (items == NULL) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        items[i] = item;
    }
    return (loam_value){.kind = LOAM_VALUE_LIST, .items = items, .item_count = count};
}

static loam_value attribute_of(corner_list *list, const char *name, int64_t usual, int64_t most) {
    loam_value *items = loam_arena_take(list->arena, 2, sizeof *items);
    if (items == NULL) {
        abort();
    }
    items[0] = integer_of(usual);
    items[1] = integer_of(most);
    return (loam_value){
        .kind = LOAM_VALUE_ATTRIBUTE, .text = loam_text_of(name), .items = items, .item_count = 2};
}

static corner_fit fit_of(const loam_param_schema *schema, int64_t value) {
    bool zero = value == 0 && (schema->flags & LOAM_PARAM_NONZERO) != 0;
    return value < schema->min || value > schema->max || zero ? CORNER_OUT : CORNER_IN;
}

static void add_numbers(corner_list *list, const loam_param_schema *schema) {
    const int64_t one = (int64_t)1 << schema->scale_bits;
    const int64_t values[] = {schema->min,
                              schema->min + 1,
                              schema->min - 1,
                              schema->max,
                              schema->max - 1,
                              schema->max + 1,
                              0,
                              1,
                              -1,
                              one,
                              -one,
                              INT64_MAX,
                              INT64_MIN + 1};
    for (uint32_t i = 0; i < sizeof values / sizeof *values; i++) {
        add(list, integer_of(values[i]), fit_of(schema, values[i]), "a number");
    }
    add(list, text_of("7"), CORNER_OUT, "a text for a number");
    add(list, list_of(list, integer_of(schema->min), 1), CORNER_OUT, "a list for a number");
}

static void add_attributes(corner_list *list, const loam_param_schema *schema) {
    const bool takes = (schema->flags & LOAM_PARAM_ATTRIBUTE) != 0;
    const corner_fit fit = takes ? CORNER_EITHER : CORNER_OUT;
    add(list, attribute_of(list, "$density", schema->min, schema->max), fit, "all by attribute");
    add(list, attribute_of(list, "$scale", schema->max, schema->max), fit, "the most by default");
    add(list, attribute_of(list, "none", schema->min, schema->min), fit, "the least by none");
    add(list, attribute_of(list, "f0", schema->min - 1, schema->max), CORNER_OUT,
        "a default below");
    add(list, attribute_of(list, "f0", schema->max, schema->max + 1), CORNER_OUT, "a max above");
    add(list, attribute_of(list, "", schema->min, schema->max), CORNER_FAULT, "an empty attribute");
    add(list, attribute_of(list, "$nothing", schema->min, schema->max), CORNER_FAULT,
        "an unknown reserved attribute");
}

static void add_texts(corner_list *list) {
    enum { LONG = 1000 };
    char *longest = loam_arena_take(list->arena, LONG + 1, 1);
    if (longest == NULL) {
        abort();
    }
    memset(longest, 'a', LONG);
    longest[LONG] = 0;
    add(list, text_of(""), CORNER_EITHER, "an empty text");
    add(list, text_of(longest), CORNER_EITHER, "a long text");
    add(list, text_of("a b"), CORNER_EITHER, "a text with a space");
    add(list, text_of("\x01\xff"), CORNER_EITHER, "bytes");
    add(list, text_of("$height"), CORNER_EITHER, "a reserved name");
    add(list, text_of("$nothing"), CORNER_EITHER, "an unknown reserved name");
    add(list, text_of("[[[[,"), CORNER_EITHER, "brackets");
    add(list, integer_of(1), CORNER_OUT, "a number for a text");
}

/* A record with every field at its least, at its most, or at its default. */
static loam_value record_of(corner_list *list, const loam_param_schema *schema, int which) {
    loam_value record = list_of(list, integer_of(0), schema->field_count);
    loam_value *items = loam_arena_take(list->arena, schema->field_count, sizeof *items);
    if (items == NULL) {
        abort();
    }
    for (uint32_t f = 0; f < schema->field_count; f++) {
        const loam_param_schema *field = &schema->fields[f];
        bool text = field->kind == LOAM_PARAM_STRING;
        int64_t number = which < 0 ? field->min : which > 0 ? field->max : field->initial;
        items[f] = text ? text_of("oak") : integer_of(number);
    }
    record.items = items;
    return record;
}

static void add_records(corner_list *list, const loam_param_schema *schema) {
    loam_value usual = record_of(list, schema, 0), short_one = usual;
    short_one.item_count--;
    add(list, list_of(list, usual, 0), schema->items_min > 0 ? CORNER_OUT : CORNER_IN,
        "no records");
    add(list, list_of(list, usual, schema->items_max), CORNER_EITHER, "the most records");
    add(list, list_of(list, usual, schema->items_max + 1u), CORNER_OUT, "too many records");
    add(list, list_of(list, short_one, 1), CORNER_OUT, "a record too short");
    add(list, list_of(list, integer_of(1), 1), CORNER_OUT, "a number for a record");
    add(list, list_of(list, record_of(list, schema, -1), 2), CORNER_EITHER, "the least records");
    add(list, list_of(list, record_of(list, schema, 1), 2), CORNER_EITHER, "the largest records");
}

static void add_lists(corner_list *list, const loam_param_schema *schema) {
    const bool texts = schema->item == LOAM_PARAM_STRING;
    const uint32_t most = schema->items_max > 0 ? schema->items_max : LIST_ITEMS_MAX;
    const loam_value least = texts ? text_of("") : integer_of(schema->min);
    const loam_value largest = texts ? text_of("a") : integer_of(schema->max);
    add(list, list_of(list, least, 0), schema->items_min > 0 ? CORNER_OUT : CORNER_IN, "no items");
    add(list, list_of(list, largest, most + 1), CORNER_OUT, "too many items");
    add(list, list_of(list, largest, most), CORNER_EITHER, "the most items");
    add(list, list_of(list, least, most), CORNER_EITHER, "the most of the least");
    add(list, list_of(list, least, schema->items_min), CORNER_EITHER, "the least items");
    add(list, list_of(list, list_of(list, least, 1), most), CORNER_OUT, "lists for items");
    if (!texts) {
        add(list, list_of(list, integer_of(schema->max + 1), most), CORNER_OUT, "items above");
        add(list, list_of(list, integer_of(schema->min - 1), most), CORNER_OUT, "items below");
        add(list, list_of(list, text_of("a"), most), CORNER_OUT, "texts for numbers");
    }
    add(list, integer_of(schema->min), CORNER_OUT, "a number for a list");
}

static loam_value point_of(corner_list *list, int64_t x, int64_t y) {
    loam_value point = list_of(list, integer_of(x), 2);
    loam_value *items = loam_arena_take(list->arena, 2, sizeof *items);
    if (items == NULL) {
        abort();
    }
    items[0] = integer_of(x);
    items[1] = integer_of(y);
    point.items = items;
    return point;
}

static void add_curves(corner_list *list, const loam_param_schema *schema) {
    const int64_t one = (int64_t)1 << schema->scale_bits;
    loam_value two = list_of(list, point_of(list, -CURVE_NUMBER_MAX, 0), 2);
    loam_value *points = loam_arena_take(list->arena, 2, sizeof *points);
    if (points == NULL) {
        abort();
    }
    points[0] = point_of(list, -CURVE_NUMBER_MAX, one);
    points[1] = point_of(list, CURVE_NUMBER_MAX, 0);
    add(list, two, CORNER_EITHER, "two points at one place");
    two.items = points;
    add(list, two, CORNER_EITHER, "the widest curve");
    add(list, list_of(list, points[0], 0), CORNER_EITHER, "a curve of nothing");
    add(list, list_of(list, points[0], 1), CORNER_EITHER, "a curve of one point");
    add(list, list_of(list, points[0], LIST_ITEMS_MAX + 1), CORNER_OUT, "too many points");
    add(list, list_of(list, integer_of(1), 2), CORNER_OUT, "numbers for points");
    add(list, integer_of(schema->max), CORNER_IN, "the last shape");
    add(list, integer_of(schema->max + 1), CORNER_OUT, "a shape that is none");
    add(list, integer_of(-1), CORNER_OUT, "a shape below");
}

uint32_t corners_of(const loam_param_schema *schema, loam_arena *arena, corner *corners) {
    corner_list list = {corners, 0, arena};
    switch (schema->kind) {
    case LOAM_PARAM_STRING:
        add_texts(&list);
        break;
    case LOAM_PARAM_LIST:
        schema->field_count > 0 ? add_records(&list, schema) : add_lists(&list, schema);
        break;
    case LOAM_PARAM_CURVE:
        add_curves(&list, schema);
        break;
    default:
        add_numbers(&list, schema);
        add_attributes(&list, schema);
    }
    return list.count;
}
