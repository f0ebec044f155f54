/* SPDX-License-Identifier: MIT
 *
 * test_prune_radius.c: self.prune where every point has a radius of its own, and priorities by
 * density and by an attribute: against a literal reading of the rounds, and the exact reach along
 * adversarial chains whose links are as long as the largest radius allows.
 */
#include "core/base/mix.h"
#include "core/ops/operation.h"
#include "core/ops/prune.h"
#include "core/ops/prune_grid.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 700, POINTS_MOST = 2200, SEED = 77, RADIUS_MAX = 400 };
enum { CONSTANT, BY_MAX, BY_SUM };
enum { RANDOM, BY_DENSITY, BY_ATTRIBUTE };

typedef struct radius_case {
    loam_graph graph;
    loam_arena arena;
    int64_t mode, rounds, priority;
    loam_simd level;
} radius_case;

static loam_value integer_of(int64_t value) {
    return (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = value};
}

static loam_status set_value(radius_case *test, const char *key, loam_value value,
                             loam_error *error) {
    return loam_graph_set(&test->graph, loam_text_of("p"), loam_text_of(key), &value, error);
}

static void set(radius_case *test, const char *key, loam_value value) {
    loam_error error = {0};
    cr_assert_eq(set_value(test, key, value, &error), LOAM_OK, "%s", error.text);
}

static loam_value radius_by(const char *name, int64_t most) {
    loam_value *ends = calloc(2, sizeof *ends);
    ends[0] = integer_of(100);
    ends[1] = integer_of(most);
    return (loam_value){
        .kind = LOAM_VALUE_ATTRIBUTE, .text = loam_text_of(name), .items = ends, .item_count = 2};
}

static radius_case *case_of(int64_t mode, int64_t rounds, int64_t priority, int64_t most) {
    radius_case *test = calloc(1, sizeof *test);
    loam_error error = {0};
    loam_graph_sizes sizes = {.nodes = 1};
    test->arena = arena_of(256 << 20);
    test->mode = mode;
    test->rounds = rounds;
    test->priority = priority;
    cr_assert_eq(loam_graph_init(&test->graph, sizes, &test->arena, &error), LOAM_OK);
    cr_assert_eq(
        loam_graph_add_node(&test->graph, loam_text_of("p"), loam_text_of("self.prune"), 1, &error),
        LOAM_OK);
    set(test, "radius_m", radius_by("radius", most));
    set(test, "mode", integer_of(mode));
    set(test, "rounds", integer_of(rounds));
    set(test, "priority", integer_of(priority));
    set(test, "attribute", (loam_value){.kind = LOAM_VALUE_TEXT, .text = loam_text_of("rank")});
    return test;
}

/* Points with columns that tests write: radius in units, rank a whole number. */
typedef struct test_points {
    point_set set;
    int32_t *x, *z;
    uint32_t *a, *b, *density;
    int32_t *radius, *rank; /* as attributes hold them */
} test_points;

static test_points points_of(radius_case *test, uint32_t count) {
    test_points made = {
        .x = COLUMN_TAKE(&test->arena, count, int32_t),
        .z = loam_arena_take_zero(&test->arena, column_size(count), sizeof(int32_t)),
        .a = COLUMN_TAKE(&test->arena, count, uint32_t),
        .b = loam_arena_take_zero(&test->arena, column_size(count), sizeof(uint32_t)),
        .density = COLUMN_TAKE(&test->arena, count, uint32_t),
        .radius = COLUMN_TAKE(&test->arena, count, int32_t),
        .rank = loam_arena_take_zero(&test->arena, column_size(count), sizeof(int32_t)),
    };
    point_attribute *attributes = loam_arena_take(&test->arena, 2, sizeof *attributes);
    attributes[0] = (point_attribute){loam_text_of("radius"), LOAM_ATTRIBUTE_FLOAT, made.radius};
    attributes[1] = (point_attribute){loam_text_of("rank"), LOAM_ATTRIBUTE_FLOAT, made.rank};
    made.set =
        (point_set){.count = count,
                    .x = made.x,
                    .z = made.z,
                    .a = made.a,
                    .b = made.b,
                    .density = made.density,
                    .attributes = attributes,
                    .attribute_count = 2,
                    .y = loam_arena_take_zero(&test->arena, column_size(count), sizeof(int32_t))};
    return made;
}

/* Runs the operation for a rectangle over the points that lie in it grown by `reach`. */
static loam_status run_prune(radius_case *test, const point_set *all, loam_rect rect, int64_t reach,
                             point_set *out, loam_error *error) {
    loam_run run = {.arena = &test->arena, .level = test->level};
    point_set seen = *all;
    uint32_t *live = COLUMN_TAKE(&test->arena, all->count, uint32_t);
    for (uint32_t i = 0; i < all->count; i++) {
        bool inside = all->x[i] >= rect.x0 - reach && all->x[i] < rect.x1 + reach &&
                      all->z[i] >= rect.z0 - reach && all->z[i] < rect.z1 + reach;
        live[i] = inside ? UINT32_MAX : 0;
    }
    seen.live = live;
    node_call call = {.node = &test->graph.nodes[0],
                      .pointer = "/nodes/p",
                      .seed = SEED,
                      .rect = rect,
                      .inputs = {&seen},
                      .run = &run,
                      .arena = &test->arena,
                      .error = error,
                      .out = out};
    return self_prune_code.evaluate(&call);
}

static uint32_t draw_of(uint32_t a, uint32_t b) {
    return priority_of(draw_bits(draw_row_key(draw_key(SEED, DRAW_PRIORITY), b), a));
}

static bool conflict(const radius_case *test, const test_points *points, uint32_t i, uint32_t j) {
    int64_t dx = points->x[i] - points->x[j], dz = points->z[i] - points->z[j];
    int64_t ri = points->radius[i] / 256, rj = points->radius[j] / 256;
    int64_t distance = test->mode == BY_SUM ? ri + rj : ri > rj ? ri : rj;
    return dx * dx + dz * dz < distance * distance;
}

static bool wins(const radius_case *test, const test_points *points, uint32_t i, uint32_t j) {
    int64_t rank_i = test->priority == BY_DENSITY     ? (int64_t)points->density[i]
                     : test->priority == BY_ATTRIBUTE ? points->rank[i]
                                                      : 0;
    int64_t rank_j = test->priority == BY_DENSITY     ? (int64_t)points->density[j]
                     : test->priority == BY_ATTRIBUTE ? points->rank[j]
                                                      : 0;
    uint32_t di = draw_of(points->a[i], points->b[i]), dj = draw_of(points->a[j], points->b[j]);
    if (rank_i != rank_j || di != dj) {
        return rank_i != rank_j ? rank_i > rank_j : di > dj;
    }
    return points->b[i] != points->b[j] ? (int32_t)points->b[i] > (int32_t)points->b[j]
                                        : (int32_t)points->a[i] > (int32_t)points->a[j];
}

/* The rounds, read literally: every pair, every round. */
static void literal_rounds(const radius_case *test, const test_points *points, uint8_t *kept) {
    enum { LIVE, NEW, ACCEPTED, DEAD };
    const uint32_t count = points->set.count;
    uint8_t state[POINTS_MOST] = {LIVE};
    for (int64_t round = 0; round < test->rounds; round++) {
        for (uint32_t i = 0; i < count; i++) {
            bool best = state[i] == LIVE;
            for (uint32_t j = 0; best && j < count; j++) {
                best = i == j || !conflict(test, points, i, j) || !wins(test, points, j, i) ||
                       (state[j] != LIVE && state[j] != NEW);
            }
            state[i] = best ? NEW : state[i];
        }
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t j = 0; state[i] == LIVE && j < count; j++) {
                if (state[j] == NEW && conflict(test, points, i, j)) {
                    state[i] = DEAD;
                }
            }
        }
        for (uint32_t i = 0; i < count; i++) {
            state[i] = state[i] == NEW ? ACCEPTED : state[i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = state[i] == ACCEPTED;
    }
}

/* Random places and radii, a few ranks and densities, so that ties are common. */
static test_points random_points(radius_case *test, uint32_t count, int32_t side,
                                 int32_t radius_max) {
    test_points points = points_of(test, count);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = mix64(i + 1000 * (uint64_t)test->rounds), more = mix64(bits);
        points.x[i] = (int32_t)(bits % (uint32_t)side);
        points.z[i] = (int32_t)((bits >> 32) % (uint32_t)side);
        points.a[i] = i;
        points.b[i] = i / 7 % 5 - 2;
        points.density[i] = (uint32_t)(more % 4) * 1000000;
        points.rank[i] = (int32_t)(more >> 8) % 3 * 65536;
        points.radius[i] = (int32_t)(1 + (more >> 32) % (uint32_t)radius_max) * 256;
    }
    return points;
}

static void expect_literal(radius_case *test, const test_points *points, int32_t side) {
    const loam_rect everything = {0, 0, side, side};
    uint8_t kept[POINTS_MOST];
    literal_rounds(test, points, kept);
    for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
        point_set got;
        loam_error error = {0};
        test->level = level;
        cr_assert_eq(run_prune(test, &points->set, everything, side, &got, &error), LOAM_OK, "%s",
                     error.text);
        uint32_t at = 0;
        for (uint32_t i = 0; i < points->set.count; i++) {
            if (kept[i]) {
                cr_assert_lt(at, got.count, "mode %d, %d rounds: too few", (int)test->mode,
                             (int)test->rounds);
                cr_assert_eq(got.a[at], points->a[i], "mode %d, priority %d, %d rounds",
                             (int)test->mode, (int)test->priority, (int)test->rounds);
                at++;
            }
        }
        cr_expect_eq(at, got.count, "want %u, got %u", at, got.count);
    }
}

Test(prune_radius, any_radii_and_priorities_agree_with_a_literal_reading_of_the_rounds) {
    for (int64_t rounds = 1; rounds <= PRUNE_ROUNDS_MAX; rounds++) {
        for (int64_t mode = BY_MAX; mode <= BY_SUM; mode++) {
            radius_case *test = case_of(mode, rounds, rounds % 3, RADIUS_MAX);
            test_points points = random_points(test, POINTS, 4096, RADIUS_MAX);
            expect_literal(test, &points, 4096);
        }
    }
}

Test(prune_radius, a_few_large_ones_among_many_small_ones_agree_too) {
    radius_case *test = case_of(BY_MAX, 3, RANDOM, 2000);
    test_points points = random_points(test, POINTS, 4096, 60);
    for (uint32_t i = 0; i < POINTS; i += 50) {
        points.radius[i] = 2000 * 256;
    }
    expect_literal(test, &points, 4096);
}

Test(prune_radius, radii_beyond_128_m_agree_too) {
    radius_case *test = case_of(BY_SUM, 3, RANDOM, 60000);
    test_points points = random_points(test, POINTS, 1 << 20, 60000);
    expect_literal(test, &points, 1 << 20);
}

Test(prune_radius, one_that_meets_more_rows_than_a_batch_holds_agrees_too) {
    radius_case *test = case_of(BY_MAX, 2, BY_ATTRIBUTE, 1 << 18);
    test_points points = random_points(test, POINTS_MOST, 1 << 19, 1);
    for (uint32_t i = 0; i < POINTS_MOST; i++) {
        points.z[i] = (int32_t)i * 100;
        points.x[i] = (int32_t)(i % 2);
    }
    points.radius[3] = points.radius[350] = 150000 * 256;
    points.rank[350] = 7 * 65536;
    expect_literal(test, &points, 1 << 19);
}

/* Origins (a, 0) with rising priorities. */
static void rising_origins(uint32_t *a, uint32_t count) {
    uint32_t low = 0, share = (1u << 30) / (count + 1);
    for (uint32_t i = 0, next = 0; i < count; next++) {
        uint32_t draw = draw_of(next, 0);
        if (draw > low && draw >= share * i && draw < share * (i + 1)) {
            a[i++] = next;
            low = draw;
        }
    }
}

/* Points as far apart as two of the largest radius conflict, along x. */
static test_points chain_of(radius_case *test, uint32_t count) {
    test_points chain = points_of(test, count);
    int32_t link = (test->mode == BY_SUM ? 2 * RADIUS_MAX : RADIUS_MAX) - 1;
    rising_origins(chain.a, count);
    for (uint32_t i = 0; i < count; i++) {
        chain.x[i] = (int32_t)i * link;
        chain.radius[i] = RADIUS_MAX * 256;
    }
    return chain;
}

static uint32_t count_kept(radius_case *test, const test_points *chain, int64_t reach) {
    point_set out;
    loam_error error = {0};
    cr_assert_eq(run_prune(test, &chain->set, (loam_rect){0, 0, 1, 1}, reach, &out, &error),
                 LOAM_OK, "%s", error.text);
    return out.count;
}

Test(prune_radius, the_reach_of_both_modes_is_exact_along_an_adversarial_chain) {
    for (int64_t mode = BY_MAX; mode <= BY_SUM; mode++) {
        for (int64_t rounds = 1; rounds <= PRUNE_ROUNDS_MAX; rounds++) {
            radius_case *test = case_of(mode, rounds, RANDOM, RADIUS_MAX);
            int64_t reach = self_prune_code.reach(&test->graph.nodes[0]);
            int64_t largest = mode == BY_SUM ? 2 * RADIUS_MAX : RADIUS_MAX;
            cr_expect_eq(reach, (2 * rounds - 1) * (largest - 1));
            for (uint32_t links = 1; links <= 2 * rounds + 2; links++) {
                test_points chain = chain_of(test, links + 1);
                uint32_t whole = count_kept(test, &chain, INT32_MAX);
                cr_expect_eq(count_kept(test, &chain, reach), whole, "mode %d, %d rounds, %u links",
                             (int)mode, (int)rounds, links);
                if (links == 2 * rounds - 1) {
                    cr_expect_neq(count_kept(test, &chain, reach - 1), whole,
                                  "mode %d, %d rounds: a reach less one unit must show", (int)mode,
                                  (int)rounds);
                }
            }
        }
    }
}

Test(prune_radius, a_radius_beyond_its_max_fails_the_node_and_a_missing_one_is_the_default) {
    radius_case *test = case_of(BY_MAX, 1, RANDOM, RADIUS_MAX);
    test_points chain = chain_of(test, 2);
    chain.x[1] = 100;
    chain.radius[0] = chain.radius[1] = ATTRIBUTE_MISSING;
    cr_expect_eq(count_kept(test, &chain, INT32_MAX), 1);
    chain.x[1] = 99;
    cr_expect_eq(count_kept(test, &chain, INT32_MAX), 0, "the default is 100 units");
    chain.radius[1] = RADIUS_MAX * 256 + 1;
    point_set out;
    loam_error error = {0};
    cr_expect_eq(run_prune(test, &chain.set, (loam_rect){0, 0, 1, 1}, 1000, &out, &error),
                 LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, "/nodes/p");
}

Test(prune_radius, a_point_without_the_attribute_loses_to_all_that_have_it) {
    radius_case *test = case_of(BY_MAX, 1, BY_ATTRIBUTE, RADIUS_MAX);
    test_points chain = chain_of(test, 2);
    chain.rank[0] = -70 * 65536;
    chain.rank[1] = ATTRIBUTE_MISSING;
    cr_expect_eq(count_kept(test, &chain, INT32_MAX), 1, "the first one wins against its draw");
}

Test(prune_radius, one_radius_for_all_cannot_go_by_attribute) {
    radius_case *test = case_of(BY_MAX, 1, RANDOM, RADIUS_MAX);
    loam_error error = {0};
    cr_expect_eq(self_prune_code.check(&test->graph.nodes[0], "/p", &error), LOAM_OK);
    set(test, "mode", integer_of(CONSTANT));
    cr_expect_eq(self_prune_code.check(&test->graph.nodes[0], "/p", &error), LOAM_OUT_OF_RANGE);
    set(test, "radius_m", integer_of(5));
    cr_expect_eq(self_prune_code.check(&test->graph.nodes[0], "/p", &error), LOAM_OK);
    set(test, "priority", integer_of(BY_ATTRIBUTE));
    cr_expect_eq(self_prune_code.check(&test->graph.nodes[0], "/p", &error), LOAM_OK);
    set(test, "attribute", (loam_value){.kind = LOAM_VALUE_TEXT, .text = loam_text_of("")});
    cr_expect_eq(self_prune_code.check(&test->graph.nodes[0], "/p", &error), LOAM_MISSING_FIELD);
}

Test(prune_radius, attributes_that_are_none_are_named) {
    static const char *const prunes[][2] = {
        {"a self.prune radius_m=@$sale:256:512 mode=1 points<sites", "/nodes/a/params/radius_m"},
        {"a self.prune radius_m=@:256:512 mode=1 points<sites", "/nodes/a/params/radius_m"},
        {"a self.prune radius_m=99 priority=2 attribute='$sale' points<sites",
         "/nodes/a/params/attribute"},
        {"a bounds.prune distance_m=@$sale:256:512 points<sites against<sites",
         "/nodes/a/params/distance_m"},
        {"a bounds.prune distance_m=@:256:512 points<sites against<sites",
         "/nodes/a/params/distance_m"}};
    for (uint32_t i = 0; i < sizeof prunes / sizeof *prunes; i++) {
        const char *const lines[] = {"sites grid.sample spacing_m=400", prunes[i][0], "=o a", NULL};
        sketch *made;
        loam_error error = {0};
        cr_expect_eq(sketch_read(lines, &made, &error), LOAM_BAD_NAME, "%s", prunes[i][0]);
        cr_expect_str_eq(error.pointer, prunes[i][1]);
    }
}

/* Two species with radii of their own, through whole graphs. */
Test(prune_radius, cells_of_any_size_give_the_same_points_and_hold_the_distances) {
    static const char *const modes[] = {"mode=1", "mode=2", "mode=1 priority=1",
                                        "mode=2 priority=2 attribute='$scale' rounds=2"};
    for (uint32_t i = 0; i < 4; i++) {
        char prune[160];
        snprintf(prune, sizeof prune, "apart self.prune radius_m=@$scale:256:1024 %s points<both",
                 modes[i]);
        const char *const lines[] = {
            "big grid.sample spacing_m=900",
            "field density.noise wavelength_m=9000 points<big",
            "trees transform.scatter scale_min=8192 scale_max=16384 points<field",
            "small grid.sample spacing_m=300",
            "bushes transform.scatter scale_min=2048 scale_max=4915 points<small",
            "both merge a<trees b<bushes",
            prune,
            "=plants apart",
            NULL};
        sketch *graph = sketch_of(lines, 42);
        point_union whole = {0};
        const char *difference = sketch_partition(graph, -300, 5000, 300, &whole);
        cr_expect_null(difference, "%s: %s", modes[i], difference);
        cr_expect_gt(whole.count, 2000);
        /* The smallest radius is 128 units. */
        int64_t least = i % 2 == 0 ? 128 : 256;
        cr_expect_geq(union_distance_squared(&whole, 1024), least * least, "%s", modes[i]);
        union_fini(&whole);
    }
}
