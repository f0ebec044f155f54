/* SPDX-License-Identifier: MIT
 *
 * test_prune.c: self.prune against a literal reading of its rounds, and its exact reach. Random
 * worlds do not find a halo that is too short, so the reach is tried with an adversarial chain:
 * points R - 1 apart with rising priorities, where the last one decides the first.
 */
#include "core/base/mix.h"
#include "core/graph/graph.h"
#include "core/ops/operation.h"
#include "core/ops/prune.h"
#include "tests/support/forest.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { R = 308, POINTS = 600, SEED = 77 };

typedef struct prune_case {
    loam_graph graph;
    loam_arena arena;
    uint32_t rounds;
    bool general_path;
    uint64_t seed;
} prune_case;

static void set(prune_case *test, const char *key, int64_t value) {
    loam_error error = {0};
    loam_value integer = {.kind = LOAM_VALUE_INTEGER, .integer = value};
    cr_assert_eq(
        loam_graph_set(&test->graph, loam_text_of("p"), loam_text_of(key), &integer, &error),
        LOAM_OK, "%s", error.text);
}

static prune_case *case_of(uint32_t rounds) {
    prune_case *test = calloc(1, sizeof *test);
    loam_error error = {0};
    loam_graph_sizes sizes = {.nodes = 1};
    test->arena = arena_of(64 << 20);
    test->rounds = rounds;
    test->seed = SEED;
    cr_assert_eq(loam_graph_init(&test->graph, sizes, &test->arena, &error), LOAM_OK);
    cr_assert_eq(
        loam_graph_add_node(&test->graph, loam_text_of("p"), loam_text_of("self.prune"), 1, &error),
        LOAM_OK);
    set(test, "radius_m", R);
    set(test, "rounds", rounds);
    return test;
}

/* Runs the operation for a rectangle over the points that lie in it grown by `reach`. */
static point_set run_prune(prune_case *test, const point_set *all, loam_rect rect, int64_t reach) {
    loam_run run = {.arena = &test->arena, .general_path = test->general_path};
    loam_error error = {0};
    point_set out;
    point_set seen = *all;
    uint32_t *live = COLUMN_TAKE(&test->arena, all->count, uint32_t);
    for (uint32_t i = 0; i < all->count; i++) {
        int64_t x = all->base_x + all->x[i], z = all->base_z + all->z[i];
        bool inside = x >= rect.x0 - reach && x < rect.x1 + reach && z >= rect.z0 - reach &&
                      z < rect.z1 + reach;
        live[i] = inside && (all->live == NULL || all->live[i] != 0) ? UINT32_MAX : 0;
    }
    seen.live = live;
    node_call call = {.node = &test->graph.nodes[0],
                      .pointer = "/nodes/p",
                      .seed = test->seed,
                      .rect = rect,
                      .inputs = {&seen},
                      .run = &run,
                      .arena = &test->arena,
                      .error = &error,
                      .out = &out};
    cr_assert_eq(self_prune_code.evaluate(&call), LOAM_OK, "%s", error.text);
    return out;
}

static uint32_t priority_at(uint64_t seed, uint32_t a, uint32_t b) {
    return priority_of(draw_bits(draw_row_key(draw_key(seed, DRAW_PRIORITY), b), a));
}

/* `count` origins (a, 0) with rising priorities. */
static void rising_origins(uint32_t *a, uint32_t count) {
    uint32_t low = 0;
    for (uint32_t i = 0, next = 0; i < count; next++) {
        uint32_t priority = priority_at(SEED, next, 0);
        uint32_t share = (1u << 30) / (count + 1);
        if (priority > low && priority >= share * i && priority < share * (i + 1)) {
            a[i++] = next;
            low = priority;
        }
    }
}

/* Points 0, R - 1, 2 (R - 1), ... along x. */
static point_set chain_of(prune_case *test, uint32_t count) {
    int32_t *x = COLUMN_TAKE(&test->arena, count, int32_t);
    int32_t *zero = loam_arena_take_zero(&test->arena, column_size(count), 8);
    uint32_t *a = COLUMN_TAKE(&test->arena, count, uint32_t);
    rising_origins(a, count);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (int32_t)i * (R - 1);
    }
    return (point_set){
        .count = count, .x = x, .z = zero, .y = zero, .a = a, .b = (const uint32_t *)zero};
}

Test(prune, general_path_reach_is_exact_along_an_adversarial_chain) {
    const loam_rect first = {0, 0, 1, 1};
    for (uint32_t rounds = 1; rounds <= PRUNE_ROUNDS_MAX; rounds++) {
        prune_case *test = case_of(rounds);
        int64_t reach = self_prune_code.reach(&test->graph.nodes[0]);
        cr_expect_eq(reach, (2 * (int64_t)rounds - 1) * (R - 1));
        for (uint32_t links = 1; links <= 2 * rounds + 2; links++) {
            point_set chain = chain_of(test, links + 1);
            uint32_t whole = run_prune(test, &chain, first, INT32_MAX).count;
            cr_expect_eq(run_prune(test, &chain, first, reach).count, whole, "%u rounds, %u links",
                         rounds, links);
            if (links == 2 * rounds - 1) {
                cr_expect_neq(run_prune(test, &chain, first, reach - 1).count, whole,
                              "%u rounds: a reach less one unit must show", rounds);
            }
        }
    }
}

/* A lattice of one row of live sites with spacing R - 1 and no jitter. */
static point_set lattice_chain(prune_case *test, uint32_t count, int64_t site_x) {
    site_lattice *lattice = loam_arena_take(&test->arena, 1, sizeof *lattice);
    *lattice = (site_lattice){.site_x = site_x - LATTICE_BORDER,
                              .site_z = -LATTICE_BORDER,
                              .stride = column_size(count + 2 * LATTICE_BORDER),
                              .rows = 1 + 2 * LATTICE_BORDER,
                              .spacing = R - 1};
    uint32_t total = lattice->stride * lattice->rows;
    int32_t *x = COLUMN_TAKE(&test->arena, total, int32_t);
    int32_t *z = COLUMN_TAKE(&test->arena, total, int32_t);
    int32_t *y = loam_arena_take_zero(&test->arena, total, sizeof *y);
    uint32_t *live = loam_arena_take_zero(&test->arena, total, sizeof *live);
    for (uint32_t i = 0; i < total; i++) {
        uint32_t column = i % lattice->stride, row = i / lattice->stride;
        x[i] = (int32_t)column * (R - 1);
        z[i] = (int32_t)row * (R - 1);
        bool on =
            row == LATTICE_BORDER && column >= LATTICE_BORDER && column < LATTICE_BORDER + count;
        live[i] = on ? UINT32_MAX : 0;
    }
    return (point_set){.count = total,
                       .base_x = -LATTICE_BORDER * (R - 1),
                       .base_z = -LATTICE_BORDER * (R - 1),
                       .x = x,
                       .z = z,
                       .y = y,
                       .live = live,
                       .lattice = lattice};
}

/* A place on row 0 where `count` neighbouring sites have rising priorities. */
static int64_t find_rising(uint64_t seed, uint32_t count) {
    uint32_t run = 1;
    for (uint32_t a = 1;; a++) {
        run = priority_at(seed, a, 0) > priority_at(seed, a - 1, 0) ? run + 1 : 1;
        if (run == count) {
            return (int64_t)a - count + 1;
        }
    }
}

Test(prune, lattice_path_reach_is_exact_along_an_adversarial_chain) {
    const loam_rect first = {0, 0, 1, 1};
    for (uint32_t rounds = 1; rounds <= 4; rounds++) {
        prune_case *test = case_of(rounds);
        int64_t reach = self_prune_code.reach(&test->graph.nodes[0]);
        uint32_t links = 2 * rounds - 1;
        point_set chain = lattice_chain(test, links + 1, find_rising(SEED, links + 1));
        uint32_t whole = run_prune(test, &chain, first, INT32_MAX).count;
        cr_expect_eq(run_prune(test, &chain, first, reach).count, whole, "%u rounds", rounds);
        cr_expect_neq(run_prune(test, &chain, first, reach - 1).count, whole,
                      "%u rounds: a reach less one unit must show", rounds);
    }
}

/* The rounds, read literally: every pair, every round. */
static void literal_rounds(const point_set *set, uint32_t rounds, uint64_t seed, uint8_t *state) {
    enum { LIVE, NEW, ACCEPTED, DEAD };
    for (uint32_t i = 0; i < set->count; i++) {
        state[i] = LIVE;
    }
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < set->count; i++) {
            bool best = state[i] == LIVE;
            for (uint32_t j = 0; best && j < set->count; j++) {
                int64_t dx = set->x[i] - set->x[j], dz = set->z[i] - set->z[j];
                uint32_t pi = priority_at(seed, set->a[i], set->b[i]);
                uint32_t pj = priority_at(seed, set->a[j], set->b[j]);
                bool higher = pj > pi || (pj == pi && j > i);
                best = i == j || dx * dx + dz * dz >= R * R || !higher ||
                       (state[j] != LIVE && state[j] != NEW);
            }
            state[i] = best ? NEW : state[i];
        }
        for (uint32_t i = 0; i < set->count; i++) {
            for (uint32_t j = 0; state[i] == LIVE && j < set->count; j++) {
                int64_t dx = set->x[i] - set->x[j], dz = set->z[i] - set->z[j];
                if (state[j] == NEW && dx * dx + dz * dz < R * R) {
                    state[i] = DEAD;
                }
            }
        }
        for (uint32_t i = 0; i < set->count; i++) {
            state[i] = state[i] == NEW ? ACCEPTED : state[i];
        }
    }
    for (uint32_t i = 0; i < set->count; i++) {
        state[i] = state[i] == ACCEPTED;
    }
}

static point_set random_points(prune_case *test) {
    int32_t *x = COLUMN_TAKE(&test->arena, POINTS, int32_t);
    int32_t *z = COLUMN_TAKE(&test->arena, POINTS, int32_t);
    int32_t *y = loam_arena_take_zero(&test->arena, column_size(POINTS), sizeof *y);
    uint32_t *a = COLUMN_TAKE(&test->arena, POINTS, uint32_t);
    uint32_t *b = COLUMN_TAKE(&test->arena, POINTS, uint32_t);
    for (uint32_t i = 0; i < POINTS; i++) {
        uint64_t bits = mix64(i + 1000 * test->rounds);
        x[i] = (int32_t)(bits % 4096);
        z[i] = (int32_t)(bits >> 32) % 4096;
        z[i] = z[i] < 0 ? -z[i] : z[i];
        a[i] = i;
        b[i] = i / 7;
    }
    return (point_set){.count = POINTS, .x = x, .z = z, .y = y, .a = a, .b = b};
}

Test(prune, general_path_agrees_with_a_literal_reading_of_the_rounds) {
    const loam_rect everything = {0, 0, 4096, 4096};
    uint8_t accepted[POINTS];
    for (uint32_t rounds = 1; rounds <= PRUNE_ROUNDS_MAX; rounds++) {
        prune_case *test = case_of(rounds);
        point_set set = random_points(test);
        literal_rounds(&set, rounds, SEED, accepted);
        point_set got = run_prune(test, &set, everything, INT32_MAX);
        uint32_t at = 0;
        for (uint32_t i = 0; i < POINTS; i++) {
            if (accepted[i]) {
                cr_assert_lt(at, got.count, "%u rounds: too few", rounds);
                cr_expect_eq(got.a[at], set.a[i], "%u rounds", rounds);
                at++;
            }
        }
        cr_expect_eq(at, got.count, "%u rounds: want %u, got %u", rounds, at, got.count);
    }
}

Test(prune, an_empty_set_stays_empty_and_a_lone_point_stays) {
    prune_case *test = case_of(3);
    point_set chain = chain_of(test, 1);
    cr_expect_eq(run_prune(test, &chain, (loam_rect){0, 0, 1, 1}, 0).count, 1);
    chain.count = 0;
    cr_expect_eq(run_prune(test, &chain, (loam_rect){0, 0, 1, 1}, 0).count, 0);
}

Test(prune, points_exactly_r_apart_both_stay) {
    prune_case *test = case_of(1);
    point_set chain = chain_of(test, 2);
    int32_t apart[2] = {0, R};
    chain.x = apart;
    cr_expect_eq(run_prune(test, &chain, (loam_rect){0, 0, 4096, 1}, 0).count, 2);
    apart[1] = R - 1;
    cr_expect_eq(run_prune(test, &chain, (loam_rect){0, 0, 4096, 1}, 0).count, 1);
}
