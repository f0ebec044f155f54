/* SPDX-License-Identifier: MIT
 *
 * walk_guard.c: see walk_guard.h. The ring of eight around a cell falls into runs of free cells;
 * each run that holds one of the four ways is a way out, and between two of them lies a gap of
 * wall, 8-connected in itself. Two gaps of one piece close a ring through the cell: it is a cut.
 */
#include "core/content/walk_guard.h"

#include "core/base/try.h"
#include "core/grid/links.h"

static bool is_wall(const content_map *map, uint32_t cell) {
    return map->walk[cell] != WALK_FREE;
}

/* The border of the grid is one piece with everything outside. */
static bool is_border(const content_map *map, uint32_t cell) {
    uint32_t x = cell % map->stride;
    return x == 0 || x == map->stride - 1 || cell < map->stride ||
           cell >= map->cell_count - map->stride;
}

static void join_border(walk_guard *guard) {
    for (uint32_t cell = 1; cell < guard->map->cell_count; cell++) {
        if (is_border(guard->map, cell)) {
            guard->parents[cell] = 0;
        }
    }
}

/* With the walls before it, row by row. Those are joined among themselves already, so that of
 * neighbours which touch each other one is enough. */
static void join_earlier(walk_guard *guard, uint32_t cell) {
    const content_map *map = guard->map;
    uint32_t north = cell - map->stride;
    if (is_wall(map, north)) {
        (void)union_join(guard->parents, cell, north);
        return;
    }
    if (is_wall(map, north + 1)) {
        (void)union_join(guard->parents, cell, north + 1);
    }
    if (is_wall(map, cell - 1)) {
        (void)union_join(guard->parents, cell, cell - 1);
    } else if (is_wall(map, north - 1)) {
        (void)union_join(guard->parents, cell, north - 1);
    }
}

loam_status walk_guard_init(walk_guard *guard, content_map *map, loam_arena *arena,
                            loam_error *error) {
    guard->map = map;
    guard->parents = loam_arena_take(arena, map->cell_count, sizeof *guard->parents);
    LOAM_TRY_MEMORY(guard->parents, error);
    for (uint32_t cell = 0; cell < map->cell_count; cell++) {
        guard->parents[cell] = cell;
    }
    join_border(guard);
    uint32_t end = map->cell_count - map->stride;
    for (uint32_t cell = map->stride; cell < end; cell++) {
        if (is_wall(map, cell) && !is_border(map, cell)) {
            join_earlier(guard, cell);
        }
    }
    for (uint32_t cell = end - map->stride + 1; cell + 1 < end; cell++) {
        if (is_wall(map, cell)) {
            (void)union_join(guard->parents, cell, 0);
        }
    }
    return LOAM_OK;
}

/* One cell of wall in each gap between ways out; returns how many ways out there are. */
static uint32_t find_gaps(const walk_guard *guard, uint32_t cell, uint32_t gaps[4]) {
    uint32_t mask = map_mask(guard->map, cell), count = 0;
    if (mask == 0xff || (mask & 0x55) == 0) {
        return mask == 0xff;
    }
    /* A way out ends where the next cell of the ring is wall. */
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t next = (i + 1) & 7;
        bool here = (mask >> i & 1) != 0, ends = (mask >> next & 1) == 0;
        if (!here || !ends) {
            continue;
        }
        /* A corner alone between two walls is no way out. */
        bool way = i % 2 == 0 || (mask >> ((i + 7) & 7) & 1) != 0;
        if (way) {
            gaps[count++] = map_around(guard->map, cell, next);
        }
    }
    return count;
}

static bool keeps_region(const walk_guard *guard, uint32_t cell) {
    uint32_t gaps[4], roots[4];
    uint32_t count = find_gaps(guard, cell, gaps);
    if (count < 2) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        roots[i] = union_root(guard->parents, gaps[i]);
        for (uint32_t j = 0; j < i; j++) {
            if (roots[i] == roots[j]) {
                return false;
            }
        }
    }
    return true;
}

static uint32_t count_free(const content_map *map, uint32_t cell) {
    uint32_t count = 0;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        count += map->walk[map_next(map, cell, way)] == WALK_FREE;
    }
    return count;
}

static bool keeps_touch(const content_map *map, uint32_t cell) {
    bool kept = count_free(map, cell) > 0;
    for (uint32_t way = 0; way < WAY_COUNT && kept; way++) {
        uint32_t next = map_next(map, cell, way);
        kept = (map->flags[next] & CELL_BLOCKED) == 0 || count_free(map, next) > 1;
    }
    return kept;
}

bool walk_guard_allows(const walk_guard *guard, uint32_t cell) {
    return guard->map->walk[cell] == WALK_FREE && keeps_touch(guard->map, cell) &&
           keeps_region(guard, cell);
}

void walk_guard_block(walk_guard *guard, uint32_t cell) {
    guard->map->walk[cell] = WALK_NOT;
    guard->map->flags[cell] |= CELL_BLOCKED | CELL_TAKEN;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t next = map_around(guard->map, cell, i);
        if (is_wall(guard->map, next)) {
            (void)union_join(guard->parents, cell, next);
        }
    }
}
