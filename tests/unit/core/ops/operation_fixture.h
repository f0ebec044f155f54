/* SPDX-License-Identifier: MIT
 *
 * operation_fixture.h: one node of one operation, run on points that a test makes, for tests of
 * operations. Everything lives as long as the program.
 */
#ifndef LOAM_TESTS_OPERATION_FIXTURE_H
#define LOAM_TESTS_OPERATION_FIXTURE_H

#include "core/ops/operation.h"
#include "tests/support/forest.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>

typedef struct operation_fixture {
    loam_graph graph;
    loam_arena arena;
    loam_run run;
    uint64_t seed;
    loam_rect rect;
    const point_set *inputs[PORTS_MAX];
    const loam_asset *assets[PORTS_MAX];
    uint32_t texts[PARAMS_MAX];
    const char *path;
} operation_fixture;

static inline operation_fixture *fixture_of(const char *operation) {
    operation_fixture *made = calloc(1, sizeof *made);
    loam_error error = {0};
    loam_graph_sizes sizes = {.nodes = 1};
    made->arena = arena_of((size_t)1 << 28);
    made->run.arena = &made->arena;
    made->seed = 0x5eed;
    made->rect = (loam_rect){-(1 << 20), -(1 << 20), 1 << 20, 1 << 20};
    cr_assert_eq(loam_graph_init(&made->graph, sizes, &made->arena, &error), LOAM_OK);
    cr_assert_eq(
        loam_graph_add_node(&made->graph, loam_text_of("n"), loam_text_of(operation), 1, &error),
        LOAM_OK, "%s", error.text);
    return made;
}

static inline void fixture_set(operation_fixture *fixture, const char *key, int64_t value) {
    loam_error error = {0};
    loam_value integer = {.kind = LOAM_VALUE_INTEGER, .integer = value};
    cr_assert_eq(
        loam_graph_set(&fixture->graph, loam_text_of("n"), loam_text_of(key), &integer, &error),
        LOAM_OK, "%s: %s", key, error.text);
}

static inline loam_status fixture_try(operation_fixture *fixture, point_set *out,
                                      loam_error *error) {
    node_call call = {.node = &fixture->graph.nodes[0],
                      .pointer = "/nodes/n",
                      .seed = fixture->seed,
                      .rect = fixture->rect,
                      .text_params = fixture->texts,
                      .run = &fixture->run,
                      .arena = &fixture->arena,
                      .error = error,
                      .out = out};
    memcpy(call.inputs, fixture->inputs, sizeof call.inputs);
    memcpy(call.assets, fixture->assets, sizeof call.assets);
    loam_status status = operation_code_of(fixture->graph.nodes[0].operation)->evaluate(&call);
    fixture->path = call.path;
    return status;
}

static inline point_set fixture_run(operation_fixture *fixture) {
    loam_error error = {0};
    point_set out;
    cr_assert_eq(fixture_try(fixture, &out, &error), LOAM_OK, "%s", error.text);
    return out;
}

static inline bool is_live(const point_set *set, uint32_t i) {
    return set->live == NULL || set->live[i] != 0;
}

/* Compact points anywhere within `side` units of (-700, 900), of a few rows, with every kind of
 * column but ids, which their origins make. */
static inline point_set *random_points(uint64_t seed, uint32_t count, int64_t side) {
    test_random random = {seed};
    point_set *set = calloc(1, sizeof *set);
    int32_t *x = calloc(column_size(count + 1), sizeof *x);
    int32_t *y = calloc(column_size(count + 1), sizeof *y);
    int32_t *z = calloc(column_size(count + 1), sizeof *z);
    int32_t *gx = calloc(column_size(count + 1), sizeof *gx);
    int32_t *gz = calloc(column_size(count + 1), sizeof *gz);
    uint32_t *a = calloc(column_size(count + 1), sizeof *a);
    uint32_t *b = calloc(column_size(count + 1), sizeof *b);
    uint32_t *density = calloc(column_size(count + 1), sizeof *density);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = (int32_t)random_between(&random, 0, side);
        z[i] = (int32_t)random_between(&random, 0, side);
        y[i] = (int32_t)random_between(&random, -5000, 5000);
        gx[i] = (int32_t)random_between(&random, -6000, 6000);
        gz[i] = (int32_t)random_between(&random, -6000, 6000);
        a[i] = i * 7u - 1000u;
        b[i] = i / 9 - 30u;
        density[i] = i % 11 == 0 ? (uint32_t)(i % 2) * LOAM_DENSITY_ONE
                                 : (uint32_t)random_between(&random, 0, LOAM_DENSITY_ONE);
    }
    *set = (point_set){.count = count,
                       .base_x = -700,
                       .base_z = 900,
                       .x = x,
                       .y = y,
                       .z = z,
                       .gradient_x = gx,
                       .gradient_z = gz,
                       .a = a,
                       .b = b,
                       .density = density,
                       .id_key = seed};
    return set;
}

#endif
