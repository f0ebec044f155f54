/* SPDX-License-Identifier: MIT
 *
 * test_lattice.c: mazes are trees over all places, and braiding leaves no dead end at 100 %.
 */
#include "core/grid/lattice.h"

#include "core/base/mix.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>

static const int32_t sides[][2] = {{1, 2}, {2, 1}, {1, 9}, {2, 2}, {5, 3}, {31, 40}, {64, 7}};

static uint32_t count_links(const lattice_grid *lattice) {
    uint32_t count = 0;
    for (size_t place = 0; place < lattice_count(lattice); place++) {
        cr_assert_eq(lattice->links[place] >> WAY_COUNT, 0);
        count += (uint32_t)__builtin_popcount(lattice->links[place]);
    }
    return count / 2;
}

/* Places that one reaches from place 0; every link must be open from both sides. */
static uint32_t count_reached(const lattice_grid *lattice) {
    static uint8_t seen[1 << 16];
    static uint32_t stack[1 << 16];
    uint32_t reached = 0, count = 0;
    memset(seen, 0, sizeof seen);
    stack[count++] = 0;
    seen[0] = 1;
    while (count > 0) {
        uint32_t place = stack[--count];
        reached++;
        const uint32_t columns = (uint32_t)lattice->columns;
        const uint32_t to[] = {place - columns, place + 1, place + columns, place - 1};
        for (uint32_t way = 0; way < WAY_COUNT; way++) {
            if (lattice_is_open(lattice, place, way)) {
                cr_assert_lt(to[way], lattice_count(lattice));
                cr_assert(lattice_is_open(lattice, to[way], (way + 2) & 3));
                if (seen[to[way]] == 0) {
                    seen[to[way]] = 1;
                    stack[count++] = to[way];
                }
            }
        }
    }
    return reached;
}

Test(lattice, every_algorithm_makes_a_tree_over_all_places) {
    loam_arena arena = arena_of(1 << 20);
    for (int algorithm = LATTICE_BACKTRACKER; algorithm <= LATTICE_DIVISION; algorithm++) {
        for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
            for (uint64_t key = 1; key <= 5; key++) {
                lattice_grid lattice;
                loam_arena_reset(&arena, 0);
                arena.peak = 0;
                cr_assert_eq(lattice_take(sides[i][0], sides[i][1], &arena, &lattice, NULL),
                             LOAM_OK);
                cr_assert_eq(
                    lattice_maze(&lattice, (lattice_algorithm)algorithm, mix64(key), &arena, NULL),
                    LOAM_OK);
                uint32_t places = (uint32_t)lattice_count(&lattice);
                cr_assert_eq(count_links(&lattice), places - 1);
                cr_assert_eq(count_reached(&lattice), places);
                cr_assert_leq(arena.peak, lattice_bytes(sides[i][0], sides[i][1]));
            }
        }
    }
}

static uint32_t count_dead_ends(const lattice_grid *lattice) {
    uint32_t count = 0;
    for (size_t place = 0; place < lattice_count(lattice); place++) {
        count += __builtin_popcount(lattice->links[place]) == 1;
    }
    return count;
}

Test(lattice, braiding_takes_all_dead_ends_or_some_or_none) {
    loam_arena arena = arena_of(1 << 20);
    uint32_t left[3];
    for (uint32_t i = 0; i < 3; i++) {
        lattice_grid lattice;
        loam_arena_reset(&arena, 0);
        cr_assert_eq(lattice_take(30, 30, &arena, &lattice, NULL), LOAM_OK);
        cr_assert_eq(lattice_maze(&lattice, LATTICE_PRIM, 77, &arena, NULL), LOAM_OK);
        lattice_braid(&lattice, 50 * i, 78);
        left[i] = count_dead_ends(&lattice);
        cr_assert_eq(count_reached(&lattice), 900);
    }
    cr_expect_gt(left[0], 100);
    cr_expect(left[1] > left[0] / 4 && left[1] < left[0] * 3 / 4);
    cr_expect_eq(left[2], 0);
}

Test(lattice, a_single_place_has_no_way) {
    loam_arena arena = arena_of(1 << 16);
    for (int algorithm = LATTICE_BACKTRACKER; algorithm <= LATTICE_DIVISION; algorithm++) {
        lattice_grid lattice;
        cr_assert_eq(lattice_take(1, 1, &arena, &lattice, NULL), LOAM_OK);
        cr_assert_eq(lattice_maze(&lattice, (lattice_algorithm)algorithm, 1, &arena, NULL),
                     LOAM_OK);
        cr_expect_eq(lattice.links[0], 0);
    }
}
