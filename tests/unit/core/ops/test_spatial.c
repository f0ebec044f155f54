/* SPDX-License-Identifier: MIT
 *
 * test_spatial.c: spatial values in whole graphs: what filters and samplers make of them at every
 * cell size, what keys see, what is a fault.
 */
#include "core/base/mix.h"
#include "core/graph/graph.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE, SQUARE_M = 300 };

/* A square and a triangle around (x, z), 150 m and more across. */
static const loam_areas *areas_at(loam_arena *arena, int64_t x_m, int64_t z_m) {
    int64_t x = x_m * METRE, z = z_m * METRE, side = 150 * METRE;
    const int64_t square[] = {x, z, x + side, z, x + side, z + side, x, z + side, x, z};
    const int64_t triangle[] = {x + 2 * side, z, x + side, z + 2 * side, x, z + side,
                                x + 2 * side, z};
    const loam_ring rings[] = {{square, 5}, {triangle, 4}};
    const loam_polygon polygons[] = {{rings, 1, 0}, {rings + 1, 1, 1}};
    const loam_area_feature features[] = {{11, 300, LOAM_UNSET}, {12, LOAM_UNSET, LOAM_UNSET}};
    const loam_areas_source source = {polygons, 2, features, 2};
    const loam_areas *areas;
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&source, arena, &areas, &error), LOAM_OK, "%s", error.text);
    return areas;
}

static const loam_lines *lines_at(loam_arena *arena, int64_t x_m, int64_t z_m, int64_t bend) {
    int64_t x = x_m * METRE, z = z_m * METRE;
    const int64_t way[] = {x - 9000,  z + 77,    x + 30000, z + 20000 + bend,
                           x + 40001, z + 60003, x + 99000, z + 61000};
    const loam_line line = {.xz = way, .count = 4, .key = 5};
    const loam_lines_source source = {&line, 1};
    const loam_lines *lines;
    loam_error error = {0};
    cr_assert_eq(loam_lines_build(&source, arena, &lines, &error), LOAM_OK, "%s", error.text);
    return lines;
}

static void bind(sketch *graph, int64_t x_m, int64_t z_m) {
    for (uint32_t i = 0; i < graph->graph.slot_count; i++) {
        loam_asset *slot = &graph->slots[i];
        slot->areas = slot->kind == LOAM_PORT_AREAS ? areas_at(&graph->arena, x_m, z_m) : NULL;
        slot->lines = slot->kind == LOAM_PORT_LINES ? lines_at(&graph->arena, x_m, z_m, 0) : NULL;
        slot->heightfield = slot->kind == LOAM_PORT_HEIGHTFIELD
                                ? terrain_hills(129, (int64_t)4 * METRE << 16, (x_m - 100) * METRE,
                                                (z_m - 100) * METRE)
                                : NULL;
    }
}

/* The same points from every cell size, and how many. */
static uint32_t check_partition(const char *const *lines, int64_t x_m, int64_t z_m) {
    sketch *graph = sketch_of(lines, 42);
    point_union whole = {0};
    bind(graph, x_m, z_m);
    const char *difference = sketch_partition(graph, x_m, z_m, SQUARE_M, &whole);
    cr_expect_null(difference, "%s", difference);
    uint32_t count = whole.count;
    union_fini(&whole);
    return count;
}

static const char *const everything[] = {
    "$zones areas",
    "$river lines",
    "$terrain heightfield",
    "sites grid.sample spacing_m=700 y_m=2000",
    "rocks grid.sample spacing_m=9000",
    "box spatial.box min_m=[0,0,0] max_m=[40000,9000,50000]",
    "ball spatial.sphere center_m=[30000,0,30000] radius_m=20000",
    "way spatial.tube radius_m=2000 min_y_m=0 max_y_m=5000 lines<$river",
    "block spatial.prism min_y_m=0 max_y_m=5000 areas<$zones",
    "near spatial.points radius_m=3000 points<rocks",
    "first spatial.union a<box b<way",
    "second spatial.difference a<first b<near",
    "third spatial.intersection a<block b<$terrain",
    "fourth spatial.union a<second b<third",
    "last spatial.difference a<fourth b<ball",
    "kept filter.spatial points<sites domain<last",
    "=points kept",
    NULL,
};

Test(spatial, a_filter_by_every_shape_has_no_seams) {
    cr_expect_gt(check_partition(everything, 0, 0), 1000);
    cr_expect_gt(check_partition(everything, -77, -333), 1000);
}

static const char *const inverted[] = {
    "$zones areas",
    "sites grid.sample spacing_m=700",
    "in filter.spatial points<sites domain<$zones",
    "out filter.spatial invert=1 points<sites domain<$zones",
    "both merge a<in b<out",
    "=in in",
    "=out out",
    NULL,
};

Test(spatial, a_filter_and_its_inverse_share_all_points) {
    uint32_t kept = check_partition(inverted, 500, 500);
    sketch *graph = sketch_of(inverted, 42);
    bind(graph, 500, 500);
    loam_rect rect = {500 * METRE, 500 * METRE, 800 * METRE, 800 * METRE};
    loam_arena arena = arena_of(64 << 20);
    const loam_query query = {
        .plan = graph->plan, .output = 1, .rect = rect, .slots = graph->slots};
    const loam_run run = {.arena = &arena};
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(loam_cell_build(&query, &run, &points, &error), LOAM_OK, "%s", error.text);
    static const char *const plain[] = {"sites grid.sample spacing_m=700", "=points sites", NULL};
    uint32_t all = check_partition(plain, 500, 500);
    cr_expect_gt(kept, 100);
    cr_expect_gt(points.count, 100);
    cr_expect_eq(kept + points.count, all);
}

static const char *const in_space[] = {
    "ball spatial.sphere center_m=[38400,1000,38400] radius_m=30000",
    "hole spatial.box min_m=[30000,-90000,20000] max_m=[45000,90000,60000]",
    "shell spatial.difference a<ball b<hole",
    "sites spatial.sample spacing_m=1500 density=1000000 domain<shell",
    "=points sites",
    NULL,
};

Test(spatial, a_lattice_in_space_has_no_seams_and_no_two_equal_ids) {
    sketch *graph = sketch_of(in_space, 7);
    point_union whole = {0};
    const char *difference = sketch_partition(graph, 0, 0, SQUARE_M, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_gt(whole.count, 10000);
    for (uint32_t i = 0; i < whole.count; i++) {
        for (uint32_t j = i + 1; j < i + 40 && j < whole.count; j++) {
            cr_assert_neq(whole.points[i].id, whole.points[j].id);
        }
    }
    union_fini(&whole);
}

/* The share of a ball in its bounding box. */
Test(spatial, a_ball_gets_as_many_points_as_its_volume_has_sites) {
    sketch *graph = sketch_of(
        (const char *const[]){"ball spatial.sphere center_m=[40000,0,40000] radius_m=30000",
                              "sites spatial.sample spacing_m=1000 domain<ball", "=points sites",
                              NULL},
        7);
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, (loam_rect){0, 0, 80000, 80000}, &points, &error), LOAM_OK,
                 "%s", error.text);
    cr_expect_gt(points.count, 113097 * 99 / 100);
    cr_expect_lt(points.count, 113097 * 101 / 100);
    for (uint32_t i = 0; i < points.count; i++) {
        int64_t dx = points.x[i] - 40000, dy = points.y[i], dz = points.z[i] - 40000;
        cr_assert_leq(dx * dx + dy * dy + dz * dz, (int64_t)30000 * 30000);
    }
}

Test(spatial, without_jitter_points_stand_on_the_lattice_between_the_heights) {
    sketch *graph = sketch_of(
        (const char *const[]){"$zones areas",
                              "sites spatial.sample spacing_m=2560 jitter=0 min_y_m=-2560 "
                              "max_y_m=5119 domain<$zones",
                              "=points sites", NULL},
        7);
    bind(graph, 0, 0);
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, (loam_rect){0, 0, 25600, 25600}, &points, &error), LOAM_OK,
                 "%s", error.text);
    cr_expect_eq(points.count, 10 * 10 * 3);
    for (uint32_t i = 0; i < points.count; i++) {
        cr_expect_eq(points.x[i] % 2560, 0);
        cr_expect_eq(points.y[i] % 2560, 0);
        cr_expect(points.y[i] >= -2560 && points.y[i] <= 2560);
    }
}

static loam_error fault_of(const char *const *lines) {
    sketch *graph;
    loam_error error = {0};
    cr_expect_neq(sketch_read(lines, &graph, &error), LOAM_OK);
    return error;
}

Test(spatial, a_domain_without_a_floor_or_a_ceiling_wants_the_heights) {
    loam_error error = fault_of((const char *const[]){
        "$zones areas", "sites spatial.sample spacing_m=256 min_y_m=0 domain<$zones",
        "=points sites", NULL});
    cr_expect_eq(error.status, LOAM_MISSING_FIELD);
    cr_expect_str_eq(error.pointer, "/nodes/sites/params");
    cr_expect(strstr(error.text, "max_y_m") != NULL, "%s", error.text);
    error = fault_of((const char *const[]){
        "$ground heightfield", "box spatial.box min_m=[0,0,0] max_m=[9,9,9]",
        "both spatial.union a<box b<$ground", "sites spatial.sample spacing_m=256 domain<both",
        "=points sites", NULL});
    cr_expect_eq(error.status, LOAM_MISSING_FIELD);
    sketch *graph;
    cr_expect_eq(sketch_read((const char *const[]){"$ground heightfield",
                                                   "box spatial.box min_m=[0,0,0] max_m=[9,9,9]",
                                                   "both spatial.intersection a<box b<$ground",
                                                   "sites spatial.sample spacing_m=256 domain<both",
                                                   "=points sites", NULL},
                             &graph, &error),
                 LOAM_OK);
}

Test(spatial, faults_name_the_place) {
    loam_error error = fault_of((const char *const[]){
        "sites grid.sample spacing_m=256", "box spatial.box min_m=[0,9,0] max_m=[9,8,9]",
        "kept filter.spatial points<sites domain<box", "=points kept", NULL});
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, "/nodes/box/params");
    error = fault_of(
        (const char *const[]){"box spatial.box min_m=[0,9,0] max_m=[9,9,9]", "=points box", NULL});
    cr_expect_eq(error.status, LOAM_PORT_MISMATCH);
    error = fault_of((const char *const[]){"$way lines", "sites grid.sample spacing_m=256",
                                           "kept filter.spatial points<sites domain<$way",
                                           "=points kept", NULL});
    cr_expect_eq(error.status, LOAM_PORT_MISMATCH);
    error = fault_of((const char *const[]){"sites grid.sample spacing_m=256",
                                           "box spatial.box min_m=[0,9] max_m=[9,9,9]", NULL});
    cr_expect_eq(error.status, LOAM_TOO_MANY);
}

Test(spatial, a_lattice_too_tall_is_refused_before_it_is_made) {
    sketch *graph =
        sketch_of((const char *const[]){"$zones areas",
                                        "sites spatial.sample spacing_m=100 min_y_m=-4194304 "
                                        "max_y_m=4194304 domain<$zones",
                                        "=points sites", NULL},
                  7);
    bind(graph, 0, 0);
    loam_points points;
    loam_error error = {0};
    cr_expect_eq(sketch_build(graph, (loam_rect){0, 0, 25600, 25600}, &points, &error),
                 LOAM_BUDGET_EXCEEDED);
    cr_expect_str_eq(error.pointer, "/nodes/sites");
}

Test(spatial, a_lattice_beyond_its_sites_is_refused) {
    sketch *graph = sketch_of(
        (const char *const[]){"$zones areas",
                              "sites spatial.sample spacing_m=2 min_y_m=0 max_y_m=9 domain<$zones",
                              "=points sites", NULL},
        7);
    bind(graph, 0, 0);
    loam_points points;
    loam_error error = {0};
    int64_t edge = (int64_t)2 << 23;
    cr_expect_eq(sketch_build(graph, (loam_rect){edge - 100, 0, edge, 100}, &points, &error),
                 LOAM_OK, "%s", error.text);
    cr_expect_eq(sketch_build(graph, (loam_rect){edge - 100, 0, edge + 1, 100}, &points, &error),
                 LOAM_COORDINATE_RANGE);
}

/* Doubling a value over and over: parts are there once, however often they are used. */
Test(spatial, a_value_that_is_used_twice_at_every_step_costs_its_parts) {
    char text[60][96];
    const char *lines[64];
    uint32_t count = 0;
    lines[count++] = "sites grid.sample spacing_m=2560";
    lines[count++] = "n0 spatial.box min_m=[0,-9,0] max_m=[30000,9,30000]";
    for (int i = 1; i < 50; i++) {
        snprintf(text[i], sizeof text[i], "n%d spatial.union a<n%d b<n%d", i, i - 1, i - 1);
        lines[count++] = text[i];
    }
    lines[count++] = "kept filter.spatial points<sites domain<n49";
    lines[count++] = "=points kept";
    lines[count] = NULL;
    cr_expect_eq(check_partition(lines, 0, 0) > 0, true);
}

static const char *const along[] = {
    "$river lines",
    "sites grid.sample spacing_m=700",
    "way spatial.tube radius_m=2000 min_y_m=0 max_y_m=5000 lines<$river",
    "kept filter.spatial points<sites domain<way",
    "=points kept",
    NULL,
};

Test(spatial, a_bend_of_a_line_changes_the_keys_within_the_radius_only) {
    sketch *graph = sketch_of(along, 1);
    uint32_t changed = 0, cells = 0;
    for (int64_t j = -4; j < 12; j++) {
        for (int64_t i = -4; i < 16; i++, cells++) {
            loam_rect cell = {i * 8192, j * 8192, (i + 1) * 8192, (j + 1) * 8192};
            graph->slots[0].lines = lines_at(&graph->arena, 0, 0, 0);
            uint64_t before = sketch_key(graph, cell);
            graph->slots[0].lines = lines_at(&graph->arena, 0, 0, 500);
            bool key_changed = before != sketch_key(graph, cell);
            loam_points points, bent;
            loam_error error = {0};
            cr_assert_eq(sketch_build(graph, cell, &bent, &error), LOAM_OK);
            graph->slots[0].lines = lines_at(&graph->arena, 0, 0, 0);
            cr_assert_eq(sketch_build(graph, cell, &points, &error), LOAM_OK);
            bool same = points.count == bent.count;
            for (uint32_t p = 0; same && p < points.count; p++) {
                same = points.id[p] == bent.id[p];
            }
            cr_expect(same || key_changed, "cell %lld %lld", (long long)i, (long long)j);
            changed += key_changed;
        }
    }
    cr_expect_gt(changed, 4);
    cr_expect_lt(changed, 60, "%u of %u", changed, cells);
}

/* Reach less one unit: what a cell computes when it is not shown what lies on the border of its
 * reach. The point at distance r exactly is inside. */
Test(spatial, the_reach_of_balls_is_exact) {
    static const char *const lines[] = {
        "sites grid.sample spacing_m=256 jitter=0",
        "rocks grid.sample spacing_m=2560 jitter=0",
        "near spatial.points radius_m=256 points<rocks",
        "kept filter.spatial points<sites domain<near",
        "=points kept",
        NULL,
    };
    sketch *graph = sketch_of(lines, 1);
    cr_expect_eq(loam_plan_reach(graph->plan, 0), 256);
    loam_points points;
    loam_error error = {0};
    loam_rect cell = {2560 - 256, 0, 2560 - 255, 1};
    cr_assert_eq(sketch_build(graph, cell, &points, &error), LOAM_OK);
    cr_expect_eq(points.count, 1, "the rock lies 256 units east of the cell's only point");
    static const char *const closer[] = {
        "sites grid.sample spacing_m=256 jitter=0",
        "rocks grid.sample spacing_m=2560 jitter=0",
        "near spatial.points radius_m=255 points<rocks",
        "kept filter.spatial points<sites domain<near",
        "=points kept",
        NULL,
    };
    graph = sketch_of(closer, 1);
    cr_assert_eq(sketch_build(graph, cell, &points, &error), LOAM_OK);
    cr_expect_eq(points.count, 0);
}

/* A line north along x = 1000, and none near: what a cell up to x = 255 sees of it. */
static uint64_t key_of_tube(int64_t x, int64_t radius, uint32_t *count) {
    char way[96];
    snprintf(way, sizeof way, "way spatial.tube radius_m=%d min_y_m=0 max_y_m=1 lines<$river",
             (int)radius);
    const char *const lines[] = {"$river lines",
                                 "sites grid.sample spacing_m=255 jitter=0",
                                 way,
                                 "kept filter.spatial points<sites domain<way",
                                 "=points kept",
                                 NULL};
    sketch *graph = sketch_of(lines, 1);
    const int64_t xz[] = {x, -5000, x, 5000};
    const loam_line line = {.xz = xz, .count = 2, .key = 5};
    const loam_lines_source source = {&line, 1};
    loam_points points;
    loam_error error = {0};
    loam_rect cell = {200, 0, 256, 1};
    cr_assert_eq(loam_lines_build(&source, &graph->arena, &graph->slots[0].lines, &error), LOAM_OK);
    cr_assert_eq(sketch_build(graph, cell, &points, &error), LOAM_OK, "%s", error.text);
    *count = points.count;
    return sketch_key(graph, cell);
}

Test(spatial, the_reach_of_a_tube_is_exact) {
    uint32_t near, far;
    uint64_t sees = key_of_tube(1000, 745, &near), none = key_of_tube(900000, 745, &far);
    cr_expect_neq(sees, none, "the line lies 745 units from the cell's last point");
    cr_expect_eq(near, 1);
    cr_expect_eq(far, 0);
    sees = key_of_tube(1000, 744, &near);
    none = key_of_tube(900000, 744, &far);
    cr_expect_eq(sees, none, "one unit less, and nothing is seen");
    cr_expect_eq(near, 0);
}
