/* SPDX-License-Identifier: MIT
 *
 * test_partition.c: promise P2. A world cut into cells of any size, asked in any order and by any
 * number of threads, is the same set of points as the world computed as one piece.
 */
#include "tests/support/forest.h"
#include "tests/support/sanitized.h"
#include "tests/support/union.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>

enum { CELLS_MAX = 1024, METRE = LOAM_UNITS_PER_METRE };

/* Under a sanitizer a quarter of the side, or four times the spacing: a sixteenth of the points in
 * as many cells. */
enum { SHRINK = LOAM_SANITIZED ? 4 : 1 };

/* Reserved, not touched, but for the one cell of 2,664 m. */
#define ARENA_BYTES ((size_t)3 << 29)

/* A world, ready to be asked. */
typedef struct test_scene {
    loam_graph graph;
    loam_asset assets[2];
    const loam_plan *plan;
    loam_arena arena;
} test_scene;

static test_scene *scene_of(forest_options options, int64_t x_m, int64_t z_m, uint32_t side_m) {
    test_scene *made = calloc(1, sizeof *made);
    loam_error error = {0};
    made->arena = arena_of(1 << 20);
    forest_build(&made->graph, &made->arena, options);
    cr_assert_eq(loam_plan_build(&made->graph, 42, &made->arena, &made->plan, &error), LOAM_OK,
                 "%s", error.text);
    if (!options.flat) {
        made->assets[0].kind = LOAM_PORT_HEIGHTFIELD;
        made->assets[0].heightfield = terrain_hills(side_m / 4 + 64, (int64_t)4 * METRE << 16,
                                                    (x_m - 100) * METRE, (z_m - 100) * METRE);
    }
    return made;
}

/* Cells of one cut, in the order in which they are asked. */
typedef struct test_cut {
    loam_rect cells[CELLS_MAX];
    uint32_t count;
} test_cut;

static void cut_square(test_cut *cut, int64_t x_m, int64_t z_m, int64_t cell_m, int64_t per_side) {
    cut->count = 0;
    for (int64_t j = 0; j < per_side; j++) {
        for (int64_t i = 0; i < per_side; i++) {
            int64_t x = (x_m + i * cell_m) * METRE, z = (z_m + j * cell_m) * METRE;
            cut->cells[cut->count++] = (loam_rect){x, z, x + cell_m * METRE, z + cell_m * METRE};
        }
    }
}

static void reverse(test_cut *cut) {
    for (uint32_t i = 0; i < cut->count / 2; i++) {
        loam_rect swap = cut->cells[i];
        cut->cells[i] = cut->cells[cut->count - 1 - i];
        cut->cells[cut->count - 1 - i] = swap;
    }
}

static void shuffle(test_cut *cut) {
    uint64_t state = 12345;
    for (uint32_t i = cut->count; i-- > 1;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t j = (uint32_t)((state >> 33) % (i + 1));
        loam_rect swap = cut->cells[i];
        cut->cells[i] = cut->cells[j];
        cut->cells[j] = swap;
    }
}

/* One thread's share of a cut: every `step`-th cell. */
typedef struct thread_share {
    const test_scene *scene;
    const test_cut *cut;
    uint32_t first, step;
    bool general_path;
    loam_simd level;
    point_union result;
    bool failed;
} thread_share;

static void *build_share(void *context) {
    thread_share *own = context;
    void *memory = malloc(ARENA_BYTES);
    for (uint32_t i = own->first; i < own->cut->count; i += own->step) {
        loam_error error = {0};
        loam_arena arena;
        loam_arena_init(&arena, memory, ARENA_BYTES);
        loam_query query = {
            .plan = own->scene->plan, .rect = own->cut->cells[i], .slots = own->scene->assets};
        loam_run run = {.arena = &arena, .general_path = own->general_path, .level = own->level};
        loam_points points;
        if (loam_cell_build(&query, &run, &points, &error) != LOAM_OK) {
            own->failed = true;
            break;
        }
        union_add(&own->result, &points);
    }
    free(memory);
    return NULL;
}

enum { THREADS_MAX = 8 };

static point_union build(const test_scene *scene, const test_cut *cut, uint32_t threads,
                         bool general, loam_simd level) {
    thread_share shares[THREADS_MAX] = {0};
    pthread_t ids[THREADS_MAX];
    point_union all = {0};
    for (uint32_t t = 0; t < threads; t++) {
        shares[t] = (thread_share){.scene = scene,
                                   .cut = cut,
                                   .first = t,
                                   .step = threads,
                                   .general_path = general,
                                   .level = level};
        cr_assert_eq(pthread_create(&ids[t], NULL, build_share, &shares[t]), 0);
    }
    for (uint32_t t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        cr_assert(!shares[t].failed);
        uint32_t room = all.count + shares[t].result.count;
        all.points = realloc(all.points, (room + 1) * sizeof *all.points);
        for (uint32_t i = 0; i < shares[t].result.count; i++) {
            all.points[all.count++] = shares[t].result.points[i];
        }
        union_fini(&shares[t].result);
    }
    union_sort(&all);
    return all;
}

static void expect_equal(const point_union *want, const point_union *got, const char *what) {
    int64_t at = union_difference(want, got);
    cr_expect_eq(at, -1, "%s: %u points, want %u; first difference at %lld", what, got->count,
                 want->count, (long long)at);
}

static void check_place(forest_options options, int64_t x_m, int64_t z_m) {
    test_scene *scene = scene_of(options, x_m, z_m, 1024 / SHRINK);
    test_cut one, sixteen, many;
    cut_square(&one, x_m, z_m, 1024 / SHRINK, 1);
    cut_square(&sixteen, x_m, z_m, 256 / SHRINK, 4);
    cut_square(&many, x_m, z_m, 64 / SHRINK, 16);
    reverse(&sixteen);
    shuffle(&many);
    point_union whole = build(scene, &one, 1, false, LOAM_SIMD_BEST);
    point_union by_256 = build(scene, &sixteen, 2, false, LOAM_SIMD_BEST);
    point_union by_64 = build(scene, &many, 8, false, LOAM_SIMD_BASELINE);
    cr_expect_gt(whole.count, 1000 / SHRINK / SHRINK);
    expect_equal(&whole, &by_256, "16 cells of 256 m in reverse order, 2 threads");
    expect_equal(&whole, &by_64, "256 cells of 64 m in random order, 8 threads");
    int64_t distance = union_distance_squared(&whole, options.radius);
    cr_expect_geq(distance, options.radius * options.radius);
    union_fini(&whole);
    union_fini(&by_256);
    union_fini(&by_64);
}

Test(partition, square_of_1024_m_is_the_same_from_every_cell_size_near_the_origin) {
    check_place(forest_default(), 0, 0);
}

Test(partition, square_of_1024_m_is_the_same_from_every_cell_size_far_away) {
    check_place(forest_default(), 1000000, -780000);
}

Test(partition, square_of_1024_m_is_the_same_from_every_cell_size_at_negative_coordinates) {
    check_place(forest_default(), -1024 - 512, -3000);
}

Test(partition, a_general_path_world_equals_a_lattice_path_world) {
    test_scene *scene = scene_of(forest_default(), -256, 512, 512);
    test_cut one, four;
    cut_square(&one, -256, 512, 512, 1);
    cut_square(&four, -256, 512, 256, 2);
    point_union lattice = build(scene, &one, 1, false, LOAM_SIMD_BEST);
    point_union general = build(scene, &four, 2, true, LOAM_SIMD_BEST);
    expect_equal(&lattice, &general, "general path");
    union_fini(&lattice);
    union_fini(&general);
}

Test(partition, radii_beyond_the_stencil_have_no_seams_either) {
    forest_options options = forest_default();
    options.spacing = 2 * METRE;
    options.radius = 9 * METRE + 77;
    options.flat = true;
    check_place(options, -333, 77);
}

Test(partition, square_of_2664_m_is_one_cell_or_64_cells_of_333_m) {
    forest_options options = forest_default();
    options.spacing = 308 * SHRINK;
    options.radius = 615 * SHRINK;
    options.flat = true;
    test_scene *scene = scene_of(options, 0, 0, 16);
    test_cut one, many;
    cut_square(&one, -1332, 999, 2664, 1);
    cut_square(&many, -1332, 999, 333, 8);
    shuffle(&many);
    point_union whole = build(scene, &one, 1, false, LOAM_SIMD_BEST);
    point_union cells = build(scene, &many, 2, false, LOAM_SIMD_BEST);
    cr_expect_gt(whole.count, 100000 / SHRINK / SHRINK);
    expect_equal(&whole, &cells, "64 cells of 333 m");
    cr_expect_geq(union_distance_squared(&whole, options.radius), options.radius * options.radius);
    union_fini(&whole);
    union_fini(&cells);
}

Test(partition, a_lattice_of_12_m_over_8192_m_has_683_squared_points) {
    test_scene *scene = calloc(1, sizeof *scene);
    loam_error error = {0};
    loam_value spacing = {.kind = LOAM_VALUE_INTEGER, .integer = 12 * METRE};
    loam_value none = {.kind = LOAM_VALUE_INTEGER, .integer = 0};
    scene->arena = arena_of(1 << 20);
    loam_graph_sizes sizes = {.nodes = 1, .outputs = 1};
    loam_text node = loam_text_of("sites");
    cr_assert_eq(loam_graph_init(&scene->graph, sizes, &scene->arena, &error), LOAM_OK);
    cr_assert_eq(loam_graph_add_node(&scene->graph, node, loam_text_of("grid.sample"), 1, &error),
                 LOAM_OK);
    cr_assert_eq(loam_graph_set(&scene->graph, node, loam_text_of("spacing_m"), &spacing, &error),
                 LOAM_OK);
    cr_assert_eq(loam_graph_set(&scene->graph, node, loam_text_of("jitter"), &none, &error),
                 LOAM_OK);
    cr_assert_eq(loam_graph_add_output(&scene->graph, node, node, 0, &error), LOAM_OK);
    cr_assert_eq(loam_plan_build(&scene->graph, 1, &scene->arena, &scene->plan, &error), LOAM_OK);
    uint32_t total = 0, columns_of_21 = 0, columns_of_22 = 0;
    void *memory = malloc(1 << 20);
    for (int64_t j = 0; j < 32; j++) {
        uint32_t in_row = 0;
        for (int64_t i = 0; i < 32; i++) {
            loam_arena arena;
            loam_arena_init(&arena, memory, 1 << 20);
            int64_t x = i * 256 * METRE, z = j * 256 * METRE;
            loam_query query = {.plan = scene->plan,
                                .rect = {x, z, x + 256 * METRE, z + 256 * METRE}};
            loam_run run = {.arena = &arena};
            loam_points points;
            cr_assert_eq(loam_cell_build(&query, &run, &points, &error), LOAM_OK, "%s", error.text);
            total += points.count;
            in_row = 0;
            for (uint32_t p = 0; p < points.count && points.z[p] == points.z[0]; p++) {
                in_row++;
            }
            columns_of_21 += j == 0 && in_row == 21;
            columns_of_22 += j == 0 && in_row == 22;
        }
    }
    cr_expect_eq(total, 466489);
    cr_expect_eq(columns_of_21, 21);
    cr_expect_eq(columns_of_22, 11);
    free(memory);
}
