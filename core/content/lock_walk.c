/* SPDX-License-Identifier: MIT
 *
 * lock_walk.c: the way through all locks of a floor: open what can be opened, else take the nearest
 * key, at last go to the exit. The same is walked once more with only those locks that the exit
 * cannot do without, and steps onto cells that were walked before are counted.
 */
#include "core/base/try.h"
#include "core/content/lock_zones.h"

#include <string.h>

/* Locks and doors that a walk deals with. */
typedef struct walk_wish {
    uint64_t locks; /* of unique keys */
    uint32_t doors; /* of consumable keys */
} walk_wish;

typedef struct lock_walker {
    lock_set *set;
    const content_map *map;
    walk_wish wish;
    uint8_t *open;    /* a byte a cell: doors */
    uint8_t *visited; /* a byte a cell */
    uint32_t *steps;
    uint8_t taken[KEYS_MAX];
    uint64_t unlocked;
    uint32_t opened;
    uint32_t at;
    lock_walk walk;
} lock_walker;

/* Something to go for. */
typedef struct walk_goal {
    loam_act act;
    uint32_t cell;  /* to walk to */
    uint32_t shown; /* the cell of the thing itself */
    uint32_t index; /* of the key, or the node of the door */
    uint32_t steps;
} walk_goal;

static bool is_consumable(const lock_walker *walker, uint32_t lock) {
    return (walker->set->graph.consumable >> lock & 1) != 0;
}

static uint32_t exit_cell(const content_map *map) {
    return map->layout->exit.x >= 0 ? map_cell(map, map->layout->exit) : LOCK_NONE;
}

static bool is_wished(const lock_walker *walker, uint32_t lock) {
    if (!is_consumable(walker, lock)) {
        return (walker->wish.locks >> lock & 1) != 0;
    }
    for (uint32_t d = 0; d < walker->set->flood.door_count; d++) {
        uint32_t node = walker->set->flood.doors[d];
        if (walker->set->graph.locks[node] == lock && (walker->wish.doors >> d & 1) != 0) {
            return true;
        }
    }
    return false;
}

static int32_t count_spare(const lock_walker *walker, uint32_t lock) {
    int32_t spare = 0;
    for (uint32_t k = 0; k < walker->set->key_count; k++) {
        spare += walker->set->keys[k].lock == lock && walker->taken[k] != 0;
    }
    for (uint32_t d = 0; d < walker->set->flood.door_count; d++) {
        bool mine = walker->set->graph.locks[walker->set->flood.doors[d]] == lock;
        spare -= mine && (walker->opened >> d & 1) != 0;
    }
    return spare;
}

static bool can_open(const lock_walker *walker, uint32_t node) {
    uint32_t lock = walker->set->graph.locks[node];
    if (is_consumable(walker, lock)) {
        uint32_t bit = walker->set->flood.door_bit[node];
        return (walker->opened >> bit & 1) == 0 && (walker->wish.doors >> bit & 1) != 0 &&
               count_spare(walker, lock) > 0;
    }
    return is_wished(walker, lock) && (walker->unlocked >> lock & 1) == 0 &&
           count_spare(walker, lock) > 0;
}

static void consider(walk_goal *best, walk_goal goal) {
    if (goal.steps < best->steps || (goal.steps == best->steps && goal.shown < best->shown)) {
        *best = goal;
    }
}

/* The nearest closed door whose key is in hand. */
static walk_goal find_door(const lock_walker *walker) {
    walk_goal best = {.act = LOAM_ACT_OPEN, .steps = STEPS_FAR, .shown = UINT32_MAX};
    const content_map *map = walker->map;
    for (uint32_t cell = 0; cell < map->cell_count; cell++) {
        if (map->walk[cell] != WALK_LOCKED || map->steps[cell] == STEPS_FAR ||
            !can_open(walker, walker->set->cell_nodes[cell])) {
            continue;
        }
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            uint32_t next = map_next(map, cell, way);
            consider(&best, (walk_goal){LOAM_ACT_OPEN, next, cell, walker->set->cell_nodes[cell],
                                        walker->steps[next]});
        }
    }
    return best;
}

static walk_goal find_key(const lock_walker *walker) {
    walk_goal best = {.act = LOAM_ACT_TAKE, .steps = STEPS_FAR, .shown = UINT32_MAX};
    for (uint32_t k = 0; k < walker->set->key_count; k++) {
        const placed_key *key = &walker->set->keys[k];
        if (walker->taken[k] == 0 && is_wished(walker, key->lock)) {
            consider(&best,
                     (walk_goal){LOAM_ACT_TAKE, key->cell, key->cell, k, walker->steps[key->cell]});
        }
    }
    return best;
}

/* Marks the shortest way to a cell and counts what was walked before; only where that is asked. */
static void tread(lock_walker *walker, uint32_t cell) {
    while (cell != walker->at) {
        walker->walk.backtrack_steps += walker->visited[cell];
        walker->visited[cell] = 1;
        uint32_t wanted = walker->steps[cell] - 1;
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            uint32_t next = map_next(walker->map, cell, way);
            if (walker->steps[next] == wanted) {
                cell = next;
                break;
            }
        }
    }
}

static void open_node(lock_walker *walker, uint32_t node) {
    const lock_set *set = walker->set;
    uint32_t lock = set->graph.locks[node];
    bool one = is_consumable(walker, lock);
    if (one) {
        walker->opened |= (uint32_t)1 << set->flood.door_bit[node];
    } else {
        walker->unlocked |= (uint64_t)1 << lock;
    }
    for (uint32_t cell = 0; cell < walker->map->cell_count; cell++) {
        uint32_t of = set->cell_nodes[cell];
        bool mine = of != LOCK_NONE && (one ? of == node : set->graph.locks[of] == lock);
        walker->open[cell] |= mine;
    }
}

static void act(lock_walker *walker, walk_goal goal) {
    uint32_t lock = 0;
    tread(walker, goal.cell);
    walker->at = goal.cell;
    if (goal.act == LOAM_ACT_OPEN) {
        lock = walker->set->graph.locks[goal.index];
        open_node(walker, goal.index);
    } else if (goal.act == LOAM_ACT_TAKE) {
        lock = walker->set->keys[goal.index].lock;
        walker->taken[goal.index] = 1;
    }
    walker->walk.walk_steps += goal.steps;
    walker->walk.steps[walker->walk.count++] =
        (loam_walk_step){goal.act, map_spot(walker->map, goal.shown), lock, goal.steps, false};
}

static void walk_all(lock_walker *walker) {
    const content_map *map = walker->map;
    memset(walker->open, 0, map->cell_count);
    memset(walker->visited, 0, map->cell_count);
    memset(walker->taken, 0, sizeof walker->taken);
    walker->unlocked = walker->opened = 0;
    walker->walk.count = 0;
    walker->walk.walk_steps = walker->walk.backtrack_steps = 0;
    walker->at = map->start;
    walker->visited[map->start] = 1;
    /* Each round takes a key or opens a door that was not open. */
    for (;;) {
        (void)map_flood(map, walker->at, walker->open, walker->steps);
        walk_goal goal = find_door(walker);
        goal = goal.steps == STEPS_FAR ? find_key(walker) : goal;
        if (goal.steps == STEPS_FAR) {
            break;
        }
        act(walker, goal);
    }
    uint32_t out = exit_cell(map);
    if (out != LOCK_NONE && walker->steps[out] != STEPS_FAR) {
        act(walker, (walk_goal){LOAM_ACT_EXIT, out, out, 0, walker->steps[out]});
    }
}

/* ---- What the exit needs -------------------------------------------------------------------- */

/* Whether the exit is reached with the locks and doors of a wish alone. */
static bool reaches_exit(const lock_walker *walker, walk_wish wish) {
    lock_set *set = walker->set;
    uint32_t out = exit_cell(walker->map), count = 0, openable, opened = 0;
    lock_key keys[KEYS_MAX];
    for (uint32_t k = 0; k < set->key_count; k++) {
        uint32_t lock = set->key_nodes[k].lock;
        if (is_consumable(walker, lock) || (wish.locks >> lock & 1) != 0) {
            keys[count++] = set->key_nodes[k];
        }
    }
    if (out == LOCK_NONE || set->cell_nodes[out] == LOCK_NONE) {
        return false;
    }
    do {
        lock_flood_run(&set->flood, keys, count, 0, opened);
        openable = lock_openable(&set->flood, keys, count, opened) & wish.doors;
        opened |= openable & (0u - openable);
    } while (openable != 0);
    return set->flood.reached[set->cell_nodes[out]] != 0;
}

/* Leaves out one lock or door after another as long as the exit is still reached. */
static walk_wish find_needed(const lock_walker *walker, walk_wish all) {
    walk_wish wish = all;
    for (uint32_t lock = walker->set->count; lock-- > 0;) {
        walk_wish less = {wish.locks & ~((uint64_t)1 << lock), wish.doors};
        wish = less.locks != wish.locks && reaches_exit(walker, less) ? less : wish;
    }
    for (uint32_t d = walker->set->flood.door_count; d-- > 0;) {
        walk_wish less = {wish.locks, wish.doors & ~((uint32_t)1 << d)};
        wish = reaches_exit(walker, less) ? less : wish;
    }
    return wish;
}

static walk_wish wish_all(const lock_set *set) {
    uint64_t locks = set->count == 64 ? UINT64_MAX : ((uint64_t)1 << set->count) - 1;
    return (walk_wish){locks & ~set->graph.consumable, ((uint32_t)1 << set->flood.door_count) - 1};
}

/* What the shorter walk does is critical in the longer one; of keys that are used up, as many. */
static void mark_critical(lock_walk *whole, const lock_walk *needed, uint64_t consumable) {
    for (uint32_t n = 0; n < needed->count; n++) {
        for (uint32_t i = 0; i < whole->count; i++) {
            loam_walk_step *step = &whole->steps[i];
            const loam_walk_step *like = &needed->steps[n];
            bool used_up = like->act == LOAM_ACT_TAKE && (consumable >> like->lock & 1) != 0;
            bool same = step->at.x == like->at.x && step->at.y == like->at.y;
            if (!step->critical && step->act == like->act && step->lock == like->lock &&
                (same || used_up || like->act == LOAM_ACT_OPEN)) {
                step->critical = true;
                break;
            }
        }
    }
}

/* Whoever leaves out what is not needed may meet doors in another order, and walk further. */
static void take_shorter(lock_walk *whole, const lock_walk *needed) {
    whole->critical_steps = whole->walk_steps;
    if (needed->walk_steps <= whole->walk_steps) {
        whole->critical_steps = needed->walk_steps;
        whole->backtrack_steps = needed->backtrack_steps;
    }
}

static loam_status walker_init(lock_walker *walker, loam_arena *arena, loam_error *error) {
    size_t cells = walker->map->cell_count;
    walker->open = loam_arena_take(arena, cells, sizeof *walker->open);
    walker->visited = loam_arena_take(arena, cells, sizeof *walker->visited);
    walker->steps = loam_arena_take(arena, cells, sizeof *walker->steps);
    LOAM_TRY_MEMORY(walker->open, error);
    LOAM_TRY_MEMORY(walker->visited, error);
    LOAM_TRY_MEMORY(walker->steps, error);
    return LOAM_OK;
}

/* Keys, doors that are opened one by one, locks, and the exit. */
static size_t steps_bound(const lock_set *set) {
    return (size_t)set->key_count + set->flood.door_count + set->count + 1u;
}

loam_status lock_walk_find(lock_set *set, const content_map *map, loam_arena *arena,
                           lock_walk *walk, loam_error *error) {
    *walk = (lock_walk){0};
    if (set->count == 0) {
        return LOAM_OK;
    }
    loam_walk_step *whole = loam_arena_take(arena, steps_bound(set), sizeof *whole);
    LOAM_TRY_MEMORY(whole, error);
    size_t mark = loam_arena_mark(arena);
    lock_walker walker = {.set = set, .map = map};
    LOAM_TRY(walker_init(&walker, arena, error));
    loam_walk_step *needed = loam_arena_take(arena, steps_bound(set), sizeof *needed);
    LOAM_TRY_MEMORY(needed, error);
    walker.walk.steps = whole;
    walker.wish = wish_all(set);
    walk_all(&walker);
    *walk = walker.walk;
    if (!reaches_exit(&walker, walker.wish)) {
        walk->backtrack_steps = 0;
    } else {
        walker.walk.steps = needed;
        walker.wish = find_needed(&walker, walker.wish);
        walk_all(&walker);
        take_shorter(walk, &walker.walk);
        mark_critical(walk, &walker.walk, set->graph.consumable);
    }
    loam_arena_reset(arena, mark);
    return LOAM_OK;
}
