/* SPDX-License-Identifier: MIT
 *
 * lock_graph.h: places and the locked doors between them, and whether keys that lie there open
 * every lock whatever a player does first. A unique key opens all doors of its lock and stays; a
 * consumable one is used up by one door, so every set of opened doors that can come about is looked
 * at.
 */
#ifndef LOAM_CONTENT_LOCK_GRAPH_H
#define LOAM_CONTENT_LOCK_GRAPH_H

#include "core/loam_dungeon.h"

#define LOCK_NONE UINT32_MAX

/* Locks are bits of a word. Doors of consumable keys: 2^12 sets of opened ones. */
enum { LOCKS_MAX = 64, LOCK_CONSUMABLE_DOORS_MAX = 12 };

/* Nodes are places and locked doors; both are walked through. */
typedef struct lock_graph {
    uint32_t node_count;
    const uint32_t *locks; /* of each node: the lock that a door has, or LOCK_NONE */
    const uint32_t *first; /* node_count + 1: where a node's links begin */
    const uint32_t *links;
    uint32_t start;
    uint32_t lock_count;
    uint64_t consumable; /* a bit a lock */
} lock_graph;

typedef struct lock_key {
    uint32_t lock;
    uint32_t node; /* where it lies, or LOCK_NONE: it is still to be placed */
} lock_key;

/* Scratch of floods, and what the last one found. */
typedef struct lock_flood {
    const lock_graph *graph;
    uint8_t *reached;   /* a byte a node */
    uint32_t *queue;    /* node_count */
    uint32_t *door_bit; /* of a door with a consumable key: its bit in sets of opened doors */
    uint32_t *doors;    /* such doors by bit */
    uint32_t door_count;
    uint64_t held; /* unique keys that were found or given, a bit a lock */
} lock_flood;

/* From `arena`; LOAM_TOO_MANY when there are more doors of consumable keys than can be checked. */
LOAM_MUST_USE loam_status lock_flood_init(lock_flood *flood, const lock_graph *graph,
                                          loam_arena *arena, loam_error *error);

/* All that is reached with the unique keys `held`, the doors of `opened`, and what unique keys
 * open that are found on the way. */
void lock_flood_run(lock_flood *flood, const lock_key *keys, uint32_t key_count, uint64_t held,
                    uint32_t opened);

/* After a flood: the doors of consumable keys that can be opened next, a bit each. */
uint32_t lock_openable(const lock_flood *flood, const lock_key *keys, uint32_t key_count,
                       uint32_t opened);

/* Whether every lock can be opened in whatever order one plays. Keys that are still to be placed
 * count as held, consumable ones as lying at the start. When it fails, `stuck` is the first key
 * that is missing where it goes no further, or, when none is, that of the first closed door. */
LOAM_MUST_USE loam_status lock_check(lock_flood *flood, const lock_key *keys, uint32_t key_count,
                                     loam_arena *arena, bool *solvable, uint32_t *stuck,
                                     loam_error *error);

/* Marks the nodes without which others are cut off from the start: Tarjan 1972, without recursion.
 * Every door counts as open. `cut` has a byte a node; scratch is given back. */
LOAM_MUST_USE loam_status lock_bridges(const lock_graph *graph, loam_arena *arena, uint8_t *cut,
                                       loam_error *error);

#endif
