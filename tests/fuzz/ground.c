/* SPDX-License-Identifier: MIT
 *
 * ground.c: see ground.h.
 */
#include "tests/fuzz/ground.h"

#include "tests/fuzz/property.h"

enum {
    SIDE = 33,
    SPACING_UNITS = 4 * LOAM_UNITS_PER_METRE,
    WEST = -SPACING_UNITS * (SIDE - 1) / 2,
};

static const loam_heightfield *make_hills(void) {
    static int32_t samples[SIDE * SIDE];
    static loam_heightfield field = {.width = SIDE,
                                     .height = SIDE,
                                     .spacing_fine = (int64_t)SPACING_UNITS * LOAM_FINE_PER_UNIT,
                                     .origin_x = WEST,
                                     .origin_z = WEST,
                                     .samples = samples};
    loam_heightmap recipe = {.seed = 5,
                             .width = SIDE,
                             .height = SIDE,
                             .spacing_fine = field.spacing_fine,
                             .origin_x = WEST,
                             .origin_z = WEST,
                             .wavelength = 20000,
                             .amplitude = 40 * LOAM_HEIGHT_STEPS_PER_METRE,
                             .base = 100 * LOAM_HEIGHT_STEPS_PER_METRE,
                             .octaves = 3};
    loam_error error = {0};
    require(loam_heightmap_fbm(&recipe, LOAM_SIMD_BASELINE, samples, &error) == LOAM_OK &&
                loam_heightfield_init(&field, &error) == LOAM_OK,
            "there are hills");
    return &field;
}

static const loam_areas *make_zones(void) {
    static const int64_t square[] = {0, 0, 4096, 0, 4096, 4096, 0, 4096, 0, 0};
    static const int64_t hole[] = {1024, 1024, 2048, 1024, 2048, 2048, 1024, 1024};
    static const int64_t triangle[] = {-3000, -2000, 900, -2500, -1500, 2000, -3000, -2000};
    static const loam_ring rings[] = {{square, 5}, {hole, 4}, {triangle, 4}};
    static const loam_polygon polygons[] = {{rings, 2, 0}, {rings + 2, 1, 1}};
    static const loam_area_feature features[] = {{11, 300, LOAM_UNSET},
                                                 {12, LOAM_UNSET, LOAM_UNSET}};
    const loam_areas_source source = {polygons, 2, features, 2};
    const loam_areas *areas = NULL;
    loam_error error = {0};
    loam_arena *arena = empty_arena(ARENA_GROUND, 1 << 20);
    require(loam_areas_build(&source, arena, &areas, &error) == LOAM_OK, "there are zones");
    return areas;
}

/* A way across, a ring, and two parts of one key. */
static const loam_lines *make_ways(void) {
    static const int64_t across[] = {-9000, -700, -100, 900, 3000, 700, 9000, 2500};
    static const int64_t ring[] = {500, 500, 2500, 500, 500, 2500, 500, 500};
    static const int64_t part[] = {0, 0, 777, 1001}, other[] = {0, 0, 778, 1001, -2000, 70};
    static const loam_line lines[] = {
        {across, 4, 0, 21}, {ring, 4, 1, 22}, {part, 2, 2, 23}, {other, 3, 2, 23}};
    const loam_lines_source source = {lines, 4};
    const loam_lines *ways = NULL;
    loam_error error = {0};
    loam_arena *arena = empty_arena(ARENA_WAYS, 1 << 20);
    require(loam_lines_build(&source, arena, &ways, &error) == LOAM_OK, "there are ways");
    return ways;
}

/* A few trees in a row, with a number, a fraction and a text that some lack. */
static const loam_sites *make_trees(void) {
    enum { TREES = 12 };
    static const loam_text kinds[] = {{"oak", 3}, {"pine", 4}};
    loam_site sites[TREES];
    int32_t ages[TREES], sizes[TREES], texts[TREES];
    for (int32_t i = 0; i < TREES; i++) {
        sites[i] = (loam_site){.x = i * 411 - 2000,
                               .z = i * 5 % TREES * 300 - 1000,
                               .y = i * 77 - 300,
                               .feature = (uint32_t)i,
                               .key = (uint64_t)(i / 2) + 31};
        ages[i] = i % 3 == 0 ? LOAM_MISSING : i * 11;
        sizes[i] = i * 30000 + 1;
        texts[i] = i % 4 == 0 ? LOAM_MISSING : i % 2;
    }
    const loam_attribute properties[] = {{{"age", 3}, LOAM_ATTRIBUTE_INT, ages, NULL, 0},
                                         {{"kind", 4}, LOAM_ATTRIBUTE_STRING, texts, kinds, 2},
                                         {{"size", 4}, LOAM_ATTRIBUTE_FLOAT, sizes, NULL, 0}};
    const loam_sites_source source = {sites, TREES, properties, 3};
    const loam_sites *trees = NULL;
    loam_error error = {0};
    loam_arena *arena = empty_arena(ARENA_TREES, 1 << 20);
    require(loam_sites_build(&source, arena, &trees, &error) == LOAM_OK, "there are trees");
    return trees;
}

loam_asset ground_of(loam_port_kind kind) {
    static loam_asset ground;
    if (ground.heightfield == NULL) {
        ground = (loam_asset){.heightfield = make_hills(),
                              .areas = make_zones(),
                              .lines = make_ways(),
                              .sites = make_trees()};
    }
    bool there = kind == LOAM_PORT_HEIGHTFIELD || kind == LOAM_PORT_AREAS ||
                 kind == LOAM_PORT_LINES || kind == LOAM_PORT_POINTS;
    loam_asset asset = ground;
    asset.kind = kind;
    return there ? asset : (loam_asset){0};
}
