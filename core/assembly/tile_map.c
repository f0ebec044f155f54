/* SPDX-License-Identifier: MIT
 *
 * tile_map.c: from rules to the table of what fits each mask, and a look out of it.
 */
#include "core/assembly/tile_map.h"

#include "core/assembly/mask.h"
#include "core/assembly/tile_rules.h"
#include "core/base/try.h"
#include "core/grid/draw.h"

enum { TURNS = 4, DRAWS_A_CELL = 2 };

static bool fits(const tile_rule *rule, uint8_t mask, unsigned turn) {
    uint8_t care = mask_turned(rule->care, turn);
    return (mask & care) == (mask_turned(rule->mask, turn) & care);
}

static bool same_pattern(const tile_rule *a, const tile_rule *b) {
    return a->kind == b->kind && a->mask == b->mask && a->care == b->care &&
           a->any_turn == b->any_turn;
}

/* A rule that fits, and those of its pattern that follow it. */
static tile_choice choice_from(const tile_map *map, uint32_t first, unsigned turn) {
    tile_choice choice = {.first = (uint16_t)first, .turn = (uint8_t)turn};
    for (uint32_t r = first; r < map->rule_count; r++) {
        if (!same_pattern(&map->rules[first], &map->rules[r])) {
            break;
        }
        choice.count++;
        choice.weight += map->rules[r].weight;
    }
    const tile_rule *rule = &map->rules[first];
    bool fixed = choice.count == 1 && rule->variants == 1;
    unsigned shown = rule->any_turn ? turn : rule->turn;
    choice.look = fixed ? (uint16_t)(rule->code + shown) : LOAM_TILE_NONE;
    return choice;
}

static tile_choice choose(const tile_map *map, loam_tile_kind kind, uint8_t mask) {
    for (uint32_t r = 0; r < map->rule_count; r++) {
        const tile_rule *rule = &map->rules[r];
        for (unsigned turn = 0; rule->kind == kind && turn < (rule->any_turn ? TURNS : 1); turn++) {
            if (fits(rule, mask, turn)) {
                return choice_from(map, r, turn);
            }
        }
    }
    return (tile_choice){.look = LOAM_TILE_NONE};
}

static int compare_looks(const tile_rule *a, const tile_rule *b) {
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return loam_text_compare(a->asset, b->asset);
}

/* Insertion by (kind, asset), stable; at most TILE_RULES_MAX. */
static void order_by_look(const tile_rule *rules, uint32_t count, uint16_t *order) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && compare_looks(&rules[order[at - 1]], &rules[i]) > 0; at--) {
            order[at] = order[at - 1];
        }
        order[at] = (uint16_t)i;
    }
}

static uint32_t add_looks(loam_tile *looks, uint32_t count, const tile_rule *rule) {
    for (uint32_t variant = 0; variant < rule->variants; variant++) {
        for (uint8_t turn = 0; turn < TURNS; turn++) {
            looks[count++] = (loam_tile){rule->kind, rule->asset, turn, (uint8_t)variant};
        }
    }
    return count;
}

/* Numbers the looks in order of (kind, asset, variant, turn). */
static loam_status number_looks(tile_map *map, tile_rule *rules, loam_arena *arena,
                                loam_error *error) {
    uint16_t order[TILE_RULES_MAX];
    uint32_t most = 0;
    for (uint32_t i = 0; i < map->rule_count; i++) {
        most += rules[i].variants * (uint32_t)TURNS;
    }
    loam_tile *looks = loam_arena_take(arena, most, sizeof *looks);
    LOAM_TRY_MEMORY(looks, error);
    order_by_look(rules, map->rule_count, order);
    for (uint32_t i = 0; i < map->rule_count; i++) {
        tile_rule *rule = &rules[order[i]];
        if (i > 0 && compare_looks(&rules[order[i - 1]], rule) == 0) {
            rule->code = rules[order[i - 1]].code;
            continue;
        }
        rule->code = (uint16_t)map->look_count;
        map->look_count = add_looks(looks, map->look_count, rule);
    }
    map->looks = looks;
    return LOAM_OK;
}

loam_status tile_map_read(const loam_rules *document, const char *pointer, loam_arena *arena,
                          const tile_map **map, loam_error *error) {
    tile_map *made = loam_arena_take_zero(arena, 1, sizeof *made);
    tile_rule *rules = NULL;
    LOAM_TRY_MEMORY(made, error);
    LOAM_TRY(tile_rules_read(document, pointer, arena, &rules, &made->rule_count, error));
    LOAM_TRY(number_looks(made, rules, arena, error));
    made->rules = rules;
    for (unsigned kind = 0; kind < TILE_KINDS; kind++) {
        for (unsigned mask = 0; mask < 256; mask++) {
            made->choices[kind][mask] = choose(made, (loam_tile_kind)kind, (uint8_t)mask);
        }
    }
    *map = made;
    return LOAM_OK;
}

/* One of the rules of a choice, by weight. */
static const tile_rule *pick_rule(const tile_map *map, const tile_choice *choice, tile_draw draw) {
    const tile_rule *rule = &map->rules[choice->first];
    if (choice->count == 1) {
        return rule;
    }
    uint64_t bits = draw_at(draw.row_key, (uint32_t)draw.x * DRAWS_A_CELL);
    uint32_t share = draw_below(bits, choice->weight);
    while (share >= rule->weight) {
        share -= rule->weight;
        rule++;
    }
    return rule;
}

static uint32_t pick_variant(const tile_rule *rule, tile_draw draw) {
    if (rule->variants == 1) {
        return 0;
    }
    if (draw.variant >= 0) {
        return (uint32_t)draw.variant % rule->variants;
    }
    uint64_t bits = draw_at(draw.row_key, (uint32_t)draw.x * DRAWS_A_CELL + 1);
    return draw_below(bits, rule->variants);
}

uint16_t tile_map_pick(const tile_map *map, loam_tile_kind kind, uint8_t mask, tile_draw draw) {
    const tile_choice *choice = &map->choices[kind][mask];
    if (choice->count == 0) {
        return LOAM_TILE_NONE;
    }
    const tile_rule *rule = pick_rule(map, choice, draw);
    unsigned turn = rule->any_turn ? choice->turn : rule->turn;
    return (uint16_t)(rule->code + pick_variant(rule, draw) * TURNS + turn);
}
