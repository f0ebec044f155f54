/* SPDX-License-Identifier: MIT
 *
 * prune.c: self.prune, which thins a set until no two points are closer than a distance. Two code
 * paths with equal results: the lattice path for dense sets, the general path for everything.
 */
#include "core/ops/prune.h"

#include "core/base/mix.h"
#include "core/base/try.h"

enum { PRUNE_RADIUS, PRUNE_MODE, PRUNE_ROUNDS, PRUNE_PRIORITY, PRUNE_ATTRIBUTE };
enum { MODE_CONSTANT, MODE_MAX, MODE_SUM };
enum { PRIORITY_RANDOM, PRIORITY_DENSITY, PRIORITY_ATTRIBUTE };

/* A contender, its id, list, state and marks; the lattice path takes less. */
enum { PRUNE_BYTES_EACH = 80 };

static const char *const mode_choices[] = {"constant", "max", "sum", NULL};
static const char *const priority_choices[] = {"random", "density", "attribute", NULL};
static const loam_port_schema prune_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

static const loam_param_schema prune_params[] = {
    PARAM("radius_m", "Radius", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO, 0, 1, 1 << 18, 16,
          "Two points closer than this are in conflict."),
    PARAM_CHOICE("mode", "Mode", MODE_CONSTANT, mode_choices, 3,
                 "Conflict distance of two points: the radius, the larger of theirs, or the sum."),
    PARAM("rounds", "Rounds", "", INT, 0, LOAM_PARAM_ADVANCED, 3, 1, PRUNE_ROUNDS_MAX, 1,
          "Rounds of pruning: more fill the last gaps and reach farther."),
    PARAM_CHOICE("priority", "Priority", PRIORITY_RANDOM, priority_choices, 3,
                 "Which of two points stays: at random, the denser, or by an attribute."),
    PARAM("attribute", "Attribute", "", STRING, 0, 0, 0, 0, 0, 0,
          "The attribute that priority goes by."),
};

static int64_t conflict_of(const loam_node *node) {
    int64_t radius = param_integer(node, PRUNE_RADIUS);
    return param_integer(node, PRUNE_MODE) == MODE_SUM ? 2 * radius : radius;
}

static loam_status prune_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (param_integer(node, PRUNE_PRIORITY) == PRIORITY_ATTRIBUTE) {
        return loam_fail(error, LOAM_NOT_IMPLEMENTED, pointer,
                         "priority by attribute is not part of version 1 yet; use random or "
                         "density");
    }
    return LOAM_OK;
}

static int64_t prune_reach(const loam_node *node) {
    return (2 * param_integer(node, PRUNE_ROUNDS) - 1) * (conflict_of(node) - 1);
}

/* A test for every pair that nine buckets can hold, at most every pair. */
static void prune_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    (void)rect;
    cost_of_columns(&inputs[0], PRUNE_BYTES_EACH, cost);
    uint64_t across = 3 * (uint64_t)(conflict_of(node) / inputs[0].spacing_min + 1) + 2;
    uint64_t around = multiply_saturated(multiply_saturated(across, across), inputs[0].crowd);
    around = around < inputs[0].candidates ? around : inputs[0].candidates;
    cost->tests = multiply_saturated(inputs[0].candidates, around);
}

/* Rows that are accepted and in what was asked. */
static loam_status keep_accepted(node_call *call, const point_set *set, const uint8_t *accepted) {
    uint32_t *rows;
    uint32_t count;
    if (point_set_select_marked(set, accepted, call->rect, call->arena, &rows, &count) != LOAM_OK ||
        point_set_gather(set, rows, count, call->arena, call->out) != LOAM_OK) {
        return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                         loam_status_text(LOAM_ARENA_FULL));
    }
    return LOAM_OK;
}

static loam_status prune_evaluate(node_call *call) {
    const point_set *in = call->inputs[0];
    prune_rule rule = {
        .conflict = conflict_of(call->node),
        .rounds = (uint32_t)param_integer(call->node, PRUNE_ROUNDS),
        .by_density = param_integer(call->node, PRUNE_PRIORITY) == PRIORITY_DENSITY,
        .priority_key = draw_key(call->seed, DRAW_PRIORITY),
    };
    bool dense = !call->run->general_path && prune_lattice_fits(in, &rule);
    point_set compact;
    if (!dense) {
        if (point_set_compact(in, call->arena, &compact) != LOAM_OK) {
            return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                             loam_status_text(LOAM_ARENA_FULL));
        }
        in = &compact;
    }
    uint8_t *accepted = COLUMN_TAKE(call->arena, in->count, uint8_t);
    LOAM_TRY_MEMORY(accepted, call->error);
    call->path = dense ? "lattice" : "general";
    LOAM_TRY(dense ? prune_lattice(call, in, &rule, accepted)
                   : prune_general(call, in, &rule, accepted));
    return keep_accepted(call, in, accepted);
}

const loam_operation self_prune_operation = {
    .name = "self.prune",
    .version = 1,
    .category = "filters",
    .title = "Self prune",
    .description = "Thins points until none are closer than the radius; of two in conflict the one "
                   "of higher priority stays.",
    .reach = "(2 rounds - 1) (R - 1 unit), R the conflict distance",
    .ports = prune_ports,
    .port_count = COUNT_OF(prune_ports),
    .params = prune_params,
    .param_count = COUNT_OF(prune_params),
    .seeded = true,
};
const operation_code self_prune_code = {
    .check = prune_check,
    .reach = prune_reach,
    .cost = prune_cost,
    .evaluate = prune_evaluate,
    .explain = prune_explain,
    .explain_reach = prune_explain_reach,
};
