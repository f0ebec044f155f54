/* SPDX-License-Identifier: MIT
 *
 * test_walk_guard.c: what may be blocked, against a flood of the whole map after each block.
 */
#include "core/content/walk_guard.h"
#include "core/grid/draw.h"
#include "tests/unit/core/content/content_fixture.h"

enum { SIDE = 13 };

/* How many cells a free neighbour of `cell` reaches when it is blocked: all but the cell itself, or
 * it was a cut. */
static bool is_cut(content_map *map, uint32_t cell, uint32_t *steps) {
    uint32_t before = map_flood(map, cell, NULL, steps), after = before - 1;
    map->walk[cell] = WALK_NOT;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        uint32_t next = map_next(map, cell, way);
        if (map->walk[next] == WALK_FREE) {
            after = map_flood(map, next, NULL, steps);
            break;
        }
    }
    map->walk[cell] = WALK_FREE;
    return after != before - 1;
}

/* Whether it, or something blocked beside it, can no longer be touched. */
static bool is_shut_in(const content_map *map, uint32_t cell) {
    uint32_t free = 0;
    for (uint32_t way = 0; way < WAY_COUNT; way++) {
        uint32_t next = map_next(map, cell, way), around = 0;
        free += map->walk[next] == WALK_FREE;
        bool blocked = (map->flags[next] & CELL_BLOCKED) != 0;
        for (uint32_t i = 0; i < WAY_COUNT && blocked; i++) {
            around += map->walk[map_next(map, next, i)] == WALK_FREE;
        }
        if (blocked && around < 2) {
            return true;
        }
    }
    return free == 0;
}

static void try_random_map(uint64_t seed, uint32_t wall_percent) {
    uint8_t cells[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        cells[i] = draw_percent(draw_at(seed, i), wall_percent) ? LOAM_CELL_WALL : LOAM_CELL_FLOOR;
    }
    loam_layout layout = {.width = SIDE, .height = SIDE, .cells = cells};
    layout.entrance = layout.exit = layout.stairs_up = layout.stairs_down = (loam_spot){-1, -1};
    loam_arena arena = arena_of(1 << 20);
    loam_error error = {0};
    content_map map;
    walk_guard guard;
    cr_assert_eq(content_map_build(&layout, &arena, &map, &error), LOAM_OK);
    cr_assert_eq(walk_guard_init(&guard, &map, &arena, &error), LOAM_OK);
    uint32_t *steps = loam_arena_take(&arena, map.cell_count, sizeof *steps);
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t number = draw_below(draw_at(~seed, i), SIDE * SIDE);
        uint32_t cell =
            map_cell(&map, (loam_spot){(int32_t)(number % SIDE), (int32_t)(number / SIDE)});
        if (map.walk[cell] != WALK_FREE) {
            cr_expect_not(walk_guard_allows(&guard, cell));
            continue;
        }
        bool wanted = !is_cut(&map, cell, steps) && !is_shut_in(&map, cell);
        cr_assert_eq(walk_guard_allows(&guard, cell), wanted, "seed %u, step %u", (unsigned)seed,
                     i);
        if (wanted) {
            walk_guard_block(&guard, cell);
        }
    }
}

Test(walk_guard, agrees_with_a_flood_on_every_kind_of_map) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        try_random_map(seed, (uint32_t)(seed % 6) * 10);
    }
}

Test(walk_guard, a_corridor_is_never_blocked_and_a_ring_once) {
    static const char *const rows[] = {"#######", "#.....#", "#.###.#", "#.....#",
                                       "###.###", "###.###", "#######", NULL};
    drawn_floor floor;
    draw_floor(&floor, rows, NULL, 0);
    loam_arena arena = arena_of(1 << 20);
    loam_error error = {0};
    content_map map;
    walk_guard guard;
    cr_assert_eq(content_map_build(&floor.layout, &arena, &map, &error), LOAM_OK);
    cr_assert_eq(walk_guard_init(&guard, &map, &arena, &error), LOAM_OK);
    cr_expect_not(walk_guard_allows(&guard, map_cell(&map, (loam_spot){3, 4})));
    cr_expect_not(walk_guard_allows(&guard, map_cell(&map, (loam_spot){3, 3})));
    uint32_t ring = map_cell(&map, (loam_spot){3, 1});
    cr_assert(walk_guard_allows(&guard, ring));
    walk_guard_block(&guard, ring);
    cr_expect_not(walk_guard_allows(&guard, map_cell(&map, (loam_spot){1, 2})));
    /* The end that is left beside it: whoever stands nowhere near could not touch the first. */
    cr_expect(walk_guard_allows(&guard, map_cell(&map, (loam_spot){2, 1})));
    walk_guard_block(&guard, map_cell(&map, (loam_spot){2, 1}));
    cr_expect_not(walk_guard_allows(&guard, map_cell(&map, (loam_spot){4, 1})));
}
