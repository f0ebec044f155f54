/* SPDX-License-Identifier: MIT
 *
 * sketch.c: see sketch.h.
 */
#include "tests/support/sketch.h"

#include "tests/support/forest.h"
#include "tests/support/stage_shelf.h"
#include "tests/support/value_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { METRE = LOAM_UNITS_PER_METRE, LINE_BYTES = 512 };
#define BUILD_BYTES ((size_t)1 << 30)
/* A graph, its plan and what a test adds. */
#define SKETCH_BYTES ((size_t)16 << 20)

#define TRY(call)                                                                                  \
    do {                                                                                           \
        loam_status status_ = (call);                                                              \
        if (status_ != LOAM_OK) {                                                                  \
            return status_;                                                                        \
        }                                                                                          \
    } while (0)

/* The next word of a line, cut off; NULL at its end. */
static char *next_word(char **at) {
    *at += strspn(*at, " ");
    char *word = *at;
    if (*word == 0) {
        return NULL;
    }
    *at += strcspn(*at, " ");
    if (**at != 0) {
        *(*at)++ = 0;
    }
    return word;
}

static loam_status set_param(loam_graph *graph, loam_text node, char *word, loam_error *error) {
    char *equals = strchr(word, '=');
    const char *at = equals + 1;
    *equals = 0;
    loam_value value = value_text_read(&at, graph->arena);
    return loam_graph_set(graph, node, loam_text_of(word), &value, error);
}

/* Two passes: nodes and parameters, then what they are joined to. */
static loam_status read_node(loam_graph *graph, char *at, bool joins, loam_error *error) {
    loam_text name = loam_text_of(next_word(&at));
    loam_text operation = loam_text_of(next_word(&at));
    if (!joins) {
        TRY(loam_graph_add_node(graph, name, operation, 0, error));
    }
    for (char *word = next_word(&at); word != NULL; word = next_word(&at)) {
        char *less = strchr(word, '<'), *equals = strchr(word, '=');
        bool param = less == NULL || (equals != NULL && equals < less);
        if (param && !joins) {
            TRY(set_param(graph, name, word, error));
        } else if (!param && joins) {
            *less = 0;
            TRY(loam_graph_connect(graph, name, loam_text_of(word), loam_text_of(less + 1), error));
        }
    }
    return LOAM_OK;
}

static loam_status read_line(loam_graph *graph, const char *line, bool joins, loam_error *error) {
    char copy[LINE_BYTES];
    char *at = copy;
    snprintf(copy, sizeof copy, "%s", line);
    if (copy[0] != '$' && copy[0] != '=') {
        return read_node(graph, at, joins, error);
    }
    loam_text name = loam_text_of(next_word(&at) + 1);
    loam_text value = loam_text_of(next_word(&at));
    if (copy[0] == '$') {
        return joins ? LOAM_OK
                     : loam_graph_add_slot(graph, name, loam_port_kind_find(value), error);
    }
    return joins ? loam_graph_add_output(graph, name, value, 0, error) : LOAM_OK;
}

loam_status sketch_read(const char *const *lines, sketch **made, loam_error *error) {
    loam_arena arena = arena_of(SKETCH_BYTES);
    sketch *read = loam_arena_take_zero(&arena, 1, sizeof *read);
    if (read == NULL) {
        abort();
    }
    *made = read;
    read->arena = arena;
    loam_graph_sizes sizes = {
        .nodes = SKETCH_NODES, .slots = SKETCH_SLOTS, .outputs = SKETCH_SLOTS};
    TRY(loam_graph_init(&read->graph, sizes, &read->arena, error));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; lines[i] != NULL; i++) {
            TRY(read_line(&read->graph, lines[i], pass == 1, error));
        }
    }
    for (uint32_t i = 0; i < read->graph.slot_count; i++) {
        read->slots[i].kind = read->graph.slots[i].kind;
    }
    loam_error fault;
    if (loam_graph_faults(&read->graph, &fault, 1) > 0) {
        *error = fault;
        return fault.status;
    }
    return LOAM_OK;
}

static void must(loam_status status, const loam_error *error) {
    if (status != LOAM_OK) {
        fprintf(stderr, "sketch: %s %s %s\n", loam_status_code(status), error->pointer,
                error->text);
        abort();
    }
}

sketch *sketch_of(const char *const *lines, uint64_t seed) {
    sketch *made;
    loam_error error = {0};
    must(sketch_read(lines, &made, &error), &error);
    must(loam_plan_build(&made->graph, seed, &made->arena, &made->plan, &error), &error);
    return made;
}

static loam_status build_in(const sketch *from, loam_rect rect, loam_arena *arena,
                            loam_points *points, loam_error *error) {
    const loam_query query = {.plan = from->plan, .rect = rect, .slots = from->slots};
    const loam_run run = {.arena = arena, .trace = from->trace, .stages = from->stages};
    return loam_cell_build(&query, &run, points, error);
}

loam_status sketch_build(const sketch *from, loam_rect rect, loam_points *points,
                         loam_error *error) {
    loam_arena arena = arena_of(BUILD_BYTES);
    return build_in(from, rect, &arena, points, error);
}

static void stir(void *context, const void *bytes, size_t size) {
    uint64_t *hash = context;
    for (size_t i = 0; i < size; i++) {
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    }
}

uint64_t sketch_key(const sketch *from, loam_rect rect) {
    uint64_t hash = 0xcbf29ce484222325u;
    loam_error error = {0};
    loam_arena scratch = arena_of(BUILD_BYTES);
    const loam_query query = {.plan = from->plan, .rect = rect, .slots = from->slots};
    must(loam_cell_key(&query, (loam_sink){stir, &hash}, &scratch, &error), &error);
    munmap(scratch.memory, scratch.size);
    return hash;
}

static int64_t floor_to(int64_t value, int64_t step) {
    int64_t rest = value % step;
    return value - rest - (rest < 0 ? step : 0);
}

/* Keeps what lies in the square. */
static void clip(point_union *all, loam_rect square) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const union_point *point = &all->points[i];
        if (point->x >= square.x0 && point->x < square.x1 && point->z >= square.z0 &&
            point->z < square.z1) {
            all->points[kept++] = *point;
        }
    }
    all->count = kept;
}

static void build_cells(const sketch *from, loam_rect square, int64_t cell, loam_arena *arena,
                        point_union *all) {
    for (int64_t z = floor_to(square.z0, cell); z < square.z1; z += cell) {
        for (int64_t x = floor_to(square.x0, cell); x < square.x1; x += cell) {
            loam_points points;
            loam_error error = {0};
            loam_arena_reset(arena, 0);
            must(build_in(from, (loam_rect){x, z, x + cell, z + cell}, arena, &points, &error),
                 &error);
            union_add(all, &points);
        }
    }
    clip(all, square);
    union_sort(all);
}

const char *sketch_partition(const sketch *from, int64_t x_m, int64_t z_m, int64_t side_m,
                             point_union *whole) {
    static const int64_t sizes_m[] = {64, 100, 256, 333};
    static char text[160];
    const char *difference = NULL;
    loam_rect square = {x_m * METRE, z_m * METRE, (x_m + side_m) * METRE, (z_m + side_m) * METRE};
    loam_arena arena = arena_of(BUILD_BYTES);
    loam_points points;
    loam_error error = {0};
    must(build_in(from, square, &arena, &points, &error), &error);
    union_add(whole, &points);
    union_sort(whole);
    stage_shelf *shelf = stage_shelf_create();
    sketch keeping = *from;
    keeping.stages = &shelf->stages;
    for (int i = 0; i < 4 && difference == NULL; i++) {
        point_union cells = {0};
        build_cells(&keeping, square, sizes_m[i] * METRE, &arena, &cells);
        int64_t at = union_difference(whole, &cells);
        if (at >= 0) {
            snprintf(text, sizeof text,
                     "cells of %lld m: %u points, want %u, first difference %lld",
                     (long long)sizes_m[i], cells.count, whole->count, (long long)at);
            difference = text;
        }
        union_fini(&cells);
    }
    if (shelf->borrowed != 0 || shelf->differed != 0) {
        difference = "a stage is still borrowed, or was kept with two contents";
    }
    stage_shelf_destroy(shelf);
    munmap(arena.memory, arena.size);
    return difference;
}
