/* SPDX-License-Identifier: MIT
 *
 * world_check.c: what a world costs, and where its cells are; see world_document.h.
 */
#include "api/wire/world_document.h"

#include "api/wire/check_document.h"
#include "api/wire/document.h"
#include "core/base/limits.h"
#include "core/base/try.h"

/* A cell that the world surely has: at the corner of its bounds, else at the origin. */
static loam_rect sample_rect(const world *of, uint32_t level) {
    int64_t side = (int64_t)of->cell_size_m[level] * LOAM_UNITS_PER_METRE;
    int64_t x0 = of->min_m[0] * LOAM_UNITS_PER_METRE;
    int64_t z0 = of->min_m[1] * LOAM_UNITS_PER_METRE;
    return (loam_rect){x0, z0, x0 + side, z0 + side};
}

static void check_output(const world *of, const loam_plan *plan, uint32_t index,
                         const item *graph) {
    const loam_output *output = &of->graph.outputs[index];
    loam_estimate estimate;
    loam_error error = {0};
    if (loam_plan_estimate(plan, index, sample_rect(of, output->level), &estimate, &error) ==
        LOAM_OK) {
        return;
    }
    if (error.pointer[0] != 0) {
        graph_refuse(graph, &error);
        return;
    }
    item outputs = item_field(graph, "outputs");
    item at = item_field(&outputs, output->name.bytes);
    item_fail(&at, error.status, "%s", error.text);
}

/* A spacing is checked on the strips around a cell, which cost too. */
static void check_strip_costs(const world *of, const loam_plan *plan, uint32_t index,
                              const item *document) {
    const loam_check *check = checks_of(of, index);
    if (check == NULL || !loam_check_asks(check, LOAM_CHECK_SPACING)) {
        return;
    }
    const loam_output *output = &of->graph.outputs[index];
    const loam_check open = {.spacing = check->spacing};
    loam_rect strips[LOAM_CHECK_STRIPS];
    loam_error error = {0};
    uint32_t count = loam_check_strips(&open, sample_rect(of, output->level), strips);
    loam_status status = LOAM_OK;
    for (uint32_t i = 0; i < count && status == LOAM_OK; i++) {
        loam_estimate estimate;
        status = loam_plan_estimate(plan, index, strips[i], &estimate, &error);
    }
    if (status == LOAM_BUDGET_EXCEEDED) {
        item checks = item_field(document, "checks");
        item outputs = item_field(&checks, "outputs");
        item at = item_field(&outputs, output->name.bytes);
        item spacing = item_field(&at, "spacing_m");
        item_fail(&spacing, status, "around a cell: %s", error.text);
    }
}

loam_status world_check(const world *of, loam_arena *scratch, fault_list *faults) {
    item document = document_item(NULL, faults);
    item graph = item_field(&document, "graph");
    size_t mark = loam_arena_mark(scratch);
    const loam_plan *plan = NULL;
    loam_error error = {0};
    if (loam_plan_build(&of->graph, of->seed, scratch, &plan, &error) != LOAM_OK) {
        graph_refuse(&graph, &error);
    } else {
        for (uint32_t i = 0; i < of->graph.output_count; i++) {
            check_output(of, plan, i, &graph);
            check_strip_costs(of, plan, i, &document);
        }
    }
    loam_arena_reset(scratch, mark);
    return fault_status(faults);
}

/* Whether cell numbers `at` lie in the bounds along one axis. */
static bool inside(const world *of, uint32_t axis, int64_t at, int64_t size_m) {
    return !of->bounded || (at >= of->min_m[axis] / size_m && at < of->max_m[axis] / size_m);
}

loam_status world_cell(const world *of, uint32_t level, int64_t x, int64_t z, loam_rect *rect,
                       loam_error *error) {
    if (level >= of->level_count) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "the grid has %u levels, none is number %u", (unsigned)of->level_count,
                         (unsigned)level);
    }
    int64_t size_m = of->cell_size_m[level];
    int64_t limit = POSITION_UNITS_MAX / (size_m * LOAM_UNITS_PER_METRE);
    if (x < -limit || x >= limit || z < -limit || z >= limit) {
        return loam_fail(error, LOAM_COORDINATE_RANGE, NULL,
                         "cells of level %u are numbered %lld..%lld", (unsigned)level,
                         (long long)-limit, (long long)(limit - 1));
    }
    if (!inside(of, 0, x, size_m) || !inside(of, 1, z, size_m)) {
        return loam_fail(error, LOAM_OUTSIDE_WORLD, NULL, "cell %lld, %lld lies outside the bounds",
                         (long long)x, (long long)z);
    }
    int64_t side = size_m * LOAM_UNITS_PER_METRE;
    *rect = (loam_rect){x * side, z * side, (x + 1) * side, (z + 1) * side};
    return LOAM_OK;
}
