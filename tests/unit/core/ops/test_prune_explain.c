/* SPDX-License-Identifier: MIT
 *
 * test_prune_explain.c: what explain says of pruned points, through a whole graph, against a look
 * at all kept points by brute force.
 */
#include "core/base/fixed_math.h"
#include "core/loam.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <string.h>

enum { FATES = 20000, RADIUS_UNITS = 700 };

static void add(loam_graph *graph, const char *name, const char *operation, const char *from) {
    loam_error error = {0};
    cr_assert_eq(loam_graph_add_node(graph, loam_text_of(name), loam_text_of(operation), 0, &error),
                 LOAM_OK, "%s", error.text);
    if (from != NULL) {
        cr_assert_eq(loam_graph_connect(graph, loam_text_of(name), loam_text_of("points"),
                                        loam_text_of(from), &error),
                     LOAM_OK, "%s", error.text);
    }
}

static void set(loam_graph *graph, const char *node, const char *key, int64_t value) {
    loam_error error = {0};
    loam_value integer = {.kind = LOAM_VALUE_INTEGER, .integer = value};
    cr_assert_eq(loam_graph_set(graph, loam_text_of(node), loam_text_of(key), &integer, &error),
                 LOAM_OK, "%s", error.text);
}

typedef struct told {
    loam_fate fates[FATES];
    uint32_t count;
} told;

static told *explain(int64_t rounds, int64_t place_radius) {
    loam_arena *arena = calloc(1, sizeof *arena);
    loam_graph *graph = calloc(1, sizeof *graph);
    loam_error error = {0};
    const loam_plan *plan;
    told *all = calloc(1, sizeof *all);
    *arena = arena_of((size_t)256 << 20);
    cr_assert_eq(
        loam_graph_init(graph, (loam_graph_sizes){.nodes = 2, .outputs = 1}, arena, &error),
        LOAM_OK);
    add(graph, "sites", "grid.sample", NULL);
    add(graph, "spaced", "self.prune", "sites");
    set(graph, "sites", "spacing_m", 256);
    set(graph, "spaced", "radius_m", RADIUS_UNITS);
    set(graph, "spaced", "rounds", rounds);
    cr_assert_eq(
        loam_graph_add_output(graph, loam_text_of("trees"), loam_text_of("spaced"), 0, &error),
        LOAM_OK);
    cr_assert_eq(loam_graph_sort(graph), LOAM_OK);
    cr_assert_eq(loam_plan_build(graph, 42, arena, &plan, &error), LOAM_OK, "%s", error.text);
    loam_query query = {.plan = plan};
    loam_run run = {.arena = arena};
    cr_assert_eq(loam_explain(&query, (loam_place){1000, -500, place_radius}, &run, all->fates,
                              FATES, &all->count, &error),
                 LOAM_OK, "%s", error.text);
    cr_assert_lt(all->count, FATES);
    return all;
}

static const loam_fate *find(const told *all, uint64_t id) {
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->fates[i].id == id) {
            return &all->fates[i];
        }
    }
    return NULL;
}

/* The nearest kept one in conflict, squared; 0 when there is none. */
static int64_t nearest_kept(const told *all, const loam_fate *of) {
    int64_t best = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const loam_fate *other = &all->fates[i];
        int64_t dx = of->x - other->x, dz = of->z - other->z;
        int64_t squared = dx * dx + dz * dz;
        if (other->dropped_by == LOAM_KEPT && squared < (int64_t)RADIUS_UNITS * RADIUS_UNITS &&
            (best == 0 || squared < best)) {
            best = squared;
        }
    }
    return best;
}

static void expect_reasons(int64_t rounds, uint32_t seen[3]) {
    told *wide = explain(rounds, 40 * 256), *narrow = explain(rounds, 10 * 256);
    cr_assert_gt(narrow->count, 100);
    for (uint32_t i = 0; i < narrow->count; i++) {
        const loam_fate *fate = &narrow->fates[i];
        cr_assert_not_null(find(wide, fate->id));
        cr_expect_eq(find(wide, fate->id)->value, fate->value, "the same at any radius");
        int64_t squared = nearest_kept(wide, fate);
        if (fate->dropped_by == LOAM_KEPT) {
            seen[0]++;
            cr_expect_null(fate->reason);
        } else if (squared > 0) {
            seen[1]++;
            cr_expect_str_eq(fate->reason, "distance");
            cr_expect(fate->measured);
            cr_expect_eq(fate->scale_bits, 16);
            cr_expect_eq(fate->limit, RADIUS_UNITS * 256);
            cr_expect_eq((uint64_t)fate->value, integer_root((uint64_t)squared << 16));
            cr_expect_lt(fate->value, fate->limit);
        } else {
            seen[2]++;
            cr_expect_str_eq(fate->reason, "undecided");
            cr_expect(!fate->measured);
        }
    }
}

Test(prune_explain, the_nearest_winner_and_the_radius_are_told_at_every_number_of_rounds) {
    uint32_t many[3] = {0}, one[3] = {0};
    expect_reasons(3, many);
    expect_reasons(1, one);
    cr_expect_gt(many[0], 20);
    cr_expect_gt(many[1], 100);
    cr_expect_gt(one[1], 20);
    cr_expect_gt(one[2], 20, "one round leaves points undecided");
}

Test(prune_explain, ids_rise_and_a_place_of_radius_0_is_legal) {
    told *all = explain(3, 10 * 256);
    for (uint32_t i = 1; i < all->count; i++) {
        cr_expect_gt(all->fates[i].id, all->fates[i - 1].id);
    }
    cr_expect_leq(explain(3, 0)->count, 1);
}
