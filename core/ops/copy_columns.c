/* SPDX-License-Identifier: MIT
 *
 * copy_columns.c: see copy_pairs.h. What a copy is composed of: its height, density, scale and
 * heading of both its source and its target, the rest by `metadata`.
 */
#include "core/base/fixed_math.h"
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/attribute.h"
#include "core/ops/copy_pairs.h"

static loam_status put_origins(node_call *call, const copy_pairs *pairs, point_set *out) {
    uint32_t *a = COLUMN_TAKE(call->arena, pairs->count, uint32_t);
    uint32_t *b = COLUMN_TAKE(call->arena, pairs->count, uint32_t);
    uint64_t *id = COLUMN_TAKE(call->arena, pairs->count, uint64_t);
    LOAM_TRY_MEMORY(a, call->error);
    LOAM_TRY_MEMORY(b, call->error);
    LOAM_TRY_MEMORY(id, call->error);
    const uint64_t key = draw_key(call->seed, DRAW_ID);
    for (uint32_t i = 0; i < pairs->count; i++) {
        id[i] = copy_id(key, pairs->target_ids[pairs->to[i]], pairs->source_ids[pairs->from[i]]);
        a[i] = (uint32_t)id[i];
        b[i] = (uint32_t)(id[i] >> 32);
    }
    out->a = a;
    out->b = b;
    out->id = id;
    return LOAM_OK;
}

static loam_status put_heights(node_call *call, const copy_pairs *pairs, point_set *out) {
    int32_t *y = COLUMN_TAKE(call->arena, pairs->count, int32_t);
    LOAM_TRY_MEMORY(y, call->error);
    for (uint32_t i = 0; i < pairs->count; i++) {
        int64_t scaled =
            (int64_t)pairs->source.y[pairs->from[i]] * scale_y_at(&pairs->target, pairs->to[i]) +
            LOAM_SCALE_ONE / 2;
        int64_t height = pairs->target.y[pairs->to[i]] + floor_divide(scaled, LOAM_SCALE_ONE);
        if (height > POINT_Y_UNITS_MAX || height < -POINT_Y_UNITS_MAX) {
            return loam_fail(call->error, LOAM_COORDINATE_RANGE, call->pointer,
                             "a copy would leave the heights that points have: +-32 km");
        }
        y[i] = (int32_t)height;
    }
    out->y = y;
    return LOAM_OK;
}

/* The product of two densities, to nearest. */
static loam_status put_densities(node_call *call, copy_pairs *pairs, point_set *out) {
    const uint32_t *source = density_column(call, &pairs->source);
    const uint32_t *target = density_column(call, &pairs->target);
    uint32_t *density = COLUMN_TAKE(call->arena, pairs->count, uint32_t);
    LOAM_TRY_MEMORY(source, call->error);
    LOAM_TRY_MEMORY(target, call->error);
    LOAM_TRY_MEMORY(density, call->error);
    for (uint32_t i = 0; i < pairs->count; i++) {
        uint64_t product = (uint64_t)source[pairs->from[i]] * target[pairs->to[i]];
        density[i] = (uint32_t)((product + LOAM_DENSITY_ONE / 2) >> BITS_DENSITY);
    }
    out->density = density;
    return LOAM_OK;
}

static uint16_t multiply_scales(uint32_t a, uint32_t b) {
    uint32_t product = (uint32_t)(((uint64_t)a * b + LOAM_SCALE_ONE / 2) >> BITS_SCALE);
    return (uint16_t)(product < 1 ? 1 : product > COPY_SCALE_MOST ? COPY_SCALE_MOST : product);
}

/* Products, at most the largest that there is. */
static loam_status put_scales(node_call *call, const copy_pairs *pairs, point_set *out) {
    const point_set *source = &pairs->source, *target = &pairs->target;
    bool by_axis = source->scale_y != NULL || target->scale_y != NULL;
    uint16_t *scale = COLUMN_TAKE(call->arena, pairs->count, uint16_t);
    uint16_t *scale_y = COLUMN_TAKE(call->arena, pairs->count, uint16_t);
    uint16_t *scale_z = COLUMN_TAKE(call->arena, pairs->count, uint16_t);
    LOAM_TRY_MEMORY(scale, call->error);
    LOAM_TRY_MEMORY(scale_y, call->error);
    LOAM_TRY_MEMORY(scale_z, call->error);
    for (uint32_t i = 0; i < pairs->count; i++) {
        uint32_t from = pairs->from[i], to = pairs->to[i];
        scale[i] = multiply_scales(scale_at(source->scale, from), scale_at(target->scale, to));
        scale_y[i] = multiply_scales(scale_y_at(source, from), scale_y_at(target, to));
        scale_z[i] = multiply_scales(scale_z_at(source, from), scale_z_at(target, to));
    }
    out->scale = scale;
    out->scale_y = by_axis ? scale_y : NULL;
    out->scale_z = by_axis ? scale_z : NULL;
    return LOAM_OK;
}

static loam_status put_yaws(node_call *call, const copy_pairs *pairs, point_set *out) {
    const uint16_t *source = pairs->source.yaw, *target = pairs->target.yaw;
    if (source == NULL && target == NULL) {
        return LOAM_OK;
    }
    uint16_t *yaw = COLUMN_TAKE(call->arena, pairs->count, uint16_t);
    LOAM_TRY_MEMORY(yaw, call->error);
    for (uint32_t i = 0; i < pairs->count; i++) {
        uint32_t sum = (source == NULL ? 0u : source[pairs->from[i]]) +
                       (target == NULL ? 0u : target[pairs->to[i]]);
        yaw[i] = (uint16_t)sum;
    }
    out->yaw = yaw;
    return LOAM_OK;
}

/* A column of one of the inputs as it is; NULL stays NULL. */
#define PUT_COLUMN(type, column, set, rows)                                                        \
    do {                                                                                           \
        if ((set)->column != NULL) {                                                               \
            type *copied = COLUMN_TAKE(call->arena, pairs->count, type);                           \
            LOAM_TRY_MEMORY(copied, call->error);                                                  \
            for (uint32_t i = 0; i < pairs->count; i++) {                                          \
                copied[i] = (set)->column[(rows)[i]];                                              \
            }                                                                                      \
            out->column = copied;                                                                  \
        }                                                                                          \
    } while (0)

/* How a copy leans is the source's; the ground it is on, and where along a line, the target's. */
static loam_status put_others(node_call *call, const copy_pairs *pairs, point_set *out) {
    PUT_COLUMN(int16_t, pitch, &pairs->source, pairs->from);
    PUT_COLUMN(int16_t, roll, &pairs->source, pairs->from);
    PUT_COLUMN(int32_t, gradient_x, &pairs->target, pairs->to);
    PUT_COLUMN(int32_t, gradient_z, &pairs->target, pairs->to);
    PUT_COLUMN(int32_t, station, &pairs->target, pairs->to);
    PUT_COLUMN(int32_t, offset, &pairs->target, pairs->to);
    return LOAM_OK;
}

static uint32_t asset_at(const point_set *set, uint32_t i) {
    return set->asset == NULL ? set->asset_all : set->asset[i];
}

static loam_status put_assets(node_call *call, const copy_pairs *pairs, point_set *out) {
    int64_t metadata = param_integer(call->node, COPY_METADATA);
    uint32_t *asset = COLUMN_TAKE(call->arena, pairs->count, uint32_t);
    LOAM_TRY_MEMORY(asset, call->error);
    for (uint32_t i = 0; i < pairs->count; i++) {
        uint32_t source = asset_at(&pairs->source, pairs->from[i]);
        uint32_t target = asset_at(&pairs->target, pairs->to[i]);
        bool of_target = metadata == OF_TARGET || (metadata == OF_BOTH && source == ASSET_NONE);
        asset[i] = of_target ? target : source;
    }
    out->asset = asset;
    return LOAM_OK;
}

static loam_status put_attributes(node_call *call, const point_set *set, const uint32_t *rows,
                                  point_set *out) {
    for (uint32_t k = 0; k < set->attribute_count; k++) {
        const point_attribute *attribute = &set->attributes[k];
        int32_t *values = COLUMN_TAKE(call->arena, out->count, int32_t);
        LOAM_TRY_MEMORY(values, call->error);
        for (uint32_t i = 0; i < out->count; i++) {
            values[i] = attribute->values[rows[i]];
        }
        LOAM_TRY(attribute_put(call, out, attribute->name, attribute->kind, values));
    }
    return LOAM_OK;
}

static loam_status put_metadata(node_call *call, const copy_pairs *pairs, point_set *out) {
    int64_t metadata = param_integer(call->node, COPY_METADATA);
    LOAM_TRY(put_assets(call, pairs, out));
    if (metadata != OF_SOURCE) {
        LOAM_TRY(put_attributes(call, &pairs->target, pairs->to, out));
    }
    return metadata == OF_TARGET ? LOAM_OK : put_attributes(call, &pairs->source, pairs->from, out);
}

loam_status copy_columns_put(node_call *call, copy_pairs *pairs, point_set *out) {
    LOAM_TRY(put_origins(call, pairs, out));
    LOAM_TRY(put_heights(call, pairs, out));
    LOAM_TRY(put_densities(call, pairs, out));
    LOAM_TRY(put_scales(call, pairs, out));
    LOAM_TRY(put_yaws(call, pairs, out));
    LOAM_TRY(put_others(call, pairs, out));
    return put_metadata(call, pairs, out);
}
