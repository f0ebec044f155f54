/* SPDX-License-Identifier: MIT
 *
 * stage_threads.c: many threads evaluate cells of two worlds with one cache of stages that is too
 * small for all of them, so that stages come and go while others read them; for TSan. Every cell
 * must be what it is without a cache.
 */
#include "api/key/stage_cache.h"
#include "core/base/assert.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, WORLDS = 2, CELLS = 12, CELL_UNITS = 4096, ROUNDS = 3 };
#define ARENA_BYTES ((size_t)1 << 26)

static const char *const lines[] = {
    "petals poisson.disk origin_x_m=900 origin_z_m=-100 width_m=300 depth_m=200 radius_m=60",
    "heads poisson.disk origin_x_m=-2000 origin_z_m=-900 width_m=3000 depth_m=1500 radius_m=500",
    "flowers copy.points max_points=100 target_scale_max=4096 source<petals target<heads",
    "sites grid.sample spacing_m=6000",
    "beds copy.points max_points=5000 target_scale_max=4096 source<flowers target<sites",
    "=points beds",
    NULL};

typedef struct worker {
    pthread_t thread;
    sketch *const *worlds;
    const digest *want;
    const loam_stages *stages;
    uint32_t index;
    uint32_t different;
} worker;

static digest cell_digest(const sketch *of, uint32_t cell, const loam_stages *stages,
                          loam_arena *arena) {
    static _Thread_local unsigned char bytes[1 << 20];
    const int64_t x = (int64_t)(cell % 4) * CELL_UNITS, z = (int64_t)(cell / 4) * CELL_UNITS;
    const loam_query query = {.plan = of->plan, .rect = {x, z, x + CELL_UNITS, z + CELL_UNITS}};
    const loam_run run = {.arena = arena, .stages = stages};
    loam_points points;
    size_t size = 0;
    loam_arena_reset(arena, 0);
    LOAM_ASSERT(loam_cell_build(&query, &run, &points, NULL) == LOAM_OK);
    LOAM_ASSERT(loam_cell_encode(&points, bytes, sizeof bytes, &size) == LOAM_OK);
    return digest_of(bytes, size);
}

static void *work(void *context) {
    worker *own = context;
    loam_arena arena = arena_of(ARENA_BYTES);
    for (uint32_t i = 0; i < ROUNDS * WORLDS * CELLS; i++) {
        const uint32_t at = (i * 7 + own->index * 5) % (WORLDS * CELLS);
        digest got = cell_digest(own->worlds[at / CELLS], at % CELLS, own->stages, &arena);
        own->different += !digest_equal(&got, &own->want[at]);
    }
    return NULL;
}

int main(void) {
    static worker workers[THREADS];
    static digest want[WORLDS * CELLS];
    sketch *worlds[WORLDS];
    loam_arena arena = arena_of(ARENA_BYTES);
    for (uint32_t i = 0; i < WORLDS * CELLS; i++) {
        if (i % CELLS == 0) {
            worlds[i / CELLS] = sketch_of(lines, 7 + i / CELLS);
        }
        want[i] = cell_digest(worlds[i / CELLS], i % CELLS, NULL, &arena);
    }
    stage_cache *cache = stage_cache_create(16 << 10);
    LOAM_ASSERT(cache != NULL);
    for (uint32_t t = 0; t < THREADS; t++) {
        workers[t] = (worker){
            .worlds = worlds, .want = want, .stages = stage_cache_stages(cache), .index = t};
        LOAM_ASSERT(pthread_create(&workers[t].thread, NULL, work, &workers[t]) == 0);
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        pthread_join(workers[t].thread, NULL);
        LOAM_ASSERT(workers[t].different == 0);
    }
    const stage_counts counts = stage_cache_counts(cache);
    LOAM_ASSERT(counts.hits > 0 && counts.misses > 3 * WORLDS && counts.bytes <= 16 << 10);
    stage_cache_destroy(cache);
    puts("stage_threads: ok");
    return 0;
}
