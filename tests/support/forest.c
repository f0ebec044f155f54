/* SPDX-License-Identifier: MIT
 *
 * forest.c: see forest.h.
 */
#include "tests/support/forest.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "forest: %s %s %s\n", loam_status_code(status), error->pointer,
                error->text);
        abort();
    }
}

forest_options forest_default(void) {
    return (forest_options){
        .spacing = 154,
        .radius = 308,
        .height_min = 300 * 256,
        .height_max = 1400 * 256,
        .slope_max_deg = 25,
        .wavelength = 96 * 256,
        .octaves = 2,
        .contrast = 65536,
        .bias = 65536 * 6 / 10,
        .rounds = 3,
    };
}

static void set_integer(loam_graph *graph, const char *node, const char *key, int64_t value) {
    loam_error error = {0};
    loam_value integer = {.kind = LOAM_VALUE_INTEGER, .integer = value};
    must(loam_graph_set(graph, loam_text_of(node), loam_text_of(key), &integer, &error), &error);
}

static void add_node(loam_graph *graph, const char *name, const char *operation, const char *port,
                     const char *source) {
    loam_error error = {0};
    must(loam_graph_add_node(graph, loam_text_of(name), loam_text_of(operation), 0, &error),
         &error);
    if (port != NULL) {
        must(loam_graph_connect(graph, loam_text_of(name), loam_text_of(port), loam_text_of(source),
                                &error),
             &error);
    }
}

static void add_sampler(loam_graph *graph, forest_options options) {
    loam_error error = {0};
    if (options.flat) {
        add_node(graph, "sites", "grid.sample", NULL, NULL);
        set_integer(graph, "sites", "y_m", options.height_min);
    } else {
        must(loam_graph_add_slot(graph, loam_text_of("terrain"), LOAM_PORT_HEIGHTFIELD, &error),
             &error);
        add_node(graph, "sites", "surface.sample", "surface", "$terrain");
    }
    set_integer(graph, "sites", "spacing_m", options.spacing);
}

static void add_chain(loam_graph *graph, forest_options options) {
    add_node(graph, "gentle", "filter.slope", "points", "sites");
    set_integer(graph, "gentle", "max_deg", options.slope_max_deg * 65536);
    add_node(graph, "band", "filter.height", "points", "gentle");
    set_integer(graph, "band", "min_m", options.height_min);
    set_integer(graph, "band", "max_m", options.height_max);
    add_node(graph, "field", "density.noise", "points", "band");
    set_integer(graph, "field", "wavelength_m", options.wavelength);
    set_integer(graph, "field", "octaves", options.octaves);
    set_integer(graph, "field", "contrast", options.contrast);
    set_integer(graph, "field", "bias", options.bias);
    add_node(graph, "drawn", "density.cull", "points", "field");
    add_node(graph, "spaced", "self.prune", "points", "drawn");
    set_integer(graph, "spaced", "radius_m", options.radius);
    set_integer(graph, "spaced", "rounds", options.rounds);
}

static void add_transform(loam_graph *graph, const char *source) {
    loam_error error = {0};
    loam_value pine = {.kind = LOAM_VALUE_TEXT, .text = loam_text_of("pine")};
    add_node(graph, "trees", "transform.scatter", "points", source);
    set_integer(graph, "trees", "scale_min", LOAM_SCALE_ONE * 8 / 10);
    set_integer(graph, "trees", "scale_max", LOAM_SCALE_ONE * 16 / 10);
    set_integer(graph, "trees", "tilt_max_deg", 6 * 65536);
    must(loam_graph_set(graph, loam_text_of("trees"), loam_text_of("asset"), &pine, &error),
         &error);
    must(loam_graph_add_output(graph, loam_text_of("trees"), loam_text_of("trees"), 0, &error),
         &error);
}

void forest_build(loam_graph *graph, loam_arena *arena, forest_options options) {
    loam_error error = {0};
    loam_graph_sizes sizes = {.nodes = 8, .slots = 2, .outputs = 1};
    must(loam_graph_init(graph, sizes, arena, &error), &error);
    add_sampler(graph, options);
    add_chain(graph, options);
    if (options.zones) {
        must(loam_graph_add_slot(graph, loam_text_of("village"), LOAM_PORT_AREAS, &error), &error);
        add_node(graph, "kept", "zone.exclude", "points", "spaced");
        must(loam_graph_connect(graph, loam_text_of("kept"), loam_text_of("zones"),
                                loam_text_of("$village"), &error),
             &error);
    }
    add_transform(graph, options.zones ? "kept" : "spaced");
}

loam_heightfield *terrain_hills(uint32_t samples, int64_t spacing_fine, int64_t origin_x,
                                int64_t origin_z) {
    loam_error error = {0};
    loam_heightfield *field = malloc(sizeof *field);
    int32_t *heights = malloc((size_t)samples * samples * sizeof *heights);
    loam_heightmap recipe = {
        .seed = 11,
        .width = samples,
        .height = samples,
        .spacing_fine = spacing_fine,
        .origin_x = origin_x,
        .origin_z = origin_z,
        .wavelength = 512 * 256,
        .amplitude = 60 * 65536,
        .base = 600 * 65536,
        .octaves = 4,
    };
    must(loam_heightmap_fbm(&recipe, LOAM_SIMD_BEST, heights, &error), &error);
    *field = (loam_heightfield){
        .width = samples,
        .height = samples,
        .spacing_fine = spacing_fine,
        .origin_x = origin_x,
        .origin_z = origin_z,
        .samples = heights,
    };
    must(loam_heightfield_init(field, &error), &error);
    return field;
}

/* Large pages, as the daemon's workers have them. */
loam_arena arena_of(size_t bytes) {
    loam_arena arena;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        abort();
    }
    madvise(memory, bytes, MADV_HUGEPAGE);
    loam_arena_init(&arena, memory, bytes);
    return arena;
}
