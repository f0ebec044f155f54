/* SPDX-License-Identifier: MIT
 *
 * test_filter_place.c: box, circle and polygon against the plain rule, point by point; borders
 * belong; P2.
 */
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE };

static const char *const box_lines[] = {
    "sites grid.sample spacing_m=300 y_m=512",
    "kept filter.box min_m=[-5000,512,-2000] max_m=[9001,512,6000] points<sites",
    "rest filter.box min_m=[-5000,512,-2000] max_m=[9001,512,6000] invert=1 points<sites",
    "above filter.box min_m=[-90000,513,-90000] max_m=[90000,600,90000] points<sites",
    "=sites sites",
    "=kept kept",
    "=rest rest",
    "=above above",
    NULL,
};

static const char *const circle_lines[] = {
    "sites grid.sample spacing_m=256 jitter=0",
    "kept filter.radius x_m=0 z_m=256 radius_m=1280 points<sites",
    "rest filter.radius x_m=0 z_m=256 radius_m=1280 invert=1 points<sites",
    "=sites sites",
    "=kept kept",
    "=rest rest",
    NULL,
};

static const char *const polygon_lines[] = {
    "$village areas",
    "sites grid.sample spacing_m=128 jitter=0",
    "kept filter.polygon points<sites areas<$village",
    "rest filter.polygon invert=1 points<sites areas<$village",
    "=sites sites",
    "=kept kept",
    "=rest rest",
    NULL,
};

/* Whether `kept` is what `rule` keeps of `sites`, and `rest` what it does not. */
static void expect_split(graph_world *world, loam_rect rect, bool (*rule)(int64_t, int64_t)) {
    loam_points all = world_points(world, "sites", rect);
    loam_points kept = world_points(world, "kept", rect);
    loam_points rest = world_points(world, "rest", rect);
    cr_assert_gt(kept.count, 0);
    cr_expect_eq(kept.count + rest.count, all.count);
    for (uint32_t i = 0; i < all.count; i++) {
        bool want = rule(rect.x0 + all.x[i], rect.z0 + all.z[i]);
        cr_expect_eq(point_row(&kept, all.id[i]) >= 0, want);
        cr_expect_eq(point_row(&rest, all.id[i]) >= 0, !want);
    }
}

static bool in_box(int64_t x, int64_t z) {
    return x >= -5000 && x <= 9001 && z >= -2000 && z <= 6000;
}

static bool in_circle(int64_t x, int64_t z) {
    return x * x + (z - 256) * (z - 256) <= 1280 * 1280;
}

static bool in_village(int64_t x, int64_t z) {
    return x >= 4 * METRE && x <= 9 * METRE && z >= 2 * METRE && z <= 7 * METRE;
}

static graph_world *village_world(void) {
    static const box_metres box = {4, 2, 9, 7, 500, LOAM_UNSET};
    graph_world *world = world_of(polygon_lines, 5);
    world_bind(world, "village", areas_of_boxes(&box, 1));
    return world;
}

Test(filter_place, box_keeps_what_lies_in_it_with_its_faces) {
    graph_world *world = world_of(box_lines, 5);
    expect_split(world, rect_of_metres(-40, -40, 80), in_box);
    cr_expect_eq(world_points(world, "above", rect_of_metres(-40, -40, 80)).count, 0);
}

Test(filter_place, circle_keeps_what_lies_in_it_with_its_edge) {
    graph_world *world = world_of(circle_lines, 5);
    loam_rect rect = rect_of_metres(-10, -10, 20);
    expect_split(world, rect, in_circle);
    cr_expect_eq(world_points(world, "kept", (loam_rect){1280, 256, 1281, 257}).count, 1);
    cr_expect_eq(world_points(world, "kept", (loam_rect){768, 1280, 769, 1281}).count, 1,
                 "3, 4, 5");
}

Test(filter_place, polygon_keeps_what_lies_in_it_and_takes_no_margin) {
    expect_split(village_world(), rect_of_metres(0, 0, 16), in_village);
}

Test(filter_place, cells_of_any_size_give_one_set) {
    static const char *const *const worlds[] = {box_lines, circle_lines};
    static const int64_t cells[] = {64, 100, 256, 333};
    for (size_t w = 0; w < 2; w++) {
        graph_world *world = world_sparse(worlds[w], 77, 3);
        for (size_t c = 0; c < 4; c++) {
            cr_expect_gt(world_partition(world, "kept", -cells[c], -cells[c], cells[c], 2), 0);
        }
    }
    for (size_t c = 0; c < 4; c++) {
        cr_expect_gt(world_partition(village_world(), "kept", -cells[c], -cells[c], cells[c], 2),
                     0);
    }
}

Test(filter_place, far_from_the_origin_nothing_overflows) {
    static const char *const lines[] = {
        "sites grid.sample spacing_m=1048576 jitter=0",
        "near filter.radius x_m=-1099511627776 z_m=0 radius_m=1073741824 points<sites",
        "far filter.radius x_m=0 z_m=0 radius_m=1073741824 points<near",
        "=far far",
        "=near near",
        NULL};
    graph_world *world = world_of(lines, 1);
    loam_rect corner = {-1099511627776, 0, -1099511627776 + 1048576, 1048576};
    cr_expect_eq(world_points(world, "near", corner).count, 1);
    cr_expect_eq(world_points(world, "far", corner).count, 0);
}

Test(filter_place, a_box_inside_out_is_a_fault_at_its_corner) {
    static const char *const lines[] = {"sites grid.sample spacing_m=300",
                                        "kept filter.box min_m=[0,0,1] max_m=[1,1,0] points<sites",
                                        "=kept kept", NULL};
    loam_error fault = world_fault(lines);
    cr_expect_eq(fault.status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(fault.pointer, "/nodes/kept/params/min_m/2");
}

Test(filter_place, two_numbers_are_no_corner) {
    static const char *const lines[] = {"sites grid.sample spacing_m=300",
                                        "kept filter.box min_m=[0,0] points<sites", NULL};
    cr_expect_str_eq(world_fault(lines).pointer, "/nodes/kept/params/min_m");
}

Test(filter_place, moving_a_polygon_out_of_sight_changes_no_key) {
    static const box_metres near[] = {{4, 2, 9, 7, LOAM_UNSET, LOAM_UNSET},
                                      {400, 2, 409, 7, LOAM_UNSET, LOAM_UNSET}};
    static const box_metres moved[] = {{4, 2, 9, 7, LOAM_UNSET, LOAM_UNSET},
                                       {500, 2, 509, 7, LOAM_UNSET, LOAM_UNSET}};
    graph_world *world = village_world();
    world_bind(world, "village", areas_of_boxes(near, 2));
    loam_rect cell = rect_of_metres(0, 0, 64), far = rect_of_metres(384, 0, 64);
    uint64_t key = world_key(world, "kept", cell), far_key = world_key(world, "kept", far);
    world_bind(world, "village", areas_of_boxes(moved, 2));
    cr_expect_eq(world_key(world, "kept", cell), key);
    cr_expect_neq(world_key(world, "kept", far), far_key);
}
