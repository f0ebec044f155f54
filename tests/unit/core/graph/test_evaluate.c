/* SPDX-License-Identifier: MIT
 *
 * test_evaluate.c: an evaluation as its caller sees it: cancelled, traced, short of memory at every
 * size, and the same on every path.
 */
#include "tests/unit/core/graph/graph_text.h"

#include <fenv.h>

enum { METRE = LOAM_UNITS_PER_METRE, NODES = 9 };

static const char *const forest[] = {
    "$t heightfield",
    "$z areas",
    "s surface.sample spacing_m=400 surface<$t",
    "h filter.height min_m=150000 max_m=158000 points<s",
    "n density.noise wavelength_m=5000 points<h",
    "c density.cull points<n",
    "p self.prune radius_m=800 points<c",
    "q self.prune radius_m=1500 points<c rounds=2",
    "m merge a<p b<q",
    "z zone.exclude points<m zones<$z margin_m=100",
    "t transform.scatter tilt_max_deg=655360 points<z asset='pine'",
    "=o t",
    NULL};

static graph_scene *forest_scene(int64_t side) {
    graph_scene *scene = scene_of_lines(forest, 42);
    scene->slots[0] =
        (loam_asset){.kind = LOAM_PORT_HEIGHTFIELD,
                     .heightfield = terrain_hills(65, (int64_t)1024 << 16, -9000, -9000)};
    scene->slots[1] = (loam_asset){.kind = LOAM_PORT_AREAS,
                                   .areas = square_zone(&scene->arena, 1000, 1000, 5000, 9000)};
    scene->query.rect = (loam_rect){0, 0, side, side};
    return scene;
}

/* Exact memory, so that a step too far is seen by the sanitizer. */
static loam_status build_in(graph_scene *scene, size_t size, bool general, loam_error *error) {
    unsigned char *exact = aligned_alloc(64, size + 64);
    loam_arena arena;
    loam_points points;
    loam_arena_init(&arena, exact, size);
    loam_run run = {.arena = &arena, .general_path = general};
    loam_status status = loam_cell_build(&scene->query, &run, &points, error);
    cr_assert_leq(arena.peak, size);
    free(exact);
    return status;
}

static void expect_full_below(graph_scene *scene, size_t step, bool general) {
    size_t size = 0;
    for (;; size += step) {
        loam_error error = {0};
        loam_status status = build_in(scene, size, general, &error);
        cr_assert_eq(error.status, status, "noted at %zu", size);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL, "at %zu: %s", size, loam_status_code(status));
        cr_assert_str_neq(error.text, "");
    }
    cr_expect_gt(size, (size_t)60000);
}

/* Every allocation fails once: sizes are whole lines of 64 bytes. */
Test(evaluate, a_full_arena_is_told_at_every_size_of_a_small_cell) {
    graph_scene *scene = forest_scene(4 * METRE);
    expect_full_below(scene, 64, false);
    expect_full_below(scene, 64, true);
}

Test(evaluate, a_full_arena_is_told_at_many_sizes_of_a_large_cell) {
    expect_full_below(forest_scene(64 * METRE), 4096 - 64, false);
}

Test(evaluate, a_key_without_scratch_is_told_at_every_size) {
    graph_scene *scene = forest_scene(8 * METRE);
    uint32_t failures = 0;
    for (size_t size = 0;; size += 64) {
        unsigned char *exact = aligned_alloc(64, size + 64);
        loam_arena arena;
        loam_error error = {0};
        byte_buffer key = {0};
        loam_arena_init(&arena, exact, size);
        loam_status status = loam_cell_key(&scene->query, buffer_sink(&key), &arena, &error);
        free(exact);
        buffer_fini(&key);
        cr_assert_eq(error.status, status);
        if (status == LOAM_OK) {
            break;
        }
        cr_assert_eq(status, LOAM_ARENA_FULL);
        cr_assert_str_neq(error.text, "");
        failures++;
    }
    cr_expect_gt(failures, 2);
}

Test(evaluate, a_cancelled_evaluation_ends_with_that) {
    graph_scene *scene = forest_scene(64 * METRE);
    int cancel = 1;
    loam_run run = {.arena = &scene->arena, .cancel = &cancel};
    loam_points points;
    loam_error error = {0};
    cr_expect_eq(loam_cell_build(&scene->query, &run, &points, &error), LOAM_CANCELLED);
    cr_expect_eq(error.status, LOAM_CANCELLED);
    cr_expect_str_eq(error.pointer, "/nodes/s");
    cancel = 0;
    error = (loam_error){0};
    cr_expect_eq(loam_cell_build(&scene->query, &run, &points, &error), LOAM_OK);
}

/* Sets the flag while a later node runs: the clock of the trace is called between nodes. */
typedef struct late_cancel {
    int flag;
    int calls, at;
} late_cancel;

static uint64_t tick_and_cancel(void *context) {
    late_cancel *late = context;
    late->flag = ++late->calls >= late->at;
    return (uint64_t)late->calls;
}

Test(evaluate, cancelling_works_at_every_node) {
    graph_scene *scene = forest_scene(64 * METRE);
    loam_trace_node nodes[NODES];
    for (int at = 1; at <= 2 * NODES; at++) {
        loam_trace trace = {.nodes = nodes};
        late_cancel late = {.at = at};
        loam_run run = {.arena = &scene->arena,
                        .cancel = &late.flag,
                        .tick = tick_and_cancel,
                        .tick_context = &late,
                        .trace = &trace};
        loam_points points;
        loam_error error = {0};
        size_t mark = loam_arena_mark(&scene->arena);
        loam_status status = loam_cell_build(&scene->query, &run, &points, &error);
        cr_expect_eq(status, at < 2 * NODES ? LOAM_CANCELLED : LOAM_OK, "at %d", at);
        cr_expect(late.calls <= at + 3, "it ends with the node or the one after it");
        loam_arena_reset(&scene->arena, mark);
    }
}

static byte_buffer bytes_on_path(graph_scene *scene, loam_simd level, bool general) {
    loam_error error = {0};
    loam_points points;
    byte_buffer got = {0};
    size_t mark = loam_arena_mark(&scene->arena);
    loam_run run = {.arena = &scene->arena, .level = level, .general_path = general};
    text_must(loam_cell_build(&scene->query, &run, &points, &error), &error, "cell");
    got.bytes = malloc(loam_cell_bound(&points));
    text_must(loam_cell_encode(&points, got.bytes, loam_cell_bound(&points), &got.size), &error,
              "encode");
    loam_arena_reset(&scene->arena, mark);
    return got;
}

Test(evaluate, every_level_and_path_gives_the_same_bytes) {
    graph_scene *scene = forest_scene(128 * METRE);
    byte_buffer want = bytes_on_path(scene, LOAM_SIMD_BASELINE, false);
    cr_expect_gt(loam_cell_count(want.bytes, want.size), 100);
    for (loam_simd level = LOAM_SIMD_BEST; level <= LOAM_SIMD_AVX512; level++) {
        for (int general = 0; general < 2; general++) {
            byte_buffer got = bytes_on_path(scene, level, general == 1);
            cr_expect(buffer_equal(&got, &want), "%s, general %d", loam_simd_name(level), general);
            buffer_fini(&got);
        }
    }
    buffer_fini(&want);
}

static void trace_cell(graph_scene *scene, loam_rect rect, loam_trace *trace, uint32_t *count) {
    loam_points points;
    loam_error error = {0};
    loam_run run = {.arena = &scene->arena, .trace = trace};
    size_t mark = loam_arena_mark(&scene->arena);
    scene->query.rect = rect;
    text_must(loam_cell_build(&scene->query, &run, &points, &error), &error, "traced");
    *count = points.count;
    loam_arena_reset(&scene->arena, mark);
}

Test(evaluate, counts_of_sixteen_cells_add_up_to_those_of_one) {
    graph_scene *scene = forest_scene(1);
    const int64_t side = 256 * METRE, part = side / 4;
    loam_trace_node whole_nodes[NODES], nodes[NODES], sum[NODES] = {{0}};
    loam_trace whole = {.nodes = whole_nodes}, trace = {.nodes = nodes};
    uint32_t count, total = 0;
    for (int64_t k = 0; k < 16; k++) {
        int64_t x = k % 4 * part - 7000, z = k / 4 * part - 7000;
        trace_cell(scene, (loam_rect){x, z, x + part, z + part}, &trace, &count);
        total += count;
        for (uint32_t n = 0; n < NODES; n++) {
            sum[n].points_in += nodes[n].points_in;
            sum[n].points_out += nodes[n].points_out;
            sum[n].density_sum += nodes[n].density_sum;
        }
    }
    trace_cell(scene, (loam_rect){-7000, -7000, side - 7000, side - 7000}, &whole, &count);
    cr_expect_eq(count, total);
    cr_assert_eq(whole.node_count, NODES);
    cr_expect_eq(whole_nodes[0].points_out, count, "the output's node comes first");
    for (uint32_t n = 0; n < NODES; n++) {
        cr_expect_eq(sum[n].points_in, whole_nodes[n].points_in, "node %u", whole_nodes[n].node);
        cr_expect_eq(sum[n].points_out, whole_nodes[n].points_out, "node %u", whole_nodes[n].node);
        cr_expect_eq(sum[n].density_sum, whole_nodes[n].density_sum);
        cr_expect_geq(whole_nodes[n].window_out, whole_nodes[n].points_out);
        cr_expect_str_neq(whole_nodes[n].path, "");
    }
}

Test(evaluate, bounds_hold_the_points_out) {
    graph_scene *scene = forest_scene(64 * METRE);
    loam_trace_node nodes[NODES];
    loam_trace trace = {.nodes = nodes};
    loam_points points;
    loam_error error = {0};
    loam_run run = {.arena = &scene->arena, .trace = &trace};
    text_must(loam_cell_build(&scene->query, &run, &points, &error), &error, "traced");
    int64_t want[6] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, INT64_MIN};
    for (uint32_t i = 0; i < points.count; i++) {
        int64_t place[3] = {points.rect.x0 + points.x[i], points.y[i],
                            points.rect.z0 + points.z[i]};
        for (int axis = 0; axis < 3; axis++) {
            want[axis] = place[axis] < want[axis] ? place[axis] : want[axis];
            want[axis + 3] = place[axis] > want[axis + 3] ? place[axis] : want[axis + 3];
        }
    }
    cr_expect_arr_eq(nodes[0].bounds, want, sizeof want);
}

Test(evaluate, another_rounding_mode_is_refused) {
    graph_scene *scene = forest_scene(8 * METRE);
    loam_error error = {0};
    loam_points points;
    loam_run run = {.arena = &scene->arena};
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; i++) {
        error = (loam_error){0};
        cr_assert_eq(fesetround(modes[i]), 0);
        loam_status status = loam_cell_build(&scene->query, &run, &points, &error);
        fesetround(FE_TONEAREST);
        cr_expect_eq(status, LOAM_ROUNDING_MODE);
        cr_expect_eq(error.status, LOAM_ROUNDING_MODE);
    }
    cr_expect_eq(loam_cell_build(&scene->query, &run, &points, NULL), LOAM_OK);
}

Test(evaluate, a_cell_without_points_is_a_cell) {
    graph_scene *scene = forest_scene(8 * METRE);
    scene->query.rect = (loam_rect){1 << 22, 0, (1 << 22) + 9999, 9999};
    byte_buffer bytes = scene_bytes(scene);
    cr_expect_gt(bytes.size, 64);
    cr_expect_eq(loam_cell_count(bytes.bytes, bytes.size), 0);
    buffer_fini(&bytes);
}
