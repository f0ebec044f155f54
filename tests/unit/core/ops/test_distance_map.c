/* SPDX-License-Identifier: MIT
 *
 * test_distance_map.c: distances to lines, areas and points as densities and as attributes, against
 * the plain formula; reach to the unit; cells of every size; keys that see no farther.
 */
#include "core/space/lines.h"
#include "tests/support/forest.h"
#include "tests/support/node_probe.h"

#include <criterion/criterion.h>
#include <math.h>

enum { METRE = LOAM_UNITS_PER_METRE, ONE = LOAM_DENSITY_ONE };

#define NUMBER(to)                                                                                 \
    "how attribute.distance name='d' max_m=2560 points<sites to<" to,                              \
        "thick density.distance near_m=512 far_m=1536 points<sites to<" to,                        \
        "turned density.distance near_m=0 far_m=1536 near=4194304 far=12582912 inside=1 "          \
        "combine=1 "                                                                               \
        "curve=1 points<sites to<" to,                                                             \
        "sure density.distance near_m=0 far_m=1536 inside=2 combine=1 points<sites to<" to,        \
        "=how how", "=thick thick", "=turned turned", "=sure sure"

#define SITES "sites grid.sample spacing_m=200 density=8388608"

static const char *const area_lines[] = {"$to areas", SITES, NUMBER("$to"), NULL};
static const char *const line_lines[] = {"$to lines", SITES, NUMBER("$to"), NULL};
static const char *const site_lines[] = {"$to points", SITES, NUMBER("$to"), NULL};
static const char *const node_lines[] = {SITES, "others grid.sample spacing_m=3000 y_m=99",
                                         NUMBER("others"), "=others others", NULL};

/* Metres to the border of the box 4..9, 2..7, and whether inside. */
static double to_box(double x, double z, bool *inside) {
    double dx = fmax(4 - x, x - 9), dz = fmax(2 - z, z - 7);
    *inside = dx <= 0 && dz <= 0;
    return *inside ? fmin(-dx, -dz) : hypot(fmax(dx, 0), fmax(dz, 0));
}

/* Metres to the line from (2, 3) to (12, 3). */
static double to_line(double x, double z, bool *inside) {
    *inside = false;
    return hypot(fmax(fmax(2 - x, x - 12), 0), z - 3);
}

static double to_site(double x, double z, bool *inside) {
    *inside = false;
    return fmin(hypot(x - 5, z - 6), hypot(x - 11, z - 1));
}

static double clamped(double value) {
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void expect_distances(graph_world *world, loam_rect rect,
                             double (*rule)(double, double, bool *)) {
    loam_points how = world_points(world, "how", rect), thick = world_points(world, "thick", rect);
    loam_points turned = world_points(world, "turned", rect);
    loam_points sure = world_points(world, "sure", rect);
    cr_assert_gt(how.count, 100);
    for (uint32_t i = 0; i < how.count; i++) {
        bool inside;
        double d = rule((double)(rect.x0 + how.x[i]) / METRE, (double)(rect.z0 + how.z[i]) / METRE,
                        &inside);
        double t = clamped((d - 2) / 4), c = clamped(d / 6), bent = c * c * (3 - 2 * c);
        cr_expect_float_eq(point_number(&how, i, "d"), 65536 * fmin(d, 10), 2);
        cr_expect_float_eq(thick.density[i], ONE / 2 * (1 - t), 200);
        cr_expect_float_eq(turned.density[i], inside ? 0 : ONE * (0.25 + 0.5 * bent), 200);
        cr_expect_float_eq(sure.density[i], inside ? ONE : ONE * (1 - c), 200);
    }
}

static graph_world *area_world(int64_t times) {
    static const box_metres box = {4, 2, 9, 7, 500, 700};
    graph_world *world = world_sparse(area_lines, 5, times);
    world_bind(world, "to", areas_of_boxes(&box, 1));
    return world;
}

static loam_asset line_asset(int64_t end_m) {
    const int64_t xz[] = {2 * METRE, 3 * METRE, 12 * METRE, 3 * METRE, end_m * METRE, 3 * METRE};
    const loam_line line = {.xz = xz, .count = end_m > 12 ? 3 : 2, .key = 4};
    const loam_lines_source source = {&line, 1};
    loam_asset asset = {.kind = LOAM_PORT_LINES};
    loam_error error = {0};
    loam_arena *arena = malloc(sizeof *arena);
    *arena = arena_of(1 << 20);
    cr_assert_eq(loam_lines_build(&source, arena, &asset.lines, &error), LOAM_OK, "%s", error.text);
    return asset;
}

static loam_asset site_asset(void) {
    const loam_site sites[] = {{.x = 5 * METRE, .z = 6 * METRE, .key = 1},
                               {.x = 11 * METRE, .z = 1 * METRE, .key = 2}};
    const loam_sites_source source = {.sites = sites, .count = 2};
    loam_asset asset = {.kind = LOAM_PORT_POINTS};
    loam_error error = {0};
    loam_arena *arena = malloc(sizeof *arena);
    *arena = arena_of(1 << 20);
    cr_assert_eq(loam_sites_build(&source, arena, &asset.sites, &error), LOAM_OK, "%s", error.text);
    return asset;
}

static graph_world *line_world(int64_t times) {
    graph_world *world = world_sparse(line_lines, 5, times);
    world_bind(world, "to", line_asset(12));
    return world;
}

static graph_world *site_world(int64_t times) {
    graph_world *world = world_sparse(site_lines, 5, times);
    world_bind(world, "to", site_asset());
    return world;
}

Test(distance_map, to_the_border_of_an_area) {
    expect_distances(area_world(1), rect_of_metres(-10, -10, 32), to_box);
}

Test(distance_map, to_a_line) {
    expect_distances(line_world(1), rect_of_metres(-10, -10, 32), to_line);
}

Test(distance_map, to_points_of_an_asset) {
    expect_distances(site_world(1), rect_of_metres(-10, -10, 32), to_site);
}

Test(distance_map, to_points_of_a_node) {
    graph_world *world = world_of(node_lines, 5);
    loam_rect rect = rect_of_metres(0, 0, 64), around = rect_of_metres(-16, -16, 96);
    loam_points how = world_points(world, "how", rect);
    loam_points others = world_points(world, "others", around);
    for (uint32_t i = 0; i < how.count; i++) {
        double best = 10;
        for (uint32_t j = 0; j < others.count; j++) {
            double dx = (double)(rect.x0 + how.x[i] - around.x0 - others.x[j]) / METRE;
            double dz = (double)(rect.z0 + how.z[i] - around.z0 - others.z[j]) / METRE;
            best = fmin(best, hypot(dx, dz));
        }
        cr_expect_float_eq(point_number(&how, i, "d"), 65536 * best, 2);
    }
}

Test(distance_map, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    graph_world *worlds[] = {area_world(9), line_world(9), site_world(9),
                             world_sparse(node_lines, 5, 9)};
    for (size_t w = 0; w < 4; w++) {
        for (size_t c = 0; c < 4; c++) {
            cr_expect_gt(world_partition(worlds[w], "how", -cells[c], -cells[c], cells[c], 2), 0);
            cr_expect_gt(world_partition(worlds[w], "thick", -cells[c], 3, cells[c], 2), 0);
        }
    }
}

/* far_m = 100 units: the other point decides at 99 and is as good as absent at 100. */
Test(distance_map, reach_is_exact_to_the_unit) {
    static const char *const lines[] = {
        "a grid.sample spacing_m=100",
        "b grid.sample spacing_m=100",
        "probe density.distance near_m=0 far_m=100 points<a to<b",
        "number attribute.distance name='d' max_m=100 points<a to<b",
        "=p probe",
        "=n number",
        NULL};
    graph_world *world = world_of(lines, 1);
    const int64_t own[][2] = {{0, 0}}, other[][2] = {{99, 0}}, beyond[][2] = {{100, 0}};
    point_set a = probe_points(world, own[0], 1), b = probe_points(world, other[0], 1);
    point_set c = probe_points(world, beyond[0], 1);
    const loam_rect rect = {0, 0, 1, 1};
    const point_set *near[] = {&a, &b}, *at[] = {&a, &c};
    uint32_t density = probe_run(world, "probe", rect, near, 0).density[0];
    cr_expect_eq(density, ONE / 100);
    cr_expect_neq(probe_run(world, "probe", rect, near, 1).density[0], density,
                  "a reach less one unit must show");
    cr_expect_eq(probe_run(world, "probe", rect, at, 0).density[0], 0);
    cr_expect_eq(probe_run(world, "number", rect, near, 0).attributes[0].values[0], 99 * 256);
    cr_expect_eq(probe_run(world, "number", rect, at, 0).attributes[0].values[0], 100 * 256);
    cr_expect_eq(loam_plan_reach(world->plan, 0), 99);
    cr_expect_eq(loam_plan_reach(world->plan, 1), 99);
}

Test(distance_map, keys_see_as_far_as_distances_matter) {
    graph_world *world = line_world(1);
    loam_rect near = rect_of_metres(-32, -32, 64), far = rect_of_metres(32, -32, 64);
    uint64_t near_key = world_key(world, "thick", near), far_key = world_key(world, "thick", far);
    world_bind(world, "to", line_asset(64));
    cr_expect_neq(world_key(world, "thick", near), near_key);
    cr_expect_neq(world_key(world, "thick", far), far_key);
    loam_rect away = rect_of_metres(70, -32, 64);
    uint64_t away_key = world_key(world, "thick", away);
    world_bind(world, "to", line_asset(12));
    cr_expect_eq(world_key(world, "thick", away), away_key);
}

Test(distance_map, near_not_below_far_and_bad_names_are_faults) {
    static const char *const order[] = {"a grid.sample spacing_m=100",
                                        "b density.distance near_m=5 far_m=5 points<a to<a", "=b b",
                                        NULL};
    static const char *const name[] = {
        "a grid.sample spacing_m=100",
        "b attribute.distance name='$slope_deg' max_m=5 points<a to<a", "=b b", NULL};
    cr_expect_eq(world_fault(order).status, LOAM_OUT_OF_RANGE);
    cr_expect_eq(world_fault(name).status, LOAM_BAD_NAME);
}

Test(distance_map, nothing_to_measure_to_is_as_far_as_can_be) {
    static const char *const lines[] = {
        "a grid.sample spacing_m=100", "none filter.box min_m=[0,5,0] max_m=[0,5,0] points<a",
        "b density.distance near_m=5 far_m=50 far=77 points<a to<none", "=b b", NULL};
    loam_points points = world_points(world_of(lines, 5), "b", rect_of_metres(0, 0, 4));
    cr_assert_gt(points.count, 50);
    for (uint32_t i = 0; i < points.count; i++) {
        cr_expect_eq(points.density[i], 77);
    }
}
