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

loam_asset ground_of(loam_port_kind kind) {
    static const loam_heightfield *hills;
    static const loam_areas *zones;
    if (hills == NULL) {
        hills = make_hills();
        zones = make_zones();
    }
    if (kind == LOAM_PORT_HEIGHTFIELD) {
        return (loam_asset){.kind = kind, .heightfield = hills};
    }
    return kind == LOAM_PORT_AREAS ? (loam_asset){.kind = kind, .areas = zones} : (loam_asset){0};
}
