/* SPDX-License-Identifier: MIT
 *
 * test_project.c: points on a heightfield: the same heights and slopes as a sampler's, dropped or
 * kept beyond it; and the band of heights 300 to 1400 on a ramp of 1 m per metre, at every cell
 * size.
 */
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>

enum { METRE = LOAM_UNITS_PER_METRE };

static const char *const lines[] = {
    "$terrain heightfield",
    "sites grid.sample spacing_m=200 y_m=-77",
    "kept project outside=0 points<sites onto<$terrain",
    "dropped project points<sites onto<$terrain",
    "=sites sites",
    "=kept kept",
    "=dropped dropped",
    NULL,
};

static graph_world *plane_world(void) {
    graph_world *world = world_of(lines, 3);
    world_bind(world, "terrain", plane_of(33, 0, 0, 65536, -32768, 100 * 65536));
    return world;
}

Test(project, heights_are_those_of_the_plane) {
    graph_world *world = plane_world();
    loam_points got = world_points(world, "dropped", rect_of_metres(0, 0, 32));
    cr_assert_gt(got.count, 1000);
    for (uint32_t i = 0; i < got.count; i++) {
        int64_t steps = 100 * 65536 + (int64_t)got.x[i] * 256 - (int64_t)got.z[i] * 128;
        cr_expect_eq(got.y[i], (steps + 128) >> 8);
    }
}

Test(project, points_beyond_are_dropped_or_stay_as_they_are) {
    graph_world *world = plane_world();
    loam_rect rect = rect_of_metres(-8, -8, 48);
    loam_points all = world_points(world, "sites", rect);
    loam_points kept = world_points(world, "kept", rect);
    loam_points dropped = world_points(world, "dropped", rect);
    cr_expect_eq(kept.count, all.count);
    cr_expect_lt(dropped.count, all.count);
    for (uint32_t i = 0; i < all.count; i++) {
        int64_t x = rect.x0 + all.x[i], z = rect.z0 + all.z[i];
        bool on = x >= 0 && z >= 0 && x <= 32 * METRE && z <= 32 * METRE;
        int64_t row = point_row(&kept, all.id[i]);
        cr_assert_geq(row, 0);
        cr_expect_eq(point_row(&dropped, all.id[i]) >= 0, on);
        cr_expect_eq(kept.y[row] == -77, !on);
    }
}

Test(project, slope_filters_see_the_new_slope) {
    static const char *const slopes[] = {
        "$terrain heightfield",
        "sites grid.sample spacing_m=200",
        "on project points<sites onto<$terrain",
        "steep filter.slope min_deg=2949120 max_deg=2949120 points<on",
        "=steep steep",
        NULL};
    graph_world *world = world_of(slopes, 3);
    world_bind(world, "terrain", plane_of(33, 0, 0, 65536, 0, 0));
    cr_expect_gt(world_points(world, "steep", rect_of_metres(0, 0, 32)).count, 1000,
                 "1 m per metre is 45 degrees exactly");
}

Test(project, all_paths_of_a_heightfield_agree) {
    graph_world *world = plane_world();
    for (int64_t x = -4; x < 32; x += 9) {
        cr_expect_geq(world_partition(world, "kept", x, -4, 13, 3), 0);
        cr_expect_geq(world_partition(world, "dropped", x, -4, 13, 3), 0);
    }
}

static const char *const band_lines[] = {
    "$ramp heightfield",
    "sites grid.sample spacing_m=256 jitter=0",
    "on project points<sites onto<$ramp",
    "band filter.height min_m=76800 max_m=358400 points<on",
    "=band band",
    NULL,
};

/* 2,001 x 2 samples: 0 to 2000 m over 2000 m. */
static loam_asset ramp_asset(void) {
    static int32_t samples[2 * 2001];
    static loam_heightfield field = {
        .width = 2001, .height = 2, .spacing_fine = (int64_t)METRE << 16, .samples = samples};
    loam_error error = {0};
    for (int32_t i = 0; i < 2 * 2001; i++) {
        samples[i] = i % 2001 * 65536;
    }
    cr_assert_eq(loam_heightfield_init(&field, &error), LOAM_OK, "%s", error.text);
    return (loam_asset){.kind = LOAM_PORT_HEIGHTFIELD, .heightfield = &field};
}

Test(project, band_of_300_to_1400_m_on_a_ramp_keeps_x_300_to_1400_at_every_cell_size) {
    graph_world *world = world_of(band_lines, 1);
    world_bind(world, "ramp", ramp_asset());
    static const int64_t sizes[] = {64, 100, 256, 333, 1024, 2001};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int64_t first = INT64_MAX, last = INT64_MIN, count = 0;
        for (int64_t x = -sizes[s]; x < 2100; x += sizes[s]) {
            loam_rect rect = {x * METRE, 0, (x + sizes[s]) * METRE, METRE};
            loam_points points = world_points(world, "band", rect);
            for (uint32_t i = 0; i < points.count; i++) {
                int64_t at = rect.x0 + points.x[i];
                first = at < first ? at : first;
                last = at > last ? at : last;
                count++;
            }
        }
        cr_expect_eq(first, 300 * METRE, "cells of %lld m", (long long)sizes[s]);
        cr_expect_eq(last, 1400 * METRE, "cells of %lld m", (long long)sizes[s]);
        cr_expect_eq(count, 1101, "cells of %lld m", (long long)sizes[s]);
    }
}
