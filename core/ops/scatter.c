/* SPDX-License-Identifier: MIT
 *
 * scatter.c: transform.scatter gives every point a size, a heading, a lean and an asset. Draws are
 * the point's own, keyed by its origin; a run of points with one b shares a row key.
 */
#include "core/ops/scatter.h"

#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/normal_table.h"
#include "core/base/try.h"
#include "core/ops/draw_walk.h"
#include "core/ops/operation.h"

enum {
    SCATTER_SCALE_MIN,
    SCATTER_SCALE_MAX,
    SCATTER_DISTRIBUTION,
    SCATTER_MU,
    SCATTER_SIGMA,
    SCATTER_SCALE_CAP,
    SCATTER_YAW,
    SCATTER_PITCH_MAX,
    SCATTER_ROLL_MAX,
    SCATTER_TILT_MAX,
    SCATTER_SINK,
    SCATTER_ASSET,
};
enum { UNIFORM, NORMAL, LOGNORMAL };
enum { YAW_KEEP, YAW_RANDOM, YAW_DOWNHILL };

/* A compact copy of the columns, and four new ones. */
enum { SCATTER_BYTES_EACH = 72 };

/* Scales are u16 in 1/4,096; 1/64 keeps a normal draw visible. */
enum { SCALE_LEAST = LOAM_SCALE_ONE / 64, SCALE_MOST = 65535 };

#define DEGREES(whole) ((int64_t)(whole)*65536)

static const char *const distribution_choices[] = {"uniform", "normal", "lognormal", NULL};
static const char *const yaw_choices[] = {"keep", "random", "downhill", NULL};
static const loam_port_schema scatter_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

static const loam_param_schema scatter_params[] = {
    PARAM("scale_min", "Smallest scale", "", FLOAT, BITS_SCALE, LOAM_PARAM_NONZERO, LOAM_SCALE_ONE,
          1, SCALE_MOST, 41, "Least scale of a uniform draw."),
    PARAM("scale_max", "Largest scale", "", FLOAT, BITS_SCALE, LOAM_PARAM_NONZERO, LOAM_SCALE_ONE,
          1, SCALE_MOST, 41, "Largest scale of a uniform draw."),
    PARAM_CHOICE("distribution", "Distribution", UNIFORM, distribution_choices, 3,
                 "How scales are drawn: between the two ends, normal (mu, sigma), or exp of it."),
    PARAM("mu", "Mu", "", FLOAT, BITS_RATIO, 0, 0, -DEGREES(8), DEGREES(16), 655,
          "Mean of the normal draw; a lognormal scale has the median exp(mu)."),
    PARAM("sigma", "Sigma", "", FLOAT, BITS_RATIO, 0, 0, 0, DEGREES(8), 655,
          "Standard deviation of the normal draw."),
    PARAM("scale_cap", "Scale cap", "", FLOAT, BITS_SCALE, LOAM_PARAM_NONZERO, 8 * LOAM_SCALE_ONE,
          SCALE_LEAST, SCALE_MOST, 4096, "No normal or lognormal scale is larger."),
    PARAM_CHOICE("yaw", "Yaw", YAW_RANDOM, yaw_choices, 3,
                 "Heading: as it is, at random, or down the slope."),
    PARAM("pitch_max_deg", "Random pitch", "deg", FLOAT, BITS_DEGREES, 0, 0, 0, DEGREES(90),
          DEGREES(1), "Random pitch, up to so much either way."),
    PARAM("roll_max_deg", "Random roll", "deg", FLOAT, BITS_DEGREES, 0, 0, 0, DEGREES(90),
          DEGREES(1), "Random roll, up to so much either way."),
    PARAM("tilt_max_deg", "Tilt", "deg", FLOAT, BITS_DEGREES, 0, 0, 0, DEGREES(80), DEGREES(1),
          "Leans with the ground, at most so far; 0 stays upright."),
    PARAM("sink_m", "Sink", "m", FLOAT, BITS_UNITS, 0, 0, -(1 << 16), 1 << 16, 16,
          "How far a point is sunk into the ground."),
    PARAM("asset", "Asset", "", STRING, 0, 0, 0, 0, 0, 0,
          "Name of what stands there; empty keeps what is set."),
};

static loam_status scatter_check(const loam_node *node, const char *pointer, loam_error *error) {
    if (param_integer(node, SCATTER_SCALE_MIN) > param_integer(node, SCATTER_SCALE_MAX)) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, pointer, "scale_min is larger than scale_max");
    }
    return LOAM_OK;
}

static void scatter_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                         node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], SCATTER_BYTES_EACH, cost);
}

static uint16_t scale_of(const loam_node *node, uint32_t bits) {
    int64_t kind = param_integer(node, SCATTER_DISTRIBUTION);
    if (kind == UNIFORM) {
        uint64_t low = (uint64_t)param_integer(node, SCATTER_SCALE_MIN);
        uint64_t span = (uint64_t)param_integer(node, SCATTER_SCALE_MAX) - low + 1;
        return (uint16_t)(low + ((bits * span) >> 32));
    }
    int64_t z = normal_table[bits >> (32 - NORMAL_TABLE_BITS)];
    int64_t draw = param_integer(node, SCATTER_MU) * 65536 + param_integer(node, SCATTER_SIGMA) * z;
    double value = (double)draw / 4294967296.0;
    double scale = (kind == LOGNORMAL ? fixed_exp(value) : value) * LOAM_SCALE_ONE;
    double cap = (double)param_integer(node, SCATTER_SCALE_CAP);
    scale = scale < SCALE_LEAST ? SCALE_LEAST : scale;
    return (uint16_t)round_to_int(scale > cap ? cap : scale);
}

static loam_status draw_scales(node_call *call, point_set *out) {
    const loam_node *node = call->node;
    uint16_t *scale = COLUMN_TAKE(call->arena, out->count, uint16_t);
    LOAM_TRY_MEMORY(scale, call->error);
    draw_walk walk = {.key = draw_key(call->seed, DRAW_SCALE)};
    for (uint32_t i = 0; i < out->count; i++) {
        scale[i] = scale_of(node, draw_next(&walk, out, i));
    }
    out->scale = scale;
    out->scale_y = NULL;
    out->scale_z = NULL;
    return LOAM_OK;
}

static loam_status turn(node_call *call, point_set *out) {
    int64_t kind = param_integer(call->node, SCATTER_YAW);
    if (kind == YAW_KEEP) {
        return LOAM_OK;
    }
    uint16_t *yaw = COLUMN_TAKE(call->arena, out->count, uint16_t);
    LOAM_TRY_MEMORY(yaw, call->error);
    if (kind == YAW_RANDOM) {
        draw_walk walk = {.key = draw_key(call->seed, DRAW_YAW)};
        for (uint32_t i = 0; i < out->count; i++) {
            yaw[i] = (uint16_t)(draw_next(&walk, out, i) >> 16);
        }
    } else {
        for (uint32_t i = 0; i < out->count; i++) {
            yaw[i] = out->yaw != NULL ? out->yaw[i] : 0;
        }
        if (out->gradient_x != NULL) {
            SIMD_SELECT(scatter_kernels, call->run->level)
                ->face_downhill(out->gradient_x, out->gradient_z, out->count, yaw);
        }
    }
    out->yaw = yaw;
    return LOAM_OK;
}

/* Turns of an angle parameter: 1/65,536 degree over 360 to nearest. */
static int32_t turns_of(const loam_node *node, uint32_t param) {
    return (int32_t)((param_integer(node, param) + 180) / 360);
}

/* A column of random angles in [-most, most]. */
static loam_status draw_angles(node_call *call, const point_set *out, draw_channel channel,
                               int32_t most, int16_t **angles) {
    *angles = COLUMN_TAKE(call->arena, out->count, int16_t);
    LOAM_TRY_MEMORY(*angles, call->error);
    draw_walk walk = {.key = draw_key(call->seed, channel)};
    uint64_t span = 2 * (uint64_t)most + 1;
    for (uint32_t i = 0; i < out->count; i++) {
        uint64_t bits = most > 0 ? draw_next(&walk, out, i) : 0;
        (*angles)[i] = (int16_t)((int32_t)((bits * span) >> 32) - most);
    }
    return LOAM_OK;
}

static loam_status lean_points(node_call *call, point_set *out) {
    int32_t pitch_max = turns_of(call->node, SCATTER_PITCH_MAX);
    int32_t roll_max = turns_of(call->node, SCATTER_ROLL_MAX);
    int32_t tilt_max = turns_of(call->node, SCATTER_TILT_MAX);
    bool tilts = tilt_max > 0 && out->gradient_x != NULL;
    if (pitch_max == 0 && roll_max == 0 && !tilts) {
        return LOAM_OK;
    }
    int16_t *pitch;
    int16_t *roll;
    LOAM_TRY(draw_angles(call, out, DRAW_PITCH, pitch_max, &pitch));
    LOAM_TRY(draw_angles(call, out, DRAW_ROLL, roll_max, &roll));
    if (tilts) {
        if (out->yaw == NULL) {
            out->yaw = loam_arena_take_zero(call->arena, column_size(out->count), sizeof(uint16_t));
            LOAM_TRY_MEMORY(out->yaw, call->error);
        }
        double sine, cosine;
        fixed_sin_cos((uint32_t)tilt_max, &sine, &cosine);
        SIMD_SELECT(scatter_kernels, call->run->level)
            ->lean(out->gradient_x, out->gradient_z, out->yaw, sine / cosine, out->count, pitch,
                   roll);
    }
    out->pitch = pitch;
    out->roll = roll;
    return LOAM_OK;
}

static loam_status sink(node_call *call, point_set *out) {
    int32_t depth = (int32_t)param_integer(call->node, SCATTER_SINK);
    if (depth == 0) {
        return LOAM_OK;
    }
    int32_t *y = COLUMN_TAKE(call->arena, out->count, int32_t);
    LOAM_TRY_MEMORY(y, call->error);
    for (uint32_t i = 0; i < out->count; i++) {
        int64_t sunk = (int64_t)out->y[i] - depth;
        if (sunk > POINT_Y_UNITS_MAX || sunk < -POINT_Y_UNITS_MAX) {
            return loam_fail(call->error, LOAM_COORDINATE_RANGE, call->pointer,
                             "a point would leave the heights that points have: +-32 km");
        }
        y[i] = (int32_t)sunk;
    }
    out->y = y;
    return LOAM_OK;
}

static loam_status scatter_evaluate(node_call *call) {
    point_set *out = call->out;
    if (point_set_compact(call->inputs[0], call->arena, out) != LOAM_OK) {
        return loam_fail(call->error, LOAM_ARENA_FULL, NULL, "%s",
                         loam_status_text(LOAM_ARENA_FULL));
    }
    LOAM_TRY(draw_scales(call, out));
    LOAM_TRY(turn(call, out));
    LOAM_TRY(lean_points(call, out));
    LOAM_TRY(sink(call, out));
    if (call->node->params[SCATTER_ASSET].text.size > 0) {
        out->asset = NULL;
        out->asset_all = call->text_params[SCATTER_ASSET];
    }
    call->path = "compact";
    return poll_cancel(call);
}

const loam_operation transform_scatter_operation = {
    .name = "transform.scatter",
    .version = 1,
    .category = "flow",
    .title = "Scatter transform",
    .description = "Size, heading, lean and asset of every point, from draws of its own.",
    .reach = "0",
    .ports = scatter_ports,
    .port_count = COUNT_OF(scatter_ports),
    .params = scatter_params,
    .param_count = COUNT_OF(scatter_params),
    .seeded = true,
};
const operation_code transform_scatter_code = {
    .check = scatter_check, .cost = scatter_cost, .evaluate = scatter_evaluate};
