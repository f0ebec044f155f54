/* SPDX-License-Identifier: MIT
 *
 * test_task_shore.c: the rocky shore along a real coast and real rivers: no two rocks closer than
 * asked, over all cells; sizes lognormal; bands denser near the line.
 */
#include "tests/support/program.h"
#include "tests/support/shape.h"
#include "tests/support/task.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { METRE = LOAM_UNITS_PER_METRE };

static char folder[64];

static void folder_begin(void) {
    program_folder_make(folder);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

TestSuite(task_shore, .init = folder_begin, .fini = folder_end, .timeout = 240);

#define GRAPH "api/examples/shore.graph.json"

static const task_asset coast_assets[] = {
    {"terrain", "api/examples/shore.terrain.json", "", TASK_CAPE_FLATTERY},
    {"shore", "api/examples/shore.coast.geojson", TASK_LINES,
     "vector/cape_flattery_coast_dem.local.geojson", TASK_LINES},
    {0}};
static const task_asset river_assets[] = {
    {"terrain", "api/examples/biomes.terrain.json", "", TASK_BAYREUTH},
    {"shore", "api/examples/biomes.river.geojson", TASK_LINES,
     "vector/bayreuth_waterways.local.geojson", TASK_LINES},
    {0}};

/* All the land of either; made inputs take 2 km of it. */
static const task coast = {.graph = GRAPH, .cell_m = 512, .assets = coast_assets};
static const task river = {
    .graph = GRAPH, .parameters = "\"max_height_m\": 1000", .cell_m = 512, .assets = river_assets};
static const int coast_area[] = {0, 0, 29, 29}, river_area[] = {0, 0, 15, 15};

/* ---- Distance ------------------------------------------------------------------------------- */

/* The smallest distance of all rocks is at least what was asked, and not much more: it binds. */
static void expect_distance(task of, const int area[4], uint32_t least) {
    for (int metres = 1; metres <= 5; metres++) {
        char parameters[96];
        snprintf(parameters, sizeof parameters, "\"distance_m\": %d%s%s", metres,
                 of.parameters == NULL ? "" : ", ", of.parameters == NULL ? "" : of.parameters);
        task asked = of;
        asked.parameters = parameters;
        task_points rocks = task_bake(folder, &asked, "rocks", area);
        int64_t limit = metres * METRE;
        int64_t nearest = union_distance_squared(&rocks.all, limit + METRE);
        cr_expect_gt(rocks.count, least, "%d m: %u rocks", metres, rocks.count);
        cr_expect_geq(nearest, limit * limit, "%d m: %lld", metres, (long long)nearest);
        cr_expect_lt(nearest, (limit + METRE / 4) * (limit + METRE / 4), "%d m: %lld", metres,
                     (long long)nearest);
        task_points_fini(&rocks);
    }
}

Test(task_shore, no_two_rocks_of_the_coast_are_closer_than_asked) {
    expect_distance(coast, coast_area, 2000);
}

Test(task_shore, no_two_rocks_of_the_rivers_are_closer_than_asked) {
    expect_distance(river, river_area, 500);
}

/* ---- Sizes ---------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Median and the quantiles a sigma and two from it, of the logarithm; and its moments. */
static void expect_lognormal(double *logs, uint32_t count, double mu, double sigma) {
    static const double shares[] = {0.022750, 0.158655, 0.5, 0.841345, 0.977250};
    static const double heights[] = {0.053991, 0.241971, 0.398942, 0.241971, 0.053991};
    double sum = 0, squares = 0, cubes = 0;
    qsort(logs, count, sizeof *logs, compare);
    for (uint32_t i = 0; i < count; i++) {
        sum += logs[i];
    }
    double mean = sum / count;
    for (uint32_t i = 0; i < count; i++) {
        squares += (logs[i] - mean) * (logs[i] - mean);
        cubes += pow(logs[i] - mean, 3);
    }
    double deviation = sqrt(squares / count);
    cr_expect_float_eq(mean, mu, 4 * sigma / sqrt(count), "mean %f", mean);
    cr_expect_float_eq(deviation, sigma, 4 * sigma / sqrt(2.0 * count), "sigma %f", deviation);
    cr_expect_float_eq(cubes / count / pow(deviation, 3), 0, 4 * sqrt(6.0 / count) + 0.02, "skew");
    for (int i = 0; i < 5; i++) {
        double quantile = logs[(uint32_t)(shares[i] * count)];
        double error = sigma * sqrt(shares[i] * (1 - shares[i]) / count) / heights[i];
        cr_expect_float_eq(quantile, mu + sigma * (i - 2), 4 * error, "quantile %f: %f", shares[i],
                           quantile);
    }
}

/* Before rocks make room for each other, so that the draws alone are seen. */
Test(task_shore, sizes_are_lognormal) {
    task drawn = coast;
    drawn.from = "\"rocks\": { \"node\": \"rocks\"";
    drawn.to = "\"rocks\": { \"node\": \"sized\"";
    task_points rocks = task_bake(folder, &drawn, "rocks", coast_area);
    double *logs = malloc(rocks.count * sizeof *logs);
    for (uint32_t i = 0; i < rocks.count; i++) {
        logs[i] = log(rocks.scale[i] / 4096.0);
    }
    cr_assert_gt(rocks.count, 3000);
    expect_lognormal(logs, rocks.count, -0.4, 0.5);
    free(logs);
    task_points_fini(&rocks);
}

/* ---- Bands ---------------------------------------------------------------------------------- */

static void expect_bands(const task *of, const int area[4]) {
    static const double ends[] = {0, 5, 10, 17, 26, 32};
    enum { BANDS = 4 };
    double density[BANDS + 1] = {0};
    shape *lines = shape_read(task_file(of, "shore"));
    task_points rocks = task_bake(folder, of, "rocks", area);
    for (uint32_t i = 0; i < rocks.count; i++) {
        double away = shape_distance(lines, (double)rocks.x[i] / METRE, (double)rocks.z[i] / METRE);
        int band = 0;
        while (band < BANDS && away >= ends[band + 1]) {
            band++;
        }
        density[band] += 1 / (ends[band + 1] - ends[band]);
    }
    for (int band = 1; band < BANDS; band++) {
        cr_expect_lt(density[band], density[band - 1] * 0.9, "band %d: %f after %f a metre", band,
                     density[band], density[band - 1]);
    }
    cr_expect_eq(density[BANDS], 0.0, "none is farther than offset and jitter");
    task_points_fini(&rocks);
    shape_free(lines);
}

Test(task_shore, bands_are_denser_near_the_coast) {
    expect_bands(&coast, coast_area);
}

Test(task_shore, bands_are_denser_near_the_rivers) {
    expect_bands(&river, river_area);
}
