/* SPDX-License-Identifier: MIT
 *
 * prune_bench.c: what a cell of 256 m with about 20,000 instances costs on the general path of
 * self.prune, from plan to encoded bytes: two merged species of different radii, radii without a
 * pattern that add up, and one radius. Lines of name, value, unit; a digest follows each case.
 */
#include "api/key/key.h"
#include "tests/support/forest.h"
#include "tests/support/timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 30, CELL_METRES = 256, NODES = 16 };

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "prune_bench: %s %s\n", error->pointer, error->text);
        exit(1);
    }
}

static void add(loam_graph *graph, const char *node, const char *operation, const char *port,
                const char *source) {
    loam_error error = {0};
    must(loam_graph_add_node(graph, loam_text_of(node), loam_text_of(operation), 0, &error),
         &error);
    if (port != NULL) {
        must(loam_graph_connect(graph, loam_text_of(node), loam_text_of(port), loam_text_of(source),
                                &error),
             &error);
    }
}

static void set(loam_graph *graph, const char *node, const char *key, loam_value value) {
    loam_error error = {0};
    must(loam_graph_set(graph, loam_text_of(node), loam_text_of(key), &value, &error), &error);
}

static void set_integer(loam_graph *graph, const char *node, const char *key, int64_t value) {
    set(graph, node, key, (loam_value){.kind = LOAM_VALUE_INTEGER, .integer = value});
}

/* radius_m of a prune: the scale of each point, in metres, at most `most` units. */
static void set_radius_by_scale(loam_graph *graph, const char *node, int64_t most) {
    const loam_value ends[2] = {{.kind = LOAM_VALUE_INTEGER, .integer = 1},
                                {.kind = LOAM_VALUE_INTEGER, .integer = most}};
    set(graph, node, "radius_m",
        (loam_value){.kind = LOAM_VALUE_ATTRIBUTE,
                     .text = loam_text_of("$scale"),
                     .items = ends,
                     .item_count = 2});
}

/* A species: a lattice, thinned by noise, every point with a scale between two. */
static void add_species(loam_graph *graph, const char *const names[4], int64_t spacing,
                        int64_t scale_min, int64_t scale_max) {
    add(graph, names[0], "grid.sample", NULL, NULL);
    set_integer(graph, names[0], "spacing_m", spacing);
    add(graph, names[1], "density.noise", "points", names[0]);
    set_integer(graph, names[1], "wavelength_m", 96 * 256);
    set_integer(graph, names[1], "octaves", 2);
    add(graph, names[2], "density.cull", "points", names[1]);
    add(graph, names[3], "transform.scatter", "points", names[2]);
    set_integer(graph, names[3], "scale_min", scale_min);
    set_integer(graph, names[3], "scale_max", scale_max);
}

static const char *const trees[4] = {"tree_sites", "tree_field", "tree_drawn", "trees"};
static const char *const bushes[4] = {"bush_sites", "bush_field", "bush_drawn", "bushes"};

static void begin(loam_graph *graph, loam_arena *arena) {
    loam_error error = {0};
    loam_graph_sizes sizes = {.nodes = NODES, .outputs = 1};
    must(loam_graph_init(graph, sizes, arena, &error), &error);
}

static void finish(loam_graph *graph) {
    loam_error error = {0};
    must(loam_graph_add_output(graph, loam_text_of("plants"), loam_text_of("spaced"), 0, &error),
         &error);
}

/* Trees 3 m from everything, bushes 1.2 m from each other. */
static void two_species(loam_graph *graph) {
    loam_error error = {0};
    add_species(graph, trees, 400, LOAM_SCALE_ONE * 3, LOAM_SCALE_ONE * 3);
    add_species(graph, bushes, 160, LOAM_SCALE_ONE * 12 / 10, LOAM_SCALE_ONE * 12 / 10);
    add(graph, "both", "merge", "a", "trees");
    must(loam_graph_connect(graph, loam_text_of("both"), loam_text_of("b"), loam_text_of("bushes"),
                            &error),
         &error);
    add(graph, "spaced", "self.prune", "points", "both");
    set_integer(graph, "spaced", "mode", 1);
    set_radius_by_scale(graph, "spaced", 3 * 256);
}

/* Every plant with a radius of its own, 0.4 to 2 m; no two overlap. */
static void any_radius(loam_graph *graph) {
    add_species(graph, bushes, 160, LOAM_SCALE_ONE * 4 / 10, LOAM_SCALE_ONE * 2);
    add(graph, "spaced", "self.prune", "points", "bushes");
    set_integer(graph, "spaced", "mode", 2);
    set_radius_by_scale(graph, "spaced", 2 * 256);
}

static void one_radius(loam_graph *graph) {
    add_species(graph, bushes, 154, LOAM_SCALE_ONE, LOAM_SCALE_ONE);
    add(graph, "spaced", "self.prune", "points", "bushes");
    set_integer(graph, "spaced", "radius_m", 308);
}

typedef struct bench_case {
    loam_query query;
    loam_arena *arena;
    unsigned char *bytes;
    size_t capacity;
    uint32_t points;
} bench_case;

static size_t build_once(bench_case *bench, loam_trace *trace) {
    loam_error error = {0};
    size_t mark = loam_arena_mark(bench->arena), size = 0;
    loam_run run = {.arena = bench->arena, .tick = timing_now, .trace = trace};
    loam_points points;
    must(loam_cell_build(&bench->query, &run, &points, &error), &error);
    must(loam_cell_encode(&points, bench->bytes, bench->capacity, &size), &error);
    bench->points = points.count;
    loam_arena_reset(bench->arena, mark);
    return size;
}

static void print_stages(bench_case *bench, const char *name) {
    loam_trace_node nodes[NODES];
    loam_trace trace = {.nodes = nodes};
    build_once(bench, &trace);
    const loam_trace_node *prune = &trace.nodes[0];
    printf("prune_%s_candidates\t%llu\tpoints\n", name, (unsigned long long)prune->window_in);
    for (uint32_t i = 0; i < trace.node_count; i++) {
        printf("prune_%s_stage_%u_%s\t%.3f\tms\n", name, trace.nodes[i].node, trace.nodes[i].path,
               (double)trace.nodes[i].ticks / 1e6);
    }
}

static void bench_graph(const char *name, loam_arena *arena, void (*make)(loam_graph *graph)) {
    loam_error error = {0};
    loam_graph graph;
    begin(&graph, arena);
    make(&graph);
    finish(&graph);
    const int64_t x = 100000 * 256, z = -50000 * 256, side = CELL_METRES * 256;
    bench_case bench = {
        .query = {.rect = {x, z, x + side, z + side}}, .arena = arena, .capacity = 8u << 20};
    must(loam_plan_build(&graph, 3, arena, &bench.query.plan, &error), &error);
    bench.bytes = malloc(bench.capacity);
    uint64_t times[REPETITIONS];
    size_t size = build_once(&bench, NULL);
    for (int i = 0; i < REPETITIONS; i++) {
        uint64_t start = timing_now(NULL);
        size = build_once(&bench, NULL);
        times[i] = timing_now(NULL) - start;
    }
    qsort(times, REPETITIONS, sizeof times[0], timing_compare);
    char text[DIGEST_TEXT_BYTES];
    digest sum = digest_of(bench.bytes, size);
    digest_text(&sum, text);
    printf("prune_%s_instances\t%u\tpoints\n", name, bench.points);
    printf("prune_%s_min\t%.3f\tms\n", name, (double)times[0] / 1e6);
    printf("prune_%s_median\t%.3f\tms\n", name, (double)times[REPETITIONS / 2] / 1e6);
    printf("prune_%s_digest\t%s\tdigest\n", name, text);
    print_stages(&bench, name);
    free(bench.bytes);
}

int main(void) {
    loam_arena arena = arena_of((size_t)512 << 20);
    bench_graph("two_species", &arena, two_species);
    bench_graph("any_radius", &arena, any_radius);
    bench_graph("one_radius", &arena, one_radius);
    return 0;
}
