/* SPDX-License-Identifier: MIT
 *
 * test_density_map.c: densities of numbers, of rasters and of slopes, against the plain formula
 * point by point, at both ends and with every way to combine.
 */
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>
#include <math.h>

enum { METRE = LOAM_UNITS_PER_METRE, ONE = LOAM_DENSITY_ONE };

static loam_asset ramp_16_m(void) {
    return plane_of(17, 0, 0, 65536, 0, 0);
}

static const char *const height_lines[] = {
    "$terrain heightfield",
    "sites surface.sample spacing_m=150 density=12582912 surface<$terrain",
    "up density.remap from=@$height:0:2147483647 in_min=262144 in_max=786432 points<sites",
    "down density.remap from=@$height:0:2147483647 in_min=786432 in_max=262144 points<sites",
    "part density.remap from=@$height:0:2147483647 in_min=262144 in_max=786432 out_min=4194304 "
    "out_max=8388608 curve=1 combine=0 points<sites",
    "free density.remap from=@$height:0:2147483647 in_min=262144 in_max=786432 out_min=4194304 "
    "out_max=8388608 clamp=0 points<sites",
    "same density.remap points<sites",
    "=sites sites",
    "=up up",
    "=down down",
    "=part part",
    "=free free",
    "=same same",
    NULL,
};

static graph_world *height_world(void) {
    graph_world *world = world_of(height_lines, 4);
    world_bind(world, "terrain", ramp_16_m());
    return world;
}

/* Where a height lies between 4 and 12 m; below 0 and above 1 too. */
static double place_of(const loam_points *points, uint32_t i) {
    return ((double)points->y[i] / METRE - 4) / 8;
}

static double clamped(double value) {
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

Test(density_map, heights_become_densities) {
    graph_world *world = height_world();
    loam_rect rect = rect_of_metres(0, 0, 16);
    loam_points up = world_points(world, "up", rect), down = world_points(world, "down", rect);
    loam_points part = world_points(world, "part", rect);
    loam_points open = world_points(world, "free", rect);
    cr_assert_gt(up.count, 500);
    for (uint32_t i = 0; i < up.count; i++) {
        double t = place_of(&up, i), c = clamped(t), bent = c * c * (3 - 2 * c);
        cr_expect_float_eq(up.density[i], ONE * c, 1);
        cr_expect_float_eq(down.density[i], ONE * (1 - c), 1);
        cr_expect_float_eq(part.density[i], ONE * 0.75 * (0.25 + bent / 4), 2);
        cr_expect_float_eq(open.density[i], ONE * clamped(0.25 + t / 4), 1);
    }
}

Test(density_map, ends_of_the_range_are_exact) {
    graph_world *world = height_world();
    loam_points up = world_points(world, "up", rect_of_metres(0, 0, 16));
    uint32_t none = 0, all = 0;
    for (uint32_t i = 0; i < up.count; i++) {
        none += up.y[i] <= 4 * METRE && up.density[i] == 0;
        all += up.y[i] >= 12 * METRE && up.density[i] == ONE;
        cr_expect((up.y[i] > 4 * METRE) == (up.density[i] > 0));
        cr_expect((up.y[i] < 12 * METRE) == (up.density[i] < ONE));
    }
    cr_expect(none > 50 && all > 50);
}

Test(density_map, remap_of_density_to_itself_changes_no_byte) {
    static const char *const lines[] = {"sites grid.sample spacing_m=200",
                                        "field density.noise wavelength_m=3000 points<sites",
                                        "same density.remap points<field",
                                        "=field field",
                                        "=same same",
                                        NULL};
    graph_world *world = world_of(lines, 4);
    loam_rect rect = rect_of_metres(-32, 7, 64);
    cr_expect_eq(world_bytes(world, "same", rect), world_bytes(world, "field", rect));
}

Test(density_map, missing_numbers_count_as_the_default) {
    static const char *const lines[] = {"sites grid.sample spacing_m=200",
                                        "half density.remap from=@nothing:32768:65536 points<sites",
                                        "=half half", NULL};
    loam_points half = world_points(world_of(lines, 4), "half", rect_of_metres(0, 0, 8));
    cr_assert_gt(half.count, 50);
    for (uint32_t i = 0; i < half.count; i++) {
        cr_expect_eq(half.density[i], ONE / 2);
    }
}

Test(density_map, an_empty_range_is_a_fault) {
    static const char *const remap[] = {"sites grid.sample spacing_m=200",
                                        "bad density.remap in_min=7 in_max=7 points<sites",
                                        "=bad bad", NULL};
    static const char *const raster[] = {
        "$mask heightfield", "sites grid.sample spacing_m=200",
        "bad density.raster in_min=7 in_max=7 points<sites mask<$mask", "=bad bad", NULL};
    cr_expect_eq(world_fault(remap).status, LOAM_OUT_OF_RANGE);
    cr_expect_eq(world_fault(raster).status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(world_fault(raster).pointer, "/nodes/bad/params");
}

Test(density_map, a_curve_beyond_0_to_1_is_a_fault_at_its_point) {
    static const char *const lines[] = {"sites grid.sample spacing_m=200",
                                        "bad density.remap curve=[[0,0],[5,16777217]] points<sites",
                                        "=bad bad", NULL};
    cr_expect_str_eq(world_fault(lines).pointer, "/nodes/bad/params/curve/1/1");
}

Test(density_map, an_unknown_reserved_name_is_a_fault) {
    static const char *const lines[] = {"sites grid.sample spacing_m=200",
                                        "bad density.remap from=@$hight:0:1 points<sites",
                                        "=bad bad", NULL};
    cr_expect_eq(world_fault(lines).status, LOAM_BAD_NAME);
    cr_expect_str_eq(world_fault(lines).pointer, "/nodes/bad/params/from");
}

static const char *const raster_lines[] = {
    "$mask heightfield",
    "sites grid.sample spacing_m=150 density=12582912",
    "shown density.raster in_min=131072 in_max=655360 points<sites mask<$mask",
    "most density.raster in_min=131072 in_max=655360 combine=3 points<sites mask<$mask",
    "=sites sites",
    "=shown shown",
    "=most most",
    NULL,
};

Test(density_map, raster_gives_its_value_and_nothing_outside) {
    graph_world *world = world_of(raster_lines, 4);
    world_bind(world, "mask", ramp_16_m());
    loam_rect rect = rect_of_metres(-8, -8, 32);
    loam_points shown = world_points(world, "shown", rect);
    loam_points most = world_points(world, "most", rect);
    for (uint32_t i = 0; i < shown.count; i++) {
        int64_t x = rect.x0 + shown.x[i], z = rect.z0 + shown.z[i];
        bool on = x >= 0 && z >= 0 && x <= 16 * METRE && z <= 16 * METRE;
        double value = on ? clamped(((double)x / METRE - 2) / 8) : 0;
        cr_expect_float_eq(shown.density[i], ONE * 0.75 * value, 2);
        cr_expect_float_eq(most.density[i], ONE * fmax(0.75, value), 2);
    }
}

static const char *const normal_lines[] = {
    "$terrain heightfield",
    "sites surface.sample spacing_m=150 surface<$terrain",
    "cosine normal.to_density points<sites",
    "half normal.to_density strength=32768 points<sites",
    "steep normal.to_density strength=6553600 points<sites",
    "=cosine cosine",
    "=half half",
    "=steep steep",
    NULL,
};

Test(density_map, normal_gives_the_cosine_of_the_slope) {
    graph_world *world = world_of(normal_lines, 4);
    world_bind(world, "terrain", plane_of(17, 0, 0, 65536, 0, 0));
    loam_rect rect = rect_of_metres(0, 0, 16);
    loam_points cosine = world_points(world, "cosine", rect);
    cr_assert_gt(cosine.count, 100);
    cr_expect_float_eq(cosine.density[0], ONE * sqrt(0.5), 1);
    cr_expect_float_eq(world_points(world, "half", rect).density[0],
                       ONE * (1 - (1 - sqrt(0.5)) / 2), 1);
    cr_expect_eq(world_points(world, "steep", rect).density[0], 0);
    world_bind(world, "terrain", plane_of(17, 0, 0, 0, 0, 0));
    cr_expect_eq(world_points(world, "steep", rect).density[0], ONE, "flat is 1");
}

Test(density_map, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    static const char *const lines[] = {
        "$mask heightfield",
        "sites grid.sample spacing_m=700",
        "wave attribute.noise name='wave' wavelength_m=9000 octaves=2 min=-65536 max=65536 "
        "points<sites",
        "shown density.raster in_min=0 in_max=65536 combine=3 points<wave mask<$mask",
        "mapped density.remap from=@wave:0:65536 curve=[[0,0],[8388608,16777216],[16777216,0]] "
        "points<shown",
        "some density.cull points<mapped",
        "=some some",
        NULL};
    graph_world *world = world_of(lines, 4);
    world_bind(world, "mask", ramp_16_m());
    for (size_t c = 0; c < 4; c++) {
        cr_expect_gt(world_partition(world, "some", -cells[c], -cells[c], cells[c], 2), 0);
    }
}
