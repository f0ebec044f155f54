/* SPDX-License-Identifier: MIT
 *
 * volume_hold.c: which points a volume holds. Blocks of points go through the parts in order, each
 * a loop over columns that leaves one byte a point.
 */
#include "core/base/try.h"
#include "core/space/heightfield.h"
#include "core/space/lines.h"
#include "core/space/volume.h"

/* Height, gradient and life of a block on the ground; squared distances to lines take less. */
enum { GROUND_BYTES_EACH = 16 };

uint64_t volume_scratch_bytes(uint64_t part_count) {
    return VOLUME_BLOCK * (part_count + GROUND_BYTES_EACH) + 4096;
}

/* An end of an axis relative to a base; the columns are int32, so beyond that it is the same. */
static int64_t shifted(int64_t end, int64_t base) {
    if (end == END_FREE_LOW || end == END_FREE_HIGH) {
        return end;
    }
    return end - base;
}

static void clear_outside(const int32_t *column, uint32_t count, int64_t low, int64_t high,
                          uint8_t *inside) {
    if (low == END_FREE_LOW && high == END_FREE_HIGH) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        inside[i] &= (uint8_t)((column[i] >= low) & (column[i] <= high));
    }
}

static void cut_by_extent(const volume_extent *extent, const volume_points *points,
                          uint8_t *inside) {
    clear_outside(points->x, points->count, shifted(extent->low[SPACE_X], points->base_x),
                  shifted(extent->high[SPACE_X], points->base_x), inside);
    clear_outside(points->y, points->count, extent->low[SPACE_Y], extent->high[SPACE_Y], inside);
    clear_outside(points->z, points->count, shifted(extent->low[SPACE_Z], points->base_z),
                  shifted(extent->high[SPACE_Z], points->base_z), inside);
}

/* Differences beyond the radius are cut to one more, so that three squares fit. */
static inline int64_t square_within(int64_t difference, int64_t radius) {
    int64_t size = difference < 0 ? -difference : difference;
    size = size > radius ? radius + 1 : size;
    return size * size;
}

static void hold_ball(const volume_part *part, const volume_points *points, uint8_t *inside) {
    int64_t x = part->center[SPACE_X] - points->base_x, y = part->center[SPACE_Y];
    int64_t z = part->center[SPACE_Z] - points->base_z, radius = part->radius;
    int64_t limit = radius * radius;
    for (uint32_t i = 0; i < points->count; i++) {
        int64_t distance2 = square_within(points->x[i] - x, radius) +
                            square_within(points->y[i] - y, radius) +
                            square_within(points->z[i] - z, radius);
        inside[i] = distance2 <= limit;
    }
}

static areas_points seen_from_above(const volume_points *points) {
    return (areas_points){points->base_x, points->base_z, points->x, points->z, points->count};
}

static loam_status hold_tube(const volume_part *part, const volume_points *points, uint8_t *inside,
                             loam_arena *scratch) {
    const areas_points flat = seen_from_above(points);
    uint64_t *distance2 = loam_arena_take(scratch, points->count, sizeof *distance2);
    LOAM_TRY_MEMORY(distance2, NULL);
    LOAM_TRY(lines_nearest(part->of.lines, part->radius + 1, &flat, distance2, scratch));
    uint64_t limit = (uint64_t)(part->radius * part->radius) * AREA_DISTANCE2_SCALE;
    for (uint32_t i = 0; i < points->count; i++) {
        inside[i] = distance2[i] <= limit;
    }
    cut_by_extent(&part->extent, points, inside);
    return LOAM_OK;
}

static loam_status hold_prism(const volume_part *part, const volume_points *points, uint8_t *inside,
                              loam_arena *scratch) {
    const areas_points flat = seen_from_above(points);
    const areas_view view = {0};
    LOAM_TRY(areas_veto(part->of.areas, &view, &flat, inside, scratch));
    cut_by_extent(&part->extent, points, inside);
    return LOAM_OK;
}

static loam_status hold_ground(const volume_part *part, const volume_points *points,
                               loam_simd level, uint8_t *inside, loam_arena *scratch) {
    surface_columns surface = {
        .y = loam_arena_take(scratch, points->count, sizeof(int32_t)),
        .gradient_x = loam_arena_take(scratch, points->count, sizeof(int32_t)),
        .gradient_z = loam_arena_take(scratch, points->count, sizeof(int32_t)),
        .live = loam_arena_take(scratch, points->count, sizeof(uint32_t)),
    };
    LOAM_TRY_MEMORY(surface.y, NULL);
    LOAM_TRY_MEMORY(surface.gradient_x, NULL);
    LOAM_TRY_MEMORY(surface.gradient_z, NULL);
    LOAM_TRY_MEMORY(surface.live, NULL);
    for (uint32_t i = 0; i < points->count; i++) {
        surface.live[i] = UINT32_MAX;
    }
    (void)heightfield_sample(part->of.ground, level, false, points->base_x, points->base_z,
                             points->x, points->z, points->count, surface);
    for (uint32_t i = 0; i < points->count; i++) {
        inside[i] = (uint8_t)((surface.live[i] & 1) & (points->y[i] <= surface.y[i]));
    }
    return LOAM_OK;
}

static void hold_set(volume_kind kind, const uint8_t *a, const uint8_t *b, uint32_t count,
                     uint8_t *inside) {
    for (uint32_t i = 0; i < count; i++) {
        uint8_t other = kind == VOLUME_DIFFERENCE ? (uint8_t)(b[i] ^ 1) : b[i];
        inside[i] = kind == VOLUME_UNION ? a[i] | other : a[i] & other;
    }
}

/* One question: how, with what memory, and the centers of balls that were looked at for it. */
typedef struct hold_run {
    loam_simd level;
    loam_arena *scratch;
    uint64_t tests;
} hold_run;

/* A leaf's column. */
static loam_status hold_leaf(const volume_part *part, const volume_points *points, hold_run *run,
                             uint8_t *inside) {
    switch (part->kind) {
    case VOLUME_BALL:
        hold_ball(part, points, inside);
        return LOAM_OK;
    case VOLUME_BALLS:
        return volume_balls_hold(part->of.balls, points, inside, &run->tests);
    case VOLUME_TUBE:
        return hold_tube(part, points, inside, run->scratch);
    case VOLUME_PRISM:
        return hold_prism(part, points, inside, run->scratch);
    case VOLUME_GROUND:
        return hold_ground(part, points, run->level, inside, run->scratch);
    default:
        for (uint32_t i = 0; i < points->count; i++) {
            inside[i] = 1;
        }
        cut_by_extent(&part->extent, points, inside);
        return LOAM_OK;
    }
}

static loam_status hold_block(const volume *whole, const volume_points *points, hold_run *run,
                              uint8_t *inside) {
    loam_arena *scratch = run->scratch;
    uint8_t *columns = loam_arena_take(scratch, whole->part_count, points->count);
    LOAM_TRY_MEMORY(columns, NULL);
    for (uint32_t p = 0; p < whole->part_count; p++) {
        const volume_part *part = &whole->parts[p];
        bool last = p + 1 == whole->part_count;
        uint8_t *column = last ? inside : columns + (size_t)p * points->count;
        if (part->kind >= VOLUME_UNION) {
            hold_set(part->kind, columns + (size_t)part->a * points->count,
                     columns + (size_t)part->b * points->count, points->count, column);
            continue;
        }
        size_t mark = loam_arena_mark(scratch);
        loam_status status = hold_leaf(part, points, run, column);
        loam_arena_reset(scratch, mark);
        LOAM_TRY(status);
    }
    return LOAM_OK;
}

loam_status volume_hold(const volume *whole, const volume_points *points, loam_simd level,
                        uint8_t *inside, loam_arena *scratch) {
    hold_run run = {level, scratch, 0};
    for (uint32_t first = 0; first < points->count; first += VOLUME_BLOCK) {
        volume_points block = *points;
        uint32_t left = points->count - first;
        block.x += first;
        block.y += first;
        block.z += first;
        block.count = left < VOLUME_BLOCK ? left : VOLUME_BLOCK;
        size_t mark = loam_arena_mark(scratch);
        loam_status status = hold_block(whole, &block, &run, inside + first);
        loam_arena_reset(scratch, mark);
        LOAM_TRY(status);
    }
    return LOAM_OK;
}
