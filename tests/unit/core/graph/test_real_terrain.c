/* SPDX-License-Identifier: MIT
 *
 * test_real_terrain.c: the forest on real terrain, judged by code that shares nothing with the
 * operations: a bilinear patch in double, and crossings of a ray with exact products. And how much
 * one edited sample of a real terrain rebuilds.
 */
#include "tests/support/forest.h"
#include "tests/unit/core/graph/graph_text.h"
#include "tests/unit/core/graph/terrain_file.h"

#include <math.h>

enum { METRE = LOAM_UNITS_PER_METRE, CORNERS = 40, ZONES = 3 };

static const terrain_file cape_flattery = {"terrain/cape_flattery.r16", 513, 30, -11, 64};
static const terrain_file bayreuth = {"terrain/bayreuth.r16", 257, 32, 307, 256};

/* Rounding of each gradient component to 1/4,096 moves a slope of 25 degrees by at most 0.009. */
#define SLOPE_TOLERANCE_DEG 0.01
/* Rounding of a height down to 1/65,536 m and then to nearest unit. */
#define HEIGHT_TOLERANCE_M (0.5 / 256 + 1.0 / 65536 + 1e-9)

/* Height and slope of the bilinear patch, metres and degrees. */
static void patch_at(const loam_heightfield *field, double spacing_m, double x_m, double z_m,
                     double *height_m, double *slope_deg) {
    double u = x_m / spacing_m, v = z_m / spacing_m;
    long i = (long)floor(u), j = (long)floor(v);
    i = i > (long)field->width - 2 ? (long)field->width - 2 : i;
    j = j > (long)field->height - 2 ? (long)field->height - 2 : j;
    double p = u - (double)i, q = v - (double)j;
    const int32_t *at = field->samples + j * (long)field->width + i;
    double sw = at[0] / 65536.0, se = at[1] / 65536.0;
    double nw = at[field->width] / 65536.0, ne = at[field->width + 1] / 65536.0;
    *height_m = (sw * (1 - p) + se * p) * (1 - q) + (nw * (1 - p) + ne * p) * q;
    double gx = ((se - sw) * (1 - q) + (ne - nw) * q) / spacing_m;
    double gz = ((nw - sw) * (1 - p) + (ne - se) * p) / spacing_m;
    *slope_deg = atan(sqrt(gx * gx + gz * gz)) * 180 / 3.14159265358979323846;
}

/* Ragged rings around places on land; the first has a hole. */
typedef struct test_zones {
    int64_t xz[ZONES + 1][2 * (CORNERS + 1)];
    loam_ring rings[ZONES + 1];
    loam_polygon polygons[ZONES];
    loam_area_feature features[ZONES];
} test_zones;

static void ragged_ring(test_random *random, int64_t x_m, int64_t z_m, double size_m,
                        int64_t xz[2 * (CORNERS + 1)]) {
    for (int i = 0; i < CORNERS; i++) {
        double angle = i * 2 * 3.14159265358979323846 / CORNERS;
        double radius = size_m * (0.6 + 0.4 * (double)random_between(random, 0, 1000) / 1000);
        xz[2 * i] = (int64_t)floor(((double)x_m + radius * cos(angle)) * METRE);
        xz[2 * i + 1] = (int64_t)floor(((double)z_m + radius * sin(angle)) * METRE);
    }
    xz[2 * CORNERS] = xz[0];
    xz[2 * CORNERS + 1] = xz[1];
}

static const loam_areas *make_zones(test_zones *zones, loam_arena *arena) {
    static const int64_t places[ZONES][2] = {{9000, 7000}, {11000, 11000}, {12500, 3500}};
    test_random random = {3};
    loam_error error = {0};
    for (int k = 0; k < ZONES; k++) {
        ragged_ring(&random, places[k][0], places[k][1], 1500, zones->xz[k]);
        zones->rings[k] = (loam_ring){zones->xz[k], CORNERS + 1};
    }
    ragged_ring(&random, places[0][0], places[0][1], 500, zones->xz[ZONES]);
    zones->rings[ZONES] = zones->rings[1];
    zones->rings[1] = (loam_ring){zones->xz[ZONES], CORNERS + 1};
    zones->polygons[0] = (loam_polygon){&zones->rings[0], 2, 0};
    zones->polygons[1] = (loam_polygon){&zones->rings[ZONES], 1, 1};
    zones->polygons[2] = (loam_polygon){&zones->rings[2], 1, 2};
    for (uint32_t k = 0; k < ZONES; k++) {
        zones->features[k] = (loam_area_feature){k + 1, LOAM_UNSET, LOAM_UNSET};
    }
    const loam_areas_source source = {zones->polygons, ZONES, zones->features, ZONES};
    const loam_areas *areas;
    cr_assert_eq(loam_areas_build(&source, arena, &areas, &error), LOAM_OK, "%s", error.text);
    return areas;
}

/* Even-odd over all rings of a polygon: places are below 2^23, so products fit. */
static bool polygon_holds(const loam_polygon *polygon, int64_t x, int64_t z) {
    bool inside = false;
    for (uint32_t r = 0; r < polygon->ring_count; r++) {
        const loam_ring *ring = &polygon->rings[r];
        for (uint32_t i = 0; i + 1 < ring->count; i++) {
            const int64_t *a = ring->xz + 2 * i, *b = a + 2;
            if ((a[1] > z) == (b[1] > z)) {
                continue;
            }
            int64_t side = (b[0] - a[0]) * (z - a[1]) - (x - a[0]) * (b[1] - a[1]);
            inside ^= b[1] > a[1] ? side > 0 : side < 0;
        }
    }
    return inside;
}

static bool in_a_zone(const test_zones *zones, int64_t x, int64_t z) {
    for (int k = 0; k < ZONES; k++) {
        if (polygon_holds(&zones->polygons[k], x, z)) {
            return true;
        }
    }
    return false;
}

/* What is wrong with the trees of a forest. */
typedef struct verdict {
    uint32_t trees, steep, outside_band, in_zone, off_ground;
} verdict;

static void judge(const loam_heightfield *field, const test_zones *zones, const loam_points *points,
                  verdict *found) {
    for (uint32_t i = 0; i < points->count; i++) {
        int64_t x = points->rect.x0 + points->x[i], z = points->rect.z0 + points->z[i];
        double height_m, slope_deg, y_m = points->y[i] / (double)METRE;
        patch_at(field, 30, (double)x / METRE, (double)z / METRE, &height_m, &slope_deg);
        found->steep += slope_deg > 25 + SLOPE_TOLERANCE_DEG;
        found->off_ground += fabs(height_m - y_m) > HEIGHT_TOLERANCE_M;
        found->outside_band += y_m < 20 || y_m > 420;
        found->in_zone += in_a_zone(zones, x, z);
    }
    found->trees += points->count;
}

/* All of the map, in cells of 1,024 m; those on its far sides lie half outside of it. */
static verdict forest_verdict(const loam_heightfield *field, forest_options options) {
    verdict found = {0};
    loam_graph graph;
    loam_error error = {0};
    loam_arena arena = arena_of((size_t)1 << 28);
    test_zones zones;
    const loam_areas *areas = make_zones(&zones, &arena);
    const loam_asset slots[] = {{.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = field},
                                {.kind = LOAM_PORT_AREAS, .areas = areas}};
    loam_query query = {.slots = slots};
    forest_build(&graph, &arena, options);
    text_must(loam_plan_build(&graph, 7, &arena, &query.plan, &error), &error, "plan");
    for (int64_t k = 0; k < 256; k++) {
        size_t mark = loam_arena_mark(&arena);
        int64_t x = k % 16 * 1024 * METRE, z = k / 16 * 1024 * METRE;
        loam_run run = {.arena = &arena};
        loam_points points;
        query.rect = (loam_rect){x, z, x + 1024 * METRE, z + 1024 * METRE};
        text_must(loam_cell_build(&query, &run, &points, &error), &error, "cell");
        judge(field, &zones, &points, &found);
        loam_arena_reset(&arena, mark);
    }
    return found;
}

static forest_options forest_of(int64_t spacing_m) {
    forest_options options = forest_default();
    options.spacing = spacing_m * METRE;
    options.radius = spacing_m * METRE * 3 / 2;
    options.height_min = 20 * METRE;
    options.height_max = 420 * METRE;
    options.zones = true;
    return options;
}

Test(real_terrain, no_tree_stands_too_steep_nor_too_high_nor_in_a_zone) {
    const loam_heightfield *field = terrain_read(&cape_flattery);
    if (field == NULL) {
        return;
    }
    verdict found = forest_verdict(field, forest_of(8));
    cr_expect_gt(found.trees, 100000);
    cr_expect_eq(found.steep, 0, "%u of %u trees", found.steep, found.trees);
    cr_expect_eq(found.outside_band, 0, "%u of %u trees", found.outside_band, found.trees);
    cr_expect_eq(found.in_zone, 0, "%u of %u trees", found.in_zone, found.trees);
    cr_expect_eq(found.off_ground, 0, "%u of %u trees", found.off_ground, found.trees);
}

/* The judge sees what it is to see: without the rules, trees break every one of them. */
Test(real_terrain, a_forest_without_rules_breaks_each_of_them) {
    const loam_heightfield *field = terrain_read(&cape_flattery);
    if (field == NULL) {
        return;
    }
    forest_options options = forest_of(16);
    options.slope_max_deg = 90;
    options.height_min = -100 * METRE;
    options.height_max = 1000 * METRE;
    options.zones = false;
    verdict found = forest_verdict(field, options);
    cr_expect_gt(found.steep, 1000);
    cr_expect_gt(found.outside_band, 1000);
    cr_expect_gt(found.in_zone, 1000);
    cr_expect_eq(found.off_ground, 0);
}

enum { CELLS = 32, SAMPLES = 257 };

static void digest_keys(loam_query *query, loam_arena *scratch, uint64_t digests[CELLS * CELLS]) {
    for (int64_t k = 0; k < CELLS * CELLS; k++) {
        int64_t x = k % CELLS * 256 * METRE, z = k / CELLS * 256 * METRE;
        byte_buffer key = {0};
        loam_error error = {0};
        query->rect = (loam_rect){x, z, x + 256 * METRE, z + 256 * METRE};
        text_must(loam_cell_key(query, buffer_sink(&key), scratch, &error), &error, "key");
        digests[k] = 0xcbf29ce484222325u;
        for (size_t i = 0; i < key.size; i++) {
            digests[k] = (digests[k] ^ key.bytes[i]) * 0x100000001b3u;
        }
        buffer_fini(&key);
    }
}

Test(real_terrain, one_edited_sample_misses_at_most_4_of_1024_cells) {
    static uint64_t before[CELLS * CELLS], after[CELLS * CELLS];
    const loam_heightfield *field = terrain_read(&bayreuth);
    if (field == NULL) {
        return;
    }
    loam_graph graph;
    loam_error error = {0};
    loam_arena arena = arena_of((size_t)1 << 26);
    const loam_asset slot = {.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = field};
    loam_query query = {.slots = &slot};
    forest_build(&graph, &arena, forest_default());
    text_must(loam_plan_build(&graph, 7, &arena, &query.plan, &error), &error, "plan");
    digest_keys(&query, &arena, before);
    static const uint32_t places[][2] = {{0, 0}, {256, 256}, {128, 128}, {100, 37}, {8, 9},
                                         {7, 8}, {255, 3},   {129, 127}, {64, 250}, {0, 100}};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        int32_t *sample = (int32_t *)field->samples + places[p][1] * SAMPLES + places[p][0];
        uint32_t missed = 0;
        *sample += 256;
        digest_keys(&query, &arena, after);
        *sample -= 256;
        for (int k = 0; k < CELLS * CELLS; k++) {
            missed += before[k] != after[k];
        }
        cr_expect(missed >= 1 && missed <= 4, "sample %u %u: %u cells", places[p][0], places[p][1],
                  missed);
    }
}
