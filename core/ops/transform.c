/* SPDX-License-Identifier: MIT
 *
 * transform.c: transform moves all points by one offset, turns each about itself and scales it,
 * axis by axis. Whoever asks for a rectangle gets the points that end there, so the rectangle asked
 * of the input is shifted back by the offset. Identity leaves the set as it is.
 */
#include "core/base/fixed_math.h"
#include "core/base/try.h"
#include "core/ops/asked.h"
#include "core/ops/turn.h"

enum { TRANSFORM_OFFSET, TRANSFORM_ROTATION, TRANSFORM_SCALE };
enum { AXIS_X, AXIS_Y, AXIS_Z, AXES };

/* A compact copy, y, three angles, three scales. */
enum { TRANSFORM_BYTES_EACH = ASKED_BYTES_EACH + 16 };

enum { SCALE_MOST = UINT16_MAX };

#define DEGREES(whole) ((int64_t)(whole)*65536)

static const loam_port_schema transform_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

#define PARAM_AXES(key_, label_, unit_, bits_, flags_, initial_, min_, max_, step_, text_)         \
    {                                                                                              \
        .key = key_, .label = label_, .description = text_, .unit = unit_,                         \
        .kind = LOAM_PARAM_LIST, .scale_bits = bits_, .flags = flags_, .initial = initial_,        \
        .min = min_, .max = max_, .step = step_, .item = LOAM_PARAM_FLOAT, .items_min = AXES,      \
        .items_max = AXES                                                                          \
    }

static const loam_param_schema transform_params[] = {
    PARAM_AXES("offset_m", "Offset", "m", BITS_UNITS, 0, 0, -REACH_UNITS_MAX, REACH_UNITS_MAX, 64,
               "How far every point moves: x, y, z."),
    PARAM_AXES("rotation_deg", "Rotation", "deg", BITS_DEGREES, 0, 0, -DEGREES(360), DEGREES(360),
               DEGREES(1), "How far every point turns about itself: pitch, yaw, roll."),
    PARAM_AXES("scale", "Scale", "", BITS_SCALE, LOAM_PARAM_NONZERO, LOAM_SCALE_ONE, 1, SCALE_MOST,
               41, "Factors on the scale: x, y, z; it stays in 1/4,096 to 15.99."),
};

static int64_t axis_of(const loam_node *node, uint32_t param, uint32_t axis) {
    return node->params[param].items[axis].integer;
}

static int64_t magnitude(int64_t value) {
    return value < 0 ? -value : value;
}

static int64_t transform_reach(const loam_node *node) {
    int64_t x = magnitude(axis_of(node, TRANSFORM_OFFSET, AXIS_X));
    int64_t z = magnitude(axis_of(node, TRANSFORM_OFFSET, AXIS_Z));
    return x > z ? x : z;
}

/* Where points were that end in a rectangle. */
static loam_rect transform_ask(const loam_node *node, uint32_t port, loam_rect rect) {
    (void)port;
    int64_t x = axis_of(node, TRANSFORM_OFFSET, AXIS_X);
    int64_t z = axis_of(node, TRANSFORM_OFFSET, AXIS_Z);
    return (loam_rect){rect.x0 - x, rect.z0 - z, rect.x1 - x, rect.z1 - z};
}

static node_domain transform_domain(const loam_node *node, const node_domain *inputs,
                                    const loam_asset *const *assets) {
    (void)assets;
    const loam_rect rect = inputs[0].rect;
    int64_t x = axis_of(node, TRANSFORM_OFFSET, AXIS_X);
    int64_t z = axis_of(node, TRANSFORM_OFFSET, AXIS_Z);
    return (node_domain){inputs[0].bounded, {rect.x0 + x, rect.z0 + z, rect.x1 + x, rect.z1 + z}};
}

static void transform_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                           node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], TRANSFORM_BYTES_EACH, cost);
}

static loam_status lift(node_call *call, int64_t height, point_set *out) {
    int32_t *y = COLUMN_TAKE(call->arena, out->count, int32_t);
    LOAM_TRY_MEMORY(y, call->error);
    for (uint32_t i = 0; i < out->count; i++) {
        int64_t lifted = out->y[i] + height;
        if (magnitude(lifted) > POINT_Y_UNITS_MAX) {
            return loam_fail(call->error, LOAM_COORDINATE_RANGE, call->pointer,
                             "a point would leave the heights that points have: +-32 km");
        }
        y[i] = (int32_t)lifted;
    }
    out->y = y;
    return LOAM_OK;
}

static loam_status move(node_call *call, point_set *out) {
    const loam_node *node = call->node;
    out->base_x += axis_of(node, TRANSFORM_OFFSET, AXIS_X);
    out->base_z += axis_of(node, TRANSFORM_OFFSET, AXIS_Z);
    int64_t height = axis_of(node, TRANSFORM_OFFSET, AXIS_Y);
    return height == 0 ? LOAM_OK : lift(call, height, out);
}

/* 1/65,536 degree as 1/65,536 turn, to nearest. */
static int64_t turns_of(const loam_node *node, uint32_t axis) {
    return floor_divide(axis_of(node, TRANSFORM_ROTATION, axis) + 180, 360);
}

static turn_angles angles_at(const point_set *set, uint32_t i) {
    return (turn_angles){set->yaw == NULL ? 0 : set->yaw[i], set->pitch == NULL ? 0 : set->pitch[i],
                         set->roll == NULL ? 0 : set->roll[i]};
}

static loam_status rotate(node_call *call, point_set *out) {
    const turn_angles by = {(uint16_t)turns_of(call->node, AXIS_Y),
                            (int16_t)turns_of(call->node, AXIS_X),
                            (int16_t)turns_of(call->node, AXIS_Z)};
    if (by.yaw == 0 && by.pitch == 0 && by.roll == 0) {
        return LOAM_OK;
    }
    uint16_t *yaw = COLUMN_TAKE(call->arena, out->count, uint16_t);
    int16_t *pitch = COLUMN_TAKE(call->arena, out->count, int16_t);
    int16_t *roll = COLUMN_TAKE(call->arena, out->count, int16_t);
    LOAM_TRY_MEMORY(yaw, call->error);
    LOAM_TRY_MEMORY(pitch, call->error);
    LOAM_TRY_MEMORY(roll, call->error);
    for (uint32_t i = 0; i < out->count; i++) {
        turn_angles made = turn_compose(angles_at(out, i), by);
        yaw[i] = made.yaw;
        pitch[i] = made.pitch;
        roll[i] = made.roll;
    }
    out->yaw = yaw;
    out->pitch = pitch;
    out->roll = roll;
    return LOAM_OK;
}

/* A scale column times a factor; NULL is 1. */
static loam_status scale_column(node_call *call, uint32_t count, const uint16_t *from,
                                int64_t factor, const uint16_t **to) {
    uint16_t *scaled = COLUMN_TAKE(call->arena, count, uint16_t);
    LOAM_TRY_MEMORY(scaled, call->error);
    for (uint32_t i = 0; i < count; i++) {
        int64_t before = from == NULL ? LOAM_SCALE_ONE : from[i];
        int64_t product = (before * factor + LOAM_SCALE_ONE / 2) / LOAM_SCALE_ONE;
        scaled[i] = (uint16_t)(product < 1 ? 1 : product > SCALE_MOST ? SCALE_MOST : product);
    }
    *to = scaled;
    return LOAM_OK;
}

static loam_status scale_points(node_call *call, point_set *out) {
    int64_t x = axis_of(call->node, TRANSFORM_SCALE, AXIS_X);
    int64_t y = axis_of(call->node, TRANSFORM_SCALE, AXIS_Y);
    int64_t z = axis_of(call->node, TRANSFORM_SCALE, AXIS_Z);
    if (x == LOAM_SCALE_ONE && y == LOAM_SCALE_ONE && z == LOAM_SCALE_ONE) {
        return LOAM_OK;
    }
    bool uniform = x == y && x == z && out->scale_y == NULL;
    const uint16_t *from_y = out->scale_y == NULL ? out->scale : out->scale_y;
    const uint16_t *from_z = out->scale_z == NULL ? out->scale : out->scale_z;
    if (!uniform) {
        LOAM_TRY(scale_column(call, out->count, from_y, y, &out->scale_y));
        LOAM_TRY(scale_column(call, out->count, from_z, z, &out->scale_z));
    }
    return scale_column(call, out->count, out->scale, x, &out->scale);
}

static bool moves(const loam_node *node) {
    return axis_of(node, TRANSFORM_OFFSET, AXIS_X) != 0 ||
           axis_of(node, TRANSFORM_OFFSET, AXIS_Y) != 0 ||
           axis_of(node, TRANSFORM_OFFSET, AXIS_Z) != 0;
}

static bool changes(const loam_node *node) {
    bool changed = moves(node);
    for (uint32_t axis = AXIS_X; axis < AXES; axis++) {
        changed = changed || turns_of(node, axis) % LOAM_TURN != 0 ||
                  axis_of(node, TRANSFORM_SCALE, axis) != LOAM_SCALE_ONE;
    }
    return changed;
}

static loam_status transform_evaluate(node_call *call) {
    if (!changes(call->node)) {
        *call->out = *call->inputs[0];
        call->path = "identity";
        return LOAM_OK;
    }
    loam_rect rect = transform_ask(call->node, 0, call->rect);
    LOAM_TRY(asked_compact(call, 0, rect, call->out));
    LOAM_TRY(move(call, call->out));
    LOAM_TRY(rotate(call, call->out));
    LOAM_TRY(scale_points(call, call->out));
    call->path = "compact";
    return poll_cancel(call);
}

const loam_operation transform_operation = {
    .name = "transform",
    .version = 1,
    .category = "flow",
    .title = "Transform",
    .description = "Moves every point by one offset, turns it about itself and scales it; yaw, "
                   "then pitch, then roll, in the point's own frame.",
    .reach = "the offset: the rectangle that is asked for is shifted by it",
    .ports = transform_ports,
    .port_count = COUNT_OF(transform_ports),
    .params = transform_params,
    .param_count = COUNT_OF(transform_params),
};
const operation_code transform_code = {.reach = transform_reach,
                                       .ask = transform_ask,
                                       .domain = transform_domain,
                                       .cost = transform_cost,
                                       .evaluate = transform_evaluate};
