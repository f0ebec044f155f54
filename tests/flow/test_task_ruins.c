/* SPDX-License-Identifier: MIT
 *
 * test_task_ruins.c: debris in the footprints of real houses, as if they were ruined (few ruins are
 * mapped): inside footprints only, and far denser near walls than in the middle.
 */
#include "tests/support/program.h"
#include "tests/support/shape.h"
#include "tests/support/task.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { METRE = LOAM_UNITS_PER_METRE };

/* What is near a wall, and what no longer is: density falls until there. */
#define NEAR_M 1.5
#define MIDDLE_M 2.5

static char folder[64];

static void folder_begin(void) {
    program_folder_make(folder);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

TestSuite(task_ruins, .init = folder_begin, .fini = folder_end, .timeout = 240);

#define ASSETS(half)                                                                               \
    {                                                                                              \
        {"terrain", "api/examples/ruins.terrain.json", "", TASK_BAYREUTH},                         \
            {"buildings", "api/examples/ruins.buildings.geojson", TASK_AREAS,                      \
             "vector/bayreuth_buildings_" half ".local.geojson", TASK_AREAS},                      \
            {0},                                                                                   \
    }
static const task_asset west_assets[] = ASSETS("west"), east_assets[] = ASSETS("east");
static const int west_area[] = {2, 16, 7, 23}, east_area[] = {16, 16, 31, 23};
static const int made_area[] = {1, 1, 2, 2};

typedef struct floors {
    uint32_t near_wall, between, middle, outside;
} floors;

static floors count_floors(const task *of, const char *output, const int area[4]) {
    floors found = {0};
    shape *houses = shape_read(task_file(of, "buildings"));
    task_points points = task_bake(folder, of, output, task_is_real() ? area : made_area);
    for (uint32_t i = 0; i < points.count; i++) {
        double x = (double)points.x[i] / METRE, z = (double)points.z[i] / METRE;
        double away = shape_distance(houses, x, z);
        found.outside += !shape_holds(houses, x, z) && away > SHAPE_BORDER;
        found.near_wall += away <= NEAR_M;
        found.between += away > NEAR_M && away <= MIDDLE_M;
        found.middle += away > MIDDLE_M;
    }
    task_points_fini(&points);
    shape_free(houses);
    return found;
}

/* Every candidate of the same lattice stands for equal ground. */
static void expect_debris(const task_asset *assets, const int area[4]) {
    const task ruins = {.graph = "api/examples/ruins.graph.json", .cell_m = 256, .assets = assets};
    task bare = ruins;
    bare.from = "\"debris\": { \"node\": \"debris\"";
    bare.to = "\"debris\": { \"node\": \"floor\"";
    floors ground = count_floors(&bare, "debris", area);
    floors debris = count_floors(&ruins, "debris", area);
    cr_expect_eq(ground.outside, 0);
    cr_expect_eq(debris.outside, 0);
    cr_assert_gt(ground.middle, 1000);
    cr_assert_gt(debris.near_wall, 500);
    double at_walls = (double)debris.near_wall / ground.near_wall;
    double inside = (double)debris.middle / ground.middle;
    cr_expect_geq(at_walls, 4 * inside, "%f near walls, %f in the middle", at_walls, inside);
    double between = (double)debris.between / ground.between;
    cr_expect(between < at_walls && between > inside, "%f", between);
}

Test(task_ruins, debris_lies_in_footprints_and_near_walls_in_the_west) {
    expect_debris(west_assets, west_area);
}

Test(task_ruins, debris_lies_in_footprints_and_near_walls_in_the_east) {
    expect_debris(east_assets, east_area);
}
