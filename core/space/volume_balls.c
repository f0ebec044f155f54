/* SPDX-License-Identifier: MIT
 *
 * volume_balls.c: balls of one radius around many centers. Centers stand sorted by (band of z, x),
 * a band as wide as the radius, so that a point looks at a run of each of three bands.
 */
#include "core/base/fixed_math.h"
#include "core/base/index_sort.h"
#include "core/base/try.h"
#include "core/space/volume.h"

typedef struct ball_center {
    int64_t band;
    int64_t x, z; /* in the world */
    int32_t y;
} ball_center;

struct volume_balls {
    const ball_center *centers;
    uint32_t count;
    int64_t radius;
    int64_t band_width;
    volume_extent extent;
};

static int center_compare(const void *context, uint32_t a, uint32_t b) {
    const ball_center *centers = context;
    const ball_center *p = &centers[a], *q = &centers[b];
    if (p->band != q->band) {
        return p->band < q->band ? -1 : 1;
    }
    return (p->x > q->x) - (p->x < q->x);
}

static void grow(volume_extent *extent, const ball_center *center, int64_t radius) {
    volume_extent ball;
    const int64_t place[] = {[SPACE_X] = center->x, [SPACE_Y] = center->y, [SPACE_Z] = center->z};
    for (int axis = 0; axis < SPACE_AXES; axis++) {
        ball.low[axis] = place[axis] - radius;
        ball.high[axis] = place[axis] + radius;
    }
    *extent = extent_join(VOLUME_UNION, extent, &ball);
}

/* Sorts the centers into `sorted`. */
static loam_status sort_centers(const ball_center *centers, uint32_t count, ball_center *sorted,
                                loam_arena *scratch) {
    uint32_t *order = loam_arena_take(scratch, count + 1u, sizeof *order);
    uint32_t *spare = loam_arena_take(scratch, count + 1u, sizeof *spare);
    LOAM_TRY_MEMORY(order, NULL);
    LOAM_TRY_MEMORY(spare, NULL);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    index_sort(order, spare, count, center_compare, centers);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = centers[order[i]];
    }
    return LOAM_OK;
}

loam_status volume_balls_build(const volume_points *centers, int64_t radius, loam_arena *arena,
                               const volume_balls **balls) {
    volume_balls *made = loam_arena_take(arena, 1, sizeof *made);
    ball_center *sorted = loam_arena_take(arena, centers->count + 1u, sizeof *sorted);
    LOAM_TRY_MEMORY(made, NULL);
    LOAM_TRY_MEMORY(sorted, NULL);
    *made = (volume_balls){.centers = sorted,
                           .count = centers->count,
                           .radius = radius,
                           .band_width = radius > 0 ? radius : 1,
                           .extent = extent_empty()};
    size_t mark = loam_arena_mark(arena);
    ball_center *given = loam_arena_take(arena, centers->count + 1u, sizeof *given);
    LOAM_TRY_MEMORY(given, NULL);
    for (uint32_t i = 0; i < centers->count; i++) {
        int64_t x = centers->base_x + centers->x[i], z = centers->base_z + centers->z[i];
        given[i] = (ball_center){floor_divide(z, made->band_width), x, z, centers->y[i]};
        grow(&made->extent, &given[i], radius);
    }
    loam_status status = sort_centers(given, centers->count, sorted, arena);
    loam_arena_reset(arena, mark);
    *balls = made;
    return status;
}

volume_extent volume_balls_extent(const volume_balls *balls) {
    return balls->extent;
}

/* The first center at or behind `low` whose (band, x) is not below. */
static uint32_t first_center(const volume_balls *balls, uint32_t low, uint32_t high, int64_t band,
                             int64_t x) {
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const ball_center *center = &balls->centers[middle];
        bool before = center->band < band || (center->band == band && center->x < x);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

/* The centers of the bands that a point of one band can be near to, band by band. */
enum { BANDS_NEAR = 3 };
typedef struct near_bands {
    int64_t band;
    uint32_t first[BANDS_NEAR + 1];
} near_bands;

static void find_bands(const volume_balls *balls, int64_t band, near_bands *near) {
    near->band = band;
    for (uint32_t i = 0; i <= BANDS_NEAR; i++) {
        near->first[i] = first_center(balls, 0, balls->count, band - 1 + i, INT64_MIN);
    }
}

static bool run_holds(const volume_balls *balls, uint32_t first, uint32_t end, int64_t x, int64_t y,
                      int64_t z, uint64_t *tests) {
    int64_t radius = balls->radius;
    if (first == end) {
        return false;
    }
    int64_t band = balls->centers[first].band;
    for (uint32_t i = first_center(balls, first, end, band, x - radius); i < end; i++) {
        const ball_center *center = &balls->centers[i];
        ++*tests;
        if (center->x > x + radius) {
            return false;
        }
        int64_t dx = center->x - x, dy = center->y - y, dz = center->z - z;
        bool near = dy >= -radius && dy <= radius;
        if (near && dx * dx + dy * dy + dz * dz <= radius * radius) {
            return true;
        }
    }
    return false;
}

loam_status volume_balls_hold(const volume_balls *balls, const volume_points *points,
                              uint8_t *inside, uint64_t *tests) {
    near_bands near = {.band = INT64_MIN};
    for (uint32_t i = 0; i < points->count; i++) {
        int64_t x = points->base_x + points->x[i], z = points->base_z + points->z[i];
        int64_t band = floor_divide(z, balls->band_width);
        if (band != near.band) {
            find_bands(balls, band, &near);
        }
        bool held = false;
        for (uint32_t b = 0; b < BANDS_NEAR && !held; b++) {
            held = run_holds(balls, near.first[b], near.first[b + 1], x, points->y[i], z, tests);
        }
        inside[i] = held;
        if (*tests > TESTS_PER_CELL_MAX) {
            return LOAM_BUDGET_EXCEEDED;
        }
    }
    return LOAM_OK;
}
