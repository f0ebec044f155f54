/* SPDX-License-Identifier: MIT
 *
 * maker_params.c: values of parameters, from their schemas. Of most numbers any value is legal; of
 * those that decide how many points there are or how far a node looks, a table says from where to
 * where they leave a small graph small and some points alive. The corners of the ranges are
 * test_range_corners.c's.
 */
#include "tests/sim/maker.h"

#include <stdio.h>
#include <string.h>

/* In sixteenths of what JSON would say. */
typedef struct tame_range {
    const char *operation; /* NULL: any */
    const char *key;
    int64_t low, high;
} tame_range;

#define RANGE(operation, key, low, high)                                                           \
    { operation, key, (int64_t)((low)*16), (int64_t)((high)*16) }

static const tame_range tame[] = {
    RANGE("poisson.sample", "radius_m", 8, 30),
    RANGE("poisson.disk", "radius_m", 5, 14),
    RANGE("poisson.disk", "width_m", 40, 160),
    RANGE("poisson.disk", "depth_m", 40, 160),
    RANGE("poisson.disk", "attempts", 2, 30),
    RANGE("poisson.disk", "max_points", 30, 900),
    RANGE("copy.points", "max_points", 8000, 9000),
    RANGE("copy.points", "target_scale_max", 15, 15.9),
    RANGE("spatial.sphere", "radius_m", 30, 200),
    RANGE("spatial.points", "radius_m", 3, 30),
    RANGE("spatial.tube", "radius_m", 3, 50),
    RANGE("filter.radius", "radius_m", 60, 400),
    RANGE("self.prune", "radius_m", 2, 24),
    RANGE("spawn", "radius_m", 0, 9),
    RANGE("line.sample", "jitter_m", 0, 9),
    RANGE("jitter", "x_m", 0, 15),
    RANGE("jitter", "z_m", 0, 15),
    RANGE("jitter", "y_m", 0, 5),
    RANGE("grid.sample", "y_m", 0, 120),
    RANGE("filter.height", "min_m", -60, 60),
    RANGE("filter.height", "max_m", 70, 300),
    RANGE("filter.line_distance", "min_m", 0, 10),
    RANGE("filter.line_distance", "max_m", 20, 120),
    RANGE("filter.slope", "min_deg", 0, 8),
    RANGE("filter.slope", "max_deg", 20, 90),
    RANGE("zone.buffer", "width_m", 0, 30),
    RANGE("transform.scatter", "scale_min", 0.5, 1),
    RANGE("transform.scatter", "scale_max", 1, 3),
    RANGE("transform.scatter", "scale_cap", 2, 4),
    RANGE("transform.scatter", "mu", -0.5, 1),
    RANGE("transform.scatter", "sigma", 0, 1),
    RANGE("transform.scatter", "sink_m", -1, 3),
    RANGE("transform", "scale", 0.5, 2),
    RANGE("filter.density", "min", 0, 0.25),
    RANGE("filter.density", "max", 0.5, 1),
    RANGE("density.remap", "from", -3, 3),
    RANGE(NULL, "scale_min", 0.5, 1),
    RANGE(NULL, "scale_max", 1, 2),
    RANGE(NULL, "distance_m", 1, 16),
    RANGE(NULL, "max_m", 10, 90),
    RANGE(NULL, "near_m", 0, 15),
    RANGE(NULL, "far_m", 20, 100),
    RANGE(NULL, "edge_m", 0, 10),
    RANGE(NULL, "margin_m", 0, 12),
    RANGE(NULL, "wavelength_m", 5, 400),
    RANGE(NULL, "min_y_m", -50, 60),
    RANGE(NULL, "max_y_m", 80, 160),
    RANGE(NULL, "density", 0.3, 1),
    RANGE(NULL, "multiplier", 0.4, 1),
    RANGE(NULL, "contrast", -4, 4),
    RANGE(NULL, "bias", 0, 1.5),
    RANGE(NULL, "gain", 0, 1),
    RANGE(NULL, "strength", 0, 9),
    RANGE(NULL, "weight", 0.25, 4),
    RANGE(NULL, "offsets_m", 0, 30),
    RANGE(NULL, "in_min", -40, 0),
    RANGE(NULL, "in_max", 1, 90),
    RANGE(NULL, "min", -9, 1),
    RANGE(NULL, "max", 1, 90),
};

static const tame_range *tame_of(const loam_operation *operation, const char *key) {
    for (uint32_t i = 0; i < sizeof tame / sizeof *tame; i++) {
        bool here = tame[i].operation == NULL || strcmp(tame[i].operation, operation->name) == 0;
        if (here && strcmp(tame[i].key, key) == 0) {
            return &tame[i];
        }
    }
    return NULL;
}

static int64_t clamp(const loam_param_schema *schema, int64_t value) {
    value = value < schema->min ? schema->min : value;
    return value > schema->max ? schema->max : value;
}

/* About as many sites along the place's side as make some hundred points of a cell. */
static int64_t spacing_of(maker *make, const loam_operation *operation,
                          const loam_param_schema *schema) {
    bool space = strcmp(operation->name, "spatial.sample") == 0;
    int64_t most = space ? 24 : strcmp(operation->name, "line.sample") == 0 ? 150 : 80;
    int64_t step = ((int64_t)1 << schema->scale_bits) * maker_place(make).side_m;
    return step / dice_between(maker_dice(make), most / 3, most);
}

static int64_t number_of(maker *make, const loam_operation *operation,
                         const loam_param_schema *schema) {
    if (strcmp(schema->key, "spacing_m") == 0) {
        return spacing_of(make, operation, schema);
    }
    const tame_range *range = tame_of(operation, schema->key);
    int64_t one = (int64_t)1 << schema->scale_bits;
    if (range != NULL) {
        return clamp(schema,
                     dice_between(maker_dice(make), range->low * one / 16, range->high * one / 16));
    }
    int64_t low = schema->min > -8 * one ? schema->min : -8 * one;
    int64_t high = schema->max < 40 * one ? schema->max : 40 * one;
    return dice_between(maker_dice(make), low, high);
}

/* Attributes that other nodes of the graph may have written, and those that all points have. */
static const char *int_name(dice *from) {
    static const char *const names[] = {"age", "age", "i0", "$height"};
    return names[dice_below(from, 4)];
}

static const char *number_name(dice *from) {
    static const char *const names[] = {"f0",       "f1",       "i0",         "size",
                                        "age",      "$height",  "$slope_deg", "$scale",
                                        "$density", "$yaw_deg", "$offset",    "$station"};
    return names[dice_below(from, 12)];
}

static const char *text_of(maker *make, const loam_operation *operation,
                           const loam_param_schema *schema) {
    static const char *const floats[] = {"f0", "f1", "f0", "$yaw_deg", "$density"};
    static const char *const assets[] = {"oak", "pine", "moss", "rock"};
    static const char *const texts[] = {"s0", "asset", "kind"};
    static char grammar[200];
    dice *from = maker_dice(make);
    if (strcmp(schema->key, "grammar") == 0) {
        grammar_make(from, grammar, sizeof grammar);
        return grammar;
    }
    if (strcmp(schema->key, "values") == 0 || strcmp(schema->key, "value") == 0 ||
        strcmp(schema->key, "asset") == 0 || strcmp(operation->name, "spawn") == 0) {
        return strcmp(schema->key, "attribute") == 0 ? texts[dice_below(from, 2)]
                                                     : assets[dice_below(from, 4)];
    }
    if (strcmp(operation->name, "attribute.set.string") == 0 ||
        strcmp(operation->name, "filter.string") == 0) {
        return texts[dice_below(from, 3)];
    }
    if (strcmp(operation->name, "filter.int") == 0) {
        return int_name(from);
    }
    if (strcmp(operation->name, "attribute.set.int") == 0) {
        return "i0";
    }
    bool written = strncmp(operation->name, "attribute.", 10) == 0;
    return written ? floats[dice_below(from, 5)] : number_name(from);
}

/* A place: around the test's, or a step from where a point is. */
static int64_t axis_of(maker *make, const loam_param_schema *schema, uint32_t axis) {
    const sim_place place = maker_place(make);
    int64_t side = place.side_m, corner = axis == 0 ? place.x_m : place.z_m;
    int64_t low = corner, high = corner + side;
    if (strcmp(schema->key, "min_m") == 0) {
        low = axis == 1 ? -60 : corner - side / 4;
        high = axis == 1 ? 50 : corner + side / 3;
    } else if (strcmp(schema->key, "max_m") == 0) {
        low = axis == 1 ? 70 : corner + side / 2;
        high = axis == 1 ? 300 : corner + side * 5 / 4;
    } else if (axis == 1) {
        low = 0;
        high = 120;
    }
    return dice_between(maker_dice(make), low * LOAM_UNITS_PER_METRE, high * LOAM_UNITS_PER_METRE);
}

static void write_triple(maker *make, const loam_operation *operation,
                         const loam_param_schema *schema) {
    bool place = strcmp(operation->name, "transform") != 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        maker_write(
            make, "%s%lld", axis == 0 ? "[" : ",",
            (long long)(place ? axis_of(make, schema, axis) : number_of(make, operation, schema)));
    }
    maker_write(make, "]");
}

/* A number, or the attribute that it goes by: small ones, whose largest value is given. */
static void write_number(maker *make, const loam_operation *operation,
                         const loam_param_schema *schema) {
    if ((schema->flags & LOAM_PARAM_ATTRIBUTE) == 0 || dice_percent(maker_dice(make), 60)) {
        maker_write(make, "%lld", (long long)number_of(make, operation, schema));
    } else if (strcmp(schema->unit, "m") == 0) {
        maker_write(make, "@$scale:%d:%d", 2 * LOAM_UNITS_PER_METRE, 16 * LOAM_UNITS_PER_METRE);
    } else {
        maker_write(make, "@%s:%lld:%lld", number_name(maker_dice(make)),
                    (long long)number_of(make, operation, schema), (long long)schema->max);
    }
}

static void write_records(maker *make, const loam_operation *operation,
                          const loam_param_schema *schema) {
    uint32_t count = 1 + dice_below(maker_dice(make), 4);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t f = 0; f < schema->field_count; f++) {
            const loam_param_schema *field = &schema->fields[f];
            maker_write(make, "%s", f > 0 ? "," : i > 0 ? ",[" : "[[");
            if (field->kind == LOAM_PARAM_STRING) {
                maker_write(make, "'%s'", text_of(make, operation, field));
            } else if (strcmp(field->key, "weight") == 0 && dice_percent(maker_dice(make), 20)) {
                maker_write(make, "@$density:65536:655360");
            } else {
                maker_write(make, "%lld", (long long)number_of(make, operation, field));
            }
        }
        maker_write(make, "]");
    }
    maker_write(make, "]");
}

/* `keep` of line.sample is as long as its offsets or one number; one serves. */
static void write_list(maker *make, const loam_operation *operation,
                       const loam_param_schema *schema) {
    if (schema->field_count > 0) {
        write_records(make, operation, schema);
        return;
    }
    if (schema->items_min == 3) {
        write_triple(make, operation, schema);
        return;
    }
    uint32_t count = strcmp(schema->key, "keep") == 0 ? 1 : 1 + dice_below(maker_dice(make), 3);
    for (uint32_t i = 0; i < count; i++) {
        maker_write(make, "%s", i == 0 ? "[" : ",");
        if (schema->item == LOAM_PARAM_STRING) {
            maker_write(make, "'%s'", text_of(make, operation, schema));
        } else {
            maker_write(make, "%lld", (long long)number_of(make, operation, schema));
        }
    }
    maker_write(make, "]");
}

static void write_curve(maker *make, const loam_param_schema *schema) {
    dice *from = maker_dice(make);
    if (dice_percent(from, 60)) {
        maker_write(make, "%u", dice_below(from, 2));
        return;
    }
    int64_t x = 0;
    for (uint32_t i = 0; i < 4; i++) {
        maker_write(make, "%s[%lld,%lld]", i == 0 ? "[" : ",", (long long)x,
                    (long long)dice_between(from, 0, (int64_t)1 << schema->scale_bits));
        x += dice_between(from, 1, ((int64_t)1 << schema->scale_bits) / 4);
    }
    maker_write(make, "]");
}

static void write_value(maker *make, const loam_operation *operation,
                        const loam_param_schema *schema) {
    switch (schema->kind) {
    case LOAM_PARAM_BOOL:
        maker_write(make, "%d", dice_percent(maker_dice(make), 15));
        return;
    case LOAM_PARAM_STRING:
        maker_write(make, "'%s'", text_of(make, operation, schema));
        return;
    case LOAM_PARAM_LIST:
        write_list(make, operation, schema);
        return;
    case LOAM_PARAM_CURVE:
        write_curve(make, schema);
        return;
    case LOAM_PARAM_CHOICE:
        maker_write(make, "%lld",
                    (long long)dice_between(maker_dice(make), schema->min, schema->max));
        return;
    default:
        write_number(make, operation, schema);
    }
}

/* Corners of rectangles and discs are places. */
static bool write_place(maker *make, const loam_operation *operation,
                        const loam_param_schema *schema) {
    const sim_place place = maker_place(make);
    bool x = strcmp(schema->key, "origin_x_m") == 0 || strcmp(schema->key, "x_m") == 0;
    bool z = strcmp(schema->key, "origin_z_m") == 0 || strcmp(schema->key, "z_m") == 0;
    if ((!x && !z) || strcmp(operation->name, "jitter") == 0) {
        return false;
    }
    int64_t corner = x ? place.x_m : place.z_m;
    maker_write(make, " %s=%lld", schema->key,
                (long long)dice_between(maker_dice(make), corner * LOAM_UNITS_PER_METRE,
                                        (corner + place.side_m / 2) * LOAM_UNITS_PER_METRE));
    return true;
}

/* One radius for all, or the larger, or the sum: a radius by attribute is not for all. */
static void write_mode(maker *make) {
    bool varies = maker_wrote(make, "radius_m=@");
    maker_write(make, " mode=%lld", (long long)dice_between(maker_dice(make), varies, 2));
}

void params_make(maker *make, const loam_operation *operation) {
    for (uint32_t p = 0; p < operation->param_count; p++) {
        const loam_param_schema *schema = &operation->params[p];
        bool levels = strcmp(operation->name, "spatial.sample") == 0;
        bool needed = (schema->flags & LOAM_PARAM_REQUIRED) != 0 ||
                      (levels && strstr(schema->key, "y_m") != NULL) ||
                      strcmp(schema->key, "target_scale_max") == 0 ||
                      strcmp(schema->key, "attribute") == 0;
        if (strcmp(schema->key, "mode") == 0) {
            write_mode(make);
            continue;
        }
        if (!needed && dice_percent(maker_dice(make), 50)) {
            continue;
        }
        if (!write_place(make, operation, schema)) {
            maker_write(make, " %s=", schema->key);
            write_value(make, operation, schema);
        }
    }
}
