/* SPDX-License-Identifier: MIT
 *
 * test_line_sample.c: line.sample against a literal reading of it, its exact reach, what edits
 * change, and the same stations from every cell size.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/graph/graph.h"
#include "core/ops/operation.h"
#include "core/space/lines.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE, LINES_MAX = 64, POOL_NUMBERS = 1 << 18 };

__extension__ typedef __int128 wide;

typedef struct line_set {
    loam_line lines[LINES_MAX];
    uint32_t count;
} line_set;

static void add_line(line_set *set, uint64_t key, const int64_t *xz, uint32_t count) {
    static int64_t pool[POOL_NUMBERS];
    static size_t used;
    int64_t *own = pool + used;
    used += 2 * (size_t)count;
    cr_assert_leq(used, POOL_NUMBERS);
    memcpy(own, xz, 2 * (size_t)count * sizeof *own);
    set->lines[set->count++] = (loam_line){.xz = own, .count = count, .key = key};
}

#define ADD(set, key, ...)                                                                         \
    do {                                                                                           \
        const int64_t xz[] = {__VA_ARGS__};                                                        \
        add_line((set), (key), xz, sizeof xz / (2 * sizeof *xz));                                  \
    } while (0)

static const loam_lines *built(const line_set *set, loam_arena *arena) {
    const loam_lines_source source = {set->lines, set->count};
    const loam_lines *lines = NULL;
    loam_error error = {0};
    cr_assert_eq(loam_lines_build(&source, arena, &lines, &error), LOAM_OK, "%s", error.text);
    return lines;
}

/* A graph of one node over some lines. */
static sketch *sketch_with(const char *node, const line_set *set, uint64_t seed) {
    const char *const text[] = {"$way lines", node, "=points s", NULL};
    sketch *graph = sketch_of(text, seed);
    graph->arena = arena_of(32 << 20);
    graph->slots[0].lines = built(set, &graph->arena);
    return graph;
}

static loam_points points_of(const sketch *graph, loam_rect rect) {
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, rect, &points, &error), LOAM_OK, "%s", error.text);
    return points;
}

static const loam_rect all = {-300000, -300000, 300000, 300000};

/* ---- Against a literal reading -------------------------------------------------------------- */

/* One expected point. */
typedef struct place {
    int64_t x, z;
} place;

typedef struct place_list {
    place places[20000];
    uint32_t count;
} place_list;

static int64_t naive_round(wide a, wide b) {
    wide twice = 2 * a + b, quotient = twice / (2 * b);
    return (int64_t)(quotient - (twice % (2 * b) < 0));
}

static void naive_station(place_list *list, const int64_t *xz, wide length, wide along,
                          const int64_t *offsets, uint32_t count) {
    wide dx = xz[2] - xz[0], dz = xz[3] - xz[1];
    for (uint32_t i = 0; i < count; i++) {
        for (int side = offsets[i] == 0 ? 1 : -1; side <= 1; side += 2) {
            wide left = (wide)side * offsets[i] * 65536;
            list->places[list->count++] =
                (place){xz[0] + naive_round(dx * along - dz * left, length),
                        xz[1] + naive_round(dz * along + dx * left, length)};
        }
    }
}

static void naive_line(place_list *list, const loam_lines *lines, uint32_t number, int64_t spacing,
                       bool by_vertex, bool include, const int64_t *offsets, uint32_t count) {
    const loam_line *line = &loam_lines_normal_form(lines)->lines[number];
    const int64_t *arc = lines_arc(lines, number);
    bool closed = line_is_closed(line);
    for (uint32_t i = 0; i + 1 < line->count; i++) {
        const int64_t *xz = line->xz + 2 * i;
        int64_t length = arc[i + 1] - arc[i];
        bool end = i + 2 == line->count && !closed && include;
        int64_t from = by_vertex ? 0 : arc[i];
        for (int64_t s = 0; s <= from + length; s += spacing) {
            bool own = s >= from && (s < from + length || (end && !by_vertex));
            if (own) {
                naive_station(list, xz, length, s - from, offsets, count);
            }
        }
        if (end && by_vertex) {
            naive_station(list, xz, length, length, offsets, count);
        }
    }
}

static int place_compare(const void *left, const void *right) {
    const place *a = left, *b = right;
    if (a->z != b->z) {
        return a->z < b->z ? -1 : 1;
    }
    return (a->x > b->x) - (a->x < b->x);
}

static uint32_t draw(uint64_t *state, uint32_t below) {
    *state = mix64(*state + 0x9e3779b97f4a7c15u);
    return (uint32_t)(*state % below);
}

/* Lines of keys that rise, some of them rings. */
static void random_lines(line_set *set, uint64_t seed) {
    uint64_t state = seed;
    *set = (line_set){0};
    for (uint32_t n = 0; n < 6; n++) {
        int64_t xz[2 * 20];
        uint32_t count = 3 + draw(&state, 16);
        int64_t x = (int64_t)draw(&state, 20000) - 10000, z = (int64_t)draw(&state, 20000) - 10000;
        for (uint32_t i = 0; i < count; i++) {
            xz[2 * i] = x += (int64_t)draw(&state, 6000) - 3000;
            xz[2 * i + 1] = z += (int64_t)draw(&state, 6000) - 3000;
        }
        if (n % 3 == 0) {
            xz[2 * count - 2] = xz[0];
            xz[2 * count - 1] = xz[1];
        }
        add_line(set, n, xz, count);
    }
}

/* In place: those inside a rectangle, sorted. */
static void keep_inside(place_list *list, loam_rect rect) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        place at = list->places[i];
        if (at.x >= rect.x0 && at.x < rect.x1 && at.z >= rect.z0 && at.z < rect.z1) {
            list->places[kept++] = at;
        }
    }
    list->count = kept;
    qsort(list->places, kept, sizeof *list->places, place_compare);
}

static void expect_naive(uint64_t seed, bool by_vertex, bool include, loam_rect rect) {
    static place_list list;
    static const int64_t offsets[] = {0, 300, 771};
    line_set set;
    char node[160];
    int64_t spacing = (300 + (int64_t)seed * 7) * 65536 + (int64_t)seed * 1001;
    random_lines(&set, seed);
    snprintf(node, sizeof node,
             "s line.sample spacing_m=%lld anchor=%d end=%d offsets_m=[0,300,771] lines<$way",
             (long long)spacing, by_vertex, !include);
    sketch *graph = sketch_with(node, &set, seed);
    list.count = 0;
    for (uint32_t i = 0; i < set.count; i++) {
        naive_line(&list, graph->slots[0].lines, i, spacing, by_vertex, include, offsets, 3);
    }
    keep_inside(&list, rect);
    loam_points points = points_of(graph, rect);
    cr_assert_eq(points.count, list.count, "seed %u", (unsigned)seed);
    for (uint32_t i = 0; i < points.count; i++) {
        cr_assert_eq(points.x[i] + rect.x0, list.places[i].x);
        cr_assert_eq(points.z[i] + rect.z0, list.places[i].z);
        cr_assert_eq(points.y[i], 0);
        cr_assert_eq(points.density[i], (uint32_t)LOAM_DENSITY_ONE);
    }
}

Test(line_sample, stations_are_those_of_a_literal_reading) {
    for (uint64_t seed = 1; seed <= 12; seed++) {
        expect_naive(seed, seed % 2 == 0, seed % 3 != 0, all);
        expect_naive(seed, seed % 2 == 1, seed % 3 != 0, (loam_rect){-3000, -2000, 4000, 7777});
    }
}

/* ---- Counts -------------------------------------------------------------------------------- */

static void straight(line_set *set) {
    *set = (line_set){0};
    ADD(set, 1, 0, 0, 1000 * METRE, 0);
}

#define BANDS                                                                                      \
    "s line.sample spacing_m=83886080 offsets_m=[2048,4608,7680] "                                 \
    "keep=[15099494,8388608,3355443] lines<$way"

Test(line_sample, a_straight_kilometre_has_201_stations_and_643_points_in_three_bands) {
    line_set set;
    straight(&set);
    cr_expect_eq(
        points_of(sketch_with("s line.sample spacing_m=83886080 lines<$way", &set, 1), all).count,
        201);
    cr_expect_eq(
        points_of(sketch_with("s line.sample spacing_m=83886080 end=1 lines<$way", &set, 1), all)
            .count,
        200, "without the end");
    uint64_t sum = 0;
    sketch *graph = sketch_with(BANDS, &set, 0);
    for (uint64_t seed = 0; seed < 200; seed++) {
        loam_error error = {0};
        cr_assert_eq(loam_plan_build(&graph->graph, seed, &graph->arena, &graph->plan, &error),
                     LOAM_OK);
        sum += points_of(graph, (loam_rect){-8192, -8192, 270000, 8192}).count;
    }
    /* Mean 402 (0.9 + 0.5 + 0.2), variance of one 402 (0.09 + 0.25 + 0.16), of the mean 1.005. */
    double mean = (double)sum / 200;
    cr_expect(mean > 643.2 - 3 * 1.0025 && mean < 643.2 + 3 * 1.0025, "%f", mean);
}

Test(line_sample, pruning_keeps_stations_at_exactly_the_radius) {
    line_set set;
    straight(&set);
    for (int radius = 5 * METRE; radius <= 5 * METRE + 3; radius += 3) {
        char prune[64];
        snprintf(prune, sizeof prune, "s self.prune radius_m=%d points<all", radius);
        const char *const text[] = {"$way lines", "all line.sample spacing_m=83886080 lines<$way",
                                    prune, "=points s", NULL};
        sketch *graph = sketch_of(text, 1);
        graph->slots[0].lines = built(&set, &graph->arena);
        uint32_t count = points_of(graph, (loam_rect){-8192, -8192, 270000, 8192}).count;
        cr_expect(radius == 5 * METRE ? count == 201 : count < 201, "%u at %d", count, radius);
    }
}

Test(line_sample, keep_0_drops_all_and_keep_1_drops_none) {
    line_set set;
    straight(&set);
    cr_expect_eq(points_of(sketch_with("s line.sample spacing_m=83886080 offsets_m=[0,256] "
                                       "keep=[0,16777216] lines<$way",
                                       &set, 1),
                           all)
                     .count,
                 402);
}

/* ---- Sides, turns, ends --------------------------------------------------------------------- */

Test(line_sample, left_of_travel_east_is_north_and_yaw_goes_with_the_line) {
    line_set set = {0};
    ADD(&set, 1, 0, 0, 2560, 0);
    sketch *left = sketch_with(
        "s line.sample spacing_m=167772160 offsets_m=[256] sides=0 lines<$way", &set, 1);
    loam_points points = points_of(left, all);
    cr_assert_eq(points.count, 2);
    cr_expect_eq(points.z[0] + all.z0, 256);
    cr_expect_eq(points.yaw[0], 16384, "east");
    sketch *right = sketch_with(
        "s line.sample spacing_m=167772160 offsets_m=[256] sides=1 lines<$way", &set, 1);
    points = points_of(right, all);
    cr_expect_eq(points.z[0] + all.z0, -256);
    line_set north = {0};
    ADD(&north, 1, 0, 0, 0, 2560, -2560, 0);
    points = points_of(sketch_with("s line.sample spacing_m=167772160 lines<$way", &north, 1), all);
    cr_assert_eq(points.count, 3);
    /* In order of z: the first vertex, one on the way back, the vertex between. */
    cr_expect_eq(points.yaw[0], 0, "north");
    cr_expect_eq(points.yaw[2], 65536 * 5 / 8, "the segment that starts there: south-west");
}

Test(line_sample, a_rings_last_station_is_its_first) {
    line_set ring = {0}, open = {0};
    ADD(&ring, 1, 0, 0, 2560, 0, 2560, 2560, 0, 2560, 0, 0);
    ADD(&open, 1, 0, 0, 2560, 0, 2560, 2560, 0, 2560, 0, 1);
    const char *const each[] = {
        "s line.sample spacing_m=167772160 lines<$way",
        "s line.sample spacing_m=167772160 anchor=1 lines<$way",
    };
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(points_of(sketch_with(each[i], &ring, 1), all).count, 4);
        cr_expect_eq(points_of(sketch_with(each[i], &open, 1), all).count, i == 0 ? 4 : 5);
    }
}

/* The node alone, so that its columns can be looked at. */
static point_set columns_of(sketch *graph, loam_rect rect) {
    loam_run run = {.arena = &graph->arena};
    loam_error error = {0};
    point_set out;
    node_call call = {.node = &graph->graph.nodes[0],
                      .pointer = "/nodes/s",
                      .seed = 1,
                      .rect = rect,
                      .assets = {&graph->slots[0]},
                      .run = &run,
                      .arena = &graph->arena,
                      .error = &error,
                      .out = &out};
    cr_assert_eq(line_sample_code.evaluate(&call), LOAM_OK, "%s", error.text);
    return out;
}

Test(line_sample, points_know_their_station_and_their_offset_in_metres) {
    line_set set = {0};
    ADD(&set, 1, 0, 0, 2560, 0, 2560, 2560);
    point_set out = columns_of(
        sketch_with("s line.sample spacing_m=16777216 offsets_m=[512] sides=1 lines<$way", &set, 1),
        all);
    cr_assert_eq(out.count, 21);
    for (uint32_t i = 0; i < out.count; i++) {
        cr_expect_eq(out.station[i], (int32_t)i * 65536, "along the line");
        cr_expect_eq(out.offset[i], 2 * 65536);
    }
    out = columns_of(sketch_with("s line.sample spacing_m=16777216 anchor=1 lines<$way", &set, 1),
                     all);
    cr_assert_eq(out.count, 21);
    cr_expect_eq(out.station[9], 9 * 65536);
    cr_expect_eq(out.station[10], 0, "from the vertex");
    cr_expect_eq(out.station[20], 0);
}

Test(line_sample, a_station_beyond_32_km_is_the_largest_number_there_is) {
    line_set set = {0};
    ADD(&set, 1, 0, 0, 40000 * METRE, 0);
    point_set out = columns_of(sketch_with("s line.sample spacing_m=16777216 lines<$way", &set, 1),
                               (loam_rect){32766 * METRE, -1, 32770 * METRE, 1});
    const int32_t want[] = {32766 * 65536, 32767 * 65536, INT32_MAX, INT32_MAX};
    cr_assert_eq(out.count, 4);
    cr_expect_arr_eq(out.station, want, sizeof want);
}

/* ---- Faults -------------------------------------------------------------------------------- */

static void expect_fault(const char *node, loam_status status, const char *pointer) {
    const char *const text[] = {"$way lines", node, "=points s", NULL};
    sketch *graph = NULL;
    loam_error error = {0};
    loam_status found = sketch_read(text, &graph, &error);
    if (found == LOAM_OK) {
        cr_assert_eq(loam_graph_faults(&graph->graph, &error, 1), 1, "%s", node);
        found = error.status;
    }
    cr_expect_eq(found, status, "%s: %s", node, error.text);
    cr_expect_str_eq(error.pointer, pointer, "%s", node);
}

Test(line_sample, parameters_that_contradict_each_other_are_faults) {
    expect_fault("s line.sample lines<$way", LOAM_MISSING_FIELD, "/nodes/s/params/spacing_m");
    expect_fault("s line.sample spacing_m=0 lines<$way", LOAM_OUT_OF_RANGE,
                 "/nodes/s/params/spacing_m");
    expect_fault("s line.sample spacing_m=65535 lines<$way", LOAM_OUT_OF_RANGE,
                 "/nodes/s/params/spacing_m");
    expect_fault("s line.sample spacing_m=65536 offsets_m=[0,1,2] keep=[1,2] lines<$way",
                 LOAM_OUT_OF_RANGE, "/nodes/s/params");
    expect_fault("s line.sample spacing_m=65536 offsets_m=[7,1,7] lines<$way", LOAM_OUT_OF_RANGE,
                 "/nodes/s/params");
    expect_fault("s line.sample spacing_m=65536 offsets_m=[-1] lines<$way", LOAM_OUT_OF_RANGE,
                 "/nodes/s/params/offsets_m/0");
    expect_fault("s line.sample spacing_m=65536", LOAM_MISSING_INPUT, "/nodes/s/in/lines");
}

Test(line_sample, more_candidates_than_a_node_may_have_are_refused_before_there_is_room) {
    line_set set = {0};
    sketch *graph;
    loam_points points;
    loam_error error = {0};
    for (uint32_t i = 0; i < LINES_MAX; i++) {
        ADD(&set, i, -300000, i, 300000, i + 7);
    }
    graph = sketch_with("s line.sample spacing_m=262144 lines<$way", &set, 1);
    cr_expect_eq(sketch_build(graph, all, &points, &error), LOAM_BUDGET_EXCEEDED);
    cr_expect_str_eq(error.pointer, "/nodes/s");
}

Test(line_sample, a_line_of_any_length_costs_what_is_in_sight) {
    line_set set = {0};
    ADD(&set, 1, -POSITION_UNITS_MAX, 3, POSITION_UNITS_MAX, -7);
    sketch *graph = sketch_with("s line.sample spacing_m=16777216 lines<$way", &set, 1);
    loam_points points = points_of(graph, (loam_rect){0, -65536, 65536, 65536});
    cr_expect(points.count >= 255 && points.count <= 257, "%u", points.count);
}

/* ---- Reach --------------------------------------------------------------------------------- */

Test(line_sample, the_reach_is_the_largest_offset_and_no_unit_more) {
    const loam_rect cell = {0, 0, 65536, 65536};
    line_set set = {0}, away = {0};
    ADD(&set, 1, -771, -5000, -771, 70000);
    ADD(&away, 1, -772, -5000, -772, 70000);
    const char *node = "s line.sample spacing_m=16777216 offsets_m=[0,771] lines<$way";
    sketch *graph = sketch_with(node, &set, 1), *other = sketch_with(node, &away, 1);
    cr_expect_eq(loam_plan_reach(graph->plan, 0), 771);
    cr_expect_eq(points_of(graph, cell).count, 256);
    cr_expect_eq(lines_segment_count(graph->slots[0].lines, cell, 771), 1);
    cr_expect_eq(lines_segment_count(graph->slots[0].lines, cell, 770), 0,
                 "a reach less one unit sees nothing");
    cr_expect_eq(points_of(other, cell).count, 0);
    other->slots[0].lines = built(&(line_set){0}, &other->arena);
    uint64_t none = sketch_key(other, cell);
    other->slots[0].lines = built(&away, &other->arena);
    cr_expect_eq(sketch_key(other, cell), none);
    cr_expect_neq(sketch_key(graph, cell), none);
}

Test(line_sample, jitter_stays_in_its_box_and_fills_it) {
    line_set set = {0};
    ADD(&set, 1, 0, 0, 65536 * 4, 0);
    sketch *graph = sketch_with("s line.sample spacing_m=16777216 jitter_m=20 lines<$way", &set, 7);
    loam_points points = points_of(graph, all);
    cr_expect_eq(loam_plan_reach(graph->plan, 0), 20);
    cr_assert_eq(points.count, 1025);
    uint32_t seen[41] = {0};
    for (uint32_t i = 0; i < points.count; i++) {
        int64_t z = points.z[i] + all.z0;
        cr_assert(z >= -20 && z <= 20);
        seen[z + 20]++;
    }
    for (int i = 0; i < 41; i++) {
        cr_expect(seen[i] > 5 && seen[i] < 60, "%d: %u", i, seen[i]);
    }
}

/* ---- Edits --------------------------------------------------------------------------------- */

static uint32_t common_ids(const loam_points *a, const loam_points *b) {
    uint32_t common = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            common += a->id[i] == b->id[j] && a->x[i] == b->x[j] && a->z[i] == b->z[j];
        }
    }
    return common;
}

Test(line_sample, by_vertex_an_edit_stays_local_and_along_the_line_it_does_not) {
    line_set set = {0}, moved = {0}, more = {0};
    ADD(&set, 1, 0, 0, 10000, 100, 20000, 0, 30000, 700, 40000, 0);
    ADD(&moved, 1, 0, 0, 10000, 1100, 20000, 0, 30000, 700, 40000, 0);
    ADD(&more, 1, 0, 0, 5000, 50, 10000, 100, 20000, 0, 30000, 700, 40000, 0);
    const char *const each[] = {
        "s line.sample spacing_m=65536000 jitter_m=50 anchor=1 lines<$way",
        "s line.sample spacing_m=65536000 jitter_m=50 lines<$way",
    };
    for (int i = 0; i < 2; i++) {
        loam_points a = points_of(sketch_with(each[i], &set, 1), all);
        loam_points b = points_of(sketch_with(each[i], &moved, 1), all);
        loam_points c = points_of(sketch_with(each[i], &more, 1), all);
        if (i == 0) {
            cr_expect_eq(common_ids(&a, &b), a.count - 21, "but those of two segments");
            cr_expect_geq(common_ids(&a, &c), a.count - 11, "but those of one");
        } else {
            cr_expect_lt(common_ids(&a, &b), 5);
        }
    }
}

Test(line_sample, ids_are_their_own_even_where_a_line_runs_over_itself) {
    line_set set = {0};
    ADD(&set, 1, 0, 0, 10000, 0, 0, 0, 10000, 0, 10000, 9000);
    ADD(&set, 2, 0, 0, 10000, 0);
    ADD(&set, 2, 0, 0, 9000, 0);
    const char *const each[] = {
        "s line.sample spacing_m=65536000 offsets_m=[0,5] anchor=1 lines<$way",
        "s line.sample spacing_m=65536000 offsets_m=[0,5] lines<$way",
    };
    for (int i = 0; i < 2; i++) {
        loam_points points = points_of(sketch_with(each[i], &set, 1), all);
        for (uint32_t a = 0; a < points.count; a++) {
            for (uint32_t b = 0; b < a; b++) {
                cr_assert_neq(points.id[a], points.id[b]);
            }
        }
    }
}

/* ---- Every cell size ------------------------------------------------------------------------ */

static void check_partition(const char *const *text, uint64_t seed, int64_t x_m, int64_t z_m) {
    line_set set;
    uint64_t state = seed;
    set = (line_set){0};
    for (uint32_t n = 0; n < 5; n++) {
        int64_t xz[2 * 40];
        uint32_t count = 3 + draw(&state, 37);
        int64_t x = (x_m + draw(&state, 300)) * METRE, z = (z_m + draw(&state, 300)) * METRE;
        for (uint32_t i = 0; i < count; i++) {
            xz[2 * i] = x += (int64_t)draw(&state, 40000) - 20000;
            xz[2 * i + 1] = z += (int64_t)draw(&state, 40000) - 20000;
        }
        add_line(&set, n / 2, xz, count);
    }
    sketch *graph = sketch_of(text, seed);
    point_union whole = {0};
    graph->slots[0].lines = built(&set, &graph->arena);
    const char *difference = sketch_partition(graph, x_m, z_m, 300, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_gt(whole.count, 100);
    union_fini(&whole);
}

Test(line_sample, cells_of_every_size_have_the_same_stations) {
    static const char *const text[] = {
        "$way lines",
        "along line.sample spacing_m=40000000 offsets_m=[0,500,3000] "
        "keep=[16777216,9000000,5000000] jitter_m=200 lines<$way",
        "corners line.sample spacing_m=90000000 anchor=1 offsets_m=[900] jitter_m=77 end=1 "
        "lines<$way",
        "both merge a<along b<corners",
        "apart self.prune radius_m=400 points<both",
        "=points apart",
        NULL,
    };
    check_partition(text, 1, 0, 0);
    check_partition(text, 2, -1000, 777);
    check_partition(text, 3, 4000000, -3999999);
}

Test(line_sample, cells_of_every_size_keep_the_same_points_by_their_distance_from_lines) {
    static const char *const text[] = {
        "$way lines",
        "sites grid.sample spacing_m=900",
        "near filter.line_distance min_m=500 max_m=5000 points<sites lines<$way",
        "spaced self.prune radius_m=1200 points<near",
        "drop filter.line_distance max_m=700 invert=1 points<spaced lines<$way",
        "=points drop",
        NULL,
    };
    check_partition(text, 4, 0, 0);
    check_partition(text, 5, -1000, 777);
}
