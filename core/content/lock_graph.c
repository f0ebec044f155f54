/* SPDX-License-Identifier: MIT
 *
 * lock_graph.c: see lock_graph.h.
 */
#include "core/content/lock_graph.h"

#include "core/base/try.h"

#include <string.h>

static bool is_consumable(const lock_graph *graph, uint32_t lock) {
    return lock != LOCK_NONE && (graph->consumable >> lock & 1) != 0;
}

loam_status lock_flood_init(lock_flood *flood, const lock_graph *graph, loam_arena *arena,
                            loam_error *error) {
    *flood = (lock_flood){.graph = graph};
    flood->reached = loam_arena_take_zero(arena, graph->node_count, sizeof *flood->reached);
    LOAM_TRY_MEMORY(flood->reached, error);
    flood->queue = loam_arena_take(arena, graph->node_count, sizeof *flood->queue);
    LOAM_TRY_MEMORY(flood->queue, error);
    flood->door_bit = loam_arena_take_zero(arena, graph->node_count, sizeof *flood->door_bit);
    LOAM_TRY_MEMORY(flood->door_bit, error);
    flood->doors = loam_arena_take(arena, LOCK_CONSUMABLE_DOORS_MAX, sizeof *flood->doors);
    LOAM_TRY_MEMORY(flood->doors, error);
    for (uint32_t node = 0; node < graph->node_count; node++) {
        if (!is_consumable(graph, graph->locks[node])) {
            continue;
        }
        if (flood->door_count == LOCK_CONSUMABLE_DOORS_MAX) {
            return loam_fail(error, LOAM_TOO_MANY, NULL, "more than %d doors have consumable keys",
                             LOCK_CONSUMABLE_DOORS_MAX);
        }
        flood->door_bit[node] = flood->door_count;
        flood->doors[flood->door_count++] = node;
    }
    return LOAM_OK;
}

static bool is_open(const lock_flood *flood, uint32_t node, uint32_t opened) {
    uint32_t lock = flood->graph->locks[node];
    if (lock == LOCK_NONE) {
        return true;
    }
    return is_consumable(flood->graph, lock) ? (opened >> flood->door_bit[node] & 1) != 0
                                             : (flood->held >> lock & 1) != 0;
}

static void spread(lock_flood *flood, uint32_t opened) {
    const lock_graph *graph = flood->graph;
    uint32_t head = 0, tail = 0;
    memset(flood->reached, 0, graph->node_count);
    flood->reached[graph->start] = 1;
    flood->queue[tail++] = graph->start;
    while (head < tail) {
        uint32_t node = flood->queue[head++];
        for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
            uint32_t next = graph->links[i];
            if (flood->reached[next] == 0 && is_open(flood, next, opened)) {
                flood->reached[next] = 1;
                flood->queue[tail++] = next;
            }
        }
    }
}

void lock_flood_run(lock_flood *flood, const lock_key *keys, uint32_t key_count, uint64_t held,
                    uint32_t opened) {
    uint64_t before;
    flood->held = held;
    /* Each round but the last finds a key: at most as many as there are locks. */
    do {
        before = flood->held;
        spread(flood, opened);
        for (uint32_t k = 0; k < key_count; k++) {
            if (keys[k].node != LOCK_NONE && flood->reached[keys[k].node] != 0) {
                flood->held |= (uint64_t)1 << keys[k].lock;
            }
        }
    } while (flood->held != before);
}

static uint32_t count_bits(uint32_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* Keys of a consumable lock that are found, less the doors of it that are open. */
static int32_t count_spare(const lock_flood *flood, const lock_key *keys, uint32_t key_count,
                           uint32_t lock, uint32_t opened) {
    uint32_t found = 0, mine = 0;
    for (uint32_t k = 0; k < key_count; k++) {
        bool here = keys[k].node == LOCK_NONE || flood->reached[keys[k].node] != 0;
        found += keys[k].lock == lock && here;
    }
    for (uint32_t d = 0; d < flood->door_count; d++) {
        mine |= (uint32_t)(flood->graph->locks[flood->doors[d]] == lock) << d;
    }
    return (int32_t)found - (int32_t)count_bits(mine & opened);
}

static bool is_beside_reached(const lock_flood *flood, uint32_t node) {
    const lock_graph *graph = flood->graph;
    for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
        if (flood->reached[graph->links[i]] != 0) {
            return true;
        }
    }
    return false;
}

uint32_t lock_openable(const lock_flood *flood, const lock_key *keys, uint32_t key_count,
                       uint32_t opened) {
    uint32_t openable = 0;
    for (uint32_t d = 0; d < flood->door_count; d++) {
        uint32_t node = flood->doors[d];
        if ((opened >> d & 1) == 0 && is_beside_reached(flood, node) &&
            count_spare(flood, keys, key_count, flood->graph->locks[node], opened) > 0) {
            openable |= (uint32_t)1 << d;
        }
    }
    return openable;
}

/* The first key whose lock stays closed. */
static uint32_t find_stuck(const lock_flood *flood, const lock_key *keys, uint32_t key_count) {
    for (uint32_t k = 0; k < key_count; k++) {
        if (keys[k].node != LOCK_NONE && flood->reached[keys[k].node] == 0) {
            return keys[k].lock;
        }
    }
    for (uint32_t node = 0; node < flood->graph->node_count; node++) {
        if (flood->reached[node] == 0 && flood->graph->locks[node] != LOCK_NONE) {
            return flood->graph->locks[node];
        }
    }
    return LOCK_NONE;
}

static uint64_t held_from_start(const lock_flood *flood, const lock_key *keys, uint32_t key_count) {
    uint64_t held = 0;
    for (uint32_t k = 0; k < key_count; k++) {
        bool free = keys[k].node == LOCK_NONE && !is_consumable(flood->graph, keys[k].lock);
        held |= (uint64_t)free << keys[k].lock;
    }
    return held;
}

static bool is_all_reached(const lock_flood *flood) {
    return memchr(flood->reached, 0, flood->graph->node_count) == NULL;
}

loam_status lock_check(lock_flood *flood, const lock_key *keys, uint32_t key_count,
                       loam_arena *arena, bool *solvable, uint32_t *stuck, loam_error *error) {
    uint32_t set_count = (uint32_t)1 << flood->door_count, head = 0, tail = 0;
    size_t mark = loam_arena_mark(arena);
    uint8_t *seen = loam_arena_take_zero(arena, set_count, sizeof *seen);
    LOAM_TRY_MEMORY(seen, error);
    uint16_t *queue = loam_arena_take(arena, set_count, sizeof *queue);
    LOAM_TRY_MEMORY(queue, error);
    uint64_t held = held_from_start(flood, keys, key_count);
    seen[0] = 1;
    queue[tail++] = 0;
    *solvable = true;
    *stuck = LOCK_NONE;
    while (head < tail && *solvable) {
        uint32_t opened = queue[head++];
        lock_flood_run(flood, keys, key_count, held, opened);
        uint32_t openable = lock_openable(flood, keys, key_count, opened);
        if (openable == 0 && !is_all_reached(flood)) {
            *solvable = false;
            *stuck = find_stuck(flood, keys, key_count);
        }
        for (; openable != 0; openable &= openable - 1) {
            uint32_t next = opened | (openable & (0u - openable));
            if (seen[next] == 0) {
                seen[next] = 1;
                queue[tail++] = (uint16_t)next;
            }
        }
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}
