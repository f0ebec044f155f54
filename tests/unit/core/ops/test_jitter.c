/* SPDX-License-Identifier: MIT
 *
 * test_jitter.c: every point moves by a draw of its own in +-amplitude, both ends included; the
 * reach is that amplitude to the unit; cells of every size agree.
 */
#include "core/base/mix.h"
#include "tests/support/node_probe.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const char *const lines[] = {
    "sites grid.sample spacing_m=300",
    "moved jitter x_m=700 y_m=3 z_m=40 points<sites",
    "spaced self.prune radius_m=300 points<moved",
    "same jitter x_m=0 z_m=0 points<sites",
    "=sites sites",
    "=moved moved",
    "=spaced spaced",
    "=same same",
    NULL,
};

/* In [-most, most]: the draw of a point (a, 0) of the probe's seed. */
static int64_t drawn(draw_channel channel, uint32_t a, int64_t most) {
    uint64_t bits = draw_bits(draw_row_key(draw_key(99, channel), 0), a);
    return (int64_t)((bits * (uint64_t)(2 * most + 1)) >> 32) - most;
}

Test(jitter, moves_each_point_by_its_own_draw) {
    enum { POINTS = 3000 };
    static int64_t at[POINTS][2];
    graph_world *world = world_of(lines, 3);
    int64_t low[3] = {0}, high[3] = {0};
    for (uint32_t i = 0; i < POINTS; i++) {
        at[i][0] = 5000 + (int64_t)(i % 60) * 17;
        at[i][1] = -9000 + (int64_t)(i / 60) * 31;
    }
    point_set set = probe_points(world, at[0], POINTS);
    const point_set *inputs[] = {&set};
    loam_rect rect = {0, -20000, 20000, 0};
    point_set moved = probe_run(world, "moved", rect, inputs, 0);
    cr_assert_eq(moved.count, POINTS);
    for (uint32_t i = 0; i < POINTS; i++) {
        int64_t d[3] = {drawn(DRAW_JITTER_X, i, 700), drawn(DRAW_JITTER_Y, i, 3),
                        drawn(DRAW_JITTER_Z, i, 40)};
        cr_expect_eq(moved.base_x + moved.x[i], at[i][0] + d[0]);
        cr_expect_eq(moved.y[i], d[1]);
        cr_expect_eq(moved.base_z + moved.z[i], at[i][1] + d[2]);
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = d[axis] < low[axis] ? d[axis] : low[axis];
            high[axis] = d[axis] > high[axis] ? d[axis] : high[axis];
        }
    }
    cr_expect(low[0] <= -698 && high[0] >= 698 && low[1] == -3 && high[1] == 3);
    cr_expect(low[2] == -40 && high[2] == 40, "both ends are reached");
}

/* The point that jumps the whole way to the west, and where it lands. */
Test(jitter, reach_is_exact_to_the_unit) {
    graph_world *world = world_of(lines, 3);
    int64_t at[1][2] = {{700, 0}};
    point_set set = probe_points(world, at[0], 1);
    uint32_t a = 0;
    while (drawn(DRAW_JITTER_X, a, 700) != -700) {
        a++;
    }
    set.a = &a;
    int64_t z = drawn(DRAW_JITTER_Z, a, 40);
    loam_rect rect = {0, z, 1, z + 1};
    const point_set *inputs[] = {&set};
    cr_expect_eq(probe_run(world, "moved", rect, inputs, 0).count, 1);
    cr_expect_eq(probe_run(world, "moved", rect, inputs, 1).count, 0,
                 "a reach less one unit must show");
    cr_expect_eq(loam_plan_reach(world->plan, 1), 700);
}

Test(jitter, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    graph_world *world = world_sparse(lines, 3, 3);
    for (size_t c = 0; c < 4; c++) {
        cr_expect_gt(world_partition(world, "moved", -cells[c], 5, cells[c], 2), 0);
        cr_expect_gt(world_partition(world, "spaced", -cells[c], 5, cells[c], 2), 0);
    }
}

Test(jitter, none_changes_no_byte) {
    graph_world *world = world_of(lines, 3);
    loam_rect rect = rect_of_metres(-7, 9, 64);
    cr_expect_eq(world_bytes(world, "same", rect), world_bytes(world, "sites", rect));
}

Test(jitter, no_point_is_lost_or_doubled) {
    graph_world *world = world_of(lines, 3);
    loam_points moved = world_points(world, "moved", rect_of_metres(-100, -100, 200));
    loam_points sites = world_points(world, "sites", rect_of_metres(-110, -110, 220));
    cr_expect_float_eq((double)moved.count, 200.0 * 200 * 65536 / 90000, 300);
    for (uint32_t i = 0; i < moved.count; i += 97) {
        cr_expect_geq(point_row(&sites, moved.id[i]), 0);
    }
}
