/* SPDX-License-Identifier: MIT
 *
 * jitter.c: jitter moves every point by a draw of its own, uniform in +-x, +-y and +-z. What ends
 * in a rectangle came from at most so far outside: that is the reach, axis by axis.
 */
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/draw_walk.h"

enum { JITTER_X, JITTER_Y, JITTER_Z };

/* Two compact copies and the moved places. */
enum { JITTER_BYTES_EACH = 2 * ASKED_BYTES_EACH + 12 };

static const loam_port_schema jitter_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

static const loam_param_schema jitter_params[] = {
    PARAM("x_m", "East and west", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, 0, 1 << 18, 16,
          "Farthest to the east or west."),
    PARAM("y_m", "Up and down", "m", FLOAT, BITS_UNITS, 0, 0, 0, 1 << 18, 16,
          "Farthest up or down."),
    PARAM("z_m", "North and south", "m", FLOAT, BITS_UNITS, LOAM_PARAM_REQUIRED, 0, 0, 1 << 18, 16,
          "Farthest to the north or south."),
};

static int64_t jitter_reach(const loam_node *node) {
    int64_t x = param_integer(node, JITTER_X), z = param_integer(node, JITTER_Z);
    return x > z ? x : z;
}

static loam_rect jitter_ask(const loam_node *node, uint32_t port, loam_rect rect) {
    (void)port;
    int64_t x = param_integer(node, JITTER_X), z = param_integer(node, JITTER_Z);
    return (loam_rect){rect.x0 - x, rect.z0 - z, rect.x1 + x, rect.z1 + z};
}

/* Points stray as far as is asked for. */
static node_domain jitter_domain(const loam_node *node, const node_domain *inputs,
                                 const loam_asset *const *assets) {
    (void)assets;
    return (node_domain){inputs[0].bounded, rect_is_empty(inputs[0].rect)
                                                ? inputs[0].rect
                                                : jitter_ask(node, 0, inputs[0].rect)};
}

/* Points that were a lattice may meet: a disc of radius r holds what was within r and the
 * amplitude, so it holds (1 + 2 amplitudes / spacing)^2 times as much as before. */
static void jitter_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                        node_cost *cost) {
    (void)rect;
    cost_of_columns(&inputs[0], JITTER_BYTES_EACH, cost);
    int64_t spacing = inputs[0].spacing_min > 0 ? inputs[0].spacing_min : 1;
    uint64_t across = 2 + 2 * (uint64_t)(jitter_reach(node) / spacing);
    if (jitter_reach(node) > 0) {
        cost->crowd = multiply_saturated(cost->crowd, across * across);
    }
}

/* A column moved by draws in [-most, most], plus `shift`. */
static loam_status move_column(node_call *call, const point_set *set, draw_channel channel,
                               int64_t most, int64_t shift, const int32_t **column) {
    int32_t *moved = COLUMN_TAKE(call->arena, set->count, int32_t);
    LOAM_TRY_MEMORY(moved, call->error);
    draw_walk walk = {.key = draw_key(call->seed, channel)};
    uint64_t span = 2 * (uint64_t)most + 1;
    for (uint32_t i = 0; i < set->count; i++) {
        uint64_t bits = most > 0 ? draw_next(&walk, set, i) : 0;
        moved[i] = (int32_t)((*column)[i] + (int64_t)((bits * span) >> 32) - most + shift);
    }
    *column = moved;
    return LOAM_OK;
}

static loam_status move_heights(node_call *call, int64_t most, point_set *set) {
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->y[i] + most > POINT_Y_UNITS_MAX || set->y[i] - most < -POINT_Y_UNITS_MAX) {
            return loam_fail(call->error, LOAM_COORDINATE_RANGE, call->pointer,
                             "a point could leave the heights that points have: +-32 km");
        }
    }
    return move_column(call, set, DRAW_JITTER_Y, most, 0, &set->y);
}

static loam_status jitter_evaluate(node_call *call) {
    const loam_node *node = call->node;
    int64_t x = param_integer(node, JITTER_X), z = param_integer(node, JITTER_Z);
    int64_t y = param_integer(node, JITTER_Y);
    if (x == 0 && y == 0 && z == 0) {
        *call->out = *call->inputs[0];
        call->path = "identity";
        return LOAM_OK;
    }
    point_set moved;
    LOAM_TRY(asked_compact(call, 0, jitter_ask(node, 0, call->rect), &moved));
    LOAM_TRY(move_column(call, &moved, DRAW_JITTER_X, x, x, &moved.x));
    LOAM_TRY(move_column(call, &moved, DRAW_JITTER_Z, z, z, &moved.z));
    moved.base_x -= x; /* so that no column is negative */
    moved.base_z -= z;
    if (y != 0) {
        LOAM_TRY(move_heights(call, y, &moved));
    }
    uint32_t *rows;
    uint32_t count;
    LOAM_TRY(node_fail(call, point_set_select(&moved, call->rect, call->arena, &rows, &count)));
    LOAM_TRY(node_fail(call, point_set_gather(&moved, rows, count, call->arena, call->out)));
    call->path = "compact";
    return poll_cancel(call);
}

const loam_operation jitter_operation = {
    .name = "jitter",
    .version = 1,
    .category = "flow",
    .title = "Jitter",
    .description = "Moves every point by a draw of its own; belongs before pruning and vetoes, "
                   "which it would undo.",
    .reach = "its amplitude",
    .ports = jitter_ports,
    .port_count = COUNT_OF(jitter_ports),
    .params = jitter_params,
    .param_count = COUNT_OF(jitter_params),
    .seeded = true,
};
const operation_code jitter_code = {.reach = jitter_reach,
                                    .ask = jitter_ask,
                                    .domain = jitter_domain,
                                    .cost = jitter_cost,
                                    .evaluate = jitter_evaluate};
