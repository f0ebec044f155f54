/* SPDX-License-Identifier: MIT
 *
 * lock_zones.h: the locks of a floor: which doors they close, what lies between them, where their
 * keys are put, and the way that a player takes through all of it.
 */
#ifndef LOAM_CONTENT_LOCK_ZONES_H
#define LOAM_CONTENT_LOCK_ZONES_H

#include "core/content/content_map.h"
#include "core/content/lock_graph.h"

/* A key on the floor. */
typedef struct placed_key {
    uint32_t lock, cell, rule;
} placed_key;

enum { KEYS_MAX = LOCKS_MAX + LOCK_CONSUMABLE_DOORS_MAX };

typedef struct lock_set {
    loam_text names[LOCKS_MAX]; /* rising */
    uint32_t count;
    uint32_t *door_locks; /* of the layout's doors: a lock, or LOCK_NONE */
    uint32_t *cell_nodes; /* of the map's cells: a node of the graph, or LOCK_NONE */
    lock_graph graph;
    lock_flood flood;
    lock_key
        key_nodes[KEYS_MAX]; /* one for each lock, or for each of its doors: what is to be found */
    placed_key keys[KEYS_MAX]; /* the same, with their cells once they are placed */
    uint32_t key_count;
    bool solvable;
} lock_set;

/* What is drawn with: the floor's sub, and the attempt. */
typedef struct content_draw {
    uint64_t sub;
    uint32_t attempt;
} content_draw;

/* Finds the layout's locks, locks bridges where the rules ask for them, marks locked doors in the
 * map and lays out the graph. Everything from `arena`. */
LOAM_MUST_USE loam_status lock_set_build(lock_set *set, content_map *map,
                                         const content_rules *rules, content_draw draw,
                                         loam_arena *arena, loam_error *error);

/* The lock of a name, or LOCK_NONE. */
uint32_t lock_find(const lock_set *set, loam_text name);

/* Puts a key of a lock on a cell unless it could be out of reach there: `solvable` says so, and the
 * key is not put then. `left` is false when all keys of the lock lie somewhere. */
LOAM_MUST_USE loam_status lock_try_key(lock_set *set, uint32_t lock, uint32_t cell, uint32_t rule,
                                       loam_arena *arena, bool *left, bool *solvable,
                                       loam_error *error);

/* Places all keys that no rule has placed: unique ones by closure, in the order in which their
 * locks come within reach, far cells preferred. */
LOAM_MUST_USE loam_status lock_place_keys(lock_set *set, content_map *map, content_draw draw,
                                          loam_arena *arena, loam_error *error);

typedef struct lock_walk {
    loam_walk_step *steps;
    uint32_t count;
    uint64_t walk_steps, critical_steps, backtrack_steps;
} lock_walk;

/* The way through all locks to the exit, and what of it the exit needs. */
LOAM_MUST_USE loam_status lock_walk_find(lock_set *set, const content_map *map, loam_arena *arena,
                                         lock_walk *walk, loam_error *error);

#endif
