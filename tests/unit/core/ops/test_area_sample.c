/* SPDX-License-Identifier: MIT
 *
 * test_area_sample.c: area.sample: inside, holes, edges, overlaps, names of features, seams, keys.
 */
#include "core/base/mix.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <string.h>

enum { METRE = LOAM_UNITS_PER_METRE };

/* A square of 100 m with a hole, and one that overlaps its north-east quarter. */
static const loam_areas *areas_of(loam_arena *arena, int64_t shift, uint64_t first_key) {
    const int64_t side = 100 * METRE, near = 30 * METRE, far = 45 * METRE, half = side / 2;
    const int64_t outer[] = {0, 0, side, 0, side, side, 0, side, 0, 0};
    const int64_t hole[] = {near, near, far, near, far, far, near, far, near, near};
    const int64_t other[] = {half,     half, 3 * half + shift, half, 3 * half + shift,
                             3 * half, half, 3 * half,         half, half};
    const loam_ring rings[] = {{outer, 5}, {hole, 5}, {other, 5}};
    const loam_polygon polygons[] = {{rings, 2, 0}, {rings + 2, 1, 1}};
    const loam_area_feature features[] = {{first_key, LOAM_UNSET, LOAM_UNSET},
                                          {0xabcdef0123456789u, LOAM_UNSET, LOAM_UNSET}};
    const loam_areas_source source = {polygons, 2, features, 2};
    const loam_areas *areas;
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&source, arena, &areas, &error), LOAM_OK, "%s", error.text);
    return areas;
}

static const char *const plain[] = {"$zones areas", "sites area.sample spacing_m=500 areas<$zones",
                                    "=points sites", NULL};
static const char *const inset[] = {"$zones areas",
                                    "sites area.sample spacing_m=256 edge_m=1000 areas<$zones",
                                    "=points sites", NULL};
static const char *const lattice[] = {"$zones areas",
                                      "sites area.sample spacing_m=2560 jitter=0 areas<$zones",
                                      "=points sites", NULL};

static loam_points build(sketch *graph, loam_rect rect) {
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, rect, &points, &error), LOAM_OK, "%s", error.text);
    return points;
}

static bool between(int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
}

/* At least `edge` inside the first polygon, whose hole is a border too. */
static bool in_first(int64_t x, int64_t z, int64_t edge) {
    bool in_hole = between(x, 30 * METRE - edge + 1, 45 * METRE + edge - 1) &&
                   between(z, 30 * METRE - edge + 1, 45 * METRE + edge - 1);
    return between(x, edge, 100 * METRE - edge) && between(z, edge, 100 * METRE - edge) && !in_hole;
}

static bool in_other(int64_t x, int64_t z, int64_t edge) {
    return between(x, 50 * METRE + edge, 150 * METRE - edge) &&
           between(z, 50 * METRE + edge, 150 * METRE - edge);
}

static uint32_t check_partition(const char *const *lines) {
    sketch *graph = sketch_of(lines, 42);
    point_union whole = {0};
    graph->slots[0].areas = areas_of(&graph->arena, 0, 5);
    const char *difference = sketch_partition(graph, -20, -40, 300, &whole);
    cr_expect_null(difference, "%s", difference);
    uint32_t count = whole.count;
    union_fini(&whole);
    return count;
}

Test(area_sample, cells_of_any_size_give_the_same_points) {
    cr_expect_gt(check_partition(plain), 3000);
    cr_expect_gt(check_partition(inset), 9000);
}

Test(area_sample, every_site_inside_has_one_point_and_names_the_smallest_feature) {
    sketch *graph = sketch_of(lattice, 1);
    graph->slots[0].areas = areas_of(&graph->arena, 0, 5);
    loam_points points = build(graph, (loam_rect){-5120, -5120, 51200, 51200});
    uint32_t at = 0;
    cr_assert_eq(points.attribute_count, 1);
    const loam_attribute *feature = &points.attributes[0];
    cr_expect(loam_text_equal(feature->name, loam_text_of("feature")));
    cr_assert_eq(feature->kind, LOAM_ATTRIBUTE_STRING);
    for (int64_t z = -5120; z < 51200; z += 2560) {
        for (int64_t x = -5120; x < 51200; x += 2560) {
            /* The border of a hole belongs to its polygon. */
            bool first = in_first(x, z, 0), other = in_other(x, z, 0);
            bool hole_border = between(x, 7680, 11520) && between(z, 7680, 11520) &&
                               (x == 7680 || x == 11520 || z == 7680 || z == 11520);
            if (!first && !other && !hole_border) {
                continue;
            }
            cr_assert_lt(at, points.count);
            cr_assert_eq(points.x[at] - 5120, x);
            cr_assert_eq(points.z[at] - 5120, z);
            cr_expect(loam_text_equal(
                feature->texts[feature->values[at]],
                loam_text_of(first || hole_border ? "0000000000000005" : "abcdef0123456789")));
            at++;
        }
    }
    cr_expect_eq(at, points.count);
}

Test(area_sample, overlapping_features_give_the_point_to_the_smaller_key) {
    sketch *graph = sketch_of(lattice, 1);
    graph->slots[0].areas = areas_of(&graph->arena, 0, UINT64_MAX);
    loam_points points = build(graph, (loam_rect){15360, 15360, 17920, 17920});
    cr_assert_eq(points.count, 1);
    cr_expect(loam_text_equal(points.attributes[0].texts[points.attributes[0].values[0]],
                              loam_text_of("abcdef0123456789")));
}

Test(area_sample, no_point_is_closer_to_its_border_than_the_edge) {
    sketch *graph = sketch_of(inset, 3);
    sketch *all =
        sketch_of((const char *const[]){"sites grid.sample spacing_m=256", "=o sites", NULL}, 3);
    graph->slots[0].areas = areas_of(&graph->arena, 0, 5);
    const loam_rect rect = {0, 0, 40960, 40960};
    loam_points points = build(graph, rect), sites = build(all, rect);
    uint32_t at = 0;
    for (uint32_t i = 0; i < sites.count; i++) {
        if (in_first(sites.x[i], sites.z[i], 1000) || in_other(sites.x[i], sites.z[i], 1000)) {
            /* In front of a corner of the hole the border is farther than both its sides. */
            cr_assert_lt(at, points.count);
            at += points.x[at] == sites.x[i] && points.z[at] == sites.z[i];
        } else if (at < points.count && points.x[at] == sites.x[i] && points.z[at] == sites.z[i]) {
            int64_t dx = sites.x[i] < 7680 ? 7680 - sites.x[i] : sites.x[i] - 11520;
            int64_t dz = sites.z[i] < 7680 ? 7680 - sites.z[i] : sites.z[i] - 11520;
            cr_expect(dx > 0 && dz > 0 && dx * dx + dz * dz >= 1000000, "%d %d", sites.x[i],
                      sites.z[i]);
            at++;
        }
    }
    cr_expect_eq(at, points.count);
}

/* Moving one side: keys of cells that do not see it stay; where they stay, so do the points. */
Test(area_sample, a_side_that_moves_changes_the_keys_that_see_it_alone) {
    sketch *graph = sketch_of(inset, 3);
    const loam_areas *before = areas_of(&graph->arena, 0, 5);
    const loam_areas *after = areas_of(&graph->arena, 900, 5);
    uint32_t changed = 0;
    for (int64_t z = 0; z < 8; z++) {
        for (int64_t x = 0; x < 8; x++) {
            loam_rect cell = {x * 8192, z * 8192, x * 8192 + 8192, z * 8192 + 8192};
            graph->slots[0].areas = before;
            uint64_t key = sketch_key(graph, cell);
            uint32_t count = build(graph, cell).count;
            graph->slots[0].areas = after;
            bool same = key == sketch_key(graph, cell);
            changed += !same;
            cr_expect(!same || count == build(graph, cell).count);
            /* The side itself, and the two that end at it. */
            bool sees_side = cell.x1 > 38400 - 999;
            bool sees_ends = cell.x1 > 12800 - 999 && (z == 12800 / 8192 || z == 38400 / 8192);
            cr_expect(same || sees_side || sees_ends, "%lld %lld", (long long)x, (long long)z);
        }
    }
    cr_expect(changed >= 6 && changed <= 16, "%u", changed);
}

Test(area_sample, another_key_of_a_feature_is_another_key_of_the_cell) {
    sketch *graph = sketch_of(plain, 3);
    const loam_rect cell = {0, 0, 8192, 8192};
    graph->slots[0].areas = areas_of(&graph->arena, 0, 5);
    uint64_t key = sketch_key(graph, cell);
    graph->slots[0].areas = areas_of(&graph->arena, 0, 6);
    cr_expect_neq(sketch_key(graph, cell), key);
}

Test(area_sample, no_areas_give_no_points_and_a_negative_edge_is_refused) {
    sketch *graph = sketch_of(plain, 3);
    const loam_areas_source none = {NULL, 0, NULL, 0};
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&none, &graph->arena, &graph->slots[0].areas, &error), LOAM_OK);
    cr_expect_eq(build(graph, (loam_rect){0, 0, 8192, 8192}).count, 0);
    sketch *made;
    cr_expect_eq(
        sketch_read((const char *const[]){"$zones areas",
                                          "s area.sample spacing_m=9 edge_m=-1 areas<$zones",
                                          "=o s", NULL},
                    &made, &error),
        LOAM_OUT_OF_RANGE);
}
