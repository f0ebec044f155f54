/* SPDX-License-Identifier: MIT
 *
 * prune.c: self.prune, which thins a set until no two points are closer than a distance. Two code
 * paths with equal results: the lattice path for dense sets, the general path for everything.
 */
#include "core/ops/prune.h"

#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/attribute.h"

enum { PRUNE_RADIUS, PRUNE_MODE, PRUNE_ROUNDS, PRUNE_PRIORITY, PRUNE_ATTRIBUTE };
enum { MODE_CONSTANT, MODE_MAX, MODE_SUM };
enum { PRIORITY_RANDOM, PRIORITY_DENSITY, PRIORITY_ATTRIBUTE };

/* Two compact copies with some attributes, radius, rank, priority, a rival with its bucket, lists
 * and marks; the lattice path takes less. */
enum { PRUNE_BYTES_EACH = 256 };

static const char *const mode_choices[] = {"constant", "max", "sum", NULL};
static const char *const priority_choices[] = {"random", "density", "attribute", NULL};
static const loam_port_schema prune_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

static const loam_param_schema prune_params[] = {
    PARAM("radius_m", "Radius", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_ROUND_UP | LOAM_PARAM_NONZERO | LOAM_PARAM_ATTRIBUTE, 0,
          1, 1 << 18, 16, "Two points closer than this are in conflict."),
    PARAM_CHOICE("mode", "Mode", MODE_CONSTANT, mode_choices, 3,
                 "Conflict distance of two points: the radius, the larger of theirs, or the sum."),
    PARAM("rounds", "Rounds", "", INT, 0, LOAM_PARAM_ADVANCED, 3, 1, PRUNE_ROUNDS_MAX, 1,
          "Rounds of pruning: more fill the last gaps and reach farther."),
    PARAM_CHOICE("priority", "Priority", PRIORITY_RANDOM, priority_choices, 3,
                 "Which of two points stays: at random, the denser, or by an attribute."),
    PARAM("attribute", "Attribute", "", STRING, 0, 0, 0, 0, 0, 0,
          "The attribute that priority goes by."),
};

/* The largest conflict distance: what reach goes by. */
static int64_t conflict_of(const loam_node *node) {
    int64_t radius = param_most(node, PRUNE_RADIUS);
    return param_integer(node, PRUNE_MODE) == MODE_SUM ? 2 * radius : radius;
}

static bool radius_varies(const loam_node *node) {
    return node->params[PRUNE_RADIUS].kind == LOAM_VALUE_ATTRIBUTE;
}

static loam_status prune_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (radius_varies(node) && param_integer(node, PRUNE_MODE) == MODE_CONSTANT) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer,
                         "mode constant takes one radius; by attribute it is max or sum");
    }
    if (param_integer(node, PRUNE_PRIORITY) == PRIORITY_ATTRIBUTE &&
        node->params[PRUNE_ATTRIBUTE].text.size == 0) {
        return loam_fail(error, LOAM_MISSING_FIELD, pointer,
                         "priority by attribute needs the attribute's name");
    }
    LOAM_TRY(attribute_source_check(node, PRUNE_RADIUS, pointer, error));
    return param_integer(node, PRUNE_PRIORITY) == PRIORITY_ATTRIBUTE
               ? attribute_name_check(node, PRUNE_ATTRIBUTE, ATTRIBUTE_READ, pointer, error)
               : LOAM_OK;
}

static int64_t prune_reach(const loam_node *node) {
    return prune_rule_reach(conflict_of(node), param_integer(node, PRUNE_ROUNDS));
}

static void prune_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    (void)rect;
    cost_of_columns(&inputs[0], PRUNE_BYTES_EACH, cost);
    prune_add_tests(&inputs[0], conflict_of(node), cost);
}

/* Radii of the rows, where they have their own. */
static loam_status read_radii(node_call *call, const point_set *set, prune_rule *rule) {
    if (!radius_varies(call->node)) {
        return LOAM_OK;
    }
    param_column column;
    LOAM_TRY(param_column_read(call, set, PRUNE_RADIUS, &column));
    int32_t *radius = COLUMN_TAKE(call->arena, set->count, int32_t);
    LOAM_TRY_MEMORY(radius, call->error);
    for (uint32_t i = 0; i < set->count; i++) {
        radius[i] = (int32_t)param_at(&column, i);
    }
    rule->radius = radius;
    rule->sum = param_integer(call->node, PRUNE_MODE) == MODE_SUM;
    return LOAM_OK;
}

/* What comes before the random priority. A point without the attribute loses to all that have it.
 */
static loam_status read_ranks(node_call *call, const point_set *set, prune_rule *rule) {
    int64_t by = param_integer(call->node, PRUNE_PRIORITY);
    if (by == PRIORITY_DENSITY) {
        rule->rank = density_column(call, set);
        LOAM_TRY_MEMORY(rule->rank, call->error);
    } else if (by == PRIORITY_ATTRIBUTE) {
        const int32_t *numbers;
        LOAM_TRY(attribute_numbers(call, set, call->node->params[PRUNE_ATTRIBUTE].text, &numbers));
        uint32_t *rank = COLUMN_TAKE(call->arena, set->count, uint32_t);
        LOAM_TRY_MEMORY(rank, call->error);
        for (uint32_t i = 0; i < set->count; i++) {
            rank[i] = (uint32_t)numbers[i] ^ 0x80000000u;
        }
        rule->rank = rank;
    }
    return LOAM_OK;
}

static loam_status prune_evaluate(node_call *call) {
    const point_set *set = call->inputs[0];
    prune_rule rule = {
        .conflict = conflict_of(call->node),
        .rounds = (uint32_t)param_integer(call->node, PRUNE_ROUNDS),
        .priority_key = draw_key(call->seed, DRAW_PRIORITY),
    };
    point_set compact;
    if (radius_varies(call->node) || param_integer(call->node, PRUNE_PRIORITY) != PRIORITY_RANDOM) {
        if (point_set_compact(set, call->arena, &compact) != LOAM_OK) {
            return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                             loam_status_text(LOAM_ARENA_FULL));
        }
        set = &compact;
        LOAM_TRY(read_radii(call, set, &rule));
        LOAM_TRY(read_ranks(call, set, &rule));
    }
    return prune_points(call, set, &rule);
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
