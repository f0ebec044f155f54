/* SPDX-License-Identifier: MIT
 *
 * attribute.c: see attribute.h.
 */
#include "core/ops/attribute.h"

#include "core/base/fixed_math.h"
#include "core/base/text.h"
#include "core/base/try.h"

#include <math.h>

/* What a reserved name reads of row i, in 1/65,536. */
typedef int32_t reserved_reader(const point_set *set, uint32_t i);

static int32_t read_density(const point_set *set, uint32_t i) {
    uint32_t density = set->density == NULL ? set->density_all : set->density[i];
    return (int32_t)((density + 128) >> 8);
}

static int32_t read_height(const point_set *set, uint32_t i) {
    return set->y[i] * 256;
}

/* The angle of the gradient: atan of its length. */
static int32_t read_slope(const point_set *set, uint32_t i) {
    if (set->gradient_x == NULL) {
        return 0;
    }
    double gx = (double)set->gradient_x[i], gz = (double)set->gradient_z[i];
    double turns = fixed_atan2_turns(sqrt(gx * gx + gz * gz), 4096.0);
    return round_to_int(turns * (360.0 * 65536.0));
}

static int32_t read_yaw(const point_set *set, uint32_t i) {
    return set->yaw == NULL ? 0 : (int32_t)set->yaw[i] * 360;
}

static int32_t read_scale(const point_set *set, uint32_t i) {
    return (set->scale == NULL ? LOAM_SCALE_ONE : (int32_t)set->scale[i]) * 16;
}

static int32_t read_station(const point_set *set, uint32_t i) {
    return set->station == NULL ? 0 : set->station[i];
}

static int32_t read_offset(const point_set *set, uint32_t i) {
    return set->offset == NULL ? 0 : set->offset[i];
}

typedef struct reserved_name {
    const char *name;
    reserved_reader *read;
} reserved_name;

static const reserved_name reserved_names[] = {
    {"$density", read_density}, {"$height", read_height}, {"$slope_deg", read_slope},
    {"$yaw_deg", read_yaw},     {"$scale", read_scale},   {"$station", read_station},
    {"$offset", read_offset},
};

static reserved_reader *find_reserved(loam_text name) {
    for (size_t i = 0; i < COUNT_OF(reserved_names); i++) {
        if (loam_text_equal(name, loam_text_of(reserved_names[i].name))) {
            return reserved_names[i].read;
        }
    }
    return NULL;
}

static bool is_reserved(loam_text name) {
    return name.size > 0 && name.bytes[0] == '$';
}

bool attribute_is_reserved(loam_text name, bool writable) {
    reserved_reader *field = find_reserved(name);
    bool fixed = field == read_slope || field == read_station || field == read_offset;
    return field != NULL && !(writable && fixed);
}

int32_t attribute_find(const point_set *set, loam_text name) {
    for (uint32_t i = 0; i < set->attribute_count; i++) {
        if (loam_text_equal(set->attributes[i].name, name)) {
            return (int32_t)i;
        }
    }
    return -1;
}

static bool is_live(const point_set *set, uint32_t i) {
    return set->live == NULL || set->live[i] != 0;
}

/* Whole numbers in 1/65,536. */
static loam_status widen(node_call *call, const point_set *set, const point_attribute *attribute,
                         int32_t *numbers) {
    for (uint32_t i = 0; i < set->count; i++) {
        int64_t value = attribute->values[i];
        bool missing = value == ATTRIBUTE_MISSING;
        if (!missing && (value > INT16_MAX || value < INT16_MIN)) {
            if (is_live(set, i)) {
                return loam_fail(call->error, LOAM_OUT_OF_RANGE, call->pointer,
                                 "%.*s is %lld at a point, beyond what a number can hold here",
                                 TEXT_ARGS(attribute->name), (long long)value);
            }
            missing = true;
        }
        numbers[i] = missing ? ATTRIBUTE_MISSING : (int32_t)(value * ATTRIBUTE_ONE);
    }
    return LOAM_OK;
}

loam_status attribute_numbers(node_call *call, const point_set *set, loam_text name,
                              const int32_t **values) {
    int32_t found = attribute_find(set, name);
    if (found >= 0 && set->attributes[found].kind == LOAM_ATTRIBUTE_FLOAT) {
        *values = set->attributes[found].values;
        return LOAM_OK;
    }
    reserved_reader *read = find_reserved(name);
    int32_t *numbers = COLUMN_TAKE(call->arena, set->count, int32_t);
    LOAM_TRY_MEMORY(numbers, call->error);
    *values = numbers;
    if (found >= 0 && set->attributes[found].kind == LOAM_ATTRIBUTE_INT) {
        return widen(call, set, &set->attributes[found], numbers);
    }
    for (uint32_t i = 0; i < set->count; i++) {
        numbers[i] = read == NULL ? ATTRIBUTE_MISSING : read(set, i);
    }
    return LOAM_OK;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

/* A new fixed column; a missing number keeps what is there. */
#define PUT_FIXED(type, column, absent, expression)                                                \
    do {                                                                                           \
        type *made = COLUMN_TAKE(call->arena, out->count, type);                                   \
        LOAM_TRY_MEMORY(made, call->error);                                                        \
        for (uint32_t i = 0; i < out->count; i++) {                                                \
            type before = out->column == NULL ? (type)(absent) : out->column[i];                   \
            made[i] = values[i] == ATTRIBUTE_MISSING ? before : (type)(expression);                \
        }                                                                                          \
        out->column = made;                                                                        \
    } while (0)

/* Uniform where a number is given. */
static loam_status put_scale(node_call *call, point_set *out, const int32_t *values) {
    PUT_FIXED(uint16_t, scale, LOAM_SCALE_ONE, clamp(((int64_t)values[i] + 8) >> 4, 1, UINT16_MAX));
    if (out->scale_y != NULL) {
        PUT_FIXED(uint16_t, scale_y, LOAM_SCALE_ONE, out->scale[i]);
        PUT_FIXED(uint16_t, scale_z, LOAM_SCALE_ONE, out->scale[i]);
    }
    return LOAM_OK;
}

static loam_status put_reserved(node_call *call, point_set *out, loam_text name,
                                const int32_t *values) {
    reserved_reader *field = find_reserved(name);
    if (field == read_density) {
        PUT_FIXED(uint32_t, density, out->density_all,
                  clamp((int64_t)values[i] * 256, 0, LOAM_DENSITY_ONE));
    } else if (field == read_height) {
        PUT_FIXED(int32_t, y, 0, floor_divide((int64_t)values[i] + 128, 256));
    } else if (field == read_yaw) {
        PUT_FIXED(uint16_t, yaw, 0, floor_divide((int64_t)values[i] + 180, 360) & 65535);
    } else if (field == read_scale) {
        return put_scale(call, out, values);
    } else {
        return loam_fail(call->error, LOAM_BAD_NAME, call->pointer, "%.*s cannot be written",
                         TEXT_ARGS(name));
    }
    return LOAM_OK;
}

loam_status attribute_put(node_call *call, point_set *out, loam_text name, loam_attribute_kind kind,
                          const int32_t *values) {
    if (is_reserved(name)) {
        return put_reserved(call, out, name, values);
    }
    int32_t found = attribute_find(out, name);
    uint32_t count = out->attribute_count + (found < 0 ? 1 : 0);
    if (count > ATTRIBUTES_MAX) {
        return loam_fail(call->error, LOAM_TOO_MANY, call->pointer,
                         "points have at most %d attributes", ATTRIBUTES_MAX);
    }
    point_attribute *attributes = loam_arena_take(call->arena, count, sizeof *attributes);
    LOAM_TRY_MEMORY(attributes, call->error);
    uint32_t at = 0, from = 0;
    while (from < out->attribute_count && loam_text_compare(out->attributes[from].name, name) < 0) {
        attributes[at++] = out->attributes[from++];
    }
    attributes[at++] = (point_attribute){name, kind, values};
    from += found >= 0;
    while (from < out->attribute_count) {
        attributes[at++] = out->attributes[from++];
    }
    out->attributes = attributes;
    out->attribute_count = count;
    return LOAM_OK;
}

/* An attribute parameter's items are its default and its max, in the parameter's scale. */
enum { ITEM_DEFAULT, ITEM_MAX };

static int64_t value_most(const loam_value *value, const loam_param_schema *schema) {
    if (value->kind != LOAM_VALUE_ATTRIBUTE) {
        return value->integer;
    }
    const loam_value *most = &value->items[ITEM_MAX];
    return most->kind == LOAM_VALUE_UNSET ? schema->max : most->integer;
}

int64_t param_most(const loam_node *node, uint32_t index) {
    return value_most(&node->params[index], &node->operation->params[index]);
}

/* 1/65,536 to a scale of `bits`: to nearest, or up for lengths that must not come out shorter. */
static int64_t rescale(int32_t number, const loam_param_schema *schema) {
    int32_t drop = 16 - (int32_t)schema->scale_bits;
    if (drop <= 0) {
        return (int64_t)number * ((int64_t)1 << -drop);
    }
    int64_t step = (int64_t)1 << drop;
    bool up = (schema->flags & LOAM_PARAM_ROUND_UP) != 0;
    return floor_divide((int64_t)number + (up ? step - 1 : step / 2), step);
}

loam_status param_column_read(node_call *call, const point_set *set, uint32_t index,
                              param_column *column) {
    return value_column_read(call, set, &call->node->params[index],
                             &call->node->operation->params[index], column);
}

loam_status value_column_read(node_call *call, const point_set *set, const loam_value *value,
                              const loam_param_schema *schema, param_column *column) {
    *column = (param_column){.constant = value->integer};
    if (value->kind != LOAM_VALUE_ATTRIBUTE) {
        return LOAM_OK;
    }
    const int32_t *numbers;
    LOAM_TRY(attribute_numbers(call, set, value->text, &numbers));
    int64_t *values = COLUMN_TAKE(call->arena, set->count, int64_t);
    LOAM_TRY_MEMORY(values, call->error);
    int64_t most = value_most(value, schema);
    for (uint32_t i = 0; i < set->count; i++) {
        bool missing = numbers[i] == ATTRIBUTE_MISSING;
        values[i] = missing ? value->items[ITEM_DEFAULT].integer : rescale(numbers[i], schema);
        bool wrong = values[i] > most || values[i] < schema->min;
        if (wrong && is_live(set, i)) {
            return loam_fail(call->error, LOAM_OUT_OF_RANGE, call->pointer,
                             "%.*s drives %s out of its range at a point", TEXT_ARGS(value->text),
                             schema->key);
        }
        values[i] = wrong ? schema->min : values[i];
    }
    column->values = values;
    return LOAM_OK;
}
