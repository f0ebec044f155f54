/* SPDX-License-Identifier: MIT
 *
 * tile_rules.c: the document of a tile map, {rules [{kind, mask, care, asset, turn, weight}],
 * variants {asset: n}}, and the map that is there without one.
 */
#include "core/assembly/tile_rules.h"

#include "core/assembly/mask.h"
#include "core/base/pointer.h"
#include "core/base/try.h"
#include "core/schema/schema.h"

#include <stdio.h>
#include <string.h>

/* Weights of all rules of a map add up to less than 2^31. */
enum { WEIGHT_MAX = 1000000 };

static const char *const kind_names[] = {"floor", "wall", "door", "junction", NULL};

enum { RULE_KIND, RULE_MASK, RULE_CARE, RULE_ASSET, RULE_TURN, RULE_WEIGHT, RULE_FIELDS };

static const loam_param_schema rule_fields[RULE_FIELDS] = {
    {.key = "kind",
     .label = "Kind",
     .unit = "",
     .kind = LOAM_PARAM_CHOICE,
     .flags = LOAM_PARAM_REQUIRED,
     .max = TILE_KINDS - 1,
     .choices = kind_names},
    PARAM("mask", "Mask", "", INT, 0, 0, 0, 0, MASK_ALL, 1,
          "Walkable neighbours, clockwise from north."),
    PARAM("care", "Care", "", INT, 0, 0, MASK_ALL, 0, MASK_ALL, 1, "The bits that must agree."),
    PARAM("asset", "Asset", "", STRING, 0, LOAM_PARAM_REQUIRED, 0, 0, 0, 0, "The piece's name."),
    {.key = "turn",
     .label = "Turn",
     .description = "Quarters clockwise, or \"auto\": as the pattern fits.",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET},
    PARAM("weight", "Weight", "", INT, 0, 0, 1, 1, WEIGHT_MAX, 1,
          "Against the rules of the same pattern that follow."),
};

enum { MAP_RULES, MAP_VARIANTS, MAP_FIELDS };

static const loam_param_schema map_fields[MAP_FIELDS] = {
    {.key = "rules",
     .label = "Rules",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = TILE_RULES_MAX,
     .fields = rule_fields,
     .field_count = RULE_FIELDS},
    {.key = "variants",
     .label = "Variants",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .initial = LOAM_UNSET},
};

/* What a bare dungeon looks like; rock is a wall that nothing walkable is near. */
#define RULE(kind_, mask_, care_, any_turn_, asset_, variants_)                                    \
    {                                                                                              \
        .kind = LOAM_TILE_##kind_, .mask = mask_, .care = care_, .any_turn = any_turn_,            \
        .weight = 1, .asset = {asset_, sizeof(asset_) - 1}, .variants = variants_                  \
    }
static const tile_rule built_in[] = {
    RULE(FLOOR, 0, 0, false, "floor", 4),
    RULE(WALL, 0, MASK_ALL, false, "rock", 1),
    RULE(WALL, 2, MASK_EDGES | 2, true, "wall_inner", 1),
    RULE(WALL, 1, MASK_EDGES, true, "wall", 1),
    RULE(WALL, 5, MASK_EDGES, true, "wall_corner", 1),
    RULE(WALL, 17, MASK_EDGES, true, "wall_thin", 1),
    RULE(WALL, 21, MASK_EDGES, true, "wall_end", 1),
    RULE(WALL, 85, MASK_EDGES, false, "wall_pillar", 1),
    RULE(DOOR, 17, MASK_EDGES, true, "door", 1),
    RULE(DOOR, 0, 0, false, "door", 1),
    RULE(JUNCTION, 1, MASK_EDGES, true, "corridor_end", 1),
    RULE(JUNCTION, 17, MASK_EDGES, true, "corridor_straight", 1),
    RULE(JUNCTION, 5, MASK_EDGES, true, "corridor_bend", 1),
    RULE(JUNCTION, 21, MASK_EDGES, true, "corridor_tee", 1),
    RULE(JUNCTION, 85, MASK_EDGES, false, "corridor_cross", 1),
    RULE(JUNCTION, 0, MASK_EDGES, false, "corridor_end", 1),
};

static loam_status read_turn(const loam_rules *turn, const char *pointer, tile_rule *rule,
                             loam_error *error) {
    if (turn == NULL) {
        return LOAM_OK;
    }
    if (turn->kind == LOAM_RULES_TEXT && loam_text_equal(turn->text, loam_text_of("auto"))) {
        rule->any_turn = true;
        return LOAM_OK;
    }
    int64_t quarters = turn->kind == LOAM_RULES_NUMBER && turn->exponent >= 0 &&
                               turn->exponent < 2 && turn->mantissa >= 0
                           ? turn->mantissa << turn->exponent
                           : -1;
    if (quarters < 0 || quarters > 3) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "turn is 0, 1, 2, 3 or \"auto\"");
    }
    rule->turn = (uint8_t)quarters;
    return LOAM_OK;
}

static loam_status read_rule(const loam_value *values, const char *pointer, tile_rule *rule,
                             loam_error *error) {
    *rule = (tile_rule){
        .kind = (loam_tile_kind)values[RULE_KIND].integer,
        .mask = (uint8_t)values[RULE_MASK].integer,
        .care = (uint8_t)values[RULE_CARE].integer,
        .weight = (uint32_t)values[RULE_WEIGHT].integer,
        .asset = values[RULE_ASSET].text,
        .variants = 1,
    };
    if (rule->asset.size == 0) {
        return loam_fail(error, LOAM_BAD_NAME, pointer_below(pointer, "asset", 0).text,
                         "an asset has a name");
    }
    return read_turn(values[RULE_TURN].rules, pointer_below(pointer, "turn", 0).text, rule, error);
}

/* Sets the count of one asset's variants; false when no rule has the asset. */
static bool set_variants(tile_rule *rules, uint32_t count, loam_text asset, uint16_t variants) {
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        if (loam_text_equal(rules[i].asset, asset)) {
            rules[i].variants = variants;
            found = true;
        }
    }
    return found;
}

static loam_status read_variants(const loam_rules *document, const char *pointer, tile_rule *rules,
                                 uint32_t count, loam_error *error) {
    static const loam_param_schema row =
        PARAM("variants", "Variants", "", INT, 0, 0, 1, 1, TILE_VARIANTS_MAX, 1, "");
    if (document == NULL) {
        return LOAM_OK;
    }
    if (document->kind != LOAM_RULES_OBJECT) {
        return loam_fail(error, LOAM_WRONG_TYPE, pointer, "an object is wanted here");
    }
    for (uint32_t i = 0; i < document->count; i++) {
        pointer_text at = {{0}};
        const loam_rules *number = &document->items[i];
        snprintf(at.text, sizeof at.text, "%s", pointer);
        pointer_append(&at, document->keys[i]);
        int64_t variants = number->kind == LOAM_RULES_NUMBER && number->exponent >= 0 &&
                                   number->exponent < 6 && number->mantissa >= 0 &&
                                   number->mantissa <= row.max
                               ? number->mantissa << number->exponent
                               : 0;
        if (variants < row.min || variants > row.max) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, at.text, "an asset has 1 to %d variants",
                             TILE_VARIANTS_MAX);
        }
        if (!set_variants(rules, count, document->keys[i], (uint16_t)variants)) {
            return loam_fail(error, LOAM_OUT_OF_RANGE, at.text, "no rule has this asset");
        }
    }
    return LOAM_OK;
}

/* Rules by kind, in their order within one. */
static void put_by_kind(const tile_rule *from, uint32_t count, tile_rule *to) {
    uint32_t put = 0;
    for (unsigned kind = 0; kind < TILE_KINDS; kind++) {
        for (uint32_t i = 0; i < count; i++) {
            if (from[i].kind == (loam_tile_kind)kind) {
                to[put++] = from[i];
            }
        }
    }
}

static loam_status read_document(const loam_rules *document, const char *pointer, loam_arena *arena,
                                 tile_rule **rules, uint32_t *count, loam_error *error) {
    const loam_value *values;
    LOAM_TRY(rules_read(document, map_fields, MAP_FIELDS, pointer, arena, &values, error));
    const loam_value *list = &values[MAP_RULES];
    pointer_text at = pointer_below(pointer, "rules", 0);
    tile_rule *read = loam_arena_take(arena, list->item_count, sizeof *read);
    *rules = loam_arena_take(arena, list->item_count, sizeof **rules);
    *count = list->item_count;
    LOAM_TRY_MEMORY(read, error);
    LOAM_TRY_MEMORY(*rules, error);
    for (uint32_t i = 0; i < list->item_count; i++) {
        LOAM_TRY(
            read_rule(list->items[i].items, pointer_below(at.text, NULL, i).text, &read[i], error));
    }
    LOAM_TRY(read_variants(values[MAP_VARIANTS].rules, pointer_below(pointer, "variants", 0).text,
                           read, *count, error));
    put_by_kind(read, *count, *rules);
    return LOAM_OK;
}

loam_status tile_rules_read(const loam_rules *document, const char *pointer, loam_arena *arena,
                            tile_rule **rules, uint32_t *count, loam_error *error) {
    if (document != NULL && document->kind != LOAM_RULES_TEXT) {
        return read_document(document, pointer, arena, rules, count, error);
    }
    if (document != NULL && !loam_text_equal(document->text, loam_text_of(TILE_MAP_DEFAULT))) {
        return loam_fail(error, LOAM_NOT_FOUND, pointer, "no tile map is built in by this name");
    }
    *count = COUNT_OF(built_in);
    *rules = loam_arena_take(arena, *count, sizeof **rules);
    LOAM_TRY_MEMORY(*rules, error);
    memcpy(*rules, built_in, sizeof built_in);
    return LOAM_OK;
}
