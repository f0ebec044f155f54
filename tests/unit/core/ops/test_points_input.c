/* SPDX-License-Identifier: MIT
 *
 * test_points_input.c: points.input: given points with all they bring, in the cell that owns them,
 * with the same ids wherever they are asked for.
 */
#include "core/base/mix.h"
#include "core/graph/graph.h"
#include "core/space/sites.h"
#include "tests/support/forest.h"
#include "tests/support/sketch.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { METRE = LOAM_UNITS_PER_METRE, MISSING = LOAM_MISSING };

static const char *const input[] = {"$trees points", "given points.input points<$trees",
                                    "=points given", NULL};

static const loam_sites *built(const loam_sites_source *source, loam_arena *arena) {
    const loam_sites *sites = NULL;
    loam_error error = {0};
    cr_assert_eq(loam_sites_build(source, arena, &sites, &error), LOAM_OK, "%s", error.text);
    return sites;
}

static const loam_sites *three(loam_arena *arena) {
    static const loam_site sites[] = {
        {10, 20, 300, 0, 7}, {90, 20, -5, 1, 8}, {65536, 20, 0, 2, 9}};
    static const loam_text texts[] = {{"oak", 3}, {"pine", 4}};
    static const int32_t kinds[] = {1, 0, 0}, ages[] = {5, MISSING, -6}, sizes[] = {98304, 1, 2};
    const loam_attribute properties[] = {
        {{"kind", 4}, LOAM_ATTRIBUTE_STRING, kinds, texts, 2},
        {{"size", 4}, LOAM_ATTRIBUTE_FLOAT, sizes, NULL, 0},
        {{"age", 3}, LOAM_ATTRIBUTE_INT, ages, NULL, 0},
    };
    const loam_sites_source source = {sites, 3, properties, 3};
    return built(&source, arena);
}

static loam_points points_of(const sketch *graph, loam_rect rect) {
    loam_points points;
    loam_error error = {0};
    cr_assert_eq(sketch_build(graph, rect, &points, &error), LOAM_OK, "%s", error.text);
    return points;
}

static const loam_rect cell = {0, 0, 65536, 65536}, next = {65536, 0, 131072, 65536};

Test(points_input, points_come_with_their_heights_and_what_they_bring) {
    sketch *graph = sketch_of(input, 1);
    graph->slots[0].sites = three(&graph->arena);
    loam_points points = points_of(graph, cell);
    cr_assert_eq(points.count, 2, "a cell's high side is its neighbour's");
    cr_expect_eq(points.x[0], 10);
    cr_expect_eq(points.z[0], 20);
    cr_expect_eq(points.y[0], 300);
    cr_expect_eq(points.y[1], -5);
    cr_assert_eq(points.attribute_count, 3);
    const loam_attribute *age = &points.attributes[0], *kind = &points.attributes[1];
    cr_expect(loam_text_equal(age->name, loam_text_of("age")));
    cr_expect_eq(age->kind, LOAM_ATTRIBUTE_INT);
    cr_expect_eq(age->values[0], 5);
    cr_expect_eq(age->values[1], MISSING);
    cr_expect(loam_text_equal(kind->texts[kind->values[0]], loam_text_of("pine")));
    cr_expect(loam_text_equal(kind->texts[kind->values[1]], loam_text_of("oak")));
    cr_expect_eq(points.attributes[2].values[0], 98304);
    cr_expect_eq(points_of(graph, next).count, 1);
}

Test(points_input, a_cell_without_points_has_the_columns_of_all_properties) {
    sketch *graph = sketch_of(input, 1);
    graph->slots[0].sites = three(&graph->arena);
    loam_points points = points_of(graph, (loam_rect){-65536, 0, 0, 65536});
    cr_expect_eq(points.count, 0);
    cr_expect_eq(points.attribute_count, 3);
}

Test(points_input, ids_go_with_keys_and_with_the_nodes_seed) {
    sketch *one = sketch_of(input, 1), *other = sketch_of(input, 2), *moved = sketch_of(input, 1);
    static const loam_site sites[] = {{500, 600, 0, 0, 8}};
    const loam_sites_source source = {.sites = sites, .count = 1};
    one->slots[0].sites = three(&one->arena);
    other->slots[0].sites = three(&other->arena);
    moved->slots[0].sites = built(&source, &moved->arena);
    loam_points a = points_of(one, cell), b = points_of(other, cell), c = points_of(moved, cell);
    cr_expect_neq(a.id[0], a.id[1]);
    cr_expect_neq(a.id[0], b.id[0]);
    cr_expect_eq(a.id[1], c.id[0], "a point that moves stays itself");
}

Test(points_input, a_point_beyond_the_cell_is_not_in_its_key) {
    sketch *graph = sketch_of(input, 1), *fewer = sketch_of(input, 1);
    graph->slots[0].sites = three(&graph->arena);
    loam_sites_source source = *loam_sites_normal_form(graph->slots[0].sites);
    source.count = 2;
    fewer->slots[0].sites = built(&source, &fewer->arena);
    cr_expect_eq(sketch_key(graph, cell), sketch_key(fewer, cell));
    cr_expect_neq(sketch_key(graph, next), sketch_key(fewer, next));
}

Test(points_input, points_of_a_node_are_a_fault) {
    const char *const text[] = {"sites grid.sample spacing_m=256",
                                "given points.input points<sites", "=points given", NULL};
    sketch *graph = NULL;
    loam_error error = {0};
    loam_status status = sketch_read(text, &graph, &error);
    if (status == LOAM_OK) {
        cr_assert_eq(loam_graph_faults(&graph->graph, &error, 1), 1);
    }
    cr_expect_eq(error.status, LOAM_PORT_MISMATCH);
    cr_expect_str_eq(error.pointer, "/nodes/given/in/points");
}

Test(points_input, cells_of_every_size_have_the_same_points) {
    enum { COUNT = 3000 };
    static loam_site sites[COUNT];
    static int32_t ages[COUNT];
    static const char *const text[] = {"$trees points",
                                       "given points.input points<$trees",
                                       "some density.cull multiplier=9000000 points<given",
                                       "apart self.prune radius_m=300 points<some",
                                       "=points apart",
                                       NULL};
    uint64_t state = 5;
    for (uint32_t i = 0; i < COUNT; i++) {
        state = mix64(state + 1);
        ages[i] = (int32_t)(state % 90);
        sites[i] = (loam_site){(int64_t)(state % 76800) - 256000, (int64_t)(state >> 32) % 76800,
                               (int32_t)(state >> 50), i, state >> 60};
    }
    const loam_attribute property = {{"age", 3}, LOAM_ATTRIBUTE_INT, ages, NULL, 0};
    const loam_sites_source source = {sites, COUNT, &property, 1};
    sketch *graph = sketch_of(text, 3);
    loam_arena arena = arena_of(16 << 20);
    point_union whole = {0};
    graph->slots[0].sites = built(&source, &arena);
    const char *difference = sketch_partition(graph, -1000, 0, 300, &whole);
    cr_expect_null(difference, "%s", difference);
    cr_expect_gt(whole.count, 500);
    union_fini(&whole);
}
