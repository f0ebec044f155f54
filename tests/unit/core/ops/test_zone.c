/* SPDX-License-Identifier: MIT
 *
 * test_zone.c: zone.exclude against squares and a triangle that a test can measure in its head.
 */
#include "tests/unit/core/ops/operation_fixture.h"

enum { COUNT = 20000, SIDE = 4000 };

/* A square [1000, 2000] of its own margin, with a hole [1400, 1600], and a square without. */
static const loam_areas *zones_of(loam_arena *arena, int64_t margin) {
    static const int64_t outer[] = {1000, 1000, 2000, 1000, 2000, 2000, 1000, 2000, 1000, 1000};
    static const int64_t hole[] = {1400, 1400, 1600, 1400, 1600, 1600, 1400, 1600, 1400, 1400};
    static const int64_t small[] = {3000, 500, 3100, 500, 3100, 600, 3000, 600, 3000, 500};
    static const loam_ring rings[] = {{outer, 5}, {hole, 5}, {small, 5}};
    static const loam_polygon polygons[] = {{rings, 2, 0}, {rings + 2, 1, 1}};
    const loam_area_feature features[] = {{1, margin, LOAM_UNSET}, {2, LOAM_UNSET, LOAM_UNSET}};
    const loam_areas_source source = {polygons, 2, features, 2};
    const loam_areas *areas;
    cr_assert_eq(loam_areas_build(&source, arena, &areas, NULL), LOAM_OK);
    return areas;
}

/* Squared distance to a closed box; 0 inside. */
static int64_t box_distance2(int64_t x, int64_t z, int64_t x0, int64_t z0, int64_t x1, int64_t z1) {
    int64_t dx = x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
    int64_t dz = z < z0 ? z0 - z : z > z1 ? z - z1 : 0;
    return dx * dx + dz * dz;
}

/* How far inside the hole. */
static int64_t hole_depth(int64_t x, int64_t z) {
    if (x <= 1400 || x >= 1600 || z <= 1400 || z >= 1600) {
        return 0;
    }
    int64_t depth = x - 1400 < 1600 - x ? x - 1400 : 1600 - x;
    depth = z - 1400 < depth ? z - 1400 : depth;
    return 1600 - z < depth ? 1600 - z : depth;
}

static bool is_vetoed(int64_t x, int64_t z, int64_t own_margin, int64_t margin) {
    int64_t first = own_margin + margin;
    int64_t square = box_distance2(x, z, 1000, 1000, 2000, 2000);
    int64_t depth = hole_depth(x, z);
    bool in_first = (square == 0 && depth == 0) || (square > 0 && square < first * first) ||
                    (depth > 0 && depth < first);
    int64_t second = box_distance2(x, z, 3000, 500, 3100, 600);
    return in_first || second == 0 || second < margin * margin;
}

static point_set *points_here(void) {
    point_set *points = random_points(91, COUNT, SIDE);
    points->base_x = points->base_z = 0;
    return points;
}

static void expect_veto(int64_t own_margin, int64_t margin, int invert) {
    point_set *points = points_here();
    operation_fixture *fixture = fixture_of("zone.exclude");
    loam_asset zones = {.kind = LOAM_PORT_AREAS, .areas = zones_of(&fixture->arena, own_margin)};
    fixture->inputs[0] = points;
    fixture->assets[1] = &zones;
    fixture_set(fixture, "margin_m", margin);
    fixture_set(fixture, "invert", invert);
    point_set out = fixture_run(fixture);
    uint32_t vetoed = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        bool veto = is_vetoed(points->x[i], points->z[i], own_margin, margin);
        vetoed += veto;
        cr_assert_eq(is_live(&out, i), veto == (invert == 1), "%d %d", points->x[i], points->z[i]);
    }
    cr_expect(vetoed > 1000 && vetoed < COUNT);
}

Test(zone, points_inside_and_closer_than_the_margin_are_dropped) {
    expect_veto(0, 0, 0);
    expect_veto(0, 150, 0);
    expect_veto(0, 1, 0);
    expect_veto(0, 99, 0);
}

Test(zone, a_features_own_margin_is_added) {
    expect_veto(50, 0, 0);
    expect_veto(70, 31, 0);
}

Test(zone, inverted_it_keeps_what_it_would_drop) {
    expect_veto(0, 0, 1);
    expect_veto(50, 150, 1);
}

static bool is_kept(int32_t x, int32_t z, int64_t margin) {
    point_set *points = points_here();
    operation_fixture *fixture = fixture_of("zone.exclude");
    loam_asset zones = {.kind = LOAM_PORT_AREAS, .areas = zones_of(&fixture->arena, LOAM_UNSET)};
    points->count = 1;
    ((int32_t *)points->x)[0] = x;
    ((int32_t *)points->z)[0] = z;
    fixture->inputs[0] = points;
    fixture->assets[1] = &zones;
    fixture_set(fixture, "margin_m", margin);
    point_set out = fixture_run(fixture);
    return is_live(&out, 0);
}

Test(zone, a_border_belongs_to_its_zone_and_the_margin_is_strict) {
    cr_expect(!is_kept(1000, 1500, 0));
    cr_expect(is_kept(999, 1500, 0));
    cr_expect(!is_kept(1400, 1500, 0), "the border of a hole too");
    cr_expect(is_kept(1401, 1500, 0));
    cr_expect(!is_kept(951, 1500, 50));
    cr_expect(is_kept(950, 1500, 50));
    cr_expect(!is_kept(971, 960, 50), "29 and 40 from the corner");
    cr_expect(is_kept(970, 960, 50), "30 and 40 from it");
}

Test(zone, dead_points_are_left_behind) {
    point_set *points = points_here();
    uint32_t *live = calloc(column_size(COUNT), sizeof *live);
    live[5] = UINT32_MAX;
    points->live = live;
    operation_fixture *fixture = fixture_of("zone.exclude");
    loam_asset zones = {.kind = LOAM_PORT_AREAS, .areas = zones_of(&fixture->arena, 0)};
    fixture->inputs[0] = points;
    fixture->assets[1] = &zones;
    cr_expect_eq(fixture_run(fixture).count, 1);
    live[5] = 0;
    cr_expect_eq(fixture_run(fixture).count, 0);
}
