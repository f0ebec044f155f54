/* SPDX-License-Identifier: MIT
 *
 * biome_bench.c: what a cell of 256 m with 65,536 candidates and four biomes costs, from plan to
 * encoded bytes: three layers with domains (a prism of 240 edges, a ball, a union of a box and
 * balls around rocks), and one that covers the rest. Lines of name, value, unit.
 */
#include "api/key/key.h"
#include "core/base/fixed_math.h"
#include "tests/support/forest.h"
#include "tests/support/rules_text.h"
#include "tests/support/sketch.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 40, CORNERS = 240, CELL = 65536 };

static const char *const graph_text[] = {
    "$ground heightfield",
    "$lake areas",
    "$rules rules",
    "rocks grid.sample spacing_m=5000 y_m=150000",
    "near spatial.points radius_m=1500 points<rocks",
    "corner spatial.box min_m=[0,-9000000,0] max_m=[20000,9000000,20000]",
    "stony spatial.union a<corner b<near",
    "hill spatial.sphere center_m=[45000,150000,45000] radius_m=18000",
    "land biome.generate spacing_m=256 surface<$ground rules<$rules shore<$lake heath<stony "
    "wood<hill",
    "=plants land",
    NULL,
};

static const char rules_text[] =
    "{\"layers\":["
    "{\"name\":\"shore\",\"priority\":4,\"assets\":[{\"name\":\"reed\"},{\"name\":\"willow\"}]},"
    "{\"name\":\"heath\",\"priority\":3,\"assets\":[{\"name\":\"ling\",\"weight\":9},"
    "{\"name\":\"rock\"}]},"
    "{\"name\":\"wood\",\"priority\":2,\"assets\":[{\"name\":\"pine\",\"scale_min\":0.5,"
    "\"scale_max\":2,\"yaw\":\"random\"},{\"name\":\"fir\"}]},"
    "{\"name\":\"meadow\",\"density\":0.5,\"assets\":[{\"name\":\"grass\"},{\"name\":\"herb\"}]}"
    "]}";

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "biome_bench: %s %s\n", error->pointer, error->text);
        exit(1);
    }
}

/* A lake with bays. */
static const loam_areas *make_lake(loam_arena *arena) {
    static int64_t ring[2 * CORNERS + 2];
    for (uint32_t i = 0; i <= CORNERS; i++) {
        double sine, cosine;
        fixed_sin_cos(i % CORNERS * 65536u / CORNERS, &sine, &cosine);
        double radius = i % 2 == 0 ? 22000.0 : 17000.0;
        ring[2 * i] = 30000 + round_to_int(radius * cosine);
        ring[2 * i + 1] = 40000 + round_to_int(radius * sine);
    }
    const loam_ring rings[] = {{ring, CORNERS + 1}};
    const loam_polygon polygon = {rings, 1, 0};
    const loam_area_feature feature = {1, LOAM_UNSET, LOAM_UNSET};
    const loam_areas_source source = {&polygon, 1, &feature, 1};
    const loam_areas *areas;
    loam_error error = {0};
    must(loam_areas_build(&source, arena, &areas, &error), &error);
    return areas;
}

int main(void) {
    uint64_t times[REPETITIONS];
    sketch *graph = sketch_of(graph_text, 3);
    loam_arena arena = arena_of((size_t)256 << 20);
    size_t capacity = 8u << 20, size = 0;
    void *bytes = malloc(capacity);
    uint32_t count = 0;
    graph->slots[0].heightfield = terrain_hills(386, (int64_t)256 << 16, -64 * 256, -64 * 256);
    graph->slots[1].areas = make_lake(&graph->arena);
    graph->slots[2].rules = rules_of_text(rules_text, &graph->arena);
    for (int i = 0; i < REPETITIONS; i++) {
        loam_points points;
        loam_error error = {0};
        const loam_query query = {
            .plan = graph->plan, .rect = {0, 0, CELL, CELL}, .slots = graph->slots};
        const loam_run run = {.arena = &arena};
        loam_arena_reset(&arena, 0);
        uint64_t start = timing_now(NULL);
        must(loam_cell_build(&query, &run, &points, &error), &error);
        must(loam_cell_encode(&points, bytes, capacity, &size), &error);
        times[i] = timing_now(NULL) - start;
        count = points.count;
    }
    qsort(times, REPETITIONS, sizeof times[0], timing_compare);
    char text[DIGEST_TEXT_BYTES];
    digest sum = digest_of(bytes, size);
    digest_text(&sum, text);
    printf("biome_cell_min\t%.3f\tms\n", (double)times[0] / 1e6);
    printf("biome_cell_median\t%.3f\tms\n", (double)times[REPETITIONS / 2] / 1e6);
    printf("biome_cell_points\t%u\tpoints\n", count);
    printf("biome_cell_memory\t%.1f\tbytes/point\n", (double)arena.peak / count);
    printf("biome_cell_digest\t%s\tdigest\n", text);
    free(bytes);
    return 0;
}
