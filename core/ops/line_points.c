/* SPDX-License-Identifier: MIT
 *
 * line_points.c: see line_points.h.
 */
#include "core/ops/line_points.h"

#include "core/base/mix.h"
#include "core/ops/asked.h"

loam_status line_points_take(const node_call *call, uint32_t most, line_points *points) {
    loam_arena *arena = call->arena;
    *points = (line_points){.rect = call->rect,
                            .x = COLUMN_TAKE(arena, most, int32_t),
                            .y = COLUMN_TAKE(arena, most, int32_t),
                            .z = COLUMN_TAKE(arena, most, int32_t),
                            .station = COLUMN_TAKE(arena, most, int32_t),
                            .a = COLUMN_TAKE(arena, most, uint32_t),
                            .b = COLUMN_TAKE(arena, most, uint32_t),
                            .yaw = COLUMN_TAKE(arena, most, uint16_t)};
    bool full = points->x == NULL || points->y == NULL || points->z == NULL ||
                points->station == NULL || points->a == NULL || points->b == NULL ||
                points->yaw == NULL;
    return node_fail(call, full ? LOAM_ARENA_FULL : LOAM_OK);
}

bool line_points_hold(const line_points *points, const int64_t xz[2]) {
    loam_rect rect = points->rect;
    return xz[0] >= rect.x0 && xz[0] < rect.x1 && xz[1] >= rect.z0 && xz[1] < rect.z1;
}

int32_t line_attribute_of(int64_t fine) {
    int64_t number = (fine + (1 << (BITS_UNITS - 1))) >> BITS_UNITS;
    return (int32_t)(number < INT32_MAX ? number : INT32_MAX);
}

uint32_t line_points_add(line_points *points, const line_point *point) {
    uint32_t row = points->count++;
    points->x[row] = (int32_t)(point->xz[0] - points->rect.x0);
    points->y[row] = 0;
    points->z[row] = (int32_t)(point->xz[1] - points->rect.z0);
    points->a[row] = (uint32_t)point->origin;
    points->b[row] = (uint32_t)(point->origin >> 32);
    points->yaw[row] = point->yaw;
    points->station[row] = line_attribute_of(point->station);
    return row;
}

point_set line_points_set(const line_points *points, const node_call *call) {
    return (point_set){.count = points->count,
                       .base_x = points->rect.x0,
                       .base_z = points->rect.z0,
                       .x = points->x,
                       .y = points->y,
                       .z = points->z,
                       .a = points->a,
                       .b = points->b,
                       .id_key = draw_key(call->seed, DRAW_ID),
                       .density_all = LOAM_DENSITY_ONE,
                       .yaw = points->yaw,
                       .asset_all = ASSET_NONE,
                       .station = points->station};
}
