/* SPDX-License-Identifier: MIT
 *
 * test_spawn.c: assets by weight, constant and by attribute; scales, headings and radii of their
 * own; where the name goes; what cannot be chosen from.
 */
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>
#include <stdio.h>

static const char *const lines[] = {
    "sites grid.sample spacing_m=200",
    "base attribute.set.float name='$scale' value=131072 points<sites",
    "trees spawn assets=[['pine',65536,2048,4096,0,300],['oak',196608,8192,8192,1,513],"
    "['none',0,1,1,0,0]] points<base",
    "named spawn attribute='species' "
    "assets=[['a',65536,4096,4096,0,0],['b',65536,4096,4096,0,256]] "
    "points<sites",
    "=trees trees",
    "=named named",
    "=sites sites",
    NULL,
};

static bool is(const loam_points *points, uint32_t i, const char *name) {
    return loam_text_equal(points->palette[points->asset[i]], loam_text_of(name));
}

Test(spawn, assets_come_by_weight_with_what_is_theirs) {
    loam_points trees = world_points(world_of(lines, 6), "trees", rect_of_metres(0, 0, 128));
    uint32_t pines = 0, turned = 0;
    cr_assert_gt(trees.count, 20000);
    cr_expect_eq(trees.palette_count, 2, "a weight of 0 is never chosen");
    for (uint32_t i = 0; i < trees.count; i++) {
        bool pine = is(&trees, i, "pine");
        pines += pine;
        turned += !pine && trees.yaw[i] != 0;
        cr_expect(pine || is(&trees, i, "oak"));
        cr_expect_eq(point_number(&trees, i, "radius"), 256 * (pine ? 300 : 513));
        cr_expect(pine ? trees.scale_x[i] >= 4096 && trees.scale_x[i] <= 8192
                       : trees.scale_x[i] == 16384,
                  "twice the asset's own scale");
        cr_expect(!pine || trees.yaw[i] == 0);
    }
    cr_expect_float_eq((double)pines / trees.count, 0.25, 0.01);
    cr_expect_gt(turned, (trees.count - pines) * 99 / 100);
}

Test(spawn, the_name_can_go_to_an_attribute) {
    loam_points named = world_points(world_of(lines, 6), "named", rect_of_metres(0, 0, 16));
    uint32_t first = 0;
    for (uint32_t i = 0; i < named.count; i++) {
        loam_text species = point_text(&named, i, "species");
        first += loam_text_equal(species, loam_text_of("a"));
        cr_expect(loam_text_equal(species, loam_text_of("a")) ||
                  loam_text_equal(species, loam_text_of("b")));
        cr_expect(is(&named, i, ""), "the asset stays what it was");
    }
    cr_expect(first > named.count / 3 && first < named.count * 2 / 3);
}

Test(spawn, a_point_keeps_its_choice_whatever_its_neighbours_do) {
    static const char *const thinned[] = {
        "sites grid.sample spacing_m=200",
        "base attribute.set.float name='$scale' value=131072 points<sites",
        "some density.remap in_max=131072 points<base",
        "drawn density.cull points<some",
        "trees spawn assets=[['pine',65536,2048,4096,0,300],['oak',196608,8192,8192,1,513],"
        "['none',0,1,1,0,0]] points<drawn",
        "=trees trees",
        NULL};
    loam_rect rect = rect_of_metres(0, 0, 64);
    loam_points all = world_points(world_of(lines, 6), "trees", rect);
    loam_points some = world_points(world_of(thinned, 6), "trees", rect);
    cr_expect(some.count > 1000 && some.count < all.count);
    for (uint32_t i = 0; i < some.count; i++) {
        int64_t row = point_row(&all, some.id[i]);
        cr_assert_geq(row, 0);
        cr_expect(is(&some, i, "pine") == is(&all, (uint32_t)row, "pine"));
        cr_expect_eq(some.scale_x[i], all.scale_x[row]);
        cr_expect_eq(some.yaw[i], all.yaw[row]);
    }
}

Test(spawn, weights_go_by_attributes) {
    static const char *const driven[] = {
        "sites grid.sample spacing_m=200",
        "n attribute.noise name='n' wavelength_m=4000 octaves=1 min=0 max=65536 points<sites",
        "way spawn assets=[['yes',@n:0:65536,4096,4096,0,0],['no',16384,4096,4096,0,0]] points<n",
        "=way way", NULL};
    loam_points way = world_points(world_of(driven, 6), "way", rect_of_metres(0, 0, 128));
    double want = 0, got = 0;
    for (uint32_t i = 0; i < way.count; i++) {
        double n = point_number(&way, i, "n") / 65536.0;
        want += n / (n + 0.25);
        got += is(&way, i, "yes");
    }
    cr_expect_float_eq(got / way.count, want / way.count, 0.01);
}

Test(spawn, nothing_to_choose_from_is_an_error) {
    static const char *const cases[][2] = {
        {"[]", "/nodes/way/params/assets"},
        {"[['a',0,4096,4096,0,0]]", "/nodes/way/params/assets"},
        {"[['',65536,4096,4096,0,0]]", "/nodes/way/params/assets/0/name"},
        {"[['a',65536,4096,4095,0,0]]", "/nodes/way/params/assets/0/scale_min"},
        {"[['a',@$hight:0:65536,4096,4096,0,0]]", "/nodes/way/params/assets/0/weight"},
        {"[['a',@:0:65536,4096,4096,0,0]]", "/nodes/way/params/assets/0/weight"},
        {"[['a',-1,4096,4096,0,0]]", "/nodes/way/params/assets/0/weight"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[256];
        snprintf(line, sizeof line, "way spawn assets=%s points<sites", cases[i][0]);
        const char *bad[] = {"sites grid.sample spacing_m=200", line, "=way way", NULL};
        loam_error error = world_fault(bad);
        cr_expect_neq(error.status, LOAM_OK, "%s", cases[i][0]);
        cr_expect_str_eq(error.pointer, cases[i][1]);
    }
}

Test(spawn, weights_that_are_all_0_at_a_point_fail_the_node) {
    static const char *const none[] = {
        "sites grid.sample spacing_m=200",
        "way spawn assets=[['a',@n:0:65536,4096,4096,0,0]] points<sites", "=way way", NULL};
    loam_error error = world_failure(world_of(none, 6), "way", rect_of_metres(0, 0, 8));
    cr_expect_eq(error.status, LOAM_OUT_OF_RANGE);
    cr_expect_str_eq(error.pointer, "/nodes/way");
}

Test(spawn, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    graph_world *world = world_sparse(lines, 6, 8);
    for (size_t c = 0; c < 4; c++) {
        cr_expect_gt(world_partition(world, "trees", -cells[c], 5, cells[c], 2), 0);
        cr_expect_gt(world_partition(world, "named", -cells[c], 5, cells[c], 2), 0);
    }
}
