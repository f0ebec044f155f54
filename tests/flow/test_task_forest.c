/* SPDX-License-Identifier: MIT
 *
 * test_task_forest.c: the forest on a square kilometre: clusters and gaps in a map of its density;
 * the same forest with a constant density has neither, by the same measure. That no tree stands too
 * steep, too high or in a zone is the business of test_real_terrain.c.
 */
#include "tests/support/program.h"
#include "tests/support/task.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE, SIDE = 64, SQUARE_M = 16, SQUARES = SIDE * SIDE };
/* A patch of the map is no accident from this many squares on: 32 m by 32 m. */
enum { PATCH_SQUARES = 4 };

static char folder[64];

static void folder_begin(void) {
    program_folder_make(folder);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

TestSuite(task_forest, .init = folder_begin, .fini = folder_end, .timeout = 240);

static const task_asset assets[] = {
    {"terrain", "api/examples/ruins.terrain.json", "", TASK_BAYREUTH},
    {"village", "api/examples/village.geojson", TASK_AREAS,
     "vector/bayreuth_settlement.local.geojson", TASK_AREAS},
    {0}};
static const task forest = {
    .graph = "api/examples/forest.graph.json", .cell_m = 256, .assets = assets};
/* A kilometre that is gentle and within the band of heights: what shows is the noise's doing. */
static const int real_area[] = {8, 8, 11, 11}, made_area[] = {0, 0, 3, 3};

static void map_of(const task *of, uint32_t map[SQUARES], uint32_t *fullest) {
    const int *area = task_is_real() ? real_area : made_area;
    task_points trees = task_bake(folder, of, "trees", area);
    memset(map, 0, SQUARES * sizeof *map);
    *fullest = 0;
    for (uint32_t i = 0; i < trees.count; i++) {
        int64_t x = trees.x[i] / METRE - area[0] * 256, z = trees.z[i] / METRE - area[1] * 256;
        uint32_t *square = &map[z / SQUARE_M * SIDE + x / SQUARE_M];
        (*square)++;
        *fullest = *square > *fullest ? *square : *fullest;
    }
    cr_expect_gt(trees.count, 20000, "%u trees", trees.count);
    task_points_fini(&trees);
}

/* Takes the patch around a square out of the map; how many squares it had. */
static uint32_t patch_take(bool map[SQUARES], int at) {
    if (!map[at]) {
        return 0;
    }
    map[at] = false;
    uint32_t size = 1;
    size += at % SIDE > 0 ? patch_take(map, at - 1) : 0;
    size += at % SIDE < SIDE - 1 ? patch_take(map, at + 1) : 0;
    size += at >= SIDE ? patch_take(map, at - SIDE) : 0;
    size += at < SQUARES - SIDE ? patch_take(map, at + SIDE) : 0;
    return size;
}

static uint32_t patches_of(bool map[SQUARES]) {
    uint32_t patches = 0;
    for (int at = 0; at < SQUARES; at++) {
        patches += patch_take(map, at) >= PATCH_SQUARES;
    }
    return patches;
}

typedef struct clumping {
    uint32_t clusters, gaps;
} clumping;

/* Patches above three quarters of the fullest square, and below a tenth of it. */
static clumping measure(const task *of) {
    static uint32_t map[SQUARES];
    static bool full[SQUARES], empty[SQUARES];
    uint32_t fullest;
    map_of(of, map, &fullest);
    for (int at = 0; at < SQUARES; at++) {
        full[at] = map[at] * 4 > fullest * 3;
        empty[at] = map[at] * 10 < fullest;
    }
    return (clumping){patches_of(full), patches_of(empty)};
}

Test(task_forest, a_square_kilometre_has_clusters_and_gaps) {
    clumping found = measure(&forest);
    cr_expect_geq(found.clusters, 3, "%u clusters", found.clusters);
    cr_expect_geq(found.gaps, 3, "%u gaps", found.gaps);
}

Test(task_forest, a_constant_density_of_one_half_has_none_by_the_same_measure) {
    task constant = forest;
    constant.from = "\"octaves\": 2, \"contrast\": 1.6";
    constant.to = "\"octaves\": 2, \"contrast\": 0, \"bias\": 0.5";
    clumping found = measure(&constant);
    cr_expect(found.clusters < 3 || found.gaps < 3, "%u clusters, %u gaps", found.clusters,
              found.gaps);
    cr_expect_lt(found.gaps, 3, "%u gaps", found.gaps);
}
