/* SPDX-License-Identifier: MIT
 *
 * graph_text.h: graphs as lines of text, for tests of core that have no JSON:
 *
 *   "$name kind"                              a slot
 *   "name operation key=7 key='text' port<source"
 *   "=name source"                            an output
 *
 * Nodes may name nodes of later lines.
 */
#ifndef LOAM_TESTS_GRAPH_TEXT_H
#define LOAM_TESTS_GRAPH_TEXT_H

#include "core/loam.h"
#include "tests/support/forest.h"
#include "tests/unit/core/base/byte_buffer.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { GRAPH_LINE_BYTES = 512 };

static inline void text_must(loam_status status, const loam_error *error, const char *line) {
    cr_assert_eq(status, LOAM_OK, "%s: %s %s", line, error->pointer, error->text);
}

/* Calls `part` with every word of a line after its second. */
static inline void text_part(loam_graph *graph, loam_text node, char *word, const char *line) {
    loam_error error = {0};
    char *less = strchr(word, '<'), *equals = strchr(word, '=');
    if (less != NULL) {
        *less = 0;
        text_must(
            loam_graph_connect(graph, node, loam_text_of(word), loam_text_of(less + 1), &error),
            &error, line);
        return;
    }
    cr_assert_not_null(equals, "%s", line);
    *equals = 0;
    loam_value value = {.kind = LOAM_VALUE_INTEGER};
    if (equals[1] == '\'') {
        value = (loam_value){.kind = LOAM_VALUE_TEXT, .text = {equals + 2, strlen(equals + 2) - 1}};
    } else {
        value.integer = strtoll(equals + 1, NULL, 10);
    }
    text_must(loam_graph_set(graph, node, loam_text_of(word), &value, &error), &error, line);
}

/* First pass: slots and nodes. Second: their parts, and outputs. */
static inline void text_line(loam_graph *graph, const char *line, int pass) {
    loam_error error = {0};
    char copy[GRAPH_LINE_BYTES];
    char *rest = NULL;
    snprintf(copy, sizeof copy, "%s", line);
    char *first = strtok_r(copy, " ", &rest), *second = strtok_r(NULL, " ", &rest);
    if (first[0] == '=') {
        if (pass == 2) {
            text_must(loam_graph_add_output(graph, loam_text_of(first + 1), loam_text_of(second), 0,
                                            &error),
                      &error, line);
        }
        return;
    }
    if (pass == 1) {
        text_must(
            first[0] == '$'
                ? loam_graph_add_slot(graph, loam_text_of(first + 1),
                                      loam_port_kind_find(loam_text_of(second)), &error)
                : loam_graph_add_node(graph, loam_text_of(first), loam_text_of(second), 0, &error),
            &error, line);
        return;
    }
    for (char *word = strtok_r(NULL, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        text_part(graph, loam_text_of(first), word, line);
    }
}

/* Lines end with NULL. */
static inline void graph_of_lines(loam_graph *graph, loam_arena *arena, const char *const *lines) {
    loam_error error = {0};
    loam_graph_sizes sizes = {.nodes = 256, .slots = 8, .outputs = 8, .exposed = 8};
    text_must(loam_graph_init(graph, sizes, arena, &error), &error, "init");
    for (int pass = 1; pass <= 2; pass++) {
        for (size_t i = 0; lines[i] != NULL; i++) {
            text_line(graph, lines[i], pass);
        }
    }
}

/* A graph with its plan and what it is asked about. */
typedef struct graph_scene {
    loam_graph graph;
    loam_arena arena;
    loam_asset slots[8];
    loam_query query;
} graph_scene;

static inline graph_scene *scene_of_lines(const char *const *lines, uint64_t seed) {
    graph_scene *scene = calloc(1, sizeof *scene);
    loam_error error = {0};
    scene->arena = arena_of((size_t)1 << 30);
    graph_of_lines(&scene->graph, &scene->arena, lines);
    text_must(loam_plan_build(&scene->graph, seed, &scene->arena, &scene->query.plan, &error),
              &error, "plan");
    scene->query.slots = scene->slots;
    return scene;
}

/* Canonical bytes of the scene's cell; the arena is as it was. */
static inline byte_buffer scene_bytes(graph_scene *scene) {
    loam_error error = {0};
    loam_points points;
    byte_buffer got = {0};
    size_t mark = loam_arena_mark(&scene->arena);
    loam_run run = {.arena = &scene->arena};
    text_must(loam_cell_build(&scene->query, &run, &points, &error), &error, "cell");
    got.capacity = loam_cell_bound(&points);
    got.bytes = malloc(got.capacity);
    text_must(loam_cell_encode(&points, got.bytes, got.capacity, &got.size), &error, "encode");
    loam_arena_reset(&scene->arena, mark);
    return got;
}

static inline byte_buffer scene_key(graph_scene *scene) {
    loam_error error = {0};
    byte_buffer got = {0};
    text_must(loam_cell_key(&scene->query, buffer_sink(&got), &scene->arena, &error), &error,
              "key");
    return got;
}

/* A square of a feature without margin. */
static inline const loam_areas *square_zone(loam_arena *arena, int64_t x0, int64_t z0, int64_t x1,
                                            int64_t z1) {
    const int64_t xz[] = {x0, z0, x1, z0, x1, z1, x0, z1, x0, z0};
    const loam_ring ring = {xz, 5};
    const loam_polygon polygon = {&ring, 1, 0};
    const loam_area_feature feature = {7, LOAM_UNSET, LOAM_UNSET};
    const loam_areas_source source = {&polygon, 1, &feature, 1};
    const loam_areas *areas;
    cr_assert_eq(loam_areas_build(&source, arena, &areas, NULL), LOAM_OK);
    return areas;
}

#endif
