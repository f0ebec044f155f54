/* SPDX-License-Identifier: MIT
 *
 * test_height_band.c: a band of heights on a ramp of 2 km that rises a metre a metre: where it
 * begins and ends is exact, at every cell size.
 */
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { METRE = LOAM_UNITS_PER_METRE, SAMPLES = 201, SPACING_M = 10, LENGTH_M = 2000 };

static const loam_heightfield *ramp(void) {
    static int32_t samples[SAMPLES * SAMPLES];
    static loam_heightfield field;
    for (int32_t i = 0; i < SAMPLES * SAMPLES; i++) {
        samples[i] = i % SAMPLES * SPACING_M * 65536;
    }
    field = (loam_heightfield){.width = SAMPLES,
                               .height = SAMPLES,
                               .spacing_fine = (int64_t)SPACING_M * METRE << 16,
                               .samples = samples};
    cr_assert_eq(loam_heightfield_init(&field, NULL), LOAM_OK);
    return &field;
}

static const char *const lines[] = {
    "$ground heightfield",
    "sites surface.sample spacing_m=256 jitter=0 surface<$ground",
    "band filter.height min_m=76800 max_m=358400 points<sites",
    "=points band",
    NULL,
};

static void expect_band(const sketch *graph, int64_t cell_m) {
    int64_t first = INT64_MAX, last = INT64_MIN;
    uint64_t count = 0;
    for (int64_t x_m = -cell_m; x_m <= LENGTH_M; x_m += cell_m) {
        loam_rect rect = {x_m * METRE, 0, (x_m + cell_m) * METRE, 64 * METRE};
        loam_points points;
        loam_error error = {0};
        cr_assert_eq(sketch_build(graph, rect, &points, &error), LOAM_OK, "%s", error.text);
        for (uint32_t i = 0; i < points.count; i++) {
            int64_t x = rect.x0 + points.x[i];
            cr_expect_eq(points.y[i], x, "a metre high a metre along");
            first = x < first ? x : first;
            last = x > last ? x : last;
        }
        count += points.count;
    }
    cr_expect_eq(first, 300 * METRE, "cells of %d m: %lld", (int)cell_m, (long long)first);
    cr_expect_eq(last, 1400 * METRE, "cells of %d m: %lld", (int)cell_m, (long long)last);
    cr_expect_eq(count, 1101 * 64, "cells of %d m", (int)cell_m);
}

Test(height_band, begins_at_300_m_and_ends_at_1400_m_at_every_cell_size) {
    static const int64_t cells_m[] = {64, 100, 256, 300, 333, 1024, 2048};
    sketch *graph = sketch_of(lines, 1);
    graph->slots[0].heightfield = ramp();
    for (size_t i = 0; i < sizeof cells_m / sizeof *cells_m; i++) {
        expect_band(graph, cells_m[i]);
    }
}
