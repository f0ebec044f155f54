/* SPDX-License-Identifier: MIT
 *
 * cell_bench.c: what a dense forest cell of 256 m costs at each SIMD level, from plan to encoded
 * bytes, stage by stage, and a noise value. Lines of name, value, unit; a digest follows each
 * level.
 */
#include "api/key/key.h"
#include "core/base/mix.h"
#include "core/space/noise.h"
#include "tests/support/forest.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 40, CELL_METRES = 256 };

static void fail(const loam_error *error) {
    fprintf(stderr, "cell_bench: %s %s\n", error->pointer, error->text);
    exit(1);
}

static void print_digest(const char *level, const char *name, const void *bytes, size_t size) {
    char text[DIGEST_TEXT_BYTES];
    digest sum = digest_of(bytes, size);
    digest_text(&sum, text);
    printf("%s_digest_%s\t%s\tdigest\n", name, level, text);
}

typedef struct cell_scene {
    loam_query query;
    loam_arena *arena;
    void *bytes;
    size_t capacity;
} cell_scene;

static size_t build_once(cell_scene *scene, loam_simd level, loam_trace *trace) {
    loam_error error = {0};
    size_t mark = loam_arena_mark(scene->arena), size = 0;
    loam_run run = {.arena = scene->arena, .level = level, .tick = timing_now, .trace = trace};
    loam_points points;
    if (loam_cell_build(&scene->query, &run, &points, &error) != LOAM_OK ||
        loam_cell_encode(&points, scene->bytes, scene->capacity, &size) != LOAM_OK) {
        fail(&error);
    }
    loam_arena_reset(scene->arena, mark);
    return size;
}

static void bench_level(cell_scene *scene, const char *name, loam_simd level) {
    uint64_t times[REPETITIONS];
    size_t size = build_once(scene, level, NULL);
    for (int i = 0; i < REPETITIONS; i++) {
        uint64_t start = timing_now(NULL);
        size = build_once(scene, level, NULL);
        times[i] = timing_now(NULL) - start;
    }
    qsort(times, REPETITIONS, sizeof times[0], timing_compare);
    const char *suffix = loam_simd_name(level);
    printf("%s_%s_min\t%.3f\tms\n", name, suffix, (double)times[0] / 1e6);
    printf("%s_%s_median\t%.3f\tms\n", name, suffix, (double)times[REPETITIONS / 2] / 1e6);
    print_digest(suffix, name, scene->bytes, size);
}

static void bench_stages(cell_scene *scene) {
    loam_trace_node nodes[16];
    loam_trace trace = {.nodes = nodes};
    for (int i = 0; i < 5; i++) {
        build_once(scene, LOAM_SIMD_BEST, &trace);
    }
    for (uint32_t i = trace.node_count; i-- > 0;) {
        printf("stage_%u_%s\t%.3f\tms\n", trace.nodes[i].node, trace.nodes[i].path,
               (double)trace.nodes[i].ticks / 1e6);
        printf("stage_%u_points_out\t%llu\tpoints\n", trace.nodes[i].node,
               (unsigned long long)trace.nodes[i].points_out);
    }
}

static void bench_noise(loam_simd level) {
    enum { COUNT = 1 << 16, OCTAVES = 1 };
    static int32_t x[COUNT], z[COUNT];
    static float value[COUNT];
    fbm_noise noise;
    noise_init(&noise, NOISE_GRADIENT, 1, 96 * 256, OCTAVES, 32768);
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i] = (int32_t)(i % 256 * 256);
        z[i] = (int32_t)(i / 256 * 256);
    }
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < REPETITIONS; i++) {
        uint64_t start = timing_now(NULL);
        SIMD_SELECT(noise_kernels, level)->fill(&noise, 0, 0, x, z, COUNT, value);
        uint64_t took = timing_now(NULL) - start;
        best = took < best ? took : best;
    }
    printf("noise_point_%s\t%.3f\tns\n", loam_simd_name(level), (double)best / COUNT);
    print_digest(loam_simd_name(level), "noise", value, sizeof value);
}

static cell_scene make_scene(forest_options options, loam_arena *arena, loam_asset *asset) {
    loam_error error = {0};
    loam_graph *graph = malloc(sizeof *graph);
    const loam_plan *plan;
    forest_build(graph, arena, options);
    if (loam_plan_build(graph, 3, arena, &plan, &error) != LOAM_OK) {
        fail(&error);
    }
    const int64_t x = 100000 * 256, z = -50000 * 256, side = CELL_METRES * 256;
    asset->kind = LOAM_PORT_HEIGHTFIELD;
    asset->heightfield = terrain_hills(386, (int64_t)256 << 16, x - 64 * 256, z - 64 * 256);
    cell_scene scene = {
        .query = {.plan = plan, .rect = {x, z, x + side, z + side}, .slots = asset},
        .arena = arena,
        .capacity = 8u << 20,
    };
    scene.bytes = malloc(scene.capacity);
    return scene;
}

int main(void) {
    loam_arena arena = arena_of((size_t)256 << 20);
    loam_asset dense_asset, sparse_asset;
    forest_options sparse = forest_default();
    sparse.spacing = 12 * 256;
    sparse.radius = 6 * 256;
    cell_scene dense_cell = make_scene(forest_default(), &arena, &dense_asset);
    cell_scene sparse_cell = make_scene(sparse, &arena, &sparse_asset);
    for (loam_simd level = LOAM_SIMD_BASELINE; level <= LOAM_SIMD_AVX512; level++) {
        if (loam_simd_available(level)) {
            bench_level(&dense_cell, "cell_dense", level);
            bench_level(&sparse_cell, "cell_sparse", level);
            bench_noise(level);
        }
    }
    bench_stages(&dense_cell);
    return 0;
}
