/* SPDX-License-Identifier: MIT
 *
 * test_areas.c: building areas: their normal form and their limits.
 */
#include "tests/unit/core/space/areas_naive.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BYTES = 4 << 20 };

static unsigned char memory[2][ARENA_BYTES];

static const loam_areas *build_in(int which, const naive_areas *areas) {
    loam_arena arena;
    loam_arena_init(&arena, memory[which], ARENA_BYTES);
    loam_areas_source source = naive_source(areas);
    const loam_areas *built = NULL;
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&source, &arena, &built, &error), LOAM_OK, "%s", error.text);
    return built;
}

static void assert_same_form(const loam_areas_source *a, const loam_areas_source *b) {
    cr_assert_eq(a->polygon_count, b->polygon_count);
    cr_assert_eq(a->feature_count, b->feature_count);
    cr_assert_eq(memcmp(a->features, b->features, a->feature_count * sizeof *a->features), 0);
    for (uint32_t i = 0; i < a->polygon_count; i++) {
        cr_assert_eq(a->polygons[i].feature, b->polygons[i].feature);
        cr_assert_eq(a->polygons[i].ring_count, b->polygons[i].ring_count);
        for (uint32_t j = 0; j < a->polygons[i].ring_count; j++) {
            const loam_ring *ra = &a->polygons[i].rings[j];
            const loam_ring *rb = &b->polygons[i].rings[j];
            cr_assert_eq(ra->count, rb->count);
            cr_assert_eq(memcmp(ra->xz, rb->xz, 2 * sizeof *ra->xz * (size_t)ra->count), 0);
        }
    }
}

Test(areas, the_normal_form_forgets_winding_start_and_order) {
    static naive_areas areas;
    static naive_areas other;
    naive_random random = {11};
    for (int round = 0; round < 300; round++) {
        naive_random_areas(&areas, &random, 1 + naive_draw(&random, 8), 12, -6, -6, 3);
        naive_shuffle(&areas, &other, &random);
        const loam_areas *a = build_in(0, &areas);
        const loam_areas *b = build_in(1, &other);
        cr_assert_eq(loam_areas_vertex_count(a), loam_areas_vertex_count(b));
        assert_same_form(loam_areas_normal_form(a), loam_areas_normal_form(b));
    }
}

Test(areas, the_normal_form_builds_itself) {
    static naive_areas areas;
    naive_random random = {12};
    naive_random_areas(&areas, &random, 20, 60, 1000, -9000, 50);
    const loam_areas *built = build_in(0, &areas);
    loam_arena arena;
    loam_arena_init(&arena, memory[1], ARENA_BYTES);
    const loam_areas *again;
    cr_assert_eq(loam_areas_build(loam_areas_normal_form(built), &arena, &again, NULL), LOAM_OK);
    assert_same_form(loam_areas_normal_form(built), loam_areas_normal_form(again));
}

Test(areas, rings_start_at_their_least_vertex_and_wind_counterclockwise) {
    static naive_areas areas;
    naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
    naive_add_polygon(&areas);
    naive_add_ring(&areas, (int64_t[]){8, 9, 8, 9, 9, 1, 2, 1}, 4);
    const loam_areas *built = build_in(0, &areas);
    const loam_ring *ring = &loam_areas_normal_form(built)->polygons[0].rings[0];
    int64_t expected[] = {2, 1, 9, 1, 8, 9, 2, 1};
    cr_assert_eq(ring->count, 4);
    cr_assert_eq(memcmp(ring->xz, expected, sizeof expected), 0);
}

/* The least vertex (0, 0) is passed twice; which pass comes first must not depend on the source. */
Test(areas, a_ring_that_touches_itself_at_its_least_vertex_has_one_form) {
    int64_t xz[] = {0, 0, 8, 1, 8, 4, 0, 0, 4, 8, 1, 8};
    const loam_areas *built[2];
    for (uint32_t start = 0; start < 6; start++) {
        static naive_areas areas;
        areas = (naive_areas){0};
        naive_add_feature(&areas, 1, LOAM_UNSET, LOAM_UNSET);
        naive_add_polygon(&areas);
        int64_t turned[12];
        for (uint32_t i = 0; i < 6; i++) {
            memcpy(turned + 2 * (size_t)i, xz + 2 * (size_t)((start + i) % 6), 2 * sizeof *xz);
        }
        naive_add_ring(&areas, turned, 6);
        built[start > 0] = build_in(start > 0, &areas);
        assert_same_form(loam_areas_normal_form(built[0]),
                         loam_areas_normal_form(built[start > 0]));
    }
}

Test(areas, identical_features_are_one_and_empty_ones_are_none) {
    static naive_areas areas;
    for (int i = 0; i < 3; i++) {
        naive_add_feature(&areas, 5, 10, LOAM_UNSET);
        naive_add_polygon(&areas);
        naive_add_box(&areas, 0, 0, 9, 9);
        naive_add_polygon(&areas);
        naive_add_box(&areas, 0, 0, i == 2 ? 8 : 9, 9);
    }
    naive_add_feature(&areas, 6, 10, LOAM_UNSET);
    const loam_areas_source *normal = loam_areas_normal_form(build_in(0, &areas));
    cr_assert_eq(normal->feature_count, 2);
    cr_assert_eq(normal->polygon_count, 3, "one of the first, two of the third");
}

Test(areas, features_stand_in_order_of_their_keys) {
    static naive_areas areas;
    uint64_t keys[] = {7, UINT64_MAX, 0, 1};
    for (int64_t i = 0; i < 4; i++) {
        naive_add_feature(&areas, keys[i], LOAM_UNSET, LOAM_UNSET);
        naive_add_polygon(&areas);
        naive_add_box(&areas, 10 * i, 0, 10 * i + 5, 5);
    }
    const loam_areas_source *normal = loam_areas_normal_form(build_in(0, &areas));
    uint64_t sorted[] = {0, 1, 7, UINT64_MAX};
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert_eq(normal->features[i].key, sorted[i]);
        cr_assert_eq(normal->polygons[i].feature, i);
    }
}

Test(areas, no_polygon_at_all_is_legal) {
    loam_arena arena;
    loam_arena_init(&arena, memory[0], ARENA_BYTES);
    loam_areas_source source = {0};
    const loam_areas *built;
    cr_assert_eq(loam_areas_build(&source, &arena, &built, NULL), LOAM_OK);
    cr_assert_eq(loam_areas_vertex_count(built), 0);
    uint8_t inside = 1;
    areas_points points = {0, 0, (int32_t[]){0}, (int32_t[]){0}, 1};
    cr_assert_eq(areas_veto(built, &(areas_view){.margin_units = 9}, &points, &inside, &arena),
                 LOAM_OK);
    cr_assert_eq(inside, 0);
}

Test(areas, margins_and_buffers_have_limits) {
    int64_t most = ZONE_MARGIN_UNITS_MAX;
    struct {
        int64_t margin, buffer;
        loam_status status;
        const char *pointer;
    } cases[] = {{most, most, LOAM_OK, ""},
                 {0, LOAM_UNSET, LOAM_OK, ""},
                 {-1, 0, LOAM_OUT_OF_RANGE, "/features/0/properties/margin_m"},
                 {most + 1, 0, LOAM_OUT_OF_RANGE, "/features/0/properties/margin_m"},
                 {0, most + 1, LOAM_OUT_OF_RANGE, "/features/0/properties/buffer_m"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        loam_area_feature feature = {1, cases[i].margin, cases[i].buffer};
        loam_areas_source source = {.features = &feature, .feature_count = 1};
        loam_arena arena;
        loam_arena_init(&arena, memory[0], ARENA_BYTES);
        loam_error error = {0};
        const loam_areas *built;
        cr_assert_eq(loam_areas_build(&source, &arena, &built, &error), cases[i].status);
        cr_assert_str_eq(error.pointer, cases[i].pointer);
    }
}

Test(areas, too_many_vertices_are_refused_before_they_are_read) {
    loam_ring ring = {NULL, AREA_VERTICES_MAX + 1};
    loam_polygon polygon = {&ring, 1, 0};
    loam_area_feature feature = {1, LOAM_UNSET, LOAM_UNSET};
    loam_areas_source source = {&polygon, 1, &feature, 1};
    loam_arena arena;
    loam_arena_init(&arena, memory[0], ARENA_BYTES);
    const loam_areas *built;
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&source, &arena, &built, &error), LOAM_TOO_MANY);
    cr_assert_str_eq(error.pointer, "/features");
    polygon.feature = 1;
    cr_assert_eq(loam_areas_build(&source, &arena, &built, NULL), LOAM_OUT_OF_RANGE);
}

Test(areas, as_many_vertices_as_allowed_build) {
    uint32_t count = AREA_VERTICES_MAX;
    size_t size = (size_t)count * 200;
    int64_t *xz = malloc(2 * sizeof *xz * count);
    void *room = malloc(size);
    cr_assert(xz != NULL && room != NULL);
    for (uint32_t i = 0; i + 2 < count; i++) {
        xz[2 * i] = (int64_t)i * 3;
        xz[2 * i + 1] = i % 2 * 70000 + i % 7;
    }
    xz[2 * count - 4] = (int64_t)count * 3;
    xz[2 * count - 3] = -10000000;
    memcpy(xz + 2 * (size_t)(count - 1), xz, 2 * sizeof *xz);
    loam_ring ring = {xz, count};
    loam_polygon polygon = {&ring, 1, 0};
    loam_area_feature feature = {1, LOAM_UNSET, LOAM_UNSET};
    loam_areas_source source = {&polygon, 1, &feature, 1};
    loam_arena arena;
    loam_arena_init(&arena, room, size);
    const loam_areas *built;
    loam_error error = {0};
    cr_assert_eq(loam_areas_build(&source, &arena, &built, &error), LOAM_OK, "%s", error.text);
    cr_assert_eq(loam_areas_vertex_count(built), count);
    cr_assert_lt(arena.used, (size_t)count * 100, "scratch is given back");
    free(room);
    free(xz);
}
