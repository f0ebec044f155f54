/* SPDX-License-Identifier: MIT
 *
 * check_fixture.h: a cell of a graph, judged.
 */
#ifndef LOAM_TESTS_UNIT_CORE_CHECK_CHECK_FIXTURE_H
#define LOAM_TESTS_UNIT_CORE_CHECK_CHECK_FIXTURE_H

#include "tests/support/forest.h"
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>

enum { METRE = LOAM_UNITS_PER_METRE };

static inline loam_query cell_query(graph_world *world, loam_rect rect) {
    return (loam_query){.plan = world->plan, .rect = rect, .slots = world->slots};
}

/* The verdict of output 0 over a rectangle; fails the test when there is none. */
static inline loam_verdict verdict_of(graph_world *world, const loam_check *check, loam_rect rect) {
    static loam_arena arena;
    if (arena.memory == NULL) {
        arena = arena_of((size_t)1 << 30);
    }
    size_t mark = loam_arena_mark(&arena);
    loam_query query = cell_query(world, rect);
    loam_run run = {.arena = &arena};
    loam_points points;
    loam_verdict verdict;
    loam_error error = {0};
    cr_assert_eq(loam_cell_build(&query, &run, &points, &error), LOAM_OK, "%s", error.text);
    size_t before = loam_arena_mark(&arena);
    cr_assert_eq(loam_check_cell(check, &query, &points, &run, &verdict, &error), LOAM_OK, "%s",
                 error.text);
    cr_assert_eq(loam_arena_mark(&arena), before, "memory is given back");
    loam_arena_reset(&arena, mark);
    return verdict;
}

#endif
