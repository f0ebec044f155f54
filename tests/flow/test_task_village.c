/* SPDX-License-Identifier: MIT
 *
 * test_task_village.c: the settlements of a real map as zones: nothing stands inside, and density
 * rises over the buffer, metre by metre.
 */
#include "tests/support/program.h"
#include "tests/support/shape.h"
#include "tests/support/task.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { METRE = LOAM_UNITS_PER_METRE, WIDTH_M = 12 };

static char folder[64];

static void folder_begin(void) {
    program_folder_make(folder);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

TestSuite(task_village, .init = folder_begin, .fini = folder_end, .timeout = 240);

/* A meadow without a rule of its own, so that what is seen is the zone's doing. */
static const char graph[] =
    "{ \"loam_graph\": 1, \"slots\": { \"terrain\": \"heightfield\", \"village\": \"areas\" }, "
    "\"nodes\": { "
    "\"sites\": { \"op\": \"surface.sample\", \"in\": { \"surface\": \"$terrain\" }, "
    "\"params\": { \"spacing_m\": 2 } }, "
    "\"fade\": { \"op\": \"zone.buffer\", \"in\": { \"points\": \"sites\", "
    "\"zones\": \"$village\" }, \"params\": { \"width_m\": 12 } }, "
    "\"drawn\": { \"op\": \"density.cull\", \"in\": { \"points\": \"fade\" } }, "
    "\"grass\": { \"op\": \"zone.exclude\", \"in\": { \"points\": \"drawn\", "
    "\"zones\": \"$village\" } }, "
    "\"bare\": { \"op\": \"zone.exclude\", \"in\": { \"points\": \"sites\", "
    "\"zones\": \"$village\" } } }, "
    "\"outputs\": { \"grass\": { \"node\": \"grass\" }, \"bare\": { \"node\": \"bare\" }, "
    "\"sites\": { \"node\": \"sites\" } } }";

static const task_asset assets[] = {
    {"terrain", "api/examples/hamlet.terrain.json", "", TASK_BAYREUTH},
    {"village", "api/examples/hamlet.settlement.geojson", "\"kind\": \"areas\", \"crs\": \"local\"",
     "vector/bayreuth_settlement.local.geojson", TASK_AREAS},
    {0}};
static const task meadow = {.graph = graph, .cell_m = 256, .assets = assets};

/* 2 km with eleven settlements and more, or the made kilometre with its one. */
static const int real_area[] = {24, 12, 31, 19}, made_area[] = {0, 0, 3, 3};

static task_points bake(const char *output) {
    return task_bake(folder, &meadow, output, task_is_real() ? real_area : made_area);
}

/* The made hamlet has a margin of 4 m. */
static int margin_m(void) {
    return task_is_real() ? 0 : 4;
}

typedef struct rings {
    uint32_t inside, away, at[WIDTH_M];
} rings;

static rings count_rings(const shape *village, const char *output) {
    rings found = {0};
    task_points points = bake(output);
    for (uint32_t i = 0; i < points.count; i++) {
        double x = (double)points.x[i] / METRE, z = (double)points.z[i] / METRE;
        double away = shape_distance(village, x, z) - margin_m();
        if (shape_holds(village, x, z) || away < SHAPE_BORDER) {
            found.inside++;
        } else if (away < WIDTH_M) {
            found.at[(int)away]++;
        } else {
            found.away++;
        }
    }
    task_points_fini(&points);
    return found;
}

Test(task_village, nothing_stands_inside_and_density_rises_over_the_buffer) {
    shape *village = shape_read(task_file(&meadow, "village"));
    rings all = count_rings(village, "sites"), bare = count_rings(village, "bare");
    rings grass = count_rings(village, "grass");
    cr_expect_gt(all.inside, 1000, "there is a village to keep out of");
    cr_expect_eq(bare.inside, 0);
    cr_expect_eq(grass.inside, 0);
    cr_expect_eq(bare.away, all.away);
    cr_expect_eq(grass.away, all.away);
    double before = 0;
    for (int ring = 0; ring < WIDTH_M; ring++) {
        double share = (double)grass.at[ring] / bare.at[ring];
        cr_expect_eq(bare.at[ring], all.at[ring]);
        cr_expect_gt(share, before, "ring %d: %f after %f", ring, share, before);
        cr_expect_float_eq(share, (ring + 0.5) / WIDTH_M, 0.08, "ring %d: %f", ring, share);
        before = share;
    }
    shape_free(village);
}
