/* SPDX-License-Identifier: MIT
 *
 * wave_tiles.c: tile sets as documents. A tile stands for all its turns and mirror images; how many
 * differ, its symmetry says by a letter that looks so. A pair ["a 1", "b"] (left, right) holds in
 * all eight turns and mirror images too. A turn is a quarter against the clock: left goes down.
 *
 * Source: Gumin, WaveFunctionCollapse (2016), the simple tiled model.
 */
#include "core/base/pointer.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/layout/wave_model.h"
#include "core/schema/schema.h"

#include <stdio.h>

enum { SET_TILES, SET_NEIGHBORS, SET_PERIODIC, SET_FIELDS };
enum { TILE_NAME, TILE_WEIGHT, TILE_SYMMETRY, TILE_WALKABLE, TILE_FIELDS };
enum { TILES_LISTED_MAX = 128, WEIGHT_MAX = 65535, ACTIONS = 8 };
/* Every pair of 255 tiles, and each would be redundant. */
enum { PAIRS_MAX = 20000 };

static const char *const symmetries[] = {"X", "I", "\\", "L", "T", "F", NULL};
typedef enum tile_symmetry { SYM_X, SYM_I, SYM_DIAGONAL, SYM_L, SYM_T, SYM_F } tile_symmetry;
static const uint8_t variant_counts[] = {1, 2, 2, 4, 4, 8};

static const loam_param_schema tile_fields[TILE_FIELDS] = {
    {.key = "name",
     .label = "Name",
     .description = "Of the tile.",
     .unit = "",
     .kind = LOAM_PARAM_STRING,
     .flags = LOAM_PARAM_REQUIRED},
    PARAM("weight", "Weight", "", INT, 0, 0, 1, 1, WEIGHT_MAX, 1,
          "How often each of its turns comes."),
    PARAM_CHOICE("symmetry", "Symmetry", SYM_X, symmetries, 6, "A letter that looks so."),
    PARAM("walkable", "Walkable", "", BOOL, 0, 0, 0, 0, 1, 1, "Whether it can be walked on."),
};

static const loam_param_schema set_fields[SET_FIELDS] = {
    {.key = "tiles",
     .label = "Tiles",
     .description = "What there is.",
     .unit = "",
     .kind = LOAM_PARAM_LIST,
     .flags = LOAM_PARAM_REQUIRED,
     .items_min = 1,
     .items_max = TILES_LISTED_MAX,
     .fields = tile_fields,
     .field_count = TILE_FIELDS},
    {.key = "neighbors",
     .label = "Neighbours",
     .description = "Pairs of left and right.",
     .unit = "",
     .kind = LOAM_PARAM_RULES,
     .flags = LOAM_PARAM_REQUIRED,
     .initial = LOAM_UNSET},
    PARAM("periodic", "Periodic", "", BOOL, 0, 0, 0, 0, 1, 1, "Edges fit to those opposite."),
};

/* One tile of the document: where its turns begin. */
typedef struct listed_tile {
    loam_text name;
    tile_symmetry symmetry;
    uint32_t first;
} listed_tile;

typedef struct tiles_reading {
    const char *pointer;
    loam_arena *arena;
    loam_error *error;
    listed_tile *tiles;
    uint32_t count;
} tiles_reading;

/* Number of a variant after a quarter turn. */
static uint32_t turn_variant(tile_symmetry symmetry, uint32_t i) {
    switch (symmetry) {
    case SYM_I:
    case SYM_DIAGONAL:
        return 1 - i;
    case SYM_L:
    case SYM_T:
        return (i + 1) % 4;
    case SYM_F:
        return i < 4 ? (i + 1) % 4 : 4 + (i + 3) % 4;
    case SYM_X:
        break;
    }
    return 0;
}

/* And in a mirror, left for right. */
static uint32_t mirror_variant(tile_symmetry symmetry, uint32_t i) {
    switch (symmetry) {
    case SYM_I:
        return i;
    case SYM_DIAGONAL:
        return 1 - i;
    case SYM_L:
        return i % 2 == 0 ? i + 1 : i - 1;
    case SYM_T:
        return i % 2 == 0 ? i : 4 - i;
    case SYM_F:
        return i < 4 ? i + 4 : i - 4;
    case SYM_X:
        break;
    }
    return 0;
}

/* After `turns` quarter turns, and then in the mirror or not. */
static uint32_t act(const listed_tile *tile, uint32_t variant, uint32_t turns, bool mirror) {
    for (uint32_t i = 0; i < turns; i++) {
        variant = turn_variant(tile->symmetry, variant);
    }
    return tile->first + (mirror ? mirror_variant(tile->symmetry, variant) : variant);
}

static const loam_rules *field_of(const loam_rules *object, const char *key) {
    for (uint32_t i = 0; object != NULL && i < object->count; i++) {
        if (object->kind == LOAM_RULES_OBJECT &&
            loam_text_equal(object->keys[i], loam_text_of(key))) {
            return &object->items[i];
        }
    }
    return NULL;
}

static uint32_t listed_count(const loam_rules *document) {
    const loam_rules *tiles = field_of(document, "tiles");
    uint32_t count = tiles == NULL ? 0 : tiles->count;
    return count < TILES_LISTED_MAX ? count : TILES_LISTED_MAX;
}

uint32_t wave_tiles_most(const loam_rules *document) {
    uint32_t most = ACTIONS * listed_count(document);
    return most < WAVE_SHOWN_MAX ? most : WAVE_SHOWN_MAX;
}

uint64_t wave_tiles_bytes(const loam_rules *document) {
    enum { ALIGNMENTS = 1024 };
    uint64_t each = sizeof(listed_tile) + (TILE_FIELDS + 1) * sizeof(loam_value) + 128;
    return listed_count(document) * each + WAVE_SHOWN_MAX * ((uint64_t)ASSET_NAME_BYTES_MAX + 128) +
           SET_FIELDS * sizeof(loam_value) + ALIGNMENTS;
}

/* "name" or "name k": the listed tile and the number of its variant. */
static loam_status find_tile(const tiles_reading *reading, const loam_rules *text,
                             const char *pointer, const listed_tile **tile, uint32_t *variant) {
    if (text->kind != LOAM_RULES_TEXT) {
        return loam_fail(reading->error, LOAM_WRONG_TYPE, pointer, "a tile's name is wanted here");
    }
    loam_text name = text->text;
    *variant = 0;
    if (name.size > 2 && name.bytes[name.size - 2] == ' ' && name.bytes[name.size - 1] >= '0' &&
        name.bytes[name.size - 1] < '0' + ACTIONS) {
        *variant = (uint32_t)(name.bytes[name.size - 1] - '0');
        name.size -= 2;
    }
    for (uint32_t i = 0; i < reading->count; i++) {
        if (loam_text_equal(reading->tiles[i].name, name)) {
            /* A number past the variants turns and mirrors on: "road 3" of an I is "road 1". */
            *tile = &reading->tiles[i];
            *variant = act(*tile, 0, *variant % 4, *variant >= 4) - (*tile)->first;
            return LOAM_OK;
        }
    }
    return loam_fail(reading->error, LOAM_NOT_FOUND, pointer, "there is no tile %.*s",
                     (int)(name.size < NAME_BYTES_MAX ? name.size : NAME_BYTES_MAX), name.bytes);
}

/* Left and right, in all turns and mirror images: a turn makes left and right down and up. */
static void add_pair(wave_model *model, const listed_tile *left, uint32_t left_variant,
                     const listed_tile *right, uint32_t right_variant) {
    static const uint8_t ways[WAY_COUNT] = {WAY_EAST, WAY_NORTH, WAY_WEST, WAY_SOUTH};
    for (uint32_t turns = 0; turns < WAY_COUNT; turns++) {
        uint32_t way = ways[turns];
        wave_model_pair(model, act(left, left_variant, turns, false), way,
                        act(right, right_variant, turns, false));
        uint32_t mirrored = way == WAY_EAST ? WAY_WEST : way == WAY_WEST ? WAY_EAST : way;
        wave_model_pair(model, act(left, left_variant, turns, true), mirrored,
                        act(right, right_variant, turns, true));
    }
}

static loam_status read_pairs(const tiles_reading *reading, const loam_rules *pairs,
                              wave_model *model) {
    pointer_text at = pointer_below(reading->pointer, "neighbors", 0);
    if (pairs->kind != LOAM_RULES_LIST || pairs->count == 0 || pairs->count > PAIRS_MAX) {
        return loam_fail(reading->error, LOAM_WRONG_TYPE, at.text,
                         "1 to %d pairs of tiles are wanted here", PAIRS_MAX);
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        const loam_rules *pair = &pairs->items[i];
        pointer_text here = pointer_below(at.text, NULL, i);
        if (pair->kind != LOAM_RULES_LIST || pair->count != 2) {
            return loam_fail(reading->error, LOAM_WRONG_TYPE, here.text,
                             "a pair of tiles is wanted here");
        }
        const listed_tile *left, *right;
        uint32_t left_variant, right_variant;
        pointer_text first = pointer_below(here.text, NULL, 0);
        pointer_text second = pointer_below(here.text, NULL, 1);
        LOAM_TRY(find_tile(reading, &pair->items[0], first.text, &left, &left_variant));
        LOAM_TRY(find_tile(reading, &pair->items[1], second.text, &right, &right_variant));
        add_pair(model, left, left_variant, right, right_variant);
    }
    return LOAM_OK;
}

/* The tiles of the document, and how many there are with all turns. */
static loam_status list_tiles(tiles_reading *reading, const loam_value *listed, uint32_t *count) {
    reading->tiles = loam_arena_take(reading->arena, listed->item_count, sizeof *reading->tiles);
    LOAM_TRY_MEMORY(reading->tiles, reading->error);
    *count = 0;
    for (uint32_t i = 0; i < listed->item_count; i++) {
        const loam_value *fields = listed->items[i].items;
        tile_symmetry symmetry = (tile_symmetry)fields[TILE_SYMMETRY].integer;
        for (uint32_t other = 0; other < i; other++) {
            if (loam_text_equal(reading->tiles[other].name, fields[TILE_NAME].text)) {
                pointer_text at = pointer_below(reading->pointer, "tiles", 0);
                return loam_fail(reading->error, LOAM_DUPLICATE,
                                 pointer_below(at.text, NULL, i).text, "two tiles have one name");
            }
        }
        reading->tiles[i] = (listed_tile){fields[TILE_NAME].text, symmetry, *count};
        reading->count++;
        *count += variant_counts[symmetry];
    }
    if (*count > WAVE_SHOWN_MAX) {
        return loam_fail(reading->error, LOAM_TOO_MANY,
                         pointer_below(reading->pointer, "tiles", 0).text,
                         "%u tiles with all turns, at most %d", *count, WAVE_SHOWN_MAX);
    }
    return LOAM_OK;
}

static loam_status set_tiles(const tiles_reading *reading, const loam_value *listed,
                             wave_model *model) {
    for (uint32_t i = 0; i < listed->item_count; i++) {
        const loam_value *fields = listed->items[i].items;
        const listed_tile *tile = &reading->tiles[i];
        for (uint32_t k = 0; k < variant_counts[tile->symmetry]; k++) {
            char name[ASSET_NAME_BYTES_MAX + 4];
            int size = snprintf(name, sizeof name, "%.*s %u", TEXT_ARGS(tile->name), k);
            loam_text text = {name, (size_t)size};
            uint32_t at = tile->first + k;
            model->tiles[at] = (wave_tile){.weight = (uint32_t)fields[TILE_WEIGHT].integer,
                                           .shown = (uint8_t)at,
                                           .walkable = fields[TILE_WALKABLE].integer != 0};
            if (text_copy(text, reading->arena, &model->names[at]) != LOAM_OK) {
                return loam_fail(reading->error, LOAM_ARENA_FULL, NULL, "%s",
                                 loam_status_text(LOAM_ARENA_FULL));
            }
        }
    }
    return LOAM_OK;
}

loam_status wave_model_of_tiles(const loam_rules *document, const char *pointer, loam_arena *arena,
                                wave_model *model, loam_error *error) {
    tiles_reading reading = {.pointer = pointer, .arena = arena, .error = error};
    const loam_value *fields;
    uint32_t count;
    LOAM_TRY(rules_read(document, set_fields, SET_FIELDS, pointer, arena, &fields, error));
    LOAM_TRY(list_tiles(&reading, &fields[SET_TILES], &count));
    LOAM_TRY(wave_model_take(count, count, arena, model, error));
    LOAM_TRY(set_tiles(&reading, &fields[SET_TILES], model));
    LOAM_TRY(read_pairs(&reading, fields[SET_NEIGHBORS].rules, model));
    model->periodic = fields[SET_PERIODIC].integer != 0;
    return wave_model_close(model, arena, error);
}
