/* SPDX-License-Identifier: MIT
 *
 * test_filter_value.c: filters by attributes and branches against the plain rule, with attributes
 * of each kind, missing ones, and both sides of a branch.
 */
#include "tests/support/graph_world.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* Half of the points have `n`, `k`, `t` and the asset; the others have none of them. */
#define SITES                                                                                      \
    "sites grid.sample spacing_m=300 y_m=256",                                                     \
        "west filter.box min_m=[-1000000,0,-1000000] max_m=[2000,1000,1000000] points<sites",      \
        "east filter.box min_m=[2001,0,-1000000] max_m=[1000000,1000,1000000] points<sites",       \
        "n attribute.noise name='n' wavelength_m=1000 octaves=1 min=-65536 max=65536 points<west", \
        "k attribute.set.int name='k' value=100000 points<n",                                      \
        "t attribute.set.string name='t' value='rock' points<k",                                   \
        "a attribute.set.string name='asset' value='oak' points<t", "all merge a<a b<east",        \
        "=all all"

static loam_rect area(void) {
    return rect_of_metres(0, 0, 16);
}

static graph_world *filtered(const char *operation) {
    char line[512];
    snprintf(line, sizeof line, "kept %s points<all", operation);
    const char *lines[] = {SITES, line, "=kept kept", NULL};
    return world_of(lines, 8);
}

/* `number` in 1/65,536. */
static void expect_kept(const char *operation, bool (*rule)(const loam_points *, uint32_t)) {
    graph_world *world = filtered(operation);
    loam_points all = world_points(world, "all", area());
    loam_points kept = world_points(world, "kept", area());
    uint32_t want = 0;
    cr_assert_gt(all.count, 150);
    for (uint32_t i = 0; i < all.count; i++) {
        want += rule(&all, i);
        cr_expect_eq(point_row(&kept, all.id[i]) >= 0, rule(&all, i), "%s", operation);
    }
    cr_expect_eq(kept.count, want);
}

static bool has(const loam_points *points, uint32_t i) {
    return point_number(points, i, "n") != INT32_MIN;
}

static bool in_band(const loam_points *points, uint32_t i) {
    int32_t n = point_number(points, i, "n");
    return has(points, i) && n >= -9000 && n <= 20000;
}

static bool in_band_or_missing(const loam_points *points, uint32_t i) {
    return !has(points, i) || in_band(points, i);
}

static bool out_of_band(const loam_points *points, uint32_t i) {
    return has(points, i) && !in_band(points, i);
}

static bool lacks(const loam_points *points, uint32_t i) {
    return !has(points, i);
}

static bool never(const loam_points *points, uint32_t i) {
    (void)points;
    (void)i;
    return false;
}

static bool always(const loam_points *points, uint32_t i) {
    (void)points;
    (void)i;
    return true;
}

Test(filter_value, numbers_in_the_band_stay) {
    expect_kept("filter.float name='n' min=-9000 max=20000", in_band);
    expect_kept("filter.float name='n' min=-9000 max=20000 missing=0", in_band_or_missing);
    expect_kept("filter.float name='n' min=-9000 max=20000 invert=1", out_of_band);
}

Test(filter_value, whole_numbers_of_any_size_stay) {
    expect_kept("filter.int name='k' min=100000 max=100000", has);
    expect_kept("filter.int name='k' min=100001 max=200000", never);
    expect_kept("filter.float name='k' min=-2147483647 max=2147483647", never);
    expect_kept("filter.int name='$height' min=1 max=1", always);
    expect_kept("filter.float name='$height' min=65536 max=65536", always);
}

Test(filter_value, texts_of_the_list_stay) {
    expect_kept("filter.string name='t' values=['tree','rock']", has);
    expect_kept("filter.string name='t' values=['tree']", never);
    expect_kept("filter.string name='t' values=['rock'] invert=1", lacks);
    expect_kept("filter.string name='asset' values=['oak']", has);
    expect_kept("filter.string name='n' values=['rock']", never);
}

Test(filter_value, an_attribute_that_nobody_has_is_missing) {
    expect_kept("filter.float name='no.such:thing' min=0 max=1", never);
    expect_kept("filter.int name='no.such:thing' min=0 max=1 missing=0 invert=1", always);
}

Test(filter_value, a_band_inside_out_is_a_fault) {
    static const char *const lines[] = {"sites grid.sample spacing_m=300",
                                        "bad filter.int name='k' min=2 max=1 points<sites",
                                        "=bad bad", NULL};
    cr_expect_eq(world_fault(lines).status, LOAM_OUT_OF_RANGE);
}

Test(filter_value, a_missing_name_and_an_empty_list_are_faults) {
    static const char *const name[] = {"sites grid.sample spacing_m=300",
                                       "bad filter.float name='' min=0 max=1 points<sites",
                                       "=bad bad", NULL};
    static const char *const list[] = {"sites grid.sample spacing_m=300",
                                       "bad filter.string name='t' values=[] points<sites",
                                       "=bad bad", NULL};
    cr_expect_str_eq(world_fault(name).pointer, "/nodes/bad/params/name");
    cr_expect_str_eq(world_fault(list).pointer, "/nodes/bad/params/values");
}

static bool compared(int op, int32_t n, int32_t value) {
    bool is[] = {n<value, n <= value, n == value, n >= value, n> value};
    return n != INT32_MIN && is[op];
}

/* What every candidate around a place is dropped for: by name of the node. */
static void expect_reasons(graph_world *world, const char *node, const char *word, bool measured) {
    loam_fate fates[512];
    uint32_t count = world_explain(world, "kept", (loam_place){2000, 2000, 1500}, fates, 512);
    int32_t number = loam_graph_find_node(&world->graph, loam_text_of(node));
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (fates[i].dropped_by == (uint32_t)number) {
            dropped++;
            cr_expect_str_eq(fates[i].reason, word);
            cr_expect_eq(fates[i].measured, measured);
        }
    }
    cr_expect_gt(dropped, 0, "%s", word);
}

Test(filter_value, says_why_a_point_was_dropped) {
    expect_reasons(filtered("filter.float name='$height' min=0 max=1"), "kept", "value", true);
    expect_reasons(filtered("filter.int name='none' min=0 max=1"), "kept", "missing", false);
    expect_reasons(filtered("filter.string name='t' values=['x']"), "kept", "value", false);
    expect_reasons(filtered("filter.box min_m=[0,0,0] max_m=[1,1,1]"), "kept", "box", false);
    expect_reasons(filtered("filter.radius x_m=0 z_m=0 radius_m=9"), "kept", "distance", true);
}

Test(branch, both_sides_together_are_the_input) {
    for (int op = 0; op < 5; op++) {
        char line[256];
        snprintf(line, sizeof line, "way branch name='n' op=%d value=700 points<all", op);
        const char *lines[] = {SITES, line, "=yes way#true", "=no way#false", NULL};
        graph_world *world = world_of(lines, 8);
        loam_points all = world_points(world, "all", area());
        loam_points yes = world_points(world, "yes", area());
        loam_points no = world_points(world, "no", area());
        cr_expect_eq(yes.count + no.count, all.count);
        for (uint32_t i = 0; i < all.count; i++) {
            bool want = compared(op, point_number(&all, i, "n"), 700);
            cr_expect_eq(point_row(&yes, all.id[i]) >= 0, want);
            cr_expect_eq(point_row(&no, all.id[i]) >= 0, !want);
        }
    }
}

Test(branch, a_side_can_be_merged_again) {
    const char *lines[] = {SITES, "way branch name='$density' op=2 value=65536 points<all",
                           "back merge a<way#true b<way#false", "=back back", NULL};
    graph_world *world = world_of(lines, 8);
    cr_expect_eq(world_points(world, "back", area()).count,
                 world_points(world, "all", area()).count);
}

Test(branch, has_no_whole_and_nothing_else_has_sides) {
    const char *whole[] = {SITES, "way branch name='n' op=0 value=0 points<all", "=w way", NULL};
    const char *sides[] = {SITES, "=s all#true", NULL};
    cr_expect_eq(world_fault(whole).status, LOAM_PORT_MISMATCH);
    cr_expect_eq(world_fault(sides).status, LOAM_PORT_MISMATCH);
}

Test(filter_value, cells_of_any_size_give_one_set) {
    static const int64_t cells[] = {64, 100, 256, 333};
    const char *lines[] = {SITES,
                           "half filter.float name='n' min=0 max=65536 missing=0 points<all",
                           "way branch name='n' op=4 value=20000 points<half",
                           "rock filter.string name='t' values=['rock'] points<way#false",
                           "both merge a<way#true b<rock",
                           "=both both",
                           NULL};
    graph_world *world = world_sparse(lines, 8, 4);
    for (size_t c = 0; c < 4; c++) {
        cr_expect_gt(world_partition(world, "both", -cells[c], -cells[c], cells[c], 2), 0);
    }
}
