/* SPDX-License-Identifier: MIT
 *
 * encounter_table.c: see encounter_table.h.
 */
#include "core/content/encounter_table.h"

#include "core/base/fixed_math.h"
#include "core/base/limits.h"
#include "core/base/pointer.h"
#include "core/base/try.h"

enum { WEIGHT_MAX = 1000000, POOLS_MAX = 256, METAS_MAX = 32, PERCENT_MAX = 900 };

enum {
    TABLE_BASE,
    TABLE_BASE_BY_DEPTH,
    TABLE_COEFFICIENT,
    TABLE_COEFFICIENT_BY_THREAT,
    TABLE_THREAT,
    TABLE_POOLS,
    TABLE_META,
    TABLE_FALLBACK,
    TABLE_FIELDS
};
enum { THREAT_LEVEL, THREAT_GEAR, THREAT_HEALTH, THREAT_STREAK, THREAT_FIELDS };
enum {
    POOL_ARCHETYPE,
    POOL_MIN,
    POOL_MAX,
    POOL_WEIGHT,
    POOL_PLACE,
    POOL_HEALTH,
    POOL_DAMAGE,
    POOL_BEHAVIOUR,
    POOL_FIELDS
};
enum { META_WHEN, META_PERCENT, META_FIELDS };

static const char *const places[] = {"corridor", "room", "ambush", "nest", "boss", NULL};

#define WEIGHT_ROW(key_, label_, text_)                                                            \
    PARAM(key_, label_, "", INT, 0, 0, 0, -WEIGHT_MAX, WEIGHT_MAX, 1, text_)

static const loam_param_schema threat_fields[THREAT_FIELDS] = {
    WEIGHT_ROW("level_weight", "Level", "Permille of threat for each level."),
    WEIGHT_ROW("gear_weight", "Gear", "Permille of threat for each point of gear, in thousandths."),
    WEIGHT_ROW("health_weight", "Health", "The same for each permille of health."),
    WEIGHT_ROW("streak_weight", "Streak", "The same for each room without damage."),
};

static const loam_param_schema pool_fields[POOL_FIELDS] = {
    PARAM("archetype", "Archetype", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0, "Who comes."),
    PARAM("min", "Least strength", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 0, ENCOUNTER_STRENGTH_MAX, 1,
          "The band begins here."),
    PARAM("max", "Largest strength", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 0, ENCOUNTER_STRENGTH_MAX,
          1, "And ends here; both belong to it."),
    PARAM("weight", "Weight", "", INT, 0, 0, 1, 1, WEIGHT_MAX, 1, "Its share in its band."),
    PARAM_CHOICE("place", "Place", LOAM_UNSET, places, LOAM_PLACE_KINDS,
                 "Only there; anywhere when not given."),
    PARAM("health", "Health", "", INT, 0, 0, ENCOUNTER_HEALTH, 1, WEIGHT_MAX, 1,
          "At the band's least strength; in proportion above."),
    PARAM("damage", "Damage", "", INT, 0, 0, ENCOUNTER_DAMAGE, 0, WEIGHT_MAX, 1,
          "The same for damage."),
    {.key = "behaviour",
     .label = "Behaviour",
     .description = "Parameters of its own, over those of the place.",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET},
};

static const loam_param_schema when_fields[] = {
    PARAM("streak_min", "Streak", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 0, WEIGHT_MAX, 1,
          "Rooms without damage, at least."),
};

static const loam_param_schema meta_fields[META_FIELDS] = {
    {.key = "when",
     .label = "When",
     .description = "What must hold.",
     .unit = "",
     .kind = LOAM_PARAM_RECORD,
     .flags = LOAM_PARAM_REQUIRED,
     .fields = when_fields,
     .field_count = COUNT_OF(when_fields)},
    PARAM("strength_percent", "Strength", "%", INT, 0, LOAM_PARAM_REQUIRED, 0, -100, PERCENT_MAX, 1,
          "More strength, or less: 15 is 15 % more."),
};

static const loam_param_schema table_fields[TABLE_FIELDS] = {
    PARAM("base", "Base", "", INT, 0, 0, LOAM_UNSET, 0, ENCOUNTER_STRENGTH_MAX, 1,
          "Strength without threat."),
    {.key = "base_by_depth",
     .label = "Base by depth",
     .description = "The same as a curve over progress, permille.",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET},
    PARAM("coefficient_permille", "Coefficient", "", INT, 0, 0, LOAM_UNSET, 0,
          ENCOUNTER_COEFFICIENT_MAX, 10, "How much of base a threat of 1,000 adds."),
    {.key = "coefficient_by_threat",
     .label = "Coefficient by threat",
     .description = "The same as a curve over threat.",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET},
    {.key = "threat",
     .label = "Threat",
     .description = "What makes a player a threat.",
     .unit = "",
     .kind = LOAM_PARAM_RECORD,
     .initial = LOAM_UNSET,
     .fields = threat_fields,
     .field_count = THREAT_FIELDS},
    {.key = "pools",
     .label = "Pools",
     .description = "Who comes, by strength.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = POOLS_MAX,
     .fields = pool_fields,
     .field_count = POOL_FIELDS},
    {.key = "meta",
     .label = "Meta rules",
     .description = "What changes strength at last, in this order.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .items_max = METAS_MAX,
     .fields = meta_fields,
     .field_count = META_FIELDS},
    PARAM("fallback", "Fallback", "", STRING, 0, 0, LOAM_UNSET, 0, 0, 0,
          "Who comes where no pool has the strength; without one the nearest band."),
};

/* ---- Curves --------------------------------------------------------------------------------- */

typedef struct curve_limits {
    int64_t x_max, y_max;
} curve_limits;

/* A whole number from 0 to `most`. */
static loam_status read_whole(const loam_rules *from, int64_t most, const char *pointer,
                              int64_t *number, loam_error *error) {
    if (from->kind != LOAM_RULES_NUMBER || from->exponent < 0) {
        return loam_fail(error, LOAM_WRONG_TYPE, pointer, "a whole number is wanted here");
    }
    if (from->mantissa < 0 || from->exponent > 40 || from->mantissa > most >> from->exponent) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "it is at least 0 and at most %lld",
                         (long long)most);
    }
    *number = from->mantissa << from->exponent;
    return LOAM_OK;
}

static loam_status read_point(const loam_rules *from, curve_limits limits, const char *pointer,
                              int64_t *point, loam_error *error) {
    if (from->kind != LOAM_RULES_LIST || from->count != 2) {
        return loam_fail(error, LOAM_WRONG_TYPE, pointer, "a point is [x, y]");
    }
    LOAM_TRY(read_whole(&from->items[0], limits.x_max, pointer_below(pointer, NULL, 0).text,
                        &point[0], error));
    return read_whole(&from->items[1], limits.y_max, pointer_below(pointer, NULL, 1).text,
                      &point[1], error);
}

static loam_status read_curve(const loam_rules *from, curve_limits limits, const char *pointer,
                              loam_arena *arena, encounter_curve *curve, loam_error *error) {
    if (from->kind != LOAM_RULES_LIST) {
        return loam_fail(error, LOAM_WRONG_TYPE, pointer, "a curve is a list of points [x, y]");
    }
    if (from->count < 1 || from->count > LIST_ITEMS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, pointer, "a curve has 1 to %d points",
                         LIST_ITEMS_MAX);
    }
    int64_t *points = loam_arena_take(arena, from->count, 2 * sizeof *points);
    LOAM_TRY_MEMORY(points, error);
    for (uint32_t i = 0; i < from->count; i++) {
        pointer_text at = pointer_below(pointer, NULL, i);
        int64_t *point = &points[(size_t)i * 2];
        LOAM_TRY(read_point(&from->items[i], limits, at.text, point, error));
        if (i > 0 && point[0] <= point[-2]) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, at.text, "the x of a curve rise");
        }
    }
    *curve = (encounter_curve){points, from->count};
    return LOAM_OK;
}

int64_t encounter_curve_at(const encounter_curve *curve, int64_t x) {
    const int64_t *points = curve->points;
    uint32_t last = curve->count - 1;
    if (x <= points[0]) {
        return points[1];
    }
    for (uint32_t i = 0; i < last; i++) {
        const int64_t *from = &points[(size_t)i * 2];
        if (x < from[2]) {
            int64_t rise = (from[3] - from[1]) * (x - from[0]);
            return from[1] + floor_divide(rise, from[2] - from[0]);
        }
    }
    return points[(size_t)last * 2 + 1];
}

/* A number, or a curve in its stead; not both. Without either `initial`, or an error below 0. */
static loam_status read_either(const loam_value *values, uint32_t number, int64_t initial,
                               curve_limits limits, const char *pointer, loam_arena *arena,
                               encounter_curve *curve, loam_error *error) {
    const loam_value *value = &values[number], *points = &values[number + 1];
    pointer_text here = pointer_below(pointer, table_fields[number].key, 0);
    pointer_text other = pointer_below(pointer, table_fields[number + 1].key, 0);
    if (points->kind == LOAM_VALUE_RULES) {
        return value->kind == LOAM_VALUE_UNSET
                   ? read_curve(points->rules, limits, other.text, arena, curve, error)
                   : loam_fail(error, LOAM_OUT_OF_RANGE, other.text, "%s is given too",
                               table_fields[number].key);
    }
    if (value->kind == LOAM_VALUE_UNSET && initial < 0) {
        return loam_fail(error, LOAM_MISSING_FIELD, here.text, "%s or %s is required",
                         table_fields[number].key, table_fields[number + 1].key);
    }
    int64_t *point = loam_arena_take_zero(arena, 2, sizeof *point);
    LOAM_TRY_MEMORY(point, error);
    point[1] = value->kind == LOAM_VALUE_UNSET ? initial : value->integer;
    *curve = (encounter_curve){point, 1};
    return LOAM_OK;
}

/* ---- Pools and meta rules ------------------------------------------------------------------- */

static loam_status read_pool(const loam_value *fields, const char *pointer, encounter_pool *pool,
                             loam_error *error) {
    const loam_value *place = &fields[POOL_PLACE], *behaviour = &fields[POOL_BEHAVIOUR];
    *pool = (encounter_pool){
        .archetype = fields[POOL_ARCHETYPE].text,
        .min = fields[POOL_MIN].integer,
        .max = fields[POOL_MAX].integer,
        .weight = fields[POOL_WEIGHT].integer,
        .placed = place->kind == LOAM_VALUE_INTEGER,
        .health = fields[POOL_HEALTH].integer,
        .damage = fields[POOL_DAMAGE].integer,
    };
    if (pool->placed) {
        pool->place = (loam_place_kind)place->integer;
    }
    if (pool->archetype.size == 0) {
        return loam_fail(error, LOAM_BAD_NAME, pointer_below(pointer, "archetype", 0).text,
                         "an archetype has a name");
    }
    if (pool->min > pool->max) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer_below(pointer, "max", 0).text,
                         "max is below min");
    }
    if (behaviour->kind == LOAM_VALUE_RULES) {
        pool->behaviour = behaviour->rules;
        if (pool->behaviour->kind != LOAM_RULES_OBJECT) {
            return loam_fail(error, LOAM_WRONG_TYPE, pointer_below(pointer, "behaviour", 0).text,
                             "behaviour is an object");
        }
    }
    return LOAM_OK;
}

static loam_status read_pools(const loam_value *list, const char *pointer, loam_arena *arena,
                              encounter_table *table, loam_error *error) {
    encounter_pool *pools = loam_arena_take(arena, list->item_count, sizeof *pools);
    LOAM_TRY_MEMORY(pools, error);
    pointer_text at = pointer_below(pointer, "pools", 0);
    for (uint32_t i = 0; i < list->item_count; i++) {
        pointer_text item = pointer_below(at.text, NULL, i);
        LOAM_TRY(read_pool(list->items[i].items, item.text, &pools[i], error));
    }
    table->pools = pools;
    table->pool_count = list->item_count;
    return LOAM_OK;
}

static loam_status read_metas(const loam_value *list, loam_arena *arena, encounter_table *table,
                              loam_error *error) {
    encounter_meta *metas = loam_arena_take(arena, list->item_count, sizeof *metas);
    LOAM_TRY_MEMORY(metas, error);
    for (uint32_t i = 0; i < list->item_count; i++) {
        const loam_value *fields = list->items[i].items;
        metas[i] =
            (encounter_meta){fields[META_WHEN].items[0].integer, fields[META_PERCENT].integer};
    }
    table->metas = metas;
    table->meta_count = list->item_count;
    return LOAM_OK;
}

loam_status encounter_table_read(const loam_rules *document, const char *pointer, loam_arena *arena,
                                 encounter_table *table, loam_error *error) {
    const loam_value *values;
    LOAM_TRY(rules_read(document, table_fields, TABLE_FIELDS, pointer, arena, &values, error));
    *table = (encounter_table){.fallback = values[TABLE_FALLBACK].text};
    const loam_value *threat = &values[TABLE_THREAT];
    if (threat->kind == LOAM_VALUE_LIST) {
        table->level_weight = threat->items[THREAT_LEVEL].integer;
        table->gear_weight = threat->items[THREAT_GEAR].integer;
        table->health_weight = threat->items[THREAT_HEALTH].integer;
        table->streak_weight = threat->items[THREAT_STREAK].integer;
    }
    curve_limits base = {1000, ENCOUNTER_STRENGTH_MAX};
    curve_limits coefficient = {ENCOUNTER_THREAT_MAX, ENCOUNTER_COEFFICIENT_MAX};
    LOAM_TRY(read_either(values, TABLE_BASE, -1, base, pointer, arena, &table->base, error));
    LOAM_TRY(read_either(values, TABLE_COEFFICIENT, 0, coefficient, pointer, arena,
                         &table->coefficient, error));
    LOAM_TRY(read_pools(&values[TABLE_POOLS], pointer, arena, table, error));
    return read_metas(&values[TABLE_META], arena, table, error);
}

loam_status loam_encounter_check(const loam_rules *table, loam_arena *scratch, loam_error *error) {
    size_t mark = loam_arena_mark(scratch);
    encounter_table read;
    loam_status status = encounter_table_read(table, "", scratch, &read, error);
    loam_arena_reset(scratch, mark);
    return status;
}
