/* SPDX-License-Identifier: MIT
 *
 * copy.c: copy.points sets every source point up at every target, as if the target were the origin
 * of the world: scaled by it, turned by its yaw, moved to it. The source is asked for as a whole,
 * wherever it is; a copy's place is rounded once.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/copy_pairs.h"

/* All columns of a copy with some attributes; and of a point of either input. */
enum { COPY_BYTES_EACH = 200, COPY_INPUT_BYTES_EACH = ASKED_BYTES_EACH + 64 };

static const char *const metadata_choices[] = {"source", "target", "both", NULL};

static const loam_port_schema copy_ports[] = {
    {"source", LOAM_PORT_POINTS, true, 0, true},
    {"target", LOAM_PORT_POINTS, true, 0, false},
};

static const loam_param_schema copy_params[] = {
    PARAM_CHOICE("metadata", "Metadata", OF_BOTH, metadata_choices, 3,
                 "Whose attributes and assets a copy has; of both, the source's go first."),
    PARAM("max_points", "Most points", "", INT, 0, LOAM_PARAM_REQUIRED, 0, 1,
          (int64_t)CANDIDATES_PER_NODE_MAX, 16, "The source has no more points than this."),
    PARAM("target_scale_max", "Largest target", "", FLOAT, BITS_SCALE, LOAM_PARAM_NONZERO,
          4 * LOAM_SCALE_ONE, 1, COPY_SCALE_MOST, 41,
          "No target has a larger scale: reach goes by it."),
};

/* From so far on a copy is out of reach at the smallest scale that there is. */
#define FAR_UNITS_MAX ((REACH_UNITS_MAX + 1) << BITS_SCALE)

/* ceil(sqrt(value)). */
static uint64_t root_up(uint64_t value) {
    uint64_t root = integer_root(value);
    return root * root < value ? root + 1 : root;
}

static int64_t farther(int64_t low, int64_t high) {
    int64_t most = -low > high ? -low : high;
    return most > FAR_UNITS_MAX ? FAR_UNITS_MAX : most;
}

/* Bits to round off, upwards, so that squares fit: a source beyond the reach may be within it once
 * it is scaled. */
static unsigned coarse_bits(int64_t most) {
    unsigned bits = 0;
    while (most >> bits > REACH_UNITS_MAX + 1) {
        bits++;
    }
    return bits;
}

static int64_t shifted_up(int64_t value, unsigned bits) {
    return (value + ((int64_t)1 << bits) - 1) >> bits;
}

/* The farthest that a point at most so far from the origin along x and z can be from its target,
 * scaled, whichever way it is turned. */
static int64_t reach_of(const loam_node *node, int64_t x, int64_t z) {
    enum { FINE_BITS = 10 };
    const unsigned coarse = coarse_bits(x > z ? x : z);
    const int64_t east = shifted_up(x, coarse), north = shifted_up(z, coarse);
    uint64_t squared = (uint64_t)(east * east + north * north);
    uint64_t fine = root_up(squared << (2 * FINE_BITS)) << coarse;
    uint64_t scale = (uint64_t)param_integer(node, COPY_TARGET_SCALE_MAX);
    return (int64_t)((fine * scale + ((uint64_t)1 << (FINE_BITS + BITS_SCALE)) - 1) >>
                     (FINE_BITS + BITS_SCALE));
}

static int64_t reach_of_rect(const loam_node *node, loam_rect rect) {
    return rect_is_empty(rect)
               ? 0
               : reach_of(node, farther(rect.x0, rect.x1 - 1), farther(rect.z0, rect.z1 - 1));
}

static int64_t copy_reach(const loam_node *node, const node_domain *inputs) {
    return inputs[COPY_SOURCE].bounded ? reach_of_rect(node, inputs[COPY_SOURCE].rect) : 0;
}

static node_domain copy_domain(const loam_node *node, const node_domain *inputs,
                               const loam_asset *const *assets) {
    (void)assets;
    int64_t reach = copy_reach(node, inputs);
    node_domain target = inputs[COPY_TARGET];
    if (target.bounded && !rect_is_empty(target.rect)) {
        target.rect = (loam_rect){target.rect.x0 - reach, target.rect.z0 - reach,
                                  target.rect.x1 + reach, target.rect.z1 + reach};
    }
    return target;
}

/* A disc holds the copies of targets within its radius and the reach. */
static void copy_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                      node_cost *cost) {
    (void)rect;
    const node_cost *source = &inputs[COPY_SOURCE], *target = &inputs[COPY_TARGET];
    uint64_t most = (uint64_t)param_integer(node, COPY_MAX_POINTS);
    most = source->candidates < most ? source->candidates : most;
    int64_t spacing = target->spacing_min > 0 ? target->spacing_min : 1;
    const volume_extent *extent = &source->extent;
    const loam_rect all = {extent->low[SPACE_X], extent->low[SPACE_Z], extent->high[SPACE_X] + 1,
                           extent->high[SPACE_Z] + 1};
    uint64_t across = 2 + 2 * (uint64_t)(reach_of_rect(node, all) / spacing);
    *cost = (node_cost){.candidates = multiply_saturated(target->candidates, most),
                        .spacing_min = spacing,
                        .crowd = multiply_saturated(multiply_saturated(target->crowd, most),
                                                    multiply_saturated(across, across))};
    cost->fresh = cost->candidates;
    cost->bytes =
        add_saturated(multiply_saturated(cost->candidates, COPY_BYTES_EACH),
                      multiply_saturated(add_saturated(source->candidates, target->candidates),
                                         COPY_INPUT_BYTES_EACH));
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

/* How a target turns and scales, in 1/4,096. */
typedef struct copy_turn {
    double east_x, east_z, north_x, north_z;
} copy_turn;

static copy_turn turn_of(const point_set *target, uint32_t row) {
    double sine, cosine;
    fixed_sin_cos(target->yaw == NULL ? 0 : target->yaw[row], &sine, &cosine);
    double x = (double)scale_at(target->scale, row) / LOAM_SCALE_ONE;
    double z = (double)scale_z_at(target, row) / LOAM_SCALE_ONE;
    return (copy_turn){x * cosine, z * sine, -(x * sine), z * cosine};
}

/* Writes, or only counts, the copies of one target that lie in the rectangle. */
static uint32_t copy_to(const node_call *call, const copy_pairs *pairs, uint32_t row,
                        copy_pairs *written) {
    const point_set *source = &pairs->source, *target = &pairs->target;
    const copy_turn turn = turn_of(target, row);
    int64_t at_x = target->base_x + target->x[row] - call->rect.x0;
    int64_t at_z = target->base_z + target->z[row] - call->rect.z0;
    int64_t width = call->rect.x1 - call->rect.x0, depth = call->rect.z1 - call->rect.z0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < source->count; i++) {
        double east = (double)(source->base_x + source->x[i]);
        double north = (double)(source->base_z + source->z[i]);
        int64_t x = at_x + round_to_int(east * turn.east_x + north * turn.east_z);
        int64_t z = at_z + round_to_int(east * turn.north_x + north * turn.north_z);
        if (x < 0 || z < 0 || x >= width || z >= depth) {
            continue;
        }
        if (written != NULL) {
            uint32_t at = written->count + count;
            written->from[at] = i;
            written->to[at] = row;
            written->x[at] = (int32_t)x;
            written->z[at] = (int32_t)z;
        }
        count++;
    }
    return count;
}

static loam_status check_inputs(const node_call *call, const copy_pairs *pairs) {
    int64_t most = param_integer(call->node, COPY_MAX_POINTS);
    int64_t scale_max = param_integer(call->node, COPY_TARGET_SCALE_MAX);
    if (pairs->source.count > most) {
        return loam_fail(call->error, LOAM_TOO_MANY, call->pointer,
                         "the source of %.*s has %u points, more than max_points %lld",
                         TEXT_ARGS(call->node->name), pairs->source.count, (long long)most);
    }
    uint64_t copies = multiply_saturated(pairs->source.count, pairs->target.count);
    if (copies > CANDIDATES_PER_NODE_MAX) {
        return loam_fail(call->error, LOAM_BUDGET_EXCEEDED, call->pointer,
                         "%llu copies are more than %llu at %.*s; use fewer targets or smaller "
                         "cells",
                         (unsigned long long)copies, (unsigned long long)CANDIDATES_PER_NODE_MAX,
                         TEXT_ARGS(call->node->name));
    }
    for (uint32_t row = 0; row < pairs->target.count; row++) {
        if (scale_at(pairs->target.scale, row) > scale_max ||
            scale_z_at(&pairs->target, row) > scale_max) {
            return loam_fail(call->error, LOAM_OUT_OF_RANGE, call->pointer,
                             "a target of %.*s has a larger scale than target_scale_max",
                             TEXT_ARGS(call->node->name));
        }
    }
    return LOAM_OK;
}

/* Targets whose copies can be in the rectangle: by the source as it is. */
static loam_rect rect_of_targets(const node_call *call, const point_set *source) {
    int64_t x = 0, z = 0;
    for (uint32_t i = 0; i < source->count; i++) {
        int64_t east = source->base_x + source->x[i], north = source->base_z + source->z[i];
        int64_t far_x = farther(east, east), far_z = farther(north, north);
        x = far_x > x ? far_x : x;
        z = far_z > z ? far_z : z;
    }
    int64_t reach = reach_of(call->node, x, z);
    return (loam_rect){call->rect.x0 - reach, call->rect.z0 - reach, call->rect.x1 + reach,
                       call->rect.z1 + reach};
}

static loam_status take_inputs(node_call *call, copy_pairs *pairs) {
    const point_set *source = call->inputs[COPY_SOURCE];
    LOAM_TRY(node_fail(call, point_set_compact(source, call->arena, &pairs->source)));
    LOAM_TRY(
        asked_compact(call, COPY_TARGET, rect_of_targets(call, &pairs->source), &pairs->target));
    LOAM_TRY(check_inputs(call, pairs));
    LOAM_TRY(node_fail(call, point_set_ids(&pairs->source, call->arena, &pairs->source_ids)));
    return node_fail(call, point_set_ids(&pairs->target, call->arena, &pairs->target_ids));
}

static loam_status make_pairs(node_call *call, copy_pairs *pairs) {
    uint32_t count = 0;
    LOAM_TRY(take_inputs(call, pairs));
    for (uint32_t row = 0; row < pairs->target.count; row++) {
        count += copy_to(call, pairs, row, NULL);
    }
    pairs->from = COLUMN_TAKE(call->arena, count, uint32_t);
    pairs->to = COLUMN_TAKE(call->arena, count, uint32_t);
    pairs->x = COLUMN_TAKE(call->arena, count, int32_t);
    pairs->z = COLUMN_TAKE(call->arena, count, int32_t);
    LOAM_TRY_MEMORY(pairs->from, call->error);
    LOAM_TRY_MEMORY(pairs->to, call->error);
    LOAM_TRY_MEMORY(pairs->x, call->error);
    LOAM_TRY_MEMORY(pairs->z, call->error);
    for (uint32_t row = 0; row < pairs->target.count; row++) {
        pairs->count += copy_to(call, pairs, row, pairs);
        LOAM_TRY(poll_cancel(call));
    }
    return LOAM_OK;
}

static loam_status copy_evaluate(node_call *call) {
    copy_pairs pairs = {.count = 0};
    point_set *out = call->out;
    LOAM_TRY(make_pairs(call, &pairs));
    *out = (point_set){.count = pairs.count,
                       .base_x = call->rect.x0,
                       .base_z = call->rect.z0,
                       .x = pairs.x,
                       .z = pairs.z};
    LOAM_TRY(copy_columns_put(call, &pairs, out));
    call->path = "compact";
    return poll_cancel(call);
}

/* A target lives on in its first copy. */
static uint64_t copy_rename(const node_call *call, uint32_t port, uint64_t id) {
    const point_set *source = call->inputs[COPY_SOURCE];
    for (uint32_t i = 0; port == COPY_TARGET && i < source->count; i++) {
        if (source->live == NULL || source->live[i] != 0) {
            uint32_t stride = source->lattice == NULL ? 1 : source->lattice->stride;
            uint32_t a =
                source->a != NULL ? source->a[i] : (uint32_t)source->lattice->site_x + i % stride;
            uint32_t b =
                source->b != NULL ? source->b[i] : (uint32_t)source->lattice->site_z + i / stride;
            uint64_t first = source->id != NULL ? source->id[i] : mix_id(source->id_key, a, b);
            return copy_id(draw_key(call->seed, DRAW_ID), id, first);
        }
    }
    return id;
}

const loam_operation copy_points_operation = {
    .name = "copy.points",
    .version = 1,
    .category = "flow",
    .title = "Copy points",
    .description = "Every source point at every target, turned and scaled by it as if it were the "
                   "world's origin. The source must have bounds.",
    .reach = "the source's farthest point from the origin, times target_scale_max",
    .ports = copy_ports,
    .port_count = COUNT_OF(copy_ports),
    .params = copy_params,
    .param_count = COUNT_OF(copy_params),
    .seeded = true,
};
const operation_code copy_points_code = {.staged = 1 << COPY_SOURCE,
                                         .domain = copy_domain,
                                         .reach_from = copy_reach,
                                         .cost = copy_cost,
                                         .evaluate = copy_evaluate,
                                         .rename = copy_rename};
