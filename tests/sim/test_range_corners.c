/* SPDX-License-Identifier: MIT
 *
 * test_range_corners.c: promise P8 for every parameter of every operation: values at and just past
 * the ends of its range, in a graph that is otherwise in order. What is out of range is refused
 * with a pointer to the parameter; all else plans, or says where and why not, and is evaluated in
 * the memory and with the rows that its estimate says.
 */
#include "tests/sim/corners.h"
#include "tests/sim/trial.h"
#include "tests/support/forest.h"

#include "core/base/limits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELL_UNITS = 24 * LOAM_UNITS_PER_METRE };
#define PLAN_BYTES ((size_t)8 << 20)
#define VALUE_BYTES ((size_t)4 << 20)

/* What one cell may take, far more than any did. */
enum { SECONDS_MAX = 60 };

typedef struct corner_tally {
    uint32_t refused, unplanned, failed, built;
    double slowest;
} corner_tally;

static int32_t node_of(const loam_graph *graph, const loam_operation *operation) {
    for (uint32_t n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].operation == operation) {
            return (int32_t)n;
        }
    }
    return -1;
}

static void complain(const trial *of, const char *key, const corner *at, const char *what) {
    trial_print(of);
    cr_expect(false, "trial %llu: %s with %s: %s; %s %s", (unsigned long long)of->number, key,
              at->what, what, of->error.pointer, of->error.text);
}

/* A refusal says where, and in words. */
static bool says(const loam_error *error, loam_status status) {
    return error->status == status && error->text[0] != 0;
}

/* In a graph of a graph the pointer goes through the node around it. */
static void expect_place(const trial *of, const loam_node *node, const char *key,
                         const corner *at) {
    char place[LOAM_POINTER_BYTES];
    size_t size = node->name.size, from = size;
    while (from > 0 && node->name.bytes[from - 1] != '.') {
        from--;
    }
    snprintf(place, sizeof place, "/nodes/%.*s/params/%s", (int)(size - from),
             node->name.bytes + from, key);
    if (strstr(of->error.pointer, place) == NULL || of->error.text[0] == 0) {
        complain(of, key, at, "the refusal does not name the place");
    }
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void build_corner(trial *of, const char *key, const corner *at, corner_tally *sum) {
    const sim_place place = of->made.place;
    const int64_t x = (place.x_m + place.side_m / 2) * LOAM_UNITS_PER_METRE;
    const int64_t z = (place.z_m + place.side_m / 2) * LOAM_UNITS_PER_METRE;
    const double before = now_s();
    loam_points points;
    loam_status status = trial_cell(of, (loam_rect){x, z, x + CELL_UNITS, z + CELL_UNITS}, &points);
    const double took = now_s() - before;
    sum->slowest = took > sum->slowest ? took : sum->slowest;
    sum->built += status == LOAM_OK;
    sum->failed += status != LOAM_OK;
    if (took > SECONDS_MAX) {
        complain(of, key, at, "takes too long");
    }
    if (status == LOAM_ARENA_FULL || status == LOAM_INTERNAL) {
        complain(of, key, at, "takes more memory than was estimated");
    } else if (status != LOAM_OK && !says(&of->error, status)) {
        complain(of, key, at, "fails without a word");
    }
}

/* The whole with one parameter at a corner. */
static void plan_corner(trial *of, const char *key, const corner *at, corner_tally *sum) {
    static loam_arena arena;
    if (arena.memory == NULL) {
        arena = arena_of(PLAN_BYTES);
    }
    loam_arena_reset(&arena, 0);
    const loam_plan *kept = of->world->plan;
    of->error = (loam_error){0};
    loam_status status =
        loam_plan_build(&of->world->graph, of->made.seed, &arena, &of->world->plan, &of->error);
    if (status == LOAM_OK && at->fit == CORNER_FAULT) {
        complain(of, key, at, "is planned");
    } else if (status == LOAM_OK) {
        build_corner(of, key, at, sum);
    } else {
        sum->unplanned++;
        if (!says(&of->error, status) || of->error.pointer[0] != '/') {
            complain(of, key, at, "the plan does not say where it is wrong");
        }
    }
    of->world->plan = kept;
}

static void try_corner(trial *of, loam_node *node, const loam_param_schema *schema,
                       const corner *at, corner_tally *sum) {
    of->error = (loam_error){0};
    loam_status status = loam_graph_set(&of->world->graph, node->name, loam_text_of(schema->key),
                                        &at->value, &of->error);
    if (status == LOAM_OK && at->fit == CORNER_OUT) {
        complain(of, schema->key, at, "is accepted");
    } else if (status != LOAM_OK && at->fit == CORNER_IN) {
        complain(of, schema->key, at, "is refused");
    }
    if (status != LOAM_OK) {
        sum->refused++;
        expect_place(of, node, schema->key, at);
        return;
    }
    plan_corner(of, schema->key, at, sum);
}

static void try_param(trial *of, loam_node *node, uint32_t p, corner_tally *sum) {
    static loam_arena values;
    static corner corners[CORNERS_MAX];
    if (values.memory == NULL) {
        values = arena_of(VALUE_BYTES);
    }
    loam_arena_reset(&values, 0);
    const loam_param_schema *schema = &node->operation->params[p];
    const loam_value kept = node->params[p];
    const uint32_t count = corners_of(schema, &values, corners);
    for (uint32_t i = 0; i < count; i++) {
        try_corner(of, node, schema, &corners[i], sum);
        node->params[p] = kept;
    }
}

/* The first trial from `first` on that is any and holds the operation; number of trials that are
 * made for it are a table apart. */
static bool find_trial(trial *of, uint32_t operation, uint64_t round) {
    const uint64_t step = loam_operation_count();
    for (uint64_t number = operation + round * step; number < 400 * step; number += step) {
        loam_points points;
        if (!trial_begin(of, number)) {
            continue;
        }
        if (node_of(&of->world->graph, loam_operation_at(operation)) >= 0 &&
            trial_cell(of, place_rect(of->made.place), &points) == LOAM_OK && points.count > 0) {
            return true;
        }
        trial_end(of);
    }
    return false;
}

static void try_operation(uint32_t operation, uint64_t round, corner_tally *sum) {
    static trial one;
    const loam_operation *wanted = loam_operation_at(operation);
    bool found = find_trial(&one, operation, round);
    cr_assert(found, "no graph holds %s", wanted->name);
    loam_node *node = &one.world->graph.nodes[node_of(&one.world->graph, wanted)];
    for (uint32_t p = 0; p < wanted->param_count; p++) {
        try_param(&one, node, p, sum);
    }
    trial_end(&one);
}

Test(range_corners, every_parameter_at_and_past_the_ends_of_its_range, .timeout = 0) {
    corner_tally sum = {0};
    const uint32_t rounds = trial_count(60) / 60 + 1;
    for (uint32_t operation = 0; operation < loam_operation_count(); operation++) {
        for (uint64_t round = 0; round < rounds; round++) {
            try_operation(operation, round, &sum);
        }
    }
    fprintf(stderr, "corners: %u refused, %u not planned, %u failed, %u built; slowest %.2f s\n",
            sum.refused, sum.unplanned, sum.failed, sum.built, sum.slowest);
    cr_expect_gt(sum.refused, 1000);
    cr_expect_gt(sum.built, 1000);
}
