/* SPDX-License-Identifier: MIT
 *
 * check_bench.c: what a verdict costs on a dense forest cell of 256 m with some 20,000 instances:
 * each check alone and all of them, beside the building of the same cell, and the check key. Lines
 * of name, value, unit.
 */
#include "api/wire/check_document.h"
#include "tests/support/forest.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 30, CELL = 65536, METRE = LOAM_UNITS_PER_METRE };

typedef struct scene {
    loam_graph graph;
    loam_arena world;
    loam_arena arena;
    loam_asset slots[2];
    const loam_plan *plan;
    loam_points points;
} scene;

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "check_bench: %s %s\n", loam_status_code(status), error->text);
        exit(1);
    }
}

/* A village in the middle of the cell, of four houses' width. */
static const loam_areas *make_village(loam_arena *arena) {
    static const int64_t ring[] = {20000, 20000, 30000, 20000, 30000,
                                   28000, 20000, 28000, 20000, 20000};
    const loam_ring rings[] = {{ring, 5}};
    const loam_polygon polygon = {rings, 1, 0};
    const loam_area_feature feature = {1, 8 * METRE, LOAM_UNSET};
    const loam_areas_source source = {&polygon, 1, &feature, 1};
    const loam_areas *areas;
    loam_error error = {0};
    must(loam_areas_build(&source, arena, &areas, &error), &error);
    return areas;
}

static void scene_init(scene *made) {
    forest_options options = forest_default();
    loam_error error = {0};
    options.zones = true;
    made->world = arena_of((size_t)64 << 20);
    made->arena = arena_of((size_t)256 << 20);
    const loam_heightfield *hills =
        terrain_hills(386, (int64_t)256 << 16, -64 * METRE, -64 * METRE);
    forest_build(&made->graph, &made->world, options);
    made->slots[0] = (loam_asset){.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = hills};
    made->slots[1] = (loam_asset){.kind = LOAM_PORT_AREAS, .areas = make_village(&made->world)};
    must(loam_plan_build(&made->graph, 42, &made->world, &made->plan, &error), &error);
}

static loam_query query_of(const scene *of) {
    return (loam_query){.plan = of->plan, .rect = {0, 0, CELL, CELL}, .slots = of->slots};
}

static void print_median(const char *name, uint64_t times[REPETITIONS]) {
    qsort(times, REPETITIONS, sizeof times[0], timing_compare);
    printf("%s\t%.3f\tms\n", name, (double)times[REPETITIONS / 2] / 1e6);
}

/* Leaves the points in the arena. */
static void measure_build(scene *of) {
    uint64_t times[REPETITIONS];
    loam_query query = query_of(of);
    loam_run run = {.arena = &of->arena};
    for (int i = 0; i < REPETITIONS; i++) {
        loam_error error = {0};
        loam_arena_reset(&of->arena, 0);
        uint64_t start = timing_now(NULL);
        must(loam_cell_build(&query, &run, &of->points, &error), &error);
        times[i] = timing_now(NULL) - start;
    }
    print_median("check_cell_build", times);
    printf("check_cell_points\t%u\tpoints\n", of->points.count);
}

static void measure(scene *of, const char *name, uint32_t kinds) {
    uint64_t judging[REPETITIONS], keying[REPETITIONS];
    char text[64];
    loam_query query = query_of(of);
    loam_run run = {.arena = &of->arena};
    const loam_check check = {.kinds = kinds,
                              .count_max = LOAM_CHECK_COUNT_MAX,
                              .spacing = 308,
                              .zones = 1,
                              .ring = 8 * METRE,
                              .samples = 20};
    for (int i = 0; i < REPETITIONS; i++) {
        loam_error error = {0};
        loam_verdict verdict;
        digest key;
        uint64_t start = timing_now(NULL);
        must(loam_check_cell(&check, &query, &of->points, &run, &verdict, &error), &error);
        judging[i] = timing_now(NULL) - start;
        start = timing_now(NULL);
        must(checks_key(&check, &query, &of->arena, &key, &error), &error);
        keying[i] = timing_now(NULL) - start;
        if (verdict.reason_count > 0) {
            fprintf(stderr, "check_bench: the forest fails %s\n", name);
            exit(1);
        }
    }
    snprintf(text, sizeof text, "check_%s", name);
    print_median(text, judging);
    snprintf(text, sizeof text, "check_%s_key", name);
    print_median(text, keying);
}

int main(void) {
    static scene made;
    scene_init(&made);
    measure_build(&made);
    for (uint32_t kind = 0; kind < LOAM_CHECK_KINDS; kind++) {
        measure(&made, loam_check_name((loam_check_kind)kind), 1u << kind);
    }
    measure(&made, "all", (1u << LOAM_CHECK_KINDS) - 1);
    return 0;
}
