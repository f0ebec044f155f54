/* SPDX-License-Identifier: MIT
 *
 * test_zone_buffer.c: density rises from the vetoed border outward; margins and buffers of
 * features; the veto with the same margin and the 0 of the buffer are the same points.
 */
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>
#include <math.h>

enum { METRE = LOAM_UNITS_PER_METRE, ONE = LOAM_DENSITY_ONE };

static const char *const lines[] = {
    "$zones areas",
    "sites grid.sample spacing_m=150",
    "soft zone.buffer width_m=2048 margin_m=512 points<sites zones<$zones",
    "bent zone.buffer width_m=2048 margin_m=512 curve=1 points<sites zones<$zones",
    "turned zone.buffer width_m=2048 margin_m=512 invert=1 points<sites zones<$zones",
    "hard zone.exclude margin_m=512 points<sites zones<$zones",
    "thin filter.density min=1 points<soft",
    "=soft soft",
    "=bent bent",
    "=turned turned",
    "=hard hard",
    "=thin thin",
    "=sites sites",
    NULL,
};

static graph_world *sparse_zone_world(int64_t margin, int64_t buffer, int64_t times) {
    const box_metres box = {10, 10, 20, 20, margin, buffer};
    graph_world *world = world_sparse(lines, 2, times);
    world_bind(world, "zones", areas_of_boxes(&box, 1));
    return world;
}

static graph_world *zone_world(int64_t margin, int64_t buffer) {
    return sparse_zone_world(margin, buffer, 1);
}

static double outward(double x, double z) {
    double dx = fmax(fmax(10 - x, x - 20), 0), dz = fmax(fmax(10 - z, z - 20), 0);
    return hypot(dx, dz);
}

static void expect_ramp(graph_world *world, double margin_m, double width_m) {
    loam_rect rect = rect_of_metres(0, 0, 40);
    loam_points soft = world_points(world, "soft", rect), bent = world_points(world, "bent", rect);
    loam_points turned = world_points(world, "turned", rect);
    for (uint32_t i = 0; i < soft.count; i++) {
        double d = outward((double)soft.x[i] / METRE, (double)soft.z[i] / METRE);
        double t = fmin(fmax((d - margin_m) / width_m, 0), 1);
        cr_expect_float_eq(soft.density[i], ONE * t, 400);
        cr_expect_float_eq(bent.density[i], ONE * t * t * (3 - 2 * t), 600);
        cr_expect_eq(turned.density[i], ONE - soft.density[i]);
    }
}

Test(zone_buffer, density_rises_over_the_width_beyond_the_margin) {
    expect_ramp(zone_world(LOAM_UNSET, LOAM_UNSET), 2, 8);
}

Test(zone_buffer, a_features_margin_adds_and_its_buffer_stands_in) {
    expect_ramp(zone_world(256, LOAM_UNSET), 3, 8);
    expect_ramp(zone_world(256, 1024), 3, 4);
}

Test(zone_buffer, density_is_0_exactly_where_the_veto_drops) {
    graph_world *world = zone_world(100, LOAM_UNSET);
    loam_rect rect = rect_of_metres(0, 0, 40);
    loam_points hard = world_points(world, "hard", rect), thin = world_points(world, "thin", rect);
    cr_expect_lt(thin.count, world_points(world, "sites", rect).count);
    for (uint32_t i = 0; i < thin.count; i++) {
        cr_expect_geq(point_row(&hard, thin.id[i]), 0);
    }
    cr_expect_leq(hard.count - thin.count, 4, "at most a few exactly on the border");
}

Test(zone_buffer, without_zones_near_it_changes_no_byte) {
    graph_world *world = zone_world(LOAM_UNSET, LOAM_UNSET);
    loam_rect rect = rect_of_metres(-128, -128, 64);
    cr_expect_eq(world_bytes(world, "soft", rect), world_bytes(world, "sites", rect));
}

Test(zone_buffer, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    graph_world *world = sparse_zone_world(LOAM_UNSET, 40 * METRE, 8);
    for (size_t c = 0; c < 4; c++) {
        cr_expect_gt(world_partition(world, "soft", 15 - cells[c], 15 - cells[c], cells[c], 2), 0);
    }
}

Test(zone_buffer, keys_see_zones_as_far_as_their_width) {
    graph_world *world = zone_world(LOAM_UNSET, LOAM_UNSET);
    loam_rect cell = {30 * METRE - 1, 0, 94 * METRE, 64 * METRE};
    loam_rect beyond = {30 * METRE, 0, 94 * METRE, 64 * METRE};
    uint64_t key = world_key(world, "soft", cell), far_key = world_key(world, "soft", beyond);
    const box_metres gone = {-500, -500, -490, -490, LOAM_UNSET, LOAM_UNSET};
    world_bind(world, "zones", areas_of_boxes(&gone, 1));
    cr_expect_neq(world_key(world, "soft", cell), key, "9.99 m away is within 2 + 8 m");
    cr_expect_eq(world_key(world, "soft", beyond), far_key, "10 m away is full density");
}
