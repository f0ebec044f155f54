/* SPDX-License-Identifier: MIT
 *
 * lock_zones.c: which doors of a floor are locked, and the graph of what lies between them.
 */
#include "core/content/lock_zones.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/grid/draw.h"
#include "core/grid/key_sort.h"

#include <stdio.h>

/* What is being made: names of locks by door, before they have numbers. */
typedef struct lock_making {
    content_map *map;
    const content_rules *rules;
    content_draw draw;
    loam_arena *arena;
    loam_error *error;
    loam_text *door_names; /* empty: not locked */
    loam_text shared;      /* of all bridges with consumable keys */
} lock_making;

static uint32_t door_count_of(const lock_making *making) {
    return making->map->layout->door_count;
}

/* A cell of a door's run. */
static uint32_t door_cell(const content_map *map, uint32_t door, int32_t index) {
    const loam_door *of = &map->layout->doors[door];
    bool x = of->axis == LOAM_AXIS_X;
    return map_cell(map, (loam_spot){of->at.x + (x ? index : 0), of->at.y + (x ? 0 : index)});
}

static void mark_door(content_map *map, uint32_t door, uint8_t walk) {
    for (int32_t i = 0; i < map->layout->doors[door].width; i++) {
        map->walk[door_cell(map, door, i)] = walk;
    }
}

static bool is_lock_name(const lock_making *making, loam_text name) {
    for (uint32_t d = 0; d < door_count_of(making); d++) {
        if (loam_text_equal(making->door_names[d], name)) {
            return true;
        }
    }
    return false;
}

/* ---- Graph ---------------------------------------------------------------------------------- */

/* Numbers what hangs together without a locked door. */
static uint32_t number_zones(const content_map *map, uint32_t *nodes) {
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < map->cell_count; cell++) {
        nodes[cell] = LOCK_NONE;
    }
    for (uint32_t from = 0; from < map->cell_count; from++) {
        if (map->walk[from] != WALK_FREE || map->steps[from] == STEPS_FAR ||
            nodes[from] != LOCK_NONE) {
            continue;
        }
        uint32_t head = 0, tail = 0;
        nodes[from] = count;
        map->queue[tail++] = from;
        while (head < tail) {
            uint32_t cell = map->queue[head++];
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                uint32_t next = map_next(map, cell, way);
                if (map->walk[next] == WALK_FREE && nodes[next] == LOCK_NONE) {
                    nodes[next] = count;
                    map->queue[tail++] = next;
                }
            }
        }
        count++;
    }
    return count;
}

/* A node for each door that is locked and within reach. `door_nodes` has one a door. */
static uint32_t number_doors(const content_map *map, const uint32_t *door_locks, uint32_t *nodes,
                             uint32_t *door_nodes, uint32_t count) {
    for (uint32_t d = 0; d < map->layout->door_count; d++) {
        door_nodes[d] = LOCK_NONE;
        for (int32_t i = 0; i < map->layout->doors[d].width; i++) {
            uint32_t cell = door_cell(map, d, i);
            if (door_locks[d] != LOCK_NONE && map->steps[cell] != STEPS_FAR) {
                door_nodes[d] = door_nodes[d] == LOCK_NONE ? count++ : door_nodes[d];
                nodes[cell] = door_nodes[d];
            }
        }
    }
    return count;
}

/* Pairs (node << 32 | node) where a door's cell touches another node, both ways. */
static uint32_t list_links(const content_map *map, const uint32_t *nodes,
                           const uint32_t *door_nodes, keyed_index *links) {
    uint32_t count = 0;
    for (uint32_t d = 0; d < map->layout->door_count; d++) {
        for (int32_t i = 0; door_nodes[d] != LOCK_NONE && i < map->layout->doors[d].width; i++) {
            for (uint32_t way = 0; way < WAY_COUNT; way++) {
                uint64_t a = door_nodes[d], b = nodes[map_next(map, door_cell(map, d, i), way)];
                if (b != LOCK_NONE && a != b) {
                    links[count++].key = a << 32 | b;
                    links[count++].key = b << 32 | a;
                }
            }
        }
    }
    return count;
}

static loam_status fill_links(lock_graph *graph, const keyed_index *pairs, uint32_t count,
                              loam_arena *arena, loam_error *error) {
    uint32_t *first = loam_arena_take_zero(arena, graph->node_count + 1u, sizeof *first);
    uint32_t *links = loam_arena_take(arena, count, sizeof *links);
    LOAM_TRY_MEMORY(first, error);
    LOAM_TRY_MEMORY(links, error);
    uint32_t used = 0, node = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && pairs[i].key == pairs[i - 1].key) {
            continue;
        }
        for (uint32_t from = (uint32_t)(pairs[i].key >> 32); node < from;) {
            first[++node] = used;
        }
        links[used++] = (uint32_t)pairs[i].key;
    }
    while (node < graph->node_count) {
        first[++node] = used;
    }
    graph->first = first;
    graph->links = links;
    return LOAM_OK;
}

/* The graph of a map whose locked doors are marked; `door_nodes` has room for every door. */
static loam_status build_graph(const lock_making *making, const uint32_t *door_locks,
                               uint32_t *nodes, uint32_t *door_nodes, lock_graph *graph) {
    const content_map *map = making->map;
    uint32_t zone_count = number_zones(map, nodes), cell_count = 0;
    graph->node_count = number_doors(map, door_locks, nodes, door_nodes, zone_count);
    graph->start = nodes[map->start];
    for (uint32_t d = 0; d < map->layout->door_count; d++) {
        cell_count += (uint32_t)map->layout->doors[d].width;
    }
    uint32_t *locks = loam_arena_take(making->arena, graph->node_count, sizeof *locks);
    keyed_index *pairs = loam_arena_take(making->arena, (size_t)cell_count * 8, sizeof *pairs);
    keyed_index *spare = loam_arena_take(making->arena, (size_t)cell_count * 8, sizeof *spare);
    LOAM_TRY_MEMORY(locks, making->error);
    LOAM_TRY_MEMORY(pairs, making->error);
    LOAM_TRY_MEMORY(spare, making->error);
    for (uint32_t node = 0; node < graph->node_count; node++) {
        locks[node] = LOCK_NONE;
    }
    for (uint32_t d = 0; d < map->layout->door_count; d++) {
        if (door_nodes[d] != LOCK_NONE) {
            locks[door_nodes[d]] = door_locks[d];
        }
    }
    graph->locks = locks;
    uint32_t count = list_links(map, nodes, door_nodes, pairs);
    key_sort(pairs, spare, count);
    return fill_links(graph, pairs, count, making->arena, making->error);
}

/* ---- Bridges -------------------------------------------------------------------------------- */

/* The name of the next lock that content makes: b1, b2, ... but those of the layout. */
static loam_status name_bridge(const lock_making *making, uint32_t *number, loam_text *name) {
    char text[16];
    do {
        snprintf(text, sizeof text, "b%u", ++*number);
    } while (is_lock_name(making, loam_text_of(text)));
    loam_status status = text_copy(loam_text_of(text), making->arena, name);
    return status == LOAM_OK
               ? LOAM_OK
               : loam_fail(making->error, status, NULL, "%s", loam_status_text(status));
}

/* Plain doors that there is no way around and that part two places, in hash order. */
static uint32_t list_bridges(const lock_making *making, const lock_graph *graph, const uint8_t *cut,
                             const uint32_t *door_nodes, keyed_index *list) {
    uint64_t key = draw_for(making->draw.sub, STAGE_LOCK, 0, making->draw.attempt);
    uint32_t count = 0;
    for (uint32_t d = 0; d < door_count_of(making); d++) {
        uint32_t node = door_nodes[d];
        if (node != LOCK_NONE && making->door_names[d].size == 0 && cut[node] != 0 &&
            graph->first[node + 1] - graph->first[node] == 2) {
            list[count++] = (keyed_index){draw_at(key, d), d};
        }
    }
    return count;
}

static loam_status choose_bridges(lock_making *making, const lock_graph *graph, const uint8_t *cut,
                                  const uint32_t *door_nodes) {
    uint32_t number = 0, room = door_count_of(making);
    keyed_index *list = loam_arena_take(making->arena, room, sizeof *list);
    keyed_index *spare = loam_arena_take(making->arena, room, sizeof *spare);
    LOAM_TRY_MEMORY(list, making->error);
    LOAM_TRY_MEMORY(spare, making->error);
    uint32_t count = list_bridges(making, graph, cut, door_nodes, list);
    key_sort(list, spare, count);
    for (uint32_t i = 0; i < count && i < making->rules->bridges; i++) {
        if (making->shared.size == 0) {
            LOAM_TRY(name_bridge(making, &number, &making->door_names[list[i].index]));
        } else {
            making->door_names[list[i].index] = making->shared;
        }
        if (i == 0 && making->rules->consumable) {
            making->shared = making->door_names[list[i].index];
        }
    }
    return LOAM_OK;
}

/* Every door a node, for once: which of them are bridges is asked of this graph. */
static loam_status lock_some_bridges(lock_making *making, uint32_t *nodes, uint32_t *door_locks,
                                     uint32_t *door_nodes) {
    lock_graph graph = {0};
    for (uint32_t d = 0; d < door_count_of(making); d++) {
        door_locks[d] = 0;
        mark_door(making->map, d, WALK_LOCKED);
    }
    LOAM_TRY(build_graph(making, door_locks, nodes, door_nodes, &graph));
    for (uint32_t d = 0; d < door_count_of(making); d++) {
        mark_door(making->map, d, WALK_FREE);
    }
    uint8_t *cut = loam_arena_take(making->arena, graph.node_count, sizeof *cut);
    LOAM_TRY_MEMORY(cut, making->error);
    LOAM_TRY(lock_bridges(&graph, making->arena, cut, making->error));
    return choose_bridges(making, &graph, cut, door_nodes);
}

/* ---- Locks ---------------------------------------------------------------------------------- */

static loam_status add_name(lock_set *set, loam_text name, loam_error *error) {
    uint32_t at = set->count;
    while (at > 0 && loam_text_compare(name, set->names[at - 1]) < 0) {
        at--;
    }
    if (at > 0 && loam_text_equal(name, set->names[at - 1])) {
        return LOAM_OK;
    }
    if (set->count == LOCKS_MAX) {
        return loam_fail(error, LOAM_TOO_MANY, NULL, "a floor has at most %d locks", LOCKS_MAX);
    }
    for (uint32_t i = set->count++; i > at; i--) {
        set->names[i] = set->names[i - 1];
    }
    set->names[at] = name;
    return LOAM_OK;
}

uint32_t lock_find(const lock_set *set, loam_text name) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (loam_text_equal(set->names[i], name)) {
            return i;
        }
    }
    return LOCK_NONE;
}

static loam_status number_locks(lock_set *set, const lock_making *making) {
    for (uint32_t d = 0; d < door_count_of(making); d++) {
        if (making->door_names[d].size > 0) {
            LOAM_TRY(add_name(set, making->door_names[d], making->error));
        }
    }
    for (uint32_t d = 0; d < door_count_of(making); d++) {
        set->door_locks[d] = LOCK_NONE;
        if (making->door_names[d].size > 0) {
            set->door_locks[d] = lock_find(set, making->door_names[d]);
            mark_door(making->map, d, WALK_LOCKED);
        }
    }
    return LOAM_OK;
}

/* One key for a lock; where they are used up, one for each of its doors. */
static void list_keys(lock_set *set) {
    for (uint32_t lock = 0; lock < set->count; lock++) {
        uint32_t wanted = 1;
        if ((set->graph.consumable >> lock & 1) != 0) {
            wanted = 0;
            for (uint32_t d = 0; d < set->flood.door_count; d++) {
                wanted += set->graph.locks[set->flood.doors[d]] == lock;
            }
        }
        for (uint32_t i = 0; i < wanted; i++) {
            set->key_nodes[set->key_count] = (lock_key){lock, LOCK_NONE};
            set->keys[set->key_count++] = (placed_key){lock, LOCK_NONE, LOAM_RULE_NONE};
        }
    }
}

static loam_status name_doors(lock_making *making, bool *locked) {
    uint32_t count = door_count_of(making);
    making->door_names = loam_arena_take_zero(making->arena, count, sizeof *making->door_names);
    LOAM_TRY_MEMORY(making->door_names, making->error);
    *locked = false;
    for (uint32_t d = 0; d < count; d++) {
        making->door_names[d] = making->map->layout->doors[d].lock;
        *locked = *locked || making->door_names[d].size > 0;
    }
    return LOAM_OK;
}

loam_status lock_set_build(lock_set *set, content_map *map, const content_rules *rules,
                           content_draw draw, loam_arena *arena, loam_error *error) {
    lock_making making = {map, rules, draw, arena, error, NULL, {NULL, 0}};
    bool locked = false;
    set->count = set->key_count = 0;
    set->graph = (lock_graph){0};
    set->solvable = true;
    LOAM_TRY(name_doors(&making, &locked));
    if (map->reached == 0 || (!locked && rules->bridges == 0)) {
        return LOAM_OK;
    }
    set->door_locks = loam_arena_take(arena, door_count_of(&making), sizeof *set->door_locks);
    LOAM_TRY_MEMORY(set->door_locks, error);
    set->cell_nodes = loam_arena_take(arena, map->cell_count, sizeof *set->cell_nodes);
    LOAM_TRY_MEMORY(set->cell_nodes, error);
    uint32_t *door_nodes = loam_arena_take(arena, door_count_of(&making), sizeof *door_nodes);
    LOAM_TRY_MEMORY(door_nodes, error);
    if (rules->bridges > 0) {
        LOAM_TRY(lock_some_bridges(&making, set->cell_nodes, set->door_locks, door_nodes));
    }
    LOAM_TRY(number_locks(set, &making));
    LOAM_TRY(build_graph(&making, set->door_locks, set->cell_nodes, door_nodes, &set->graph));
    set->graph.lock_count = set->count;
    if (making.shared.size > 0) {
        set->graph.consumable = (uint64_t)1 << lock_find(set, making.shared);
    }
    LOAM_TRY(lock_flood_init(&set->flood, &set->graph, arena, error));
    list_keys(set);
    return LOAM_OK;
}
