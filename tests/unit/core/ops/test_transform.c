/* SPDX-License-Identifier: MIT
 *
 * test_transform.c: points that move, turn and grow by the plain rule; a rectangle gets what ends
 * in it; identity leaves every byte; scales of three axes go through merges, filters and cells.
 */
#include "tests/support/node_probe.h"

#include <criterion/criterion.h>

enum { METRE = LOAM_UNITS_PER_METRE };

static const char *const lines[] = {
    "sites grid.sample spacing_m=300 y_m=512",
    "leant transform.scatter pitch_max_deg=1310720 roll_max_deg=1310720 scale_min=2048 "
    "scale_max=8192 points<sites",
    "moved transform offset_m=[7000,-300,-999] points<leant",
    "turned transform rotation_deg=[0,5898240,0] points<sites",
    "twice transform rotation_deg=[0,5898240,0] points<turned",
    "tilted transform rotation_deg=[1310720,65536,-655360] points<sites",
    "grown transform scale=[8192,2048,4096] points<leant",
    "same transform points<leant",
    "full transform rotation_deg=[23592960,-23592960,0] points<leant",
    "=leant leant",
    "=moved moved",
    "=turned turned",
    "=twice twice",
    "=tilted tilted",
    "=grown grown",
    "=same same",
    "=full full",
    NULL,
};

Test(transform, an_offset_moves_every_point_and_changes_nothing_else) {
    graph_world *world = world_of(lines, 3);
    loam_rect to = rect_of_metres(0, 0, 64);
    loam_rect from = {to.x0 - 7000, to.z0 + 999, to.x1 - 7000, to.z1 + 999};
    loam_points moved = world_points(world, "moved", to);
    loam_points before = world_points(world, "leant", from);
    cr_assert_gt(moved.count, 1000);
    cr_assert_eq(moved.count, before.count);
    for (uint32_t i = 0; i < moved.count; i++) {
        cr_expect_eq(moved.id[i], before.id[i]);
        cr_expect_eq(moved.x[i], before.x[i]);
        cr_expect_eq(moved.z[i], before.z[i]);
        cr_expect_eq(moved.y[i], before.y[i] - 300);
        cr_expect_eq(moved.yaw[i], before.yaw[i]);
        cr_expect_eq(moved.pitch[i], before.pitch[i]);
        cr_expect_eq(moved.scale_x[i], before.scale_x[i]);
    }
}

Test(transform, yaws_turn_exactly) {
    graph_world *world = world_of(lines, 3);
    loam_rect rect = rect_of_metres(0, 0, 16);
    cr_expect_eq(world_points(world, "turned", rect).yaw[0], 16384);
    cr_expect_eq(world_points(world, "twice", rect).yaw[0], 32768);
    cr_expect_eq(world_points(world, "twice", rect).pitch[0], 0);
    loam_points tilted = world_points(world, "tilted", rect);
    cr_expect_eq(tilted.pitch[0], 3641);
    cr_expect_eq(tilted.yaw[0], 182);
    cr_expect_eq(tilted.roll[0], -1820);
}

Test(transform, scales_of_three_axes_come_out) {
    graph_world *world = world_of(lines, 3);
    loam_rect rect = rect_of_metres(0, 0, 64);
    loam_points grown = world_points(world, "grown", rect);
    loam_points before = world_points(world, "leant", rect);
    for (uint32_t i = 0; i < grown.count; i++) {
        uint32_t x = before.scale_x[i];
        cr_expect_eq(grown.scale_x[i], 2 * x);
        cr_expect_eq(grown.scale_y[i], (x + 1) / 2);
        cr_expect_eq(grown.scale_z[i], x);
    }
}

Test(transform, identity_and_full_turns_change_no_byte) {
    graph_world *world = world_of(lines, 3);
    loam_rect rect = rect_of_metres(-31, 8, 64);
    uint64_t before = world_bytes(world, "leant", rect);
    cr_expect_eq(world_bytes(world, "same", rect), before);
    cr_expect_eq(world_bytes(world, "full", rect), before);
}

Test(transform, identity_keeps_the_lattice_of_pruning) {
    static const char *const plain[] = {"sites grid.sample spacing_m=256",
                                        "kept self.prune radius_m=500 points<sites", "=kept kept",
                                        NULL};
    static const char *const through[] = {"sites grid.sample spacing_m=256",
                                          "same transform points<sites",
                                          "still jitter x_m=0 z_m=0 points<same",
                                          "all filter.box min_m=[-999999,-9,-999999] "
                                          "max_m=[999999,9,999999] points<still",
                                          "full density.remap points<all",
                                          "kept self.prune radius_m=500 points<full",
                                          "=kept kept",
                                          NULL};
    loam_rect rect = rect_of_metres(-31, 8, 100);
    cr_expect_eq(world_bytes(world_of(through, 3), "kept", rect),
                 world_bytes(world_of(plain, 3), "kept", rect));
}

Test(transform, three_axes_survive_merges_and_end_at_a_new_scale) {
    static const char *const joined[] = {
        "sites grid.sample spacing_m=300",
        "grown transform scale=[8192,2048,4096] points<sites",
        "far transform offset_m=[100,0,0] points<sites",
        "both merge a<grown b<far",
        "even attribute.set.float name='$scale' value=131072 points<both",
        "=both both",
        "=even even",
        NULL};
    graph_world *world = world_of(joined, 3);
    loam_rect rect = rect_of_metres(0, 0, 16);
    loam_points both = world_points(world, "both", rect);
    uint32_t uneven = 0;
    for (uint32_t i = 0; i < both.count; i++) {
        bool grown = both.scale_x[i] == 8192;
        uneven += grown;
        cr_expect_eq(both.scale_y[i], grown ? 2048 : 4096);
        cr_expect_eq(both.scale_z[i], 4096);
    }
    cr_expect(uneven > 20 && uneven < both.count);
    loam_points even = world_points(world, "even", rect);
    for (uint32_t i = 0; i < even.count; i++) {
        cr_expect(even.scale_x[i] == 8192 && even.scale_y[i] == 8192 && even.scale_z[i] == 8192);
    }
}

Test(transform, scales_stay_in_their_range) {
    static const char *const extreme[] = {"sites grid.sample spacing_m=300",
                                          "big transform scale=[65535,65535,65535] points<sites",
                                          "bigger transform scale=[65535,1,4096] points<big",
                                          "small transform scale=[1,1,1] points<bigger",
                                          "=bigger bigger",
                                          "=small small",
                                          NULL};
    graph_world *world = world_of(extreme, 3);
    loam_points bigger = world_points(world, "bigger", rect_of_metres(0, 0, 4));
    cr_expect(bigger.scale_x[0] == 65535 && bigger.scale_y[0] == 16 && bigger.scale_z[0] == 65535);
    loam_points small = world_points(world, "small", rect_of_metres(0, 0, 4));
    cr_expect(small.scale_x[0] == 16 && small.scale_y[0] == 1);
}

Test(transform, a_point_that_leaves_the_heights_fails_the_node) {
    static const char *const high[] = {"sites grid.sample spacing_m=300 y_m=4194304",
                                       "a transform offset_m=[0,2097152,0] points<sites",
                                       "b transform offset_m=[0,2097152,0] points<a",
                                       "=a a",
                                       "=b b",
                                       NULL};
    graph_world *world = world_of(high, 3);
    cr_expect_eq(world_failure(world, "a", rect_of_metres(0, 0, 4)).status, LOAM_OK);
    cr_expect_eq(world_failure(world, "b", rect_of_metres(0, 0, 4)).status, LOAM_COORDINATE_RANGE);
}

Test(transform, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    static const char *const names[] = {"moved", "tilted", "grown"};
    graph_world *world = world_sparse(lines, 3, 5);
    for (size_t n = 0; n < 3; n++) {
        for (size_t c = 0; c < 4; c++) {
            cr_expect_gt(world_partition(world, names[n], -cells[c], 5, cells[c], 2), 0);
        }
    }
}

Test(transform, the_rectangle_is_shifted_to_the_unit) {
    graph_world *world = world_of(lines, 3);
    const int64_t own[][2] = {{-7000, 999}};
    point_set set = probe_points(world, own[0], 1);
    const point_set *inputs[] = {&set};
    cr_expect_eq(probe_run(world, "moved", (loam_rect){0, 0, 1, 1}, inputs, 0).count, 1);
    cr_expect_eq(probe_run(world, "moved", (loam_rect){1, 0, 2, 1}, inputs, 0).count, 0);
    cr_expect_eq(probe_run(world, "moved", (loam_rect){0, -1, 1, 0}, inputs, 0).count, 0);
}
