/* SPDX-License-Identifier: MIT
 *
 * stage_bench.c: what a cell of 256 m costs, from plan to encoded bytes, when its stages are
 * computed and when they are kept: modules along roads of 200 km, a rectangle of 100,000 points,
 * and copies of a source behind a prune. Lines of name, value, unit; a digest, equal in both cases,
 * follows each.
 */
#include "api/key/stage_cache.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"
#include "tests/support/sketch.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 15, CELL = 256 * LOAM_UNITS_PER_METRE, ROADS = 3, BENDS = 4000 };

static const char *const fences[] = {
    "$ways lines",
    "$rules rules",
    "wall grammar.generate grammar='Post,[{Wall:2,Gate},Post]*' lines<$ways rules<$rules",
    "=wall wall",
    NULL,
};
static const char modules[] =
    "{\"modules\":["
    "{\"symbol\":\"Post\",\"length_m\":0.25,\"variants\":[{\"asset\":\"post\"}]},"
    "{\"symbol\":\"Wall\",\"length_m\":2,\"variants\":[{\"asset\":\"wall_a\",\"weight\":3},"
    "{\"asset\":\"wall_b\"}]},"
    "{\"symbol\":\"Gate\",\"length_m\":3}]}";

/* About 100,000 points. */
static const char *const disk[] = {
    "field poisson.disk origin_x_m=-200000 origin_z_m=-200000 width_m=400000 depth_m=400000 "
    "radius_m=992 max_points=200000",
    "=points field", NULL};

static const char *const copies[] = {
    "sites grid.sample spacing_m=16384",
    "targets transform.scatter points<sites",
    "dense grid.sample spacing_m=200",
    "inside filter.radius x_m=0 z_m=0 radius_m=12000 points<dense",
    "field density.noise wavelength_m=3000 points<inside",
    "drawn density.cull points<field",
    "stamp self.prune radius_m=450 points<drawn",
    "copies copy.points max_points=9000 target_scale_max=4096 source<stamp target<targets",
    "=points copies",
    NULL};

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "stage_bench: %s %s\n", error->pointer, error->text);
        exit(1);
    }
}

/* Roads of 4,000 bends, 50 m apart, that meet in the cell. */
static const loam_lines *roads(loam_arena *arena) {
    static int64_t xz[ROADS][2 * BENDS];
    loam_line lines[ROADS];
    for (int64_t r = 0; r < ROADS; r++) {
        for (int64_t i = 0; i < BENDS; i++) {
            int64_t along = (i - BENDS / 2) * 12800, beside = 20000 * r + i % 9 * 700;
            xz[r][2 * i] = r % 2 == 0 ? along : beside;
            xz[r][2 * i + 1] = r % 2 == 0 ? beside : along;
        }
        lines[r] = (loam_line){.xz = xz[r], .count = BENDS, .key = 10u + (uint64_t)r};
    }
    const loam_lines_source source = {lines, ROADS};
    const loam_lines *made;
    loam_error error = {0};
    must(loam_lines_build(&source, arena, &made, &error), &error);
    return made;
}

static double bench_cells(const char *name, const char *how, const sketch *graph,
                          const loam_stages *stages, loam_arena *arena) {
    uint64_t times[REPETITIONS];
    static unsigned char bytes[8 << 20];
    size_t size = 0;
    uint32_t count = 0;
    for (int i = -1; i < REPETITIONS; i++) {
        loam_points points;
        loam_error error = {0};
        const loam_query query = {
            .plan = graph->plan, .rect = {0, 0, CELL, CELL}, .slots = graph->slots};
        const loam_run run = {.arena = arena, .stages = stages};
        loam_arena_reset(arena, 0);
        const uint64_t start = timing_now(NULL);
        must(loam_cell_build(&query, &run, &points, &error), &error);
        must(loam_cell_encode(&points, bytes, sizeof bytes, &size), &error);
        times[i < 0 ? 0 : i] = timing_now(NULL) - start;
        count = points.count;
    }
    qsort(times, REPETITIONS, sizeof times[0], timing_compare);
    char text[DIGEST_TEXT_BYTES];
    digest sum = digest_of(bytes, size);
    digest_text(&sum, text);
    const double median_ms = (double)times[REPETITIONS / 2] / 1e6;
    printf("stage_%s_%s_median\t%.3f\tms\n", name, how, median_ms);
    printf("stage_%s_%s_points\t%u\tpoints\n", name, how, count);
    printf("stage_%s_%s_digest\t%s\tdigest\n", name, how, text);
    return median_ms;
}

static void bench_world(const char *name, const sketch *graph, loam_arena *arena) {
    stage_cache *cache = stage_cache_create(STAGE_CACHE_BYTES_MAX);
    const double computed = bench_cells(name, "computed", graph, NULL, arena);
    const double kept = bench_cells(name, "kept", graph, stage_cache_stages(cache), arena);
    printf("stage_%s_ratio\t%.1f\tx\n", name, computed / kept);
    printf("stage_%s_bytes\t%llu\tbytes\n", name,
           (unsigned long long)stage_cache_counts(cache).bytes);
    stage_cache_destroy(cache);
}

int main(void) {
    loam_arena arena = arena_of((size_t)512 << 20);
    sketch *graph = sketch_of(fences, 3);
    graph->slots[0].lines = roads(&graph->arena);
    graph->slots[1].rules = rules_of_text(modules, &graph->arena);
    bench_world("grammar", graph, &arena);
    bench_world("disk", sketch_of(disk, 3), &arena);
    bench_world("copies", sketch_of(copies, 3), &arena);
    return 0;
}
