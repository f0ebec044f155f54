/* SPDX-License-Identifier: MIT
 *
 * lock_keys.c: where keys lie. A cell is taken only where the key cannot come to lie behind its own
 * lock, whatever is opened first; of a few cells in hash order the one furthest from the entrance.
 */
#include "core/base/try.h"
#include "core/content/lock_zones.h"
#include "core/grid/draw.h"

/* Cells that a key is chosen from; where each asks for a proof, fewer. */
enum { CHOICE_FAR = 8, CHOICE_PROVED = 4 };

/* A few cells with the least draws. */
typedef struct cell_choice {
    uint32_t cells[CHOICE_FAR];
    uint64_t draws[CHOICE_FAR];
    uint32_t count, most;
} cell_choice;

static void choice_offer(cell_choice *choice, uint32_t cell, uint64_t draw) {
    if (choice->count == choice->most && draw >= choice->draws[choice->count - 1]) {
        return;
    }
    uint32_t at = choice->count < choice->most ? choice->count++ : choice->count - 1;
    for (; at > 0 && choice->draws[at - 1] > draw; at--) {
        choice->cells[at] = choice->cells[at - 1];
        choice->draws[at] = choice->draws[at - 1];
    }
    choice->cells[at] = cell;
    choice->draws[at] = draw;
}

/* The furthest first; of equal ones the least draw. */
static void choice_sort(cell_choice *choice, const content_map *map) {
    for (uint32_t i = 1; i < choice->count; i++) {
        uint32_t cell = choice->cells[i], at = i;
        for (; at > 0 && map->steps[choice->cells[at - 1]] < map->steps[cell]; at--) {
            choice->cells[at] = choice->cells[at - 1];
        }
        choice->cells[at] = cell;
    }
}

/* Cells of reached nodes (NULL: of all that are no door) where a key can lie. Where `rooms` is set
 * only those in rooms; where `any` is set also those that are kept free. */
static void gather(const lock_set *set, const content_map *map, const uint8_t *reached,
                   uint64_t key, bool rooms, bool any, cell_choice *choice) {
    for (uint32_t cell = 0; cell < map->cell_count; cell++) {
        bool fits = (map->classes[cell] >> WHERE_ANY & 1) != 0 &&
                    (any || (map->flags[cell] & CELL_TAKEN) == 0) &&
                    (!rooms || map->room[cell] != LOAM_ROOM_NONE);
        if (fits && (reached == NULL || reached[set->cell_nodes[cell]] != 0)) {
            choice_offer(choice, cell, draw_at(key, map_number(map, cell)));
        }
    }
}

static uint64_t key_draw(const lock_set *set, content_draw draw, uint32_t index) {
    loam_text name = set->names[set->keys[index].lock];
    return draw_for(draw.sub, STAGE_LOCK, mix_bytes(index, name.bytes, name.size), draw.attempt);
}

static void choose(const lock_set *set, const content_map *map, const uint8_t *reached,
                   uint64_t key, cell_choice *choice) {
    gather(set, map, reached, key, true, false, choice);
    if (choice->count == 0) {
        gather(set, map, reached, key, false, false, choice);
    }
    if (choice->count == 0) {
        gather(set, map, reached, key, false, true, choice);
    }
    choice_sort(choice, map);
}

static void put_key(lock_set *set, uint32_t index, uint32_t cell, uint32_t rule) {
    set->keys[index].cell = cell;
    set->keys[index].rule = rule;
    set->key_nodes[index].node = set->cell_nodes[cell];
}

static loam_status check_at(lock_set *set, uint32_t index, uint32_t cell, loam_arena *arena,
                            bool *solvable, loam_error *error) {
    uint32_t stuck;
    set->key_nodes[index].node = set->cell_nodes[cell];
    LOAM_TRY(
        lock_check(&set->flood, set->key_nodes, set->key_count, arena, solvable, &stuck, error));
    if (!*solvable) {
        set->key_nodes[index].node = LOCK_NONE;
    }
    return LOAM_OK;
}

loam_status lock_try_key(lock_set *set, uint32_t lock, uint32_t cell, uint32_t rule,
                         loam_arena *arena, bool *left, bool *solvable, loam_error *error) {
    *left = *solvable = false;
    for (uint32_t k = 0; k < set->key_count; k++) {
        if (set->keys[k].lock == lock && set->keys[k].cell == LOCK_NONE) {
            *left = true;
            LOAM_TRY(check_at(set, k, cell, arena, solvable, error));
            if (*solvable) {
                put_key(set, k, cell, rule);
            }
            return LOAM_OK;
        }
    }
    return LOAM_OK;
}

static bool is_consumable(const lock_set *set, uint32_t index) {
    return (set->graph.consumable >> set->keys[index].lock & 1) != 0;
}

/* Whether a door of the lock is beside what is reached. */
static bool is_within_reach(const lock_set *set, uint32_t lock) {
    const lock_graph *graph = &set->graph;
    for (uint32_t node = 0; node < graph->node_count; node++) {
        for (uint32_t i = graph->first[node];
             graph->locks[node] == lock && i < graph->first[node + 1]; i++) {
            if (set->flood.reached[graph->links[i]] != 0) {
                return true;
            }
        }
    }
    return false;
}

/* The unique key to place next: of a lock within reach if there is one, then the least draw. */
static uint32_t next_unique(const lock_set *set, content_draw draw) {
    uint32_t best = LOCK_NONE;
    bool best_near = false;
    uint64_t best_draw = 0;
    for (uint32_t k = 0; k < set->key_count; k++) {
        if (set->keys[k].cell != LOCK_NONE || is_consumable(set, k)) {
            continue;
        }
        bool near = is_within_reach(set, set->keys[k].lock);
        uint64_t here = key_draw(set, draw, k);
        if (best == LOCK_NONE || near > best_near || (near == best_near && here < best_draw)) {
            best = k;
            best_near = near;
            best_draw = here;
        }
    }
    return best;
}

static void place_unique(lock_set *set, content_map *map, content_draw draw) {
    for (;;) {
        lock_flood_run(&set->flood, set->key_nodes, set->key_count, 0, 0);
        uint32_t index = next_unique(set, draw);
        if (index == LOCK_NONE) {
            return;
        }
        cell_choice choice = {.most = CHOICE_FAR};
        choose(set, map, set->flood.reached, key_draw(set, draw, index), &choice);
        /* Without a cell at all the entrance itself is where it lies. */
        uint32_t cell = choice.count > 0 ? choice.cells[0] : map->start;
        put_key(set, index, cell, LOAM_RULE_NONE);
        map->flags[cell] |= CELL_TAKEN;
    }
}

/* Anywhere that is proved; at the start it always is. */
static loam_status place_consumable(lock_set *set, content_map *map, content_draw draw,
                                    uint32_t index, loam_arena *arena, loam_error *error) {
    cell_choice choice = {.most = CHOICE_PROVED};
    uint64_t key = key_draw(set, draw, index);
    choose(set, map, NULL, key, &choice);
    bool solvable = false;
    for (uint32_t i = 0; i < choice.count && !solvable; i++) {
        LOAM_TRY(check_at(set, index, choice.cells[i], arena, &solvable, error));
        choice.cells[0] = choice.cells[i];
    }
    uint32_t cell = choice.cells[0];
    if (!solvable) {
        lock_flood_run(&set->flood, set->key_nodes, set->key_count, 0, 0);
        choice = (cell_choice){.most = CHOICE_FAR};
        choose(set, map, set->flood.reached, key, &choice);
        cell = choice.count > 0 ? choice.cells[0] : map->start;
    }
    put_key(set, index, cell, LOAM_RULE_NONE);
    map->flags[cell] |= CELL_TAKEN;
    return LOAM_OK;
}

loam_status lock_place_keys(lock_set *set, content_map *map, content_draw draw, loam_arena *arena,
                            loam_error *error) {
    uint32_t stuck;
    if (set->count == 0) {
        return LOAM_OK;
    }
    place_unique(set, map, draw);
    for (uint32_t k = 0; k < set->key_count; k++) {
        if (set->keys[k].cell == LOCK_NONE) {
            LOAM_TRY(place_consumable(set, map, draw, k, arena, error));
        }
    }
    return lock_check(&set->flood, set->key_nodes, set->key_count, arena, &set->solvable, &stuck,
                      error);
}
