/* SPDX-License-Identifier: MIT
 *
 * generate_cell.c: one cell of a forest with nothing but libloam.a. Builds the forest graph, makes
 * a terrain, draws a village that trees stay out of, asks for one cell and writes its canonical
 * bytes:
 *
 *     build/example/generate_cell | sha256sum
 *
 * prints the same digest on every machine. It is what a game server does that generates cells
 * itself instead of fetching them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loam.h"

#define CELL_M 256
#define TERRAIN_SIDE 129 /* samples 8 m apart: 1 km, of which the cell is a part */

/* Ends the program with the place and the reason of a failure. */
static void demand(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        (void)fprintf(stderr, "generate_cell: %s %s (%s)\n", error->pointer, error->text,
                      loam_status_code(status));
        exit(1);
    }
}

/* An arena begins at a cache line, here with the memory itself: free(arena.memory) ends it. */
enum { ALIGNMENT = 64 };
static loam_arena arena_of(size_t size) {
    loam_arena arena;
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    void *memory = aligned_alloc(ALIGNMENT, size);
    if (memory == NULL) {
        (void)fprintf(stderr, "generate_cell: no memory\n");
        exit(1);
    }
    loam_arena_init(&arena, memory, size);
    return arena;
}

/* One row of the forest: a node, what it does and where its points come from. */
typedef struct chain_row {
    const char *node, *operation, *port, *source;
} chain_row;

static const chain_row chain[] = {
    {"sites", "surface.sample", "surface", "$terrain"},
    {"gentle", "filter.slope", "points", "sites"},
    {"band", "filter.height", "points", "gentle"},
    {"field", "density.noise", "points", "band"},
    {"drawn", "density.cull", "points", "field"},
    {"spaced", "self.prune", "points", "drawn"},
    {"kept", "zone.exclude", "points", "spaced"},
    {"trees", "transform.scatter", "points", "kept"},
};

/* A parameter in thousandths: 600 is 0.6. */
typedef struct number_row {
    const char *node, *key;
    int64_t thousandths;
} number_row;

static const number_row numbers[] = {
    {"sites", "spacing_m", 600},  {"gentle", "max_deg", 25000},     {"band", "min_m", 20000},
    {"band", "max_m", 420000},    {"field", "wavelength_m", 96000}, {"field", "octaves", 2000},
    {"field", "contrast", 1600},  {"spaced", "radius_m", 1200},     {"trees", "scale_min", 800},
    {"trees", "scale_max", 1600}, {"trees", "tilt_max_deg", 6000},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const loam_param_schema *schema_of(const loam_graph *graph, const char *node,
                                          const char *key) {
    int32_t index = loam_graph_find_node(graph, loam_text_of(node));
    const loam_operation *operation = graph->nodes[index].operation;
    for (uint32_t i = 0; i < operation->param_count; i++) {
        if (strcmp(operation->params[i].key, key) == 0) {
            return &operation->params[i];
        }
    }
    return NULL;
}

/* The integer that the schema wants: nearest, or the next one for lengths that keep a distance. */
static int64_t scaled(const loam_param_schema *schema, int64_t thousandths) {
    int64_t product = thousandths * ((int64_t)1 << schema->scale_bits);
    int64_t added = (schema->flags & LOAM_PARAM_ROUND_UP) != 0 ? 999 : 500;
    return (product + added) / 1000;
}

static void graph_set_numbers(loam_graph *graph, loam_error *error) {
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const number_row *row = &numbers[i];
        const loam_param_schema *schema = schema_of(graph, row->node, row->key);
        loam_value value = {.kind = LOAM_VALUE_INTEGER,
                            .integer = scaled(schema, row->thousandths)};
        demand(
            loam_graph_set(graph, loam_text_of(row->node), loam_text_of(row->key), &value, error),
            error);
    }
}

/* What transform.scatter gives each tree beside its size: an asset and a random yaw. */
static void graph_set_texts(loam_graph *graph, loam_error *error) {
    const loam_param_schema *yaw = schema_of(graph, "trees", "yaw");
    loam_value choice = {.kind = LOAM_VALUE_INTEGER};
    while (strcmp(yaw->choices[choice.integer], "random") != 0) {
        choice.integer++;
    }
    loam_value asset = {.kind = LOAM_VALUE_TEXT, .text = loam_text_of("pine")};
    loam_text trees = loam_text_of("trees");
    demand(loam_graph_set(graph, trees, loam_text_of("yaw"), &choice, error), error);
    demand(loam_graph_set(graph, trees, loam_text_of("asset"), &asset, error), error);
}

static void graph_build(loam_graph *graph, loam_arena *arena, loam_error *error) {
    loam_graph_sizes sizes = {.nodes = COUNT(chain), .slots = 2, .outputs = 1};
    demand(loam_graph_init(graph, sizes, arena, error), error);
    demand(loam_graph_add_slot(graph, loam_text_of("terrain"), LOAM_PORT_HEIGHTFIELD, error),
           error);
    demand(loam_graph_add_slot(graph, loam_text_of("village"), LOAM_PORT_AREAS, error), error);
    for (size_t i = 0; i < COUNT(chain); i++) {
        loam_text node = loam_text_of(chain[i].node);
        demand(loam_graph_add_node(graph, node, loam_text_of(chain[i].operation), 1, error), error);
        demand(loam_graph_connect(graph, node, loam_text_of(chain[i].port),
                                  loam_text_of(chain[i].source), error),
               error);
    }
    demand(loam_graph_connect(graph, loam_text_of("kept"), loam_text_of("zones"),
                              loam_text_of("$village"), error),
           error);
    graph_set_numbers(graph, error);
    graph_set_texts(graph, error);
    demand(loam_graph_add_output(graph, loam_text_of("trees"), loam_text_of("trees"), 0, error),
           error);
    demand(loam_graph_sort(graph), error);
}

static void terrain_make(loam_heightfield *terrain, int32_t *samples, loam_error *error) {
    const int64_t metre_fine = (int64_t)LOAM_UNITS_PER_METRE * LOAM_FINE_PER_UNIT;
    loam_heightmap recipe = {.seed = 7,
                             .width = TERRAIN_SIDE,
                             .height = TERRAIN_SIDE,
                             .spacing_fine = 8 * metre_fine,
                             .wavelength = 900 * LOAM_UNITS_PER_METRE,
                             .amplitude = (int64_t)120 * LOAM_HEIGHT_STEPS_PER_METRE,
                             .base = (int64_t)150 * LOAM_HEIGHT_STEPS_PER_METRE,
                             .octaves = 6};
    demand(loam_heightmap_fbm(&recipe, LOAM_SIMD_BEST, samples, error), error);
    *terrain = (loam_heightfield){.width = recipe.width,
                                  .height = recipe.height,
                                  .spacing_fine = recipe.spacing_fine,
                                  .origin_x = recipe.origin_x,
                                  .origin_z = recipe.origin_z,
                                  .samples = samples};
    demand(loam_heightfield_init(terrain, error), error);
}

/* A triangle in the cell, its corners in metres made units; the last is the first. */
static const loam_areas *village_make(loam_arena *arena, loam_error *error) {
    static const int64_t corners[] = {300 * LOAM_UNITS_PER_METRE, 300 * LOAM_UNITS_PER_METRE,
                                      420 * LOAM_UNITS_PER_METRE, 330 * LOAM_UNITS_PER_METRE,
                                      340 * LOAM_UNITS_PER_METRE, 450 * LOAM_UNITS_PER_METRE,
                                      300 * LOAM_UNITS_PER_METRE, 300 * LOAM_UNITS_PER_METRE};
    const loam_ring ring = {corners, 4};
    const loam_polygon polygon = {.rings = &ring, .ring_count = 1};
    const loam_area_feature feature = {.key = 1, .margin = LOAM_UNSET, .buffer = LOAM_UNSET};
    const loam_areas_source source = {
        .polygons = &polygon, .polygon_count = 1, .features = &feature, .feature_count = 1};
    const loam_areas *village = NULL;
    demand(loam_areas_build(&source, arena, &village, error), error);
    return village;
}

/* The cell of column 1 and row 1. A slot's number is its place among the sorted names: terrain,
 * village. */
static void cell_write(const loam_plan *plan, const loam_asset *slots, loam_error *error) {
    const int64_t side = CELL_M * LOAM_UNITS_PER_METRE;
    loam_query query = {.plan = plan, .rect = {side, side, 2 * side, 2 * side}, .slots = slots};
    loam_estimate estimate;
    loam_points points;
    demand(loam_plan_estimate(plan, query.output, query.rect, &estimate, error), error);
    loam_arena arena = arena_of((size_t)estimate.arena_bytes);
    loam_run run = {.arena = &arena};
    demand(loam_cell_build(&query, &run, &points, error), error);
    size_t size = loam_cell_bound(&points);
    loam_arena bytes = arena_of(size);
    demand(loam_cell_encode(&points, bytes.memory, size, &size), error);
    (void)fprintf(stderr, "%u trees, %zu bytes\n", points.count, size);
    (void)fwrite(bytes.memory, 1, size, stdout);
    free(bytes.memory);
    free(arena.memory);
}

int main(void) {
    loam_error error = {0};
    loam_graph graph;
    loam_heightfield terrain;
    const loam_plan *plan = NULL;
    loam_arena arena = arena_of((size_t)16 << 20);
    static int32_t samples[TERRAIN_SIDE * TERRAIN_SIDE];
    graph_build(&graph, &arena, &error);
    terrain_make(&terrain, samples, &error);
    demand(loam_plan_build(&graph, 42, &arena, &plan, &error), &error);
    const loam_asset slots[] = {
        {.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &terrain},
        {.kind = LOAM_PORT_AREAS, .areas = village_make(&arena, &error)},
    };
    cell_write(plan, slots, &error);
    free(arena.memory);
    return 0;
}
