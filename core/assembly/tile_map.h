/* SPDX-License-Identifier: MIT
 *
 * tile_map.h: which piece a cell shows: rules from (kind, mask) to assets with turns and weights,
 * made into a table once, so that a cell costs a look-up and, where there is a choice, a draw.
 */
#ifndef LOAM_ASSEMBLY_TILE_MAP_H
#define LOAM_ASSEMBLY_TILE_MAP_H

#include "core/loam_dungeon.h"

/* Rules of one map: a LIST's items. Variants of one asset: so that all looks (kind, asset, variant,
 * turn) have a number below LOAM_TILE_NONE. */
enum { TILE_RULES_MAX = 256, TILE_VARIANTS_MAX = 32, TILE_KINDS = 4 };
_Static_assert(TILE_RULES_MAX *TILE_VARIANTS_MAX * 4 < LOAM_TILE_NONE, "a number for every look");

typedef struct tile_rule {
    loam_tile_kind kind;
    uint8_t mask, care; /* fits where both agree on the bits of care */
    bool any_turn;      /* the first turn of the pattern that fits is the piece's */
    uint8_t turn;
    uint32_t weight; /* against the rules of the same pattern that follow it directly */
    loam_text asset;
    uint16_t code; /* of its look without turn, variant 0 */
    uint16_t variants;
} tile_rule;

/* What fits a mask: rules [first, first + count), none when count is 0. */
typedef struct tile_choice {
    uint16_t first, count;
    uint8_t turn;
    uint16_t look; /* the only one, or LOAM_TILE_NONE: there is none, or it is drawn */
    uint32_t weight;
} tile_choice;

typedef struct tile_map {
    const tile_rule *rules; /* by kind, then as they are given */
    uint32_t rule_count;
    const loam_tile *looks; /* by code: sorted by kind, asset, variant, turn */
    uint32_t look_count;
    tile_choice choices[TILE_KINDS][256];
} tile_map;

/* NULL and the text "tile_map.default/1" are the map that is built in. */
LOAM_MUST_USE loam_status tile_map_read(const loam_rules *document, const char *pointer,
                                        loam_arena *arena, const tile_map **map, loam_error *error);

/* Where a piece is drawn: rows have keys, cells numbers under them. */
typedef struct tile_draw {
    uint64_t row_key;
    int32_t x;
    int32_t variant; /* given by the layout; -1: drawn */
} tile_draw;

/* The look of a cell or a piece, or LOAM_TILE_NONE. */
uint16_t tile_map_pick(const tile_map *map, loam_tile_kind kind, uint8_t mask, tile_draw draw);

#endif
